// The C interface: clash detection, which parts of assemblies overlap, touch or come too near (docs/clash.md). Include <graze/graze.h>. In a library that was
// built without it every function that returns a status returns GRAZE_INVALID_ARGUMENT with a text that says so.
#ifndef GRAZE_C_CLASH_H
#define GRAZE_C_CLASH_H
#include <graze/c/assembly.h>
#include <graze/c/base.h>
#include <graze/c/handles.h>
#include <graze/c/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- the job -----------------------------------------------------------------------------------------------------------------------------

/// What is to be tested: immutable. Lengths of a job are in its unit.
typedef struct graze_clash_job graze_clash_job;

/// One of the models that a job brings together.
typedef struct graze_clash_model {
  const char* id;     ///< the first name in the paths of its parts; unique
  const char* path;   ///< a model file or a folder; graze_save_assembly() makes a file of an assembly in memory
  double scale;       ///< finite, > 0: of the model's unit to the job's, see graze_unit_ratio()
  graze_pose pose;    ///< into the job's frame, see graze_turn_axis()
  double deflection;  ///< as graze_assembly_options::deflection
  int literal;        ///< as graze_assembly_options::literal
} graze_clash_model;
#define GRAZE_CLASH_MODEL_INIT \
  { NULL, NULL, 1, GRAZE_POSE_IDENTITY, 0.001, 0 }

/// Selects parts, which have to satisfy every condition. In patterns `*` stands for any characters of a name, `**` for any characters, `?` for one.
typedef struct graze_part_selector {
  const char* path;   ///< pattern of "model/path" or "model/name"; null for all
  const char* name;   ///< pattern of the last name; null for all
  double size_from;   ///< least length of the longest side of the part's box
  double size_below;  ///< which this length is less than
} graze_part_selector;
#define GRAZE_PART_SELECTOR_INIT \
  { NULL, NULL, 0, HUGE_VAL }

/// Parts against parts.
typedef struct graze_clash_test {
  const char* id;  ///< unique
  graze_part_selector a, b;
  double clearance;        ///< length: parts nearer than this are a finding (near)
  double min_penetration;  ///< length: an overlap that a verified shorter translation ends does not count
  int touching;            ///< whether touching parts are a finding
} graze_clash_test;
#define GRAZE_CLASH_TEST_INIT \
  { "all", GRAZE_PART_SELECTOR_INIT, GRAZE_PART_SELECTOR_INIT, 0, 0, 1 }

/// A pair of parts that does not count.
typedef struct graze_clash_exclusion {
  const char *a, *b;   ///< patterns as graze_part_selector::path
  const char* reason;  ///< for reports; may be null
} graze_clash_exclusion;

typedef int32_t graze_clash_solids;
enum {
  GRAZE_SOLIDS_AUTOMATIC = 0,  ///< closed parts are solids, others surfaces
  GRAZE_SOLIDS_REQUIRED,       ///< a pair with a part that is not closed is not evaluated
  GRAZE_SOLIDS_SURFACES        ///< every part is a surface
};

/// A job as arrays of the caller's, which are copied.
typedef struct graze_clash_job_input {
  size_t size;       ///< sizeof(graze_clash_job_input)
  const char* unit;  ///< "mm", "cm", "m", "in" or "ft"; null for "mm"
  int32_t up;        ///< 0, 1 or 2: x, y or z points up in the job's frame
  const graze_clash_model* models;
  size_t model_count;
  const graze_clash_test* tests;  ///< none: all parts against all
  size_t test_count;
  const graze_clash_exclusion* excluded;
  size_t excluded_count;
  int exclude_siblings;    ///< pairs of parts with the same parent below their model do not count
  int exclude_same_model;  ///< pairs of parts of one model do not count
  graze_clash_solids solids;
  size_t most_pairs;  ///< a run with more pairs of parts near each other is refused; 0: 100 for each part, at least 250,000
} graze_clash_job_input;
#define GRAZE_CLASH_JOB_INPUT_INIT \
  { sizeof(graze_clash_job_input), NULL, 2, NULL, 0, NULL, 0, NULL, 0, 0, 0, GRAZE_SOLIDS_AUTOMATIC, 0 }

/// Makes a job. Refuses an unknown unit, no model, an empty or repeated id, and a pose that is no rotation. Files are opened by graze_load_clash_parts().
GRAZE_API graze_status graze_clash_job_create(const graze_clash_job_input* input, graze_clash_job** out);
/// Reads a job file (docs/clash.md). Paths of models are relative to its folder. `date` ("2026-11-26") is compared with the last days of exclusions; those that
/// are over do not count.
GRAZE_API graze_status graze_read_clash_job(const char* path, const char* date, graze_clash_job** out);
/// Null is allowed.
GRAZE_API void graze_clash_job_free(graze_clash_job* job);
/// The job as graze_clash_job_create() receives it, in memory of the job.
GRAZE_API graze_status graze_clash_job_get(const graze_clash_job* job, graze_clash_job_input* out);
/// For the user: exclusions that have expired, groups that no test uses. In memory of the job.
GRAZE_API graze_status graze_clash_job_notes(const graze_clash_job* job, const char* const** out, size_t* count);

