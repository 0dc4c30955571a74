// Text of numbers and points in messages.
#include "shapes/message.hpp"

#include <bit>
#include <charconv>
#include <cstdint>
#include <graze/error.hpp>

namespace graze {

bool is_finite(double x) { return ((std::bit_cast<std::uint64_t>(x) >> 52) & 0x7FF) != 0x7FF; }
bool is_finite(const Vec3& v) { return is_finite(v.x) && is_finite(v.y) && is_finite(v.z); }

std::string text(double x) {
  if (!is_finite(x)) return x != x ? "NaN" : x > 0 ? "infinity" : "-infinity";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x);
  return std::string(buffer, end.ptr);
}

std::string text(const Vec3& v) {
  std::string r = "(";
  for (int i = 0; i < 3; ++i) {
    if (i > 0) r += ", ";
    r += text(v[i]);
  }
  r += ')';
  return r;
}

std::string non_finite_coordinate(const Vec3& v) {
  for (int i = 0; i < 3; ++i)
    if (!is_finite(v[i])) return std::string(1, "xyz"[i]) + " is " + text(v[i]);
  return "";
}

void require_finite(const std::string& what, const Vec3& v) {
  const std::string bad = non_finite_coordinate(v);
  if (!bad.empty()) throw Error(ErrorCode::invalid_shape, what + ": " + bad + ", must be finite");
}

void require_finite(const std::string& what, double x) {
  if (!is_finite(x)) throw Error(ErrorCode::invalid_shape, what + " is " + text(x) + ", must be finite");
}

}  // namespace graze
