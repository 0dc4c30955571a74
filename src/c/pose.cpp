// The C interface: poses.
#include <graze/graze.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <graze/error.hpp>
#include <graze/pose.hpp>
#include <span>
#include <string>

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

/// Elements of the caller's that are N doubles each, `stride` bytes apart.
template <std::size_t N>
class Rows {
 public:
  Rows(const Call& call, const char* argument, const double* data, std::size_t count, std::size_t stride)
      : data_(reinterpret_cast<const char*>(data)), stride_(stride == 0 ? N * sizeof(double) : stride) {
    call.require_array(argument, data, count, stride, N * sizeof(double));
  }
  std::array<double, N> operator[](std::size_t i) const {
    std::array<double, N> out;
    std::memcpy(out.data(), data_ + i * stride_, sizeof out);
    return out;
  }

 private:
  const char* data_;
  std::size_t stride_;
};

/// Sets out[i] = pose(i) for all i; what it throws names the element.
template <class F>
void make_poses(const Call& call, const char* argument, std::size_t count, graze_pose* out, const F& pose) {
  const std::span<graze_pose> room = call.room("out", out, count);
  for (std::size_t i = 0; i < count; ++i) {
    try {
      room[i] = to_c(pose(i));
    } catch (const Error& e) {
      throw Error(e.code(), std::string(argument) + "[" + std::to_string(i) + "]: " + e.what());
    }
  }
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
graze_status graze_poses_from_quaternions(const double* quaternions, size_t quaternion_stride, const double* translations, size_t translation_stride,
                                          size_t count, graze_pose* out) {
  return guarded(__func__, [&](const Call& call) {
    const c::Rows<4> q(call, "quaternions", quaternions, count, quaternion_stride);
    const c::Rows<3> t(call, "translations", translations, translations ? count : 0, translation_stride);
    c::make_poses(call, "quaternions", count, out, [&](std::size_t i) {
      const std::array<double, 4> wxyz = q[i];
      const std::array<double, 3> at = translations ? t[i] : std::array<double, 3>{};
      return Pose::from_quaternion(wxyz[0], wxyz[1], wxyz[2], wxyz[3], Vec3(at[0], at[1], at[2]));
    });
  });
}
graze_status graze_poses_from_matrices4(const double* matrices, size_t stride, size_t count, double tolerance, graze_pose* out) {
  return guarded(__func__, [&](const Call& call) {
    const c::Rows<16> m(call, "matrices", matrices, count, stride);
    c::make_poses(call, "matrices", count, out, [&](std::size_t i) { return Pose::from_matrix4(m[i], tolerance); });
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
