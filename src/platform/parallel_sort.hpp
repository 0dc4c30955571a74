// Sorting on all threads. Apart from parallel.hpp, because the header of oneTBB is slow to compile.
#pragma once
#include <algorithm>
#include <vector>

#include "platform/parallel.hpp"
#include "platform/threads.hpp"
#ifdef GRAZE_TBB
#include <tbb/parallel_sort.h>
#endif

namespace graze {

/// Sorts, not stably. `less` must be a strict total order, except that elements equal bit for bit may tie.
template <class T, class Less>
void parallel_sort(std::vector<T>& v, Less less) {
#ifdef GRAZE_TBB
  if (v.size() > 4096 && threads() > 1) {
    struct Context {
      std::vector<T>* v;
      Less* less;
    } context{&v, &less};
    parallel_detail::run_in_arena(
        [](void* p) {
          const Context& c = *static_cast<const Context*>(p);
          tbb::parallel_sort(c.v->begin(), c.v->end(), *c.less);
        },
        &context);
    return;
  }
#endif
  std::sort(v.begin(), v.end(), less);
}

template <class T>
void parallel_sort(std::vector<T>& v) {
  parallel_sort(v, [](const T& a, const T& b) { return a < b; });
}

}  // namespace graze
