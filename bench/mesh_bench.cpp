// Meshes: Graze against Embree (rays, points), FCL and ODE (mesh against mesh and shapes) and CGAL's AABB tree (rays, points), on the same models in one
// process. mesh_bench [MODEL...] [--subdivide=N] [--rays=N] [--points=N] [--poses=N] [--rows=a,b,...] [Google Benchmark's options]; MODEL is a path, or "torus"
// or "sphere" (generated; the default). Names are row/model/peer. "wrong" counts the answers that differ from Graze's, which are exact; "error" is the greatest
// relative difference of a distance. One thread.
#include <benchmark/benchmark.h>
#include <embree3/rtcore.h>
#include <ode/ode.h>

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>

#include <fcl/fcl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <graze/query/brief_hits.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/mesh_inputs.hpp"
#include "bench/program.hpp"

namespace bench {
namespace {

struct Options {
  std::size_t rays = 50000, points = 10000, poses = 40;
  int subdivide = 0;
  std::string rows;  ///< ",a,b," or empty for all
};
Options options;

bool wanted(const std::string& row) { return options.rows.empty() || options.rows.find("," + row + ",") != std::string::npos; }

/// Registers one contestant: run() processes `items` items and returns a value that keeps the work.
void contest(const std::string& name, std::size_t items, std::function<std::size_t()> run, const char* counter = nullptr, double value = 0) {
  auto* b = benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(run());
    state.SetItemsProcessed(static_cast<std::int64_t>(items) * state.iterations());
    if (counter != nullptr) state.counters[counter] = value;
  });
  b->MeasureProcessCPUTime();  // includes work that a peer does on another thread
}

/// Graze's batch, whose answers are those of single queries.
void contest_batch(const std::string& row, std::size_t items, const std::function<void()>& run, const char* counter = "wrong") {
  contest(
      row + "/Graze batch", items,
      [run, items] {
        run();
        return items;
      },
      counter, 0);
}

/// A contestant with a boolean result per item.
void contest_yes_no(const std::string& name, const std::vector<std::uint8_t>& truth, std::function<bool(std::size_t)> hit) {
  double wrong = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) wrong += hit(i) != (truth[i] != 0);
  const std::size_t n = truth.size();
  contest(
      name, n,
      [n, hit] {
        std::size_t hits = 0;
        for (std::size_t i = 0; i < n; ++i) hits += hit(i) ? 1 : 0;
        return hits;
      },
      "wrong", wrong);
}

/// A contestant with a distance per item.
void contest_distance(const std::string& name, const std::vector<double>& truth, std::function<double(std::size_t)> distance) {
  double error = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) error = std::max(error, std::abs(distance(i) - truth[i]) / std::max(truth[i], 1e-300));
  const std::size_t n = truth.size();
  contest(
      name, n,
      [n, distance] {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += distance(i);
        return static_cast<std::size_t>(sum);
      },
      "error", error);
}

// ---- Embree ----

struct EmbreeScene {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
  std::vector<float> vertices;  // for the point query's callback
  std::vector<TriangleIndices> triangles;

