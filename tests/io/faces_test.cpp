// Polygons: the fan, exact triangles for concave polygons, the fan with a note for polygons that cross themselves; the same from every format.
#include <gtest/gtest.h>

#include "support/reading.hpp"

namespace graze::faces_test {
namespace {

using test::load_text;
using Triangles = std::vector<TriangleIndices>;

double twice_area_z(const MeshData& data) {
  double sum = 0;
  for (const auto& [a, b, c] : data.triangles) {
    const Vec3 u = data.vertices[b] - data.vertices[a], v = data.vertices[c] - data.vertices[a];
    sum += u.x * v.y - u.y * v.x;
  }
  return sum;
}

TEST(Faces, ConvexPolygonsAreFansFromTheirFirstCorner) {
  const LoadedModel m = load_text("v 0 0 0\nv 4 0 0\nv 5 2 0\nv 2 4 0\nv 0 3 0\nf 3 4 5 1 2\n", "m.obj");
  EXPECT_EQ(m.data.triangles, (Triangles{{2, 3, 4}, {2, 4, 0}, {2, 0, 1}}));
  EXPECT_EQ(m.polygons, 1u);
  EXPECT_TRUE(m.concave.empty());
  EXPECT_TRUE(m.notes.empty());
}

TEST(Faces, ConcavePolygonsAreTriangulatedExactly) {
  // An arrow head whose fan from the first corner would cover the point (2, 2), which lies outside.
  const char* const texts[][2] = {{"v 9 9 9\nv 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 2 3 4\nf 2 3 4 5\n", "m.obj"},
                                  {"OFF\n5 2 0\n9 9 9\n0 0 0\n4 0 0\n1 1 0\n0 4 0\n3 1 2 3\n4 1 2 3 4\n", "m.off"},
                                  {"ply\nformat ascii 1.0\nelement vertex 5\nproperty int x\nproperty int y\nproperty int z\nelement face 2\nproperty list int "
                                   "int vertex_index\nend_header\n9 9 9\n0 0 0\n4 0 0\n1 1 0\n0 4 0\n3 1 2 3\n4 1 2 3 4\n",
                                   "m.ply"}};
  for (const auto& [text, name] : texts) {
    const LoadedModel m = load_text(text, name);
    EXPECT_EQ(m.concave, (std::vector<std::uint32_t>{1})) << name;
    ASSERT_EQ(m.data.triangles.size(), 3u) << name;
    EXPECT_EQ(m.data.triangles[0], (TriangleIndices{1, 2, 3})) << name;
    EXPECT_EQ(twice_area_z(m.data), 4.0 + 8.0) << name;
    for (std::size_t t = 1; t < 3; ++t) {
      MeshData one{m.data.vertices, {m.data.triangles[t]}, {}};
      EXPECT_GT(twice_area_z(one), 0.0) << name;  // both keep the polygon's side up: no fold
      for (const std::uint32_t corner : m.data.triangles[t]) EXPECT_GE(corner, 1u);
    }
    EXPECT_TRUE(m.notes.empty()) << test::join(m.notes);
  }
}

TEST(Faces, TriangulatesEvenIfTheFanFromTheFirstVertexIsValid) {
  // The same concave polygon, starting at its reflex corner. A fan from there would be valid, too, but every concave polygon is triangulated.
  const LoadedModel m = load_text("v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 3 4 1 2\n", "m.obj");
  EXPECT_EQ(m.concave, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(twice_area_z(m.data), 8.0);
}

TEST(Faces, CrossingPolygonsTakeTheLeastAreaWithANote) {
  const LoadedModel m = load_text("v 0 0 0\nv 2 2 0\nv 2 0 0\nv 0 1 0\nf 1 2 3 4\n", "m.obj");
  EXPECT_EQ(m.data.triangles, (Triangles{{0, 1, 3}, {1, 2, 3}}));
  EXPECT_TRUE(m.concave.empty());
  EXPECT_EQ(test::join(m.notes),
            "face 0 (line 5) crosses itself by 0.707, and was cut into the triangles of least area, 2 more than the 1 that its outline bounds: triangulate: "
            "edges 0-1 "
            "((0, 0, 0) to (2, 2, 0)) and 2-3 ((2, 0, 0) to (0, 1, 0)) cross: the polygon crosses itself\n");
}

// As where a writer rounds: the hole stays open, however many corners the face has.
TEST(Faces, HolesStayOpenInFacesThatCrossALittle) {
  for (const int n : {10, 100, 1000}) {
    std::string text, face = "f";
    const auto corner = [&](double x, double y) { text += "v " + std::to_string(x) + " " + std::to_string(y) + " 0\n"; };
    const auto side = [&](double size, int k, int way) {  // k-th of 4 n corners of a square
      const double along = size * (2.0 * (k % n) / n - 1);
      const double x[4] = {along, size, -along, -size}, y[4] = {-size, along, size, -along};
      corner(x[k / n], way * y[k / n]);
    };
    for (int k = 0; k <= 4 * n; ++k) side(2, k % (4 * n), 1);
    for (int k = 0; k <= 4 * n; ++k) {
      side(1, (k + 3 * n) % (4 * n), -1);
      if (k != n / 2) continue;
      for (const auto& [x, y] : {std::pair(-0.999999, 1.0), std::pair(-1.000001, 1.2), std::pair(-0.999999, 1.2), std::pair(-1.000001, 1.0)}) corner(x, y / n);
    }
    for (int k = 1; k <= 8 * n + 6; ++k) face += " " + std::to_string(k);
    const LoadedModel m = load_text(text + face + "\n", "m.obj");
    double area = 0;
    for (const TriangleIndices& t : m.data.triangles) area += std::abs(twice_area_z({m.data.vertices, {t}, {}})) / 2;
    EXPECT_NEAR(area, 12, 1e-4) << n;
    ASSERT_EQ(m.notes.size(), 1u);
    EXPECT_NE(m.notes[0].find(" crosses itself by "), std::string::npos);
  }
}

TEST(Faces, NotesOnCrossingPolygonsAreCapped) {
  std::string text = "v 0 0 0\nv 2 2 0\nv 2 0 0\nv 0 1 0\n";
  for (int i = 0; i < 100; ++i) text += "f 1 2 3 4\n";
  const LoadedModel m = load_text(text, "m.obj");
  ASSERT_EQ(m.notes.size(), 11u);
  EXPECT_EQ(m.notes.back(), "90 more faces cross themselves, and were cut into the triangles of least area");
}

// From any corner of the list, and from every format.
TEST(Faces, CornersOnStraightEdgesMakeNoTriangleWithoutArea) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 1 0\nv 2 2 0\nv 1 2 0\nv 0 2 0\nv 0 1 0\n";
  for (int first = 0; first < 8; ++first) {
    std::string face = "f";
    for (int k = 0; k < 8; ++k) face += " " + std::to_string((first + k) % 8 + 1);
    const LoadedModel m = load_text(points + face + "\n", "m.obj");
    EXPECT_EQ(twice_area_z(m.data), 8.0);
    for (const TriangleIndices& t : m.data.triangles) EXPECT_GT(twice_area_z({m.data.vertices, {t}, {}}), 0.0) << first;
    EXPECT_TRUE(m.seams.empty() && m.concave.empty() && m.notes.empty());
  }
}

TEST(Faces, FacesWithHolesAndSeams) {
  const LoadedModel hole = load_text("v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 1 1 0\nv 1 3 0\nv 3 3 0\nv 3 1 0\nf 1 2 3 4 1 5 6 7 8 5\n", "m.obj");
  EXPECT_EQ(hole.data.triangles.size(), 8u);
  EXPECT_EQ(twice_area_z(hole.data), 24.0);
  for (const TriangleIndices& t : hole.data.triangles) EXPECT_GT(twice_area_z({hole.data.vertices, {t}, {}}), 0.0);
  EXPECT_TRUE(hole.seams.empty() && hole.notes.empty());
  EXPECT_EQ(hole.concave, (std::vector<std::uint32_t>{0}));
  const LoadedModel seam = load_text("v 0 0 0\nv 4 0 0\nv 4 4 0\nv 2 0 0\nv 0 4 0\nf 1 2 3 4 5\nf 1 2 3\n", "m.obj");
  ASSERT_EQ(seam.seams.size(), 1u);
  EXPECT_EQ(twice_area_z({seam.data.vertices, {seam.data.triangles[seam.seams[0]]}, {}}), 0.0);
  EXPECT_EQ(twice_area_z(seam.data), 16.0 + 16.0);
}

TEST(Faces, PartsCountTriangles) {
  const LoadedModel m = load_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\no a\nf 1 2 3 4\no b\nf 1 2 3\nf 1 2 3 4\n", "m.obj");
  ASSERT_EQ(m.data.parts.size(), 2u);
  EXPECT_EQ(m.data.parts[0].count, 2u);
  EXPECT_EQ(m.data.parts[1].first, 2u);
  EXPECT_EQ(m.data.parts[1].count, 3u);
}

}  // namespace
}  // namespace graze::faces_test
