// STEP: parts, closed meshes, units and deflection, through the helper program of this build; skipped where OpenCASCADE was not there to build it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <graze/assembly.hpp>
#include <graze/query.hpp>
#include <string>
#include <vector>

#include "support/import_helper.hpp"
#include "support/paths.hpp"
#include "support/random.hpp"
#include "support/reading.hpp"

namespace graze::step_test {
namespace {

namespace fs = std::filesystem;
using test::bytes_of;
using test::load_error;
using test::load_text;
using test::other_corpus;

constexpr double kPi = 3.14159265358979323846;

class Step : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path helper = test::built_helper("graze-import-step");
    if (helper.empty()) GTEST_SKIP() << "graze-import-step is not built: no OpenCASCADE (tools/setup.sh step)";
    setenv("GRAZE_IMPORT_STEP_HELPER", helper.c_str(), 1);
  }
  void TearDown() override { unsetenv("GRAZE_IMPORT_STEP_HELPER"); }

  // The corpus has a plate of 40 x 20 x 5 with a hole of radius 4, two pairs of pins (radius 2, height 10, 8 apart) that stand on it, the second pair turned by
  // a quarter, and above it a torus (6, 1), a ball of radius 3, and a cone of radius 3 and height 4.
  static std::string fixture() { return bytes_of(other_corpus("fixture.step")); }
  static Assembly parts(const std::string& text, const AssemblyOptions& options = {}) {
    return load_assembly({reinterpret_cast<const std::byte*>(text.data()), text.size()}, "m.step", options);
  }
};

TEST_F(Step, PartsInstancesAndPlaces) {
  for (const Assembly& a : {load_assembly(other_corpus("fixture.step").string()), parts(fixture())}) {
    std::vector<std::string> paths;
    for (const AssemblyPart& p : a.parts) paths.push_back(p.path);
    EXPECT_EQ(paths, (std::vector<std::string>{"fixture/plate", "fixture/pair/pin", "fixture/pair/pin#2", "fixture/pair#2/pin", "fixture/pair#2/pin#2",
                                               "fixture/ball", "fixture/ring", "fixture/tip"}));
    EXPECT_EQ(a.meshes.size(), 5u);
    for (int pin = 2; pin < 5; ++pin) EXPECT_EQ(a.parts[pin].mesh, a.parts[1].mesh);
    EXPECT_EQ(a.parts[2].pose.translation, Vec3(12, 10, 5));
    EXPECT_EQ(a.parts[4].pose.translation, Vec3(36, 12, 5));  // 8 along x, turned to y
    EXPECT_EQ(a.parts[4].pose.apply(Vec3(1, 0, 0)), Vec3(36, 13, 5));
    EXPECT_EQ(a.format, "step");
    EXPECT_EQ(a.unit, "millimetre");
    EXPECT_EQ(a.up_axis, "");
    EXPECT_FALSE(a.single_precision);
  }
}

TEST_F(Step, SolidsAreClosedAndOfTheRightSize) {
  const Assembly a = parts(fixture(), {.deflection = 0.0003});
  // Holes, seams, poles and apexes: volume() refuses a mesh that is not closed.
  const double volumes[] = {40 * 20 * 5 - kPi * 16 * 5, kPi * 4 * 10, kPi * 4 * 10, kPi * 4 * 10, kPi * 4 * 10, kPi * 36, 2 * kPi * kPi * 6, kPi * 12};
  ASSERT_EQ(a.parts.size(), std::size(volumes));
  for (std::size_t i = 0; i < std::size(volumes); ++i) EXPECT_NEAR(volume(solid(a.meshes[a.parts[i].mesh])), volumes[i], 0.003 * volumes[i]) << a.parts[i].path;
  // Plane faces are exact: the pins stand on the plate.
  EXPECT_EQ(relation(solid(a.meshes[0]), at(solid(a.meshes[1]), a.parts[1].pose)), Relation::touching);
}

