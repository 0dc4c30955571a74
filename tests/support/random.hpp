// Random numbers for tests: the same for a seed on each machine and with each compiler, which the distributions of the standard library are not.
#pragma once
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <graze/pose.hpp>
#include <random>
#include <utility>

namespace graze::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  /// One of 0 .. n - 1.
  template <std::integral N>
  N below(N n) {
    return static_cast<N>(bits() % static_cast<std::uint64_t>(n));
  }
  /// One of lo .. hi.
  int integer(int lo, int hi) { return lo + below(hi - lo + 1); }
  bool coin() { return below(2) != 0; }
  /// In [0, 1), a multiple of 2^-53.
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double real(double lo, double hi) { return lo + (hi - lo) * unit(); }
  /// `x`, or a double beside it.
  double nudge(double x) {
    const int k = integer(-1, 1);
    return k == 0 || x == 0 ? x : std::bit_cast<double>(std::bit_cast<std::int64_t>(x) + k);
  }

  // The order in which coordinates are drawn is fixed; that of the arguments of a call is not.
  Vec3 point(double lo, double hi) {
    const double x = real(lo, hi), y = real(lo, hi), z = real(lo, hi);
    return {x, y, z};
  }
  /// Whole coordinates.
  Vec3 grid(int lo, int hi) {
    const int x = integer(lo, hi), y = integer(lo, hi), z = integer(lo, hi);
    return Vec3(x, y, z);
  }
  Vec3 nudge(const Vec3& p) {
    const double x = nudge(p.x), y = nudge(p.y), z = nudge(p.z);
    return {x, y, z};
  }
  /// Of any length but 0.
  Vec3 direction() {
    for (;;) {
      const Vec3 v = point(-1, 1);
      if (v != Vec3(0, 0, 0)) return v;
    }
  }
  /// Turned anyhow, and moved by at most `reach` along each axis.
  Pose pose(double reach) {
    const Vec3 t = point(-reach, reach);
    const double z = real(0.01, 1), y = real(-1, 1), x = real(-1, 1), w = real(-1, 1);  // a quaternion and its opposite are one rotation
    return Pose::from_quaternion(w, x, y, z, t);
  }
  /// Exactly turned, about one axis.
  Pose quarter_turn(double reach) {
    const Vec3 t = point(-reach, reach);
    const int axis = integer(0, 2), quarters = integer(0, 3);
    return Pose::quarter_turn(static_cast<Axis>(axis), quarters, t);
  }
  template <class Range>
  void shuffle(Range& r) {
    for (std::size_t n = r.size(); n > 1; --n) std::swap(r[n - 1], r[below(n)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace graze::test
