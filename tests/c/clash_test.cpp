// Assemblies, tree files and clash detection by way of C: the same as C++, down to the bytes of the files; wrong arguments; defaults.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <graze/clash.hpp>
#include <graze/io.hpp>
#include <graze/tree_file.hpp>
#include <iterator>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "c/through_c.hpp"
#include "support/glb_writer.hpp"

namespace graze::clash_test {
namespace {

namespace fs = std::filesystem;
using through_c::require;

struct Free {
  void operator()(graze_assembly* p) const { graze_assembly_free(p); }
  void operator()(graze_clash_job* p) const { graze_clash_job_free(p); }
  void operator()(graze_clash_parts* p) const { graze_clash_parts_free(p); }
  void operator()(graze_clash_report* p) const { graze_clash_report_free(p); }
};
template <class T>
using Held = std::unique_ptr<T, Free>;

std::string text(graze_status status) { return std::string(graze_status_name(status)) + ": " + (status == GRAZE_OK ? "" : graze_last_error()); }

std::string node(const std::string& name, int mesh, double x) {
  return R"("name":")" + name + R"(","mesh":)" + std::to_string(mesh) + R"(,"translation":[)" + std::to_string(x) + ",0,0]";
}

class CClash : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("graze_c_clash_" + std::to_string(std::random_device{}()));
    fs::create_directories(folder_);
    test::GlbWriter w;
    const int block = w.box({0, 0, 0}, {10, 10, 10}), small = w.box({0, 0, 0}, {2, 2, 2});
    w.node(node("block", block, 0)), w.node(node("inside", small, 4)), w.node(node("across", small, 9)), w.node(node("beside", small, 10));
    w.node(node("gap", small, 12.5)), w.node(node("away", small, 90));
    std::ofstream(file("plant.glb"), std::ios::binary) << w.file();
    std::ofstream(file("job.json")) << R"({"graze_clash": 1, "unit": "mm", "models": [{"id": "plant", "path": "plant.glb"}], "groups": {"small": {"size<": 5}},
      "tests": [{"id": "t", "a": "*", "b": "small", "clearance": 0.75, "min_penetration": 0.25}],
      "exclude": [{"pair": ["plant/away", "**"], "reason": "far"}, {"same": "model", "until": "2020-01-01"}]})";
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::string content(const std::string& name) const {
    std::ifstream in(file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  Held<graze_clash_job> job() const {
    graze_clash_job* out = nullptr;
    require(graze_read_clash_job(file("job.json").c_str(), "2026-11-26", &out));
    return Held<graze_clash_job>(out);
  }
  static Held<graze_clash_parts> parts_of(const graze_clash_job* job) {
    graze_clash_parts* out = nullptr;
    require(graze_load_clash_parts(job, nullptr, nullptr, &out));
    return Held<graze_clash_parts>(out);
  }
  static Held<graze_clash_report> find(const graze_clash_job* job, const graze_clash_parts* parts, const graze_clash_options& options) {
    graze_clash_report* out = nullptr;
    require(graze_find_clashes(job, parts, &options, &out));
    return Held<graze_clash_report>(out);
  }

  fs::path folder_;
};

TEST_F(CClash, TheFilesAreThoseOfCpp) {
  const ClashJob expected_job = read_clash_job(file("job.json"), "2026-11-26");
  const ClashParts expected_parts = load_clash_parts(expected_job);
  ClashReport before, expected;
  const Held<graze_clash_job> job = this->job();
  const Held<graze_clash_parts> parts = parts_of(job.get());
  Held<graze_clash_report> report;
  for (const bool second : {false, true}) {
    before = expected;
    expected = find_clashes(expected_job, expected_parts, {.depth = true, .date = "2026-11-26", .before = second ? &before : nullptr, .progress = {}});
    graze_clash_options options = GRAZE_CLASH_OPTIONS_INIT;
    options.depth = 1;
    options.date = "2026-11-26";
    options.before = report.get();
    report = find(job.get(), parts.get(), options);
    if (second) expected.clashes[1].status = ClashStatus::approved, expected.clashes[1].note = "so";
  }
  ASSERT_GE(expected.clashes.size(), 4u);
  ASSERT_EQ(graze_set_clash_status(report.get(), 1, GRAZE_CLASH_APPROVED), GRAZE_OK);
  ASSERT_EQ(graze_set_clash_note(report.get(), 1, "so"), GRAZE_OK);
  write_clashes(expected, file("1.json")), write_clash_csv(expected, file("1.csv")), write_clash_junit(expected, file("1.xml"));
  EXPECT_EQ(write_clash_bcf(expected, expected_parts, file("1.bcf"), {.version = "3.0", .up = Axis::y, .most = 2, .snapshot = {}}),
            static_cast<std::size_t>(2));
  require(graze_write_clashes(report.get(), file("2.json").c_str()));
  require(graze_write_clash_csv(report.get(), file("2.csv").c_str()));
  require(graze_write_clash_junit(report.get(), file("2.xml").c_str()));
  graze_bcf_options bcf = GRAZE_BCF_OPTIONS_INIT;
  bcf.version = "3.0";
  bcf.up = 1;
  bcf.most = 2;
  std::size_t left_out = 0;
  require(graze_write_clash_bcf(report.get(), parts.get(), file("2.bcf").c_str(), &bcf, &left_out));
  EXPECT_EQ(left_out, static_cast<std::size_t>(2));
  for (const std::string ending : {".json", ".csv", ".xml", ".bcf"}) {
    EXPECT_FALSE(content("1" + ending).empty());
    EXPECT_EQ(content("1" + ending), content("2" + ending)) << ending;
  }
}

TEST_F(CClash, FindingsHaveAllFields) {
  const Held<graze_clash_job> job = this->job();
  const Held<graze_clash_parts> parts = parts_of(job.get());
  graze_clash_options options = GRAZE_CLASH_OPTIONS_INIT;
  options.depth = 1;
  options.date = "2026-11-26";
  const Held<graze_clash_report> report = find(job.get(), parts.get(), options);
  const ClashJob cpp_job = read_clash_job(file("job.json"), "2026-11-26");
  const ClashReport expected = find_clashes(cpp_job, load_clash_parts(cpp_job), {.depth = true, .date = "2026-11-26", .before = nullptr, .progress = {}});
  graze_clash_report_data data;
  require(graze_clash_report_get(report.get(), &data));
  ASSERT_EQ(data.finding_count, expected.clashes.size());
  std::vector<std::uint32_t> groups(data.finding_count), order(data.finding_count);
  require(graze_clash_groups(report.get(), groups.data()));
  require(graze_clash_order(report.get(), order.data()));
  EXPECT_EQ(groups, clash_groups(expected));
  for (std::size_t i = 1; i < order.size(); ++i) EXPECT_TRUE(worse(expected.clashes[order[i - 1]], expected.clashes[order[i]]));
  for (std::size_t i = 0; i < data.finding_count; ++i) {
    const graze_clash& c = data.findings[i];
    const Clash& e = expected.clashes[i];
    EXPECT_EQ(c.id, e.id);
    EXPECT_EQ(c.test, e.test);
    EXPECT_EQ(c.a, e.a);
    EXPECT_EQ(c.b, e.b);
    EXPECT_STREQ(graze_clash_verdict_name(c.verdict), name_of(e.verdict));
    EXPECT_STREQ(graze_clash_class_name(c.verdict), class_of(e.verdict));
    EXPECT_STREQ(graze_clash_status_name(c.status), name_of(e.status));
    EXPECT_EQ(c.reason, e.reason);
    EXPECT_EQ(c.distance, e.distance);
    EXPECT_EQ(c.has_depth != 0, e.depth.has_value());
    EXPECT_EQ(c.depth, e.depth.value_or(0));
    EXPECT_EQ(through_c::vector(c.point), e.point);
    EXPECT_EQ(through_c::vector(c.region.min), e.region.min);
    EXPECT_EQ(through_c::vector(c.region.max), e.region.max);
    EXPECT_EQ(c.triangle_pairs, e.triangle_pairs);
    EXPECT_EQ(c.key, e.key);
    EXPECT_EQ(c.first_run, e.first_run);
    EXPECT_EQ(c.date, e.date);
    EXPECT_EQ(c.note, e.note);
    std::int64_t at = -2;
    require(graze_clash_report_find(report.get(), c.id, &at));
    EXPECT_EQ(at, static_cast<std::int64_t>(i));
  }
  std::int64_t at = -2;
  require(graze_clash_report_find(report.get(), "none", &at));
  EXPECT_EQ(at, -1);
  EXPECT_EQ(data.unit, expected.unit);
  EXPECT_EQ(data.counts.parts, expected.counts.parts);
  EXPECT_EQ(data.counts.meshes, expected.counts.meshes);
  EXPECT_EQ(data.counts.triangles, expected.counts.triangles);
  EXPECT_EQ(data.counts.open_parts, expected.counts.open_parts);
  EXPECT_EQ(data.counts.candidates, expected.counts.candidates);
  EXPECT_EQ(data.counts.decided, expected.counts.decided);
  EXPECT_EQ(data.counts.reused, expected.counts.reused);
  EXPECT_EQ(data.counts.too_shallow, expected.counts.too_shallow);
  EXPECT_EQ(std::vector<std::string>(data.notes, data.notes + data.note_count), expected.notes);
  EXPECT_EQ(std::vector<std::string>(data.models, data.models + data.model_count), expected.models);
}

TEST_F(CClash, JobsArePassedOn) {
  const Held<graze_clash_job> read = job();
  graze_clash_job_input in;
  require(graze_clash_job_get(read.get(), &in));
  EXPECT_STREQ(in.models[0].id, "plant");
  EXPECT_EQ(in.tests[0].b.size_below, 5);
  EXPECT_STREQ(in.excluded[0].reason, "far");
  EXPECT_EQ(in.exclude_same_model, 0);
  const char* const* notes = nullptr;
  std::size_t count = 0;
  require(graze_clash_job_notes(read.get(), &notes, &count));
  ASSERT_EQ(count, 1u);
  EXPECT_NE(std::string(notes[0]).find("2020-01-01"), std::string::npos);
  graze_clash_job* again = nullptr;
  require(graze_clash_job_create(&in, &again));  // a job is the input that makes it
  const Held<graze_clash_job> made(again);
  const Held<graze_clash_parts> parts = parts_of(made.get());
  const graze_clash_options options = GRAZE_CLASH_OPTIONS_INIT;
  require(graze_write_clashes(find(made.get(), parts.get(), options).get(), file("made.json").c_str()));
  require(graze_write_clashes(find(read.get(), parts.get(), options).get(), file("read.json").c_str()));
  std::string made_file = content("made.json"), read_file = content("read.json");
  EXPECT_EQ(made_file.substr(made_file.find('\n')), read_file.substr(read_file.find('\n')));  // the head has the note
}

TEST_F(CClash, FreshDecidesAgainAndKeepsStatuses) {
  const Held<graze_clash_job> job = this->job();
  const Held<graze_clash_parts> parts = parts_of(job.get());
  graze_clash_options options = GRAZE_CLASH_OPTIONS_INIT;
  const Held<graze_clash_report> first = find(job.get(), parts.get(), options);
  require(graze_set_clash_status(first.get(), 0, GRAZE_CLASH_REVIEWED));
  options.before = first.get();
  graze_clash_report_data reused, decided, old;
  const Held<graze_clash_report> second = find(job.get(), parts.get(), options);
  options.fresh = 1;
  const Held<graze_clash_report> third = find(job.get(), parts.get(), options);
  require(graze_clash_report_get(second.get(), &reused));
  require(graze_clash_report_get(third.get(), &decided));
  require(graze_clash_report_get(first.get(), &old));
  EXPECT_GT(reused.counts.reused, 0u);
  EXPECT_EQ(decided.counts.reused, 0u);
  EXPECT_EQ(decided.findings[0].status, GRAZE_CLASH_REVIEWED);
  EXPECT_STRNE(old.findings[0].key, "");  // the caller's report is unchanged
}

TEST_F(CClash, CallsCanBeCancelled) {
  const auto stop = [](double, void*) { return 0; };
  const Held<graze_clash_job> job = this->job();
  graze_clash_parts* none = nullptr;
  EXPECT_EQ(graze_load_clash_parts(job.get(), stop, nullptr, &none), GRAZE_CANCELLED);
  EXPECT_EQ(none, nullptr);
  const Held<graze_clash_parts> parts = parts_of(job.get());
  graze_clash_options options = GRAZE_CLASH_OPTIONS_INIT;
  options.progress = stop;
  graze_clash_report* report = nullptr;
  EXPECT_EQ(graze_find_clashes(job.get(), parts.get(), &options, &report), GRAZE_CANCELLED);
  graze_assembly* assembly = nullptr;
  graze_assembly_options reading = GRAZE_ASSEMBLY_OPTIONS_INIT;
  reading.progress = stop;
  EXPECT_EQ(graze_load_assembly(file("plant.glb").c_str(), &reading, &assembly), GRAZE_CANCELLED);
  // The thread's function ends them, too.
  require(graze_set_progress(stop, nullptr));
  EXPECT_EQ(graze_load_assembly(file("plant.glb").c_str(), nullptr, &assembly), GRAZE_CANCELLED);
  require(graze_set_progress(nullptr, nullptr));
  EXPECT_EQ(report, nullptr);
  EXPECT_EQ(assembly, nullptr);
}

TEST_F(CClash, AssembliesAndTreeFiles) {
  AssemblyOptions options;
  options.scale = 0.5;
  options.pose = Pose::quarter_turn(Axis::x, 1, {0, 0, 3});
  const Assembly expected = load_assembly(file("plant.glb"), options);
  graze_assembly_options o = GRAZE_ASSEMBLY_OPTIONS_INIT;
  o.scale = options.scale;
  o.pose = through_c::plain(&options.pose);
  graze_assembly* out = nullptr;
  require(graze_load_assembly(file("plant.glb").c_str(), &o, &out));
  const Held<graze_assembly> assembly(out);
  graze_assembly_data data;
  require(graze_assembly_get(assembly.get(), &data));
  ASSERT_EQ(data.part_count, expected.parts.size());
  ASSERT_EQ(data.mesh_count, expected.meshes.size());
  for (std::size_t i = 0; i < data.part_count; ++i) {
    EXPECT_EQ(data.parts[i].path, expected.parts[i].path);
    EXPECT_EQ(data.parts[i].name, expected.parts[i].name);
    EXPECT_EQ(data.parts[i].mesh, expected.parts[i].mesh);
    EXPECT_EQ(std::memcmp(&data.parts[i].pose, &expected.parts[i].pose, sizeof(graze_pose)), 0);
  }
  EXPECT_EQ(data.format, expected.format);
  EXPECT_EQ(data.unit, expected.unit);
  EXPECT_EQ(data.up_axis, expected.up_axis);
  EXPECT_EQ(data.single_precision != 0, expected.single_precision);
  EXPECT_EQ(data.placed_triangles, expected.placed_triangles());
  save_assembly(expected, file("1.graze"));
  require(graze_save_assembly(assembly.get(), file("2.graze").c_str()));
  EXPECT_EQ(content("1.graze"), content("2.graze"));
  save_meshes(expected.meshes, file("3.graze"));
  std::vector<through_c::Handle> handles;
  std::vector<const graze_shape*> meshes;
  for (std::size_t i = 0; i < data.mesh_count; ++i) {
    graze_shape* mesh = nullptr;
    require(graze_assembly_mesh(assembly.get(), i, &mesh));
    handles.emplace_back(mesh);
    meshes.push_back(mesh);
  }
  require(graze_save_meshes(meshes.data(), meshes.size(), file("4.graze").c_str()));
  EXPECT_EQ(content("3.graze"), content("4.graze"));
  graze_shape** list = nullptr;
  std::size_t count = 0;
  require(graze_map_meshes(file("4.graze").c_str(), &list, &count));
  ASSERT_EQ(count, expected.meshes.size());
  for (std::size_t i = 0; i < count; ++i) {
    const double* vertices = nullptr;
    std::size_t n = 0;
    require(graze_mesh_vertices(list[i], &vertices, &n));
    ASSERT_EQ(n, expected.meshes[i].vertices().size());
    EXPECT_EQ(std::memcmp(vertices, expected.meshes[i].vertices().data(), n * sizeof(Vec3)), 0);
    graze_shape_release(list[i]);
  }
  graze_free(list);
  graze_shape* one = nullptr;
  EXPECT_NE(text(graze_map_mesh(file("4.graze").c_str(), &one)).find("4.graze"), std::string::npos);  // has two
  EXPECT_EQ(one, nullptr);
}

TEST_F(CClash, WrongArgumentsOfAssemblies) {
  graze_assembly* assembly = nullptr;
  graze_assembly_data data;
  EXPECT_EQ(text(graze_load_assembly(nullptr, nullptr, &assembly)), "invalid_argument: graze_load_assembly: path is null");
  EXPECT_EQ(text(graze_load_assembly("a.obj", nullptr, nullptr)), "invalid_argument: graze_load_assembly: out is null");
  EXPECT_EQ(graze_load_assembly("/nonexistent/a.glb", nullptr, &assembly), GRAZE_UNREADABLE_FILE);
  EXPECT_EQ(text(graze_read_assembly(nullptr, 3, "a.obj", nullptr, &assembly)), "invalid_argument: graze_read_assembly: bytes is null");
  EXPECT_EQ(graze_read_assembly("?", 1, "a.obj", nullptr, &assembly), GRAZE_MALFORMED_FILE);
  graze_assembly_options options = GRAZE_ASSEMBLY_OPTIONS_INIT;
  options.scale = -1;
  EXPECT_NE(text(graze_load_assembly(file("plant.glb").c_str(), &options, &assembly)).find("scale is -1"), std::string::npos);
  options.scale = 1;
  options.deflection = 2;
  EXPECT_NE(text(graze_load_assembly(file("plant.glb").c_str(), &options, &assembly)).find("deflection is 2"), std::string::npos);
  options.deflection = 0.001;
  graze_load_options load = GRAZE_LOAD_OPTIONS_INIT;
  load.deflection = 0;
  graze_shape* none_read = nullptr;
  EXPECT_NE(text(graze_load_mesh(file("plant.glb").c_str(), &load, &none_read)).find("deflection is 0"), std::string::npos);
  options.build = 9;
  EXPECT_EQ(text(graze_load_assembly("a.glb", &options, &assembly)), "invalid_argument: graze_load_assembly: options.build is 9, must be from 0 to 1");
  options.build = GRAZE_BUILD_FAST;
  graze_pose mirror = GRAZE_POSE_IDENTITY;
  mirror.rotation[0][0] = -1;
  options.pose = &mirror;
  EXPECT_EQ(text(graze_load_assembly("a.glb", &options, &assembly)).find("invalid_shape: graze_load_assembly: options.pose: "), 0u);
  options.size = 1;
  EXPECT_NE(text(graze_load_assembly("a.glb", &options, &assembly)).find("options.size is 1"), std::string::npos);
  EXPECT_EQ(text(graze_assembly_get(nullptr, &data)), "invalid_argument: graze_assembly_get: assembly is null");
  EXPECT_EQ(text(graze_save_assembly(nullptr, "x")), "invalid_argument: graze_save_assembly: assembly is null");
  EXPECT_EQ(text(graze_save_mesh(nullptr, "x")), "invalid_argument: graze_save_mesh: mesh is null");
  EXPECT_EQ(text(graze_save_meshes(nullptr, 1, "x")), "invalid_argument: graze_save_meshes: meshes is null");
  const graze_shape* const none[] = {nullptr};
  EXPECT_EQ(text(graze_save_meshes(none, 1, "x")), "invalid_argument: graze_save_meshes: meshes[0] is null");

  const Mesh mesh(load_assembly(file("plant.glb")).meshes[0]);
  const through_c::Handle handle = through_c::handle_of(mesh);
  EXPECT_EQ(graze_save_mesh(handle.get(), "/nonexistent/x.graze"), GRAZE_UNWRITABLE_FILE);
  const graze_shape* const meshes[] = {handle.get()};
  graze_assembly_part parts[2] = {{"a", nullptr, 0, GRAZE_POSE_IDENTITY}, {"a", nullptr, 0, GRAZE_POSE_IDENTITY}};
  graze_assembly_input input = GRAZE_ASSEMBLY_INPUT_INIT;
  input.meshes = meshes;
  input.mesh_count = 1;
  input.parts = parts;
  input.part_count = 2;
  const auto refused = [&] { return text(graze_assembly_create(&input, &assembly)); };
  EXPECT_EQ(refused(), "invalid_argument: graze_assembly_create: input.parts[1].path is \"a\", as that of another part");
  parts[1].path = nullptr;
  EXPECT_EQ(refused(), "invalid_argument: graze_assembly_create: input.parts[1].path is null");
  parts[1].path = "b";
  parts[1].mesh = 1;
  EXPECT_EQ(refused(), "invalid_argument: graze_assembly_create: input.parts[1].mesh is 1, but there are 1");
  parts[1].mesh = 0;
  parts[1].pose.translation[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refused().find("invalid_shape: graze_assembly_create: input.parts[1].pose: "), 0u);
  input.size = 0;
  EXPECT_NE(refused().find("input.size is 0"), std::string::npos);
  EXPECT_EQ(text(graze_assembly_create(nullptr, &assembly)), "invalid_argument: graze_assembly_create: input is null");
  EXPECT_EQ(assembly, nullptr);
}

TEST_F(CClash, WrongArgumentsOfJobs) {
  graze_clash_job* job = nullptr;
  graze_clash_model models[2] = {GRAZE_CLASH_MODEL_INIT, GRAZE_CLASH_MODEL_INIT};
  graze_clash_test test = GRAZE_CLASH_TEST_INIT;
  graze_clash_job_input input = GRAZE_CLASH_JOB_INPUT_INIT;
  const auto refused = [&] { return text(graze_clash_job_create(&input, &job)); };
  EXPECT_EQ(refused(), "invalid_argument: graze_clash_job_create: input.model_count is 0: a job needs a model");
  input.model_count = 2;
  EXPECT_EQ(refused(), "invalid_argument: graze_clash_job_create: input.models is null");
  input.models = models;
  EXPECT_EQ(refused(), "invalid_argument: graze_clash_job_create: input.models[0].id is null");
  const std::string plant = file("plant.glb");
  models[0].id = models[1].id = "m";
  EXPECT_EQ(refused(), "invalid_argument: graze_clash_job_create: input.models[0].path is null");
  models[0].path = models[1].path = plant.c_str();
  EXPECT_EQ(refused(), "invalid_argument: graze_clash_job_create: input.models[1].id is \"m\", as that of another model");
  models[1].id = "";
  EXPECT_EQ(refused(), "invalid_argument: graze_clash_job_create: input.models[1].id is empty");
  input.model_count = 1;
  input.unit = "parsec";
  EXPECT_EQ(refused(), "invalid_argument: unit \"parsec\" is not known, must be one of mm, cm, m, in, ft");
  input.unit = nullptr;
  input.up = 3;
  EXPECT_EQ(refused(), "invalid_argument: graze_clash_job_create: input.up is 3, must be from 0 to 2");
  input.up = 2;
  input.solids = -1;
  EXPECT_EQ(refused(), "invalid_argument: graze_clash_job_create: input.solids is -1, must be from 0 to 2");
  input.solids = 0;
  input.excluded_count = 1;
  EXPECT_EQ(refused(), "invalid_argument: graze_clash_job_create: input.excluded is null");
  const graze_clash_exclusion open{"a", nullptr, nullptr};
  input.excluded = &open;
  EXPECT_EQ(refused(), "invalid_argument: graze_clash_job_create: input.excluded[0].b is null");
  input.excluded_count = 0;
  models[0].deflection = 2;
  ASSERT_EQ(refused(), "ok: ");
  const Held<graze_clash_job> coarse(job);
  graze_clash_parts* none = nullptr;
  EXPECT_NE(text(graze_load_clash_parts(coarse.get(), nullptr, nullptr, &none)).find("plant.glb: deflection is 2"), std::string::npos);
  EXPECT_EQ(none, nullptr);
  models[0].deflection = 0.001;
  input.tests = &test;
  input.test_count = 1;
  test.clearance = std::numeric_limits<double>::quiet_NaN();
  ASSERT_EQ(refused(), "ok: ");
  const Held<graze_clash_job> made(job);
  const Held<graze_clash_parts> parts = parts_of(made.get());
  graze_clash_report* report = nullptr;
  EXPECT_NE(text(graze_find_clashes(made.get(), parts.get(), nullptr, &report)).find("clearance is nan"), std::string::npos);
  EXPECT_EQ(text(graze_find_clashes(nullptr, parts.get(), nullptr, &report)), "invalid_argument: graze_find_clashes: job is null");
  EXPECT_EQ(text(graze_find_clashes(made.get(), nullptr, nullptr, &report)), "invalid_argument: graze_find_clashes: parts is null");
  EXPECT_EQ(report, nullptr);
  EXPECT_EQ(text(graze_read_clash_job("a", nullptr, &job)), "invalid_argument: graze_read_clash_job: date is null");
  EXPECT_EQ(text(graze_turn_axis(0, 4, nullptr)), "invalid_argument: graze_turn_axis: to is 4, must be from 0 to 2");
  graze_shape* mesh = nullptr;
  EXPECT_EQ(text(graze_clash_parts_mesh(parts.get(), 5, &mesh, nullptr)), "invalid_argument: graze_clash_parts_mesh: index is 5, but there are 2");
}

TEST_F(CClash, WrongArgumentsOfReports) {
  const Held<graze_clash_job> job = this->job();
  const Held<graze_clash_parts> parts = parts_of(job.get());
  const Held<graze_clash_report> report = find(job.get(), parts.get(), GRAZE_CLASH_OPTIONS_INIT);
  EXPECT_EQ(text(graze_set_clash_status(report.get(), 99, GRAZE_CLASH_ACTIVE)).find("invalid_argument: graze_set_clash_status: index is 99, but there are "),
            0u);
  EXPECT_EQ(text(graze_set_clash_status(report.get(), 0, 5)), "invalid_argument: graze_set_clash_status: status is 5, must be from 0 to 4");
  EXPECT_EQ(text(graze_set_clash_note(report.get(), 0, nullptr)), "invalid_argument: graze_set_clash_note: note is null");
  EXPECT_EQ(text(graze_clash_groups(report.get(), nullptr)), "invalid_argument: graze_clash_groups: out is null");
  EXPECT_EQ(text(graze_write_clashes(nullptr, "x")), "invalid_argument: graze_write_clashes: report is null");
  EXPECT_EQ(graze_write_clashes(report.get(), "/nonexistent/clash.json"), GRAZE_UNWRITABLE_FILE);
  graze_clash_report* read = nullptr;
  EXPECT_EQ(graze_read_clashes("/nonexistent/clash.json", &read), GRAZE_UNREADABLE_FILE);
  EXPECT_EQ(graze_read_clashes(file("job.json").c_str(), &read), GRAZE_MALFORMED_FILE);
  graze_bcf_options bcf = GRAZE_BCF_OPTIONS_INIT;
  bcf.version = "1";
  EXPECT_EQ(text(graze_write_clash_bcf(report.get(), parts.get(), file("x.bcf").c_str(), &bcf, nullptr)),
            "invalid_argument: version of BCF is \"1\", must be 2.1 or 3.0");
  EXPECT_EQ(read, nullptr);
}

TEST(CClashDefaults, AreThoseOfCpp) {
  const graze_assembly_options assembly = GRAZE_ASSEMBLY_OPTIONS_INIT;
  EXPECT_EQ(assembly.scale, AssemblyOptions{}.scale);
  EXPECT_EQ(assembly.deflection, AssemblyOptions{}.deflection);
  const graze_load_options load = GRAZE_LOAD_OPTIONS_INIT;
  EXPECT_EQ(load.deflection, LoadOptions{}.deflection);
  EXPECT_EQ(static_cast<Build>(assembly.build), AssemblyOptions{}.build);
  const graze_clash_model model = GRAZE_CLASH_MODEL_INIT;
  EXPECT_EQ(model.scale, ClashModel{}.scale);
  EXPECT_EQ(model.deflection, ClashModel{}.deflection);
  const graze_part_selector selector = GRAZE_PART_SELECTOR_INIT;
  EXPECT_EQ(selector.size_from, PartSelector{}.size_from);
  EXPECT_EQ(selector.size_below, PartSelector{}.size_below);
  const graze_clash_test test = GRAZE_CLASH_TEST_INIT;
  EXPECT_EQ(test.id, ClashTest{}.id);
  EXPECT_EQ(test.clearance, ClashTest{}.clearance);
  EXPECT_EQ(test.min_penetration, ClashTest{}.min_penetration);
  EXPECT_EQ(test.touching != 0, ClashTest{}.touching);
  const graze_clash_job_input job = GRAZE_CLASH_JOB_INPUT_INIT;
  EXPECT_EQ(static_cast<Axis>(job.up), ClashJob{}.up);
  EXPECT_EQ(static_cast<ClashSolids>(job.solids), ClashJob{}.solids);
  EXPECT_EQ(job.exclude_siblings != 0, ClashJob{}.exclude_siblings);
  EXPECT_EQ(job.exclude_same_model != 0, ClashJob{}.exclude_same_model);
  const graze_clash_options options = GRAZE_CLASH_OPTIONS_INIT;
  EXPECT_EQ(options.depth != 0, ClashOptions{}.depth);
  const graze_bcf_options bcf = GRAZE_BCF_OPTIONS_INIT;
  EXPECT_EQ(bcf.most, BcfOptions{}.most);
  EXPECT_EQ(static_cast<Axis>(bcf.up), BcfOptions{}.up);
}

}  // namespace
}  // namespace graze::clash_test
