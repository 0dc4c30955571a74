// Plans: the merged report is that of a run, whatever happened to the chunks; what is damaged or foreign is refused, with its place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <graze/clash_plan.hpp>
#include <graze/error.hpp>
#include <graze/threads.hpp>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "clash/job/plan_files.hpp"
#include "support/glb_writer.hpp"
#include "support/random.hpp"

namespace graze {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void flip(const fs::path& path, std::size_t at) {
  std::string bytes = content(path);
  bytes.at(at) = static_cast<char>(bytes.at(at) ^ 4);
  std::ofstream(path, std::ios::binary) << bytes;
}

class ClashPlans : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("graze_plan_" + std::to_string(std::random_device{}()));
    fs::create_directories(folder_);
    plan_ = (folder_ / "plan").string();
    job_ = job_with(40);
    parts_ = load_clash_parts(job_);
  }
  void TearDown() override {
    fs::remove_all(folder_);
    set_threads(0);
  }

  /// Turned boxes that overlap, touch, contain each other, and come near; an open sheet around some.
  ClashJob job_with(int boxes) {
    test::GlbWriter w;
    const int big = w.box({0, 0, 0}, {10, 10, 10}), small = w.box({1, 1, 1}, {3, 2.5, 2});
    test::Random random(5);
    const auto place = [&](double most) { return std::to_string(most * random.below(1000) / 1000.); };
    for (int i = 0; i < boxes; ++i) {
      w.node(R"("name":"box )" + std::to_string(i) + R"(","mesh":)" + std::to_string(i % 3 == 0 ? big : small) + R"(,"translation":[)" + place(40) + "," +
             place(40) + "," + place(10) + R"(],"rotation":[0,0,)" + (i % 4 == 0 ? "0,1]" : "0.6,0.8]"));
    }
    const std::string path = (folder_ / ("m" + std::to_string(boxes) + ".glb")).string();
    std::ofstream(path, std::ios::binary) << w.file();
    ClashJob job;
    job.models.push_back({"m", path, 1, {}});
    ClashTest near;
    near.id = "near \"all\"";
    near.clearance = 1.5;
    near.min_penetration = 0.25;
    job.tests = {near, {}};
    job.notes = {"a note"};
    return job;
  }

  std::string bytes_of(const ClashReport& report) {
    const std::string path = (folder_ / "written.json").string();
    write_clashes(report, path);
    return content(path);
  }
  std::string expected(const ClashReport* before = nullptr) {
    return bytes_of(find_clashes(job_, parts_, {.depth = true, .date = "", .before = before, .progress = {}}));
  }
  /// Without depth, so that pairs can be divided, and with tests for pairs that touch, are near, and lie in each other.
  std::string make_split(std::uint64_t cost, std::size_t chunks = 0) {
    job_.tests[0].min_penetration = 0;
    return write_clash_plan(job_, parts_, {.depth = false, .date = "", .chunks = chunks, .split_cost = cost, .progress = {}}, plan_);
  }
  std::string expected_split() {
    job_.tests[0].min_penetration = 0;
    return bytes_of(find_clashes(job_, parts_));
  }
  std::string make(std::size_t chunks = 0) {
    return write_clash_plan(job_, parts_, {.depth = true, .date = "", .chunks = chunks, .split_cost = 0, .progress = {}}, plan_);
  }
  static void decide_all(ClashPlan& plan) {
    for (const std::size_t i : plan.largest_first()) (void)plan.decide(i);
  }
  template <class F>
  static std::string error_of(F&& f) {
    try {
      f();
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }
  std::string opening_error() {
    return error_of([&] { ClashPlan plan(plan_); });
  }
  fs::path result(int chunk) const { return fs::path(plan_) / "results" / ("00000" + std::to_string(chunk) + ".jsonl"); }
  /// The files of the results whose names begin or end so, in order.
  std::vector<fs::path> results(const std::string& begin, const std::string& end) const {
    std::set<fs::path> found;
    for (const auto& entry : fs::directory_iterator(fs::path(plan_) / "results")) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(begin) && name.ends_with(end)) found.insert(entry.path());
    }
    return {found.begin(), found.end()};
  }

  fs::path folder_;
  std::string plan_;
  ClashJob job_;
  ClashParts parts_;
};

#define EXPECT_CONTAINS(text, piece) EXPECT_NE((text).find(piece), std::string::npos) << (text)

TEST_F(ClashPlans, MergedIsTheRun) {
  const std::string once = expected();
  for (const std::size_t chunks : {1, 2, 7, 0}) {
    fs::remove_all(plan_);
    (void)make(chunks);
    ClashPlan plan(plan_);
    EXPECT_LE(plan.chunks(), chunks == 0 ? 64 : chunks);
    EXPECT_GE(plan.chunks(), chunks == 0 ? 16 : chunks);
    set_threads(chunks == 7 ? 2 : 1);
    decide_all(plan);
    EXPECT_EQ(bytes_of(plan.merge()), once);
    EXPECT_EQ(plan.merge().counts.too_shallow, find_clashes(job_, parts_, {.depth = true, .date = "", .before = nullptr, .progress = {}}).counts.too_shallow);
  }
}