/// The number by which lengths of one unit are multiplied to be lengths of another.
GRAZE_API graze_status graze_unit_ratio(const char* from, const char* to, double* out);
/// The turn that takes axis 0 (x), 1 (y) or 2 (z) to another by a quarter turn.
GRAZE_API graze_status graze_turn_axis(int from, int to, graze_pose* out);

// ---- parts -------------------------------------------------------------------------------------------------------------------------------

/// The parts of all models of a job, sorted by path: immutable.
typedef struct graze_clash_parts graze_clash_parts;

typedef struct graze_clash_part {
  const char *path, *name;  ///< with the model's id
  uint32_t model, mesh;     ///< numbers
  graze_pose pose;
  graze_box box;  ///< smallest
} graze_clash_part;

/// Loads the models of a job. `progress` may be null.
GRAZE_API graze_status graze_load_clash_parts(const graze_clash_job* job, graze_progress progress, void* user, graze_clash_parts** out);
/// Null is allowed.
GRAZE_API void graze_clash_parts_free(graze_clash_parts* parts);
/// All parts, in memory of `parts`.
GRAZE_API graze_status graze_clash_parts_list(const graze_clash_parts* parts, const graze_clash_part** out, size_t* count);
/// The number of the part with this path, or -1.
GRAZE_API graze_status graze_clash_parts_find(const graze_clash_parts* parts, const char* path, int64_t* out);
GRAZE_API graze_status graze_clash_parts_mesh_count(const graze_clash_parts* parts, size_t* count);
/// A mesh, which the caller releases, and, unless `open_reason` is null, which edge of it is open: "" where it is closed, so that its parts are solids.
GRAZE_API graze_status graze_clash_parts_mesh(const graze_clash_parts* parts, size_t index, graze_shape** out, const char** open_reason);
/// What the readers found, in memory of `parts`.
GRAZE_API graze_status graze_clash_parts_notes(const graze_clash_parts* parts, const char* const** out, size_t* count);

// ---- findings ----------------------------------------------------------------------------------------------------------------------------

/// The findings of a run. What points into it holds until a note changes.
typedef struct graze_clash_report graze_clash_report;

/// How two parts relate to each other, the worst first.
typedef int32_t graze_clash_verdict;
enum {
  GRAZE_CLASH_IDENTICAL = 0,
  GRAZE_CLASH_A_IN_B,
  GRAZE_CLASH_B_IN_A,
  GRAZE_CLASH_OVERLAPPING,
  GRAZE_CLASH_TOUCHING,
  GRAZE_CLASH_NEAR,          ///< apart by less than the test's clearance
  GRAZE_CLASH_NOT_EVALUATED  ///< one of the parts is a surface that may contain the other, or a solid is required
};
/// "identical", ..., "not-evaluated"; null for an unknown one.
GRAZE_API const char* graze_clash_verdict_name(graze_clash_verdict verdict);
/// "hard", "touching", "near" or "not-evaluated": part of a finding's identity. Null for an unknown one.
GRAZE_API const char* graze_clash_class_name(graze_clash_verdict verdict);

typedef int32_t graze_clash_status;
enum {
  GRAZE_CLASH_NEW = 0,   ///< not seen in the run before, or resolved by hand and found again
  GRAZE_CLASH_ACTIVE,    ///< seen before, and still there
  GRAZE_CLASH_REVIEWED,  ///< by hand; stays
  GRAZE_CLASH_APPROVED,  ///< by hand; stays
  GRAZE_CLASH_RESOLVED   ///< gone, or by hand
};
/// "new", ..., "resolved"; null for an unknown one.
GRAZE_API const char* graze_clash_status_name(graze_clash_status status);

/// A pair of parts that a test finds, or found before.
typedef struct graze_clash {
  const char* id;            ///< 16 hexadecimal digits: of the test, both paths and the class
  const char *test, *a, *b;  ///< paths of parts with their model, a < b
  graze_clash_verdict verdict;
  graze_clash_status status;
  const char* reason;  ///< why the pair is not evaluated, else ""
  double distance;     ///< length
  int has_depth;       ///< depth is set
  double depth;        ///< length of a translation that is verified to end the overlap
  double point[3];     ///< common to both, or the point of a nearest to b
  graze_box region;    ///< around the pairs of triangles that touch; of parts apart, around both nearest points
  uint64_t triangle_pairs;
  const char* key;     ///< 16 hexadecimal digits: of both shapes and places and of the rule; equal keys have equal results
  uint32_t first_run;  ///< the number of the run that found it first
  const char* date;    ///< of that run, else ""
  const char* note;    ///< by hand, else ""
} graze_clash;

