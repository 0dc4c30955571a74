// Poses: the fixed order of rounded operations by which shapes are placed.
#include <algorithm>
#include <cmath>
#include <graze/error.hpp>
#include <graze/pose.hpp>
#include <string>

#include "exact/big.hpp"
#include "platform/fp_environment.hpp"
#include "shapes/message.hpp"
#include "shapes/placement.hpp"
#include "shapes/pose.hpp"

namespace graze {
namespace {

// Returns true if |x| <= 10^-12, exactly.
bool at_most_tolerance(const Dyadic& x) {
  static const Dyadic inverse(1e12);  // 10^12 is a double
  const Dyadic product = x * inverse;
  return compare(sign_of(product) < 0 ? -product : product, Dyadic(1.0)) <= 0;
}

// Returns true if entry (i, j) of R^T R differs from the identity's by at most 10^-12.
bool orthonormal_entry(const double (&r)[3][3], int i, int j) {
  // Entries are at most 2 in magnitude here, so the error of the rounded sum is less than 6 * 12 * 2^-53 < 1e-14: outside [0.98e-12, 1.02e-12] doubles decide.
  const double d = ((r[0][i] * r[0][j] + r[1][i] * r[1][j]) + r[2][i] * r[2][j]) - (i == j ? 1.0 : 0.0);
  if (std::fabs(d) < 0.98e-12) return true;
  if (std::fabs(d) > 1.02e-12) return false;
  Dyadic sum(i == j ? -1.0 : 0.0);
  for (int k = 0; k < 3; ++k) sum = sum + Dyadic(r[k][i]) * Dyadic(r[k][j]);
  return at_most_tolerance(sum);
}

}  // namespace

std::string rotation_defect(const double (&r)[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      if (std::fabs(r[i][j]) <= 2) continue;
      const std::string name = "matrix[" + std::to_string(i) + "][" + std::to_string(j) + "]";
      if (!is_finite(r[i][j])) return name + " is " + text(r[i][j]) + ", must be finite";
      return name + " is " + text(r[i][j]) + ": not a rotation (entries of a rotation lie in [-1, 1]; scaling is not a pose, scale the vertices)";
    }
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      if (!orthonormal_entry(r, i, j)) {
        double d = (r[0][i] * r[0][j] + r[1][i] * r[1][j]) + r[2][i] * r[2][j];
        return "matrix is not a rotation: columns " + std::to_string(i) + " and " + std::to_string(j) + " have the product " + text(d) +
               ", must be within 1e-12 of " + (i == j ? "1" : "0");
      }
  // R^T R is the identity within 1e-12, so the determinant is within 1e-11 of 1 or of -1.
  const double det =
      r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) - r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) + r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
  if (!(det > 0)) return "matrix is a reflection (its determinant is -1): a pose must keep right-handed things right-handed";
  return "";
}

Pose Pose::from_quaternion(double w, double x, double y, double z, const Vec3& translation) {
  const DefaultFloatEnvironment guard;
  double q[4] = {w, x, y, z};
  int top = -100000;
  for (int i = 0; i < 4; ++i) {
    if (!is_finite(q[i])) throw Error(ErrorCode::invalid_shape, std::string("quaternion: ") + "wxyz"[i] + " is " + text(q[i]) + ", must be finite");
    top = std::max(top, exponent_of(q[i]));
  }
  require_finite("translation", translation);
  if (top == -100000) throw Error(ErrorCode::invalid_shape, "quaternion: all components are 0, which is no rotation");
  for (double& c : q) c = scaled(c, -top);
  w = q[0], x = q[1], y = q[2], z = q[3];
  const double ww = w * w, xx = x * x, yy = y * y, zz = z * z;
  const double n = ((ww + xx) + yy) + zz;
  Pose p;
  p.rotation[0][0] = (((ww + xx) - yy) - zz) / n;
  p.rotation[1][1] = (((ww - xx) + yy) - zz) / n;
  p.rotation[2][2] = (((ww - xx) - yy) + zz) / n;
  p.rotation[0][1] = (2 * (x * y - w * z)) / n;
  p.rotation[1][0] = (2 * (x * y + w * z)) / n;
  p.rotation[0][2] = (2 * (x * z + w * y)) / n;
  p.rotation[2][0] = (2 * (x * z - w * y)) / n;
  p.rotation[1][2] = (2 * (y * z - w * x)) / n;
  p.rotation[2][1] = (2 * (y * z + w * x)) / n;
  p.translation = translation;
  return p;
}

