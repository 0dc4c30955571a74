// Batches of pairs, processed on all cores with one answer per element. The answer of element i does not depend on the partition of the work.
#include <algorithm>
#include <graze/error.hpp>
#include <graze/query.hpp>

#include "pairs/detail/batch_kernels.hpp"
#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"

namespace graze {
namespace {

template <class R, class F>
std::vector<R> in_parallel(std::size_t n, const F& one) {
  std::vector<R> out(n);
  parallel_for(n, 64, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment guard;
    for (std::size_t i = begin; i < end; ++i) out[i] = one(i);
  });
  return out;
}

void require_equal(std::size_t a, std::size_t b) {
  if (a != b) throw Error("intersects: " + std::to_string(a) + " shapes on one side, " + std::to_string(b) + " on the other");
}

/// Runs the SIMD filter; the function of one pair decides what the filter leaves undecided.
template <class A, class B>
void pair_batch(PairBatch filter, std::span<const A> a, std::span<const B> b, std::span<std::uint8_t> out) {
  static_assert(sizeof(A) % sizeof(double) == 0 && sizeof(B) % sizeof(double) == 0);
  require_equal(a.size(), b.size());
  if (out.size() != a.size()) throw Error("intersects: " + std::to_string(a.size()) + " pairs, room for " + std::to_string(out.size()) + " answers");
  parallel_for(a.size(), 8192, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment guard;
    constexpr std::size_t kBlock = 512;
    std::uint32_t open[kBlock + 8];
    for (std::size_t i = begin; i < end; i += kBlock) {
      const std::size_t n = std::min(kBlock, end - i);
      if (n < kLeastBatch) {
        for (std::size_t k = i; k < end; ++k) out[k] = intersects(a[k], b[k]);
        continue;
      }
      const std::size_t opened = filter(reinterpret_cast<const double*>(&a[i]), reinterpret_cast<const double*>(&b[i]), n, &out[i], open);
      for (std::size_t k = 0; k < opened; ++k) out[i + open[k]] = intersects(a[i + open[k]], b[i + open[k]]);
    }
  });
}
template <class A, class B>
std::vector<std::uint8_t> pair_batch(PairBatch filter, std::span<const A> a, std::span<const B> b) {
  require_equal(a.size(), b.size());
  std::vector<std::uint8_t> out(a.size());
  pair_batch(filter, a, b, std::span<std::uint8_t>(out));
  return out;
}

}  // namespace

std::vector<std::uint8_t> intersects(std::span<const ShapeRef> a, std::span<const ShapeRef> b) {
  require_equal(a.size(), b.size());
  return in_parallel<std::uint8_t>(a.size(), [&](std::size_t i) -> std::uint8_t { return intersects(a[i], b[i]); });
}

std::vector<std::uint8_t> intersects(std::span<const Sphere> a, std::span<const Sphere> b) { return pair_batch(batch_kernels().sphere_sphere, a, b); }
std::vector<std::uint8_t> intersects(std::span<const Sphere> a, std::span<const Capsule> b) { return pair_batch(batch_kernels().sphere_capsule, a, b); }
std::vector<std::uint8_t> intersects(std::span<const Capsule> a, std::span<const Capsule> b) { return pair_batch(batch_kernels().capsule_capsule, a, b); }
std::vector<std::uint8_t> intersects(std::span<const Sphere> a, std::span<const Triangle> b) { return pair_batch(batch_kernels().sphere_triangle, a, b); }
std::vector<std::uint8_t> intersects(std::span<const Triangle> a, std::span<const Triangle> b) { return pair_batch(batch_kernels().triangle_triangle, a, b); }
std::vector<std::uint8_t> intersects(std::span<const Sphere> a, std::span<const Box> b) { return pair_batch(batch_kernels().sphere_box, a, b); }
std::vector<std::uint8_t> intersects(std::span<const Box> a, std::span<const Box> b) { return pair_batch(batch_kernels().box_box, a, b); }
std::vector<std::uint8_t> intersects(std::span<const Segment> a, std::span<const Box> b) { return pair_batch(batch_kernels().segment_box, a, b); }
std::vector<std::uint8_t> intersects(std::span<const Sphere> a, std::span<const OrientedBox> b) {
  return pair_batch(batch_kernels().sphere_oriented_box, a, b);
}
std::vector<std::uint8_t> intersects(std::span<const OrientedBox> a, std::span<const OrientedBox> b) {
  return pair_batch(batch_kernels().oriented_boxes, a, b);
}
std::vector<std::uint8_t> intersects(std::span<const OrientedBox> a, std::span<const Capsule> b) {
  return pair_batch(batch_kernels().oriented_box_capsule, a, b);
}
void intersects(std::span<const Sphere> a, std::span<const Sphere> b, std::span<std::uint8_t> out) { pair_batch(batch_kernels().sphere_sphere, a, b, out); }
void intersects(std::span<const Sphere> a, std::span<const Capsule> b, std::span<std::uint8_t> out) { pair_batch(batch_kernels().sphere_capsule, a, b, out); }
void intersects(std::span<const Capsule> a, std::span<const Capsule> b, std::span<std::uint8_t> out) { pair_batch(batch_kernels().capsule_capsule, a, b, out); }
void intersects(std::span<const Sphere> a, std::span<const Triangle> b, std::span<std::uint8_t> out) { pair_batch(batch_kernels().sphere_triangle, a, b, out); }
void intersects(std::span<const Triangle> a, std::span<const Triangle> b, std::span<std::uint8_t> out) {
  pair_batch(batch_kernels().triangle_triangle, a, b, out);
}
void intersects(std::span<const Sphere> a, std::span<const Box> b, std::span<std::uint8_t> out) { pair_batch(batch_kernels().sphere_box, a, b, out); }
void intersects(std::span<const Box> a, std::span<const Box> b, std::span<std::uint8_t> out) { pair_batch(batch_kernels().box_box, a, b, out); }
void intersects(std::span<const Segment> a, std::span<const Box> b, std::span<std::uint8_t> out) { pair_batch(batch_kernels().segment_box, a, b, out); }
void intersects(std::span<const Sphere> a, std::span<const OrientedBox> b, std::span<std::uint8_t> out) {
  pair_batch(batch_kernels().sphere_oriented_box, a, b, out);
}
void intersects(std::span<const OrientedBox> a, std::span<const OrientedBox> b, std::span<std::uint8_t> out) {
  pair_batch(batch_kernels().oriented_boxes, a, b, out);
}
void intersects(std::span<const OrientedBox> a, std::span<const Capsule> b, std::span<std::uint8_t> out) {
  pair_batch(batch_kernels().oriented_box_capsule, a, b, out);
}

}  // namespace graze
