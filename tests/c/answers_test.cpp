// The answers of the C interface against those of C++, bit by bit: random shapes of all kinds, errors with their texts, batches.
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <graze/heritage/plane_equation.hpp>
#include <graze/query/brief_hits.hpp>
#include <graze/threads.hpp>
#include <thread>

#include "c/through_c.hpp"
#include "property/instances.hpp"
#include "support/random.hpp"
#include "support/random_shapes.hpp"

namespace graze::test::answers_test {
namespace {

// ---- a text of every bit of a result -----------------------------------------------------------------------------------------------------

void put(std::string& out, double x) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%a ", x);
  out += std::signbit(x) ? "-" : "+";
  out += buffer;
}
template <std::integral T>
void put(std::string& out, T x) {
  out += std::to_string(x) + " ";
}
template <class E>
requires std::is_enum_v<E>
void put(std::string& out, E e) { put(out, static_cast<int>(e)); }
void put(std::string& out, const Vec3& v) { put(out, v.x), put(out, v.y), put(out, v.z); }
template <class T>
void put(std::string& out, const std::optional<T>& x);
template <class T>
void put(std::string& out, const std::vector<T>& list);
void put(std::string& out, const Pose& p) {
  for (const auto& row : p.rotation)
    for (const double x : row) put(out, x);
  put(out, p.translation);
}
void put(std::string& out, const Box& b) { put(out, b.min), put(out, b.max); }
void put(std::string& out, const Sphere& s) { put(out, s.center), put(out, s.radius); }
void put(std::string& out, const Closest& c) { put(out, c.distance), put(out, c.on_a), put(out, c.on_b), put(out, c.triangle_a), put(out, c.triangle_b); }
void put(std::string& out, const Hit& h) {
  put(out, h.t), put(out, h.point), put(out, h.normal), put(out, h.triangle), put(out, h.part), put(out, h.child), put(out, h.barycentric);
  put(out, h.front), put(out, h.started_inside), put(out, h.user);
}
void put(std::string& out, const SweepHit& h) {
  put(out, h.t), put(out, h.point), put(out, h.normal), put(out, h.triangle_a), put(out, h.triangle_b), put(out, h.child_a), put(out, h.child_b);
  put(out, h.user_a), put(out, h.user_b), put(out, h.started_inside), put(out, h.departing), put(out, h.budget_ended), put(out, h.safe), put(out, h.safe_point);
  put(out, h.moved);
}
void put(std::string& out, const Classification& c) { put(out, c.side), put(out, c.distance); }
void put(std::string& out, const Penetration& p) { put(out, p.depth), put(out, p.normal), put(out, p.vector); }
void put(std::string& out, const PenetrationResult& p) { put(out, p.value), put(out, p.reason); }
void put(std::string& out, const Contact& c) { put(out, c.point), put(out, c.normal), put(out, c.depth), put(out, c.triangle_a), put(out, c.triangle_b); }
void put(std::string& out, const ManifoldPoint& p) { put(out, p.point), put(out, p.depth); }
void put(std::string& out, const Manifold& m) { put(out, m.normal), put(out, m.points), put(out, m.triangle_a), put(out, m.triangle_b); }
void put(std::string& out, const TrianglePair& p) { put(out, p.a), put(out, p.b); }
void put(std::string& out, const BounceHit& h) {
  put(out, h.time), put(out, h.point), put(out, h.normal), put(out, h.velocity_before), put(out, h.velocity_after), put(out, h.triangle);
}
void put(std::string& out, const BounceStep& s) { put(out, s.pose), put(out, s.position), put(out, s.velocity), put(out, s.hits), put(out, s.stopped); }
template <class T>
void put(std::string& out, const std::optional<T>& x) {
  if (x)
    put(out, *x);
  else
    out += "none ";
}
template <class T>
void put(std::string& out, const std::vector<T>& list) {
  put(out, list.size());
  for (const T& x : list) put(out, x);
}

/// The bits of what f returns, or the code and text of its Error.
template <class F>
std::string outcome(const F& f) {
  std::string out;
  try {
    put(out, f());
  } catch (const Error& e) {
    out = std::string(error_name(e.code())) + ": " + e.what();
  }
  return out;
}

/// Expects equal outcomes of `call` with the C++ functions and through C. The functions of both namespaces have the same names.
#define EXPECT_SAME(call, x, y)                                                    \
  do {                                                                             \
    const std::string in_cpp = outcome([&] {                                       \
      const ShapeRef a = x, b = y;                                                 \
      (void)a, (void)b;                                                            \
      return graze::call;                                                          \
    });                                                                            \
    const std::string in_c = outcome([&] {                                         \
      const through_c::Argument &a = arg_##x, &b = arg_##y;                        \
      (void)a, (void)b;                                                            \
      return through_c::call;                                                      \
    });                                                                            \
    f.expect(in_cpp == in_c, #call, ix, iy, [&] { return in_cpp + "\n" + in_c; }); \
  } while (false)

void compare_pair(const Instance& ix, const Instance& iy, Source& s, Failures& f, int& compared) {
  const auto held_x = *ix, held_y = *iy;
  const ShapeRef x = held_x, y = held_y;
  std::optional<through_c::Argument> made_x, made_y;
  try {
    made_x.emplace(x);
    made_y.emplace(y);
  } catch (const std::invalid_argument&) {  // a height field with a missing line
    return;
  }
  ++compared;
  const through_c::Argument &arg_x = *made_x, &arg_y = *made_y;
  const Vec3 v = s.vector();
  EXPECT_SAME(intersects(a, b), x, y);
  EXPECT_SAME(within(a, b, 0.75), x, y);
  EXPECT_SAME(closest(a, b), y, x);
  EXPECT_SAME(relation(a, b), x, y);
  EXPECT_SAME(penetration(a, b), x, y);
  EXPECT_SAME(contacts(a, b), y, x);
  EXPECT_SAME(manifold(a, b, ManifoldPoints::all), x, y);
  EXPECT_SAME(raycast(a, b), x, y);
  EXPECT_SAME(raycast_any(a, b), x, y);
  EXPECT_SAME(raycast_all(a, b), x, y);
  EXPECT_SAME(intersecting_triangles(a, b), x, y);
  EXPECT_SAME(triangles_within(a, b, 0.5), x, y);
  EXPECT_SAME(closest_triangles(a, b, 3, 5), x, y);
  EXPECT_SAME(sweep(a, v, b), x, y);
  EXPECT_SAME(bounce(a, v, 1.0, b, Material{}), x, y);
  if (const Plane* const plane = iy.shape.get<Plane>()) EXPECT_SAME(classify(a, *plane), x, y);
  if (const Frustum* const frustum = iy.shape.get<Frustum>()) EXPECT_SAME(classify(a, *frustum), x, y);
}

TEST(CInterface, PairsOfAllKindsAnswerAsInCpp) {
  int compared = 0;
  all_pairs(Numbers::whole, 2, 1, true, [&](const Instance& a, const Instance& b, Source& s, Failures& f) { compare_pair(a, b, s, f, compared); });
  all_pairs(Numbers::real, 1, 2, true, [&](const Instance& a, const Instance& b, Source& s, Failures& f) { compare_pair(a, b, s, f, compared); });
  EXPECT_GT(compared, 23 * 12);
}

TEST(CInterface, ShapesOfAllKindsAnswerAsInCpp) {
  const auto check = [&](const Instance& ix, Source& s, Failures& f) {
    const Instance& iy = ix;
    const auto held = *ix;
    const ShapeRef x = held;
    std::optional<through_c::Argument> made;
    try {
      made.emplace(x);
    } catch (const std::invalid_argument&) {
      return;
    }
    const through_c::Argument& arg_x = *made;
    const Vec3 v = s.vector();
    EXPECT_SAME(contains(a, v), x, x);
    EXPECT_SAME(signed_distance(v, a), x, x);
    EXPECT_SAME(bounding_box(a), x, x);
    EXPECT_SAME(bounding_sphere(a), x, x);
    EXPECT_SAME(volume(a), x, x);
    EXPECT_SAME(signed_volume(a), x, x);
    EXPECT_SAME(area(a), x, x);
    EXPECT_SAME(centroid(a), x, x);
    EXPECT_SAME(self_intersections(a), x, x);
  };
  all_kinds(Numbers::whole, 20, 3, true, check);
  all_kinds(Numbers::hostile, 20, 4, true, check);
}

// ---- batches -----------------------------------------------------------------------------------------------------------------------------

/// Placed random shapes that C and C++ refer to alike.
struct Batch {
  std::vector<AnyShape> shapes;
  std::vector<Pose> poses;
  std::vector<ShapeRef> refs;
  std::vector<std::unique_ptr<through_c::Argument>> arguments;
  std::vector<graze_ref> c_refs;
  Batch(Random& r, int count) {
    for (int i = 0; i < count; ++i) {
      shapes.push_back(test_scene::random_shape(r, i % test_scene::kShapes));
      poses.push_back(r.pose(1));
    }
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const ShapeRef s(shapes[i]);
      refs.emplace_back(s.kind(), s.shape(), i % 3 == 0 ? nullptr : &poses[i]);
      arguments.push_back(std::make_unique<through_c::Argument>(refs.back()));
      c_refs.push_back(*arguments.back()->ref());
    }
  }
};

template <class T>
std::string bits(const T& x) {
  std::string out;
  put(out, x);
  return out;
}
template <class C>
std::string bits_of(const std::vector<C>& list) {
  std::string out;
  for (const C& c : list) put(out, through_c::result(c));
  return out;
}
template <class T>
std::string joined(const std::vector<T>& list) {
  std::string out;
  for (const T& x : list) put(out, x);
  return out;
}

TEST(CInterface, BatchesOfPointsAndRays) {
  Random r(5);
  const Mesh mesh = test_scene::random_mesh(r);
  const Solid box = solid(Mesh(closed_box({-1, -1, -1}, {1, 1, 1})));
  struct Padded {
    double xyz[3];
    double other;
  };
  constexpr std::size_t n = 300;
  std::vector<Vec3> points;
  std::vector<Padded> padded;
  std::vector<Ray> rays;
  for (std::size_t i = 0; i < n; ++i) {
    points.push_back(r.point(-2, 2));
    padded.push_back({{points.back().x, points.back().y, points.back().z}, 7});
    rays.push_back({r.point(-2, 2), r.direction()});
  }
  const double *const packed = through_c::doubles(points), *const strided = padded[0].xyz;
  const auto* const c_rays = reinterpret_cast<const graze_ray*>(rays.data());
  for (const ShapeRef target : {ShapeRef(mesh), ShapeRef(box)}) {
    const through_c::Argument t(target);
    std::vector<graze_closest_points> near(n);
    std::vector<std::uint8_t> yes(n);
    for (const bool with_stride : {false, true}) {
      const double* const from = with_stride ? strided : packed;
      const std::size_t stride = with_stride ? sizeof(Padded) : 0;
      ASSERT_EQ(graze_closest_batch(from, n, stride, t, near.data()), GRAZE_OK) << graze_last_error();
      EXPECT_EQ(bits_of(near), joined(closest(points, target)));
      ASSERT_EQ(graze_within_batch(from, n, stride, t, 0.25, yes.data()), GRAZE_OK);
      EXPECT_EQ(yes, within(points, target, 0.25));
      ASSERT_EQ(graze_contains_batch(t, from, n, stride, yes.data()), GRAZE_OK);
      EXPECT_EQ(yes, contains(target, points));
    }
    std::vector<graze_hit> hits(n);
    ASSERT_EQ(graze_raycast_batch(c_rays, n, 0, t, nullptr, hits.data()), GRAZE_OK);
    EXPECT_EQ(bits_of(hits), joined(raycast(RaySpan{rays}, target)));
    ASSERT_EQ(graze_raycast_any_batch(c_rays, n, sizeof(graze_ray), t, nullptr, yes.data()), GRAZE_OK);
    EXPECT_EQ(yes, raycast_any(RaySpan{rays}, target));
    std::vector<std::size_t> offsets(n + 1);
    graze_hit* all = nullptr;
    ASSERT_EQ(graze_raycast_all_batch(c_rays, n, 0, t, nullptr, offsets.data(), &all), GRAZE_OK);
    const RayHits in_cpp = raycast_all(RaySpan{rays}, target);
    EXPECT_EQ(offsets, in_cpp.offsets);
    std::string in_c;
    for (std::size_t i = 0; i < offsets[n]; ++i) put(in_c, *through_c::result(all[i]));
    EXPECT_EQ(in_c, joined(in_cpp.hits));
    graze_free(all);
    const auto expect_brief = [](const graze_brief_hit& got, const BriefHit& wanted) {
      EXPECT_EQ(got.t, wanted.t);
      EXPECT_EQ(got.triangle, wanted.triangle);
      EXPECT_EQ(got.child, wanted.child);
    };
    std::vector<graze_brief_hit> briefs(n);
    ASSERT_EQ(graze_raycast_brief_batch(c_rays, n, 0, t, nullptr, briefs.data()), GRAZE_OK);
    for (std::size_t i = 0; i < rays.size(); ++i) expect_brief(briefs[i], raycast_brief(rays[i], target));
    graze_brief_hit* all_briefs = nullptr;
    ASSERT_EQ(graze_raycast_all_brief_batch(c_rays, n, 0, t, nullptr, offsets.data(), &all_briefs), GRAZE_OK);
    BriefHits wanted;
    raycast_all(RaySpan{rays}, target, wanted);
    EXPECT_EQ(offsets, wanted.offsets);
    for (std::size_t i = 0; i < offsets[n]; ++i) expect_brief(all_briefs[i], wanted.hits[i]);
    graze_free(all_briefs);
  }
  std::vector<double> depth(n);
  ASSERT_EQ(graze_signed_distance_batch(packed, n, 0, through_c::Argument(ShapeRef(box)), depth.data()), GRAZE_OK);
  EXPECT_EQ(joined(depth), joined(signed_distance(points, box)));
}

TEST(CInterface, BatchesOfPosesPairsAndSweeps) {
  Random r(6);
  constexpr int n = 120;
  const Batch a(r, n), b(r, n);
  std::vector<std::uint8_t> yes(n);
  std::vector<graze_closest_points> near(n);
  for (const int kind : {0, 4, 8}) {
    const AnyShape shape = test_scene::random_shape(r, kind);
    const through_c::Argument mover{ShapeRef(shape)};
    const auto* const poses = reinterpret_cast<const graze_pose*>(a.poses.data());
    ASSERT_EQ(graze_intersects_poses(mover, poses, n, 0, &b.c_refs[4], yes.data()), GRAZE_OK);
    EXPECT_EQ(yes, intersects(ShapeRef(shape), a.poses, b.refs[4]));
    ASSERT_EQ(graze_within_poses(mover, poses, n, 0, &b.c_refs[4], 0.5, yes.data()), GRAZE_OK);
    EXPECT_EQ(yes, within(ShapeRef(shape), a.poses, b.refs[4], 0.5));
    ASSERT_EQ(graze_closest_poses(mover, poses, n, 0, &b.c_refs[4], near.data()), GRAZE_OK);
    EXPECT_EQ(bits_of(near), joined(closest(ShapeRef(shape), a.poses, b.refs[4])));
  }
  ASSERT_EQ(graze_intersects_pairs(a.c_refs.data(), 0, b.c_refs.data(), sizeof(graze_ref), n, yes.data()), GRAZE_OK);
  EXPECT_EQ(yes, intersects(a.refs, b.refs));
  ASSERT_EQ(graze_within_pairs(a.c_refs.data(), 0, b.c_refs.data(), 0, n, 0.5, yes.data()), GRAZE_OK);
  EXPECT_EQ(yes, within(a.refs, b.refs, 0.5));
  ASSERT_EQ(graze_closest_pairs(a.c_refs.data(), 0, b.c_refs.data(), 0, n, near.data()), GRAZE_OK);
  EXPECT_EQ(bits_of(near), joined(closest(a.refs, b.refs)));
  std::vector<graze_pair_hint> of_closest(n, graze_pair_hint{});
  for (int times = 0; times < 2; ++times) {
    std::fill(near.begin(), near.end(), graze_closest_points{});
    ASSERT_EQ(graze_closest_pairs_with_hints(a.c_refs.data(), 0, b.c_refs.data(), 0, n, of_closest.data(), near.data()), GRAZE_OK);
    EXPECT_EQ(bits_of(near), joined(closest(a.refs, b.refs)));
  }
  for (std::size_t i = 0; i < near.size(); ++i) {
    ASSERT_EQ(graze_closest_with_hint(&a.c_refs[i], &b.c_refs[i], &of_closest[i], &near[i]), GRAZE_OK);
  }
  EXPECT_EQ(bits_of(near), joined(closest(a.refs, b.refs)));
  const auto points_of = [](const Vec3& normal, std::span<const ManifoldPoint> points) {
    std::string out = bits(normal);
    for (const ManifoldPoint& p : points) put(out, p);
    return out;
  };
  std::vector<std::size_t> offsets(n + 1), offsets_in_cpp(n + 1);
  std::vector<FixedManifold> room(20 * n);
  std::vector<graze_fixed_manifold> manifolds(room.size());
  std::vector<graze_pair_hint> hints(n, graze_pair_hint{});
  const std::size_t all = manifold(a.refs, b.refs, offsets_in_cpp, room);
  ASSERT_LE(all, room.size());
  for (const std::size_t places : {room.size(), all / 2}) {
    std::fill(manifolds.begin(), manifolds.end(), graze_fixed_manifold{});
    ASSERT_EQ(graze_manifold_pairs(a.c_refs.data(), 0, b.c_refs.data(), 0, n, offsets.data(), manifolds.data(), places, hints.data()), GRAZE_OK);
    EXPECT_EQ(offsets, offsets_in_cpp);
    for (std::size_t i = 0; i < std::min(all, places); ++i) {
      std::vector<ManifoldPoint> points;
      for (std::size_t k = 0; k < manifolds[i].point_count; ++k)
        points.push_back({through_c::vector(manifolds[i].points[k].point), manifolds[i].points[k].depth});
      EXPECT_EQ(points_of(through_c::vector(manifolds[i].normal), points), points_of(room[i].normal, room[i].points()));
      EXPECT_EQ(through_c::index(manifolds[i].triangle_a), room[i].triangle_a);
      EXPECT_EQ(through_c::index(manifolds[i].triangle_b), room[i].triangle_b);
    }
    for (std::size_t i = places; i < manifolds.size(); ++i) EXPECT_EQ(manifolds[i].point_count, 0u);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    std::size_t count = 0;
    graze_fixed_manifold one;
    ASSERT_EQ(graze_manifold_into(&a.c_refs[i], &b.c_refs[i], &hints[i], &one, 1, &count), GRAZE_OK);
    ASSERT_EQ(count, offsets[i + 1] - offsets[i]);
    if (count > 0) {
      EXPECT_EQ(bits(through_c::vector(one.normal)), bits(room[offsets[i]].normal));
    }
    graze_penetration_result with, without;
    ASSERT_EQ(graze_penetration_with_hint(&a.c_refs[i], &b.c_refs[i], &hints[i], &with), GRAZE_OK);
    ASSERT_EQ(graze_penetration(&a.c_refs[i], &b.c_refs[i], &without), GRAZE_OK);
    EXPECT_EQ(with.reason, without.reason);
    EXPECT_EQ(bits(with.depth), bits(without.depth));
  }
  std::vector<graze_relation_kind> relations(n, GRAZE_DISJOINT);
  std::vector<Relation> in_cpp(n, Relation::disjoint);
  std::string error;
  try {
    relation(a.refs, b.refs, std::span<Relation>(in_cpp));
  } catch (const Error& e) {
    error = e.what();
  }
  EXPECT_EQ(graze_relation_pairs(a.c_refs.data(), 0, b.c_refs.data(), 0, n, relations.data()) == GRAZE_OK, error.empty());
  if (!error.empty()) {
    EXPECT_EQ(error, graze_last_error());
  }
  for (std::size_t i = 0; i < in_cpp.size(); ++i) EXPECT_EQ(static_cast<int>(relations[i]), static_cast<int>(in_cpp[i]));
  // sweeps of bounded shapes
  std::vector<ShapeRef> moving;
  std::vector<graze_ref> c_moving;
  std::vector<Vec3> motions;
  for (std::size_t i = 0; i < a.refs.size(); ++i)
    if (!unbounded(a.refs[i].kind())) moving.push_back(a.refs[i]), c_moving.push_back(a.c_refs[i]), motions.push_back(r.point(-2, 2));
  std::vector<graze_sweep_hit> hits(moving.size());
  ASSERT_EQ(graze_sweep_batch(c_moving.data(), 0, through_c::doubles(motions), 0, moving.size(), &b.c_refs[4], nullptr, hits.data()), GRAZE_OK)
      << graze_last_error();
  EXPECT_EQ(bits_of(hits), joined(sweep(moving, motions, b.refs[4])));
}

/// The elements of a struct array with another member after each.
template <class T>
struct Strided {
  T value;
  double other = 7;
};

TEST(CInterface, PosesFromArrays) {
  Random r(8);
  constexpr std::size_t n = 50;
  std::vector<Strided<std::array<double, 4>>> quaternions(n);
  std::vector<Strided<std::array<double, 3>>> translations(n);
  std::vector<Strided<std::array<double, 16>>> matrices(n);
  std::vector<Pose> in_cpp;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 v = r.point(-2, 2), t = r.point(-9, 9);
    quaternions[i].value = {1, v.x, v.y, v.z};
    translations[i].value = {t.x, t.y, t.z};
    in_cpp.push_back(Pose::from_quaternion(1, v.x, v.y, v.z, t));
    matrices[i].value = in_cpp.back().matrix4();
  }
  std::vector<graze_pose> out(n);
  const auto same = [&](const std::vector<Pose>& expected) { return std::memcmp(out.data(), expected.data(), n * sizeof(Pose)) == 0; };
  ASSERT_EQ(
      graze_poses_from_quaternions(quaternions[0].value.data(), sizeof quaternions[0], translations[0].value.data(), sizeof translations[0], n, out.data()),
      GRAZE_OK);
  EXPECT_TRUE(same(in_cpp));
  ASSERT_EQ(graze_poses_from_matrices4(matrices[0].value.data(), sizeof matrices[0], n, 0, out.data()), GRAZE_OK);
  EXPECT_TRUE(same(in_cpp));
  std::vector<Pose> rounded;
  for (auto& m : matrices) {
    for (double& x : m.value) x = static_cast<float>(x);
    rounded.push_back(Pose::from_matrix4(m.value, 1e-6));
  }
  ASSERT_EQ(graze_poses_from_matrices4(matrices[0].value.data(), sizeof matrices[0], n, 1e-6, out.data()), GRAZE_OK);
  EXPECT_TRUE(same(rounded));
}

