// A user's program that reads a model: reader FILE prints the number of its triangles.
#include <graze/graze.hpp>
#include <graze/io.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const graze::Mesh mesh = graze::load_mesh(argv[1]);
  std::printf("%zu\n", mesh.size());
}
