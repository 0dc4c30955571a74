// The names of error codes.
#include <graze/error.hpp>

namespace graze {

const char* error_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::invalid_shape:
      return "invalid_shape";
    case ErrorCode::unsupported_shape:
      return "unsupported_shape";
    case ErrorCode::unknown_id:
      return "unknown_id";
    case ErrorCode::overflow:
      return "overflow";
    case ErrorCode::unreadable_file:
      return "unreadable_file";
    case ErrorCode::malformed_file:
      return "malformed_file";
    case ErrorCode::too_large:
      return "too_large";
    case ErrorCode::unwritable_file:
      return "unwritable_file";
    case ErrorCode::bad_snapshot:
      return "bad_snapshot";
    case ErrorCode::cancelled:
      return "cancelled";
    case ErrorCode::internal:
      return "internal";
  }
  return "unknown";
}

}  // namespace graze
