// Sorting on all threads. Apart from parallel.hpp, because the header of oneTBB is slow to compile.
#pragma once
#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "platform/parallel.hpp"
#include "platform/threads.hpp"
#include "platform/watch.hpp"
#ifdef GRAZE_TBB
#include <tbb/parallel_sort.h>
#endif

namespace graze {

namespace parallel_detail {

/// Sorts pieces, then merges pairs of pieces until one is left.
template <class T, class Less>
void merge_sort(std::vector<T>& v, const Less& less) {
  constexpr std::size_t kPieces = 16;  // a choice
  const std::size_t piece = (v.size() - 1) / kPieces + 1;
  parallel_for(v.size(), piece, [&](std::size_t begin, std::size_t end) { std::sort(v.data() + begin, v.data() + end, less); });
  std::vector<T> merged(v.size());
  for (std::size_t width = piece; width < v.size(); width *= 2) {
    parallel_for(v.size(), 2 * width, [&](std::size_t begin, std::size_t end) {
      T* const middle = v.data() + std::min(begin + width, end);
      std::merge(v.data() + begin, middle, middle, v.data() + end, merged.data() + begin, less);
    });
    v.swap(merged);
  }
}

template <class T, class Less>
void sort(std::vector<T>& v, Less less) {
  if (v.size() <= 4096 || threads() == 1) {
    std::sort(v.begin(), v.end(), less);
    return;
  }
#ifdef GRAZE_TBB
  struct Context {
    std::vector<T>* v;
    Less* less;
  } context{&v, &less};
  run_in_arena(
      [](void* p) {
        const Context& c = *static_cast<const Context*>(p);
        tbb::parallel_sort(c.v->begin(), c.v->end(), *c.less);
      },
      &context);
#else
  merge_sort(v, less);
#endif
}

/// Looks now and then whether the caller of the sort wants it to end.
template <class Less>
struct WatchedLess {
  Less less;
  Watch* watch;

  template <class T>
  bool operator()(const T& a, const T& b) const {
    count_comparison(*watch);
    return less(a, b);
  }
};

}  // namespace parallel_detail

/// Sorts, not stably. `less` must be a strict total order, except that elements equal bit for bit may tie.
template <class T, class Less>
void parallel_sort(std::vector<T>& v, Less less) {
  static_assert(std::is_trivially_destructible_v<T>);  // a sort that is ended leaves any values
  constexpr std::size_t kLong = 1 << 18;               // a choice: others take milliseconds
  if (Watch* const watch = watching().watch; watch != nullptr && v.size() > kLong)
    parallel_detail::sort(v, parallel_detail::WatchedLess<Less>{less, watch});
  else
    parallel_detail::sort(v, less);
}

template <class T>
void parallel_sort(std::vector<T>& v) {
  parallel_sort(v, [](const T& a, const T& b) { return a < b; });
}

}  // namespace graze
