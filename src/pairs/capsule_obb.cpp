// Capsule against oriented box: the filter.
#include "pairs/capsule_obb.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "pairs/detail/obb_generators.hpp"

namespace graze {

namespace filter {

/// The last place with g <= 0, the first with g > 0, and these g, of which only the sizes are needed. The processor cannot predict the signs of g, so they are
/// handled by masks on the bits, which are in the order of the numbers from 0 on.
template <class V>
class Bracket {
 public:
  [[gnu::always_inline]] void add(double at, double g) {
    const std::uint64_t falls = -static_cast<std::uint64_t>(g <= 0), place = std::bit_cast<std::uint64_t>(at),
                        size = std::bit_cast<std::uint64_t>(std::fabs(g));
    low_ = std::max(low_, place & falls), g_low_ = std::min(g_low_, size | ~falls);
    high_ = std::min(high_, place | falls), g_high_ = std::min(g_high_, size | falls);
  }
  [[gnu::always_inline]] double zero() const {
    const double from = std::bit_cast<double>(low_), part = std::bit_cast<double>(g_low_) / (std::bit_cast<double>(g_low_) + std::bit_cast<double>(g_high_));
    return from + (std::bit_cast<double>(high_) - from) * part;
  }

 private:
  static constexpr auto kMuch = std::bit_cast<std::uint64_t>(0x1p1000);
  std::uint64_t low_ = 0, high_ = std::bit_cast<std::uint64_t>(1.0), g_low_ = kMuch, g_high_ = kMuch;
};

#include "pairs/capsule_obb-inl.hpp"

}  // namespace filter

namespace {
Certain decide(const OrientedBox& box, double off, const Capsule& capsule) {
  using namespace filter;
  return certain(decide_thick_segment_box(difference(capsule.a, box.center), difference(capsule.b, capsule.a),
                                          {generator(box, 0), generator(box, 1), generator(box, 2)}, capsule.radius, off));
}
}  // namespace

Certain intersects_pair(const OrientedBox& box, const Capsule& capsule) { return decide(box, 0, capsule); }
Certain intersects_pair(const RoundedBox& box, const Capsule& capsule) { return decide(box.box, box.off, capsule); }

}  // namespace graze
