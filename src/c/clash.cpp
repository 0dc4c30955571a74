// The C interface: clash detection, its findings and its files. clash_absent.cpp answers in a library without it.
#ifdef GRAZE_C_CLASH
#include <graze/graze.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <graze/clash.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "c/call.hpp"
#include "c/clash_objects.hpp"
#include "c/lock.hpp"
#include "c/names.hpp"

namespace graze::c {
namespace {

static_assert(GRAZE_CLASH_IDENTICAL == static_cast<int>(Verdict::identical) && GRAZE_CLASH_A_IN_B == static_cast<int>(Verdict::a_in_b) &&
              GRAZE_CLASH_B_IN_A == static_cast<int>(Verdict::b_in_a) && GRAZE_CLASH_OVERLAPPING == static_cast<int>(Verdict::overlapping) &&
              GRAZE_CLASH_TOUCHING == static_cast<int>(Verdict::touching) && GRAZE_CLASH_NEAR == static_cast<int>(Verdict::near) &&
              GRAZE_CLASH_NOT_EVALUATED == static_cast<int>(Verdict::not_evaluated));
static_assert(GRAZE_CLASH_NEW == static_cast<int>(ClashStatus::fresh) && GRAZE_CLASH_ACTIVE == static_cast<int>(ClashStatus::active) &&
              GRAZE_CLASH_REVIEWED == static_cast<int>(ClashStatus::reviewed) && GRAZE_CLASH_APPROVED == static_cast<int>(ClashStatus::approved) &&
              GRAZE_CLASH_RESOLVED == static_cast<int>(ClashStatus::resolved));
constexpr int kVerdicts = GRAZE_CLASH_NOT_EVALUATED + 1, kStatuses = GRAZE_CLASH_RESOLVED + 1;

Reading<ClashReport> report_of(const Call& call, const graze_clash_report* report) {
  const graze_clash_report& r = call.required("report", report);
  return {call, "report", r.lock, r.value};
}
/// The report, which has this finding, to be changed.
Changing<graze_clash_report> report_with(const Call& call, graze_clash_report* report, std::size_t index) {
  graze_clash_report& r = call.required("report", report);
  const std::size_t n = r.value.clashes.size();
  if (index >= n) call.refuse("index", "is " + std::to_string(index) + ", but there are " + std::to_string(n));
  return {call, "report", r.lock, r};
}

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

const char* graze_clash_verdict_name(graze_clash_verdict verdict) {
  return verdict >= 0 && verdict < c::kVerdicts ? name_of(static_cast<Verdict>(verdict)) : nullptr;
}
const char* graze_clash_class_name(graze_clash_verdict verdict) {
  return verdict >= 0 && verdict < c::kVerdicts ? class_of(static_cast<Verdict>(verdict)) : nullptr;
}
const char* graze_clash_status_name(graze_clash_status status) {
  return status >= 0 && status < c::kStatuses ? name_of(static_cast<ClashStatus>(status)) : nullptr;
}

graze_status graze_find_clashes(const graze_clash_job* job, const graze_clash_parts* parts, const graze_clash_options* options, graze_clash_report** out) {
  return guarded(__func__, [&](const Call& call) {
    const ClashJob& j = call.required("job", job).value;
    const ClashParts& p = call.required("parts", parts).value;
    const graze_clash_options o = call.options("options", options, graze_clash_options GRAZE_CLASH_OPTIONS_INIT);
    (void)call.required("out", out);
    ClashOptions to;
    to.depth = o.depth != 0;
    to.date = c::text_or_empty(o.date);
    std::optional<c::Reading<ClashReport>> before;
    std::optional<ClashReport> without_keys;
    if (o.before) {
      before.emplace(call, "options.before", o.before->lock, o.before->value);
      to.before = &o.before->value;
      if (o.fresh != 0) {  // a result is taken over where its key is the same
        to.before = &without_keys.emplace(o.before->value);
        for (Clash& clash : without_keys->clashes) clash.key.clear();
      }
    }
    to.progress = c::progress_of(o.progress, o.progress_user);
    *out = new graze_clash_report(find_clashes(j, p, to));
  });
}
graze_status graze_clash_report_copy(const graze_clash_report* report, graze_clash_report** out) {
  return guarded(__func__, [&](const Call& call) {
    const auto r = c::report_of(call, report);
    (void)call.required("out", out);
    *out = new graze_clash_report(*r);
  });
}
void graze_clash_report_free(graze_clash_report* report) { delete report; }

graze_status graze_clash_report_get(const graze_clash_report* report, graze_clash_report_data* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto r = c::report_of(call, report);
    graze_clash_report_data& to = call.required("out", out);
    to.unit = r->unit.c_str();
    to.run = r->run;
    to.date = r->date.c_str();
    to.findings = report->findings.data();
    to.finding_count = report->findings.size();
    to.counts = c::counts_of(r->counts);
    to.notes = report->notes.data();
    to.note_count = report->notes.size();
    to.models = report->models.data();
    to.model_count = report->models.size();
  });
}
graze_status graze_clash_report_find(const graze_clash_report* report, const char* id, int64_t* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto r = c::report_of(call, report);
    const std::vector<Clash>& list = r->clashes;
    const std::string wanted = &call.required("id", id);
    const auto at = std::lower_bound(list.begin(), list.end(), wanted, [](const Clash& clash, const std::string& x) { return clash.id < x; });
    call.required("out", out) = at != list.end() && at->id == wanted ? at - list.begin() : -1;
  });
}
graze_status graze_clash_groups(const graze_clash_report* report, uint32_t* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto r = c::report_of(call, report);
    const auto room = call.room("out", out, r->clashes.size());
    const std::vector<std::uint32_t> groups = clash_groups(*r);
    std::copy(groups.begin(), groups.end(), room.begin());
  });
}
graze_status graze_clash_order(const graze_clash_report* report, uint32_t* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto r = c::report_of(call, report);
    const auto room = call.room("out", out, r->clashes.size());
    std::iota(room.begin(), room.end(), std::uint32_t{0});
    std::sort(room.begin(), room.end(), [&](std::uint32_t x, std::uint32_t y) { return worse(r->clashes[x], r->clashes[y]); });
  });
}

