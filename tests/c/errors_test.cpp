// Wrong arguments of the C interface: each is an error with its text, never a crash; `out` is unchanged. Defaults and enumerators are those of C++.
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "c/through_c.hpp"

namespace graze::errors_test {
namespace {

using through_c::Handle;

std::string text(graze_status status) { return std::string(graze_status_name(status)) + ": " + (status == GRAZE_OK ? "" : graze_last_error()); }

const graze_sphere kBall{{0, 0, 0}, 1};
const graze_ref kRef = graze_sphere_ref(&kBall);
const double kOrigin[3] = {0, 0, 0};

Handle one_triangle() {
  static const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  static const std::uint32_t triangles[] = {0, 1, 2};
  graze_mesh_input input = GRAZE_MESH_INPUT_INIT;
  input.vertices = vertices;
  input.vertex_count = 3;
  input.triangles = triangles;
  input.triangle_count = 1;
  graze_shape* shape = nullptr;
  through_c::require(graze_mesh_create(&input, &shape));
  return Handle(shape);
}

TEST(CErrors, References) {
  int yes = 7;
  EXPECT_EQ(text(graze_intersects(nullptr, &kRef, &yes)), "invalid_argument: graze_intersects: a is null");
  EXPECT_EQ(text(graze_intersects(&kRef, nullptr, &yes)), "invalid_argument: graze_intersects: b is null");
  EXPECT_EQ(text(graze_intersects(&kRef, &kRef, nullptr)), "invalid_argument: graze_intersects: out is null");
  const graze_ref empty = graze_plain(GRAZE_SPHERE, nullptr);
  EXPECT_EQ(text(graze_intersects(&kRef, &empty, &yes)), "invalid_argument: graze_intersects: b.shape is null");
  const graze_ref none = graze_handle(nullptr);
  EXPECT_EQ(text(graze_closest(&none, &kRef, nullptr)), "invalid_argument: graze_closest: a.shape is null");
  for (const graze_kind kind : {-1, 23, 254, 256, 1 << 30}) {
    const graze_ref unknown = graze_plain(kind, &kBall);
    EXPECT_EQ(text(graze_intersects(&unknown, &kRef, &yes)),
              "invalid_argument: graze_intersects: a.kind is " + std::to_string(kind) + ", must be a graze_kind or GRAZE_HANDLE");
  }
  const graze_ref mesh = graze_plain(GRAZE_MESH, &kBall);
  EXPECT_EQ(text(graze_intersects(&mesh, &kRef, &yes)),
            "invalid_argument: graze_intersects: a.kind is 17 (mesh), which has no plain struct, must be GRAZE_HANDLE for a graze_shape");
  EXPECT_EQ(yes, 7);
  const graze_ref pair[2] = {kRef, empty};
  std::uint8_t out[2];
  EXPECT_EQ(text(graze_intersects_pairs(pair, 0, pair, 0, 2, out)), "invalid_argument: graze_intersects_pairs: a[1].shape is null");
}

TEST(CErrors, Options) {
  graze_hit hit;
  graze_ray_options options = GRAZE_RAY_OPTIONS_INIT;
  const graze_ray along{{0, 0, -5}, {0, 0, 1}};
  const graze_ref ray = graze_ray_ref(&along);
  EXPECT_EQ(text(graze_raycast(&ray, &kRef, &options, &hit)), "ok: ");
  EXPECT_EQ(hit.hit, 1);
  EXPECT_EQ(hit.t, 4);
  options.size = 3;
  EXPECT_EQ(text(graze_raycast(&ray, &kRef, &options, &hit)), "invalid_argument: graze_raycast: options.size is 3, must be the size of the struct, " +
                                                                  std::to_string(sizeof options) + ", as its initialiser sets it");
  options.size = sizeof options;
  options.sides = 3;
  EXPECT_EQ(text(graze_raycast(&ray, &kRef, &options, &hit)), "invalid_argument: graze_raycast: options.sides is 3, must be from 0 to 2");
  options.sides = GRAZE_SIDES_BOTH;
  options.t_max = NAN;
  EXPECT_EQ(text(graze_raycast(&ray, &kRef, &options, &hit)), "invalid_argument: raycast: t_max is NaN");
  EXPECT_EQ(text(graze_raycast(&kRef, &kRef, nullptr, &hit)), "unsupported_shape: raycast: a sphere is no ray; use a Ray, Segment or Line");
}

TEST(CErrors, ArraysAndStrides) {
  const double points[] = {0, 0, 0, 1, 1, 1};
  double out[2];
  EXPECT_EQ(text(graze_signed_distance_batch(points, 2, 0, &kRef, out)), "ok: ");
  EXPECT_EQ(text(graze_signed_distance_batch(nullptr, 0, 0, &kRef, nullptr)), "ok: ");
  EXPECT_EQ(text(graze_signed_distance_batch(nullptr, 2, 0, &kRef, out)), "invalid_argument: graze_signed_distance_batch: points is null, must be 2 elements");
  EXPECT_EQ(text(graze_signed_distance_batch(points, 2, 0, &kRef, nullptr)), "invalid_argument: graze_signed_distance_batch: out is null");
  for (const std::size_t stride : {std::size_t{1}, std::size_t{16}, std::size_t{28}})
    EXPECT_EQ(text(graze_signed_distance_batch(points, 1, stride, &kRef, out)), "invalid_argument: graze_signed_distance_batch: points has the stride " +
                                                                                    std::to_string(stride) + ", must be 0, or at least 24 and a multiple of 8");
  const auto* const odd = reinterpret_cast<const double*>(reinterpret_cast<const char*>(points) + 1);
  EXPECT_EQ(text(graze_signed_distance_batch(odd, 1, 0, &kRef, out)), "invalid_argument: graze_signed_distance_batch: points is not aligned as a double");
  std::uint8_t yes[1];
  EXPECT_EQ(text(graze_intersects_arrays(GRAZE_MESH, points, GRAZE_SPHERE, &kBall, 1, yes)),
            "invalid_argument: graze_intersects_arrays: a.kind is 17 (mesh), which has no plain struct, must be GRAZE_HANDLE for a graze_shape");
  EXPECT_EQ(text(graze_intersects_arrays(GRAZE_HANDLE, points, GRAZE_SPHERE, &kBall, 1, yes)),
            "invalid_argument: graze_intersects_arrays: a is of kind GRAZE_HANDLE, must be of a kind with a plain struct");
}

TEST(CErrors, ManifoldsAndHints) {
  const graze_sphere ball = {{0, 0, 0}, 1};
  const graze_ref a = graze_sphere_ref(&ball);
  graze_penetration_result depth;
  graze_fixed_manifold one;
  std::size_t count = 0, offsets[2];
  EXPECT_EQ(graze_penetration_with_hint(&a, &a, nullptr, &depth), GRAZE_INVALID_ARGUMENT);
  graze_closest_points near;
  graze_pair_hint hint{};
  EXPECT_EQ(graze_closest_with_hint(&a, &a, nullptr, &near), GRAZE_INVALID_ARGUMENT);
  EXPECT_EQ(graze_closest_with_hint(&a, &a, &hint, nullptr), GRAZE_INVALID_ARGUMENT);
  EXPECT_EQ(graze_closest_pairs_with_hints(&a, 0, &a, 0, 1, nullptr, &near), GRAZE_INVALID_ARGUMENT);
  EXPECT_EQ(graze_closest_pairs_with_hints(&a, 0, &a, 0, 1, &hint, nullptr), GRAZE_INVALID_ARGUMENT);
  EXPECT_EQ(graze_manifold_into(&a, &a, nullptr, nullptr, 1, &count), GRAZE_INVALID_ARGUMENT);
  EXPECT_EQ(graze_manifold_into(&a, &a, nullptr, &one, 1, nullptr), GRAZE_INVALID_ARGUMENT);
  EXPECT_EQ(graze_manifold_into(&a, &a, nullptr, nullptr, 0, &count), GRAZE_OK);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(graze_manifold_pairs(&a, 0, &a, 0, 1, nullptr, &one, 1, nullptr), GRAZE_INVALID_ARGUMENT);
  EXPECT_EQ(graze_manifold_pairs(&a, 0, &a, 0, 1, offsets, nullptr, 1, nullptr), GRAZE_INVALID_ARGUMENT);
  EXPECT_EQ(graze_manifold_pairs(&a, 0, &a, 0, 1, offsets, nullptr, 0, nullptr), GRAZE_OK);
  EXPECT_EQ(offsets[1], 1u);
}

TEST(CErrors, Handles) {
  graze_shape* shape = nullptr;
  const Handle mesh = one_triangle();
  EXPECT_EQ(text(graze_solid_create(nullptr, &shape)), "invalid_argument: graze_solid_create: mesh is null");
  EXPECT_NE(text(graze_solid_create(mesh.get(), &shape)).find("invalid_shape: "), std::string::npos);
  EXPECT_EQ(shape, nullptr);
  const void* plain = nullptr;
  EXPECT_EQ(text(graze_shape_plain(mesh.get(), GRAZE_SPHERE, &plain)), "invalid_argument: graze_shape_plain: shape is of kind 17 (mesh), not 8");
  EXPECT_EQ(text(graze_shape_plain(mesh.get(), GRAZE_MESH, &plain)),
            "invalid_argument: graze_shape_plain: shape.kind is 17 (mesh), which has no plain struct, must be GRAZE_HANDLE for a graze_shape");
  int dimension = 0;
  EXPECT_EQ(text(graze_hull_dimension(mesh.get(), &dimension)),
            "invalid_argument: graze_hull_dimension: hull is of kind mesh, must be of kind convex or frustum");
  graze_plane plane;
  EXPECT_EQ(text(graze_frustum_plane(mesh.get(), 0, &plane)), "invalid_argument: graze_frustum_plane: frustum is of kind mesh, must be of kind frustum");
  const graze_ref sphere = kRef;
  ASSERT_EQ(graze_shape_create(&sphere, &shape), GRAZE_OK);
  const Handle ball(shape);
  const double* vertices = nullptr;
  std::size_t count = 0;
  EXPECT_EQ(text(graze_mesh_vertices(ball.get(), &vertices, &count)),
            "invalid_argument: graze_mesh_vertices: shape is of kind sphere, must be of kind mesh, solid or heightfield");
  const graze_sphere negative{{0, 0, 0}, -1};
  const graze_ref wrong = graze_sphere_ref(&negative);
  EXPECT_EQ(text(graze_shape_create(&wrong, &shape)), "invalid_shape: sphere: radius is -1, must be >= 0");
  EXPECT_EQ(text(graze_validate(&wrong)), "invalid_shape: sphere: radius is -1, must be >= 0");
  const graze_pose identity = GRAZE_POSE_IDENTITY;
  const graze_ref placed = graze_at(kRef, &identity);
  EXPECT_EQ(text(graze_shape_create(&placed, &shape)), "invalid_argument: graze_shape_create: ref.pose is not null, must be null here");
  graze_mesh_part part;
  EXPECT_EQ(text(graze_mesh_part_at(mesh.get(), 0, &part)), "invalid_argument: graze_mesh_part_at: index is 0, must be less than 0");
}

TEST(CErrors, Meshes) {
  const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  graze_mesh_input input = GRAZE_MESH_INPUT_INIT;
  graze_shape* shape = nullptr;
  EXPECT_EQ(text(graze_mesh_create(nullptr, &shape)), "invalid_argument: graze_mesh_create: input is null");
  input.vertex_count = 3;
  EXPECT_EQ(text(graze_mesh_create(&input, &shape)), "invalid_argument: graze_mesh_create: input.vertices is null, must be 3 vertices");
  input.vertices = vertices;
  input.triangle_count = 1;
  EXPECT_EQ(text(graze_mesh_create(&input, &shape)), "invalid_argument: graze_mesh_create: input.triangles is null, must be 1 triangles");
  const std::int64_t far[] = {0, 1, std::int64_t{1} << 40};
  input.triangles = far;
  input.index_type = GRAZE_INT64;
  EXPECT_EQ(text(graze_mesh_create(&input, &shape)), "invalid_shape: mesh: triangle 0 uses vertex 1099511627776 of 3");
  const std::int32_t negative[] = {0, -1, 2};
  input.triangles = negative;
  input.index_type = GRAZE_INT32;
  EXPECT_EQ(text(graze_mesh_create(&input, &shape)), "invalid_shape: mesh: triangle 0 uses vertex -1 of 3");
  input.index_type = 9;
  EXPECT_EQ(text(graze_mesh_create(&input, &shape)), "invalid_argument: graze_mesh_create: input.index_type is 9, must be from 0 to 2");
  const std::uint32_t beyond[] = {0, 1, 3};
  input.triangles = beyond;
  input.index_type = GRAZE_UINT32;
  std::string in_cpp;
  try {
    (void)Mesh(VertexView(vertices, 3), std::vector<TriangleIndices>{{0, 1, 3}});
  } catch (const Error& e) {
    in_cpp = e.what();
  }
  EXPECT_EQ(text(graze_mesh_create(&input, &shape)), "invalid_shape: " + in_cpp);
  const std::int64_t good[] = {0, 1, 2};
  input.triangles = good;
  input.index_type = GRAZE_INT64;
  input.build = 2;
  EXPECT_EQ(text(graze_mesh_create(&input, &shape)), "invalid_argument: graze_mesh_create: input.build is 2, must be from 0 to 1");
  input.build = GRAZE_BUILD_FAST;
  input.progress = [](double, void* calls) { return ++*static_cast<int*>(calls) < 1 ? 1 : 0; };
  int calls = 0;
  input.progress_user = &calls;
  EXPECT_EQ(graze_mesh_create(&input, &shape), GRAZE_CANCELLED);
  EXPECT_EQ(shape, nullptr);
}

TEST(CErrors, Poses) {
  const double quaternions[] = {1, 0, 0, 0, 0, 0, 0, 0};
  graze_pose out[2];
  EXPECT_EQ(text(graze_poses_from_quaternions(nullptr, 0, nullptr, 0, 2, out)),
            "invalid_argument: graze_poses_from_quaternions: quaternions is null, must be 2 elements");
  EXPECT_EQ(text(graze_poses_from_quaternions(quaternions, 0, nullptr, 0, 2, nullptr)), "invalid_argument: graze_poses_from_quaternions: out is null");
  EXPECT_EQ(text(graze_poses_from_quaternions(quaternions, 24, nullptr, 0, 2, out)),
            "invalid_argument: graze_poses_from_quaternions: quaternions has the stride 24, must be 0, or at least 32 and a multiple of 8");
  graze_pose one;
  EXPECT_NE(graze_pose_from_quaternion(0, 0, 0, 0, kOrigin, &one), GRAZE_OK);
  const std::string zero = graze_last_error();
  EXPECT_EQ(text(graze_poses_from_quaternions(quaternions, 0, nullptr, 0, 2, out)), "invalid_shape: quaternions[1]: " + zero);
  EXPECT_EQ(out[0].rotation[0][0], 1);
  EXPECT_EQ(text(graze_poses_from_quaternions(nullptr, 0, nullptr, 0, 0, nullptr)), "ok: ");
  double matrices[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  EXPECT_NE(graze_pose_from_matrix4(matrices + 16, 0, &one), GRAZE_OK);
  const std::string nothing = graze_last_error();
  EXPECT_EQ(text(graze_poses_from_matrices4(matrices, 0, 2, 0, out)), "invalid_shape: matrices[1]: " + nothing);
}

TEST(CErrors, PlanesAndHeightFields) {
  double equation[4];
  const graze_plane flat{{0, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(text(graze_plane_equation(nullptr, equation)), "invalid_argument: graze_plane_equation: plane is null");
  EXPECT_EQ(graze_plane_equation(&flat, equation), GRAZE_INVALID_SHAPE);
  graze_plane plane;
  const double zero[] = {0, 0, 0, 1}, far[] = {0, 1e-300, 0, 1e300}, nan[] = {0, 1, 0, NAN};
  EXPECT_EQ(text(graze_plane_from_equation(nullptr, &plane)), "invalid_argument: graze_plane_from_equation: equation is null");
  EXPECT_EQ(text(graze_plane_from_equation(zero, &plane)), "invalid_shape: plane_of: the normal (a, b, c) is (0, 0, 0), must not be zero");
  EXPECT_EQ(text(graze_plane_from_equation(nan, &plane)), "invalid_shape: plane_of: d is NaN, must be finite");
  EXPECT_EQ(graze_plane_from_equation(far, &plane), GRAZE_OVERFLOW);
  graze_height_grid grid;
  EXPECT_EQ(text(graze_height_field_grid(one_triangle().get(), &grid)),
            "invalid_argument: graze_height_field_grid: field is of kind mesh, must be of kind heightfield");
}

TEST(CErrors, AProgressFunctionMaySetNone) {
  Handle mesh = one_triangle();
  const auto nested = [](double, void* status) {
    *static_cast<graze_status*>(status) = graze_set_progress(nullptr, nullptr);
    return 1;
  };
  graze_status inner = GRAZE_OK;
  ASSERT_EQ(graze_set_progress(nested, &inner), GRAZE_OK);
  graze_mesh_report* report = nullptr;
  const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const std::uint32_t triangles[] = {0, 1, 2};
  graze_mesh_input input = GRAZE_MESH_INPUT_INIT;
  input.vertices = vertices;
  input.vertex_count = 3;
  input.triangles = triangles;
  input.triangle_count = 1;
  graze_shape* shape = nullptr;
  EXPECT_EQ(graze_mesh_create(&input, &shape), GRAZE_OK);  // reports to the thread's function
  EXPECT_EQ(inner, GRAZE_INVALID_ARGUMENT);
  EXPECT_STREQ(graze_last_error(), "graze_set_progress: progress is set by the function that reports, must be set between two calls");
  graze_shape_release(shape);
  EXPECT_EQ(graze_check(mesh.get(), &report), GRAZE_OK);
  graze_free(report);
  ASSERT_EQ(graze_set_progress(nullptr, nullptr), GRAZE_OK);
}

TEST(CErrors, ScenesWorldsMovers) {
  graze_scene* scene = nullptr;
  ASSERT_EQ(graze_scene_create(&scene), GRAZE_OK);
  graze_pose pose;
  EXPECT_EQ(graze_scene_pose(scene, 5, &pose), GRAZE_UNKNOWN_ID);
  EXPECT_EQ(text(graze_scene_add(nullptr, "a", &kRef, nullptr, nullptr)), "invalid_argument: graze_scene_add: scene is null");
  const graze_member_options options{1, 2, 3};
  EXPECT_NE(text(graze_scene_add(scene, "a", &kRef, &options, nullptr)).find("graze_scene_add: options.size is 1"), std::string::npos);
  graze_world* world = nullptr;
  graze_world_options wrong = GRAZE_WORLD_OPTIONS_INIT;
  wrong.max_bounces = -1;
  EXPECT_EQ(graze_world_create(&wrong, &world), GRAZE_INVALID_ARGUMENT);
  EXPECT_EQ(world, nullptr);
  ASSERT_EQ(graze_world_create(nullptr, &world), GRAZE_OK);
  EXPECT_EQ(graze_world_step(world, -1), GRAZE_INVALID_ARGUMENT);
  EXPECT_EQ(text(graze_world_states(world, 1, nullptr, 0, nullptr, 0, nullptr)),
            "invalid_argument: graze_world_states: count is 1, must be the number of bodies, 0");
  ASSERT_EQ(graze_world_add_moving(world, &kRef, nullptr, nullptr), GRAZE_OK);
  EXPECT_EQ(text(graze_world_states(world, 1, &pose, 8, nullptr, 0, nullptr)),
            "invalid_argument: graze_world_states: poses has the stride 8, must be 0, or at least 96 and a multiple of 8");
  const std::uint8_t bytes[] = {1, 2, 3};
  EXPECT_EQ(graze_world_restore(world, bytes, 3), GRAZE_BAD_SNAPSHOT);
  EXPECT_EQ(text(graze_world_restore(world, nullptr, 3)), "invalid_argument: graze_world_restore: snapshot is null");
  graze_mover* mover = nullptr;
  ASSERT_EQ(graze_scene_add(scene, nullptr, &kRef, nullptr, nullptr), GRAZE_OK);
  EXPECT_NE(graze_mover_create(scene, &kRef, kOrigin, nullptr, &mover), GRAZE_OK);
  EXPECT_EQ(mover, nullptr);
  graze_world_free(world);
  graze_postures* postures = nullptr;
  const graze_member none = 9, first = 0;
  std::uint8_t touches = 0;
  EXPECT_EQ(graze_postures_create(scene, &none, 1, nullptr, &postures), GRAZE_UNKNOWN_ID);
  EXPECT_EQ(text(graze_postures_create(scene, nullptr, 1, nullptr, &postures)), "invalid_argument: graze_postures_create: moving is null");
  ASSERT_EQ(graze_postures_create(scene, &first, 1, nullptr, &postures), GRAZE_OK);
  EXPECT_EQ(text(graze_postures_touching(postures, nullptr, 1, 0, &touches)), "invalid_argument: graze_postures_touching: poses is null, must be 1 elements");
  EXPECT_EQ(text(graze_postures_touching(nullptr, &pose, 1, 0, &touches)), "invalid_argument: graze_postures_touching: postures is null");
  EXPECT_EQ(text(graze_postures_pairs(postures, &pose, SIZE_MAX, 0, nullptr, nullptr)).find("invalid_argument: graze_postures_pairs: count is "), 0u);
  graze_postures_free(postures);
  graze_scene_free(scene);
}

TEST(CErrors, TheLastErrorIsOfTheThread) {
  EXPECT_NE(graze_validate(nullptr), GRAZE_OK);
  const std::string mine = graze_last_error();
  std::string other = "unset";
  std::thread([&] { other = graze_last_error(); }).join();
  EXPECT_EQ(other, "");
  EXPECT_EQ(graze_last_error(), mine);
  int yes = 0;
  EXPECT_EQ(graze_intersects(&kRef, &kRef, &yes), GRAZE_OK);
  EXPECT_EQ(graze_last_error(), mine);  // a call that succeeds does not change it
}

TEST(CErrors, Readers) {
  graze_model* model = nullptr;
  graze_shape* shape = nullptr;
  EXPECT_NE(graze_load_mesh("/nonexistent/a.obj", nullptr, &shape), GRAZE_OK);
  EXPECT_EQ(text(graze_load_mesh(nullptr, nullptr, &shape)).substr(0, 35), "invalid_argument: graze_load_mesh: ");
  if (graze_has_model_extension("a.obj")) {  // with the readers
    EXPECT_EQ(graze_load_model("/nonexistent/a.obj", nullptr, &model), GRAZE_UNREADABLE_FILE);
    EXPECT_EQ(graze_read_model("?", 1, "a.obj", nullptr, &model), GRAZE_MALFORMED_FILE);
    const std::filesystem::path path = std::filesystem::temp_directory_path() / ("graze_c_facts_" + std::to_string(std::random_device{}()) + ".obj");
    std::ofstream(path) << "fancy\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    graze_load_options options = GRAZE_LOAD_OPTIONS_INIT;
    options.facts = &model;
    ASSERT_EQ(graze_load_mesh(path.c_str(), &options, &shape), GRAZE_OK);
    EXPECT_STREQ(model->format, "obj");
    ASSERT_EQ(model->note_count, 1u);
    EXPECT_STREQ(model->notes[0], "line 1: 'fancy' is not known, ignored (1 statement)");
    EXPECT_EQ(model->vertex_count + model->triangle_count, 0u);
    graze_free(model);
    graze_shape_release(shape);
    std::filesystem::remove(path);
  } else {
    EXPECT_EQ(text(graze_load_mesh("a.obj", nullptr, &shape)),
              "invalid_argument: graze_load_mesh: the readers are not in this library: it was built with GRAZE_IO=OFF");
  }
}

TEST(CErrors, NamesOfEverything) {
  for (int i = 0; i <= static_cast<int>(ErrorCode::internal); ++i)
    EXPECT_STREQ(graze_status_name(static_cast<graze_status>(i + 1)), error_name(static_cast<ErrorCode>(i)));
  EXPECT_STREQ(graze_status_name(GRAZE_OK), "ok");
  EXPECT_STREQ(graze_status_name(GRAZE_OUT_OF_MEMORY), "out_of_memory");
  for (std::size_t i = 0; i < Shapes::size; ++i) EXPECT_STREQ(graze_kind_name(static_cast<graze_kind>(i)), type_name(static_cast<Kind>(i)));
  EXPECT_EQ(graze_kind_name(-1), nullptr);
  EXPECT_EQ(graze_kind_name(GRAZE_HANDLE), nullptr);
  for (int i = 0; i <= GRAZE_IDENTICAL; ++i) EXPECT_STREQ(graze_relation_name(static_cast<graze_relation_kind>(i)), name_of(static_cast<Relation>(i)));
  EXPECT_EQ(graze_relation_name(static_cast<graze_relation_kind>(GRAZE_IDENTICAL + 1)), nullptr);
  graze_guarantee_kind kind;
  for (std::size_t q = 0; q < kQueries; ++q)
    for (std::size_t a = 0; a < Shapes::size; ++a) {
      ASSERT_EQ(graze_guarantee(graze_query_name(static_cast<int>(q)), static_cast<graze_kind>(a), GRAZE_MESH, &kind), GRAZE_OK);
      const Guarantee g = guarantee(static_cast<Query>(q), static_cast<Kind>(a), Kind::mesh);
      EXPECT_EQ(static_cast<int>(kind), static_cast<int>(g));
      EXPECT_STREQ(graze_guarantee_name(kind), guarantee_name(g));
      EXPECT_STREQ(graze_guarantee_text(kind), guarantee_text(g));
    }
  EXPECT_EQ(graze_query_name(static_cast<int>(kQueries)), nullptr);
  EXPECT_EQ(text(graze_guarantee("guess", GRAZE_BOX, GRAZE_BOX, &kind)),
            "invalid_argument: graze_guarantee: query is \"guess\", must be the name of a query, as graze_query_name() lists them");
}

TEST(CErrors, DefaultsAreThoseOfCpp) {
  const graze_ray_options ray = GRAZE_RAY_OPTIONS_INIT;
  EXPECT_EQ(ray.t_max, RayOptions{}.t_max);
  const graze_pair_options pairs = GRAZE_PAIR_OPTIONS_INIT;
  EXPECT_EQ(pairs.limit, PairOptions{}.limit);
  const graze_sweep_options sweep = GRAZE_SWEEP_OPTIONS_INIT;
  EXPECT_EQ(sweep.place != 0, SweepOptions{}.place);
  EXPECT_EQ(sweep.skip_departing != 0, SweepOptions{}.skip_departing);
  const graze_rigid_sweep_options rigid = GRAZE_RIGID_SWEEP_OPTIONS_INIT;
  EXPECT_EQ(rigid.tolerance, RigidSweepOptions{}.tolerance);
  EXPECT_EQ(rigid.budget, RigidSweepOptions{}.budget);
  const graze_material material = GRAZE_MATERIAL_INIT;
  EXPECT_EQ(material.restitution, Material{}.restitution);
  EXPECT_EQ(material.friction, Material{}.friction);
  EXPECT_EQ(material.speed_kept, Material{}.speed_kept);
  const graze_bounce_options bounce = GRAZE_BOUNCE_OPTIONS_INIT;
  EXPECT_EQ(bounce.max_bounces, BounceOptions{}.max_bounces);
  EXPECT_EQ(bounce.sliding != 0, BounceOptions{}.sliding);
  const graze_deforming_options deforming = GRAZE_DEFORMING_OPTIONS_INIT;
  EXPECT_EQ(deforming.limit, DeformingOptions{}.limit);
  EXPECT_EQ(deforming.first_only != 0, DeformingOptions{}.first_only);
  const graze_member_options member = GRAZE_MEMBER_OPTIONS_INIT;
  EXPECT_EQ(member.group, MemberOptions{}.group);
  EXPECT_EQ(member.meets, MemberOptions{}.meets);
  const graze_scene_filter filter = GRAZE_SCENE_FILTER_INIT;
  EXPECT_EQ(filter.groups, SceneFilter{}.groups);
  const graze_scene_pair_options scene = GRAZE_SCENE_PAIR_OPTIONS_INIT;
  EXPECT_EQ(scene.within, PairsOptions{}.within);
  EXPECT_EQ(scene.witnesses != 0, PairsOptions{}.witnesses);
  EXPECT_EQ(scene.relations != 0, PairsOptions{}.relations);
  const graze_world_options world = GRAZE_WORLD_OPTIONS_INIT;
  EXPECT_EQ(through_c::vector(world.gravity), WorldOptions{}.gravity);
  EXPECT_EQ(world.seed, WorldOptions{}.seed);
  EXPECT_EQ(world.max_bounces, WorldOptions{}.max_bounces);
  EXPECT_EQ(world.record_impacts != 0, WorldOptions{}.record_impacts);
  const graze_body_options body = GRAZE_BODY_OPTIONS_INIT;
  EXPECT_EQ(body.gravity_scale, BodyOptions{}.gravity_scale);
  EXPECT_EQ(body.meets, BodyOptions{}.meets);
  EXPECT_EQ(body.fuse, BodyOptions{}.fuse);
  EXPECT_EQ(body.drag, BodyOptions{}.drag);
  EXPECT_EQ(body.rest_speed, BodyOptions{}.rest_speed);
  EXPECT_EQ(body.material.restitution, BodyOptions{}.material.restitution);
  const graze_emitter emitter = GRAZE_EMITTER_INIT;
  EXPECT_EQ(emitter.floor, Emitter{}.floor);
  EXPECT_EQ(emitter.life, Emitter{}.life);
  EXPECT_EQ(emitter.slow, Emitter{}.slow);
  const graze_mover_options mover = GRAZE_MOVER_OPTIONS_INIT;
  EXPECT_EQ(through_c::vector(mover.up), MoverOptions{}.up);
  EXPECT_EQ(mover.step_height, MoverOptions{}.step_height);
  EXPECT_EQ(mover.steepest_slope, MoverOptions{}.steepest_slope);
  EXPECT_EQ(mover.max_slides, MoverOptions{}.max_slides);
}

}  // namespace
}  // namespace graze::errors_test