TEST_F(Step, DeflectionIsTheUsersChoice) {
  const std::string text = fixture();
  const std::uint64_t coarse = parts(text, {.deflection = 0.01}).placed_triangles(), usual = parts(text).placed_triangles(),
                      fine = parts(text, {.deflection = 0.0003}).placed_triangles();
  EXPECT_LE(coarse, usual);
  EXPECT_LT(2 * usual, fine);
  EXPECT_EQ(load_model(other_corpus("fixture.step").string(), {.deflection = 0.0003}).data.triangles.size(), fine);
  for (const double wrong : {0.0, -1.0, 1.5, std::numeric_limits<double>::quiet_NaN()}) EXPECT_THROW((void)parts(text, {.deflection = wrong}), Error) << wrong;
}

TEST_F(Step, UnitsAreKept) {
  std::string metres = fixture();
  const std::string milli = "SI_UNIT(.MILLI.,.METRE.)";
  for (std::size_t at = metres.find(milli); at != std::string::npos; at = metres.find(milli)) metres.replace(at, milli.size(), "SI_UNIT($,.METRE.)");
  const Assembly a = parts(metres);
  EXPECT_EQ(a.unit, "metre");
  EXPECT_EQ(a.parts[2].pose.translation, Vec3(12, 10, 5));
}

TEST_F(Step, BadFiles) {
  const std::string text = fixture();
  EXPECT_EQ(load_error(text.substr(0, 20000), "m.step"), "m.step: OpenCASCADE cannot parse it as STEP");
  EXPECT_EQ(load_error("hello", "m.stp"), "m.stp: OpenCASCADE cannot parse it as STEP");
  EXPECT_EQ(load_error("ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('A'));\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n", "m"),
            "m: OpenCASCADE finds no shape in it");
  EXPECT_EQ(load_text(text, "m.obj").format, "step");  // the content decides
}

TEST_F(Step, WhatIsNotUnderstoodIsSaid) {
  std::string text = fixture();
  const std::string sound = "TOROIDAL_SURFACE(";
  ASSERT_NE(text.find(sound), std::string::npos);
  text.replace(text.find(sound), sound.size(), "TORXIDAL_SURFACE(");
  std::string said;
  try {
    const Assembly a = parts(text);
    said = test::join(a.notes);
  } catch (const Error& error) {  // of another version of OpenCASCADE
    said = error.what();
  }
  EXPECT_NE(said.find("does not understand "), std::string::npos) << said;
  EXPECT_NE(said.find(" of the file (the first is #"), std::string::npos) << said;
}

TEST_F(Step, MutationsAreReadOrRefused) {
  test::Random random(2);
  const std::string good = fixture();
  int said = 0;
  for (int i = 0; i < 12; ++i) {
    std::string text = good;
    for (int k = 0; k < 8; ++k) text[600 + random.below(text.size() - 600)] = static_cast<char>(' ' + random.below(95));
    try {
      said += test::join(parts(text, {.deflection = 0.01}).notes).find("does not understand") != std::string::npos ? 1 : 0;
    } catch (const Error&) {
      ++said;
    }
  }
  EXPECT_GT(said, 3);
}

TEST(StepHelper, Missing) {
  setenv("GRAZE_IMPORT_STEP_HELPER", "/nowhere/graze-import-step", 1);
  EXPECT_EQ(load_error("ISO-10303-21;", "m.stp"), "m.stp: GRAZE_IMPORT_STEP_HELPER names '/nowhere/graze-import-step', but there is no such program");
  unsetenv("GRAZE_IMPORT_STEP_HELPER");
  const fs::path other = fs::temp_directory_path();
  const std::string error = load_error("ISO-10303-21;", "m.stp");
  if (!fs::exists(fs::read_symlink("/proc/self/exe").parent_path() / "graze-import-step")) {
    EXPECT_EQ(error.find("m.stp: STEP files are read by the helper program graze-import-step, which was not found (tried "), 0u) << error;
    EXPECT_NE(error.find("; install OpenCASCADE with tools/setup.sh step (Debian's libocct-data-exchange-dev) and build again, or name it in the environment "
                         "variable GRAZE_IMPORT_STEP_HELPER"),
              std::string::npos)
        << error;
  }
}

}  // namespace
}  // namespace graze::step_test