TEST_F(ClashPlans, SharesHaveEachChunkOnce) {
  (void)make(9);
  const ClashPlan plan(plan_);
  std::multiset<std::size_t> all;
  for (std::size_t k = 1; k <= 4; ++k)
    for (const std::size_t chunk : plan.share(k, 4)) all.insert(chunk);
  EXPECT_EQ(all.size(), plan.chunks());
  EXPECT_EQ(std::set<std::size_t>(all.begin(), all.end()).size(), plan.chunks());
  EXPECT_CONTAINS(error_of([&] { (void)plan.share(5, 4); }), "the share is 5 of 4");
  EXPECT_CONTAINS(error_of([&] { (void)plan.share(0, 4); }), "the share is 0 of 4");
}

TEST_F(ClashPlans, StatusesComeFromTheRunBefore) {
  ClashReport before = find_clashes(job_, parts_, {.depth = true, .date = "", .before = nullptr, .progress = {}});
  ASSERT_GT(before.clashes.size(), 3u);
  before.clashes[0].status = ClashStatus::approved;
  before.clashes[0].note = "as drawn";
  before.clashes[1].status = ClashStatus::resolved;
  before.clashes[2].id = "0123456789abcdef";
  std::sort(before.clashes.begin(), before.clashes.end(), [](const Clash& x, const Clash& y) { return x.id < y.id; });
  (void)make();
  ClashPlan plan(plan_);
  decide_all(plan);
  EXPECT_EQ(bytes_of(plan.merge(&before)), expected(&before));
}

TEST_F(ClashPlans, TheSameJobGivesTheSamePlan) {
  const std::string id = make(4);
  const std::string head = content(plan_ + "/plan.json"), tree = content(plan_ + "/parts.graze"), pairs = content(plan_ + "/pairs.bin");
  set_threads(2);
  EXPECT_EQ(make(4), id);
  EXPECT_EQ(content(plan_ + "/plan.json"), head);
  EXPECT_EQ(content(plan_ + "/parts.graze"), tree);
  EXPECT_EQ(content(plan_ + "/pairs.bin"), pairs);
  EXPECT_CONTAINS(error_of([&] { (void)make(3); }), "has another plan");
  job_.tests[0].clearance = 2;
  EXPECT_CONTAINS(error_of([&] { (void)make(4); }), "has another plan");
  EXPECT_EQ(content(plan_ + "/plan.json"), head);
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(plan_)) files += entry.is_regular_file();
  EXPECT_EQ(files, 4u);
}

TEST_F(ClashPlans, ChunksThatAreMissingAreCounted) {
  (void)make(5);
  ClashPlan plan(plan_);
  for (const std::size_t chunk : {0, 2, 4}) (void)plan.decide(chunk);
  EXPECT_EQ(plan.state(0), ClashChunkState::done);
  EXPECT_EQ(plan.state(1), ClashChunkState::missing);
  EXPECT_CONTAINS(error_of([&] { (void)plan.merge(); }), "plan: 2 of 5 chunks are not decided (the first is chunk 1)");
}

TEST_F(ClashPlans, DamagedResultsAreFoundAndDecidedAgain) {
  (void)make(5);
  ClashPlan plan(plan_);
  decide_all(plan);
  const std::string whole = content(result(1));
  for (const std::size_t at : {std::size_t{20}, whole.find("too_shallow") + 13, whole.find('\n') + 5, whole.size() - 9}) {
    flip(result(1), at);
    std::string damage;
    EXPECT_EQ(plan.state(1, &damage), ClashChunkState::damaged) << at;
    EXPECT_CONTAINS(damage, "000001.jsonl: line 1: ");
    EXPECT_CONTAINS(error_of([&] { (void)plan.merge(); }), "000001.jsonl: line 1: ");
    (void)plan.decide(1);
    EXPECT_EQ(content(result(1)), whole);
  }
  fs::resize_file(result(1), whole.size() / 2);
  EXPECT_EQ(plan.state(1), ClashChunkState::damaged);
  fs::copy_file(result(2), result(1), fs::copy_options::overwrite_existing);
  EXPECT_CONTAINS(error_of([&] { (void)plan.merge(); }), "chunk: is 2, must be 1");
}

