// The exception of the library, thrown where data enters: building a shape, reading a file, validating, and checking arguments.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

namespace graze {

/// What kind of input an Error refuses: for programs that act on the kind, and for interfaces without exceptions.
enum class ErrorCode : std::uint8_t {
  invalid_argument,   ///< an argument, option or size that the function does not accept
  invalid_shape,      ///< a shape, mesh or pose that is not valid
  unsupported_shape,  ///< a shape of a kind for which the function has no answer
  unknown_id,         ///< an id that no member, body or box has
  overflow,           ///< valid input whose result is beyond the largest double, or beyond 32-bit numbers
  unreadable_file,    ///< a file that is missing, or cannot be opened or read
  malformed_file,     ///< a file whose content is not valid, or of an unknown format
  too_large,          ///< a file or model beyond the limit on its size
  unwritable_file,    ///< a file that cannot be written
  bad_snapshot,       ///< bytes that are no snapshot, or one of another world
  cancelled,          ///< the caller's Progress ended the call
  internal            ///< a defect of the library: please report it
};

/// Returns the name of a code, such as "invalid_shape".
[[nodiscard]] const char* error_name(ErrorCode code);

/// Bad input. `what()` names the location (file, line or byte, element), the value found and what was expected.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& what) : std::runtime_error(what), code_(code) {}
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace graze
