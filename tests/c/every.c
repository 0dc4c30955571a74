/* Every function of the C interface, called from C99: what it answers is compared with C++ elsewhere. Prints what failed; exit status 1 then. */
#include <graze/graze.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void fail(int line, const char* what) {
  ++failures;
  printf("every.c:%d: %s: %s\n", line, what, graze_last_error());
}

#define CHECK(condition) ((condition) ? (void)0 : fail(__LINE__, #condition))
#define OK(call) CHECK((call) == GRAZE_OK)

static int go_on(double done, void* user) {
  ++*(int*)user;
  return done <= 1;
}
static int all_triangles(const graze_target_triangle* triangle, void* user) {
  (void)triangle;
  ++*(int*)user;
  return 1;
}
static int all_pairs(uint32_t a, uint32_t b, void* user) {
  ++*(int*)user;
  return a <= UINT32_MAX && b <= UINT32_MAX;
}
static int all_members(graze_member member, void* user) {
  (void)member;
  ++*(int*)user;
  return 1;
}
static int all_contacts(const graze_deforming_contact* contact, void* user) {
  ++*(int*)user;
  return contact->t >= 0;
}
static double all_boxes(uint32_t id, double t_max, void* user) {
  (void)id;
  ++*(int*)user;
  return t_max;
}