  EmbreeScene(const MeshData& mesh, RTCBuildQuality quality, bool robust, bool filtered = false) : triangles(mesh.triangles) {
    device = rtcNewDevice("threads=1,user_threads=1");
    for (const Vec3& v : mesh.vertices)
      for (int i = 0; i < 3; ++i) vertices.push_back(static_cast<float>(v[i]));
    build(quality, robust, filtered);
  }
  /// `filtered`: rays may bring a filter.
  void build(RTCBuildQuality quality, bool robust, bool filtered = false) {
    if (scene != nullptr) rtcReleaseScene(scene);
    scene = rtcNewScene(device);
    rtcSetSceneBuildQuality(scene, quality);
    const int flags = (robust ? RTC_SCENE_FLAG_ROBUST : RTC_SCENE_FLAG_NONE) | (filtered ? RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION : RTC_SCENE_FLAG_NONE);
    rtcSetSceneFlags(scene, static_cast<RTCSceneFlags>(flags));
    const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryBuildQuality(geometry, quality);
    void* const v = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), vertices.size() / 3);
    std::memcpy(v, vertices.data(), vertices.size() * sizeof(float));
    void* const t = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(TriangleIndices), triangles.size());
    std::memcpy(t, triangles.data(), triangles.size() * sizeof(TriangleIndices));
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
  }
  ~EmbreeScene() {
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }
  EmbreeScene(const EmbreeScene&) = delete;
  EmbreeScene& operator=(const EmbreeScene&) = delete;

  static void set(RTCRay& r, const Ray& ray, double t_max) {
    r.org_x = static_cast<float>(ray.origin.x), r.org_y = static_cast<float>(ray.origin.y), r.org_z = static_cast<float>(ray.origin.z);
    r.dir_x = static_cast<float>(ray.direction.x), r.dir_y = static_cast<float>(ray.direction.y), r.dir_z = static_cast<float>(ray.direction.z);
    r.tnear = 0, r.time = 0, r.tfar = static_cast<float>(t_max);
    r.mask = ~0u, r.id = 0, r.flags = 0;
  }
  bool closest(const Ray& ray, double t_max) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit hit;
    set(hit.ray, ray, t_max);
    hit.hit.geomID = hit.hit.primID = hit.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene, &context, &hit);
    return hit.hit.geomID != RTC_INVALID_GEOMETRY_ID;
  }
  /// The first triangle that shows its front, by the filter with which Embree's users discard the others.
  bool closest_front(const Ray& ray, double t_max) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.filter = [](const RTCFilterFunctionNArguments* a) {
      const RTCRay& r = *reinterpret_cast<const RTCRay*>(a->ray);
      const RTCHit& h = *reinterpret_cast<const RTCHit*>(a->hit);
      if (h.Ng_x * r.dir_x + h.Ng_y * r.dir_y + h.Ng_z * r.dir_z >= 0) a->valid[0] = 0;
    };
    RTCRayHit hit;
    set(hit.ray, ray, t_max);
    hit.hit.geomID = hit.hit.primID = hit.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene, &context, &hit);
    return hit.hit.geomID != RTC_INVALID_GEOMETRY_ID;
  }
  /// All hits, which a filter collects and refuses; sorted, as Graze returns them.
  std::size_t all(const Ray& ray, double t_max, std::vector<std::pair<float, unsigned>>& hits) const {
    struct Collecting {
      RTCIntersectContext context;
      std::vector<std::pair<float, unsigned>>* hits;
    } collecting;
    rtcInitIntersectContext(&collecting.context);
    collecting.hits = &hits;
    collecting.context.filter = [](const RTCFilterFunctionNArguments* a) {
      auto& own = *reinterpret_cast<Collecting*>(a->context);
      own.hits->emplace_back(reinterpret_cast<const RTCRay*>(a->ray)->tfar, reinterpret_cast<const RTCHit*>(a->hit)->primID);
      a->valid[0] = 0;
    };
    hits.clear();
    RTCRayHit hit;
    set(hit.ray, ray, t_max);
    hit.hit.geomID = hit.hit.primID = hit.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene, &collecting.context, &hit);
    std::sort(hits.begin(), hits.end());
    return hits.size();
  }
  bool any(const Ray& ray, double t_max) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRay r;
    set(r, ray, t_max);
    rtcOccluded1(scene, &context, &r);
    return r.tfar < 0;
  }
  double distance(const Vec3& p) const {
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    RTCPointQuery query;
    query.x = static_cast<float>(p.x), query.y = static_cast<float>(p.y), query.z = static_cast<float>(p.z);
    query.time = 0;
    query.radius = std::numeric_limits<float>::infinity();
    rtcPointQuery(scene, &query, &context, nearer, const_cast<EmbreeScene*>(this));
    return static_cast<double>(query.radius);
  }

 private:
  struct F3 {
    float x, y, z;
    F3 operator-(const F3& o) const { return {x - o.x, y - o.y, z - o.z}; }
    F3 operator+(const F3& o) const { return {x + o.x, y + o.y, z + o.z}; }
    F3 operator*(float s) const { return {x * s, y * s, z * s}; }
    float dot(const F3& o) const { return x * o.x + y * o.y + z * o.z; }
  };
  F3 at(std::uint32_t v) const { return {vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]}; }

  /// Embree finds the candidates; the distance to a triangle is the caller's: by regions of the plane, in single precision.
  static bool nearer(RTCPointQueryFunctionArguments* args) {
    const EmbreeScene& self = *static_cast<const EmbreeScene*>(args->userPtr);
    const TriangleIndices& t = self.triangles[args->primID];
    const F3 p{args->query->x, args->query->y, args->query->z}, a = self.at(t[0]), b = self.at(t[1]), c = self.at(t[2]);
    const F3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const float d1 = ab.dot(ap), d2 = ac.dot(ap), d3 = ab.dot(bp), d4 = ac.dot(bp), d5 = ab.dot(cp), d6 = ac.dot(cp);
    const float vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    F3 q{};
    if (d1 <= 0 && d2 <= 0)
      q = a;
    else if (d3 >= 0 && d4 <= d3)
      q = b;
    else if (d6 >= 0 && d5 <= d6)
      q = c;
    else if (vc <= 0 && d1 >= 0 && d3 <= 0)
      q = a + ab * (d1 / (d1 - d3));
    else if (vb <= 0 && d2 >= 0 && d6 <= 0)
      q = a + ac * (d2 / (d2 - d6));
    else if (va <= 0 && d4 >= d3 && d5 >= d6)
      q = b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    else
      q = a + ab * (vb / (va + vb + vc)) + ac * (vc / (va + vb + vc));
    const F3 d = p - q;
    const float distance = std::sqrt(d.dot(d));
    if (distance >= args->query->radius) return false;
    args->query->radius = distance;
    return true;
  }
};

