// The benchmarks' random numbers: the same inputs on each machine and with each compiler.
#pragma once
#include <cmath>
#include <cstdint>
#include <graze/vec.hpp>

namespace bench {

/// SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// Uniform in low..high.
  int integer(int low, int high) { return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1)); }
  bool coin() { return (bits() >> 63) != 0; }
  /// Uniform in the cube of this half size.
  graze::Vec3 in_cube(double half) {
    const double x = uniform(-half, half), y = uniform(-half, half), z = uniform(-half, half);
    return {x, y, z};
  }
  /// Uniform on the unit sphere, rounded.
  graze::Vec3 direction() {
    for (;;) {
      const graze::Vec3 v = in_cube(1);
      const double n = v.x * v.x + v.y * v.y + v.z * v.z;
      if (n > 0.01 && n <= 1) return v / std::sqrt(n);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace bench
