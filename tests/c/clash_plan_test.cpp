// Plans of clash detection by way of C: the same files and reports as C++, damaged results, wrong arguments, defaults.
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <graze/clash_plan.hpp>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "c/through_c.hpp"
#include "support/glb_writer.hpp"

namespace graze::clash_plan_test {
namespace {

namespace fs = std::filesystem;
using through_c::require;

struct FreeAny {
  void operator()(graze_clash_job* p) const { graze_clash_job_free(p); }
  void operator()(graze_clash_parts* p) const { graze_clash_parts_free(p); }
  void operator()(graze_clash_report* p) const { graze_clash_report_free(p); }
  void operator()(graze_clash_plan* p) const { graze_clash_plan_free(p); }
};
template <class T>
using Owned = std::unique_ptr<T, FreeAny>;

std::string said(graze_status status) { return std::string(graze_status_name(status)) + ": " + (status == GRAZE_OK ? "" : graze_last_error()); }

class CClashPlan : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("graze_c_clash_plan_" + std::to_string(std::random_device{}()));
    fs::create_directories(folder_);
    test::GlbWriter w;
    const int box = w.box({0, 0, 0}, {2, 2, 2});
    for (int i = 0; i < 40; ++i)
      w.node(R"("name":"box )" + std::to_string(i) + R"(","mesh":)" + std::to_string(box) + R"(,"translation":[)" + std::to_string(1.5 * i) + ",0,0]");
    std::ofstream(file("row.glb"), std::ios::binary) << w.file();
    std::ofstream(file("job.json")) << R"({"graze_clash": 1, "models": [{"path": "row.glb"}], "exclude": [{"pair": ["row/none", "**"]}]})";
    graze_clash_job* job = nullptr;
    require(graze_read_clash_job(file("job.json").c_str(), "2026-11-26", &job));
    job_.reset(job);
    graze_clash_parts* parts = nullptr;
    require(graze_load_clash_parts(job, nullptr, nullptr, &parts));
    parts_.reset(parts);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::string content(const std::string& name) const {
    std::ifstream in(file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string write_plan(const std::string& name) const {
    graze_clash_plan_options options = GRAZE_CLASH_PLAN_OPTIONS_INIT;
    options.depth = 1;
    options.date = "2026-11-26";
    options.chunks = 5;
    char id[65];
    require(graze_write_clash_plan(job_.get(), parts_.get(), &options, file(name).c_str(), id));
    return id;
  }
  Owned<graze_clash_plan> opened(const std::string& name) const {
    graze_clash_plan* out = nullptr;
    require(graze_clash_plan_open(file(name).c_str(), nullptr, nullptr, &out));
    return Owned<graze_clash_plan>(out);
  }

  fs::path folder_;
  Owned<graze_clash_job> job_;
  Owned<graze_clash_parts> parts_;
};

TEST_F(CClashPlan, FilesAndReportsAreThoseOfCpp) {
  const ClashJob job = read_clash_job(file("job.json"), "2026-11-26");
  const ClashParts parts = load_clash_parts(job);
  ClashPlanOptions options;
  options.depth = true;
  options.date = "2026-11-26";
  options.chunks = 5;
  const std::string id = write_clash_plan(job, parts, options, file("cpp"));
  EXPECT_EQ(write_plan("c"), id);
  for (const char* name : {"plan.json", "parts.graze", "boxes.bin", "pairs.bin"})
    EXPECT_EQ(content(std::string("c/") + name), content(std::string("cpp/") + name)) << name;

  const Owned<graze_clash_plan> plan = opened("c");
  const ClashPlan expected(file("cpp"));
  graze_clash_plan_data data;
  require(graze_clash_plan_get(plan.get(), &data));
  EXPECT_EQ(data.id, id);
  ASSERT_EQ(data.chunk_count, expected.chunks());
  ASSERT_EQ(data.chunk_count, 5u);
  EXPECT_EQ(data.counts.parts, 40u);
  EXPECT_EQ(data.counts.candidates, expected.counts().candidates);
  std::size_t findings = 0;
  for (std::size_t number = 1; number <= 2; ++number) {
    std::size_t *chunks = nullptr, count = 0;
    require(graze_clash_plan_share(plan.get(), number, 2, &chunks, &count));
    const std::vector<std::size_t> list(chunks, chunks + count);
    graze_free(chunks);
    EXPECT_EQ(list, expected.share(number, 2));
    for (const std::size_t chunk : list) {
      EXPECT_EQ(data.costs[chunk], expected.cost(chunk));
      std::size_t found = 0;
      require(graze_clash_plan_decide(plan.get(), chunk, nullptr, nullptr, &found));
      findings += found;
    }
  }
  ClashReport before = find_clashes(job, parts, {.depth = true, .date = "2026-11-25", .before = nullptr, .progress = {}});
  EXPECT_EQ(findings, before.clashes.size());
  before.clashes[3].status = ClashStatus::approved;
  write_clashes(before, file("before.json"));
  graze_clash_report *read = nullptr, *merged = nullptr;
  require(graze_read_clashes(file("before.json").c_str(), &read));
  const Owned<graze_clash_report> held(read);
  require(graze_clash_plan_merge(plan.get(), read, nullptr, nullptr, &merged));
  const Owned<graze_clash_report> report(merged);
  require(graze_write_clashes(merged, file("1.json").c_str()));
  for (Clash& c : before.clashes) c.key.clear();  // a merged plan takes over nothing but statuses
  write_clashes(find_clashes(job, parts, {.depth = true, .date = "2026-11-26", .before = &before, .progress = {}}), file("2.json"));
  EXPECT_FALSE(content("1.json").empty());
  EXPECT_EQ(content("1.json"), content("2.json"));
}

TEST_F(CClashPlan, StatesOfChunks) {
  write_plan("p");
  const Owned<graze_clash_plan> plan = opened("p");
  graze_clash_chunk_state state = -1;
  const char* damage = nullptr;
  const auto state_of_first = [&] {
    require(graze_clash_plan_state(plan.get(), 0, &state, &damage));
    return state;
  };
  EXPECT_EQ(state_of_first(), GRAZE_CLASH_CHUNK_MISSING);
  graze_clash_report* report = nullptr;
  EXPECT_NE(said(graze_clash_plan_merge(plan.get(), nullptr, nullptr, nullptr, &report)).find("5 of 5 chunks are not decided"), std::string::npos);
  EXPECT_EQ(report, nullptr);
  require(graze_clash_plan_decide(plan.get(), 0, nullptr, nullptr, nullptr));
  EXPECT_EQ(state_of_first(), GRAZE_CLASH_CHUNK_DONE);
  EXPECT_STREQ(damage, "");
  std::ofstream(file("p/results/000000.jsonl"), std::ios::app) << "{}\n";
  EXPECT_EQ(state_of_first(), GRAZE_CLASH_CHUNK_DAMAGED);
  EXPECT_NE(std::string(damage).find("000000.jsonl: line 1: sha256"), std::string::npos) << damage;
  require(graze_clash_plan_decide(plan.get(), 0, nullptr, nullptr, nullptr));
  EXPECT_EQ(state_of_first(), GRAZE_CLASH_CHUNK_DONE);
}

TEST_F(CClashPlan, WrongArguments) {
  EXPECT_EQ(said(graze_write_clash_plan(nullptr, parts_.get(), nullptr, "p", nullptr)), "invalid_argument: graze_write_clash_plan: job is null");
  EXPECT_EQ(said(graze_write_clash_plan(job_.get(), nullptr, nullptr, "p", nullptr)), "invalid_argument: graze_write_clash_plan: parts is null");
  EXPECT_EQ(said(graze_write_clash_plan(job_.get(), parts_.get(), nullptr, nullptr, nullptr)), "invalid_argument: graze_write_clash_plan: folder is null");
  graze_clash_plan_options options = GRAZE_CLASH_PLAN_OPTIONS_INIT;
  options.date = "today";
  EXPECT_NE(said(graze_write_clash_plan(job_.get(), parts_.get(), &options, file("p").c_str(), nullptr)).find("date: is \"today\""), std::string::npos);
  options.size = 3;
  EXPECT_NE(said(graze_write_clash_plan(job_.get(), parts_.get(), &options, file("p").c_str(), nullptr)).find("options.size is 3"), std::string::npos);
  graze_clash_plan* none = nullptr;
  EXPECT_EQ(said(graze_clash_plan_open(nullptr, nullptr, nullptr, &none)), "invalid_argument: graze_clash_plan_open: folder is null");
  EXPECT_EQ(graze_clash_plan_open(file("p").c_str(), nullptr, nullptr, &none), GRAZE_UNREADABLE_FILE);
  EXPECT_EQ(none, nullptr);
  write_plan("p");
  const Owned<graze_clash_plan> plan = opened("p");
  graze_clash_chunk_state state = 0;
  EXPECT_EQ(said(graze_clash_plan_state(plan.get(), 5, &state, nullptr)), "invalid_argument: graze_clash_plan_state: chunk is 5, but there are 5");
  EXPECT_EQ(said(graze_clash_plan_state(plan.get(), 0, nullptr, nullptr)), "invalid_argument: graze_clash_plan_state: out is null");
  EXPECT_EQ(said(graze_clash_plan_decide(plan.get(), 9, nullptr, nullptr, nullptr)), "invalid_argument: graze_clash_plan_decide: chunk is 9, but there are 5");
  std::size_t *chunks = nullptr, count = 0;
  EXPECT_NE(said(graze_clash_plan_share(plan.get(), 3, 2, &chunks, &count)).find("the share is 3 of 2"), std::string::npos);
  EXPECT_EQ(said(graze_clash_plan_share(plan.get(), 1, 1, nullptr, &count)), "invalid_argument: graze_clash_plan_share: out is null");
  EXPECT_EQ(said(graze_clash_plan_get(nullptr, nullptr)), "invalid_argument: graze_clash_plan_get: plan is null");
  EXPECT_EQ(said(graze_clash_plan_job(plan.get(), nullptr)), "invalid_argument: graze_clash_plan_job: out is null");
  EXPECT_EQ(said(graze_clash_plan_parts(nullptr, nullptr)), "invalid_argument: graze_clash_plan_parts: plan is null");
  EXPECT_EQ(said(graze_clash_plan_merge(plan.get(), nullptr, nullptr, nullptr, nullptr)), "invalid_argument: graze_clash_plan_merge: out is null");
  const auto stop = [](double, void*) { return 0; };
  EXPECT_EQ(graze_clash_plan_decide(plan.get(), 0, stop, nullptr, nullptr), GRAZE_CANCELLED);
  require(graze_clash_plan_state(plan.get(), 0, &state, nullptr));
  EXPECT_EQ(state, GRAZE_CLASH_CHUNK_MISSING);
}

TEST(CClashPlanDefaults, AreThoseOfCpp) {
  const graze_clash_plan_options options = GRAZE_CLASH_PLAN_OPTIONS_INIT;
  EXPECT_EQ(options.depth != 0, ClashPlanOptions{}.depth);
  EXPECT_EQ(options.chunks, ClashPlanOptions{}.chunks);
}

}  // namespace
}  // namespace graze::clash_plan_test