TEST(CInterface, PlaneEquations) {
  Random r(9);
  for (int i = 0; i < 200; ++i) {
    const Plane plane{r.point(-2, 2), r.direction()};
    const PlaneEquation e = equation_of(plane);
    const double expected[4] = {e.a, e.b, e.c, e.d};
    double out[4];
    ASSERT_EQ(graze_plane_equation(reinterpret_cast<const graze_plane*>(&plane), out), GRAZE_OK);
    EXPECT_EQ(std::memcmp(out, expected, sizeof out), 0);
    graze_plane back;
    ASSERT_EQ(graze_plane_from_equation(out, &back), GRAZE_OK);
    const Plane in_cpp = plane_of(e);
    EXPECT_EQ(std::memcmp(&back, &in_cpp, sizeof back), 0);
  }
}

TEST(CInterface, HeightGrids) {
  const double origin[3] = {1, 2, 3}, heights[6] = {0, 0.1, 5, -1, NAN, 2};
  graze_shape* shape = nullptr;
  ASSERT_EQ(graze_height_field_create(origin, 0.5, 0.25, 3, heights, 6, &shape), GRAZE_OK);
  graze_height_grid grid;
  ASSERT_EQ(graze_height_field_grid(shape, &grid), GRAZE_OK);
  EXPECT_EQ(through_c::vector(grid.origin), Vec3(1, 2, 3));
  EXPECT_EQ(grid.dx, 0.5);
  EXPECT_EQ(grid.dy, 0.25);
  EXPECT_EQ(grid.columns, 3u);
  EXPECT_EQ(grid.rows, 2u);
  EXPECT_EQ(std::memcmp(grid.heights, heights, sizeof heights), 0);
  graze_shape_release(shape);
}

