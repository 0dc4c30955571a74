// The C interface: plans, clash detection by many programs and machines. clash_absent.cpp answers in a library without it.
#ifdef GRAZE_C_CLASH
#include <graze/graze.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <graze/clash_plan.hpp>
#include <optional>
#include <string>
#include <vector>

#include "c/call.hpp"
#include "c/clash_objects.hpp"
#include "c/lock.hpp"
#include "c/names.hpp"

struct graze_clash_plan {
  mutable graze::c::Lock lock;
  graze::ClashPlan value;
  std::vector<std::uint64_t> costs;

  graze_clash_plan(const std::string& folder, const graze::Progress& progress) : value(folder, progress) {
    costs.reserve(value.chunks());
    for (std::size_t i = 0; i < value.chunks(); ++i) costs.push_back(value.cost(i));
  }
};

namespace graze::c {
namespace {

static_assert(GRAZE_CLASH_CHUNK_MISSING == static_cast<int>(ClashChunkState::missing) && GRAZE_CLASH_CHUNK_DONE == static_cast<int>(ClashChunkState::done) &&
              GRAZE_CLASH_CHUNK_DAMAGED == static_cast<int>(ClashChunkState::damaged));

Changing<ClashPlan> plan_of(const Call& call, graze_clash_plan* plan) {
  graze_clash_plan& p = call.required("plan", plan);
  return {call, "plan", p.lock, p.value};
}
Reading<ClashPlan> plan_of(const Call& call, const graze_clash_plan* plan) {
  const graze_clash_plan& p = call.required("plan", plan);
  return {call, "plan", p.lock, p.value};
}
/// The plan, which has this chunk.
Changing<ClashPlan> plan_with(const Call& call, graze_clash_plan* plan, std::size_t chunk) {
  const std::size_t n = call.required("plan", plan).costs.size();
  if (chunk >= n) call.refuse("chunk", "is " + std::to_string(chunk) + ", but there are " + std::to_string(n));
  return plan_of(call, plan);
}

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

graze_status graze_write_clash_plan(const graze_clash_job* job, const graze_clash_parts* parts, const graze_clash_plan_options* options, const char* folder,
                                    char* id) {
  return guarded(__func__, [&](const Call& call) {
    const ClashJob& j = call.required("job", job).value;
    const ClashParts& p = call.required("parts", parts).value;
    const graze_clash_plan_options o = call.options("options", options, graze_clash_plan_options GRAZE_CLASH_PLAN_OPTIONS_INIT);
    const std::string into = &call.required("folder", folder);
    ClashPlanOptions to;
    to.depth = o.depth != 0;
    to.date = c::text_or_empty(o.date);
    to.chunks = o.chunks;
    to.split_cost = o.split_cost;
    to.progress = c::progress_of(o.progress, o.progress_user);
    const std::string made = write_clash_plan(j, p, to, into);
    if (id) *std::copy(made.begin(), made.end(), id) = '\0';
  });
}
graze_status graze_clash_plan_open(const char* folder, graze_progress progress, void* user, graze_clash_plan** out) {
  return guarded(__func__, [&](const Call& call) {
    const std::string from = &call.required("folder", folder);
    (void)call.required("out", out);
    *out = new graze_clash_plan(from, c::progress_of(progress, user));
  });
}
void graze_clash_plan_free(graze_clash_plan* plan) { delete plan; }

graze_status graze_clash_plan_get(const graze_clash_plan* plan, graze_clash_plan_data* out) {
  return guarded(__func__, [&](const Call& call) {
    const graze_clash_plan& p = call.required("plan", plan);
    graze_clash_plan_data& to = call.required("out", out);
    to.id = p.value.id().c_str();
    to.counts = c::counts_of(p.value.counts());
    to.costs = p.costs.data();
    to.chunk_count = p.costs.size();
  });
}
graze_status graze_clash_plan_job(const graze_clash_plan* plan, graze_clash_job** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = c::plan_of(call, plan);
    (void)call.required("out", out);
    *out = new graze_clash_job(p->job());
  });
}
graze_status graze_clash_plan_parts(graze_clash_plan* plan, graze_clash_parts** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = c::plan_of(call, plan);
    (void)call.required("out", out);
    *out = new graze_clash_parts(p->parts());
  });
}
graze_status graze_clash_plan_share(const graze_clash_plan* plan, size_t number, size_t shares, size_t** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = c::plan_of(call, plan);
    call.require_list(out, count);
    c::give(out, count, p->share(number, shares));
  });
}

graze_status graze_clash_plan_state(graze_clash_plan* plan, size_t chunk, graze_clash_chunk_state* out, const char** damage) {
  return guarded(__func__, [&](const Call& call) {
    thread_local std::string found;
    const auto p = c::plan_with(call, plan, chunk);
    graze_clash_chunk_state& to = call.required("out", out);
    found.clear();
    to = static_cast<graze_clash_chunk_state>(p->state(chunk, &found));
    if (damage) *damage = found.c_str();
  });
}
graze_status graze_clash_plan_decide(graze_clash_plan* plan, size_t chunk, graze_progress progress, void* user, size_t* findings) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = c::plan_with(call, plan, chunk);
    const std::size_t found = p->decide(chunk, c::progress_of(progress, user));
    if (findings) *findings = found;
  });
}
graze_status graze_clash_plan_merge(const graze_clash_plan* plan, const graze_clash_report* before, graze_progress progress, void* user,
                                    graze_clash_report** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto p = c::plan_of(call, plan);
    (void)call.required("out", out);
    std::optional<c::Reading<ClashReport>> earlier;
    if (before) earlier.emplace(call, "before", before->lock, before->value);
    *out = new graze_clash_report(p->merge(before ? &before->value : nullptr, c::progress_of(progress, user)));
  });
}

#endif
