// For tests of pairs: random shapes of four kinds of input (ordinary, on a grid, one ulp away, at the ends of the exponent range), and the comparison of a
// pair's own function with the generic decision.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "convex/decide/decide.hpp"
#include "exact/predicates.hpp"
#include "parts/convex_of_shape.hpp"
#include "query/all_pairs.hpp"
#include "support/random.hpp"

namespace graze::test {

enum class Input { plain, grid, nudged, huge, tiny, mixed };

class Shapemaker {
 public:
  Shapemaker(std::uint64_t seed, Input input) : random_(seed), input_(input) {}

  double extent() {
    if (input_ == Input::plain) return random_.real(0.2, 1.2);
    return std::fabs(number(random_.integer(0, 2)));
  }
  Vec3 point() {
    if (input_ == Input::plain) return random_.point(-1.5, 1.5);
    const double x = number(random_.integer(-3, 3)), y = number(random_.integer(-3, 3)), z = number(random_.integer(-3, 3));
    return Vec3(x, y, z);
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 d = input_ == Input::plain ? random_.point(-1, 1) : Vec3(random_.integer(-1, 1), random_.integer(-1, 1), random_.integer(-1, 1));
      if (!(d == Vec3(0, 0, 0))) return input_ == Input::nudged ? Vec3(nudge(d.x), nudge(d.y), nudge(d.z)) : d;
    }
  }

  void make(Point& s) { s = {point()}; }
  void make(Segment& s) { s.a = point(), s.b = point(); }
  void make(Ray& s) { s.origin = point(), s.direction = direction(); }
  void make(Line& s) { s.origin = point(), s.direction = direction(); }
  void make(Plane& s) { s.point = point(), s.normal = direction(); }
  void make(HalfSpace& s) { s.point = point(), s.normal = direction(); }
  void make(Triangle& s) {
    for (Vec3& p : s.points) p = point();
  }
  void make(Sphere& s) { s.center = point(), s.radius = extent(); }
  void make(Capsule& s) { s.a = point(), s.b = point(), s.radius = extent(); }
  void make(Box& s) {
    const Vec3 a = point(), b = point();
    for (int k = 0; k < 3; ++k) s.min[k] = std::min(a[k], b[k]), s.max[k] = std::max(a[k], b[k]);
  }
  void make(OrientedBox& s) {
    s.center = point();
    if (input_ == Input::plain) {  // a rotation, up to rounding
      double w, x, y, z, n;
      do {
        w = random_.real(-1, 1), x = random_.real(-1, 1), y = random_.real(-1, 1), z = random_.real(-1, 1), n = w * w + x * x + y * y + z * z;
      } while (n > 1 || n < 0.1);
      s.axes[0] = Vec3(w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)) / n;
      s.axes[1] = Vec3(2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)) / n;
      s.axes[2] = Vec3(2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z) / n;
    } else if (random_.integer(0, 2) > 0) {  // along the coordinate axes, in any order
      const int first = random_.integer(0, 2);
      for (int k = 0; k < 3; ++k) {
        s.axes[k] = Vec3(0, 0, 0);
        s.axes[k][(first + k) % 3] = random_.integer(0, 1) ? 1 : -1;
      }
    } else {
      for (Vec3& a : s.axes) a = Vec3(random_.integer(-1, 1), random_.integer(-1, 1), random_.integer(-1, 1));
    }
    s.half = Vec3(extent(), extent(), extent());
  }

 private:
  double nudge(double x) {
    const int n = random_.integer(-1, 1);
    return n == 0 ? x : n > 0 ? std::nextafter(x, 10.0) : std::nextafter(x, -10.0);
  }
  double number(int n) {
    switch (input_) {
      case Input::nudged:
        return n == 0 ? 0 : nudge(n * 0.7);
      case Input::huge:
        return n * 0x1p1020;
      case Input::tiny:
        return n * 0x1p-1074;
      case Input::mixed: {
        static const double scales[] = {0x1p1000, 0x1p-1074, 0x1p-1000, 0x1p500, 1, 0x1p-520, 0x1p-260, 0x1p260};
        return n * scales[random_.integer(0, 7)];
      }
      default:
        return n;
    }
  }
  Random random_;
  Input input_;
};

inline Certain as_certain(bool b) { return certain(b); }
inline Certain as_certain(Certain c) { return c; }

struct Answers {
  int yes = 0, no = 0, unknown = 0;
};

template <class A, class B>
Answers compare_with_generic(Input input, int count, std::uint64_t seed) {
  Shapemaker maker(seed, input);
  Answers r;
  for (int k = 0; k < count; ++k) {
    A a;
    B b;
    maker.make(a);
    maker.make(b);
    const Certain c = as_certain(intersects_pair(a, b));
    ++(c == Certain::yes ? r.yes : c == Certain::no ? r.no : r.unknown);
    if (c == Certain::unknown) continue;
    const bool right = within(convex_set_of(a, nullptr), convex_set_of(b, nullptr));
    if ((c == Certain::yes) != right) {
      std::string text;
      auto print = [&]<class S>(const S& s) {
        const double* x = reinterpret_cast<const double*>(&s);
        char buffer[40];
        for (std::size_t i = 0; i < sizeof(S) / sizeof(double); ++i) std::snprintf(buffer, sizeof buffer, "%a ", x[i]), text += buffer;
        text += "| ";
      };
      print(a);
      print(b);
      ADD_FAILURE() << A::type_name << " " << B::type_name << ", case " << k << " of input " << static_cast<int>(input) << ": generic says " << right << " for "
                    << text;
      return r;
    }
  }
  return r;
}

/// Tests all kinds of input. `most_unknown`: how many of 1000 generic pairs and of 1000 grid pairs the function may leave undecided.
template <class A, class B>
void check_pair(int most_unknown_plain = 0, int most_unknown_grid = 0, bool both_plain = true) {
  predicate_counts() = {};
  const Answers plain = compare_with_generic<A, B>(Input::plain, 20000, 1);
  const std::string name = std::string(A::type_name) + " " + B::type_name;
  EXPECT_LE(plain.unknown, most_unknown_plain * 20) << name;
  if (both_plain) {
    EXPECT_GT(plain.yes, 200) << name;
    EXPECT_GT(plain.no, 200) << name;
  }
  EXPECT_EQ(predicate_counts().big, 0u) << name;
  const Answers grid = compare_with_generic<A, B>(Input::grid, 4000, 2);
  EXPECT_LE(grid.unknown, most_unknown_grid * 4) << name;
  EXPECT_GT(grid.yes, 30) << name;
  EXPECT_GT(grid.no, 30) << name;
  compare_with_generic<A, B>(Input::nudged, 3000, 3);
  compare_with_generic<A, B>(Input::huge, 600, 4);
  compare_with_generic<A, B>(Input::tiny, 600, 5);
  compare_with_generic<A, B>(Input::mixed, 600, 6);
}

}  // namespace graze::test
