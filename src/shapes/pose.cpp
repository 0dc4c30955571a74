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

/// The cofactor of entry (i, j): that of rows and columns in cyclic order has its sign.
double cofactor(const double (&r)[3][3], int i, int j) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  return r[i1][j1] * r[i2][j2] - r[i1][j2] * r[i2][j1];
}

double determinant(const double (&r)[3][3]) { return (r[0][0] * cofactor(r, 0, 0) + r[0][1] * cofactor(r, 0, 1)) + r[0][2] * cofactor(r, 0, 2); }

std::string entry_name(int i, int j) { return "matrix[" + std::to_string(i) + "][" + std::to_string(j) + "]"; }

/// x <- (x + x^-T) / 2. x^-T is the matrix of cofactors over the determinant.
void newton_step(double (&x)[3][3]) {
  const double det = determinant(x);
  double next[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) next[i][j] = 0.5 * (x[i][j] + cofactor(x, i, j) / det);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) x[i][j] = next[i][j];
}

}  // namespace

std::string rotation_defect(const double (&r)[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      if (std::fabs(r[i][j]) <= 2) continue;
      const std::string name = entry_name(i, j);
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
  if (!(determinant(r) > 0))  // R^T R is the identity within 1e-12, so the determinant is within 1e-11 of 1 or of -1
    return "matrix is a reflection (its determinant is -1): a pose must keep right-handed things right-handed";
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

Pose Pose::nearest(const std::array<double, 9>& rows, double tolerance, const Vec3& translation) {
  const DefaultFloatEnvironment guard;
  require_finite("translation", translation);
  constexpr double kMostTolerance = 0.1;
  if (!(tolerance >= 0 && tolerance <= kMostTolerance))
    throw Error(ErrorCode::invalid_argument, "nearest: the tolerance is " + text(tolerance) + ", must be from 0 to 0.1");
  Pose p;
  p.translation = translation;
  for (int i = 0; i < 9; ++i) p.rotation[i / 3][i % 3] = rows[static_cast<std::size_t>(i)];
  const std::string defect = rotation_defect(p.rotation);
  if (defect.empty()) return p;
  for (const auto& row : p.rotation)
    for (const double x : row)
      if (!(std::fabs(x) <= 2)) throw Error(ErrorCode::invalid_shape, defect);  // the defect names the first such entry
  const double det = determinant(p.rotation);
  if (det < 0)
    throw Error(ErrorCode::invalid_shape, "matrix is a reflection (its determinant is " + text(det) + "): a pose must keep right-handed things right-handed");
  // A matrix with a rotation within 0.1 of each entry differs from it by at most 0.3 in the spectral norm, so its singular values lie in [0.7, 1.3] and its
  // determinant is above 0.34. A step takes a singular value 1 + e to 1 + e^2 / (2 (1 + e)): 0.3, 0.065, 2e-3, 2e-6, 2e-12, and after five steps the rounding
  // errors of one step, about 1e-15, are left. The sixth is a reserve.
  if (det > 0.3)
    for (int step = 0; step < 6; ++step) newton_step(p.rotation);
  int i = 0, j = 0;
  double most = -1;
  for (int k = 0; k < 9; ++k)
    if (const double d = std::fabs(p.rotation[k / 3][k % 3] - rows[static_cast<std::size_t>(k)]); d > most) most = d, i = k / 3, j = k % 3;
  if (!rotation_defect(p.rotation).empty()) throw Error(ErrorCode::invalid_shape, defect);
  if (most > tolerance)
    throw Error(ErrorCode::invalid_shape, entry_name(i, j) + " is " + text(rows[static_cast<std::size_t>(3 * i + j)]) + ", and " + text(p.rotation[i][j]) +
                                              " in the nearest rotation, must be within " + text(tolerance));
  return p;
}

Pose Pose::from_matrix4(const std::array<double, 16>& rows, double tolerance) {
  if (rows[12] != 0 || rows[13] != 0 || rows[14] != 0 || rows[15] != 1)
    throw Error(ErrorCode::invalid_shape, "matrix: the last row is (" + text(rows[12]) + ", " + text(rows[13]) + ", " + text(rows[14]) + ", " + text(rows[15]) +
                                              "), must be (0, 0, 0, 1)");
  const std::array<double, 9> r{rows[0], rows[1], rows[2], rows[4], rows[5], rows[6], rows[8], rows[9], rows[10]};
  const Vec3 t(rows[3], rows[7], rows[11]);
  return tolerance == 0 ? from_matrix(r, t) : nearest(r, tolerance, t);
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

std::array<double, 16> Pose::matrix4() const {
  std::array<double, 16> rows{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) rows[static_cast<std::size_t>(4 * i + j)] = rotation[i][j];
    rows[static_cast<std::size_t>(4 * i + 3)] = translation[i];
  }
  rows[15] = 1;
  return rows;
}

Pose compose(const Pose& outer, const Pose& inner) {
  const DefaultFloatEnvironment guard;
  Pose r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      r.rotation[i][j] =
          (outer.rotation[i][0] * inner.rotation[0][j] + outer.rotation[i][1] * inner.rotation[1][j]) + outer.rotation[i][2] * inner.rotation[2][j];
  r.translation = apply_pose(outer, inner.translation);
  return r;
}

Pose inverse(const Pose& pose) {
  const DefaultFloatEnvironment guard;
  Pose r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r.rotation[i][j] = pose.rotation[j][i];
  const Vec3 t = rotated(r, pose.translation);
  r.translation = Vec3(0 - t.x, 0 - t.y, 0 - t.z);  // no -0
  return r;
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
