// Graze alone: cost against size, from a thousand to four million triangles and boxes, a million bodies in a scene, ten thousand corners of a hull and a
// million cells of a terrain; one thread against two; far from the origin, and tiny; trees built by the fast method. curves_bench [--json=FILE] [--largest=N]
// [--repetitions=N]. Figures are medians: nanoseconds per item of CPU time of the thread, for threads seconds of the clock.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/broad_phase_inputs.hpp"
#include "bench/mesh_inputs.hpp"
#include "bench/program.hpp"

namespace bench {
namespace {

struct Figure {
  std::string kind, what;  ///< kind: "size", "threads", "place" or "tree"
  double x, value;  ///< size: items, ns an item; threads: number, seconds; place: 0 at the origin, 1 at 1e6, 2 of size 1e-30, ns; tree: 0 best, 1 fast, ns
};

int repetitions = 5;
std::size_t answers = 0;  // prevents the compiler from removing the work

/// Seconds of one run, the median.
double time_of(double (*clock)(), const std::function<std::size_t()>& run) {
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    const double start = clock();
    answers += run();
    times.push_back(clock() - start);
  }
  return median(times);
}

/// One query and its number of items.
struct Work {
  std::string what;
  std::size_t items;
  std::function<std::size_t()> run;
};

std::size_t hits(const std::vector<Ray>& rays, const Mesh& mesh, double t_max) {
  std::size_t n = 0;
  for (const Ray& r : rays) n += raycast(r, mesh, {t_max}).has_value();
  return n;
}
std::size_t nearest(const std::vector<Vec3>& points, const Mesh& mesh) {
  double sum = 0;
  for (const Vec3& p : points) sum += closest(Point{p}, mesh).distance;
  return sum > 0;
}

/// A work that asks each of these items once; `ask` returns whether its answer is yes.
template <class Items, class Ask>
Work each(const std::string& what, const std::shared_ptr<Items>& items, const Ask& ask) {
  return {what, items->size(), [=] {
            std::size_t n = 0;
            for (const auto& item : *items) n += ask(item) ? 1 : 0;
            return n;
          }};
}

std::vector<Work> queries(const std::shared_ptr<const MeshData>& data, std::size_t count, Build how = Build::best) {
  Random random(11);
  const auto mesh = std::make_shared<const Mesh>(VertexView(data->vertices), data->triangles, how);
  const auto rays = std::make_shared<std::vector<Ray>>(aimed_rays(*data, count, random)),
             short_ones = std::make_shared<std::vector<Ray>>(particles(*data, count, random));
  const auto points = std::make_shared<std::vector<Vec3>>(query_points(*data, count / 4, random));
  const auto random_poses = std::make_shared<std::vector<Pose>>(poses(*mesh, 'r', 200, random));
  const auto deep = std::make_shared<std::vector<Pose>>(poses(*mesh, 'c', 2, random)), near = std::make_shared<std::vector<Pose>>(poses(*mesh, 'n', 8, random)),
             far = std::make_shared<std::vector<Pose>>(*near);
  for (Pose& p : *far) p.translation = p.translation + 3.0 * random.direction();
  std::size_t pairs = 0;
  for (const Pose& p : *deep) pairs += intersecting_triangles(*mesh, at(*mesh, p)).size();
  const auto body = std::make_shared<const Solid>(solid(*mesh));
  const auto found = std::make_shared<std::vector<std::optional<Hit>>>(rays->size());
  const auto nearest_ones = std::make_shared<std::vector<Closest>>(points->size());
  const auto ways = std::make_shared<std::vector<Ray>>(rays->begin(), rays->begin() + static_cast<std::ptrdiff_t>(count / 20));
  const auto moved = std::make_shared<std::vector<Vec3>>(data->vertices);
  for (Vec3& v : *moved) v = v * 1.01;
  return {{"ray, first hit", count, [=] { return hits(*rays, *mesh, 2.5); }},
          {"particle", count, [=] { return hits(*short_ones, *mesh, .02); }},
          {"closest point", count / 4, [=] { return nearest(*points, *mesh); }},
          each("mesh against mesh, yes or no", random_poses, [=](const Pose& p) { return intersects(*mesh, at(*mesh, p)); }),
          {"ray, in a batch", count,
           [=] {
             raycast(RaySpan{*rays, 2.5}, *mesh, *found);
             return found->size();
           }},
          {"closest point, in a batch", count / 4,
           [=] {
             closest(*points, *mesh, *nearest_ones);
             return nearest_ones->size();
           }},
          each("point in a solid", points, [=](const Vec3& p) { return contains(*body, p); }),
          each("signed distance", points, [=](const Vec3& p) { return signed_distance(p, *body) > 0; }),
          each("sphere against mesh", points,
               [=](const Vec3& p) {
                 return intersects(Sphere{p, .05}, *mesh);
               }),
          each("box against mesh", points,
               [=](const Vec3& p) {
                 return intersects(Box{p - Vec3(.05, .03, .02), p + Vec3(.05, .03, .02)}, *mesh);
               }),
          each("sweep of a sphere", ways,
               [=](const Ray& w) {
                 return sweep(Sphere{w.origin, .05}, 2.6 * w.direction, *mesh).has_value();
               }),
          each("sweep of a box", ways,
               [=](const Ray& w) {
                 return sweep(Box{w.origin - Vec3(.05, .03, .02), w.origin + Vec3(.05, .03, .02)}, 2.6 * w.direction, *mesh).has_value();
               }),
          each("distance, .001 apart", near, [=](const Pose& p) { return closest(*mesh, at(*mesh, p)).distance > 0; }),
          each("distance, far apart", far, [=](const Pose& p) { return closest(*mesh, at(*mesh, p)).distance > 0; }),
          {"refit", data->triangles.size(), [=] { return mesh->refit(*moved).size(); }},
          {"all pairs, per pair", std::max<std::size_t>(pairs, 1), [=] {
             std::size_t n = 0;
             for (const Pose& p : *deep) n += intersecting_triangles(*mesh, at(*mesh, p)).size();
             return n;
           }}};
}

std::shared_ptr<const MeshData> torus(std::size_t n) { return std::make_shared<const MeshData>(torus_of(n)); }

void by_size(std::size_t largest, std::vector<Figure>& out) {
  graze::set_threads(1);
  for (std::size_t n = 1000; n <= largest; n *= 2) {
    std::fprintf(stderr, "\r%zu triangles and boxes      ", n);
    const auto data = torus(n);
    const auto triangles = static_cast<double>(data->triangles.size());
    out.push_back(
        {"size", "build", triangles, 1e9 * time_of(thread_seconds, [&] { return Mesh(VertexView(data->vertices), data->triangles).size(); }) / triangles});
    out.push_back({"size", "build fast", triangles,
                   1e9 * time_of(thread_seconds, [&] { return Mesh(VertexView(data->vertices), data->triangles, Build::fast).size(); }) / triangles});
    for (const Work& w : queries(data, 20000)) out.push_back({"size", w.what, triangles, 1e9 * time_of(thread_seconds, w.run) / static_cast<double>(w.items)});
    const Mesh mesh(*data);
    out.push_back({"size", "self-intersections", triangles, 1e9 * time_of(thread_seconds, [&] { return self_intersections(mesh).size() + 1; }) / triangles});
    const MovingBoxes boxes = moving_boxes("uniform", n, repetitions + 1);
    BroadPhase broad;
    broad.assign(boxes.frames[0]);
    std::size_t frame = 0;
    out.push_back({"size", "broad phase, a frame", static_cast<double>(n), 1e9 * time_of(thread_seconds, [&] {
                                                                             broad.move_all(boxes.frames[++frame]);
                                                                             return broad.pairs().size();
                                                                           }) / static_cast<double>(n)});
  }
  std::fprintf(stderr, "\n");
}

/// Scenes of bodies: spheres, boxes and capsules in turn, of sizes U(.5, 1.5) s with s^3 n = .3, in the unit cube.
void by_bodies(std::size_t largest, std::vector<Figure>& out) {
  for (std::size_t n = 1000; n <= largest; n *= 4) {
    std::fprintf(stderr, "\r%zu bodies      ", n);
    Random random(n);
    const auto somewhere = [&] { return random.in_cube(.5) + Vec3(.5, .5, .5); };
    const auto turned = [&] {
      return Pose::from_quaternion(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(.1, 1), somewhere());
    };
    const double size = std::cbrt(.3 / static_cast<double>(n));
    const auto scene = std::make_shared<Scene>();
    std::vector<MemberId> ids;
    for (std::size_t i = 0; i < n; ++i) {
      const double s = size * random.uniform(.5, 1.5) / 2;
      if (i % 3 == 0)
        ids.push_back(scene->add(Sphere{Vec3(0, 0, 0), s}, turned()));
      else if (i % 3 == 1)
        ids.push_back(scene->add(Box{Vec3(-s, -.8 * s, -.6 * s), Vec3(s, .8 * s, .6 * s)}, turned()));
      else
        ids.push_back(scene->add(Capsule{Vec3(0, 0, -s / 2), Vec3(0, 0, s / 2), s / 2}, turned()));
    }
    const auto rays = std::make_shared<std::vector<Ray>>();
    const auto spheres = std::make_shared<std::vector<Sphere>>();
    for (int i = 0; i < 2000; ++i) {
      const Vec3 from = .9 * random.direction() + Vec3(.5, .5, .5), way = somewhere() - from;
      rays->push_back({from, way / std::sqrt(way.x * way.x + way.y * way.y + way.z * way.z)});
      spheres->push_back({somewhere(), size});
    }
    const auto some = std::make_shared<std::vector<std::pair<MemberId, Pose>>>();
    for (std::size_t i = 0; i < n; i += std::max<std::size_t>(1, n / 1000)) some->emplace_back(ids[i], turned());
    const Work works[] = {each("scene: ray", rays, [=](const Ray& r) { return scene->raycast(r, {.t_max = 2.5}).has_value(); }),
                          each("scene: sphere, all overlaps", spheres, [=](const Sphere& b) { return !scene->overlapping(b).empty(); }),
                          each("scene: sweep of a sphere", rays,
                               [=](const Ray& r) {
                                 return scene->sweep(Sphere{r.origin, size / 2}, r.direction).has_value();
                               }),
                          each("scene: move of a body", some, [=](const auto& m) {
                            scene->move(m.first, m.second);
                            return true;
                          })};
    for (const Work& w : works) out.push_back({"size", w.what, static_cast<double>(n), 1e9 * time_of(thread_seconds, w.run) / static_cast<double>(w.items)});
  }
  std::fprintf(stderr, "\n");
}

/// Hulls of points near a sphere, in pairs: apart (distance, yes or no) and overlapping (penetration).
void by_corners(std::size_t largest, std::vector<Figure>& out) {
  for (std::size_t n = 8; n <= largest; n *= 4) {
    std::fprintf(stderr, "\r%zu corners      ", n);
    Random random(n);
    const auto points = [&](const Vec3& by) {
      std::vector<Vec3> p;
      for (std::size_t k = 0; k < n; ++k) p.push_back(random.direction() * (.4 + .1 * random.uniform(0, 1)) + by);
      return p;
    };
    const auto hull = [&](const Vec3& by) { return Hull(points(by)); };
    const auto some = std::make_shared<const std::vector<Vec3>>(points(Vec3(0, 0, 0)));
    const auto apart = std::make_shared<std::vector<std::pair<Hull, Hull>>>(), over = std::make_shared<std::vector<std::pair<Hull, Hull>>>();
    for (int i = 0; i < 50; ++i) {
      const Vec3 way = random.direction();
      apart->emplace_back(hull(Vec3(0, 0, 0)), hull(random.uniform(1.01, 1.5) * way));
      over->emplace_back(hull(Vec3(0, 0, 0)), hull(random.uniform(.3, .8) * way));
    }
    const Work works[] = {each("hulls: yes or no", apart, [](const auto& p) { return intersects(p.first, p.second); }),
                          each("hulls: distance", apart, [](const auto& p) { return closest(p.first, p.second).distance > 0; }),
                          each("hulls: penetration", over, [](const auto& p) { return penetration(p.first, p.second).value.has_value(); }),
                          {"hull of points, per point", n, [some] { return Hull(*some).corners().size(); }}};
    for (const Work& w : works) out.push_back({"size", w.what, static_cast<double>(n), 1e9 * time_of(thread_seconds, w.run) / static_cast<double>(w.items)});
  }
  std::fprintf(stderr, "\n");
}

/// Rolling terrains, square, as height fields: created, created and asked once, then rays, balls and sweeps down to the ground.
void by_cells(std::size_t largest, std::vector<Figure>& out) {
  for (std::size_t side = 32; side * side <= largest; side *= 2) {
    std::fprintf(stderr, "\r%zu cells      ", side * side);
    Random random(side);
    const std::size_t columns = side + 1;
    const auto heights = std::make_shared<std::vector<double>>();
    for (std::size_t k = 0; k < columns * columns; ++k)
      heights->push_back(3 * std::sin(.11 * static_cast<double>(k % columns)) * std::cos(.07 * static_cast<double>(k / columns)) + random.uniform(-.2, .2));
    const auto create = [=] { return HeightField(Vec3(0, 0, 0), 1, 1, columns, *heights); };
    const auto n = static_cast<double>(side * side);
    const auto rays = std::make_shared<std::vector<Ray>>();
    for (int i = 0; i < 20000; ++i) {
      const Vec3 at(random.uniform(0, static_cast<double>(side)), random.uniform(0, static_cast<double>(side)), 8);
      rays->push_back({at, Vec3(random.uniform(-1, 1), random.uniform(-1, 1), -1)});
    }
    const auto field = std::make_shared<const HeightField>(create());
    const Work works[] = {{"terrain: created, per cell", side * side, [=] { return create().columns(); }},
                          {"terrain: created and asked once", 1, [=] { return std::size_t{raycast(rays->front(), create()).has_value()} + 1; }},
                          {"terrain: all triangles, per cell", side * side, [=] { return create().mesh().size(); }},
                          each("terrain: ray", rays, [=](const Ray& r) { return raycast(r, *field).has_value(); }),
                          each("terrain: ball", rays,
                               [=](const Ray& r) {
                                 return intersects(Sphere{r.origin - Vec3(0, 0, 8), .5}, *field);
                               }),
                          each("terrain: sweep of a ball", rays, [=](const Ray& r) {
                            return sweep(Sphere{r.origin, .5}, 12.0 * r.direction, *field).has_value();
                          })};
    for (const Work& w : works) out.push_back({"size", w.what, n, 1e9 * time_of(thread_seconds, w.run) / static_cast<double>(w.items)});
  }
  std::fprintf(stderr, "\n");
}

void by_threads(std::size_t triangles, std::vector<Figure>& out) {
  const auto data = torus(triangles);
  const Mesh mesh(*data);
  Random random(12);
  const auto rays = aimed_rays(*data, 400000, random);
  const auto points = query_points(*data, 100000, random);
  const auto deep = poses(mesh, 'c', 2, random), near_poses = poses(mesh, 'n', 20, random);
  const MovingBoxes boxes = moving_boxes("uniform", triangles, 2 * repetitions + 1);
  std::vector<std::optional<Hit>> hit(rays.size());
  std::vector<Closest> near(points.size());
  BroadPhase broad;
  broad.assign(boxes.frames[0]);
  std::size_t frame = 0;
  const std::vector<Work> works = {{"build", 1, [&] { return Mesh(VertexView(data->vertices), data->triangles).size(); }},
                                   {"build fast", 1, [&] { return Mesh(VertexView(data->vertices), data->triangles, Build::fast).size(); }},
                                   {"batch of rays", 1,
                                    [&] {
                                      raycast(RaySpan{rays, 2.5}, mesh, hit);
                                      return hit.size();
                                    }},
                                   {"batch of points", 1,
                                    [&] {
                                      closest(points, mesh, near);
                                      return near.size();
                                    }},
                                   {"all pairs", 1,
                                    [&] {
                                      std::size_t n = 0;
                                      for (const Pose& p : deep) n += intersecting_triangles(mesh, at(mesh, p)).size();
                                      return n;
                                    }},
                                   {"self-intersections", 1, [&] { return self_intersections(mesh).size() + 1; }},
                                   {"one distance of two meshes", 1,
                                    [&] {
                                      std::size_t n = 0;
                                      for (const Pose& p : near_poses) n += closest(mesh, at(mesh, p)).distance > 0;
                                      return n;
                                    }},
                                   {"broad phase", 1, [&] {
                                      broad.move_all(boxes.frames[++frame]);
                                      return broad.pairs().size();
                                    }}};
  for (const Work& w : works) {
    std::fprintf(stderr, "\rone thread and two: %s          ", w.what.c_str());
    for (const int threads : {1, 2}) {
      graze::set_threads(threads);
      out.push_back({"threads", w.what, static_cast<double>(threads), time_of(wall_seconds, w.run)});
    }
  }
  graze::set_threads(1);
  std::fprintf(stderr, "\n");
}

/// works[variant][query]: the variants of a query are interleaved; x is the variant's number.
void take_turns(const char* kind, const std::vector<std::vector<Work>>& works, std::vector<Figure>& out) {
  for (std::size_t k = 0; k < works[0].size(); ++k) {
    std::vector<std::vector<double>> times(works.size());
    for (int i = 0; i < repetitions; ++i)
      for (std::size_t variant = 0; variant < works.size(); ++variant) {
        const double start = thread_seconds();
        answers += works[variant][k].run();
        times[variant].push_back(thread_seconds() - start);
      }
    for (std::size_t variant = 0; variant < works.size(); ++variant)
      out.push_back({kind, works[variant][k].what, static_cast<double>(variant), 1e9 * median(times[variant]) / static_cast<double>(works[variant][k].items)});
  }
}

void by_place(const std::shared_ptr<const MeshData>& data, std::vector<Figure>& out) {
  const auto moved = [&](double scale, const Vec3& by) {
    auto m = std::make_shared<MeshData>(*data);
    for (Vec3& v : m->vertices) v = v * scale + by;
    return m;
  };
  Random random(13);
  const auto rays = aimed_rays(*data, 20000, random);
  const auto points = query_points(*data, 5000, random);
  const auto places = poses(Mesh(*data), 'r', 200, random);
  const struct {
    double scale;
    Vec3 by;
  } where[] = {{1, Vec3(0, 0, 0)}, {1, Vec3(1e6, -1e6, 1e6)}, {1e-30, Vec3(0, 0, 0)}};
  std::vector<std::vector<Work>> works;
  for (const auto& w : where) {
    const auto mesh = std::make_shared<const Mesh>(*moved(w.scale, w.by));
    auto r = std::make_shared<std::vector<Ray>>(rays);
    for (Ray& x : *r) x = {x.origin * w.scale + w.by, x.direction};
    auto p = std::make_shared<std::vector<Vec3>>(points);
    for (Vec3& x : *p) x = x * w.scale + w.by;
    auto poses_there = std::make_shared<std::vector<Pose>>();
    for (const Pose& x : places) {  // rotated about the model's own position
      Pose turn = x;
      turn.translation = x.translation * w.scale + w.by - x.rotate(w.by);
      poses_there->push_back(turn);
    }
    works.push_back({{"ray, first hit", r->size(), [=] { return hits(*r, *mesh, 2.5 * w.scale); }},
                     {"closest point", p->size(), [=] { return nearest(*p, *mesh); }},
                     {"mesh against mesh, yes or no", poses_there->size(),
                      [=] {
                        std::size_t n = 0;
                        for (const Pose& pose : *poses_there) n += intersects(*mesh, at(*mesh, pose));
                        return n;
                      }},
                     {"sphere against mesh", p->size(), [=] {
                        std::size_t n = 0;
                        for (const Vec3& c : *p) n += intersects(Sphere{c, .05 * w.scale}, *mesh);
                        return n;
                      }}});
  }
  take_turns("place", works, out);
}

/// The same queries on trees built the best way and the fast way.
void by_tree(const std::shared_ptr<const MeshData>& data, std::vector<Figure>& out) {
  std::vector<std::vector<Work>> works;
  for (const Build how : {Build::best, Build::fast}) {
    works.push_back(queries(data, 20000, how));
    works.back().pop_back();  // finding all pairs takes most of its time elsewhere
  }
  take_turns("tree", works, out);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  using namespace bench;
  std::string json_path;
  std::size_t largest = 4096000;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--json=", 7) == 0) {
      json_path = argv[i] + 7;
    } else if (std::strncmp(argv[i], "--largest=", 10) == 0) {
      largest = std::strtoull(argv[i] + 10, nullptr, 10);
    } else if (std::strncmp(argv[i], "--repetitions=", 14) == 0) {
      repetitions = std::max(1, std::atoi(argv[i] + 14));
    } else {
      std::fprintf(stderr, "usage: curves_bench [--json=FILE] [--largest=N] [--repetitions=N]\n");
      return 2;
    }
  }
  std::vector<Figure> figures;
  by_size(largest, figures);
  by_bodies(std::min<std::size_t>(largest, 1024000), figures);
  by_corners(std::min<std::size_t>(largest, 8192), figures);
  by_cells(std::min<std::size_t>(largest, 1 << 20), figures);
  by_threads(std::min<std::size_t>(largest, 1000000), figures);
  by_place(torus(std::min<std::size_t>(largest, 70000)), figures);
  by_tree(torus(std::min<std::size_t>(largest, 70000)), figures);
  for (const Figure& f : figures) std::printf("%-8s %-32s %12.0f %12.6g\n", f.kind.c_str(), f.what.c_str(), f.x, f.value);
  if (!json_path.empty()) {
    std::ofstream json(json_path);
    for (std::size_t i = 0; i < figures.size(); ++i)
      json << (i ? ",\n " : "[\n ") << "{\"kind\": \"" << figures[i].kind << "\", \"what\": \"" << figures[i].what << "\", \"x\": " << figures[i].x
           << ", \"value\": " << figures[i].value << "}";
    json << "\n]\n";
    if (!json.flush()) return 4;
  }
  return answers == 0 ? 4 : 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "curves_bench: %s\n", e.what());
  return 3;
}