// ---- CGAL ----

using Kernel = CGAL::Simple_cartesian<double>;
using Triangles = std::vector<Kernel::Triangle_3>;
using CgalTree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>>>;

Kernel::Point_3 cgal_point(const Vec3& p) { return {p.x, p.y, p.z}; }

struct CgalMesh {
  Triangles triangles;
  CgalTree tree;
  explicit CgalMesh(const MeshData& mesh) {
    for (const TriangleIndices& t : mesh.triangles)
      triangles.emplace_back(cgal_point(mesh.vertices[t[0]]), cgal_point(mesh.vertices[t[1]]), cgal_point(mesh.vertices[t[2]]));
    build();
  }
  void build() {
    tree.rebuild(triangles.begin(), triangles.end());
    tree.build();
  }
};

// ---- FCL ----

using FclMesh = fcl::BVHModel<fcl::OBBRSSd>;

std::shared_ptr<FclMesh> fcl_mesh(const MeshData& mesh) {
  std::vector<fcl::Vector3d> vertices;
  std::vector<fcl::Triangle> triangles;
  for (const Vec3& v : mesh.vertices) vertices.emplace_back(v.x, v.y, v.z);
  for (const TriangleIndices& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_shared<FclMesh>();
  model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
  model->addSubModel(vertices, triangles);
  model->endModel();
  return model;
}

fcl::Transform3d fcl_transform(const Pose& pose) {
  fcl::Transform3d t = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) t.linear()(i, j) = pose.rotation[i][j];
    t.translation()[i] = pose.translation[i];
  }
  return t;
}

// ---- ODE ----

struct OdeMesh {
  std::vector<dReal> vertices;  // four numbers per vertex
  std::vector<dTriIndex> indices;
  dGeomID a = nullptr, b = nullptr;
  explicit OdeMesh(const MeshData& mesh) {
    for (const Vec3& v : mesh.vertices) vertices.insert(vertices.end(), {v.x, v.y, v.z, 0});
    for (const TriangleIndices& t : mesh.triangles) indices.insert(indices.end(), {t[0], t[1], t[2]});
    const dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSimple(data, vertices.data(), static_cast<int>(mesh.vertices.size()), indices.data(), static_cast<int>(indices.size()));
    a = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
    b = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
  }
  bool hit(const Pose& pose) const {
    const auto& r = pose.rotation;
    const dMatrix3 rotation{r[0][0], r[0][1], r[0][2], 0, r[1][0], r[1][1], r[1][2], 0, r[2][0], r[2][1], r[2][2], 0};
    dGeomSetRotation(b, rotation);
    dGeomSetPosition(b, pose.translation.x, pose.translation.y, pose.translation.z);
    dContactGeom contact;
    return dCollide(a, b, 1 | CONTACTS_UNIMPORTANT, &contact, sizeof contact) > 0;
  }
};

// ---- rows ----

struct Contestants {
  std::shared_ptr<const MeshData> data;
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<EmbreeScene> embree, robust;
  std::shared_ptr<CgalMesh> cgal;
  std::shared_ptr<FclMesh> fcl;
  std::shared_ptr<OdeMesh> ode;
};

