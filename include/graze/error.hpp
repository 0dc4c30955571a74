// What the library throws, and only where data enters: building a shape, reading a file, validating.
#pragma once
#include <stdexcept>
#include <string>

namespace graze {

/// Bad input. `what()` names the place (file, line or byte, element), the value found and what was expected.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace graze
