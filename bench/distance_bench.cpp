// Distances and containment of meshes: Graze against FCL (mesh against mesh) and CGAL (points against a solid), on the same models in one process.
// distance_bench [A B] [--poses=N] [--points=N] [--rows=a,b,...] [Google Benchmark's options]; A and B are paths, or "torus:N" or "sphere:N" (generated, about
// N triangles; the default is torus:13000 sphere:13000). Names are row/model/peer. Rows: "gap G" (B moved from afar towards A until their surfaces are G apart,
// half the diagonal of a model's box being 1), "gap G 2 threads" (beside one thread, by the clock), "deep" (surfaces that touch; "intersects" is the yes or
// no), "contains", "signed distance" (beside "closest", the distance without a sign), "refit" (beside a new fast tree). "error" is the greatest relative
// difference of a distance, "wrong" the number of other answers. One thread where the row does not say two.
#include <benchmark/benchmark.h>

#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>

#include <fcl/fcl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/mesh_inputs.hpp"
#include "bench/program.hpp"

namespace bench {
namespace {

std::size_t pose_count = 24, point_count = 10000;
std::string chosen_rows;  ///< ",a,b," or empty for all

bool wanted(const std::string& row) { return chosen_rows.empty() || chosen_rows.find("," + row + ",") != std::string::npos; }

/// Registers one contestant: run(i) answers item i.
void contest(const std::string& name, std::size_t items, std::function<double(std::size_t)> run, const char* counter, double value) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    for (auto _ : state) {
      double sum = 0;
      for (std::size_t i = 0; i < items; ++i) sum += run(i);
      benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(items) * state.iterations());
    state.counters[counter] = value;
  });
}

/// A contestant for distances, compared with the true ones.
void contest_distance(const std::string& name, const std::vector<double>& truth, const std::function<double(std::size_t)>& distance) {
  double error = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) error = std::max(error, std::abs(distance(i) - truth[i]) / std::max(std::abs(truth[i]), 1e-300));
  contest(name, truth.size(), distance, "error", error);
}

MeshData model_of(const std::string& name) {
  const auto colon = name.find(':');
  if (colon == std::string::npos) return model(name);
  const std::size_t triangles = std::strtoull(name.c_str() + colon + 1, nullptr, 10);
  return name.starts_with("torus") ? torus_of(triangles) : sphere_of(triangles);
}

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

struct Pair {
  std::shared_ptr<const Mesh> a, b;
  std::shared_ptr<const FclMesh> fcl_a, fcl_b;
};

Pose random_turn(Random& random) {
  return Pose::from_quaternion(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(.1, 1), {0, 0, 0});
}

/// Poses of B at which the surfaces are `gap` apart.
std::vector<Pose> poses_at(const Pair& pair, double gap, Random& random) {
  std::vector<Pose> out;
  while (out.size() < pose_count) {
    const Vec3 direction = random.direction();
    Pose pose = random_turn(random);
    const auto near = [&](double at_distance) {
      pose.translation = direction * at_distance;
      return within(*pair.a, at(*pair.b, pose), gap);
    };
    double apart = 2.2 + gap;
    while (apart > 0 && !near(apart - .05)) apart -= .05;
    if (apart <= 0) continue;  // passes through a hole of A
    double touching = apart - .05;
    for (int i = 0; i < 45; ++i) {
      const double middle = .5 * (touching + apart);
      (near(middle) ? touching : apart) = middle;
    }
    pose.translation = direction * apart;
    out.push_back(pose);
  }
  return out;
}