TEST(CInterface, StatesOfAllBodies) {
  graze_world* world = nullptr;
  ASSERT_EQ(graze_world_create(nullptr, &world), GRAZE_OK);
  const graze_box cube{{-1, -2, -1}, {1, 1, 1}};
  Random r(10);
  constexpr std::size_t n = 9;
  for (std::size_t i = 0; i < n; ++i) {
    const Pose at = r.pose(1);
    graze_body_options options = GRAZE_BODY_OPTIONS_INIT;
    options.velocity[0] = static_cast<double>(i);
    const graze_ref ref = graze_at(graze_box_ref(&cube), reinterpret_cast<const graze_pose*>(&at));
    ASSERT_EQ(graze_world_add_moving(world, &ref, &options, nullptr), GRAZE_OK) << graze_last_error();
  }
  ASSERT_EQ(graze_world_remove(world, 4), GRAZE_OK);
  ASSERT_EQ(graze_world_step(world, 0.25), GRAZE_OK);
  std::vector<Strided<graze_pose>> poses(n);
  std::vector<Strided<std::array<double, 3>>> velocities(n, {{-1, -1, -1}});
  std::vector<std::uint8_t> alive(n, 7);
  ASSERT_EQ(graze_world_states(world, n, &poses[0].value, sizeof poses[0], velocities[0].value.data(), sizeof velocities[0], alive.data()), GRAZE_OK);
  for (std::size_t i = 0; i < n; ++i) {
    const auto id = static_cast<graze_body>(i);
    EXPECT_EQ(alive[i], i != 4);
    EXPECT_EQ(velocities[i].other, 7);
    graze_pose pose;
    double velocity[3] = {-1, -1, -1};
    if (i == 4) {
      EXPECT_EQ(graze_world_pose(world, id, &pose), GRAZE_UNKNOWN_ID);
    } else {
      ASSERT_EQ(graze_world_pose(world, id, &pose), GRAZE_OK);
      ASSERT_EQ(graze_world_velocity(world, id, velocity), GRAZE_OK);
      EXPECT_EQ(std::memcmp(&pose, &poses[i].value, sizeof pose), 0);
    }
    EXPECT_EQ(std::memcmp(velocity, velocities[i].value.data(), sizeof velocity), 0);
  }
  EXPECT_EQ(graze_world_states(world, n, nullptr, 0, nullptr, 0, alive.data()), GRAZE_OK);
  graze_world_free(world);
}

