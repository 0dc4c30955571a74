// Clash detection: verdicts, selection, exclusions, thresholds, statuses over several runs, and the files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <graze/clash.hpp>
#include <graze/error.hpp>
#include <graze/threads.hpp>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "support/glb_writer.hpp"

namespace graze {
namespace {

namespace fs = std::filesystem;
using test::GlbWriter;

class ClashRun : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("graze_clash_" + std::to_string(std::random_device{}()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    fs::remove_all(folder_);
    set_threads(0);
  }

  std::string write(const std::string& name, const std::string& content) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  ClashJob job_of(const std::string& model) {
    ClashJob job;
    job.models.push_back({"m", write("m.glb", model), 1, {}});
    job.tests.push_back({});
    return job;
  }
  static ClashReport run(const ClashJob& job, const ClashReport* before = nullptr, bool depth = false) {
    const ClashParts parts = load_clash_parts(job);
    return find_clashes(job, parts, {.depth = depth, .date = "", .before = before, .progress = {}});
  }
  static std::string job_error(const std::string& path) {
    try {
      (void)read_clash_job(path, "2026-11-26");
    } catch (const Error& e) {
      return std::string(e.what()).substr(path.size() + 2);
    }
    return "";
  }

  fs::path folder_;
};

// "a|b verdict" of all findings that are there.
std::vector<std::string> words(const ClashReport& report) {
  std::vector<std::string> out;
  for (const Clash& c : report.clashes)
    if (c.status != ClashStatus::resolved) out.push_back(c.a + "|" + c.b + " " + name_of(c.verdict));
  std::sort(out.begin(), out.end());
  return out;
}
using Words = std::vector<std::string>;

std::string at(const std::string& name, int mesh, double x, double y = 0, double z = 0) {
  return R"("name":")" + name + R"(","mesh":)" + std::to_string(mesh) + R"(,"translation":[)" + std::to_string(x) + "," + std::to_string(y) + "," +
         std::to_string(z) + "]";
}

// A block of ten, and others around it, one for each verdict.
GlbWriter one_of_each() {
  GlbWriter w;
  const int block = w.box({0, 0, 0}, {10, 10, 10}), small = w.box({0, 0, 0}, {2, 2, 2});
  w.node(at("block", block, 0));
  w.node(at("same", block, 0));
  w.node(at("inside", small, 4, 4, 4));
  w.node(at("across", small, 9, 4, 4));
  w.node(at("beside", small, 10, 8, 8));
  w.node(at("close", small, 5, 5, 10.5));
  w.node(at("far", small, 5, 5, 40));
  return w;
}

TEST_F(ClashRun, OneOfEachVerdict) {
  ClashJob job = job_of(one_of_each().file());
  job.tests[0].clearance = 1;
  job.excluded.push_back({"m/same", "**", ""});
  EXPECT_EQ(words(run(job)), (Words{"m/across|m/block overlapping", "m/beside|m/block touching", "m/block|m/close near", "m/block|m/inside b_in_a"}));
  job.excluded.clear();
  job.tests[0].a.path = "m/block";
  job.tests[0].b.path = "m/same";
  EXPECT_EQ(words(run(job)), (Words{"m/block|m/same identical"}));
}

// Reading a.obj moves its mesh to the origin, since it is there twice; that of b.obj stays in world coordinates.
TEST_F(ClashRun, SurfacesAreTheSameAlsoWhereOneFileRepeatsThem) {
  const std::string there = "v 10 0 0\nv 11 0 0\nv 10 1 0\n";
  ClashJob job;
  job.models.push_back({"a", write("a.obj", "g once\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\ng again\n" + there + "f 4 5 6\n"), 1, {}});
  job.models.push_back({"b", write("b.obj", "g it\n" + there + "f 1 2 3\n"), 1, {}});
  job.models.push_back({"c", write("c.obj", "g turned_over\n" + there + "f 1 3 2\n"), 1, {}});
  job.tests.push_back({});
  EXPECT_EQ(words(run(job)), (Words{"a/again|b/it identical", "a/again|c/turned_over touching", "b/it|c/turned_over touching"}));
}

TEST_F(ClashRun, TheClearanceItselfIsFarEnough) {
  ClashJob job = job_of(one_of_each().file());
  job.tests[0].a.path = "m/close";
  job.tests[0].b.path = "m/block";
  job.tests[0].clearance = 0.5;
  EXPECT_EQ(words(run(job)), Words{});
  job.tests[0].clearance = 0.5000000000000001;
  const ClashReport report = run(job);
  EXPECT_EQ(words(report), (Words{"m/block|m/close near"}));
  EXPECT_EQ(report.clashes[0].distance, 0.5);
}

TEST_F(ClashRun, ShallowOverlapsAndDepths) {
  ClashJob job = job_of(one_of_each().file());
  job.tests[0].a.path = "m/across";
  job.tests[0].b.path = "m/block";
  const ClashReport deep = run(job, nullptr, true);
  ASSERT_EQ(deep.clashes.size(), 1u);
  ASSERT_TRUE(deep.clashes[0].depth);
  EXPECT_NEAR(*deep.clashes[0].depth, 1, 2e-3);
  EXPECT_GE(*deep.clashes[0].depth, 1);
  job.tests[0].min_penetration = 0.99;
  EXPECT_EQ(run(job).clashes.size(), 1u);
  job.tests[0].min_penetration = 1.01;
  const ClashReport shallow = run(job);
  EXPECT_TRUE(shallow.clashes.empty());
  EXPECT_EQ(shallow.counts.too_shallow, 1u);
}

// Far from the origin a short translation is rounded to a longer one, which must not be taken for the depth.
TEST_F(ClashRun, DepthsFarFromTheOriginAreNotTooShort) {
  const double far = 1e12, step = 0x1p-13;  // of doubles there
  std::string obj;
  const auto box = [&obj](const std::string& name, double from, double to) {
    obj += "o " + name + "\n";
    for (int i = 0; i < 8; ++i) {
      char line[80];
      std::snprintf(line, sizeof line, "v %.17g %d %d\n", i & 1 ? to : from, i & 2 ? 16 : 0, i & 4 ? 16 : 0);
      obj += line;
    }
    for (const char* f : {"1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"}) {
      obj += "f";
      std::istringstream corners(f);
      for (int k = 0, c = 0; k < 4; ++k) {
        corners >> c;
        obj += " " + std::to_string(c - 9);
      }
      obj += "\n";
    }
  };
  box("a", far, far + 10);
  box("b", far + 10 - 2 * step, far + 21 - 2 * step);
  ClashJob job;
  job.models.push_back({"m", write("m.obj", obj), 1, {}});
  job.tests.push_back({});
  const ClashReport deep = run(job, nullptr, true);
  ASSERT_EQ(words(deep), (Words{"m/a|m/b overlapping"}));
  ASSERT_TRUE(deep.clashes[0].depth);
  EXPECT_GE(*deep.clashes[0].depth, 2 * step);
  job.tests[0].min_penetration = 1.9 * step;
  EXPECT_EQ(words(run(job)), (Words{"m/a|m/b overlapping"}));
}

// The same where only the translation is large: the mesh is as far from the origin on the other side.
TEST_F(ClashRun, DepthsOfMeshesFarFromTheOriginAreNotTooShort) {
  GlbWriter w;
  const double far = 0x1p40, side = 0x1p20, step = 0x1p-12;  // of doubles beyond `far`
  const int a = w.box({far, 0, 0}, {far + side, side, side}), b = w.box({0, 0, 0}, {2 * side, side, side});
  w.node(at("a", a, -far));
  w.node(at("b", b, side - 1.9 * step));
  ClashJob job = job_of(w.file());
  const ClashReport deep = run(job, nullptr, true);
  ASSERT_EQ(words(deep), (Words{"m/a|m/b overlapping"}));
  ASSERT_TRUE(deep.clashes[0].depth);
  EXPECT_GE(*deep.clashes[0].depth, 1.9 * step);
  job.tests[0].min_penetration = 1.8 * step;
  EXPECT_EQ(words(run(job)), (Words{"m/a|m/b overlapping"}));
}

TEST_F(ClashRun, AShortTranslationCountsWhereLongerOnesRunIntoSomethingElse) {
  GlbWriter w;  // a block that fits into a room with 0.5 to spare, 0.125 deep in one wall
  const int room = w.room({{0, 0, 0}, {100, 100, 100}}, {{40, 40, 40}, {60, 60, 60}}), block = w.box({39.875, 40.25, 40.25}, {59.375, 59.75, 59.75});
  w.node(at("room", room, 0));
  w.node(at("block", block, 0));
  ClashJob job = job_of(w.file());
  const ClashReport deep = run(job, nullptr, true);
  ASSERT_EQ(words(deep), (Words{"m/block|m/room overlapping"}));
  EXPECT_GE(*deep.clashes[0].depth, 0.125);
  EXPECT_LE(*deep.clashes[0].depth, 0.126);
  for (const double least : {0.13, 0.5, 2.0, 10.0, 50.0}) {
    job.tests[0].min_penetration = least;
    EXPECT_EQ(run(job).counts.too_shallow, 1u) << least;
  }
  for (const double least : {0.01, 0.0625, 0.125}) {
    job.tests[0].min_penetration = least;
    EXPECT_EQ(run(job).clashes.size(), 1u) << least;
  }
}

TEST_F(ClashRun, SurfacesThatAreNotClosed) {
  GlbWriter w;
  const int block = w.box({0, 0, 0}, {10, 10, 10}), small = w.box({0, 0, 0}, {1, 1, 1});
  const int open = w.mesh({{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {0, 0, 10}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}});
  const int sheet = w.mesh({{-5, 3, 3}, {20, 3, 3}, {20, 4, 4}}, {{0, 1, 2}});
  w.node(at("block", block, 0));
  w.node(at("bowl", open, 100));
  w.node(at("egg", small, 101, 1, 1));
  w.node(at("sheet", sheet, 0));
  w.node(at("sheet2", sheet, 0, 0, 0.25));
  ClashJob job = job_of(w.file());
  job.excluded.push_back({"m/sheet", "m/sheet2", ""});
  const ClashReport report = run(job);
  EXPECT_EQ(words(report), (Words{"m/block|m/sheet overlapping", "m/block|m/sheet2 overlapping", "m/bowl|m/egg not-evaluated"}));
  EXPECT_EQ(report.counts.open_parts, 3u);
  for (const Clash& c : report.clashes)
    if (c.verdict == Verdict::not_evaluated) {
      EXPECT_NE(c.reason.find("a may surround the other part, but is not closed: "), std::string::npos) << c.reason;
    }
  job.solids = ClashSolids::required;
  EXPECT_EQ(words(run(job)), (Words{"m/block|m/sheet not-evaluated", "m/block|m/sheet2 not-evaluated", "m/bowl|m/egg not-evaluated"}));
  job.solids = ClashSolids::surfaces;
  EXPECT_EQ(words(run(job)), (Words{"m/block|m/sheet overlapping", "m/block|m/sheet2 overlapping"}));
}

TEST_F(ClashRun, WhatAnOpenPartMayContainIsNeverMissing) {
  GlbWriter w;
  const int egg = w.box({0, 0, 0}, {1, 1, 1});
  const int bowl = w.mesh({{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {0, 0, 10}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}});
  w.node(at("bowl", bowl, 0));
  w.node(at("egg", egg, 1, 1, 0));  // stands on the bowl
  w.node(at("far", egg, 8, 8, 8));  // farther from it than the clearance
  ClashJob job = job_of(w.file());
  job.tests[0].a.path = "m/bowl";
  job.tests[0].touching = false;
  job.tests[0].clearance = 0.5;
  const Words both = {"m/bowl|m/egg not-evaluated", "m/bowl|m/far not-evaluated"};
  EXPECT_EQ(words(run(job)), both);
  job.solids = ClashSolids::required;
  EXPECT_EQ(words(run(job)), both);
  job.solids = ClashSolids::automatic;
  job.tests[0].touching = true;
  EXPECT_EQ(words(run(job)), (Words{"m/bowl|m/egg touching", "m/bowl|m/far not-evaluated"}));
}

TEST_F(ClashRun, StatusesOverSeveralRuns) {
  const auto statuses = [](const ClashReport& r) {
    std::map<std::string, std::string> out;
    for (const Clash& c : r.clashes) out[c.b] = name_of(c.status);
    return out;
  };
  using Statuses = std::map<std::string, std::string>;
  const auto model = [&](double x) {
    GlbWriter w;
    const int block = w.box({0, 0, 0}, {10, 10, 10});
    w.node(at("a", block, 0));
    w.node(at("b", block, x));
    w.node(at("c", block, 0, 9));
    return w.file();
  };
  const ClashJob job = job_of(model(9));
  ClashReport first = run(job);
  EXPECT_EQ(first.clashes.size(), 3u);  // b and c overlap, too
  std::erase_if(first.clashes, [](const Clash& c) { return c.a != "m/a"; });
  EXPECT_EQ(statuses(first), (Statuses{{"m/b", "new"}, {"m/c", "new"}}));
  for (Clash& c : first.clashes)
    if (c.b == "m/c") c.status = ClashStatus::approved, c.note = "as drawn";
  ClashJob two = job_of(model(9));
  two.excluded.push_back({"m/b", "m/c", ""});
  const ClashReport second = run(two, &first);
  EXPECT_EQ(statuses(second), (Statuses{{"m/b", "active"}, {"m/c", "approved"}}));
  EXPECT_EQ(second.counts.reused, 2u);
  EXPECT_EQ(second.counts.decided, 0u);
  EXPECT_EQ(second.run, 2u);
  ClashJob moved = job_of(model(30));
  const ClashReport third = run(moved, &second);
  EXPECT_EQ(statuses(third), (Statuses{{"m/b", "resolved"}, {"m/c", "approved"}}));
  EXPECT_EQ(third.counts.reused, 1u);
  const ClashReport fourth = run(two = job_of(model(9)), &third);
  for (const Clash& c : fourth.clashes) {
    if (c.a == "m/a" && c.b == "m/b") {
      EXPECT_STREQ(name_of(c.status), "new");
    }
    if (c.b == "m/c" && c.a == "m/a") {
      EXPECT_EQ(c.note, "as drawn");
    }
    if (c.b == "m/c" && c.a == "m/a") {
      EXPECT_EQ(c.first_run, 1u);
    }
  }
}

TEST_F(ClashRun, ThreadsDoNotMatterAndFilesReadBack) {
  std::string bytes[2];
  for (const int threads : {1, 4}) {
    set_threads(threads);
    ClashJob job = job_of(one_of_each().file());
    job.tests[0].clearance = 1;
    const ClashReport report = run(job);
    const std::string path = (folder_ / ("clash" + std::to_string(threads) + ".json")).string();
    write_clashes(report, path);
    std::ifstream in(path, std::ios::binary);
    bytes[threads == 4] = {std::istreambuf_iterator<char>(in), {}};
    const ClashReport back = read_clashes(path);
    ASSERT_EQ(back.clashes.size(), report.clashes.size());
    write_clashes(back, path);
    std::ifstream again(path, std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(again), {}), bytes[threads == 4]);
  }
  EXPECT_EQ(bytes[0], bytes[1]);
  std::string damaged = bytes[0];
  damaged[damaged.size() - 30] ^= 1;
  const std::string path = write("damaged.json", damaged);
  try {
    (void)read_clashes(path);
    FAIL() << "a damaged file was read";
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()),
              path + ": line 1: sha256: is not that of the file: it is damaged or was edited. Restore it, or remove it to begin anew without its statuses");
  }
}