void register_build(const std::string& model, const Contestants& c) {
  const std::string row = "build/" + model, fast = "build fast/" + model;
  const std::size_t n = c.data->triangles.size();
  contest(row + "/Graze", n, [data = c.data] { return Mesh(VertexView(data->vertices), data->triangles).size(); });
  contest(fast + "/Graze", n, [data = c.data] { return Mesh(VertexView(data->vertices), data->triangles, Build::fast).size(); });
  const auto fresh = std::make_shared<EmbreeScene>(*c.data, RTC_BUILD_QUALITY_MEDIUM, false);
  contest(row + "/Embree SAH", n, [fresh] {
    fresh->build(RTC_BUILD_QUALITY_MEDIUM, false);
    return std::size_t{1};
  });
  contest(fast + "/Embree Morton", n, [fresh] {
    fresh->build(RTC_BUILD_QUALITY_LOW, false);
    return std::size_t{1};
  });
  contest(row + "/CGAL", n, [mesh = std::make_shared<CgalMesh>(*c.data)] {
    mesh->build();
    return mesh->tree.size();
  });
  contest(row + "/FCL", n, [data = c.data] { return static_cast<std::size_t>(fcl_mesh(*data)->num_tris); });
}

void register_rays(const std::string& row, const Contestants& c, const std::vector<Ray>& list, bool any, double t_max = 2.5) {
  const auto rays = std::make_shared<const std::vector<Ray>>(list);
  const auto batch = raycast(RaySpan{*rays, t_max}, *c.mesh);
  std::vector<std::uint8_t> truth;
  for (const auto& hit : batch) truth.push_back(hit.has_value());
  if (any) {
    contest_yes_no(row + "/Graze", truth, [rays, t_max, mesh = c.mesh](std::size_t i) { return raycast_any((*rays)[i], *mesh, {t_max}); });
    const auto out = std::make_shared<std::vector<std::uint8_t>>(rays->size());
    contest_batch(row, rays->size(), [rays, t_max, out, mesh = c.mesh] { raycast_any(RaySpan{*rays, t_max}, *mesh, *out); });
    contest_yes_no(row + "/Embree", truth, [rays, t_max, e = c.embree](std::size_t i) { return e->any((*rays)[i], t_max); });
    contest_yes_no(row + "/Embree robust", truth, [rays, t_max, e = c.robust](std::size_t i) { return e->any((*rays)[i], t_max); });
    contest_yes_no(row + "/CGAL", truth, [rays, t_max, cgal = c.cgal](std::size_t i) {
      const Ray& r = (*rays)[i];
      return cgal->tree.do_intersect(Kernel::Segment_3(cgal_point(r.origin), cgal_point(r.origin + r.direction * t_max)));
    });
  } else {
    contest_yes_no(row + "/Graze", truth, [rays, t_max, mesh = c.mesh](std::size_t i) { return raycast((*rays)[i], *mesh, {t_max}).has_value(); });
    const auto out = std::make_shared<std::vector<std::optional<Hit>>>(rays->size());
    contest_batch(row, rays->size(), [rays, t_max, out, mesh = c.mesh] { raycast(RaySpan{*rays, t_max}, *mesh, *out); });
    contest_yes_no(row + "/Embree", truth, [rays, t_max, e = c.embree](std::size_t i) { return e->closest((*rays)[i], t_max); });
    contest_yes_no(row + "/Embree robust", truth, [rays, t_max, e = c.robust](std::size_t i) { return e->closest((*rays)[i], t_max); });
  }
}

void register_one_sided_rays(const std::string& row, const Contestants& c, const std::vector<Ray>& list) {
  constexpr double t_max = 2.5;
  const auto rays = std::make_shared<const std::vector<Ray>>(list);
  std::vector<std::uint8_t> truth;
  for (const Ray& ray : list) truth.push_back(!raycast_all(ray, *c.mesh, {t_max, Sides::front}).empty());
  contest_yes_no(row + "/Graze", truth, [rays, mesh = c.mesh](std::size_t i) { return raycast((*rays)[i], *mesh, {t_max, Sides::front}).has_value(); });
  const auto out = std::make_shared<std::vector<std::optional<Hit>>>(rays->size());
  contest_batch(row, rays->size(), [rays, out, mesh = c.mesh] { raycast(RaySpan{*rays, t_max, Sides::front}, *mesh, *out); });
  const auto embree = std::make_shared<const EmbreeScene>(*c.data, RTC_BUILD_QUALITY_MEDIUM, false, true);
  contest_yes_no(row + "/Embree", truth, [rays, embree](std::size_t i) { return embree->closest_front((*rays)[i], t_max); });
}

