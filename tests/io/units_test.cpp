// Units of length by name, and models brought to another unit and up axis as they are read.
#include "io/units.hpp"

#include <gtest/gtest.h>

#include <graze/error.hpp>
#include <graze/io.hpp>
#include <graze/query.hpp>
#include <span>
#include <string>
#include <utility>

#include "support/glb_writer.hpp"
#include "support/reading.hpp"
#include "support/three_mf_writer.hpp"

namespace graze::io::units_test {
namespace {

LoadedModel load(const std::string& text, const std::string& name, const LoadOptions& options) {
  return load_model(std::as_bytes(std::span<const char>(text.data(), text.size())), name, options);
}

LoadOptions in_unit(const std::string& unit) {
  LoadOptions o;
  o.unit = unit;
  return o;
}

std::string three_mf(const std::string& unit, const std::string& edge, const std::string& transform = "") {
  const std::string mesh =
      "<mesh><vertices><vertex x=\"0\" y=\"0\" z=\"0\"/><vertex x=\"" + edge + "\" y=\"0\" z=\"0\"/><vertex x=\"0\" y=\"" + edge +
      "\" z=\"0\"/><vertex x=\"0\" y=\"0\" z=\"" + edge +
      "\"/></vertices><triangles><triangle v1=\"0\" v2=\"2\" v3=\"1\"/><triangle v1=\"0\" v2=\"1\" v3=\"3\"/><triangle v1=\"1\" v2=\"2\" v3=\"3\"/>"
      "<triangle v1=\"0\" v2=\"3\" v3=\"2\"/></triangles></mesh>";
  return test::three_mf_of(
      test::model_file(test::object(1, "", mesh), test::item(1, transform.empty() ? "" : "transform=\"" + transform + "\""), "unit=\"" + unit + "\""));
}

TEST(Units, Names) {
  const auto ratio = [](const char* from, const char* to) { return scale_between(from, to).ratio(); };
  EXPECT_EQ(ratio("inch", "millimeter"), "127/5");
  EXPECT_EQ(ratio("millimetre", "inch"), "5/127");
  EXPECT_EQ(ratio("metre", "micron"), "1000000");
  EXPECT_EQ(ratio("foot", "inch"), "12");
  EXPECT_EQ(ratio("METRE", "mm"), "1000");
  EXPECT_EQ(ratio("inch (0.0254 m)", "mm"), "127/5");
  EXPECT_EQ(ratio("my unit (0.5 m)", "cm"), "50");
  EXPECT_EQ(ratio("2.5 cm", "mm"), "25");
  EXPECT_EQ(ratio("kilometre", "micrometre"), "1000000000");
  for (const char* unknown : {"", "furlong", "light year", "unit (x m)", "unit (0 m)", "unit (1)", "1.2.3 m", "99999999999999999999 m"}) {
    EXPECT_FALSE(length_of_unit(unknown)) << unknown;
    EXPECT_TRUE(scale_between(unknown, "mm").is_one());
    EXPECT_EQ(metres_per_unit(unknown), 0);
  }
  EXPECT_TRUE(is_same_unit("meter", "metre"));
  EXPECT_TRUE(is_same_unit("metre", "meter (1 m)"));
  EXPECT_TRUE(is_same_unit("inch (0.0254 m)", "in"));
  EXPECT_FALSE(is_same_unit("inch", "mm"));
  EXPECT_FALSE(is_same_unit("furlong", "mm"));
  EXPECT_EQ(metres_per_unit("inch"), 0.0254);
}

TEST(Units, PackagesAsWritten) {
  for (const auto& [edge, expected] : {std::pair{"0.1", 2.54}, {"0.3", 7.62}, {"1e-1", 2.54}, {"3.3", 83.82}, {"0.7", 17.78}}) {
    const LoadedModel m = load(three_mf("inch", edge), "m.3mf", in_unit("millimeter"));
    EXPECT_EQ(m.data.vertices[1].x, expected) << edge;
    EXPECT_EQ(m.unit, "millimeter");
    ASSERT_EQ(m.notes.size(), 1u);
    EXPECT_EQ(m.notes[0], "brought from inch to millimeter: coordinates times 127/5, rounded: touching may be lost");
  }
  const LoadedModel exact = load(three_mf("inch", "10"), "m.3mf", in_unit("mm"));
  EXPECT_EQ(exact.notes, std::vector<std::string>{"brought from inch to mm: coordinates times 127/5"});
  const LoadedModel placed = load(three_mf("inch", "0.1", "0 1 0 -1 0 0 0 0 1 0.2 0 0.1"), "m.3mf", in_unit("millimeter"));
  EXPECT_EQ(placed.data.vertices[0], Vec3(5.08, 0, 2.54));
  EXPECT_EQ(placed.data.vertices[1], Vec3(5.08, 2.54, 2.54));
  const LoadedModel same = load(three_mf("meter", "0.1"), "m.3mf", in_unit("metre"));
  EXPECT_EQ(same.data.vertices[1].x, 0.1);
  EXPECT_TRUE(same.notes.empty());
  EXPECT_THROW((void)load(three_mf("meter", "1e308"), "m.3mf", in_unit("micron")), Error);
}

TEST(Units, ReadersOfBinaryNumbers) {
  test::GlbWriter glb;
  glb.node(R"("mesh":)" + std::to_string(glb.box({0, 0, 0}, {0.1, 0.25, 1})) + R"(,"translation":[0.5,0,0],"rotation":[0,0,1,0])");
  const LoadedModel m = load(glb.file(), "m.glb", in_unit("millimetre"));
  EXPECT_EQ(m.unit, "millimetre");
  EXPECT_EQ(m.up_axis, "y");
  const Box b = bounding_box(Mesh(m.data));
  EXPECT_EQ(b.max, Vec3(500, 0, 1000));
  EXPECT_EQ(b.min, Vec3(500 - 1000 * static_cast<double>(0.1f), -250, 0));
  LoadOptions upright = in_unit("metre");
  upright.up_axis = "z";
  const LoadedModel turned = load(glb.file(), "m.glb", upright);
  EXPECT_EQ(turned.up_axis, "z");
  EXPECT_EQ(turned.notes, std::vector<std::string>{"turned by a quarter turn, so that its up axis y is z"});
  const Box c = bounding_box(Mesh(turned.data));
  EXPECT_EQ(c.min, Vec3(0.5 - static_cast<double>(0.1f), -1, -0.25));
  EXPECT_EQ(c.max, Vec3(0.5, 0, 0));
  EXPECT_EQ(signed_volume(solid(Mesh(turned.data))) > 0, true);
}

TEST(Units, FilesWithoutAUnitStay) {
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  LoadOptions o = in_unit("millimetre");
  o.up_axis = "z";
  const LoadedModel m = load(obj, "m.obj", o);
  EXPECT_EQ(m.data.vertices[1], Vec3(1, 0, 0));
  EXPECT_EQ(m.unit, "");
  EXPECT_TRUE(m.notes.empty());
  EXPECT_THROW((void)load(obj, "m.obj", in_unit("furlong")), Error);
  o.up_axis = "-z";
  EXPECT_THROW((void)load(obj, "m.obj", o), Error);
}

}  // namespace
}  // namespace graze::io::units_test