/// What the calls of a thread report, and when they end.
struct Watched {
  std::vector<double> told;
  double limit = 2;
  static int report(double done, void* user) {
    Watched& w = *static_cast<Watched*>(user);
    w.told.push_back(done);
    return done < w.limit;
  }
};

TEST(CInterface, ProgressOfAThread) {
  Random r(11);
  const Mesh mesh = test_scene::random_mesh(r);
  const through_c::Argument target{ShapeRef(mesh)};
  std::vector<Vec3> points;
  for (int i = 0; i < 20000; ++i) points.push_back(r.point(-2, 2));
  std::vector<std::uint8_t> yes(points.size()), expected(points.size());
  const auto call = [&](std::vector<std::uint8_t>& out) { return graze_within_batch(through_c::doubles(points), points.size(), 0, target, 0.25, out.data()); };
  ASSERT_EQ(call(expected), GRAZE_OK);
  Watched watched;
  ASSERT_EQ(graze_set_progress(Watched::report, &watched), GRAZE_OK);
  ASSERT_EQ(call(yes), GRAZE_OK);
  EXPECT_EQ(yes, expected);
  EXPECT_TRUE(std::is_sorted(watched.told.begin(), watched.told.end()));
  EXPECT_EQ(watched.told.front(), 0);
  EXPECT_EQ(watched.told.back(), 1);
  watched.limit = 0.5;
  EXPECT_EQ(call(yes), GRAZE_CANCELLED);
  EXPECT_STREQ(graze_last_error(), "the call was ended by its Progress");
  EXPECT_EQ(call(yes), GRAZE_CANCELLED);
  std::thread([&] { EXPECT_EQ(call(yes), GRAZE_OK); }).join();  // it is of this thread only
  ASSERT_EQ(graze_set_progress(nullptr, nullptr), GRAZE_OK);
  EXPECT_EQ(call(yes), GRAZE_OK);
  EXPECT_EQ(yes, expected);
}

