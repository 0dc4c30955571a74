// View frusta, given by eight corners or by a perspective, and their planes.
#include <algorithm>
#include <array>
#include <graze/error.hpp>
#include <graze/shapes/frustum.hpp>
#include <optional>
#include <string>
#include <vector>

#include "exact/big.hpp"
#include "exact/predicates.hpp"
#include "math/limits.hpp"
#include "platform/fp_environment.hpp"
#include "shapes/message.hpp"
#include "shapes/normal.hpp"

namespace graze {
namespace {

std::span<const Vec3> require_eight(std::span<const Vec3> points) {
  if (points.size() != 8) throw Error(ErrorCode::invalid_shape, "frustum: " + std::to_string(points.size()) + " points, must have 8");
  for (std::size_t i = 0; i < 8; ++i) require_finite("frustum: point " + std::to_string(i), points[i]);
  return points;
}

void require_positive(const char* name, double x) {
  if (!(is_finite(x) && x > 0)) throw Error(ErrorCode::invalid_shape, std::string("frustum: ") + name + " is " + text(x) + ", must be finite and > 0");
}

// near, far, left, right, bottom, top; counter-clockwise from outside for a right-handed view
constexpr int kFace[6][4] = {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 3, 7, 4}, {1, 5, 6, 2}, {0, 4, 5, 1}, {3, 2, 6, 7}};
constexpr const char* kFaceName[6] = {"near", "far", "left", "right", "bottom", "top"};

// The plane of three corners of the face that span an area, or nothing.
std::optional<Plane> plane_of_face(std::span<const Vec3> p, const int (&face)[4], int (&used)[3]) {
  constexpr int triples[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 1, 3}, {1, 2, 3}};
  for (const auto& t : triples) {
    for (int k = 0; k < 3; ++k) used[k] = face[t[k]];
    if (const auto n = triangle_normal(p[used[0]], p[used[1]], p[used[2]])) return Plane{p[used[0]], *n};
  }
  return std::nullopt;
}

}  // namespace

Frustum::Frustum(std::span<const Vec3> points) : hull_(require_eight(points)) {}

Frustum Frustum::perspective(const Vec3& eye, const Vec3& target, const Vec3& up, double tan_half_height, double aspect, double near, double far) {
  const DefaultFloatEnvironment guard;
  require_finite("frustum: eye", eye);
  require_finite("frustum: target", target);
  require_finite("frustum: up", up);
  require_positive("tan_half_height", tan_half_height);
  require_positive("aspect", aspect);
  require_positive("near", near);
  require_positive("far", far);
  if (!(near < far)) throw Error(ErrorCode::invalid_shape, "frustum: near is " + text(near) + ", must be < far (" + text(far) + ")");
  if (eye.x == target.x && eye.y == target.y && eye.z == target.z)
    throw Error(ErrorCode::invalid_shape, "frustum: eye and target are both " + text(eye) + ": there is no direction to look in");
  // exact test that up and the view direction span a plane
  std::array<Dyadic, 3> f, u;
  int top = -1000000;
  for (int i = 0; i < 3; ++i) {
    f[i] = Dyadic(target[i]) - Dyadic(eye[i]);
    u[i] = Dyadic(up[i]);
    if (sign_of(f[i]) != 0) top = std::max(top, bit_length(f[i].m) + f[i].e);
  }
  std::array<Dyadic, 3> side;
  int side_top = -1000000;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    side[i] = f[j] * u[k] - f[k] * u[j];
    if (sign_of(side[i]) != 0) side_top = std::max(side_top, bit_length(side[i].m) + side[i].e);
  }
  if (side_top == -1000000) throw Error(ErrorCode::invalid_shape, "frustum: up is " + text(up) + ", must not be zero nor along the view direction");
  auto two_doubles = [](const Dyadic& x, int shift) {
    const Dyadic y(x.m, x.e + shift);
    const double hi = to_double(y);
    return TwoDouble(hi, to_double(y - Dyadic(hi)));
  };
  auto vector = [&](const std::array<Dyadic, 3>& a, int t) {
    return normalized(V3<TwoDouble>{two_doubles(a[0], -t), two_doubles(a[1], -t), two_doubles(a[2], -t)});
  };
  const V3<TwoDouble> forward = vector(f, top), right = vector(side, side_top), upward = cross(right, forward);

  // the half sizes as exact products, then all terms at a common scale
  std::vector<Vec3> corners;
  for (const double d : {near, far}) {
    const Dyadic height = Dyadic(d) * Dyadic(tan_half_height), width = height * Dyadic(aspect);
    int t = exponent_of(d) + 1;
    t = std::max(t, std::max(bit_length(height.m) + height.e, bit_length(width.m) + width.e));
    for (int i = 0; i < 3; ++i) t = std::max(t, exponent_of(eye[i]) + 1);
    const TwoDouble depth = two_doubles(Dyadic(d), -t), h = two_doubles(height, -t), w = two_doubles(width, -t);
    constexpr int signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (const auto& s : signs) {
      const TwoDouble sw = s[0] > 0 ? w : -w, sh = s[1] > 0 ? h : -h;
      auto coordinate = [&](double e, const TwoDouble& fo, const TwoDouble& ri, const TwoDouble& u1) {
        const TwoDouble x = two_doubles(Dyadic(e), -t) + fo * depth + (ri * sw + u1 * sh);
        const double r = x.hi + x.lo;
        return t > 1020 && exponent_of(r) + t > 1023 ? kInfinity : scaled(r, t);
      };
      const Vec3 c(coordinate(eye.x, forward.x, right.x, upward.x), coordinate(eye.y, forward.y, right.y, upward.y),
                   coordinate(eye.z, forward.z, right.z, upward.z));
      if (!is_finite(c)) throw Error(ErrorCode::overflow, "frustum: a corner is beyond the largest double");
      corners.push_back(c);
    }
  }
  return Frustum(corners);
}

Plane Frustum::plane(FrustumPlane which) const {
  const DefaultFloatEnvironment guard;
  const int w = static_cast<int>(which) % 6, opposite = w ^ 1;
  const std::span<const Vec3> p = points();
  int used[3];
  std::optional<Plane> plane = plane_of_face(p, kFace[w], used);
  bool turn = false;
  if (plane) {
    // outward: a corner of the opposite face that is off the plane lies behind it
    for (int k = 0; k < 4; ++k)
      if (const int side = orient3d(p[used[0]], p[used[1]], p[used[2]], p[kFace[opposite][k]])) {
        turn = side > 0;
        break;
      }
  } else {
    // a face that is a point or a line (a pyramid's tip): the reversed direction of the opposite face
    plane = plane_of_face(p, kFace[opposite], used);
    if (!plane)
      throw Error(ErrorCode::invalid_shape, std::string("frustum: its ") + kFaceName[w] + " face has no area, nor has the opposite one: there is no plane");
    for (int k = 0; k < 4; ++k)
      if (const int side = orient3d(p[used[0]], p[used[1]], p[used[2]], p[kFace[w][k]])) {
        turn = side < 0;
        break;
      }
    plane->point = p[kFace[w][0]];
  }
  if (turn) plane->normal = Vec3(-plane->normal.x, -plane->normal.y, -plane->normal.z);
  return *plane;
}

}  // namespace graze
