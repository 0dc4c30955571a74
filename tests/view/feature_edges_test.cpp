// The edges of a mesh that are drawn: borders and creases of objects, but not the texture of a rough surface.
#include <gtest/gtest.h>

#include <cmath>
#include "viewer/feature_edges.hpp"

namespace graze::view {
namespace {

/// A strip of quads that follows the profile, y from 0 to 1.
Mesh folded(const std::vector<Vec3>& profile) {
  MeshData data;
  for (const Vec3& p : profile)
    for (const double y : {0.0, 1.0}) data.vertices.emplace_back(p.x, y, p.z);
  for (std::uint32_t i = 0; i + 1 < profile.size(); ++i) {
    const std::uint32_t a = 2 * i;
    data.triangles.push_back({a, a + 2, a + 3});
    data.triangles.push_back({a, a + 3, a + 1});
  }
  return Mesh(data);
}

/// A flat grid of 8 by 8 quads whose middle vertex is raised.
Mesh bump(double height) {
  constexpr std::uint32_t n = 8;
  MeshData data;
  for (std::uint32_t j = 0; j <= n; ++j)
    for (std::uint32_t i = 0; i <= n; ++i) data.vertices.emplace_back(i, j, i == n / 2 && j == n / 2 ? height : 0);
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = j * (n + 1) + i;
      data.triangles.push_back({a, a + 1, a + n + 2});
      data.triangles.push_back({a, a + n + 2, a + n + 1});
    }
  return Mesh(data);
}

/// Feature lines that are not on the grid's border.
std::size_t inside(const std::vector<FeatureLine>& lines) {
  std::size_t n = 0;
  for (const FeatureLine& l : lines) n += std::max(std::abs(l.ax - 4), std::abs(l.ay - 4)) < 3 && std::max(std::abs(l.bx - 4), std::abs(l.by - 4)) < 3;
  return n;
}

TEST(FeatureEdges, DropsLoneWeakCreases) {
  EXPECT_EQ(inside(feature_lines(bump(0), Vec3(0, 0, 0))), 0u);
  EXPECT_EQ(inside(feature_lines(bump(0.45), Vec3(0, 0, 0))), 0u);  // creases of at most 33 degrees, connected to no steeper one
  EXPECT_GT(inside(feature_lines(bump(2), Vec3(0, 0, 0))), 0u);     // steep
}

TEST(FeatureEdges, KeepsWeakCreasesThatContinueStrongOnes) {
  // half a prism of twelve sides: its edges along y bend by 30 degrees and end at the border
  std::vector<Vec3> profile;
  for (int i = 0; i <= 6; ++i) profile.emplace_back(std::cos(i * 0.5235987755982988), 0, std::sin(i * 0.5235987755982988));
  EXPECT_EQ(feature_lines(folded(profile), Vec3(0, 0, 0)).size(), 5u + 2u + 2u * 6u);
}

}  // namespace
}  // namespace graze::view
