#!/usr/bin/env bash
# check_libm.sh accepts a library that calls sqrt, and refuses one that calls pow.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '#include <cmath>
#include <string>
double f(double x) { return std::sqrt(x) + static_cast<double>(std::to_string(x).size()); }' > good.cpp
echo '#include <cmath>
double f(double x, double y) { return std::pow(x, y); }' > bad.cpp
for name in good bad; do g++ -std=c++20 -O2 -c $name.cpp && ar rc lib$name.a $name.o; done
bash "$here/../../tools/check_libm.sh" libgood.a
if said=$(bash "$here/../../tools/check_libm.sh" libgood.a libbad.a); then echo "pow was not found"; exit 1; fi
grep -q 'pow in libbad.a' <<< "$said" || { echo "$said"; exit 1; }