typedef struct graze_clash_counts {
  uint64_t parts, meshes, triangles;
  uint64_t open_parts;       ///< not closed, so that they are surfaces
  uint64_t candidates;       ///< pairs whose boxes come near enough
  uint64_t decided, reused;  ///< of them: decided in this run, and taken from the run before
  uint64_t too_shallow;      ///< overlaps that do not count because of min_penetration
} graze_clash_counts;

typedef struct graze_clash_options {
  size_t size;
  int depth;                         ///< compute graze_clash::depth of every overlap
  const char* date;                  ///< to be noted with new findings; null for none
  const graze_clash_report* before;  ///< the run before: gives statuses, and results of pairs that have not changed; may be null
  int fresh;                         ///< decide every pair again; statuses are kept
  graze_progress progress;           ///< may be null
  void* progress_user;
} graze_clash_options;
#define GRAZE_CLASH_OPTIONS_INIT \
  { sizeof(graze_clash_options), 0, NULL, NULL, 0, NULL, NULL }

/// Decides all tests. Exact: no verdict depends on a tolerance. Refuses a test whose selector selects no part, and parts that were loaded from other models
/// than those of the job.
GRAZE_API graze_status graze_find_clashes(const graze_clash_job* job, const graze_clash_parts* parts, const graze_clash_options* options,
                                          graze_clash_report** out);
GRAZE_API graze_status graze_clash_report_copy(const graze_clash_report* report, graze_clash_report** out);
/// Null is allowed.
GRAZE_API void graze_clash_report_free(graze_clash_report* report);

/// What a report holds, in its memory, valid until graze_set_clash_status(), graze_set_clash_note() or graze_clash_report_free().
typedef struct graze_clash_report_data {
  const char* unit;
  uint32_t run;
  const char* date;             ///< "" for none
  const graze_clash* findings;  ///< by id
  size_t finding_count;
  graze_clash_counts counts;
  const char* const* notes;
  size_t note_count;
  const char* const* models;  ///< their ids
  size_t model_count;
} graze_clash_report_data;
GRAZE_API graze_status graze_clash_report_get(const graze_clash_report* report, graze_clash_report_data* out);
/// The number of the finding with this id, or -1.
GRAZE_API graze_status graze_clash_report_find(const graze_clash_report* report, const char* id, int64_t* out);
/// For each finding the number of its group, to `out`, which has room for all. Findings that share a part, directly or through others, are one group; group 1
/// has the most. 0: the finding is resolved.
GRAZE_API graze_status graze_clash_groups(const graze_clash_report* report, uint32_t* out);
/// The numbers of all findings in the order of reports, to `out`, which has room for all: by verdict, then the deepest, then the nearest, then by id.
GRAZE_API graze_status graze_clash_order(const graze_clash_report* report, uint32_t* out);

/// Sets the status of finding number `index`.
GRAZE_API graze_status graze_set_clash_status(graze_clash_report* report, size_t index, graze_clash_status status);
/// Sets its note; "" for none.
GRAZE_API graze_status graze_set_clash_note(graze_clash_report* report, size_t index, const char* note);

// ---- files -------------------------------------------------------------------------------------------------------------------------------

/// clash.json: a head line, then a line for each finding by id. The same report gives the same bytes.
GRAZE_API graze_status graze_write_clashes(const graze_clash_report* report, const char* path);
/// Reads it again. The error names the line.
GRAZE_API graze_status graze_read_clashes(const char* path, graze_clash_report** out);
/// A table (RFC 4180) of all findings.
GRAZE_API graze_status graze_write_clash_csv(const graze_clash_report* report, const char* path);
/// A test suite for each test, a failure for each finding that is new or active.
GRAZE_API graze_status graze_write_clash_junit(const graze_clash_report* report, const char* path);

typedef struct graze_bcf_options {
  size_t size;
  const char* version;  ///< "2.1" or "3.0"; null for "2.1"
  int32_t up;           ///< 0, 1 or 2: x, y or z points up in the job's frame. BCF's is z: coordinates are turned
  size_t most;          ///< findings, the worst first
} graze_bcf_options;
#define GRAZE_BCF_OPTIONS_INIT \
  { sizeof(graze_bcf_options), NULL, 2, 10000 }