void register_distances(const std::string& row, const std::string& model, const Pair& pair, const std::vector<Pose>& list) {
  const auto placed = std::make_shared<const std::vector<Pose>>(list);
  std::vector<double> truth;
  std::vector<fcl::Transform3d> transforms;
  for (const Pose& pose : *placed) {
    truth.push_back(closest(*pair.a, at(*pair.b, pose)).distance);
    transforms.push_back(fcl_transform(pose));
  }
  const std::string name = row + "/" + model + "/";
  contest_distance(name + "Graze", truth, [pair, placed](std::size_t i) { return closest(*pair.a, at(*pair.b, (*placed)[i])).distance; });
  contest_distance(name + "FCL", truth, [pair, transforms](std::size_t i) {
    fcl::DistanceResultd result;
    const double d = fcl::distance(pair.fcl_a.get(), fcl::Transform3d::Identity(), pair.fcl_b.get(), transforms[i], fcl::DistanceRequestd(false), result);
    return std::max(d, 0.0);  // -1 where the surfaces touch
  });
  if (row == "deep") {
    contest(
        name + "intersects", truth.size(), [pair, placed](std::size_t i) { return intersects(*pair.a, at(*pair.b, (*placed)[i])) ? 1.0 : 0.0; }, "wrong", 0);
  }
}

/// The same distances, each by two threads, beside one thread; both by the clock.
void register_shared(const std::string& row, const std::string& model, const Pair& pair, const std::vector<Pose>& list) {
  const auto placed = std::make_shared<const std::vector<Pose>>(list);
  const auto contestant = [&](const char* name, int threads) {
    benchmark::RegisterBenchmark((row + ", 2 threads/" + model + "/" + name).c_str(), [=](benchmark::State& state) {
      set_threads(threads);
      for (auto _ : state) {
        double sum = 0;
        for (const Pose& pose : *placed) sum += closest(*pair.a, at(*pair.b, pose)).distance;
        benchmark::DoNotOptimize(sum);
      }
      set_threads(1);
      state.SetItemsProcessed(static_cast<std::int64_t>(placed->size()) * state.iterations());
    })->UseRealTime();
  };
  contestant("Graze", 2);
  contestant("one thread", 1);
}

using Kernel = CGAL::Simple_cartesian<double>;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;

/// What CGAL takes for the inside of a surface, with its tree.
struct Sides {
  Surface surface;
  std::unique_ptr<CGAL::Side_of_triangle_mesh<Surface, Kernel>> side;
  explicit Sides(const MeshData& mesh) {
    std::vector<Surface::Vertex_index> vertices;
    for (const Vec3& v : mesh.vertices) vertices.push_back(surface.add_vertex({v.x, v.y, v.z}));
    for (const TriangleIndices& t : mesh.triangles) surface.add_face(vertices[t[0]], vertices[t[1]], vertices[t[2]]);
    side = std::make_unique<CGAL::Side_of_triangle_mesh<Surface, Kernel>>(surface);
  }
};

void register_points(const std::string& model, const MeshData& data, const std::shared_ptr<const Mesh>& mesh, Random& random) {
  const auto shape = std::make_shared<const Solid>(solid(*mesh));
  const auto points = std::make_shared<const std::vector<Vec3>>(query_points(data, point_count, random));
  const std::size_t n = points->size();
  if (wanted("contains")) {
    const std::string name = "contains/" + model + "/";
    const auto out = std::make_shared<std::vector<std::uint8_t>>(n);
    const auto sides = std::make_shared<const Sides>(data);
    const auto cgal = [points, sides](std::size_t i) {
      const Vec3& p = (*points)[i];
      return (*sides->side)({p.x, p.y, p.z}) != CGAL::ON_UNBOUNDED_SIDE ? 1.0 : 0.0;
    };
    double wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += cgal(i) != (contains(*shape, (*points)[i]) ? 1.0 : 0.0);
    contest(
        name + "Graze", n, [shape, points](std::size_t i) { return contains(*shape, (*points)[i]) ? 1.0 : 0.0; }, "wrong", 0);
    contest(
        name + "Graze batch", n,
        [shape, points, out](std::size_t i) {
          if (i == 0) contains(*shape, *points, *out);
          return (*out)[i] != 0 ? 1.0 : 0.0;
        },
        "wrong", 0);
    contest(name + "CGAL", n, cgal, "wrong", wrong);
  }
  if (wanted("signed distance")) {
    const std::string name = "signed distance/" + model + "/";
    const auto out = std::make_shared<std::vector<double>>(n);
    const auto near = std::make_shared<std::vector<Closest>>(n);
    contest(
        name + "Graze", n, [shape, points](std::size_t i) { return signed_distance((*points)[i], *shape); }, "error", 0);
    contest(
        name + "Graze batch", n,
        [shape, points, out](std::size_t i) {
          if (i == 0) signed_distance(*points, *shape, *out);
          return (*out)[i];
        },
        "error", 0);
    contest(
        name + "closest", n, [mesh, points](std::size_t i) { return closest(Point{(*points)[i]}, *mesh).distance; }, "error", 0);
    contest(
        name + "closest batch", n,
        [mesh, points, near](std::size_t i) {
          if (i == 0) closest(std::span<const Vec3>(*points), *mesh, *near);
          return (*near)[i].distance;
        },
        "error", 0);
  }
}