TEST_F(ClashRun, JobFiles) {
  write("m.glb", one_of_each().file());
  const std::string path = write("job.json", R"({"graze_clash":1,"unit":"mm","up":"z",
    "models":[{"id":"m","path":"m.glb","unit":"m","up":"y"}],
    "groups":{"small":{"name":"*","size<":3000},"block":"m/block"},
    "tests":[{"id":"t","a":"small","b":"block","clearance":1000,"touching":"ignore"}],
    "exclude":[{"pair":["m/inside","m/block"],"reason":"lift","until":"2027-01-01"},{"pair":["m/across","m/block"],"until":"2026-01-01"}]})");
  const ClashJob job = read_clash_job(path, "2026-11-26");
  EXPECT_EQ(job.models[0].scale, 1000);
  EXPECT_EQ(words(run(job)), (Words{"m/across|m/block overlapping", "m/block|m/close near"}));
  ASSERT_EQ(job.notes.size(), 1u);
  EXPECT_EQ(job.notes[0], "exclude[1]: over since 2026-01-01");
}

TEST_F(ClashRun, MessagesOfJobFilesNameThePlace) {
  const auto error = [&](const std::string& rest) { return job_error(write("bad.json", "{\"graze_clash\":1," + rest + "}")); };
  const std::string models = R"("models":[{"path":"m.glb"}])";
  EXPECT_EQ(job_error(write("bad.json", "{")), "line 1, column 2: expected a field name in double quotes, found the end of the file");
  EXPECT_EQ(job_error(write("bad.json", "{}")), "graze_clash: is missing");
  EXPECT_EQ(job_error(write("bad.json", "{\n\"graze_clash\":2}")), "graze_clash: is 2, must be 1");
  EXPECT_EQ(error("\"models\":[]"), "models: is empty: a job needs a model");
  EXPECT_EQ(error("\"model\":[]"), "model: is not a field here (known: graze_clash, unit, up, models, groups, tests, exclude, solids, most_pairs)");
  EXPECT_EQ(error(models + ",\"unit\":\"furlong\""), "unit: is \"furlong\", must be one of mm, cm, m, in, ft");
  EXPECT_EQ(error(models + ",\"up\":\"w\""), "up: is \"w\", must be x, y or z");
  EXPECT_EQ(error(models + ",\"most_pairs\":0"), "most_pairs: is 0, must be a number of pairs");
  EXPECT_EQ(error(models + ",\"solids\":\"yes\""), "solids: is \"yes\", must be auto, required or surfaces");
  EXPECT_EQ(error("\"models\":[{\"path\":\"\"}]"), "models[0].path: is empty");
  EXPECT_EQ(error("\"models\":[{\"path\":\"a.glb\"},{\"path\":\"b/a.glb\"}]"), "models[1].id: is \"a\", as that of another model");
  EXPECT_EQ(error("\"models\":[{\"path\":\"a.glb\",\"id\":\"x/y\"}]"), "models[0].id: is \"x/y\", must be without /, * and ?");
  EXPECT_EQ(error(models + R"(,"groups":{"g":{"size":3}})"), "groups.g.size: is not a field here (known: model, path, name, size<, size>=)");
  EXPECT_EQ(error(models + R"(,"groups":{"g":{"model":"n"}})"), "groups.g.model: is \"n\", but no model has this id");
  EXPECT_EQ(error(models + R"(,"tests":[])"), "tests: is empty; leave it out for all parts against all");
  EXPECT_EQ(error(models + R"(,"tests":[{"id":"t","a":"x","b":"*"}])"), "tests[0].a: is \"x\", but there is no group of this name");
  EXPECT_EQ(error(models + R"(,"tests":[{"id":"t","a":"*","b":"*","clearance":-1}])"), "tests[0].clearance: is -1, must be >= 0");
  EXPECT_EQ(error(models + R"(,"tests":[{"id":"t","a":"*","b":"*","touching":"no"}])"), "tests[0].touching: is \"no\", must be report or ignore");
  EXPECT_EQ(error(models + R"(,"tests":[{"id":"t","a":"*","b":"*"},{"id":"t","a":"*","b":"*"}])"), "tests[1].id: is \"t\", as that of another test");
  EXPECT_EQ(error(models + R"(,"tests":[{"a":"*","b":"*"}])"), "tests[0].id: is missing");
  EXPECT_EQ(error(models + R"(,"exclude":[{}])"), "exclude[0]: must have one of same and pair");
  EXPECT_EQ(error(models + R"(,"exclude":[{"same":"color"}])"), "exclude[0].same: is \"color\", must be parent or model");
  EXPECT_EQ(error(models + R"(,"exclude":[{"pair":["m/a"]}])"), "exclude[0].pair: has 1 elements, must have 2 paths or patterns");
  EXPECT_EQ(error(models + R"(,"exclude":[{"pair":["n/a","m/b"]}])"), "exclude[0].pair[0]: is \"n/a\", but no model has the id \"n\"");
  EXPECT_EQ(error(models + R"(,"exclude":[{"same":"parent","until":"soon"}])"), "exclude[0].until: is \"soon\", must be a date as 2027-01-31");
}