TEST_F(ClashPlans, ResultsOfAnotherPlanAreNotTaken) {
  (void)make(5);
  ClashPlan plan(plan_);
  decide_all(plan);
  const fs::path kept = folder_ / "kept.jsonl";
  fs::copy_file(result(1), kept);
  fs::remove_all(plan_);
  job_.tests[0].min_penetration = 0;
  (void)make(5);
  ClashPlan other(plan_);
  decide_all(other);
  fs::copy_file(kept, result(1), fs::copy_options::overwrite_existing);
  std::string damage;
  EXPECT_EQ(other.state(1, &damage), ClashChunkState::damaged);
  EXPECT_CONTAINS(damage, "plan: is not the id of this plan");
  EXPECT_CONTAINS(error_of([&] { (void)other.merge(); }), "plan: is not the id of this plan");
}

TEST_F(ClashPlans, DamagedPlansAreRefused) {
  EXPECT_CONTAINS(opening_error(), "plan: is no plan");
  (void)make(5);
  const std::string head = content(plan_ + "/plan.json");
  for (const std::size_t at : {head.find("\"id\"") + 8, head.find("clearance") + 12, head.size() - 20}) {
    flip(plan_ + "/plan.json", at);
    EXPECT_CONTAINS(opening_error(), "plan.json: line 1: id: is not the SHA-256 of the plan");
    flip(plan_ + "/plan.json", at);
  }
  flip(plan_ + "/boxes.bin", 100);
  EXPECT_CONTAINS(opening_error(), "boxes.bin: is not the file that plan.json names");
  flip(plan_ + "/boxes.bin", 100);
  flip(plan_ + "/parts.graze", fs::file_size(plan_ + "/parts.graze") / 2);
  EXPECT_CONTAINS(opening_error(), "parts.graze: ");
  flip(plan_ + "/parts.graze", fs::file_size(plan_ + "/parts.graze") / 2);
  EXPECT_EQ(opening_error(), "no error");

  ClashPlan plan(plan_);
  flip(plan_ + "/pairs.bin", fs::file_size(plan_ + "/pairs.bin") - 1);
  EXPECT_CONTAINS(opening_error(), "pairs.bin: chunk 4 (bytes ");
  (void)plan.decide(0);
  EXPECT_CONTAINS(error_of([&] { (void)plan.decide(4); }), "pairs.bin: chunk 4 (bytes ");
  fs::resize_file(plan_ + "/pairs.bin", 100);
  EXPECT_CONTAINS(error_of([&] { (void)plan.decide(4); }), "pairs.bin: has 100 bytes, must have ");
  fs::remove(plan_ + "/pairs.bin");
  EXPECT_CONTAINS(error_of([&] { (void)plan.decide(0); }), "pairs.bin: cannot be opened");
  (void)make(5);
  EXPECT_EQ(opening_error(), "no error");
}

TEST_F(ClashPlans, ATreeFileOfAnotherPlanIsRefused) {
  (void)make(5);
  const fs::path kept = folder_ / "kept.graze";
  fs::copy_file(plan_ + "/parts.graze", kept);
  fs::remove_all(plan_);
  job_ = job_with(41);
  parts_ = load_clash_parts(job_);
  (void)make(5);
  fs::copy_file(kept, plan_ + "/parts.graze", fs::copy_options::overwrite_existing);
  EXPECT_CONTAINS(opening_error(), "parts.graze: is not the file that plan.json names");
}

TEST_F(ClashPlans, DividedPairsHaveTheSameVerdicts) {
  const std::string once = expected_split();
  const std::uint64_t pairs = find_clashes(job_, parts_).counts.decided;
  for (const std::uint64_t cost : {191, 1000}) {  // 190 is the cost of any pair
    for (const std::size_t chunks : {1, 6, 0}) {
      fs::remove_all(plan_);
      (void)make_split(cost, chunks);
      ClashPlan plan(plan_);
      set_threads(chunks == 6 ? 2 : 1);
      decide_all(plan);
      EXPECT_EQ(results("split-", ".jsonl").empty(), cost == 1000);
      EXPECT_EQ(results("", ".slices").empty(), cost == 1000);
      EXPECT_EQ(bytes_of(plan.merge()), once) << cost << ", " << chunks;
      EXPECT_EQ(plan.merge().counts.decided, pairs);
      for (std::size_t i = 0; i < plan.chunks(); ++i) EXPECT_EQ(plan.state(i), ClashChunkState::done);
    }
  }
}

/// Slices are ranges of the stored order of triangles: whoever stores them in another order must not use them.
TEST_F(ClashPlans, SlicesOfAnotherOrderAreRefused) {
  (void)expected_split();
  (void)make_split(191, 9);
  clash::PlanHead head = clash::read_plan(plan_);
  ASSERT_FALSE(head.orders.empty());
  head.orders[0].digest = "0000000000000000";
  clash::write_plan(clash::text_of(head), plan_);
  EXPECT_CONTAINS(opening_error(), "parts.graze: mesh " + std::to_string(head.orders[0].mesh) + " stores its triangles in another order");
}