/// A file in the BIM Collaboration Format, without pictures: a topic for each finding that is new, active or reviewed. `left_out`, unless null, receives the
/// number of findings beyond `most`.
GRAZE_API graze_status graze_write_clash_bcf(const graze_clash_report* report, const graze_clash_parts* parts, const char* path,
                                             const graze_bcf_options* options, size_t* left_out);

// ---- many programs and machines ----------------------------------------------------------------------------------------------------------

typedef struct graze_clash_plan_options {
  size_t size;
  int depth;                ///< compute graze_clash::depth of every overlap
  const char* date;         ///< to be noted with new findings; null for none
  size_t chunks;            ///< at most so many, at least 1; 0: by the work that there is
  uint64_t split_cost;      ///< a pair of parts is divided if it is estimated to cost more, unless its depth is asked for; 0: 4,000,000
  graze_progress progress;  ///< may be null
  void* progress_user;
} graze_clash_plan_options;
#define GRAZE_CLASH_PLAN_OPTIONS_INIT \
  { sizeof(graze_clash_plan_options), 0, NULL, 0, 0, NULL, NULL }

/// Writes the plan of a job into a folder, which is made if it is not there: the parts, and the pairs of parts cut into chunks of about equal work. Refuses a
/// folder that has another plan. `id`, unless null, has room for 65 characters and receives the plan's id and a zero.
GRAZE_API graze_status graze_write_clash_plan(const graze_clash_job* job, const graze_clash_parts* parts, const graze_clash_plan_options* options,
                                              const char* folder, char* id);

/// A plan that has been opened. Programs on any number of machines may work on one folder at the same time; one object does one thing at a
/// time.
typedef struct graze_clash_plan graze_clash_plan;

/// Opens a plan. `progress` may be null. The error names the file and the place where something is damaged.
GRAZE_API graze_status graze_clash_plan_open(const char* folder, graze_progress progress, void* user, graze_clash_plan** out);
/// Null is allowed.
GRAZE_API void graze_clash_plan_free(graze_clash_plan* plan);

/// What a plan holds, in its memory.
typedef struct graze_clash_plan_data {
  const char* id;             ///< 64 hexadecimal digits, of all that the results depend on
  graze_clash_counts counts;  ///< without those of a run
  const uint64_t* costs;      ///< for each chunk, estimated, in any unit
  size_t chunk_count;         ///< chunks are numbered from 0
} graze_clash_plan_data;
GRAZE_API graze_status graze_clash_plan_get(const graze_clash_plan* plan, graze_clash_plan_data* out);
/// The job, without selectors, exclusions and paths of models, which have been applied. The caller releases it.
GRAZE_API graze_status graze_clash_plan_job(const graze_clash_plan* plan, graze_clash_job** out);
/// The parts, as graze_load_clash_parts() gave them, for reports. The caller releases them.
GRAZE_API graze_status graze_clash_plan_parts(graze_clash_plan* plan, graze_clash_parts** out);
/// The chunks of share `number` of `shares`, counted from 1, those with slices of divided pairs first, then the most expensive: the order in which to decide
/// them. Freed by graze_free().
GRAZE_API graze_status graze_clash_plan_share(const graze_clash_plan* plan, size_t number, size_t shares, size_t** out, size_t* count);

/// What there is of a chunk's result.
typedef int32_t graze_clash_chunk_state;
enum {
  GRAZE_CLASH_CHUNK_MISSING = 0,
  GRAZE_CLASH_CHUNK_DONE,
  GRAZE_CLASH_CHUNK_DAMAGED  ///< damaged, or the result of another plan
};
/// Reads the result of a chunk to see whether it is whole. `damage`, unless null, receives what is wrong with a damaged one, else "", which holds until the
/// thread's next call.
GRAZE_API graze_status graze_clash_plan_state(graze_clash_plan* plan, size_t chunk, graze_clash_chunk_state* out, const char** damage);
/// Decides the pairs of a chunk, and writes the result, so that it is there either whole or not at all. A result that is there is replaced by the same bytes.
/// `progress` and `findings`, which receives their number, may be null.
GRAZE_API graze_status graze_clash_plan_decide(graze_clash_plan* plan, size_t chunk, graze_progress progress, void* user, size_t* findings);
/// The report of graze_find_clashes() for the job, bit for bit, with statuses of the run `before`, which may be null. Refuses a plan with chunks that are not
/// decided, or whose results are damaged. `progress` may be null.
GRAZE_API graze_status graze_clash_plan_merge(const graze_clash_plan* plan, const graze_clash_report* before, graze_progress progress, void* user,
                                              graze_clash_report** out);

#ifdef __cplusplus
}
#endif

#endif