TEST_F(ClashRun, SelectorsOfNoPartAreErrors) {
  ClashJob job = job_of(one_of_each().file());
  job.tests[0].a.path = "m/none";
  try {
    (void)run(job);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "test \"all\": a selects no part (path \"m/none\", name \"*\")");
  }
}

TEST_F(ClashRun, PartsOfAnotherJobAreRefused) {
  const ClashJob job = job_of(one_of_each().file());
  const ClashParts parts = load_clash_parts(job);
  const auto refusal = [&](const ClashJob& other, const ClashParts& given) -> std::string {
    try {
      (void)find_clashes(other, given);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::invalid_argument);
      return e.what();
    }
    return "";
  };
  ClashJob other = job;
  other.tests[0].clearance = 1;
  EXPECT_EQ(refusal(other, parts), "");  // other tests of the same models
  const std::string start = "parts: were loaded by another job: ", path = job.models[0].path;
  other.models.push_back(job.models[0]);
  EXPECT_EQ(refusal(other, parts), start + "it has 1 model, this one has 2 models");
  other.models.pop_back();
  other.models[0].path = "n.glb";
  EXPECT_EQ(refusal(other, parts), start + "models[0] is \"m\" from " + path + " there, and \"m\" from n.glb here");
  for (const auto& change :
       std::vector<void (*)(ClashModel&)>{[](ClashModel& m) { m.scale = 2; }, [](ClashModel& m) { m.deflection = .5; }, [](ClashModel& m) { m.literal = true; },
                                          [](ClashModel& m) {
                                            m.pose.translation = {0, 0, 1};
                                          },
                                          [](ClashModel& m) { m.pose = Pose::quarter_turn(Axis::x, 1); }}) {
    other = job;
    change(other.models[0]);
    EXPECT_EQ(refusal(other, parts), start + "models[0] is \"m\" from " + path + ", with another scale, pose, deflection or literal there than here");
  }
  ClashParts by_hand = parts;
  by_hand.models.clear();
  EXPECT_EQ(refusal(job, by_hand), "");
  other = job;
  other.models[0].id = "n";
  EXPECT_EQ(refusal(other, by_hand).find(start + "\"m/"), 0u);
  by_hand.parts.back().model = 1;
  EXPECT_EQ(refusal(job, by_hand), start + "\"" + by_hand.parts.back().path + "\" is of models[1], this one has 1 model");
}