Pose Pose::from_matrix(const std::array<double, 9>& rows, const Vec3& translation) {
  const DefaultFloatEnvironment guard;
  require_finite("translation", translation);
  Pose p;
  for (int i = 0; i < 9; ++i) p.rotation[i / 3][i % 3] = rows[static_cast<std::size_t>(i)];
  const std::string defect = rotation_defect(p.rotation);
  if (!defect.empty()) throw Error(ErrorCode::invalid_shape, defect);
  p.translation = translation;
  return p;
}

Pose Pose::quarter_turn(Axis axis, int n, const Vec3& translation) {
  const DefaultFloatEnvironment guard;
  require_finite("translation", translation);
  static constexpr double cosine[4] = {1, 0, -1, 0}, sine[4] = {0, 1, 0, -1};
  const int k = static_cast<int>(static_cast<unsigned>(n) & 3u);  // two's complement: the remainder is correct for negative n, too
  const int a = (static_cast<int>(axis) + 1) % 3, b = (a + 1) % 3;
  Pose p;
  p.rotation[a][a] = p.rotation[b][b] = cosine[k];
  p.rotation[b][a] = sine[k];
  p.rotation[a][b] = sine[k] == 0 ? 0 : -sine[k];
  p.translation = translation;
  return p;
}

Vec3 Pose::apply(const Vec3& p) const {
  const DefaultFloatEnvironment guard;
  return apply_pose(*this, p);
}

Vec3 Pose::rotate(const Vec3& d) const {
  const DefaultFloatEnvironment guard;
  return rotated(*this, d);
}

Pose translation(const Vec3& t) {
  Pose p;
  p.translation = t;
  return p;
}

Pose compose(const Pose& outer, const Pose& inner) {
  Pose r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      r.rotation[i][j] =
          (outer.rotation[i][0] * inner.rotation[0][j] + outer.rotation[i][1] * inner.rotation[1][j]) + outer.rotation[i][2] * inner.rotation[2][j];
  r.translation = outer.apply(inner.translation);
  return r;
}

bool is_identity(const Pose& pose) {
  for (int i = 0; i < 3; ++i) {
    if (pose.translation[i] != 0) return false;
    for (int j = 0; j < 3; ++j)
      if (pose.rotation[i][j] != (i == j ? 1 : 0)) return false;
  }
  return true;
}

Box3 placed_box(const Box3& local, const Pose& pose) {
  Box3 r;
  for (int i = 0; i < 3; ++i) {  // both sums are off by 8 u of the summed magnitudes, the last two by u; 2^-48 = 32 u
    double center = pose.translation[i], half = 0, size = std::fabs(pose.translation[i]);
    for (int j = 0; j < 3; ++j) {
      const double m = local.lo[j] * 0.5 + local.hi[j] * 0.5, h = std::max(local.hi[j] - m, m - local.lo[j]);
      center += pose.rotation[i][j] * m;
      half += std::fabs(pose.rotation[i][j]) * h;
      size += std::fabs(pose.rotation[i][j]) * (std::fabs(m) + h);
    }
    half += 0x1p-48 * size + 0x1p-1060;
    r.lo[i] = center - half;
    r.hi[i] = center + half;
    if (!(std::fabs(r.lo[i]) < 0x1p1000 && std::fabs(r.hi[i]) < 0x1p1000)) {
      r.lo[i] = -kInfinity;
      r.hi[i] = kInfinity;
    }
  }
  return r;
}

}  // namespace graze
