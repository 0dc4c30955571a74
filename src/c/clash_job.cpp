// The C interface: jobs of clash detection, and their parts. clash_absent.cpp answers in a library without it.
#ifdef GRAZE_C_CLASH
#include <graze/graze.h>
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <string>
#include <utility>
#include <vector>

#include "c/call.hpp"
#include "c/clash_objects.hpp"
#include "c/lock.hpp"
#include "c/names.hpp"

namespace graze::c {
namespace {

static_assert(GRAZE_SOLIDS_AUTOMATIC == static_cast<int>(ClashSolids::automatic) && GRAZE_SOLIDS_REQUIRED == static_cast<int>(ClashSolids::required) &&
              GRAZE_SOLIDS_SURFACES == static_cast<int>(ClashSolids::surfaces));

PartSelector selector_of(const graze_part_selector& s) { return {text_or(s.path, "**"), text_or(s.name, "*"), s.size_from, s.size_below}; }

ClashModel model_of(const Call& call, const graze_clash_model& from, std::size_t i, const std::vector<ClashModel>& others) {
  const std::string where = element_name("input.models", i);
  ClashModel model;
  model.id = &call.required((where + ".id").c_str(), from.id);
  model.path = &call.required((where + ".path").c_str(), from.path);
  if (model.id.empty()) call.refuse(where + ".id", "is empty");
  for (const ClashModel& other : others)
    if (other.id == model.id) call.refuse(where + ".id", "is \"" + model.id + "\", as that of another model");
  model.scale = from.scale;
  model.pose = call.rotation(where + ".pose", from.pose);
  model.deflection = from.deflection;
  model.literal = from.literal != 0;
  return model;
}

ClashTest test_of(const Call& call, const graze_clash_test& from, std::size_t i) {
  ClashTest test;
  test.id = &call.required((element_name("input.tests", i) + ".id").c_str(), from.id);
  test.a = selector_of(from.a);
  test.b = selector_of(from.b);
  test.clearance = from.clearance;
  test.min_penetration = from.min_penetration;
  test.touching = from.touching != 0;
  return test;
}

ClashExclusion exclusion_of(const Call& call, const graze_clash_exclusion& from, std::size_t i) {
  const std::string where = element_name("input.excluded", i);
  return {&call.required((where + ".a").c_str(), from.a), &call.required((where + ".b").c_str(), from.b), text_or_empty(from.reason)};
}

ClashJob job_of(const Call& call, const graze_clash_job_input* given) {
  const graze_clash_job_input& in = call.input("input", given);
  ClashJob job;
  job.unit = text_or(in.unit, "mm");
  (void)unit_ratio(job.unit, job.unit);
  job.up = call.enumerator<Axis>("input.up", in.up, 3);
  job.solids = call.enumerator<ClashSolids>("input.solids", in.solids, 3);
  job.exclude_siblings = in.exclude_siblings != 0;
  job.exclude_same_model = in.exclude_same_model != 0;
  job.most_pairs = in.most_pairs;
  if (in.model_count == 0) call.refuse("input.model_count", "is 0: a job needs a model");
  (void)call.required("input.models", in.models);
  for (std::size_t i = 0; i < in.model_count; ++i) job.models.push_back(model_of(call, in.models[i], i, job.models));
  if (in.test_count != 0) (void)call.required("input.tests", in.tests);
  for (std::size_t i = 0; i < in.test_count; ++i) job.tests.push_back(test_of(call, in.tests[i], i));
  if (in.test_count == 0) job.tests.emplace_back();
  if (in.excluded_count != 0) (void)call.required("input.excluded", in.excluded);
  for (std::size_t i = 0; i < in.excluded_count; ++i) job.excluded.push_back(exclusion_of(call, in.excluded[i], i));
  return job;
}

/// A list in memory of an object.
void give_notes(const Call& call, const std::vector<const char*>& notes, const char* const** out, size_t* count) {
  call.require_list(out, count);
  *out = notes.data();
  *count = notes.size();
}

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

graze_status graze_clash_job_create(const graze_clash_job_input* input, graze_clash_job** out) {
  return guarded(__func__, [&](const Call& call) {
    ClashJob job = c::job_of(call, input);
    (void)call.required("out", out);
    *out = new graze_clash_job(std::move(job));
  });
}
graze_status graze_read_clash_job(const char* path, const char* date, graze_clash_job** out) {
  return guarded(__func__, [&](const Call& call) {
    const std::string p = &call.required("path", path), day = &call.required("date", date);
    (void)call.required("out", out);
    *out = new graze_clash_job(read_clash_job(p, day));
  });
}
void graze_clash_job_free(graze_clash_job* job) { delete job; }

graze_status graze_clash_job_get(const graze_clash_job* job, graze_clash_job_input* out) {
  return guarded(__func__, [&](const Call& call) {
    const graze_clash_job& j = call.required("job", job);
    graze_clash_job_input& to = call.required("out", out);
    to.size = sizeof(graze_clash_job_input);
    to.unit = j.value.unit.c_str();
    to.up = static_cast<std::int32_t>(j.value.up);
    to.models = j.models.data();
    to.model_count = j.models.size();
    to.tests = j.tests.data();
    to.test_count = j.tests.size();
    to.excluded = j.excluded.data();
    to.excluded_count = j.excluded.size();
    to.exclude_siblings = j.value.exclude_siblings;
    to.exclude_same_model = j.value.exclude_same_model;
    to.solids = static_cast<graze_clash_solids>(j.value.solids);
    to.most_pairs = j.value.most_pairs;
  });
}
graze_status graze_clash_job_notes(const graze_clash_job* job, const char* const** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) { c::give_notes(call, call.required("job", job).notes, out, count); });
}

