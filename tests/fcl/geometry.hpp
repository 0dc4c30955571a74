// Geometry of FCL for the tests: one of each kind, with its lowest point at z = -1, and bodies whose top is the plane z = 0.
#pragma once
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/halfspace.h>
#include <fcl/geometry/shape/plane.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/geometry/shape/triangle_p.h>

#include <memory>
#include <string>
#include <vector>

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;
using Vector = fcl::Vector3d;
using Transform = fcl::Transform3d;

struct Named {
  std::string name;
  Geometry geometry;
  bool curved = false;  // decided within 1e-12 of its size, not exactly
};

inline Transform moved(double x, double y, double z) { return Transform(fcl::Translation3d(Vector(x, y, z))); }

/// The corners of a box about the origin, and its sides as triangles, counter-clockwise from outside.
inline std::vector<Vector> corners(const Vector& half) {
  std::vector<Vector> out;
  for (int i = 0; i < 8; ++i) out.emplace_back((i & 1) != 0 ? half[0] : -half[0], (i & 2) != 0 ? half[1] : -half[1], (i & 4) != 0 ? half[2] : -half[2]);
  return out;
}
inline std::vector<fcl::Triangle> sides() {
  return {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
}

template <class BV>
std::shared_ptr<fcl::BVHModel<BV>> box_model(const Vector& half) {
  auto model = std::make_shared<fcl::BVHModel<BV>>();
  model->beginModel();
  model->addSubModel(corners(half), sides());
  model->endModel();
  return model;
}

inline Geometry convex(const Vector& half) {
  auto faces = std::make_shared<std::vector<int>>();
  for (const fcl::Triangle& t : sides()) faces->insert(faces->end(), {3, static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2])});
  return std::make_shared<fcl::Convexd>(std::make_shared<const std::vector<Vector>>(corners(half)), 12, faces);
}

inline std::vector<Named> bodies() {
  const Vector one(1, 1, 1);
  return {{"box", std::make_shared<fcl::Boxd>(2, 2, 2)},
          {"sphere", std::make_shared<fcl::Sphered>(1)},
          {"capsule", std::make_shared<fcl::Capsuled>(0.5, 1)},
          {"ellipsoid", std::make_shared<fcl::Ellipsoidd>(2, 3, 1), true},
          {"cone", std::make_shared<fcl::Coned>(1, 2), true},
          {"cylinder", std::make_shared<fcl::Cylinderd>(1, 2), true},
          {"convex", convex(one)},
          {"triangle", std::make_shared<fcl::TrianglePd>(Vector(0, 0, -1), Vector(1, 0, -1), Vector(0, 1, 2))},
          {"AABB", box_model<fcl::AABBd>(one)},
          {"OBB", box_model<fcl::OBBd>(one)},
          {"RSS", box_model<fcl::RSSd>(one)},
          {"kIOS", box_model<fcl::kIOSd>(one)},
          {"OBBRSS", box_model<fcl::OBBRSSd>(one)},
          {"KDOP16", box_model<fcl::KDOP<double, 16>>(one)},
          {"KDOP18", box_model<fcl::KDOP<double, 18>>(one)},
          {"KDOP24", box_model<fcl::KDOP<double, 24>>(one)}};
}

/// A floor and where it is to be placed.
struct Floor {
  Named named;
  Transform at;
};

inline std::vector<Floor> floors() {
  return {{{"box", std::make_shared<fcl::Boxd>(8, 8, 2)}, moved(0, 0, -1)},
          {{"half-space", std::make_shared<fcl::Halfspaced>(Vector(0, 0, 1), 0)}, moved(0, 0, 0)},
          {{"plane", std::make_shared<fcl::Planed>(Vector(0, 0, 1), 0)}, moved(0, 0, 0)},
          {{"cylinder", std::make_shared<fcl::Cylinderd>(8, 2), true}, moved(0, 0, -1)},
          {{"convex", convex({4, 4, 1})}, moved(0, 0, -1)},
          {{"mesh", box_model<fcl::OBBRSSd>({4, 4, 1})}, moved(0, 0, -1)}};
}