static const double kZero[3] = {0, 0, 0};
static const double kOne[3] = {1, 1, 1};
static const double kUp[3] = {0, 0, 1};
static const double kDown[3] = {0, 0, -4};
static const double kCube[24] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1};
static const uint32_t kCubeTriangles[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

static graze_shape* cube_mesh(void) {
  graze_mesh_part part = {"cube", 0, 12};
  uint32_t user[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  graze_mesh_input input = GRAZE_MESH_INPUT_INIT;
  graze_shape* mesh = NULL;
  int calls = 0;
  input.vertices = kCube;
  input.vertex_count = 8;
  input.triangles = kCubeTriangles;
  input.triangle_count = 12;
  input.parts = &part;
  input.part_count = 1;
  input.user = user;
  input.progress = go_on;
  input.progress_user = &calls;
  OK(graze_mesh_create(&input, &mesh));
  CHECK(calls > 0);
  return mesh;
}

static void library(void) {
  graze_tier_counts counts;
  graze_kernel_use use;
  graze_guarantee_kind guarantee;
  CHECK(strcmp(graze_status_name(GRAZE_OK), "ok") == 0);
  CHECK(strchr(graze_version(), '.') != NULL);
  CHECK(strlen(graze_cpu_level()) > 0);
  graze_set_threads(2);
  graze_set_threads(0);
  graze_free(NULL);
  CHECK(graze_kind_name(GRAZE_SPHERE) != NULL);
  CHECK(graze_relation_name(GRAZE_TOUCHING) != NULL);
  CHECK(graze_query_name(0) != NULL);
  OK(graze_guarantee("closest", GRAZE_SPHERE, GRAZE_BOX, &guarantee));
  CHECK(graze_guarantee_name(guarantee) != NULL && graze_guarantee_text(guarantee) != NULL);
  graze_reset_tier_counts();
  OK(graze_get_tier_counts(&counts));
  OK(graze_get_kernel_use(&use));
}

static void poses(void) {
  const double turn[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, matrix[16] = {1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1};
  const double rough[9] = {0, -1.0000001, 0, 1, 0, 0, 0, 0, 1};
  double rows[16], point[3];
  graze_pose a, b = GRAZE_POSE_IDENTITY, c;
  OK(graze_pose_from_quaternion(1, 0, 0, 1, kZero, &a));
  OK(graze_pose_from_matrix(turn, kZero, &b));
  CHECK(memcmp(&a.rotation, &b.rotation, sizeof a.rotation) == 0);
  CHECK(graze_pose_from_matrix(rough, kZero, &b) == GRAZE_INVALID_SHAPE);
  OK(graze_pose_nearest(rough, 1e-6, kZero, &b));
  OK(graze_pose_quarter_turn(2, 1, kOne, &c));
  OK(graze_pose_from_matrix4(matrix, 0, &a));
  OK(graze_pose_matrix4(&a, rows));
  CHECK(memcmp(rows, matrix, sizeof rows) == 0);
  OK(graze_pose_compose(&a, &c, &b));
  OK(graze_pose_inverse(&a, &b));
  CHECK(b.translation[0] == -5);
  OK(graze_pose_apply(&a, kOne, point));
  CHECK(point[0] == 6 && point[1] == 7 && point[2] == 8);
  OK(graze_pose_rotate(&a, kOne, point));
  CHECK(point[0] == 1);
}

static void shapes(void) {
  const graze_sphere ball = {{0, 0, 0}, 1};
  const graze_ref ref = graze_sphere_ref(&ball);
  const double square[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, heights[4] = {0, 1, 2, 3};
  const void* plain = NULL;
  const double* points = NULL;
  const uint32_t* numbers = NULL;
  uint32_t* triangles = NULL;
  size_t count = 0;
  int dimension = 0, calls = 0;
  double corner[3];
  graze_kind kind;
  graze_box box, *boxes = NULL;
  graze_plane plane;
  graze_pose pose;
  graze_mesh_part part;
  graze_mesh_report* report = NULL;
  graze_ref children[2];
  graze_shape *owned = NULL, *hull = NULL, *polygon = NULL, *frustum = NULL, *view = NULL, *mesh = cube_mesh(), *solid = NULL, *surface = NULL,
              *refitted = NULL, *field = NULL, *compound = NULL, *child = NULL;
  OK(graze_validate(&ref));
  OK(graze_shape_create(&ref, &owned));
  CHECK(graze_shape_retain(owned) == owned);
  graze_shape_release(owned);
  OK(graze_shape_kind(owned, &kind));
  CHECK(kind == GRAZE_SPHERE);
  OK(graze_shape_plain(owned, GRAZE_SPHERE, &plain));
  CHECK(((const graze_sphere*)plain)->radius == 1);
  OK(graze_box_from_center(kZero, kOne, &box));
  OK(graze_box_center(&box, corner));
  OK(graze_box_corner(&box, 0, corner));
  CHECK(corner[0] == -1);
  OK(graze_box_from_corner(kZero, kOne, &box));
  OK(graze_hull_create(kCube, 8, 0, go_on, &calls, &hull));
  OK(graze_shape_points(hull, &points, &count));
  CHECK(count == 8);
  OK(graze_hull_corners(hull, &numbers, &count));
  CHECK(count == 8);
  OK(graze_hull_triangles(hull, &numbers, &count));
  CHECK(count == 12);
  OK(graze_hull_dimension(hull, &dimension));
  CHECK(dimension == 3);
  OK(graze_polygon_create(square, 4, 0, &polygon));
  OK(graze_frustum_create(kCube, 8, 0, &frustum));
  OK(graze_frustum_perspective(kZero, kUp, square + 3, 1, 1, 1, 2, &view));
  OK(graze_frustum_plane(view, 0, &plane));
  OK(graze_mesh_vertices(mesh, &points, &count));
  CHECK(count == 8 && points[0] == -1);
  OK(graze_mesh_triangles(mesh, &numbers, &count));
  CHECK(count == 12 && memcmp(numbers, kCubeTriangles, sizeof kCubeTriangles) == 0);
  OK(graze_mesh_user(mesh, &numbers, &count));
  CHECK(count == 12 && numbers[11] == 12);
  OK(graze_mesh_part_count(mesh, &count));
  CHECK(count == 1);
  OK(graze_mesh_part_at(mesh, 0, &part));
  CHECK(strcmp(part.name, "cube") == 0 && part.count == 12);
  OK(graze_mesh_refit(mesh, kCube, 8, 0, 0, &refitted));
  OK(graze_solid_create(mesh, &solid));
  OK(graze_surface_create(solid, &surface));
  OK(graze_height_field_create(kZero, 1, 1, 2, heights, 4, &field));
  OK(graze_tree_boxes(mesh, 0, &boxes, &count));
  CHECK(count == 1 && boxes[0].max[0] == 1);
  graze_free(boxes);
  OK(graze_check(mesh, &report));
  CHECK(report->closed && report->solid && report->border_edge_count == 0);
  graze_free(report);
  OK(graze_triangulate(square, 4, 0, &triangles, &count));
  CHECK(count == 2);
  graze_free(triangles);
  OK(graze_pose_quarter_turn(0, 1, kOne, &pose));
  children[0] = graze_at(ref, &pose);
  children[1] = graze_handle(solid);
  OK(graze_compound_create(children, 2, &compound));
  OK(graze_compound_count(compound, &count));
  CHECK(count == 2);
  OK(graze_compound_child(compound, 1, &child, &pose));
  OK(graze_shape_kind(child, &kind));
  CHECK(kind == GRAZE_SOLID);
  graze_shape_release(child);
  graze_shape_release(compound);
  graze_shape_release(field);
  graze_shape_release(surface);
  graze_shape_release(solid);
  graze_shape_release(refitted);
  graze_shape_release(mesh);
  graze_shape_release(view);
  graze_shape_release(frustum);
  graze_shape_release(polygon);
  graze_shape_release(hull);
  graze_shape_release(owned);
  graze_shape_release(NULL);
}

static void queries(void) {
  const graze_sphere ball = {{0, 0, 0}, 1};
  const graze_capsule capsule = {{0, 0, 2}, {0, 0, 4}, 1};
  const graze_ray down = {{0.25, 0.5, 9}, {0, 0, -1}};
  const graze_plane floor_plane = {{0, 0, -1}, {0, 0, 1}};
  const graze_triangle flat = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, upright = {{{0.2, 0.2, -1}, {0.2, 0.2, 1}, {0.2, 3, 0}}};
  const graze_ref a = graze_sphere_ref(&ball), b = graze_capsule_ref(&capsule), ray = graze_ray_ref(&down);
  graze_shape *mesh = cube_mesh(), *solid = NULL, *frustum = NULL;
  graze_ref m, s;
  int yes = -1, more = -1, has = -1, calls = 0;
  double number = 0, point[3];
  size_t count = 0;
  uint64_t many = 0;
  graze_closest_points points, *near = NULL;
  graze_relation_kind relation;
  graze_penetration_result penetration;
  graze_contact* contacts = NULL;
  graze_contact_manifold* manifolds = NULL;
  graze_classification side;
  graze_visibility visibility;
  graze_box box;
  graze_sphere sphere;
  graze_plane plane;
  graze_ray_options options = GRAZE_RAY_OPTIONS_INIT;
  graze_pair_options pair_options = GRAZE_PAIR_OPTIONS_INIT;
  graze_hit hit, *hits = NULL;
  graze_triangle_pair* pairs = NULL;
  uint32_t* triangles = NULL;
  OK(graze_solid_create(mesh, &solid));
  OK(graze_frustum_create(kCube, 8, 0, &frustum));
  m = graze_handle(mesh);
  s = graze_handle(solid);
  OK(graze_intersects(&a, &b, &yes));
  CHECK(yes == 1); /* they touch */
  OK(graze_within(&a, &b, 0, &yes));
  CHECK(yes == 1);
  OK(graze_contains(&s, kZero, &yes));
  CHECK(yes == 1);
  OK(graze_closest(&a, &b, &points));
  CHECK(points.distance == 0 && points.on_a[2] == 1 && points.triangle_a == -1);
  OK(graze_relation(&a, &b, go_on, &calls, &relation));
  CHECK(relation == GRAZE_TOUCHING);
  OK(graze_penetration(&a, &b, &penetration));
  CHECK(penetration.reason == GRAZE_TOUCHES);
  OK(graze_contacts(&a, &b, &contacts, &count));
  CHECK(count == 1 && contacts[0].point[2] == 1);
  graze_free(contacts);
  OK(graze_manifold(&s, &s, 1, &manifolds, &count));
  CHECK(count > 0 && manifolds[0].point_count > 0 && manifolds[0].points != NULL);
  graze_free(manifolds);
  OK(graze_classify_plane(&a, &floor_plane, &side));
  CHECK(side.side == GRAZE_INTERSECTS_PLANE);
  OK(graze_classify_frustum(&a, frustum, &visibility));
  CHECK(visibility == GRAZE_INSIDE);
  OK(graze_signed_distance(kZero, &s, &number));
  CHECK(number == -1);
  OK(graze_bounding_box(&s, &box));
  CHECK(box.max[2] == 1);
  OK(graze_bounding_sphere(&a, &sphere));
  CHECK(sphere.radius == 1);
  OK(graze_minimal_sphere(kCube, 8, 0, &sphere));
  OK(graze_volume(&s, &number));
  CHECK(number == 8);
  OK(graze_signed_volume(&s, &number));
  CHECK(number == 8);
  OK(graze_area(&s, &number));
  CHECK(number == 24);
  OK(graze_centroid(&s, point, &has));
  CHECK(has == 1 && point[0] == 0);
  OK(graze_plane_of(&flat, &plane, &has));
  CHECK(has == 1 && plane.normal[2] == 1);
  OK(graze_unit_normal(&flat, kUp, point, &has));
  CHECK(has == 1 && point[2] == 1);
  OK(graze_reflect(kDown, kUp, point));
  CHECK(point[2] == 4);
  options.accept = all_triangles;
  options.accept_user = &calls;
  OK(graze_raycast(&ray, &m, &options, &hit));
  CHECK(hit.hit && hit.t == 8 && hit.has_normal && hit.user == hit.triangle + 1 && hit.part == 0 && calls > 0);
  OK(graze_raycast_any(&ray, &m, NULL, &yes));
  CHECK(yes == 1);
  OK(graze_raycast_all(&ray, &m, NULL, &hits, &count));
  CHECK(count == 2);
  graze_free(hits);
  calls = 0;
  pair_options.filter = all_pairs;
  pair_options.filter_user = &calls;
  OK(graze_intersecting_triangles(&m, &m, &pair_options, &pairs, &count));
  CHECK(count > 12 && calls > 0);
  graze_free(pairs);
  OK(graze_self_intersections(&m, NULL, &pairs, &count));
  CHECK(count == 0 && pairs == NULL);
  OK(graze_count_intersecting_triangles(&m, &m, 5, NULL, NULL, &many, &more));
  CHECK(many == 5 && more == 1);
  OK(graze_count_self_intersections(&m, 5, go_on, &calls, &many, &more));
  CHECK(many == 0 && more == 0);
  OK(graze_crosses(&flat, &upright, &yes));
  CHECK(yes == 1);
  OK(graze_triangles_within(&a, &m, 0, &triangles, &count));
  CHECK(count == 12);
  graze_free(triangles);
  OK(graze_closest_triangles(&b, &m, 2, HUGE_VAL, &near, &count));
  CHECK(count == 2);
  graze_free(near);
  graze_shape_release(frustum);
  graze_shape_release(solid);
  graze_shape_release(mesh);
}

static void batches(void) {
  const graze_sphere ball = {{0, 0, 0}, 1};
  const graze_ref a = graze_sphere_ref(&ball), pair[2] = {a, a};
  const graze_ray rays[2] = {{{0, 0, 9}, {0, 0, -1}}, {{5, 0, 9}, {0, 0, -1}}};
  const double motions[6] = {0, 0, -9, 0, 0, 9};
  graze_pose at[2] = {GRAZE_POSE_IDENTITY, GRAZE_POSE_IDENTITY};
  graze_closest_points near[2];
  graze_relation_kind relations[2];
  graze_hit hits[2], *all = NULL;
  graze_sweep_hit sweeps[2];
  uint8_t yes[2];
  double depth[2];
  size_t offsets[3];
  at[1].translation[0] = 9;
  OK(graze_closest_batch(kCube, 2, 0, &a, near));
  OK(graze_within_batch(kCube, 2, 0, &a, 1, yes));
  CHECK(yes[0] == 1);
  OK(graze_contains_batch(&a, kCube, 2, 0, yes));
  CHECK(yes[0] == 0);
  OK(graze_signed_distance_batch(kCube, 2, 0, &a, depth));
  CHECK(depth[0] > 0);
  OK(graze_raycast_batch(rays, 2, 0, &a, NULL, hits));
  CHECK(hits[0].hit && !hits[1].hit);
  OK(graze_raycast_any_batch(rays, 2, 0, &a, NULL, yes));
  CHECK(yes[0] == 1 && yes[1] == 0);
  OK(graze_raycast_all_batch(rays, 2, 0, &a, NULL, offsets, &all));
  CHECK(offsets[0] == 0 && offsets[1] == offsets[2]);
  graze_free(all);
  OK(graze_intersects_poses(&a, at, 2, 0, &a, yes));
  CHECK(yes[0] == 1 && yes[1] == 0);
  OK(graze_within_poses(&a, at, 2, 0, &a, 7, yes));
  CHECK(yes[1] == 1);
  OK(graze_closest_poses(&a, at, 2, 0, &a, near));
  CHECK(near[1].distance == 7);
  OK(graze_intersects_pairs(pair, 0, pair, 0, 2, yes));
  OK(graze_within_pairs(pair, 0, pair, 0, 2, 0, yes));
  OK(graze_closest_pairs(pair, 0, pair, 0, 2, near));
  OK(graze_relation_pairs(pair, 0, pair, 0, 2, relations));
  CHECK(relations[1] == GRAZE_IDENTICAL);
  OK(graze_intersects_arrays(GRAZE_SPHERE, &ball, GRAZE_SPHERE, &ball, 1, yes));
  OK(graze_closest_arrays(GRAZE_SPHERE, &ball, GRAZE_SPHERE, &ball, 1, near));
  OK(graze_sweep_batch(pair, 0, motions, 0, 2, &a, NULL, sweeps));
  CHECK(sweeps[0].hit && sweeps[0].started_inside);
}

static void motion(void) {
  const graze_sphere ball = {{0, 0, 5}, 1};
  const graze_box box = {{-1, -1, -1}, {1, 1, 1}};
  const graze_ref a = graze_sphere_ref(&ball), b = graze_box_ref(&box);
  const double t0[12] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}, t1[12] = {0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  const double e0[12] = {-1, 0, 1, 1, 0, 1, 0, -1, 0, 0, 1, 0}, e1[12] = {-1, 0, -1, 1, 0, -1, 0, -1, 0, 0, 1, 0};
  double end[24], v[3], t = 0;
  size_t i, count = 0;
  int hit = 0, calls = 0;
  graze_sweep_hit sweep;
  graze_screw screw;
  graze_pose from = GRAZE_POSE_IDENTITY, to;
  graze_material material = GRAZE_MATERIAL_INIT;
  graze_bounce_step step;
  graze_bounce_hit* hits = NULL;
  graze_deforming_options options = GRAZE_DEFORMING_OPTIONS_INIT;
  graze_deforming_contact* contacts = NULL;
  graze_shape* mesh = cube_mesh();
  OK(graze_sweep(&a, kDown, &b, NULL, &sweep));
  CHECK(sweep.hit && sweep.t == 0.75 && sweep.moved && sweep.normal[2] == 1);
  OK(graze_sweep_both(&a, kDown, &b, kDown, NULL, &sweep));
  CHECK(!sweep.hit && sweep.triangle_a == -1);
  OK(graze_pose_quarter_turn(2, 1, kDown, &to));
  OK(graze_screw_between(&from, &to, kZero, &screw));
  OK(graze_screw_at(&screw, 1, &to));
  OK(graze_sweep_screw(&a, &screw, &b, NULL, &sweep));
  CHECK(sweep.hit && sweep.t <= 0.75);
  OK(graze_respond(kDown, kUp, &material, v));
  CHECK(v[2] == 4);
  OK(graze_slide(kDown, kUp, v));
  CHECK(v[2] == 0);
  OK(graze_bounce(&a, kDown, 1, &b, NULL, NULL, &step, &hits, &count));
  CHECK(count == 1 && hits[0].velocity_after[2] == 4 && step.velocity[2] == 4);
  graze_free(hits);
  OK(graze_bounce(&a, kDown, 1, &b, &material, NULL, &step, NULL, NULL));
  OK(graze_ccd_vertex_face(t0, t1, &t, &hit));
  CHECK(hit == 1 && t == 0.5);
  OK(graze_ccd_edge_edge(e0, e1, &t, &hit));
  CHECK(hit == 1 && t == 0.5);
  for (i = 0; i < 24; ++i) end[i] = kCube[i] * 0.5;
  options.filter = all_contacts;
  options.filter_user = &calls;
  OK(graze_ccd(mesh, end, 8, 0, mesh, kCube, 8, 0, &options, &contacts, &count));
  CHECK(count > 0 && calls > 0);
  graze_free(contacts);
  for (i = 0; i < 24; ++i) end[i] = 0;
  OK(graze_ccd_self(mesh, end, 8, 0, NULL, &contacts, &count));
  CHECK(count > 0 && contacts[0].t == 1);
  graze_free(contacts);
  graze_shape_release(mesh);
}

static void scenes(void) {
  const graze_sphere ball = {{0, 0, 0}, 1};
  const graze_ray down = {{0, 0, 9}, {0, 0, -1}};
  const graze_ref a = graze_sphere_ref(&ball), ray = graze_ray_ref(&down);
  graze_pose at[2] = {GRAZE_POSE_IDENTITY, GRAZE_POSE_IDENTITY}, pose;
  graze_scene *scene = NULL, *copy = NULL;
  graze_member ids[2], *members = NULL;
  graze_member_options options;
  graze_scene_filter filter = GRAZE_SCENE_FILTER_INIT;
  graze_scene_pair_options pair_options = GRAZE_SCENE_PAIR_OPTIONS_INIT;
  graze_member_pair excluded;
  graze_scene_hit hit, *hits = NULL;
  graze_scene_sweep_hit sweep, *sweeps = NULL;
  graze_scene_pair pair, *pairs = NULL;
  graze_closest_points points;
  graze_shape *shape = NULL, *frustum = NULL;
  const char* name = NULL;
  size_t count = 0;
  int64_t member = 0;
  int yes = 0, has = 0, calls = 0;
  OK(graze_scene_create(&scene));
  OK(graze_scene_add(scene, "first", &a, NULL, &ids[0]));
  at[1].translation[0] = 1.5;
  {
    const graze_ref placed = graze_at(a, &at[1]);
    OK(graze_scene_add(scene, "second", &placed, NULL, &ids[1]));
  }
  OK(graze_scene_copy(scene, &copy));
  graze_scene_free(copy);
  graze_scene_free(NULL);
  OK(graze_scene_move(scene, ids[1], &at[1]));
  OK(graze_scene_move_batch(scene, ids, at, 2, 0));
  OK(graze_scene_replace(scene, ids[0], &a));
  OK(graze_scene_has(scene, ids[0], &yes));
  CHECK(yes == 1);
  OK(graze_scene_size(scene, &count));
  CHECK(count == 2);
  OK(graze_scene_members(scene, &members, &count));
  CHECK(count == 2 && members[0] == ids[0]);
  graze_free(members);
  OK(graze_scene_name(scene, ids[1], &name));
  CHECK(strcmp(name, "second") == 0);
  OK(graze_scene_shape(scene, ids[0], &shape));
  graze_shape_release(shape);
  OK(graze_scene_pose(scene, ids[1], &pose));
  CHECK(pose.translation[0] == 1.5);
  OK(graze_scene_options(scene, ids[0], &options));
  CHECK(options.size == sizeof options && options.group == 1);
  filter.accept = all_members;
  filter.accept_user = &calls;
  OK(graze_scene_raycast(scene, &ray, NULL, &filter, &hit));
  CHECK(hit.member == (int64_t)ids[0] && hit.hit.t == 8 && calls > 0);
  OK(graze_scene_raycast_all(scene, &ray, NULL, NULL, &hits, &count));
  CHECK(count == 1);
  graze_free(hits);
  OK(graze_scene_raycast_batch(scene, &down, 1, 0, NULL, NULL, &hit));
  CHECK(hit.hit.t == 8);
  OK(graze_scene_sweep(scene, &a, kUp, NULL, NULL, &sweep));
  CHECK(sweep.hit.hit && sweep.hit.started_inside);
  OK(graze_scene_sweep_between(scene, &a, kUp, kZero, NULL, NULL, &sweep));
  OK(graze_scene_sweep_all(scene, &a, kUp, NULL, NULL, &sweeps, &count));
  CHECK(count == 2);
  graze_free(sweeps);
  OK(graze_scene_overlapping(scene, &a, NULL, &members, &count));
  CHECK(count == 2);
  graze_free(members);
  OK(graze_scene_intersects(scene, &a, NULL, &yes));
  CHECK(yes == 1);
  OK(graze_scene_closest(scene, &a, NULL, &member, &points));
  CHECK(member == (int64_t)ids[0] && points.distance == 0);
  OK(graze_frustum_create(kCube, 8, 0, &frustum));
  OK(graze_scene_visible(scene, frustum, NULL, &members, &count));
  CHECK(count == 2);
  graze_free(members);
  calls = 0;
  pair_options.accept = all_pairs;
  pair_options.accept_user = &calls;
  pair_options.relations = 1;
  OK(graze_scene_pairs(scene, &pair_options, &pairs, &count));
  CHECK(count == 1 && pairs[0].relation == GRAZE_OVERLAPPING && calls > 0);
  graze_free(pairs);
  OK(graze_scene_any_pair(scene, NULL, &pair, &has));
  CHECK(has == 1 && pair.relation == -1);
  excluded.a = ids[1];
  excluded.b = ids[0];
  pair_options.excluded = &excluded;
  pair_options.excluded_count = 1;
  OK(graze_scene_least_distance(scene, &pair_options, &pair, &has));
  CHECK(has == 0);
  OK(graze_scene_remove(scene, ids[1]));
  graze_shape_release(frustum);
  graze_scene_free(scene);
}

static void broad_phases(void) {
  const graze_box boxes[2] = {{{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {2, 1, 1}}};
  const graze_ray along = {{-1, 0.5, 0.5}, {1, 0, 0}};
  const graze_ref box = graze_box_ref(&boxes[0]);
  graze_broad_phase *phase = NULL, *copy = NULL;
  graze_id_pair* pairs = NULL;
  graze_shape* frustum = NULL;
  graze_box out;
  uint32_t id = 9, *ids = NULL;
  size_t count = 0;
  int calls = 0;
  OK(graze_broad_phase_create(&phase));
  OK(graze_broad_phase_insert(phase, &boxes[0], &id));
  CHECK(id == 0);
  OK(graze_broad_phase_assign(phase, boxes, 2, 0));
  OK(graze_broad_phase_copy(phase, &copy));
  OK(graze_broad_phase_move(phase, 1, &boxes[1]));
  OK(graze_broad_phase_move_all(phase, boxes, 2, 0));
  OK(graze_broad_phase_box(phase, 1, &out));
  CHECK(out.max[0] == 2);
  OK(graze_broad_phase_size(phase, &count));
  CHECK(count == 2);
  OK(graze_broad_phase_pairs(phase, &pairs, &count));
  CHECK(count == 1 && pairs[0].b == 1);
  graze_free(pairs);
  OK(graze_broad_phase_pairs_with(phase, copy, &pairs, &count));
  CHECK(count == 4);
  graze_free(pairs);
  OK(graze_broad_phase_overlapping(phase, &box, &ids, &count));
  CHECK(count == 2);
  graze_free(ids);
  OK(graze_frustum_create(kCube, 8, 0, &frustum));
  OK(graze_broad_phase_visible(phase, frustum, &ids, &count));
  CHECK(count == 2);
  graze_free(ids);
  OK(graze_broad_phase_along(phase, &along, HUGE_VAL, all_boxes, &calls));
  CHECK(calls == 2);
  OK(graze_broad_phase_remove(phase, 1));
  graze_shape_release(frustum);
  graze_broad_phase_free(copy);
  graze_broad_phase_free(phase);
}

static void worlds(void) {
  const graze_sphere ball = {{0, 0, 0}, 0.5};
  const graze_box ground = {{-9, -9, -2}, {9, 9, -1}};
  const graze_ray down = {{0, 0, 9}, {0, 0, -1}};
  const graze_ref a = graze_sphere_ref(&ball), b = graze_box_ref(&ground);
  const double high[3] = {0, 0, 5};
  graze_world_options options = GRAZE_WORLD_OPTIONS_INIT;
  graze_body_options body_options = GRAZE_BODY_OPTIONS_INIT;
  graze_emitter emitter = GRAZE_EMITTER_INIT;
  graze_world *world = NULL, *copy = NULL;
  graze_member ground_id;
  graze_body body, first, bomb;
  graze_pose pose = GRAZE_POSE_IDENTITY;
  graze_shape* shape = NULL;
  const graze_scene* fixed = NULL;
  graze_impact* impacts = NULL;
  graze_stop* stops = NULL;
  graze_respawn* respawns = NULL;
  graze_explosion* explosions = NULL;
  graze_shot_hit shot;
  uint8_t* bytes = NULL;
  uint64_t steps = 0;
  size_t count = 0;
  double v[3], number = 0;
  int yes = 0;
  OK(graze_world_create(&options, &world));
  OK(graze_world_add_fixed(world, &b, NULL, NULL, &ground_id));
  OK(graze_world_move_fixed(world, ground_id, &pose));
  OK(graze_world_fixed(world, &fixed));
  OK(graze_scene_size(fixed, &count));
  CHECK(count == 1);
  OK(graze_world_options_of(world, &options));
  CHECK(options.gravity[2] == -9.81);
  body_options.velocity[2] = -3;
  OK(graze_world_add_moving(world, &a, &body_options, &body));
  body_options.fuse = 0.25;
  OK(graze_world_add_moving(world, &a, &body_options, &bomb));
  emitter.life = 0.25;
  OK(graze_world_add_emitter(world, &a, 2, &emitter, NULL, &first));
  OK(graze_world_bodies(world, &count));
  CHECK(count == 4);
  OK(graze_world_alive(world, body, &yes));
  CHECK(yes == 1);
  OK(graze_world_shape(world, body, &shape));
  graze_shape_release(shape);
  OK(graze_world_copy(world, &copy));
  OK(graze_world_set_velocity(world, body, kDown));
  OK(graze_world_velocity(world, body, v));
  CHECK(v[2] == -4);
  OK(graze_world_step(world, 0.5));
  OK(graze_world_impacts(world, &impacts, &count));
  CHECK(count > 0 && impacts[0].normal[2] == 1);
  graze_free(impacts);
  OK(graze_world_stops(world, &stops, &count));
  graze_free(stops);
  OK(graze_world_respawns(world, &respawns, &count));
  CHECK(count == 2);
  graze_free(respawns);
  OK(graze_world_explosions(world, &explosions, &count));
  CHECK(count == 1 && explosions[0].body == bomb);
  graze_free(explosions);
  OK(graze_world_pose(world, body, &pose));
  OK(graze_world_position(world, body, v));
  OK(graze_world_time(world, &number));
  CHECK(number == 0.5);
  OK(graze_world_steps(world, &steps));
  CHECK(steps == 1);
  OK(graze_world_kinetic_energy(world, &number));
  CHECK(number > 0);
  OK(graze_world_shoot(world, &down, HUGE_VAL, &shot));
  CHECK(shot.hit.hit && shot.body);
  OK(graze_world_snapshot(world, &bytes, &count));
  OK(graze_world_restore(world, bytes, count));
  graze_free(bytes);
  OK(graze_world_remove(world, body));
  graze_world_free(copy);
  graze_world_free(world);
  {
    graze_scene* scene = NULL;
    graze_mover *mover = NULL, *other = NULL;
    graze_mover_options mover_options = GRAZE_MOVER_OPTIONS_INIT;
    graze_mover_result result;
    OK(graze_scene_create(&scene));
    OK(graze_scene_add(scene, "ground", &b, NULL, NULL));
    OK(graze_mover_create(scene, &a, high, &mover_options, &mover));
    OK(graze_mover_move(mover, kDown, &result));
    OK(graze_mover_move(mover, kDown, &result));
    CHECK(result.grounded && result.ground == 0);
    OK(graze_mover_pose(mover, &pose));
    OK(graze_mover_enclosed(mover, &yes));
    CHECK(yes == 0);
    OK(graze_mover_set_position(mover, high));
    OK(graze_mover_snapshot(mover, &bytes, &count));
    OK(graze_mover_copy(mover, &other));
    OK(graze_mover_restore(other, bytes, count));
    graze_free(bytes);
    graze_mover_free(other);
    graze_mover_free(mover);
    graze_scene_free(scene);
  }
}

static void readers(void) {
  const char* text = "v 0 0 0\nv 1 0 0\nv 0 1 0\ng part\nf 1 2 3\n";
  graze_load_options options = GRAZE_LOAD_OPTIONS_INIT;
  graze_model* model = NULL;
  graze_shape* mesh = NULL;
  CHECK(graze_load_mesh("missing.obj", &options, &mesh) != GRAZE_OK);
  CHECK(graze_load_model("missing.obj", &options, &model) != GRAZE_OK);
  if (!graze_has_model_extension("a.obj")) return; /* without the readers */
  OK(graze_read_model(text, strlen(text), "text.obj", &options, &model));
  if (!model) return;
  CHECK(model->vertex_count == 3 && model->triangle_count == 1 && model->triangles[2] == 2 && strcmp(model->format, "obj") == 0);
  CHECK(model->part_count == 1 && strcmp(model->parts[0].name, "part") == 0);
  graze_free(model);
}

int main(void) {
  library();
  poses();
  shapes();
  queries();
  batches();
  motion();
  scenes();
  broad_phases();
  worlds();
  readers();
  if (failures == 0) puts("every function answers");
  return failures == 0 ? 0 : 1;
}
