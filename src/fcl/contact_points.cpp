// Contacts of two convex shapes, as FCL reports them.
#include "fcl/contact_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <graze/query/manifold.hpp>
#include <graze/query/penetration.hpp>
#include <limits>
#include <optional>
#include <utility>

namespace graze::for_fcl {
namespace {

/// A contact in Graze's vectors, with FCL's direction of the normal: from the first shape to the second.
struct Touch {
  Vec3 normal, point;
  double depth;
};

Touch reversed(const Touch& t) { return {-t.normal, t.point, t.depth}; }

/// A direction of the world in the frame of a pose.
Vec3 turned_back(const Pose& pose, const Vec3& direction) {
  Vec3 local(0, 0, 0);
  for (int k = 0; k < 3; ++k) local[k] = pose.rotation[0][k] * direction.x + pose.rotation[1][k] * direction.y + pose.rotation[2][k] * direction.z;
  return local;
}

double capped(double depth) { return std::min(std::max(depth, 0.0), std::numeric_limits<double>::max()); }

// ---- a ball and a box, cylinder or capsule -----------------------------------------------------------------------------------------------
//
// In closed form, so that a normal along an axis of the other shape has the components of that axis.

/// Where the surface of a shape is nearest to a point of its frame: for a point outside the direction to it, for one inside the way out, reversed.
struct Surface {
  Vec3 direction;   ///< unit length
  double distance;  ///< < 0 inside
};

std::optional<Surface> outside(const Vec3& difference) {
  const double length = glm::length(difference);
  if (!(length > 0)) return std::nullopt;
  return Surface{difference / length, length};
}

std::optional<Surface> nearest(const Box& box, const Vec3& p) {
  if (const auto found = outside(glm::clamp(p, box.min, box.max) - p)) return found;
  Surface best{{0, 0, 0}, -std::numeric_limits<double>::infinity()};
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {-1.0, 1.0}) {
      const double inside = sign < 0 ? box.max[axis] - p[axis] : p[axis] - box.min[axis];
      if (-inside <= best.distance) continue;
      best = {{0, 0, 0}, -inside};
      best.direction[axis] = sign;
    }
  }
  return best;
}

std::optional<Surface> nearest(const Cylinder& cylinder, const Vec3& p) {
  const double around = std::sqrt(p.x * p.x + p.y * p.y), half = cylinder.b.z;
  const Vec3 radial = around > 0 ? Vec3(p.x / around, p.y / around, 0) : Vec3(1, 0, 0);
  Vec3 difference(0, 0, std::clamp(p.z, -half, half) - p.z);
  if (around > cylinder.radius) difference += radial * (cylinder.radius - around);
  if (const auto found = outside(difference)) return found;
  const double to_side = cylinder.radius - around, to_end = half - std::fabs(p.z);
  if (to_side < to_end) return Surface{-radial, -to_side};
  return Surface{{0, 0, p.z < 0 ? 1.0 : -1.0}, -to_end};
}

std::optional<Surface> nearest(const Capsule& capsule, const Vec3& p) {
  auto found = outside(Vec3(0, 0, std::clamp(p.z, capsule.a.z, capsule.b.z)) - p);  // on the axis every direction is as good: left to Graze
  if (found) found->distance -= capsule.radius;
  return found;
}

template <class S>
std::optional<Touch> ball_touch(const PlacedShape& ball, const S& shape, const Pose& pose) {
  const Vec3 center = ball.pose().translation;
  const std::optional<Surface> found = nearest(shape, turned_back(pose, center - pose.translation));
  if (!found) return std::nullopt;
  const Vec3 normal = pose.rotate(found->direction);
  const double depth = std::max(0.0, ball.get<Sphere>()->radius - found->distance);
  return Touch{normal, center + normal * (found->distance + depth * 0.5), depth};
}

Touch two_balls(const PlacedShape& a, const PlacedShape& b) {
  const double ra = a.get<Sphere>()->radius, rb = b.get<Sphere>()->radius;
  const Vec3 from = a.pose().translation, arm = b.pose().translation - from;
  const double length = glm::length(arm);
  const Vec3 point = ra + rb > 0 ? from + arm * (ra / (ra + rb)) : from;
  return {length > 0 ? arm / length : Vec3(0, 0, 0), point, std::max(0.0, ra + rb - length)};
}

