// Error: each code has a name, and each kind of invalid input to the core library gets its code. tests/io covers files.
#include <gtest/gtest.h>

#include <graze/graze.hpp>
#include <limits>
#include <optional>
#include <set>
#include <string>

using namespace graze;

namespace {

template <class F>
std::string code_of(const F& f) {
  try {
    f();
  } catch (const Error& e) {
    return error_name(e.code());
  }
  return "nothing thrown";
}

TEST(Error, EachCodeHasItsOwnName) {
  std::set<std::string> names;
  for (int c = 0; c <= static_cast<int>(ErrorCode::internal); ++c) names.insert(error_name(static_cast<ErrorCode>(c)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ErrorCode::internal) + 1);
  EXPECT_EQ(std::string(error_name(ErrorCode::too_large)), "too_large");
}

TEST(Error, KeepsTextAndCode) {
  const Error e(ErrorCode::overflow, "more than that");
  EXPECT_EQ(e.code(), ErrorCode::overflow);
  EXPECT_EQ(std::string(e.what()), "more than that");
}

TEST(Error, EachKindOfBadInputHasItsCode) {
  const Sphere ball{{0, 0, 0}, 1}, negative{{0, 0, 0}, -1};
  const Mesh triangle(MeshData{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}});
  Scene scene;
  World world, other;
  EXPECT_EQ(code_of([&] { (void)triangles_within(ball, triangle, -1); }), "invalid_argument");
  EXPECT_EQ(code_of([&] { (void)triangle.refit(std::vector<Vec3>{{0, 0, 0}}); }), "invalid_argument");
  EXPECT_EQ(code_of([&] { (void)Pose::from_quaternion(0, 0, 0, 0); }), "invalid_shape");
  EXPECT_EQ(code_of([&] { validate(negative); }), "invalid_shape");
  EXPECT_EQ(code_of([&] { (void)Mesh(MeshData{{{0, 0, 0}}, {{0, 1, 2}}, {}}); }), "invalid_shape");
  EXPECT_EQ(code_of([&] { (void)solid(triangle); }), "invalid_shape");
  EXPECT_EQ(code_of([&] { (void)Hull(std::span<const Vec3>()); }), "invalid_shape");
  EXPECT_EQ(code_of([&] { (void)intersecting_triangles(ball, triangle); }), "unsupported_shape");
  EXPECT_EQ(code_of([&] { (void)bounding_sphere(Mesh(MeshData())); }), "unsupported_shape");
  EXPECT_EQ(code_of([&] { scene.remove(7); }), "unknown_id");
  EXPECT_EQ(code_of([&] { (void)world.position(7); }), "unknown_id");
  const double huge = std::numeric_limits<double>::max();
  EXPECT_EQ(code_of([&] { (void)bounding_sphere(Box{{-huge, -huge, -huge}, {huge, huge, huge}}); }), "overflow");
  const std::vector<std::uint8_t> bytes(9);
  EXPECT_EQ(code_of([&] { world.restore(bytes); }), "bad_snapshot");
  EXPECT_EQ(code_of([&] { (void)Mesh(MeshData(), Build::best, [](double) { return false; }); }), "cancelled");
}

}  // namespace
