// OBJ: index forms, parts, peculiarities of real files, and every error with its line.
#include <gtest/gtest.h>

#include "support/reading.hpp"

namespace graze::obj_test {
namespace {

using test::load_error;
using test::load_text;
using Triangles = std::vector<TriangleIndices>;

const std::string kThree = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

LoadedModel load(const std::string& text) { return load_text(text, "m.obj"); }
std::string error(const std::string& text) { return load_error(text, "m.obj"); }

TEST(Obj, AllIndexForms) {
  const LoadedModel m =
      load(kThree + "vt 0 0\nvn 0 0 1\nf 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\nf 1/1/1 2/1/1 3/1/1\nf -3 -2 -1\nf -3/-1/-1 -2/-1/-1 -1/-1/-1\n");
  EXPECT_EQ(m.data.triangles, Triangles(6, {0, 1, 2}));
  EXPECT_EQ(m.format, "obj");
  EXPECT_FALSE(m.single_precision);
  EXPECT_TRUE(m.notes.empty()) << test::join(m.notes);
}

TEST(Obj, NegativeIndicesCountFromTheirLine) {
  const LoadedModel m = load(kThree + "f -3 -2 -1\nv 5 5 5\nf -3 -2 -1\n");
  EXPECT_EQ(m.data.triangles, (Triangles{{0, 1, 2}, {1, 2, 3}}));
}

TEST(Obj, FacesMayPrecedeTheirVertices) {
  const LoadedModel m = load("f 1 2 3\nf 1 2 3 4\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0");
  EXPECT_EQ(m.data.triangles, (Triangles{{0, 1, 2}, {0, 1, 2}, {0, 2, 3}}));
}

TEST(Obj, PartsAreRunsOfGroupsAndObjects) {
  const LoadedModel m = load(kThree + "f 1 2 3\ng wheel\nf 1 2 3\nf 1 3 2\ng rim  left\nusemtl red\nf 1 2 3\ng rim  left\nf 1 2 3\ng\nf 1 2 3\ng empty\n");
  ASSERT_EQ(m.data.parts.size(), 4u);
  const auto expect = [&](std::size_t i, const char* name, std::uint32_t first, std::uint32_t count) {
    EXPECT_EQ(m.data.parts[i].name, name);
    EXPECT_EQ(m.data.parts[i].first, first);
    EXPECT_EQ(m.data.parts[i].count, count);
  };
  expect(0, "", 0, 1);
  expect(1, "wheel", 1, 2);
  expect(2, "rim  left", 3, 2);
  expect(3, "default", 5, 1);
}

TEST(Obj, GroupsBelowAnObjectAreOnePart) {
  const LoadedModel m = load(kThree + "g before\nf 1 2 3\no wall\ng brick\nf 1 2 3\ng plaster\nf 1 3 2\no door\nf 1 2 3\ng handle\nf 1 3 2\no door\nf 1 2 3\n");
  std::string parts;
  for (const MeshPart& p : m.data.parts) parts += p.name + " " + std::to_string(p.first) + " " + std::to_string(p.count) + "\n";
  EXPECT_EQ(parts, "before 0 1\nwall 1 2\ndoor 3 2\ndoor 5 1\n");
}

TEST(Obj, VerticesThatAreNotFiniteMayBeUnused) {
  const LoadedModel m = load("v 0 0 0\nv nan 0 0\nv 1 0 0\nv 0 -inf 0\nv 0 1 0\nf 1 3 5\nf -1 -3 -5\n");
  EXPECT_EQ(m.data.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
  EXPECT_EQ(m.data.triangles, (std::vector<TriangleIndices>{{0, 1, 2}, {2, 1, 0}}));
  EXPECT_EQ(test::join(m.notes), "2 vertices that are NaN or infinite and in no face left out, the first at line 2\n");
}

TEST(Obj, MaterialsBecomePartsWithoutGroups) {
  const LoadedModel m = load(kThree + "usemtl red\nf 1 2 3\nusemtl blue\nf 1 2 3\nf 1 2 3\n");
  ASSERT_EQ(m.data.parts.size(), 2u);
  EXPECT_EQ(m.data.parts[1].name, "blue");
  EXPECT_EQ(m.data.parts[1].count, 2u);
}

TEST(Obj, LineEndsContinuationsCommentsAndExtras) {
  const LoadedModel m = load("# c\r\n\r\n\tv 0 0 0 1.0 # w\r\nv 1 0 \\\r\n 0 .5 .5 .5\r\nv 0 1 0\rf 1 2 \\\n3\rfo 1 2 3 #end");
  EXPECT_EQ(m.data.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
  EXPECT_EQ(m.data.triangles.size(), 2u);
}

TEST(Obj, NotesWhatItSkips) {
  const LoadedModel m = load(kThree + "l 1 2\nl 2 3\nfancy x\nf 1 2 3\nf 1 2\n");
  EXPECT_EQ(test::join(m.notes),
            "1 face with fewer than three corners skipped, the first at line 8\n"
            "line 4: 'l' is no polygon, not read (2 statements)\n"
            "line 6: 'fancy' is not known, ignored (1 statement)\n");
}

TEST(Obj, NotesOnUnknownKeywordsAreCapped) {
  std::string text = kThree + "f 1 2 3\n";
  for (int i = 0; i < 1000; ++i) text += "key" + std::to_string(i) + "\n";
  const LoadedModel m = load(text);
  ASSERT_EQ(m.notes.size(), 11u);
  EXPECT_EQ(m.notes.back(), "990 more statements with other unknown keywords ignored");
}

TEST(Obj, ErrorsNameTheLine) {
  EXPECT_EQ(error(kThree + "f 1 2 4\n"), "m.obj: line 4: face uses vertex 4 of 3");
  EXPECT_EQ(error(kThree + "\nf 1 2 0\n"), "m.obj: line 5: face uses vertex 0, expected 1 or more (vertices are counted from 1), or a negative number");
  EXPECT_EQ(error("v 0 0 0\nf 1 1 -2\nv 0 0 0\n"), "m.obj: line 2: face uses vertex -2, but only 1 vertex is defined above");
  EXPECT_EQ(error("f 1 2 9\nf 1 2 7\nf 1 20 3\n" + kThree), "m.obj: line 1: face uses vertex 9 of 3");
  EXPECT_EQ(error("f 1 2 3\nf 1 2 7\nf 1 20 3\n" + kThree), "m.obj: line 2: face uses vertex 7 of 3");
  EXPECT_EQ(error(kThree + "f 1 2 99999999999\n"), "m.obj: line 4: face uses vertex 99999999999 of 3");
  EXPECT_EQ(error("v 0 0\nv 1 1 1\n"), "m.obj: line 1: the line ends, expected z of vertex 1");
  EXPECT_EQ(error("v 0 0 0\nv 1 nan 1\nv 1 0 0\nf 1 2 3\n"), "m.obj: line 2: vertex 1 (counted from 0) is NaN or infinite, and a face uses it");
  EXPECT_EQ(error("v 0 0 0\nv 1 1 \\\n 1,5\n"), "m.obj: line 3: found '1,5', expected a number (z of vertex 2)");
  for (const char* corner : {"1.5", "a", "1/2/3/4", "1/x", "//1", "/1", "1|2", "1-2", "99999999999999999999", "1 /2"}) {
    EXPECT_NE(error(kThree + "f 1 2 " + corner + "\n").find("m.obj: line 4: found '"), std::string::npos) << corner;
    EXPECT_NE(error(kThree + "f 1 2 " + corner + "\n").find("expected a face's corner"), std::string::npos) << corner;
  }
}

TEST(Obj, RefusesOtherContent) {
  EXPECT_EQ(error("1 2 3\n"), "m.obj: line 1: found '1', expected a keyword such as v or f");
  EXPECT_NE(error(std::string("\x89PNG\r\n\0\0", 8)).find("m.obj: line 1: found '\\x89PNG'"), std::string::npos);
  EXPECT_EQ(error("# nothing\n"), "m.obj: no vertex ('v') and no face ('f') in 2 lines: not an OBJ model");
  EXPECT_EQ(error("hello world\n"), "m.obj: no vertex ('v') and no face ('f') in 2 lines, first keyword 'hello': not an OBJ model");
}

TEST(Obj, PointsAloneAreAModelWithoutTriangles) {
  const LoadedModel m = load(kThree);
  EXPECT_EQ(m.data.vertices.size(), 3u);
  EXPECT_EQ(test::join(m.notes), "no triangles\n");
}

}  // namespace
}  // namespace graze::obj_test
