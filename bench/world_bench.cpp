// Particles against a mesh: World::step on 1 and on all threads, compared with Embree tracing the same segments (one ray per particle and step, no
// certificate), which leaks. world_bench [MODEL] [--subdivide=N] [--particles=N,N,...] [--steps=N] [--repetitions=N] [--json=FILE]. Prints particle steps per
// second, medians of interleaved repetitions; CPU time for one thread, wall time for all threads.
#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <graze/graze.hpp>
#include <string>
#include <vector>

#include "bench/mesh_inputs.hpp"
#include "bench/program.hpp"
#include "bench/random.hpp"

namespace {

using graze::Vec3;

/// Half of the particles within .05 of the surface, the others in the box, all moving .02 per step.
void starts(const graze::MeshData& mesh, std::size_t n, std::vector<Vec3>& place, std::vector<Vec3>& direction) {
  bench::Random random(5);
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 p = random.in_cube(.7);
    if (i % 2 == 0) {
      const auto& t = mesh.triangles[random.bits() % mesh.triangles.size()];
      p = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3.0 + random.in_cube(.03);
    }
    place.push_back(p);
    direction.push_back(.02 * random.direction());
  }
}

class Embree {
 public:
  explicit Embree(const graze::MeshData& mesh)
      : device_(rtcNewDevice(nullptr) /* a number of threads would hold for all of oneTBB, Graze too */), scene_(rtcNewScene(device_)) {
    RTCGeometry g = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* v = static_cast<float*>(rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, mesh.vertices.size()));
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
      for (int k = 0; k < 3; ++k) v[3 * i + static_cast<std::size_t>(k)] = static_cast<float>(mesh.vertices[i][k]);
    auto* t = static_cast<unsigned*>(rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, mesh.triangles.size()));
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) t[3 * i + k] = mesh.triangles[i][k];
    rtcCommitGeometry(g);
    rtcAttachGeometry(scene_, g);
    rtcCommitScene(scene_);
    rtcReleaseGeometry(g);
  }
  ~Embree() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }
  Embree(const Embree&) = delete;

  /// CPU seconds of this many steps.
  double run(std::vector<Vec3> p, std::vector<Vec3> d, int steps) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    const double start = bench::process_seconds();
    for (int s = 0; s < steps; ++s)
      for (std::size_t i = 0; i < p.size(); ++i) {
        RTCRayHit r{};
        r.ray.org_x = static_cast<float>(p[i].x), r.ray.org_y = static_cast<float>(p[i].y), r.ray.org_z = static_cast<float>(p[i].z);
        r.ray.dir_x = static_cast<float>(d[i].x), r.ray.dir_y = static_cast<float>(d[i].y), r.ray.dir_z = static_cast<float>(d[i].z);
        r.ray.tfar = 1;
        r.ray.mask = ~0u;
        r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(scene_, &context, &r);
        if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID) {
          p[i] += d[i];
        } else {  // stops at the hit and is reflected at the plane
          const Vec3 n(r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z);
          p[i] += static_cast<double>(r.ray.tfar) * .999 * d[i];
          d[i] -= 2 * (d[i].x * n.x + d[i].y * n.y + d[i].z * n.z) / (n.x * n.x + n.y * n.y + n.z * n.z) * n;
        }
      }
    return bench::process_seconds() - start;
  }

 private:
  RTCDevice device_;
  RTCScene scene_;
};

}  // namespace

int main(int argc, char** argv) {
  std::string model = "torus", counts = "1000,10000,100000,1000000", json;
  int subdivide = 0, steps = 10, repetitions = 1;
  for (int i = 1; i < argc; ++i) {
    const auto option = [&](const char* name) -> const char* {
      const std::size_t n = std::strlen(name);
      return std::strncmp(argv[i], name, n) == 0 ? argv[i] + n : nullptr;
    };
    if (const char* v = option("--subdivide="))
      subdivide = std::atoi(v);
    else if (const char* v = option("--particles="))
      counts = v;
    else if (const char* v = option("--steps="))
      steps = std::atoi(v);
    else if (const char* v = option("--repetitions="))
      repetitions = std::max(1, std::atoi(v));
    else if (const char* v = option("--json="))
      json = v;
    else
      model = argv[i];
  }
  graze::MeshData data = bench::model(model);
  bench::Random random(3);
  for (int i = 0; i < subdivide; ++i) data = bench::subdivide(data, random);
  const graze::Mesh mesh(data);
  const Embree embree(data);
  std::string out = "{\"triangles\": " + std::to_string(data.triangles.size()) + ", \"steps\": " + std::to_string(steps) + ", \"curve\": [";
  std::printf("%s: %zu triangles, %d steps; particle steps a second\n%10s %14s %14s %14s %8s %14s\n", model.c_str(), data.triangles.size(), steps, "particles",
              "Graze 1 thread", "Graze, wall", "Embree 1", "ratio", "steps/s, wall");
  for (std::size_t at = 0; at < counts.size();) {
    const std::size_t comma = std::min(counts.find(',', at), counts.size()), n = std::strtoull(counts.c_str() + at, nullptr, 10);
    std::vector<Vec3> place, direction;
    starts(data, n, place, direction);
    graze::WorldOptions options;
    options.gravity = Vec3(0, 0, 0);
    options.record_impacts = false;
    graze::World world(options);
    world.add_fixed(mesh);
    for (std::size_t i = 0; i < n; ++i) world.add_moving(graze::Point{}, graze::translation(place[i]), {.velocity = direction[i]});
    const int rounds = static_cast<int>(std::max<std::size_t>(1, 20000 / n));  // few particles: repeated from the start, so that the time is measurable
    std::vector<double> one, wall, peer;
    for (int r = 0; r < repetitions; ++r) {
      double seconds = 0, passed = 0, theirs = 0;
      for (int k = 0; k < rounds; ++k) {
        graze::set_threads(1);
        graze::World single = world;
        double start = bench::process_seconds();
        for (int s = 0; s < steps; ++s) single.step(1);
        seconds += bench::process_seconds() - start;
        graze::set_threads(0);
        graze::World all = world;
        start = bench::wall_seconds();
        for (int s = 0; s < steps; ++s) all.step(1);
        passed += bench::wall_seconds() - start;
        theirs += embree.run(place, direction, steps);
      }
      const double flights = static_cast<double>(n) * steps * rounds;
      one.push_back(flights / seconds);
      wall.push_back(flights / passed);
      peer.push_back(flights / theirs);
    }
    const double a = bench::median(one), b = bench::median(wall), c = bench::median(peer);
    std::printf("%10zu %14.3g %14.3g %14.3g %8.2f %14.4g\n", n, a, b, c, a / c, b / static_cast<double>(n));
    std::fflush(stdout);
    char row[256];
    std::snprintf(row, sizeof row, "%s{\"particles\": %zu, \"one\": %.6g, \"wall\": %.6g, \"embree\": %.6g}", at == 0 ? "" : ", ", n, a, b, c);
    out += row;
    at = comma + 1;
  }
  out += "]}\n";
  if (!json.empty()) {
    std::FILE* f = std::fopen(json.c_str(), "w");
    if (!f || std::fputs(out.c_str(), f) < 0 || std::fclose(f) != 0) {
      std::fprintf(stderr, "world_bench: cannot write %s\n", json.c_str());
      return 1;
    }
  }
}