TEST_F(ClashRun, ACrowdAtOnePlaceIsRefusedBeforeItFillsTheMemory) {
  GlbWriter w;
  const int block = w.box({0, 0, 0}, {10, 10, 10});
  for (int i = 0; i < 900; ++i) w.node(at("copy", block, 0));
  w.node(at("far", block, 500));
  ClashJob job = job_of(w.file());
  const auto refusal = [&] {
    try {
      (void)run(job);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(),
            "more than 250000 pairs of parts are near each other, the most that this run of 901 parts takes; \"m/copy\" alone is near 899 others."
            " Leave out copies that stand at one place, exclude pairs, or allow more (most_pairs)");
  job.excluded.push_back({"m/copy*", "m/copy*", ""});
  job.most_pairs = 1;
  EXPECT_EQ(words(run(job)), Words{});  // what is left out does not count
  job.excluded.clear();
  job.most_pairs = 404549;
  EXPECT_TRUE(refusal().starts_with("more than 404549 pairs"));
  job.most_pairs = 404550;
  EXPECT_EQ(run(job).counts.candidates, 404550u);
}

TEST_F(ClashRun, SiblingsCanBeLeftOut) {
  GlbWriter w;
  const int block = w.box({0, 0, 0}, {10, 10, 10});
  w.node(R"("name":"pump","children":[1,2])");
  w.node(at("shell", block, 0));
  w.node(at("motor", block, 5));
  w.node(at("pipe", block, -5));
  ClashJob job = job_of(w.file(R"("scenes":[{"nodes":[0,3]}])"));
  EXPECT_EQ(words(run(job)), (Words{"m/pipe|m/pump/motor touching", "m/pipe|m/pump/shell overlapping", "m/pump/motor|m/pump/shell overlapping"}));
  job.exclude_siblings = true;
  EXPECT_EQ(words(run(job)), (Words{"m/pipe|m/pump/motor touching", "m/pipe|m/pump/shell overlapping"}));
  job.exclude_same_model = true;
  EXPECT_EQ(words(run(job)), Words{});
}

}  // namespace
}  // namespace graze