std::optional<Touch> ball_first(const PlacedShape& a, const PlacedShape& b) {
  if (a.get<Sphere>() == nullptr) return std::nullopt;
  if (b.get<Sphere>() != nullptr) return two_balls(a, b);
  if (const Box* box = b.get<Box>()) return ball_touch(a, *box, b.pose());
  if (const Cylinder* cylinder = b.get<Cylinder>()) return ball_touch(a, *cylinder, b.pose());
  if (const Capsule* capsule = b.get<Capsule>()) return ball_touch(a, *capsule, b.pose());
  return std::nullopt;
}

// ---- planes ------------------------------------------------------------------------------------------------------------------------------

/// Where a plane cuts a cone, in the middle: of the chord in which it cuts the triangle through the cone's axis and the plane's normal. Nothing where it only
/// touches.
std::optional<Vec3> middle_of_cut(const PlacedShape& placed, const Vec3& on_plane, const Vec3& normal) {
  const Cone& cone = *placed.get<Cone>();
  const Vec3 tip = placed.pose().apply(cone.b), base = placed.pose().apply(cone.a);
  Vec3 across = turned_back(placed.pose(), normal);
  across.z = 0;
  const double length = glm::length(across);
  const Vec3 rim = placed.pose().rotate(length > 0 ? across * (cone.radius / length) : Vec3(0, 0, 0));
  const std::array<Vec3, 3> corners{tip, base + rim, base - rim};
  Vec3 sum(0, 0, 0);
  int cuts = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &p = corners[i], &q = corners[(i + 1) % 3];
    const double dp = glm::dot(normal, p - on_plane), dq = glm::dot(normal, q - on_plane);
    if ((dp < 0) == (dq < 0)) continue;
    sum += (p * dq - q * dp) / (dq - dp);
    ++cuts;
  }
  if (cuts == 0) return std::nullopt;
  return sum / static_cast<double>(cuts);
}

struct Flat {
  Vec3 point, normal;  ///< the normal is of unit length
};

std::optional<Flat> flat_of(const PlacedShape& placed) {
  const Pose& pose = placed.pose();
  const auto flat = [&pose](const auto& s) {
    const Vec3 normal = pose.rotate(s.normal);
    return Flat{pose.apply(s.point), normal / glm::length(normal)};
  };
  if (const Plane* plane = placed.get<Plane>()) return flat(*plane);
  if (const HalfSpace* space = placed.get<HalfSpace>()) return flat(*space);
  return std::nullopt;
}

/// The contact of an ellipsoid with a plane or half-space, from the ellipsoid to it. The farthest point in direction n is r^2 n / |r n|.
std::optional<Touch> ellipsoid_touch(const PlacedShape& placed, const PlacedShape& other) {
  const Ellipsoid* ellipsoid = placed.get<Ellipsoid>();
  const std::optional<Flat> flat = flat_of(other);
  if (ellipsoid == nullptr || !flat) return std::nullopt;
  const Vec3 scaled = ellipsoid->radii * turned_back(placed.pose(), flat->normal);
  const double reach = glm::length(scaled);
  if (!(reach > 0)) return std::nullopt;
  const Vec3 center = placed.pose().translation, farthest = placed.pose().rotate(ellipsoid->radii * scaled / reach);
  const double height = glm::dot(flat->normal, center - flat->point);
  const bool below = other.get<Plane>() != nullptr && height < 0;  // moves out through the other side of the plane
  const Vec3 outward = below ? -flat->normal : flat->normal;
  const double depth = std::max(0.0, reach - (below ? -height : height));
  const Vec3 deepest = center - (below ? -farthest : farthest);
  return Touch{-outward, deepest + outward * (depth * 0.5), depth};
}

/// Moves the contact of a plane and another shape into the plane.
void move_into_plane(const PlacedShape& plane, const PlacedShape& other, Touch& touch) {
  const Flat flat = *flat_of(plane);
  if (other.get<Cone>() != nullptr) {
    if (const auto middle = middle_of_cut(other, flat.point, flat.normal)) touch.point = *middle;
  }
  touch.point -= flat.normal * glm::dot(flat.normal, touch.point - flat.point);
}

// ---- two cylinders -----------------------------------------------------------------------------------------------------------------------

/// The middle of what the intervals [-a, a] and [at - b, at + b] have in common.
double middle(double a, double at, double b) { return (std::max(-a, at - b) + std::min(a, at + b)) * 0.5; }

