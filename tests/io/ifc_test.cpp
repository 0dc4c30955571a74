// IFC: products, shared shapes, exact places and openings, through node and web-ifc; skipped where one of them is not installed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <graze/assembly.hpp>
#include <graze/query.hpp>
#include <string>
#include <vector>

#include "support/import_helper.hpp"
#include "support/paths.hpp"
#include "support/reading.hpp"

namespace graze::ifc_test {
namespace {

namespace fs = std::filesystem;
using test::bytes_of;
using test::load_error;
using test::load_text;
using test::other_corpus;

class Ifc : public testing::Test {
 protected:
  void SetUp() override {
    helper_ = test::built_helper("graze-import-ifc.mjs");
    ASSERT_FALSE(helper_.empty()) << "graze-import-ifc.mjs is not in the build folder";
    setenv("GRAZE_IMPORT_IFC_HELPER", helper_.c_str(), 1);
  }
  void TearDown() override {
    for (const char* name : {"GRAZE_IMPORT_IFC_HELPER", "GRAZE_WEB_IFC"}) unsetenv(name);
  }
  // The house has a slab, a wall with an opening, a column that touches the wall, one of the same shape that goes into the slab, a space, and a crate two of
  // whose faces face inward.
  static std::string house() { return bytes_of(other_corpus("house.ifc")); }
  static bool is_installed() {
    const std::string error = load_error(house(), "m.ifc");
    if (error.find("tools/setup.sh ifc") == std::string::npos) return true;
    return false;
  }
  fs::path helper_;
};

#define NEEDS_WEB_IFC() \
  if (!is_installed()) GTEST_SKIP() << "node or web-ifc is not installed (tools/setup.sh ifc)"

Relation between(const Assembly& a, std::size_t i, std::size_t j) {
  const Solid x = solid(a.meshes[a.parts[i].mesh]), y = solid(a.meshes[a.parts[j].mesh]);
  return relation(at(x, a.parts[i].pose), at(y, a.parts[j].pose));
}

TEST_F(Ifc, ProductsSharedShapesAndPlaces) {
  NEEDS_WEB_IFC();
  for (const bool from_memory : {false, true}) {
    const std::string text = house();
    const Assembly a = from_memory ? load_assembly({reinterpret_cast<const std::byte*>(text.data()), text.size()}, "m.ifc")
                                   : load_assembly(other_corpus("house.ifc").string());
    ASSERT_EQ(a.parts.size(), 5u);
    std::vector<std::string> paths, names;
    for (const AssemblyPart& p : a.parts) paths.push_back(p.path), names.push_back(p.name);
    EXPECT_EQ(paths, (std::vector<std::string>{"1Slab00000000000000001", "1Column000000000000001", "1Column000000000000002", "1Wall00000000000000001",
                                               "1Crate0000000000000001"}));
    EXPECT_EQ(names, (std::vector<std::string>{"Site/House/Ground floor/Slab", "Site/House/Ground floor/Column", "Site/House/Ground floor/Column#2",
                                               "Site/House/Ground floor/W\xC3\xA4nd", "Site/IfcBuildingElementProxy"}));
    EXPECT_EQ(a.meshes.size(), 4u);
    EXPECT_EQ(a.parts[1].mesh, a.parts[2].mesh);
    EXPECT_EQ(a.format, "ifc (IFC4)");
    EXPECT_EQ(a.unit, "millimetre");
    EXPECT_EQ(a.up_axis, "z");
    EXPECT_TRUE(a.single_precision);
    const std::string notes = test::join(a.notes);
    EXPECT_NE(notes.find("1 opening is no part\n1 space is left out\n"), std::string::npos) << notes;
    // Numbers that are whole in the file stay whole; the second column is turned by a quarter.
    const auto box = [&](std::size_t i) { return bounding_box(at(a.meshes[a.parts[i].mesh], a.parts[i].pose)); };
    EXPECT_EQ(box(1).min, Vec3(350, 240, 0));
    EXPECT_EQ(box(1).max, Vec3(650, 540, 2500));
    EXPECT_EQ(box(2).min, Vec3(2850, 1850, -100));
    EXPECT_EQ(box(2).max, Vec3(3150, 2150, 2400));
    EXPECT_EQ(a.parts[2].pose.rotation[0][1], -1);  // web-ifc's y up is undone
  }
}

TEST_F(Ifc, SolidsAreClosedAndRelationsExact) {
  NEEDS_WEB_IFC();
  const Assembly a = load_assembly(other_corpus("house.ifc").string());
  ASSERT_EQ(a.parts.size(), 5u);
  const auto volume_of = [&](std::size_t i) { return volume(solid(a.meshes[a.parts[i].mesh])); };
  EXPECT_EQ(volume_of(0), 4000.0 * 3000 * 200);
  EXPECT_EQ(volume_of(1), 300.0 * 300 * 2500);
  EXPECT_EQ(volume_of(3), 4000.0 * 240 * 2500 - 900.0 * 240 * 2100);
  EXPECT_EQ(volume_of(4), 1000.0 * 1000 * 1000);  // two of its faces face inward in the file
  EXPECT_NE(test::join(a.notes).find("1 closed surface has triangles that web-ifc left facing inward: turned over"), std::string::npos);
  EXPECT_EQ(between(a, 0, 3), Relation::touching);     // wall on slab
  EXPECT_EQ(between(a, 0, 1), Relation::touching);     // column on slab
  EXPECT_EQ(between(a, 1, 3), Relation::touching);     // column at wall
  EXPECT_EQ(between(a, 0, 2), Relation::overlapping);  // column in slab
  EXPECT_EQ(between(a, 1, 2), Relation::disjoint);
}

TEST_F(Ifc, MapConversionsAreNoted) {
  NEEDS_WEB_IFC();
  std::string text = house();
  text.insert(text.rfind("ENDSEC;"), "#9001=IFCPROJECTEDCRS('EPSG:25832',$,$,$,$,$,$);\n#9002=IFCMAPCONVERSION(#20,#9001,6000000.,450000.5,0.,1.,0.,1.);\n");
  const std::string note = "the conversion to map coordinates, which moves the model by (6000000, 450000.5, 0), is not applied\n";
  EXPECT_NE(test::join(test::load_parts(text, "m.ifc").notes).find(note), std::string::npos);
  EXPECT_EQ(test::join(test::load_parts(house(), "m.ifc").notes).find("map coordinates"), std::string::npos);
}

TEST_F(Ifc, BadFiles) {
  NEEDS_WEB_IFC();
  EXPECT_NE(load_error("hello", "m.ifc").find("m.ifc: web-ifc "), std::string::npos) << load_error("hello", "m.ifc");
  const std::string text = house();
  EXPECT_EQ(load_text(text, "m.step").format, "ifc (IFC4)");  // the content decides
  std::string nothing = text.substr(0, text.find("#1=")) + "ENDSEC;\nEND-ISO-10303-21;\n";
  try {
    (void)load_assembly({reinterpret_cast<const std::byte*>(nothing.data()), nothing.size()}, "m.ifc");
    ADD_FAILURE() << "a file without products gave an assembly";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "m.ifc: has no part with a triangle");
  }
}

TEST_F(Ifc, SaysWhatIsMissing) {
  setenv("GRAZE_IMPORT_IFC_HELPER", "/nowhere/graze-import-ifc.mjs", 1);
  EXPECT_EQ(load_error(house(), "m.ifc"), "m.ifc: GRAZE_IMPORT_IFC_HELPER names '/nowhere/graze-import-ifc.mjs', but there is no such program");
  setenv("GRAZE_IMPORT_IFC_HELPER", helper_.c_str(), 1);
  const std::string path = getenv("PATH");
  setenv("PATH", "/nowhere:", 1);
  EXPECT_EQ(load_error(house(), "m.ifc"),
            "m.ifc: IFC files are read by a program for node (Node.js), which is not in the PATH; tools/setup.sh ifc installs it and web-ifc");
  setenv("PATH", path.c_str(), 1);
  if (load_error(house(), "m.ifc").find("Node.js") != std::string::npos) GTEST_SKIP() << "node is not installed";
  setenv("GRAZE_WEB_IFC", "/nowhere", 1);
  EXPECT_EQ(
      load_error(house(), "m.ifc"),
      "m.ifc: IFC is read by web-ifc, a package of npm, which was not found in the folder '/nowhere' that GRAZE_WEB_IFC names; tools/setup.sh ifc installs "
      "it, or name its folder in the environment variable GRAZE_WEB_IFC");
}

}  // namespace
}  // namespace graze::ifc_test
