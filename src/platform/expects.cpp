// How a broken contract ends the program.
#include "platform/expects.hpp"

#include <cstdio>
#include <cstdlib>

namespace graze {

void contract_broken(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "graze: %s:%d: a contract is broken: %s\n", file, line, condition);
  std::abort();
}

}  // namespace graze
