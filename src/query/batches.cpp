// Batches of pairs: one answer per element, on all cores; element i never depends on how the work was cut.
#include <graze/error.hpp>
#include <graze/query.hpp>

#include "core/fp_environment.hpp"
#include "core/parallel.hpp"

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

}  // namespace

std::vector<std::uint8_t> intersects(std::span<const ShapeRef> a, std::span<const ShapeRef> b) {
  if (a.size() != b.size()) throw Error("intersects: " + std::to_string(a.size()) + " shapes on one side, " + std::to_string(b.size()) + " on the other");
  return in_parallel<std::uint8_t>(a.size(), [&](std::size_t i) -> std::uint8_t { return intersects(a[i], b[i]); });
}

}  // namespace graze
