// Converts a fuzzer's bytes to finite doubles and shapes; missing bytes are zero.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <graze/graze.hpp>

namespace graze::fuzz {

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  std::uint8_t byte() { return at_ < size_ ? data_[at_++] : 0; }
  bool empty() const { return at_ >= size_; }

  /// Small whole numbers and halves (contacts happen there) or, one time in four, eight bytes as they are.
  double number() {
    const std::uint8_t kind = byte();
    if (kind % 4 != 0) return (static_cast<int>(kind) - 128) / 4 * 0.5;
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | byte();
    const double x = std::bit_cast<double>(bits);
    return std::isfinite(x) ? x : 0.0;
  }
  double size() { return std::fabs(number()); }
  Vec3 vector() {
    const double x = number(), y = number(), z = number();
    return Vec3(x, y, z);
  }
  Vec3 direction() {
    const Vec3 v = vector();
    return v == Vec3(0, 0, 0) ? Vec3(0, 0, 1) : v;
  }

  /// A shape of any simple kind for which all answers are exact.
  AnyShape shape() {
    switch (byte() % 12) {
      case 0:
        return Point{vector()};
      case 1:
        return Segment{vector(), vector()};
      case 2:
        return Ray{vector(), direction()};
      case 3:
        return Line{vector(), direction()};
      case 4:
        return Plane{vector(), direction()};
      case 5:
        return HalfSpace{vector(), direction()};
      case 6:
        return Triangle{{vector(), vector(), vector()}};
      case 7:
        return Sphere{vector(), size()};
      case 8: {
        const Vec3 a = vector(), b = vector();
        return Box{Vec3(std::fmin(a.x, b.x), std::fmin(a.y, b.y), std::fmin(a.z, b.z)), Vec3(std::fmax(a.x, b.x), std::fmax(a.y, b.y), std::fmax(a.z, b.z))};
      }
      case 9:
        return OrientedBox{vector(), {vector(), vector(), vector()}, Vec3(size(), size(), size())};
      case 10:
        return Capsule{vector(), vector(), size()};
      default:
        return Hull{vector(), vector(), vector(), vector(), vector()};
    }
  }

  Mesh mesh(std::size_t triangles) {
    MeshData d;
    const std::uint32_t vertices = 3 + byte() % 8;
    for (std::uint32_t i = 0; i < vertices; ++i) d.vertices.push_back(vector());
    for (std::size_t i = 0; i < triangles; ++i) d.triangles.push_back({byte() % vertices, byte() % vertices, byte() % vertices});
    return Mesh(std::move(d));
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

/// A violated guarantee aborts the run; the fuzzer keeps the input.
#define FUZZ_CHECK(condition)           \
  do {                                  \
    if (!(condition)) __builtin_trap(); \
  } while (false)

}  // namespace graze::fuzz
