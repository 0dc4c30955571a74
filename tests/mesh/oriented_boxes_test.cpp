// Oriented boxes of a tree's nodes: they contain the corners of all triangles below, with the room that kernels need, and fit flat and curved patches closely.
#include "mesh/oriented_boxes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "mesh/meshes.hpp"
#include "support/random.hpp"

namespace graze::test::oriented_boxes_test {
namespace {

using Real = long double;

struct Box {
  Real center[3], axis[3][3], half[3];
  Box(const OrientedNode& n, std::uint32_t s) {
    for (std::size_t i = 0; i < 3; ++i) {
      center[i] = static_cast<Real>(n.center[i][s]);
      half[i] = static_cast<Real>(n.half[i][s]);
      for (std::size_t k = 0; k < 2; ++k) axis[k][i] = static_cast<Real>(n.axis[k][i][s]);
    }
    for (std::size_t i = 0; i < 3; ++i) axis[2][i] = axis[0][(i + 1) % 3] * axis[1][(i + 2) % 3] - axis[0][(i + 2) % 3] * axis[1][(i + 1) % 3];
  }
  Real largest() const { return std::max({half[0], half[1], half[2]}); }
};

void expect_contains(const MeshImpl& m, std::uint32_t number, const std::vector<Box>& above) {
  const WideNode& node = m.tree.node(number);
  for (std::uint32_t s = 0; s < node.used; ++s) {
    std::vector<Box> boxes = above;
    boxes.emplace_back(m.oriented()[number], s);
    const Box& own = boxes.back();
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) {
        Real dot = 0;
        for (int i = 0; i < 3; ++i) dot += own.axis[k][i] * own.axis[j][i];
        EXPECT_NEAR(static_cast<double>(dot), k == j, 0x1p-22);
      }
      EXPECT_LT(own.half[k], 4);
      EXPECT_LT(own.center[k], 3.1L);
      EXPECT_GT(own.center[k], -3.1L);
    }
    if (!node.leaf(static_cast<int>(s))) {
      expect_contains(m, node.child[s], boxes);
      continue;
    }
    const TriangleBlock& block = m.blocks[node.leaf_number(s)];
    for (const Box& box : boxes) {
      for (std::size_t c = 0; c < 9; c += 3) {
        for (std::size_t lane = 0; lane < kBlock; ++lane) {
          for (int k = 0; k < 3; ++k) {
            Real at = 0;
            for (std::size_t i = 0; i < 3; ++i) at += box.axis[k][i] * (static_cast<Real>(block.corner[c + i][lane]) - box.center[i]);
            ASSERT_LE(std::fabs(at) + 0x1p-17L * box.largest(), box.half[k]);
          }
        }
      }
    }
  }
}

TEST(OrientedBoxes, ContainAllCornersWithRoom) {
  Random r(61);
  auto all = meshes();
  all.push_back({"ball", ball(20, Vec3(0), 1), 1});
  MeshData needles = soup(r, 300, 1, Vec3(0), 1e-4);
  for (std::size_t i = 0; i < needles.vertices.size(); i += 3) needles.vertices[i] = r.point(-1, 1);
  all.push_back({"needles", needles, 1});
  MeshData clusters = soup(r, 100, 1e-30, Vec3(0));
  append(clusters, soup(r, 3, 1, Vec3(0)));
  all.push_back({"a cluster far smaller than the rest", clusters, 1});
  for (const NamedMesh& n : all) {
    for (const Build how : {Build::best, Build::fast}) {
      SCOPED_TRACE(n.name);
      const Mesh mesh(n.data, how);
      expect_contains(mesh.impl(), 0, {});
    }
  }
}

/// A turned plate of 40 x 40 squares, bent to the given curvature.
MeshData plate(const Pose& pose, double curvature) {
  MeshData d;
  for (std::uint32_t i = 0; i <= 40; ++i)
    for (std::uint32_t j = 0; j <= 40; ++j) {
      const double x = i / 40.0 - 0.5, y = j / 40.0 - 0.5;
      d.vertices.push_back(pose.apply(Vec3(x, y, 0.5 * curvature * (x * x + y * y))));
      if (i < 40 && j < 40) {
        const std::uint32_t at = i * 41 + j;
        d.triangles.push_back({at, at + 41, at + 42});
        d.triangles.push_back({at, at + 42, at + 1});
      }
    }
  return d;
}

// Boxes of patches are as thin as the patch is flat; boxes along the axes would be about as thick as they are wide.
TEST(OrientedBoxes, FitPatches) {
  Random r(62);
  for (int round = 0; round < 20; ++round) {
    for (const double curvature : {0.0, 0.5}) {
      const Mesh mesh(plate(r.pose(1), curvature));
      const MeshImpl& m = mesh.impl();
      for (std::uint32_t n = 0; n < m.tree.node_count(); ++n) {
        for (std::uint32_t s = 0; s < m.tree.node(n).used; ++s) {
          const Box box(m.oriented()[n], s);
          const Real thickness = std::min({box.half[0], box.half[1], box.half[2]}), width = box.largest();
          EXPECT_LT(thickness, 1e-4L * width + 1e-6L + static_cast<Real>(curvature) * 1.5L * width * width);
        }
      }
    }
  }
}

}  // namespace
}  // namespace graze::test::oriented_boxes_test
