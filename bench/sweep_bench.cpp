// First contact of moving shapes and a mesh: spheres (one at a time and in a batch), capsules and boxes along long and short paths, rotating shapes, meshes
// against meshes, a deforming mesh. One thread, thread CPU time, medians.
//   sweep_bench [MODEL...] [--rows=a,b,...] [--sweeps=N] [--meshes=N] [--repetitions=N] [--subdivide=N] [--json=FILE]
// MODEL is a path, or "torus", "sphere" (generated; the default), "torus 13k" or "walls 13k" (13,000 triangles; the walls are flat and along the axes). No
// library in Debian sweeps round shapes exactly or nearly so. "answers" is a hash of the bits of all answers: two builds with equal answers print equal hashes.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/mesh_inputs.hpp"
#include "bench/program.hpp"

namespace bench {
namespace {

struct Options {
  std::size_t sweeps = 20000, meshes = 20, repetitions = 5;
  int subdivide = 0;
  std::string rows, json;
} options;

/// FNV-1a over the bits of answers.
struct Hash {
  std::uint64_t value = 0xcbf29ce484222325u;
  void add(std::uint64_t x) {
    for (int i = 0; i < 8; ++i) value = (value ^ (x >> (8 * i) & 255)) * 0x100000001b3u;
  }
  void add(double x) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    add(bits);
  }
  void add(const Vec3& v) {
    for (int i = 0; i < 3; ++i) add(v[i]);
  }
  void add(const std::optional<SweepHit>& h) {
    add(std::uint64_t{h.has_value()});
    if (!h) return;
    add(h->t);
    add(h->point);
    if (h->normal) add(*h->normal);
    add(std::uint64_t{h->triangle_a.value_or(~0u)});
    add(std::uint64_t{h->triangle_b.value_or(~0u)});
    add(std::uint64_t{h->started_inside} * 4 + std::uint64_t{h->departing} * 2 + std::uint64_t{h->moved});
    add(h->safe_point);
  }
};

struct Result {
  std::string row, input;
  double rate = 0, worst_us = 0, hits = 0;  // worst_us: unknown for batches
  std::uint64_t answers = 0;
};
std::vector<Result> results;

bool asked_for(const std::string& row) { return options.rows.empty() || options.rows.find("," + row + ",") != std::string::npos; }

void finish(Result& r, std::vector<double>& rates, std::size_t hits, std::size_t items) {
  std::sort(rates.begin(), rates.end());
  r.rate = rates[rates.size() / 2];
  r.hits = static_cast<double>(hits) / static_cast<double>(items);
  char worst[32] = "";
  if (r.worst_us > 0) std::snprintf(worst, sizeof worst, "%.1f", r.worst_us);
  std::printf("%-26s %-18s %12.0f %10.3f %10s %6.2f  %016llx\n", r.row.c_str(), r.input.c_str(), r.rate, 1e6 / r.rate, worst, r.hits,
              static_cast<unsigned long long>(r.answers));
  std::fflush(stdout);
  results.push_back(r);
}

/// ask(i) answers item i and adds the answer to the hash; returns true for a hit.
void contest(const std::string& row, const std::string& input, std::size_t items, const std::function<bool(std::size_t, Hash&)>& ask) {
  if (!asked_for(row)) return;
  Result r{row, input};
  std::vector<double> rates;
  std::size_t hits = 0;
  for (std::size_t k = 0; k < options.repetitions; ++k) {
    Hash hash;
    hits = 0;
    double worst = 0, last = thread_seconds();
    const double start = last;
    for (std::size_t i = 0; i < items; ++i) {
      hits += ask(i, hash) ? 1 : 0;
      if ((i & 15) == 15 || items < 1000) {  // groups, since reading the clock takes time
        const double now = thread_seconds();
        worst = std::max(worst, now - last);
        last = now;
      }
    }
    rates.push_back(static_cast<double>(items) / (thread_seconds() - start));
    r.worst_us = k == 0 ? worst * 1e6 : std::min(r.worst_us, worst * 1e6);
    r.answers = hash.value;
  }
  finish(r, rates, hits, items);
}

/// Runs the same sweeps as one batch.
void contest_batch(const std::string& row, const std::string& input, std::span<const ShapeRef> shapes, std::span<const Vec3> motions, const Mesh& mesh) {
  if (!asked_for(row)) return;
  Result r{row + ", batch", input};
  std::vector<double> rates;
  std::vector<std::optional<SweepHit>> found(shapes.size());
  Hash hash;
  std::size_t hits = 0;
  for (std::size_t k = 0; k < options.repetitions; ++k) {
    const double start = thread_seconds();
    sweep(shapes, motions, mesh, found);
    rates.push_back(static_cast<double>(shapes.size()) / (thread_seconds() - start));
  }
  for (const auto& hit : found) {
    hash.add(hit);
    hits += hit.has_value() ? 1 : 0;
  }
  r.answers = hash.value;
  finish(r, rates, hits, shapes.size());
}

Pose random_pose(Random& random, const Vec3& p) {
  return Pose::from_quaternion(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(.1, 1), p);
}

void run(const std::string& path) {
  Random random(2025);
  MeshData data = path == "torus 13k" ? torus_of(13000) : path == "walls 13k" ? walls_of(13000) : model(path);
  for (int i = 0; i < options.subdivide; ++i) data = subdivide(data, random);
  const std::string input = std::filesystem::path(path).stem().string() + (options.subdivide > 0 ? "+" + std::to_string(options.subdivide) : "");
  const Mesh mesh(VertexView(data.vertices), data.triangles);
  struct Motion {
    Vec3 from, motion;
  };
  std::vector<Motion> far, near;
  for (const Ray& r : aimed_rays(data, options.sweeps, random)) far.push_back({r.origin, 2.6 * r.direction});
  for (const Ray& r : particles(data, options.sweeps, random)) near.push_back({r.origin, .1 * r.direction});
  std::vector<Vec3> corners;
  Scene boxes;
  Random shapes(2026);
  for (int i = 0; i < 30; ++i) corners.push_back(shapes.in_cube(.05));
  for (int i = 0; i < 40; ++i) boxes.add(Box::from_center(shapes.in_cube(.6), Vec3(.1, .1, .1) + shapes.in_cube(.05)));
  const Hull hull(corners);
  for (const bool is_long : {true, false}) {
    const std::vector<Motion>& ways = is_long ? far : near;
    const std::string kind = is_long ? "long" : "short";
    std::vector<Pose> poses;
    for (const Motion& w : ways) poses.push_back(random_pose(random, w.from));
    contest("sphere sweep " + kind, input, ways.size(), [&](std::size_t i, Hash& h) {
      const auto hit = sweep(Sphere{ways[i].from, .05}, ways[i].motion, mesh);
      h.add(hit);
      return hit.has_value();
    });
    std::vector<Sphere> spheres;
    std::vector<Vec3> motions;
    for (const Motion& w : ways) {
      spheres.push_back({w.from, .05});
      motions.push_back(w.motion);
    }
    contest_batch("sphere sweep " + kind, input, std::vector<ShapeRef>(spheres.begin(), spheres.end()), motions, mesh);
    contest("capsule sweep " + kind, input, ways.size(), [&](std::size_t i, Hash& h) {
      const auto hit = sweep(at(Capsule{{0, 0, -.05}, {0, 0, .05}, .02}, poses[i]), ways[i].motion, mesh);
      h.add(hit);
      return hit.has_value();
    });
    contest("box sweep " + kind, input, ways.size(), [&](std::size_t i, Hash& h) {
      const auto hit = sweep(at(Box{{-.05, -.03, -.02}, {.05, .03, .02}}, poses[i]), ways[i].motion, mesh);
      h.add(hit);
      return hit.has_value();
    });
    contest("upright box sweep " + kind, input, ways.size(), [&](std::size_t i, Hash& h) {
      const auto hit = sweep(at(Box{{-.05, -.03, -.02}, {.05, .03, .02}}, translation(ways[i].from)), ways[i].motion, mesh);
      h.add(hit);
      return hit.has_value();
    });
    contest("oriented box sweep " + kind, input, ways.size(), [&](std::size_t i, Hash& h) {
      const auto axis = [&](int k) { return Vec3(poses[i].rotation[0][k], poses[i].rotation[1][k], poses[i].rotation[2][k]); };
      const auto hit = sweep(OrientedBox{ways[i].from, {axis(0), axis(1), axis(2)}, Vec3(.05, .03, .02)}, ways[i].motion, mesh);
      h.add(hit);
      return hit.has_value();
    });
    const std::size_t few = std::min<std::size_t>(options.meshes * 10, ways.size());
    contest("hull sweep " + kind, input, few, [&](std::size_t i, Hash& h) {
      const auto hit = sweep(at(hull, poses[i]), ways[i].motion, mesh);
      h.add(hit);
      return hit.has_value();
    });
    contest("box sweep among boxes " + kind, input, ways.size(), [&](std::size_t i, Hash& h) {
      const auto hit = boxes.sweep(at(Box{{-.05, -.03, -.02}, {.05, .03, .02}}, poses[i]), ways[i].motion);
      h.add(hit ? std::optional(hit->hit) : std::nullopt);
      return hit.has_value();
    });
    contest("cylinder sweep " + kind, input, few, [&](std::size_t i, Hash& h) {
      const auto hit = sweep(at(Cylinder{{0, 0, -.05}, {0, 0, .05}, .02}, poses[i]), ways[i].motion, mesh);
      h.add(hit);
      return hit.has_value();
    });
    const auto screw = [&](std::size_t i) {
      Screw s;
      s.center = ways[i].from;
      s.axis = poses[i].apply(Vec3(0, 1, 0)) - ways[i].from;
      s.angle = 1.5;
      s.displacement = ways[i].motion;
      return s;
    };
    contest("turning box " + kind, input, few, [&](std::size_t i, Hash& h) {
      const auto hit = sweep(at(Box{{-.05, -.03, -.02}, {.05, .03, .02}}, poses[i]), screw(i), mesh);
      h.add(hit);
      return hit.has_value();
    });
    contest("turning capsule " + kind, input, few, [&](std::size_t i, Hash& h) {
      const auto hit = sweep(at(Capsule{{0, 0, -.05}, {0, 0, .05}, .02}, poses[i]), screw(i), mesh);
      h.add(hit);
      return hit.has_value();
    });
    contest("turning cylinder " + kind, input, few, [&](std::size_t i, Hash& h) {
      const auto hit = sweep(at(Cylinder{{0, 0, -.05}, {0, 0, .05}, .02}, poses[i]), screw(i), mesh);
      h.add(hit);
      return hit.has_value();
    });
  }
  std::vector<Pose> placed;
  std::vector<Vec3> motions;
  for (std::size_t i = 0; i < options.meshes; ++i) {
    const Vec3 d = random.direction();
    placed.push_back(random_pose(random, 2.2 * d));
    motions.push_back(-3.0 * d);
  }
  contest("mesh sweep", input, placed.size(), [&](std::size_t i, Hash& h) {
    const auto hit = sweep(at(mesh, placed[i]), motions[i], mesh);
    h.add(hit);
    return hit.has_value();
  });
  // a ball mesh that is flattened into the model; each vertex has its own motion
  MeshData ball = model("sphere");
  std::vector<std::vector<Vec3>> ends;
  std::vector<Mesh> bodies;
  for (std::size_t i = 0; i < std::min<std::size_t>(options.meshes, 4); ++i) {
    const Vec3 d = random.direction();
    MeshData body = ball;
    std::vector<Vec3> end;
    for (Vec3& v : body.vertices) {
      v = .1 * v + 1.1 * d;
      end.push_back(v - .9 * d + random.in_cube(.002));
    }
    bodies.emplace_back(body);
    ends.push_back(std::move(end));
  }
  const std::vector<Vec3> still(mesh.vertices().begin(), mesh.vertices().end());
  for (const bool first_only : {true, false}) {
    if (!first_only && options.rows.empty()) continue;  // takes minutes: only on request
    contest(first_only ? "deforming, first" : "deforming, all", input, bodies.size(), [&](std::size_t i, Hash& h) {
      DeformingOptions o;
      o.first_only = first_only;
      const auto found = ccd(bodies[i], VertexView(ends[i]), mesh, VertexView(still), o);
      if (!found.empty()) {
        h.add(found[0].t);
        h.add(std::uint64_t{found[0].triangle_a} << 32 | found[0].triangle_b);
      }
      return !found.empty();
    });
  }
}

void write_json(const std::string& path) {
  std::FILE* f = std::fopen(path.c_str(), "w");
  if (!f) {
    std::fprintf(stderr, "sweep_bench: cannot write %s\n", path.c_str());
    std::exit(4);
  }
  std::fprintf(f, "[");
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Result& r = results[i];
    std::fprintf(f, "%s\n {\"row\": \"%s\", \"input\": \"%s\", \"rate\": %.6g, \"hits\": %.4f, \"answers\": \"%016llx\"", i ? "," : "", r.row.c_str(),
                 r.input.c_str(), r.rate, r.hits, static_cast<unsigned long long>(r.answers));
    if (r.worst_us > 0) std::fprintf(f, ", \"worst_us\": %.6g", r.worst_us);
    std::fprintf(f, "}");
  }
  std::fprintf(f, "\n]\n");
  std::fclose(f);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  using namespace bench;
  std::vector<std::string> models;
  std::size_t subdivide = 0;
  for (int i = 1; i < argc; ++i) {
    if (number(argv[i], "--sweeps=", options.sweeps) || number(argv[i], "--meshes=", options.meshes) ||
        number(argv[i], "--repetitions=", options.repetitions) || number(argv[i], "--subdivide=", subdivide))
      continue;
    if (std::strncmp(argv[i], "--rows=", 7) == 0) {
      options.rows = "," + std::string(argv[i] + 7) + ",";
    } else if (std::strncmp(argv[i], "--json=", 7) == 0) {
      options.json = argv[i] + 7;
    } else if (argv[i][0] == '-') {
      std::fprintf(stderr, "sweep_bench: unknown argument %s\n", argv[i]);
      return 2;
    } else {
      models.emplace_back(argv[i]);
    }
  }
  options.subdivide = static_cast<int>(subdivide);
  if (models.empty()) models = {"torus", "sphere"};
  graze::set_threads(1);
  std::printf("%-26s %-18s %12s %10s %10s %6s  %-16s\n", "row", "model", "a second", "us each", "worst us", "hits", "answers");
  for (const std::string& m : models) run(m);
  if (!options.json.empty()) write_json(options.json);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "sweep_bench: %s\n", e.what());
  return 3;
}