TEST(CInterface, ArraysOfPlainStructs) {
  Source s(7);
  constexpr std::size_t n = 200;
  std::vector<Sphere> spheres;
  std::vector<Capsule> capsules;
  std::vector<Wedge> wedges;
  for (std::size_t i = 0; i < n; ++i) spheres.push_back(instance<Sphere>(s)), capsules.push_back(instance<Capsule>(s)), wedges.push_back(instance<Wedge>(s));
  std::vector<std::uint8_t> yes(n);
  std::vector<graze_closest_points> near(n);
  const auto one_by_one = [&](const auto& a, const auto& b) {
    std::string out;
    for (std::size_t i = 0; i < n; ++i) put(out, intersects(ShapeRef(a[i]), ShapeRef(b[i])));
    return out;
  };
  const auto gaps = [&](const auto& a, const auto& b) {
    std::string out;
    for (std::size_t i = 0; i < n; ++i) put(out, closest(ShapeRef(a[i]), ShapeRef(b[i])));
    return out;
  };
  ASSERT_EQ(graze_intersects_arrays(GRAZE_SPHERE, spheres.data(), GRAZE_CAPSULE, capsules.data(), n, yes.data()), GRAZE_OK);
  EXPECT_EQ(joined(yes), one_by_one(spheres, capsules));
  ASSERT_EQ(graze_intersects_arrays(GRAZE_CAPSULE, capsules.data(), GRAZE_SPHERE, spheres.data(), n, yes.data()), GRAZE_OK);
  EXPECT_EQ(joined(yes), one_by_one(capsules, spheres));
  ASSERT_EQ(graze_intersects_arrays(GRAZE_WEDGE, wedges.data(), GRAZE_SPHERE, spheres.data(), n, yes.data()), GRAZE_OK);
  EXPECT_EQ(joined(yes), one_by_one(wedges, spheres));
  ASSERT_EQ(graze_closest_arrays(GRAZE_SPHERE, spheres.data(), GRAZE_CAPSULE, capsules.data(), n, near.data()), GRAZE_OK);
  EXPECT_EQ(bits_of(near), gaps(spheres, capsules));
  ASSERT_EQ(graze_closest_arrays(GRAZE_WEDGE, wedges.data(), GRAZE_CAPSULE, capsules.data(), n, near.data()), GRAZE_OK);
  EXPECT_EQ(bits_of(near), gaps(wedges, capsules));
}

}  // namespace
}  // namespace graze::test::answers_test
