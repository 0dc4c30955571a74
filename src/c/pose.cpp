// The C interface: poses.
#include <graze/graze.h>
#include <algorithm>
#include <array>
#include <graze/pose.hpp>

#include "c/call.hpp"
#include "c/results.hpp"

namespace graze::c {
namespace {

template <std::size_t N>
std::array<double, N> matrix(const Call& call, const double* rows) {
  (void)call.required("rows", rows);
  std::array<double, N> out;
  std::copy(rows, rows + N, out.begin());
  return out;
}

}  // namespace
}  // namespace graze::c

using namespace graze;
using c::Call;
using c::guarded;

graze_status graze_pose_from_quaternion(double w, double x, double y, double z, const double translation[3], graze_pose* out) {
  return guarded(__func__, [&](const Call& call) {
    const Vec3 t = call.vector("translation", translation);
    call.required("out", out) = c::to_c(Pose::from_quaternion(w, x, y, z, t));
  });
}
graze_status graze_pose_from_matrix(const double rows[9], const double translation[3], graze_pose* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto m = c::matrix<9>(call, rows);
    const Vec3 t = call.vector("translation", translation);
    call.required("out", out) = c::to_c(Pose::from_matrix(m, t));
  });
}
graze_status graze_pose_nearest(const double rows[9], double tolerance, const double translation[3], graze_pose* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto m = c::matrix<9>(call, rows);
    const Vec3 t = call.vector("translation", translation);
    call.required("out", out) = c::to_c(Pose::nearest(m, tolerance, t));
  });
}
graze_status graze_pose_from_matrix4(const double rows[16], double tolerance, graze_pose* out) {
  return guarded(__func__, [&](const Call& call) {
    const auto m = c::matrix<16>(call, rows);
    call.required("out", out) = c::to_c(Pose::from_matrix4(m, tolerance));
  });
}
graze_status graze_pose_matrix4(const graze_pose* pose, double out[16]) {
  return guarded(__func__, [&](const Call& call) {
    const std::array<double, 16> rows = call.pose("pose", pose).matrix4();
    std::copy(rows.begin(), rows.end(), &call.required("out", out));
  });
}
graze_status graze_pose_quarter_turn(int axis, int n, const double translation[3], graze_pose* out) {
  return guarded(__func__, [&](const Call& call) {
    const Axis a = call.enumerator<Axis>("axis", axis, 3);
    const Vec3 t = call.vector("translation", translation);
    call.required("out", out) = c::to_c(Pose::quarter_turn(a, n, t));
  });
}
graze_status graze_pose_compose(const graze_pose* outer, const graze_pose* inner, graze_pose* out) {
  return guarded(__func__, [&](const Call& call) {
    const Pose pose = compose(call.pose("outer", outer), call.pose("inner", inner));
    call.required("out", out) = c::to_c(pose);
  });
}
graze_status graze_pose_inverse(const graze_pose* pose, graze_pose* out) {
  return guarded(__func__, [&](const Call& call) {
    const Pose back = inverse(call.pose("pose", pose));
    call.required("out", out) = c::to_c(back);
  });
}
graze_status graze_pose_apply(const graze_pose* pose, const double point[3], double out[3]) {
  return guarded(__func__, [&](const Call& call) {
    const Vec3 p = call.pose("pose", pose).apply(call.vector("point", point));
    c::put_to(&call.required("out", out), p);
  });
}
graze_status graze_pose_rotate(const graze_pose* pose, const double direction[3], double out[3]) {
  return guarded(__func__, [&](const Call& call) {
    const Vec3 d = call.pose("pose", pose).rotate(call.vector("direction", direction));
    c::put_to(&call.required("out", out), d);
  });
}
