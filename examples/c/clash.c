/* Clash detection from C: an assembly of boxes made here, kept as a tree file, its clashes, a decision by hand, and a second run. Prints the same bytes on
   every machine. Works in the current folder: CLASH_EXAMPLE.graze and CLASH_EXAMPLE.json, which it removes. */
#include <graze/graze.h>
#include <stdio.h>
#include <stdlib.h>

static const char kModel[] = "CLASH_EXAMPLE.graze", kResults[] = "CLASH_EXAMPLE.json";

/* Ends the program when a call fails. */
static void check(graze_status status) {
  if (status == GRAZE_OK) return;
  fprintf(stderr, "%s: %s\n", graze_status_name(status), graze_last_error());
  exit(1);
}

static graze_shape* cube(double side) {
  static const int32_t faces[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
  double corners[24] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
  graze_mesh_input input = GRAZE_MESH_INPUT_INIT;
  graze_shape* mesh = NULL;
  int i;
  for (i = 0; i < 24; ++i) corners[i] *= side;
  input.vertices = corners;
  input.vertex_count = 8;
  input.triangles = faces;
  input.triangle_count = 12;
  input.index_type = GRAZE_INT32;
  check(graze_mesh_create(&input, &mesh));
  return mesh;
}

/* Parts that share two meshes: a rack, and boxes in and beside it. */
static void save_model(void) {
  static const char* const names[4] = {"rack", "box 1", "box 2", "box 3"};
  static const double places[4] = {0, 30, 95, 120};
  const graze_pose identity = GRAZE_POSE_IDENTITY;
  graze_shape* meshes[2];
  graze_assembly_part parts[4];
  graze_assembly_input input = GRAZE_ASSEMBLY_INPUT_INIT;
  graze_assembly* assembly = NULL;
  int i;
  meshes[0] = cube(100);
  meshes[1] = cube(20);
  for (i = 0; i < 4; ++i) {
    parts[i].path = names[i];
    parts[i].name = NULL; /* as the path */
    parts[i].mesh = i != 0;
    parts[i].pose = identity;
    parts[i].pose.translation[0] = places[i];
  }
  input.meshes = (const graze_shape* const*)meshes;
  input.mesh_count = 2;
  input.parts = parts;
  input.part_count = 4;
  check(graze_assembly_create(&input, &assembly));
  check(graze_save_assembly(assembly, kModel));
  graze_assembly_free(assembly);
  graze_shape_release(meshes[1]);
  graze_shape_release(meshes[0]);
}

static void show(const graze_clash_report* report) {
  graze_clash_report_data data;
  size_t i;
  check(graze_clash_report_get(report, &data));
  printf("run %u: %u parts, %u pairs of them decided, %u taken over\n", (unsigned)data.run, (unsigned)data.counts.parts, (unsigned)data.counts.decided,
         (unsigned)data.counts.reused);
  for (i = 0; i < data.finding_count; ++i) {
    const graze_clash* f = &data.findings[i];
    printf("  %s: %s, %s | %s, %g %s apart, %s%s\n", f->id, graze_clash_verdict_name(f->verdict), f->a, f->b, f->distance, data.unit,
           graze_clash_status_name(f->status), f->note);
  }
}

int main(void) {
  graze_clash_model model = GRAZE_CLASH_MODEL_INIT;
  graze_clash_test test = GRAZE_CLASH_TEST_INIT; /* all parts against all */
  graze_clash_job_input input = GRAZE_CLASH_JOB_INPUT_INIT;
  graze_clash_options options = GRAZE_CLASH_OPTIONS_INIT;
  graze_clash_job* job = NULL;
  graze_clash_parts* parts = NULL;
  graze_clash_report *report = NULL, *before = NULL;

  save_model();
  model.id = "plant";
  model.path = kModel;
  test.clearance = 25;
  input.models = &model;
  input.model_count = 1;
  input.tests = &test;
  input.test_count = 1;
  check(graze_clash_job_create(&input, &job));
  check(graze_load_clash_parts(job, NULL, NULL, &parts));
  check(graze_find_clashes(job, parts, NULL, &report));
  show(report);

  /* A finding that is accepted stays so in later runs, which know it by its id. */
  check(graze_set_clash_status(report, 0, GRAZE_CLASH_APPROVED));
  check(graze_set_clash_note(report, 0, " (as designed)"));
  check(graze_write_clashes(report, kResults));
  graze_clash_report_free(report);

  check(graze_read_clashes(kResults, &before));
  options.before = before;
  check(graze_find_clashes(job, parts, &options, &report));
  show(report);

  graze_clash_report_free(report);
  graze_clash_report_free(before);
  graze_clash_parts_free(parts);
  graze_clash_job_free(job);
  return remove(kModel) == 0 && remove(kResults) == 0 ? 0 : 1;
}
