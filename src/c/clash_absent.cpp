// The C interface: what answers for clash detection in a library without it.
#ifndef GRAZE_C_CLASH
#include <graze/c/clash.h>
#include <graze/graze.h>
#include <cstddef>
#include <cstdint>

#include "c/call.hpp"

namespace graze::c {
namespace {

void refuse_clashes(const Call& call) { call.refuse("clash detection", "is not in this library: it was built with GRAZE_CLASH=OFF"); }

}  // namespace
}  // namespace graze::c

using graze::c::guarded;
using graze::c::refuse_clashes;

graze_status graze_clash_job_create(const graze_clash_job_input*, graze_clash_job**) { return guarded(__func__, refuse_clashes); }
graze_status graze_read_clash_job(const char*, const char*, graze_clash_job**) { return guarded(__func__, refuse_clashes); }
void graze_clash_job_free(graze_clash_job*) {}
graze_status graze_clash_job_get(const graze_clash_job*, graze_clash_job_input*) { return guarded(__func__, refuse_clashes); }
graze_status graze_clash_job_notes(const graze_clash_job*, const char* const**, size_t*) { return guarded(__func__, refuse_clashes); }
graze_status graze_unit_ratio(const char*, const char*, double*) { return guarded(__func__, refuse_clashes); }
graze_status graze_turn_axis(int, int, graze_pose*) { return guarded(__func__, refuse_clashes); }
graze_status graze_load_clash_parts(const graze_clash_job*, graze_progress, void*, graze_clash_parts**) { return guarded(__func__, refuse_clashes); }
void graze_clash_parts_free(graze_clash_parts*) {}
graze_status graze_clash_parts_list(const graze_clash_parts*, const graze_clash_part**, size_t*) { return guarded(__func__, refuse_clashes); }
graze_status graze_clash_parts_find(const graze_clash_parts*, const char*, int64_t*) { return guarded(__func__, refuse_clashes); }
graze_status graze_clash_parts_mesh_count(const graze_clash_parts*, size_t*) { return guarded(__func__, refuse_clashes); }
graze_status graze_clash_parts_mesh(const graze_clash_parts*, size_t, graze_shape**, const char**) { return guarded(__func__, refuse_clashes); }
graze_status graze_clash_parts_notes(const graze_clash_parts*, const char* const**, size_t*) { return guarded(__func__, refuse_clashes); }
const char* graze_clash_verdict_name(graze_clash_verdict) { return nullptr; }
const char* graze_clash_class_name(graze_clash_verdict) { return nullptr; }
const char* graze_clash_status_name(graze_clash_status) { return nullptr; }
graze_status graze_find_clashes(const graze_clash_job*, const graze_clash_parts*, const graze_clash_options*, graze_clash_report**) {
  return guarded(__func__, refuse_clashes);
}
graze_status graze_clash_report_copy(const graze_clash_report*, graze_clash_report**) { return guarded(__func__, refuse_clashes); }
void graze_clash_report_free(graze_clash_report*) {}
graze_status graze_clash_report_get(const graze_clash_report*, graze_clash_report_data*) { return guarded(__func__, refuse_clashes); }
graze_status graze_clash_report_find(const graze_clash_report*, const char*, int64_t*) { return guarded(__func__, refuse_clashes); }
graze_status graze_clash_groups(const graze_clash_report*, uint32_t*) { return guarded(__func__, refuse_clashes); }
graze_status graze_clash_order(const graze_clash_report*, uint32_t*) { return guarded(__func__, refuse_clashes); }
graze_status graze_set_clash_status(graze_clash_report*, size_t, graze_clash_status) { return guarded(__func__, refuse_clashes); }
graze_status graze_set_clash_note(graze_clash_report*, size_t, const char*) { return guarded(__func__, refuse_clashes); }
graze_status graze_write_clashes(const graze_clash_report*, const char*) { return guarded(__func__, refuse_clashes); }
graze_status graze_read_clashes(const char*, graze_clash_report**) { return guarded(__func__, refuse_clashes); }
graze_status graze_write_clash_csv(const graze_clash_report*, const char*) { return guarded(__func__, refuse_clashes); }
graze_status graze_write_clash_junit(const graze_clash_report*, const char*) { return guarded(__func__, refuse_clashes); }
graze_status graze_write_clash_bcf(const graze_clash_report*, const graze_clash_parts*, const char*, const graze_bcf_options*, size_t*) {
  return guarded(__func__, refuse_clashes);
}
graze_status graze_write_clash_plan(const graze_clash_job*, const graze_clash_parts*, const graze_clash_plan_options*, const char*, char*) {
  return guarded(__func__, refuse_clashes);
}
graze_status graze_clash_plan_open(const char*, graze_progress, void*, graze_clash_plan**) { return guarded(__func__, refuse_clashes); }
void graze_clash_plan_free(graze_clash_plan*) {}
graze_status graze_clash_plan_get(const graze_clash_plan*, graze_clash_plan_data*) { return guarded(__func__, refuse_clashes); }
graze_status graze_clash_plan_job(const graze_clash_plan*, graze_clash_job**) { return guarded(__func__, refuse_clashes); }
graze_status graze_clash_plan_parts(graze_clash_plan*, graze_clash_parts**) { return guarded(__func__, refuse_clashes); }
graze_status graze_clash_plan_share(const graze_clash_plan*, size_t, size_t, size_t**, size_t*) { return guarded(__func__, refuse_clashes); }
graze_status graze_clash_plan_state(graze_clash_plan*, size_t, graze_clash_chunk_state*, const char**) { return guarded(__func__, refuse_clashes); }
graze_status graze_clash_plan_decide(graze_clash_plan*, size_t, graze_progress, void*, size_t*) { return guarded(__func__, refuse_clashes); }
graze_status graze_clash_plan_merge(const graze_clash_plan*, const graze_clash_report*, graze_progress, void*, graze_clash_report**) {
  return guarded(__func__, refuse_clashes);
}

#endif