TEST_F(ClashPlans, ADividedPairWithoutItsVerdictIsConcludedByMerge) {
  const std::string once = expected_split();
  (void)make_split(191, 9);
  ClashPlan plan(plan_);
  decide_all(plan);
  const std::vector<fs::path> verdicts = results("split-", ".jsonl");
  ASSERT_GT(verdicts.size(), 3u);
  std::vector<std::string> whole;
  for (const fs::path& v : verdicts) whole.push_back(content(v));
  for (const fs::path& v : verdicts) fs::remove(v);
  EXPECT_EQ(bytes_of(plan.merge()), once);
  decide_all(plan);  // concludes, too, and gives the same bytes
  for (std::size_t i = 0; i < verdicts.size(); ++i) EXPECT_EQ(content(verdicts[i]), whole[i]);

  flip(verdicts[1], whole[1].size() - 9);
  EXPECT_CONTAINS(error_of([&] { (void)plan.merge(); }), verdicts[1].filename().string() + ": line 1: sha256");
  std::size_t damaged = 0;
  for (std::size_t i = 0; i < plan.chunks(); ++i) {
    if (plan.state(i) != ClashChunkState::damaged) continue;
    ++damaged;
    (void)plan.decide(i);
  }
  EXPECT_EQ(damaged, 1u);
  EXPECT_EQ(content(verdicts[1]), whole[1]);
  EXPECT_EQ(bytes_of(plan.merge()), once);
}

TEST_F(ClashPlans, DamagedSlicesAreNamedAndDecidedAgain) {
  const std::string once = expected_split();
  (void)make_split(191, 9);
  ClashPlan plan(plan_);
  decide_all(plan);
  const std::vector<fs::path> slices = results("", ".slices");
  ASSERT_GT(slices.size(), 3u);
  for (const std::string damage : {"flipped", "cut", "removed"}) {
    const fs::path file = slices[2];
    const std::string whole = content(file);
    for (const fs::path& v : results("split-", ".jsonl")) fs::remove(v);
    if (damage == "flipped") flip(file, whole.size() / 2);
    if (damage == "cut") fs::resize_file(file, whole.size() - 1);
    if (damage == "removed") fs::remove(file);
    EXPECT_CONTAINS(error_of([&] { (void)plan.merge(); }), file.filename().string() + ": ");
    std::string what;
    std::size_t damaged = 0;
    for (std::size_t i = 0; i < plan.chunks(); ++i) {
      if (plan.state(i, &what) != ClashChunkState::damaged) continue;
      ++damaged;
      EXPECT_CONTAINS(what, file.filename().string() + ": ");
      (void)plan.decide(i);
    }
    EXPECT_EQ(damaged, 1u) << damage;
    EXPECT_EQ(content(file), whole);
    EXPECT_EQ(bytes_of(plan.merge()), once);
  }
}

TEST_F(ClashPlans, DividedPairsWhoseDepthIsAskedForStayWhole) {
  (void)write_clash_plan(job_, parts_, {.depth = true, .date = "", .chunks = 0, .split_cost = 191, .progress = {}}, plan_);
  ClashPlan plan(plan_);
  decide_all(plan);
  EXPECT_TRUE(results("", ".slices").empty());
  EXPECT_EQ(bytes_of(plan.merge()), expected());
}

TEST_F(ClashPlans, APlanWithoutPairs) {
  job_ = job_with(1);
  parts_ = load_clash_parts(job_);
  (void)make();
  const ClashPlan plan(plan_);
  EXPECT_EQ(plan.chunks(), 0u);
  EXPECT_TRUE(plan.share(2, 3).empty());
  EXPECT_EQ(bytes_of(plan.merge()), expected());
}

TEST_F(ClashPlans, PartsAreThoseOfTheJob) {
  (void)make();
  ClashPlan plan(plan_);
  const ClashParts& parts = plan.parts();
  ASSERT_EQ(parts.parts.size(), parts_.parts.size());
  for (std::size_t i = 0; i < parts.parts.size(); ++i) {
    const ClashPart &x = parts.parts[i], &y = parts_.parts[i];
    EXPECT_TRUE(x.path == y.path && x.name == y.name && x.mesh == y.mesh && x.model == y.model && x.box.min == y.box.min && x.box.max == y.box.max);
  }
  for (std::size_t m = 0; m < parts.meshes.size(); ++m) EXPECT_EQ(parts.solids[m].has_value(), parts_.solids[m].has_value());
  EXPECT_EQ(bytes_of(find_clashes(job_, parts, {.depth = true, .date = "", .before = nullptr, .progress = {}})), expected());
}

}  // namespace
}  // namespace graze