graze_status graze_unit_ratio(const char* from, const char* to, double* out) {
  return guarded(__func__, [&](const Call& call) {
    const std::string f = &call.required("from", from), t = &call.required("to", to);
    call.required("out", out) = unit_ratio(f, t);
  });
}
graze_status graze_turn_axis(int from, int to, graze_pose* out) {
  return guarded(__func__, [&](const Call& call) {
    const Axis f = call.enumerator<Axis>("from", from, 3), t = call.enumerator<Axis>("to", to, 3);
    call.required("out", out) = c::to_c(turn_axis(f, t));
  });
}

// ---- parts -------------------------------------------------------------------------------------------------------------------------------

graze_status graze_load_clash_parts(const graze_clash_job* job, graze_progress progress, void* user, graze_clash_parts** out) {
  return guarded(__func__, [&](const Call& call) {
    const ClashJob& j = call.required("job", job).value;
    (void)call.required("out", out);
    *out = new graze_clash_parts(load_clash_parts(j, c::progress_of(progress, user)));
  });
}
void graze_clash_parts_free(graze_clash_parts* parts) { delete parts; }

graze_status graze_clash_parts_list(const graze_clash_parts* parts, const graze_clash_part** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) {
    const graze_clash_parts& p = call.required("parts", parts);
    call.require_list(out, count);
    *out = p.parts.data();
    *count = p.parts.size();
  });
}
graze_status graze_clash_parts_find(const graze_clash_parts* parts, const char* path, int64_t* out) {
  return guarded(__func__, [&](const Call& call) {
    const ClashParts& p = call.required("parts", parts).value;
    const ClashPart* const part = find_part(p, &call.required("path", path));
    call.required("out", out) = part ? part - p.parts.data() : -1;
  });
}
graze_status graze_clash_parts_mesh_count(const graze_clash_parts* parts, size_t* count) {
  return guarded(__func__, [&](const Call& call) { call.required("count", count) = call.required("parts", parts).value.meshes.size(); });
}
graze_status graze_clash_parts_mesh(const graze_clash_parts* parts, size_t index, graze_shape** out, const char** open_reason) {
  return guarded(__func__, [&](const Call& call) {
    const ClashParts& p = call.required("parts", parts).value;
    if (index >= p.meshes.size()) call.refuse("index", "is " + std::to_string(index) + ", but there are " + std::to_string(p.meshes.size()));
    (void)call.required("out", out);
    *out = c::make_shape(p.meshes[index]);
    if (open_reason) *open_reason = p.open_reasons[index].c_str();
  });
}
graze_status graze_clash_parts_notes(const graze_clash_parts* parts, const char* const** out, size_t* count) {
  return guarded(__func__, [&](const Call& call) { c::give_notes(call, call.required("parts", parts).notes, out, count); });
}

#endif
