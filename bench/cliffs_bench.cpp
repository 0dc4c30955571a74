// A map of time: every query of pairs, points and rays, over kinds of shapes x gap or depth x size, place and cache. bench/cliffs_report.py draws the maps and
// lists the cliffs. A cell is the mean and the worst of N pairs: nanoseconds of CPU time of the thread for one call.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <graze/error.hpp>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/mesh_inputs.hpp"
#include "bench/program.hpp"

namespace bench {
namespace {

std::size_t answers = 0;  // prevents the compiler from removing the work
std::size_t pairs_a_cell = 16, largest_mesh = 300000;
std::string only_panel;  // a part of the panel's name
std::optional<double> only_gap;

// ---- what is asked -----------------------------------------------------------------------------------------------------------------------

/// Two shapes at a gap (below 0: a depth) along `normal`, which points from b to a; `size` is that of the smaller one.
struct Case {
  Placed a, b;
  Vec3 normal, point;  ///< a point of a's surface nearest to b
  double size;
};

struct Query {
  const char* name;
  bool single;  ///< asks b alone, by a point or a ray at a's place
  std::size_t (*ask)(const Case&);
};

const Query kQueries[] = {
    {"intersects", false, [](const Case& c) -> std::size_t { return intersects(c.a, c.b); }},
    {"within", false, [](const Case& c) -> std::size_t { return within(c.a, c.b, .02 * c.size); }},
    {"closest", false, [](const Case& c) -> std::size_t { return closest(c.a, c.b).distance > 0; }},
    {"penetration", false, [](const Case& c) -> std::size_t { return penetration(c.a, c.b).value.has_value(); }},
    {"contacts", false, [](const Case& c) { return contacts(c.a, c.b).size(); }},
    {"manifold", false, [](const Case& c) { return manifold(c.a, c.b).size(); }},
    {"relation", false, [](const Case& c) { return static_cast<std::size_t>(relation(c.a, c.b)); }},
    {"sweep", false, [](const Case& c) -> std::size_t { return sweep(c.a, -2 * c.size * c.normal, c.b).has_value(); }},
    {"contains", true, [](const Case& c) -> std::size_t { return contains(c.b, c.point); }},
    {"signed distance", true, [](const Case& c) -> std::size_t { return signed_distance(c.point, c.b) > 0; }},
    {"closest point", true, [](const Case& c) -> std::size_t { return closest(Point{c.point}, c.b).distance > 0; }},
    {"ray along the surface", true,
     [](const Case& c) -> std::size_t {
       const Vec3 n = c.normal, along = std::fabs(n.x) < .7 ? Vec3(0, -n.z, n.y) : Vec3(n.y, -n.x, 0);
       return raycast(Ray{c.point - 3 * c.size * along, along}, c.b).has_value();
     }},
    {"ray at the surface", true,
     [](const Case& c) -> std::size_t {
       return raycast(Ray{c.point + 2 * c.size * c.normal, -c.normal}, c.b).has_value();
     }},
};

// ---- shapes ------------------------------------------------------------------------------------------------------------------------------

const char* const kConvex[] = {"ball", "capsule", "box", "hull", "triangle", "cylinder", "cone", "truncated cone", "ellipsoid"};
const std::pair<const char*, std::size_t> kMeshes[] = {{"mesh 300", 300}, {"mesh 3k", 3000}, {"mesh 30k", 30000}, {"mesh 300k", 300000}};

/// A closed mesh of about this many triangles, kept, so that every pair asks the same one.
const Mesh& mesh_of(std::size_t triangles, double size) {
  static std::map<std::pair<std::size_t, double>, Mesh> kept;
  const auto key = std::pair(triangles, size);
  const auto found = kept.find(key);
  if (found != kept.end()) return found->second;
  MeshData data = sphere_of(triangles);
  for (Vec3& v : data.vertices) v = v * size;
  return kept.emplace(key, Mesh(data)).first->second;
}

/// A shape of that kind about the origin, whose half diagonal is about `size`.
AnyShape shape_of(const std::string& kind, double size, Random& random) {
  const double s = size * random.uniform(.8, 1);
  if (kind == "ball") return Sphere{{0, 0, 0}, s};
  if (kind == "capsule") return Capsule{{-.6 * s, 0, 0}, {.6 * s, 0, 0}, .4 * s};
  if (kind == "box") return Box{{-.7 * s, -.5 * s, -.4 * s}, {.7 * s, .5 * s, .4 * s}};
  if (kind == "triangle") return Triangle{{Vec3(-.8 * s, -.4 * s, 0), Vec3(.8 * s, -.4 * s, .1 * s), Vec3(.1 * s, .9 * s, 0)}};
  if (kind == "cylinder") return Cylinder{{-.7 * s, 0, 0}, {.7 * s, 0, 0}, .5 * s};
  if (kind == "cone") return Cone{{-.6 * s, 0, 0}, {.8 * s, 0, 0}, .5 * s};
  if (kind == "truncated cone") return TruncatedCone{{-.6 * s, 0, 0}, {.6 * s, 0, 0}, .6 * s, .3 * s};
  if (kind == "ellipsoid") return Ellipsoid{{0, 0, 0}, {s, .6 * s, .4 * s}};
  if (kind == "compound") {
    const Pose up = Pose::quarter_turn(Axis::x, 0, {0, .5 * s, 0}), down = Pose::quarter_turn(Axis::x, 0, {0, -.4 * s, 0});
    return Compound({{shape_of("box", .7 * s, random), up}, {shape_of("capsule", .6 * s, random), down}, {shape_of("hull", .4 * s, random), Pose{}}});
  }
  for (const auto& [name, triangles] : kMeshes)
    if (kind == name) return mesh_of(triangles, size);
  std::vector<Vec3> points;
  for (int i = 0; i < 24; ++i) points.push_back(s * random.direction());
  return Hull(points);
}

Pose random_pose(Random& random, const Vec3& at) {
  const Vec3 v = random.direction();
  const double w = random.uniform(-1, 1);
  return Pose::from_quaternion(w, v.x, v.y, v.z, at);
}

// ---- cells -------------------------------------------------------------------------------------------------------------------------------

const double kGaps[] = {3, .3, .03, 1e-3, 1e-6, 1e-9, 1e-12, 0, -1e-12, -1e-9, -1e-6, -1e-3, -.03, -.3};

struct Panel {
  const char* name;
  double size_of_b;  ///< that of a is 1
  Vec3 place;
  bool cold;  ///< the caches hold other data before each call
};
const Panel kPanels[] = {{"of one size", 1, {0, 0, 0}, false},
                         {"b 100 times larger", 100, {0, 0, 0}, false},
                         {"b 10,000 times smaller", 1e-4, {0, 0, 0}, false},
                         {"1e6 from the origin", 1, {1e6, -1e6, 1e6}, false},
                         {"cold caches", 1, {0, 0, 0}, true}};

struct Cell {
  std::string query, row, panel;
  double gap, mean, worst;
};

/// Pairs of two kinds that just touch, to be moved to each gap. Each has shapes of its own.
struct Touching {
  std::vector<AnyShape> a, b;
  std::vector<Pose> pose_a, pose_b;
  std::vector<Vec3> normal, point;
};

Touching touching(const std::string& kind_a, const std::string& kind_b, const Panel& panel) {
  Touching out;
  std::uint64_t seed = 0;
  for (const char c : kind_a + "," + kind_b + "," + panel.name) seed = 31 * seed + static_cast<unsigned char>(c);
  Random random(seed);
  const double apart = 1.1 * (1 + panel.size_of_b);
  while (out.a.size() < pairs_a_cell) {
    AnyShape a = shape_of(kind_a, 1, random), b = shape_of(kind_b, panel.size_of_b, random);
    const Vec3 d = random.direction(), aim = .3 * std::min(1., panel.size_of_b) * random.direction();
    const Pose pose_b = random_pose(random, panel.place);
    Pose pose_a = random_pose(random, panel.place + apart * d + aim);
    const Placed mover = at(a, pose_a), target = at(b, pose_b);
    const auto hit = sweep(mover, -1.5 * apart * d, target);
    if (!hit || !hit->normal || hit->started_inside) continue;
    pose_a.translation = pose_a.translation - hit->t * 1.5 * apart * d;
    out.a.push_back(std::move(a));
    out.b.push_back(std::move(b));
    out.pose_a.push_back(pose_a);
    out.pose_b.push_back(pose_b);
    out.normal.push_back(*hit->normal);
    out.point.push_back(hit->point);
  }
  return out;
}

/// Reads so much memory that the second cache holds nothing else.
void cool() {
  static std::vector<std::uint64_t> other(1 << 19, 1);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < other.size(); i += 8) sum += other[i]++;
  answers += sum & 1;
}

/// What reading the clock costs: ns, which single calls with cold caches would count.
double clock_cost() {
  double least = 1e30;
  for (int i = 0; i < 1000; ++i) {
    const double start = thread_seconds();
    least = std::min(least, 1e9 * (thread_seconds() - start));
  }
  return least;
}

/// The time of one call, the least of a few: ns. Calls are repeated so that the clock does not count.
double time_of(const Query& query, const Case& c, bool cold) {
  static const double clock = clock_cost();
  double least = 1e30;
  std::size_t calls = 1;
  for (int round = 0; round < (cold ? 5 : 7); ++round) {
    if (cold) cool();
    const double start = thread_seconds();
    for (std::size_t i = 0; i < calls; ++i) answers += query.ask(c);
    const double took = std::max(1., 1e9 * (thread_seconds() - start) - clock);
    least = std::min(least, took / static_cast<double>(calls));
    if (took > 3e6 && round >= 1) break;
    if (!cold && took < 1e4) calls = std::min<std::size_t>(1000, static_cast<std::size_t>(1.5e4 / std::max(10., took / static_cast<double>(calls))) + 1);
  }
  return least;
}

/// The cells of one row in one panel. A pair that the query refuses leaves its row out.
void measure(const Query& query, const std::string& row, const Touching& pairs, const Panel& panel, std::vector<Cell>& out) {
  const double size = std::min(1., panel.size_of_b);
  for (const double gap : kGaps) {
    if (only_gap && gap != *only_gap) continue;
    Cell cell{query.name, row, panel.name, gap, 0, 0};
    std::size_t asked = 0;
    for (std::size_t i = 0; i < pairs.a.size() && (asked < 3 || cell.mean < 1e8); ++i, ++asked) {
      const Vec3 by = gap * size * pairs.normal[i];
      Pose moved = pairs.pose_a[i];
      moved.translation = moved.translation + by;
      const Case c{at(pairs.a[i], moved), at(pairs.b[i], pairs.pose_b[i]), pairs.normal[i], pairs.point[i] + by, size};
      const double ns = time_of(query, c, panel.cold);
      cell.mean += ns;
      cell.worst = std::max(cell.worst, ns);
    }
    cell.mean /= static_cast<double>(asked);
    out.push_back(cell);
  }
}

struct Row {
  std::string a, b;
};

std::vector<Row> rows_of(const Query& query) {
  std::vector<Row> rows;
  if (query.single) {
    for (const char* b : kConvex) rows.push_back({"", b});
    rows.push_back({"", "compound"});
    for (const auto& [name, triangles] : kMeshes)
      if (triangles <= largest_mesh) rows.push_back({"", name});
    return rows;
  }
  for (std::size_t i = 0; i < std::size(kConvex); ++i)
    for (std::size_t j = i; j < std::size(kConvex); ++j) rows.push_back({kConvex[i], kConvex[j]});
  for (const char* a : kConvex) rows.push_back({a, "compound"});
  rows.push_back({"compound", "compound"});
  for (const char* a : kConvex)
    for (const auto& [name, triangles] : kMeshes)
      if (triangles <= largest_mesh) rows.push_back({a, name});
  for (const auto& [name, triangles] : kMeshes)
    if (triangles <= largest_mesh) rows.push_back({"compound", name});
  for (const auto& [name, triangles] : kMeshes)
    if (triangles <= std::min<std::size_t>(largest_mesh, 30000)) rows.push_back({name, name});
  for (const auto& [name, triangles] : kMeshes)
    if (triangles > kMeshes[0].second && triangles <= largest_mesh) rows.push_back({kMeshes[0].first, name});
  return rows;
}

void map_of(const Query& query, const std::string& only, std::vector<Cell>& out) {
  for (const Row& row : rows_of(query)) {
    const std::string name = row.a.empty() ? row.b : row.a + ", " + row.b;
    if (name.find(only) == std::string::npos) continue;
    for (const Panel& panel : kPanels) {
      if (std::string(panel.name).find(only_panel) == std::string::npos) continue;
      const Touching pairs = touching(row.a.empty() ? "ball" : row.a, row.b, panel);
      try {
        measure(query, name, pairs, panel, out);
      } catch (const Error&) {
        break;  // the query is not defined for these kinds
      }
    }
    std::fprintf(stderr, "%s: %s\n", query.name, name.c_str());
  }
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  using namespace bench;
  std::string json_path, wanted, only;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--json=", 7) == 0) {
      json_path = argv[i] + 7;
    } else if (std::strncmp(argv[i], "--query=", 8) == 0) {
      wanted = argv[i] + 8;
    } else if (std::strncmp(argv[i], "--rows=", 7) == 0) {
      only = argv[i] + 7;
    } else if (std::strncmp(argv[i], "--panel=", 8) == 0) {
      only_panel = argv[i] + 8;
    } else if (std::strncmp(argv[i], "--gap=", 6) == 0) {
      only_gap = std::strtod(argv[i] + 6, nullptr);
    } else if (!number(argv[i], "--pairs=", pairs_a_cell) && !number(argv[i], "--largest=", largest_mesh)) {
      std::fprintf(stderr, "usage: cliffs_bench [--query=NAME] [--rows=TEXT] [--panel=TEXT] [--gap=N] [--json=FILE] [--pairs=N] [--largest=N]\n");
      return 2;
    }
  }
  std::vector<Cell> cells;
  for (const Query& q : kQueries)
    if (wanted.empty() || wanted == q.name) map_of(q, only, cells);
  if (json_path.empty())
    for (const Cell& c : cells) std::printf("%-22s %-28s %-24s %9.1g %10.0f %10.0f\n", c.query.c_str(), c.row.c_str(), c.panel.c_str(), c.gap, c.mean, c.worst);
  if (!json_path.empty()) {
    std::ofstream json(json_path);
    for (std::size_t i = 0; i < cells.size(); ++i)
      json << (i ? ",\n " : "[\n ") << "{\"query\": \"" << cells[i].query << "\", \"row\": \"" << cells[i].row << "\", \"panel\": \"" << cells[i].panel
           << "\", \"gap\": " << cells[i].gap << ", \"mean\": " << std::llround(cells[i].mean) << ", \"worst\": " << std::llround(cells[i].worst) << "}";
    json << "\n]\n";
    if (!json.flush()) return 4;
  }
  return answers == 0 || cells.empty() ? 4 : 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "cliffs_bench: %s\n", e.what());
  return 3;
}