void register_refit(const std::string& model, const std::shared_ptr<const MeshData>& data, const std::shared_ptr<const Mesh>& mesh) {
  const std::size_t n = data->triangles.size();
  const std::string name = "refit/" + model + "/";
  // One item each, so that rates are meshes a second.
  const auto moved = std::make_shared<std::vector<Vec3>>(data->vertices);
  for (Vec3& v : *moved) v = v * 1.01;
  contest(
      name + "Graze", 1, [mesh, moved](std::size_t) { return static_cast<double>(mesh->refit(*moved).size()); }, "triangles", static_cast<double>(n));
  contest(
      name + "new fast tree", 1, [data, moved](std::size_t) { return static_cast<double>(Mesh(VertexView(*moved), data->triangles, Build::fast).size()); },
      "triangles", static_cast<double>(n));
}

void register_models(const std::string& first, const std::string& second) {
  Random random(2025);
  const auto data_a = std::make_shared<const MeshData>(model_of(first)), data_b = std::make_shared<const MeshData>(model_of(second));
  const auto stem = [](const std::string& name) {
    std::string s = std::filesystem::path(name).stem().string();
    for (char& c : s) c = c == ':' ? ' ' : c;
    return s;
  };
  const std::string both = stem(first) + ", " + stem(second), one = stem(first);
  Pair pair{std::make_shared<const Mesh>(VertexView(data_a->vertices), data_a->triangles),
            std::make_shared<const Mesh>(VertexView(data_b->vertices), data_b->triangles), fcl_mesh(*data_a), fcl_mesh(*data_b)};
  for (const char* gap : {".001", ".03", ".1", ".3", "1", "3"}) {
    const std::string row = std::string("gap ") + gap;
    if (!wanted(row) && !wanted(row + " 2 threads")) continue;
    const std::vector<Pose> poses = poses_at(pair, std::strtod(gap, nullptr), random);
    if (wanted(row)) register_distances(row, both, pair, poses);
    if (wanted(row + " 2 threads")) register_shared(row, both, pair, poses);
  }
  if (wanted("deep")) {
    std::vector<Pose> deep;
    while (deep.size() < pose_count) {
      Pose pose = random_turn(random);
      pose.translation = random.in_cube(.4);
      if (intersects(*pair.a, at(*pair.b, pose))) deep.push_back(pose);
    }
    register_distances("deep", both, pair, deep);
  }
  register_points(one, *data_a, pair.a, random);
  if (wanted("refit")) register_refit(one, data_a, pair.a);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  benchmark::Initialize(&argc, argv);
  std::vector<std::string> models;
  std::size_t threads = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (bench::number(argv[i], "--poses=", bench::pose_count) || bench::number(argv[i], "--points=", bench::point_count) ||
        bench::number(argv[i], "--threads=", threads))
      continue;
    if (argument.starts_with("--rows=")) {
      bench::chosen_rows = "," + argument.substr(7) + ",";
    } else if (argument.starts_with("--")) {
      std::fprintf(stderr, "distance_bench: unknown argument %s\n", argv[i]);
      return 2;
    } else {
      models.push_back(argument);
    }
  }
  if (models.empty()) models = {"torus:13000", "sphere:13000"};
  if (models.size() != 2) {
    std::fprintf(stderr, "distance_bench: two models or none\n");
    return 2;
  }
  graze::set_threads(static_cast<int>(threads));
  bench::register_models(models[0], models[1]);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "distance_bench: %s\n", e.what());
  return 3;
}
