// Formats read by the helper: units and axes, and a helper that is missing, hangs, crashes or sends invalid output.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <thread>

#include "io/other.hpp"
#include "support/import_helper.hpp"
#include "support/memory_records.hpp"
#include "support/paths.hpp"
#include "support/reading.hpp"

namespace graze::other_test {
namespace {

namespace fs = std::filesystem;
using test::bytes_of;
using test::load_error;
using test::load_text;
using test::other_corpus;
using test::raw;
using test::record;
using Triangles = std::vector<TriangleIndices>;

// Finds the helper of this build: beside the test program or above it.
class Other : public testing::Test {
 protected:
  void SetUp() override {
    helper_ = test::built_helper("graze-import");
    ASSERT_FALSE(helper_.empty()) << "graze-import is not built";
    setenv("GRAZE_IMPORT_HELPER", helper_.c_str(), 1);
    folder_ = fs::temp_directory_path() / ("graze_other_" + std::to_string(std::random_device{}()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    fs::remove_all(folder_);
    unsetenv("GRAZE_IMPORT_HELPER");
  }

  // Uses a shell script as the helper.
  void pretend(const std::string& script) {
    const fs::path path = folder_ / "helper.sh";
    std::ofstream(path) << "#!/bin/sh\n" << script;
    fs::permissions(path, fs::perms::owner_all);
    setenv("GRAZE_IMPORT_HELPER", path.c_str(), 1);
  }

  fs::path helper_, folder_;
};

TEST_F(Other, UnitAndAxisAreReportedNotApplied) {
  const struct { const char *name, *format, *unit; } kFiles[] = {{"z_up_inch.dae", "collada", "inch (0.0254 m)"}, {"z_up_metre.fbx", "fbx", "metre"}};
  for (const auto& file : kFiles) {
    const LoadedModel m = load_model(other_corpus(file.name).string());
    EXPECT_EQ(m.format, file.format);
    EXPECT_EQ(m.unit, file.unit);
    EXPECT_EQ(m.up_axis, "z");
    EXPECT_EQ(m.data.vertices, (std::vector<Vec3>{{0, 0, 7}, {4, 0, 7}, {4, 3, 7}, {0, 3, 7.5}})) << file.name;
    EXPECT_EQ(m.data.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(m.polygons, 1u);
    ASSERT_EQ(m.data.parts.size(), 1u);
  }
}

TEST_F(Other, LoadsFromManyThreads) {
  const std::string bytes = bytes_of(other_corpus("z_up_inch.dae"));
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { good += load_text(bytes, "m.dae").data.triangles.size() == 2; });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(good, 8);
}

TEST_F(Other, BrokenFilesAreErrors) {
  EXPECT_NE(load_error("<html></html>", "m.dae"), "");
  EXPECT_NE(load_error("<COLLADA></COLLADA>", "m.dae").find("m.dae: assimp says: "), std::string::npos);
}

TEST_F(Other, HelperMissing) {
  setenv("GRAZE_IMPORT_HELPER", "/nowhere/graze-import", 1);
  EXPECT_EQ(load_error("Kaydara FBX Binary", "m.fbx"), "m.fbx: GRAZE_IMPORT_HELPER names '/nowhere/graze-import', but there is no such program");
  setenv("GRAZE_IMPORT_HELPER", other_corpus("z_up_inch.dae").c_str(), 1);  // not executable
  EXPECT_EQ(load_error("Kaydara FBX Binary", "m.fbx").find("m.fbx: graze-import cannot be run: "), 0u);
}

TEST_F(Other, HelperThatFails) {
  pretend("exit 3\n");
  EXPECT_EQ(load_error("Kaydara FBX Binary", "m.fbx"), "m.fbx: graze-import ended before its answer did: exit code 3");
  pretend("kill -SEGV $$\n");
  EXPECT_EQ(load_error("Kaydara FBX Binary", "m.fbx"), "m.fbx: graze-import ended before its answer did: it crashed (signal 11)");
  pretend("cat\n");
  EXPECT_EQ(load_error("Kaydara FBX Binary............", "m.fbx"), "m.fbx: the answer of graze-import has a record of 2330685676122632801 bytes");
}

TEST_F(Other, ValidatesTheOutputOfTheHelper) {
  const std::string start = record("GRZ1", ""), done = record("DONE", "");
  const std::string points = record("VERT", raw<double>({0, 0, 0, 1, 0, 0, 0, 1, 0}));
  const auto answer = [&](const std::string& bytes) -> std::string {
    std::ofstream(folder_ / "answer", std::ios::binary) << bytes;
    pretend("exec cat '" + (folder_ / "answer").string() + "'\n");
    return load_error("Kaydara FBX Binary", "m");
  };
  EXPECT_EQ(answer(start + points + record("FACE", raw<std::uint32_t>({3, 0, 1, 2})) + done), "");
  EXPECT_EQ(answer(record("GRZ2", "") + done), "m: the answer of graze-import does not start with its version");
  EXPECT_EQ(answer(start + points), "m: graze-import ended before its answer did: exit code 0");
  EXPECT_EQ(answer(start + points + record("FACE", raw<std::uint32_t>({3, 0, 1, 3})) + done), "m: face 0 uses vertex 3 of 3");
  EXPECT_EQ(answer(start + points + record("FACE", raw<std::uint32_t>({4, 0, 1, 2})) + done),
            "m: the answer of graze-import has a face that promises 4 corners");
  EXPECT_EQ(answer(start + record("VERT", std::string(23, 'x')) + done), "m: the answer of graze-import has vertices of 23 bytes");
  EXPECT_EQ(answer(start + record("FACE", std::string(3, 'x')) + done), "m: the answer of graze-import has faces of 3 bytes");
  EXPECT_EQ(answer(start + record("VERT", raw<double>({0, 0, std::numeric_limits<double>::infinity()})) + done), "m: vertex 0: z is NaN or infinite");
  EXPECT_EQ(answer(start + record("WHAT", "") + done), "m: the answer of graze-import has an unknown record 'WHAT'");
  EXPECT_EQ(answer(start + record("NOTE", std::string(100000, 'x')) + done), "m: the answer of graze-import has a text of 100000 bytes");
  EXPECT_EQ(answer(start + record("FAIL", "no good") + done), "m: no good");
}

/// The records of two parts, the second below two eighths of a turn and moved, in inches.
TEST(OtherRecords, PartsArePlacedInTheUnitThatIsAskedFor) {
  const std::string bytes = test::bytes_of(test::project_root() / "tests/fuzz/seeds/fuzz_placed_import/flat_moved");
  const io::Source source{"m.dae", {}};
  const auto read = [&](const io::ReadingLimits& limits) {
    test::MemoryRecords records(source, bytes);
    return io::read_flat(records, source, limits);
  };
  const LoadedModel m = read({std::size_t{1} << 30, 0.001, false, "millimetre", ""});
  ASSERT_EQ(m.data.vertices.size(), 6u);
  EXPECT_EQ(m.data.vertices[1], Vec3(25.4, 0, 0));
  EXPECT_EQ(m.data.vertices[3], Vec3(127, 0, 0));
  EXPECT_EQ(m.data.vertices[4], Vec3(127, 25.4, 0));
  EXPECT_EQ(m.data.vertices[5], Vec3(127 - 25.4, 0, 0));
  EXPECT_EQ(m.unit, "millimetre");
  const std::string notes = test::join(m.notes);
  EXPECT_NE(notes.find("1 part ('b') with a rotation within rounding of quarter turns is turned exactly"), std::string::npos) << notes;
  EXPECT_NE(notes.find("brought from inch (0.0254 m) to millimetre: coordinates times 127/5, rounded"), std::string::npos) << notes;
  const LoadedModel literal = read({std::size_t{1} << 30, 0.001, true, "", ""});
  EXPECT_NE(literal.data.vertices[4].x, 5);
  EXPECT_EQ(literal.unit, "inch (0.0254 m)");
}

}  // namespace
}  // namespace graze::other_test
