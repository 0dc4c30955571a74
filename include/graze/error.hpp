// The exception of the library, thrown where data enters: building a shape, reading a file, validating, and checking arguments.
#pragma once
#include <stdexcept>
#include <string>

namespace graze {

/// Bad input. `what()` names the location (file, line or byte, element), the value found and what was expected.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace graze
