// Screw motions: their poses with a proven error, and the screw between two poses.
#include "sweep/screw/screw.hpp"

#include <algorithm>
#include <cmath>

#include "exact/angle.hpp"
#include "exact/double_parts.hpp"
#include "math/vec3.hpp"
#include "platform/fp_environment.hpp"

namespace graze {
namespace {

Pose pose_at(const Screw& s, const Vec3& k, double t) {
  const SineCosine r = sine_cosine(s.angle, t);
  const double v = 1 - r.cosine;
  Pose p;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, l = (i + 2) % 3;
    p.rotation[i][i] = r.cosine + v * k[i] * k[i];
    p.rotation[j][i] = v * k[i] * k[j] + r.sine * k[l];
    p.rotation[i][j] = v * k[i] * k[j] - r.sine * k[l];
  }
  for (int i = 0; i < 3; ++i) {
    const double turned = (p.rotation[i][0] * s.center[0] + p.rotation[i][1] * s.center[1]) + p.rotation[i][2] * s.center[2];
    p.translation[i] = (s.center[i] - turned) + t * s.displacement[i];
  }
  return p;
}

}  // namespace

Vec3 unit_axis(const Vec3& axis) {
  const double largest = max_norm(axis);
  if (!(largest > 0)) return Vec3(0, 0, 1);
  const Vec3 a = scaled(axis, -exponent_of(largest));
  const double size = length(a);
  return Vec3(a[0] / size, a[1] / size, a[2] / size);
}

ScrewMotion::ScrewMotion(const Screw& screw) : screw(screw), axis(unit_axis(screw.axis)) {}

Pose ScrewMotion::at(double t) const { return pose_at(screw, axis, t); }

Pose Screw::at(double t) const {
  const DefaultFloatEnvironment guard;
  return pose_at(*this, unit_axis(axis), t);
}

Screw Screw::between(const Pose& from, const Pose& to, const Vec3& center) {
  const DefaultFloatEnvironment guard;
  double m[3][3];  // the rotation from `from` to `to`
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      m[i][j] = to.rotation[i][0] * from.rotation[j][0] + to.rotation[i][1] * from.rotation[j][1] + to.rotation[i][2] * from.rotation[j][2];
  // its quaternion (w, q), from the largest of the four squares: 4 w^2 = 1 + trace, 4 q_i^2 = 1 + 2 m_ii - trace
  const double trace = m[0][0] + m[1][1] + m[2][2];
  double w = 0;
  Vec3 q(0, 0, 0);
  int largest = 0;
  for (int i = 1; i < 3; ++i)
    if (m[i][i] > m[largest][largest]) largest = i;
  if (trace >= m[largest][largest]) {
    w = 1 + trace;
    q = Vec3(m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]);
  } else {
    const int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    w = m[k][j] - m[j][k];
    q[i] = 1 + 2 * m[i][i] - trace;
    q[j] = m[j][i] + m[i][j];
    q[k] = m[k][i] + m[i][k];
  }
  if (w < 0) {  // the shorter rotation
    w = -w;
    q = -q;
  }
  Screw s;
  s.center = center;
  const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  if (size > 0) {
    s.axis = q;
    s.angle = 2 * angle_of(size, w);
  }
  // the image of the body's point at `center`
  Vec3 own(0, 0, 0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) own[i] += from.rotation[j][i] * (center[j] - from.translation[j]);
  const Vec3 end = to.apply(own);
  for (int i = 0; i < 3; ++i) s.displacement[i] = end[i] - center[i];
  return s;
}

}  // namespace graze