/// t and the triangle of the first hit, without what else a Hit says.
void register_brief_rays(const std::string& row, const Contestants& c, const std::vector<Ray>& list) {
  constexpr double t_max = 2.5;
  const auto rays = std::make_shared<const std::vector<Ray>>(list);
  const auto out = std::make_shared<std::vector<BriefHit>>(rays->size());
  raycast(RaySpan{*rays, t_max}, *c.mesh, *out);
  std::vector<std::uint8_t> truth;
  for (const BriefHit& hit : *out) truth.push_back(hit.hit());
  contest_yes_no(row + "/Graze", truth, [rays, mesh = c.mesh](std::size_t i) { return raycast_brief((*rays)[i], *mesh, {t_max}).hit(); });
  contest_batch(row, rays->size(), [rays, out, mesh = c.mesh] { raycast(RaySpan{*rays, t_max}, *mesh, *out); });
  contest_yes_no(row + "/Embree", truth, [rays, e = c.embree](std::size_t i) { return e->closest((*rays)[i], t_max); });
  contest_yes_no(row + "/Embree robust", truth, [rays, e = c.robust](std::size_t i) { return e->closest((*rays)[i], t_max); });
}

void register_all_hits(const std::string& row, const Contestants& c, const std::vector<Ray>& list) {
  constexpr double t_max = 2.5;
  const auto rays = std::make_shared<const std::vector<Ray>>(list);
  const auto out = std::make_shared<BriefHits>();
  raycast_all(RaySpan{*rays, t_max}, *c.mesh, *out);
  const auto embree = std::make_shared<const EmbreeScene>(*c.data, RTC_BUILD_QUALITY_MEDIUM, true, true);
  const auto found = std::make_shared<std::vector<std::pair<float, unsigned>>>();
  double wrong = 0;
  for (std::size_t i = 0; i < rays->size(); ++i) wrong += embree->all((*rays)[i], t_max, *found) != out->offsets[i + 1] - out->offsets[i];
  const auto total = [rays](const auto& count) {
    return [rays, count] {
      std::size_t sum = 0;
      for (const Ray& ray : *rays) sum += count(ray);
      return sum;
    };
  };
  contest(row + "/Graze", rays->size(), total([mesh = c.mesh](const Ray& ray) { return raycast_all(ray, *mesh, {t_max}).size(); }), "wrong", 0);
  contest_batch(row, rays->size(), [rays, out, mesh = c.mesh] { raycast_all(RaySpan{*rays, t_max}, *mesh, *out); });
  contest(row + "/Embree robust", rays->size(), total([embree, found](const Ray& ray) { return embree->all(ray, t_max, *found); }), "wrong", wrong);
}

void register_points(const std::string& row, const Contestants& c, const std::vector<Vec3>& list) {
  const auto points = std::make_shared<const std::vector<Vec3>>(list);
  std::vector<double> truth;
  for (const Closest& found : closest(std::span<const Vec3>(*points), *c.mesh)) truth.push_back(found.distance);
  contest_distance(row + "/Graze", truth, [points, mesh = c.mesh](std::size_t i) { return closest(Point{(*points)[i]}, *mesh).distance; });
  const auto out = std::make_shared<std::vector<Closest>>(points->size());
  contest_batch(
      row, points->size(), [points, out, mesh = c.mesh] { closest(std::span<const Vec3>(*points), *mesh, *out); }, "error");
  contest_distance(row + "/Embree", truth, [points, e = c.embree](std::size_t i) { return e->distance((*points)[i]); });
  contest_distance(row + "/CGAL", truth, [points, cgal = c.cgal](std::size_t i) { return std::sqrt(cgal->tree.squared_distance(cgal_point((*points)[i]))); });
}