graze_status graze_set_clash_status(graze_clash_report* report, size_t index, graze_clash_status status) {
  return guarded(__func__, [&](const Call& call) {
    const auto r = c::report_with(call, report, index);
    r->value.clashes[index].status = call.enumerator<ClashStatus>("status", status, c::kStatuses);
    r->findings[index].status = status;
  });
}
graze_status graze_set_clash_note(graze_clash_report* report, size_t index, const char* note) {
  return guarded(__func__, [&](const Call& call) {
    const auto r = c::report_with(call, report, index);
    std::string text = &call.required("note", note);
    r->value.clashes[index].note = std::move(text);
    r->findings[index] = graze_clash_report::view_of(r->value.clashes[index]);
  });
}

// ---- files -------------------------------------------------------------------------------------------------------------------------------

graze_status graze_write_clashes(const graze_clash_report* report, const char* path) {
  return guarded(__func__, [&](const Call& call) { write_clashes(*c::report_of(call, report), &call.required("path", path)); });
}
graze_status graze_read_clashes(const char* path, graze_clash_report** out) {
  return guarded(__func__, [&](const Call& call) {
    const std::string p = &call.required("path", path);
    (void)call.required("out", out);
    *out = new graze_clash_report(read_clashes(p));
  });
}
graze_status graze_write_clash_csv(const graze_clash_report* report, const char* path) {
  return guarded(__func__, [&](const Call& call) { write_clash_csv(*c::report_of(call, report), &call.required("path", path)); });
}
graze_status graze_write_clash_junit(const graze_clash_report* report, const char* path) {
  return guarded(__func__, [&](const Call& call) { write_clash_junit(*c::report_of(call, report), &call.required("path", path)); });
}
graze_status graze_write_clash_bcf(const graze_clash_report* report, const graze_clash_parts* parts, const char* path, const graze_bcf_options* options,
                                   size_t* left_out) {
  return guarded(__func__, [&](const Call& call) {
    const auto r = c::report_of(call, report);
    const ClashParts& p = call.required("parts", parts).value;
    const std::string file = &call.required("path", path);
    const graze_bcf_options o = call.options("options", options, graze_bcf_options GRAZE_BCF_OPTIONS_INIT);
    BcfOptions to;
    to.version = c::text_or(o.version, "2.1");
    to.up = call.enumerator<Axis>("options.up", o.up, 3);
    to.most = o.most;
    const std::size_t beyond = write_clash_bcf(*r, p, file, to);
    if (left_out) *left_out = beyond;
  });
}

#endif
