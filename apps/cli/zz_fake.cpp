#include <cstdio>
int main(int c,char**v){ char b[100]; printf("%d %s %s\n",c,v[1], fgets(b,100,stdin)?b:"-"); return 7;}