void register_meshes(const std::string& model, const Contestants& c, char how, Random& random) {
  const std::string row = std::string("mesh-mesh ") + how;
  const bool pairs_too = how == 'c' && wanted("all pairs c"), distance_too = how == 'n' && wanted("distance n");
  if (!wanted(row) && !pairs_too && !distance_too) return;
  const auto placed = std::make_shared<const std::vector<Pose>>(poses(*c.mesh, how, options.poses, random));
  std::vector<std::uint8_t> truth;
  for (const Pose& pose : *placed) truth.push_back(intersects(*c.mesh, at(*c.mesh, pose)));
  std::vector<fcl::Transform3d> transforms;
  for (const Pose& pose : *placed) transforms.push_back(fcl_transform(pose));
  if (wanted(row)) {
    contest_yes_no(row + "/" + model + "/Graze", truth, [placed, mesh = c.mesh](std::size_t i) { return intersects(*mesh, at(*mesh, (*placed)[i])); });
    contest_yes_no(row + "/" + model + "/FCL", truth, [transforms, f = c.fcl](std::size_t i) {
      fcl::CollisionResultd result;
      return fcl::collide(f.get(), fcl::Transform3d::Identity(), f.get(), transforms[i], fcl::CollisionRequestd(1, false), result) > 0;
    });
    contest_yes_no(row + "/" + model + "/ODE", truth, [placed, o = c.ode](std::size_t i) { return o->hit((*placed)[i]); });
  }
  if (pairs_too) {
    const auto graze_pairs = [placed, mesh = c.mesh](std::size_t i) { return intersecting_triangles(*mesh, at(*mesh, (*placed)[i])); };
    const auto fcl_pairs = [transforms, f = c.fcl](std::size_t i) {
      fcl::CollisionResultd result;
      fcl::collide(f.get(), fcl::Transform3d::Identity(), f.get(), transforms[i], fcl::CollisionRequestd(std::size_t{1} << 40, false), result);
      return result;
    };
    double wrong = 0;
    for (std::size_t i = 0; i < placed->size(); ++i) {
      std::vector<TrianglePair> found, difference;
      const fcl::CollisionResultd result = fcl_pairs(i);
      for (std::size_t k = 0; k < result.numContacts(); ++k)
        found.push_back({static_cast<std::uint32_t>(result.getContact(k).b1), static_cast<std::uint32_t>(result.getContact(k).b2)});
      std::sort(found.begin(), found.end());
      found.erase(std::unique(found.begin(), found.end()), found.end());
      const auto own = graze_pairs(i);
      std::set_symmetric_difference(own.begin(), own.end(), found.begin(), found.end(), std::back_inserter(difference));
      wrong += static_cast<double>(difference.size());
    }
    const std::size_t n = placed->size();
    const auto total = [n](const auto& count) {
      return [n, count] {
        std::size_t sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += count(i);
        return sum;
      };
    };
    contest("all pairs c/" + model + "/Graze", n, total([graze_pairs](std::size_t i) { return graze_pairs(i).size(); }), "wrong", 0);
    contest("all pairs c/" + model + "/FCL", n, total([fcl_pairs](std::size_t i) { return fcl_pairs(i).numContacts(); }), "wrong", wrong);
  }
  if (distance_too) {
    std::vector<double> distances;
    for (const Pose& pose : *placed) distances.push_back(closest(*c.mesh, at(*c.mesh, pose)).distance);
    contest_distance("distance n/" + model + "/Graze", distances,
                     [placed, mesh = c.mesh](std::size_t i) { return closest(*mesh, at(*mesh, (*placed)[i])).distance; });
    contest_distance("distance n/" + model + "/FCL", distances, [transforms, f = c.fcl](std::size_t i) {
      fcl::DistanceResultd result;
      return fcl::distance(f.get(), fcl::Transform3d::Identity(), f.get(), transforms[i], fcl::DistanceRequestd(false), result);
    });
  }
}

/// A small shape in random rotation at each point, against the mesh.
template <class S, class FclShape>
void register_shapes(const std::string& row, const Contestants& c, const std::vector<Vec3>& points, const S& shape, const std::shared_ptr<FclShape>& fcl_shape,
                     Random& random) {
  std::vector<Pose> placed;
  std::vector<fcl::Transform3d> transforms;
  std::vector<std::uint8_t> truth;
  for (const Vec3& p : points) {
    placed.push_back(Pose::from_quaternion(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(.1, 1), p));
    transforms.push_back(fcl_transform(placed.back()));
    truth.push_back(intersects(at(shape, placed.back()), *c.mesh));
  }
  contest_yes_no(row + "/Graze", truth, [placed, shape, mesh = c.mesh](std::size_t i) { return intersects(at(shape, placed[i]), *mesh); });
  contest_yes_no(row + "/FCL", truth, [transforms, fcl_shape, f = c.fcl](std::size_t i) {
    fcl::CollisionResultd result;
    return fcl::collide(f.get(), fcl::Transform3d::Identity(), fcl_shape.get(), transforms[i], fcl::CollisionRequestd(1, false), result) > 0;
  });
}

