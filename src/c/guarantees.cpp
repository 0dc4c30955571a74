// The C interface: guarantees and statistics.
#include <graze/graze.h>
#include <graze/explain.hpp>
#include <graze/guarantees.hpp>
#include <string>

#include "c/call.hpp"

namespace graze::c {
namespace {

static_assert(GRAZE_OF_CHILDREN == static_cast<int>(Guarantee::children));

bool is_guarantee(graze_guarantee_kind which) { return static_cast<int>(which) >= 0 && static_cast<int>(which) <= GRAZE_OF_CHILDREN; }

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

graze_status graze_guarantee(const char* query, graze_kind a, graze_kind b, graze_guarantee_kind* out) {
  return guarded(__func__, [&](const Call& call) {
    const std::string name = &call.required("query", query);
    const Kind x = call.enumerator<Kind>("a", a, static_cast<int>(Shapes::size)), y = call.enumerator<Kind>("b", b, static_cast<int>(Shapes::size));
    (void)call.required("out", out);
    for (std::size_t i = 0; i < kQueries; ++i)
      if (name == query_name(static_cast<Query>(i))) {
        *out = static_cast<graze_guarantee_kind>(guarantee(static_cast<Query>(i), x, y));
        return;
      }
    call.refuse("query", "is \"" + name.substr(0, 80) + "\", must be the name of a query, as graze_query_name() lists them");
  });
}
const char* graze_guarantee_name(graze_guarantee_kind which) { return c::is_guarantee(which) ? guarantee_name(static_cast<Guarantee>(which)) : nullptr; }
const char* graze_guarantee_text(graze_guarantee_kind which) { return c::is_guarantee(which) ? guarantee_text(static_cast<Guarantee>(which)) : nullptr; }
const char* graze_query_name(int query) { return query >= 0 && static_cast<std::size_t>(query) < kQueries ? query_name(static_cast<Query>(query)) : nullptr; }

graze_status graze_get_tier_counts(graze_tier_counts* out) {
  return guarded(__func__, [&](const Call& call) {
    const TierCounts counts = tier_counts();
    call.required("out", out) = {counts.filter, counts.pairs, counts.fixed, counts.big};
  });
}
void graze_reset_tier_counts(void) { reset_tier_counts(); }
graze_status graze_get_kernel_use(graze_kernel_use* out) {
  return guarded(__func__, [&](const Call& call) {
    const KernelUse use = kernel_use();
    call.required("out", out) = {use.level, use.entered, use.elsewhere};
  });
}