/// The contact of two cylinders with one direction of their axes: beside each other, or end on end.
std::optional<Touch> parallel_cylinders(const PlacedShape& placed_a, const PlacedShape& placed_b) {
  const Cylinder *a = placed_a.get<Cylinder>(), *b = placed_b.get<Cylinder>();
  if (a == nullptr || b == nullptr) return std::nullopt;
  const Vec3 axis = placed_a.pose().rotate({0, 0, 1}), other = placed_b.pose().rotate({0, 0, 1});
  if (axis != other && axis != -other) return std::nullopt;
  const Vec3 arm = turned_back(placed_a.pose(), placed_b.pose().translation - placed_a.pose().translation);
  const double around = std::sqrt(arm.x * arm.x + arm.y * arm.y);
  const Vec3 radial = around > 0 ? Vec3(arm.x / around, arm.y / around, 0) : Vec3(1, 0, 0), up(0, 0, arm.z < 0 ? -1 : 1);
  const double beside = a->radius + b->radius - around, ends = a->b.z + b->b.z - std::fabs(arm.z);
  const double depth = std::max(0.0, std::min(beside, ends));
  const Vec3 point = beside < ends ? radial * (a->radius - depth * 0.5) + Vec3(0, 0, middle(a->b.z, arm.z, b->b.z))
                                   : up * (a->b.z - depth * 0.5) + radial * middle(a->radius, around, b->radius);
  return Touch{placed_a.pose().rotate(beside < ends ? radial : up), placed_a.pose().apply(point), depth};
}

// ---- other shapes ------------------------------------------------------------------------------------------------------------------------

/// Where the centres of two boxes coincide, both directions along the normal are as good. FCL takes the positive one in the frame of the first box.
bool is_reversible(const PlacedShape& a, const PlacedShape& b, const Vec3& normal) {
  if (a.pose().translation != b.pose().translation) return false;
  const Vec3 along = turned_back(a.pose(), normal);
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    if (std::fabs(along[k]) > std::fabs(largest)) largest = along[k];
  }
  return largest < 0;
}

std::vector<Touch> two_boxes(const PlacedShape& a, const PlacedShape& b) {
  const std::vector<Manifold> found = manifold(a.ref(), b.ref());
  std::vector<Touch> touches;
  for (const Manifold& m : found) {
    for (const ManifoldPoint& p : m.points) touches.push_back({-m.normal, p.point, p.depth});
  }
  std::stable_sort(touches.begin(), touches.end(), [](const Touch& x, const Touch& y) { return x.depth > y.depth; });
  if (!touches.empty() && is_reversible(a, b, touches[0].normal)) {
    const Vec3 center = a.pose().translation;
    for (Touch& t : touches) t = {-t.normal, center - (t.point - center), t.depth};
  }
  return touches;
}

Touch deepest(const PlacedShape& a, const PlacedShape& b) {
  const std::vector<Contact> found = contacts(a.ref(), b.ref());
  return {-found.at(0).normal, found[0].point, found[0].depth};
}

std::vector<Touch> touches_of(const PlacedShape& a, const PlacedShape& b) {
  if (a.get<Box>() != nullptr && b.get<Box>() != nullptr) return two_boxes(a, b);
  if (const auto touch = ball_first(a, b)) return {*touch};
  if (const auto touch = ball_first(b, a)) return {reversed(*touch)};
  if (const auto touch = parallel_cylinders(a, b)) return {*touch};
  std::optional<Touch> touch = ellipsoid_touch(a, b);
  if (!touch) {
    touch = ellipsoid_touch(b, a);
    touch = touch ? reversed(*touch) : deepest(a, b);
  }
  const bool plane_a = a.get<Plane>() != nullptr, plane_b = b.get<Plane>() != nullptr;
  if (plane_a != plane_b) move_into_plane(plane_a ? a : b, plane_a ? b : a, *touch);
  return {*touch};
}

}  // namespace

std::vector<ContactPoint> contact_points(const PlacedShape& a, const PlacedShape& b) {
  std::vector<ContactPoint> out;
  for (const Touch& t : touches_of(a, b)) out.emplace_back(to_fcl(t.normal), to_fcl(t.point), capped(t.depth));
  return out;
}

}  // namespace graze::for_fcl