void register_model(const std::string& path) {
  Random random(2024);
  Contestants c;
  MeshData data = model(path);
  for (int i = 0; i < options.subdivide; ++i) data = subdivide(data, random);
  const std::string name = std::filesystem::path(path).stem().string() + (options.subdivide > 0 ? "+" + std::to_string(options.subdivide) : "");
  c.data = std::make_shared<const MeshData>(std::move(data));
  c.mesh = std::make_shared<const Mesh>(VertexView(c.data->vertices), c.data->triangles);
  c.embree = std::make_shared<EmbreeScene>(*c.data, RTC_BUILD_QUALITY_MEDIUM, false);
  c.robust = std::make_shared<EmbreeScene>(*c.data, RTC_BUILD_QUALITY_MEDIUM, true);
  c.cgal = std::make_shared<CgalMesh>(*c.data);
  c.fcl = fcl_mesh(*c.data);
  c.ode = std::make_shared<OdeMesh>(*c.data);

  const auto rays = aimed_rays(*c.data, options.rays, random);
  const auto edges = edge_rays(*c.data, options.rays, random);
  const auto points = query_points(*c.data, options.points, random);
  c.cgal->tree.accelerate_distance_queries();
  if (wanted("build")) register_build(name, c);
  if (wanted("ray closest")) register_rays("ray closest/" + name, c, rays, false);
  if (wanted("ray any")) register_rays("ray any/" + name, c, rays, true);
  if (wanted("ray one-sided")) register_one_sided_rays("ray one-sided/" + name, c, rays);
  if (wanted("ray brief")) register_brief_rays("ray brief/" + name, c, rays);
  if (wanted("ray all")) register_all_hits("ray all/" + name, c, rays);
  if (wanted("edge rays")) register_rays("edge rays/" + name, c, edges, false);
  if (wanted("particles")) register_rays("particles/" + name, c, particles(*c.data, options.rays, random), false, .02);
  if (wanted("point distance")) register_points("point distance/" + name, c, points);
  for (const char how : {'r', 'b', 'x', 'n', 'y', 'c', 'd'}) register_meshes(name, c, how, random);
  if (wanted("sphere-mesh")) register_shapes("sphere-mesh/" + name, c, points, Sphere{{0, 0, 0}, .05}, std::make_shared<fcl::Sphered>(.05), random);
  if (wanted("box-mesh"))
    register_shapes("box-mesh/" + name, c, points, Box{{-.05, -.03, -.02}, {.05, .03, .02}}, std::make_shared<fcl::Boxd>(.1, .06, .04), random);
  if (wanted("capsule-mesh"))
    register_shapes("capsule-mesh/" + name, c, points, Capsule{{0, 0, -.05}, {0, 0, .05}, .02}, std::make_shared<fcl::Capsuled>(.02, .1), random);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  using namespace bench;
  benchmark::Initialize(&argc, argv);
  std::vector<std::string> models;
  std::size_t subdivisions = 0;
  for (int i = 1; i < argc; ++i) {
    if (number(argv[i], "--rays=", options.rays) || number(argv[i], "--points=", options.points) || number(argv[i], "--poses=", options.poses) ||
        number(argv[i], "--subdivide=", subdivisions))
      continue;
    if (std::strncmp(argv[i], "--rows=", 7) == 0) {
      options.rows = "," + std::string(argv[i] + 7) + ",";
    } else if (argv[i][0] == '-') {
      std::fprintf(stderr, "mesh_bench: unknown argument %s\n", argv[i]);
      return 2;
    } else {
      models.emplace_back(argv[i]);
    }
  }
  options.subdivide = static_cast<int>(subdivisions);
  if (models.empty()) models = {"torus", "sphere"};
  dInitODE2(0);
  if (dCheckConfiguration("ODE_double_precision") != 1) {
    std::fprintf(stderr, "mesh_bench: ODE's library is not in double precision as its headers say\n");
    return 4;
  }
  graze::set_threads(1);
  for (const std::string& m : models) register_model(m);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "mesh_bench: %s\n", e.what());
  return 3;
}
