// Particles against a mesh: World::step on 1 and on all threads beside Embree tracing the same segments (one ray a particle and step, no bounce, no certificate), which leaks.
// world_bench [MODEL] [--subdivide=N] [--particles=N,N,...] [--steps=N]. Prints particle steps a second; CPU time of one thread, wall time of two.
#include <embree3/rtcore.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <graze/graze.hpp>
#include <string>
#include <vector>

#include "bench/mesh_inputs.hpp"
#include "bench/random.hpp"

namespace {

using graze::Vec3;

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
double wall_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Half of the particles within .05 of the surface, the others in the box, all .02 long a step.
void starts(const graze::MeshData& mesh, std::size_t n, std::vector<Vec3>& place, std::vector<Vec3>& way) {
  bench::Random random(5);
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 p = random.in_cube(.7);
    if (i % 2 == 0) {
      const auto& t = mesh.triangles[random.bits() % mesh.triangles.size()];
      p = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3.0 + random.in_cube(.03);
    }
    place.push_back(p);
    way.push_back(.02 * random.direction());
  }
}

double embree_rate(const graze::MeshData& mesh, const std::vector<Vec3>& place, const std::vector<Vec3>& way, int steps) {
  RTCDevice device = rtcNewDevice("threads=1");
  RTCScene scene = rtcNewScene(device);
  RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* v = static_cast<float*>(rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, mesh.vertices.size()));
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    for (int k = 0; k < 3; ++k) v[3 * i + static_cast<std::size_t>(k)] = static_cast<float>(mesh.vertices[i][k]);
  auto* t = static_cast<unsigned*>(rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, mesh.triangles.size()));
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) t[3 * i + k] = mesh.triangles[i][k];
  rtcCommitGeometry(g);
  rtcAttachGeometry(scene, g);
  rtcCommitScene(scene);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  std::vector<Vec3> p = place, d = way;
  const double start = cpu_seconds();
  for (int s = 0; s < steps; ++s)
    for (std::size_t i = 0; i < p.size(); ++i) {
      RTCRayHit r{};
      r.ray.org_x = static_cast<float>(p[i].x), r.ray.org_y = static_cast<float>(p[i].y), r.ray.org_z = static_cast<float>(p[i].z);
      r.ray.dir_x = static_cast<float>(d[i].x), r.ray.dir_y = static_cast<float>(d[i].y), r.ray.dir_z = static_cast<float>(d[i].z);
      r.ray.tfar = 1;
      r.ray.mask = ~0u;
      r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      rtcIntersect1(scene, &context, &r);
      if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID) {
        p[i] += d[i];
      } else {  // stops at the hit and turns round at the plane
        const Vec3 n(r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z);
        p[i] += static_cast<double>(r.ray.tfar) * .999 * d[i];
        d[i] -= 2 * (d[i].x * n.x + d[i].y * n.y + d[i].z * n.z) / (n.x * n.x + n.y * n.y + n.z * n.z) * n;
      }
    }
  const double seconds = cpu_seconds() - start;
  rtcReleaseGeometry(g);
  rtcReleaseScene(scene);
  rtcReleaseDevice(device);
  return static_cast<double>(p.size()) * steps / seconds;
}

}  // namespace

int main(int argc, char** argv) {
  std::string model = "torus", counts = "10000,100000,1000000";
  int subdivide = 0, steps = 10;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--subdivide=", 12) == 0) subdivide = std::atoi(argv[i] + 12);
    else if (std::strncmp(argv[i], "--particles=", 12) == 0) counts = argv[i] + 12;
    else if (std::strncmp(argv[i], "--steps=", 8) == 0) steps = std::atoi(argv[i] + 8);
    else model = argv[i];
  }
  graze::MeshData data = bench::model(model);
  bench::Random random(3);
  for (int i = 0; i < subdivide; ++i) data = bench::subdivide(data, random);
  std::printf("%s: %zu triangles, %d steps; particle steps a second\n%10s %14s %14s %14s %8s\n", model.c_str(), data.triangles.size(), steps, "particles", "Graze 1 thread", "Graze, wall, 2", "Embree 1", "ratio");
  for (std::size_t at = 0; at < counts.size();) {
    const std::size_t comma = std::min(counts.find(',', at), counts.size()), n = std::strtoull(counts.c_str() + at, nullptr, 10);
    at = comma + 1;
    std::vector<Vec3> place, way;
    starts(data, n, place, way);
    graze::WorldOptions options;
    options.gravity = Vec3(0, 0, 0);
    options.record_impacts = false;
    graze::World world(options);
    world.add_fixed(graze::Mesh(data));
    for (std::size_t i = 0; i < n; ++i) world.add_moving(graze::Point{}, graze::translation(place[i]), {.velocity = way[i]});
    graze::set_threads(1);
    graze::World one = world;
    double start = cpu_seconds();
    for (int s = 0; s < steps; ++s) one.step(1);
    const double single = static_cast<double>(n) * steps / (cpu_seconds() - start);
    graze::set_threads(2);
    start = wall_seconds();
    for (int s = 0; s < steps; ++s) world.step(1);
    const double two = static_cast<double>(n) * steps / (wall_seconds() - start);
    const double embree = embree_rate(data, place, way, steps);
    std::printf("%10zu %14.3g %14.3g %14.3g %8.2f\n", n, single, two, embree, single / embree);
    std::fflush(stdout);
  }
}
