// relation() of many pairs, on all cores.
#include <cstddef>
#include <exception>
#include <graze/error.hpp>
#include <graze/query/relation.hpp>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "platform/fp_environment.hpp"
#include "platform/parallel.hpp"
#include "platform/watch.hpp"

namespace graze {

void relation(std::span<const ShapeRef> a, std::span<const ShapeRef> b, std::span<Relation> out) {
  if (a.size() != b.size() || a.size() != out.size())
    throw Error(ErrorCode::invalid_argument,
                "relation: " + std::to_string(a.size()) + " and " + std::to_string(b.size()) + " shapes, room for " + std::to_string(out.size()) + " answers");
  std::mutex mutex;
  std::exception_ptr error;
  std::size_t place = a.size();             // of that error
  constexpr std::size_t kPairsAtOnce = 16;  // a choice: pairs of solids may take milliseconds
  parallel_for(a.size(), kPairsAtOnce, [&](std::size_t begin, std::size_t end) {
    const DefaultFloatEnvironment guard;
    for (std::size_t i = begin; i < end; ++i) {
      checkpoint();
      try {
        out[i] = relation(a[i], b[i]);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < place) {
          place = i;
          error = std::current_exception();
        }
      }
    }
  });
  checkpoint();  // an error of a pair that was ended is none of its own
  if (error) std::rethrow_exception(error);
}

std::vector<Relation> relation(std::span<const ShapeRef> a, std::span<const ShapeRef> b) {
  std::vector<Relation> out(a.size());
  relation(a, b, std::span<Relation>(out));
  return out;
}

}  // namespace graze
