// The cost of exactness, and how often each tier of arithmetic (filter, pairs of doubles, fixed width, unlimited) decides: one predicate (orient3d) and the
// decisions of whole pairs, on plain, touching and hostile input. Prints a table; --json=FILE writes the same figures. Times are thread CPU time, medians of
// interleaved repetitions.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <graze/explain.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bench/pair_inputs.hpp"
#include "bench/program.hpp"
#include "exact/predicates.hpp"

namespace bench {
namespace {

struct Workload {
  std::string what, input;
  std::size_t count;
  std::function<std::size_t()> run;  ///< runs all of them once
  std::vector<double> times;         ///< seconds
  TierCounts tiers{};
};

using Four = std::array<Vec3, 4>;

Workload orient3d_on(const std::string& input, std::size_t count, const std::function<Four(Random&)>& make, bool plain_doubles = false) {
  Random random(7);
  std::vector<Four> points;
  for (std::size_t i = 0; i < count; ++i) points.push_back(make(random));
  if (plain_doubles) {
    return {"orient3d in plain doubles",
            input,
            count,
            [points] {
              std::size_t positive = 0;
              for (const Four& p : points) {
                const Vec3 b = p[1] - p[0], c = p[2] - p[0], d = p[3] - p[0];
                positive += (b.y * c.z - b.z * c.y) * d.x + (b.z * c.x - b.x * c.z) * d.y + (b.x * c.y - b.y * c.x) * d.z > 0;
              }
              return positive;
            },
            {}};
  }
  return {"orient3d",
          input,
          count,
          [points] {
            std::size_t positive = 0;
            for (const Four& p : points) positive += orient3d(p[0], p[1], p[2], p[3]) > 0;
            return positive;
          },
          {}};
}

template <class Make>
Workload pairs_on(const std::string& what, const std::string& input, std::size_t count, const Make& make) {
  const auto pairs = collect(count, 11, make);
  return {what,
          input,
          count,
          [pairs] {
            std::size_t hits = 0;
            for (std::size_t i = 0; i < pairs.a.size(); ++i) hits += intersects(pairs.a[i], pairs.b[i]);
            return hits;
          },
          {}};
}

Four plain_points(Random& random) { return {random.in_cube(1), random.in_cube(1), random.in_cube(1), random.in_cube(1)}; }
Four touching_points(Random& random) {  // four points of one face of a model on a grid: always coplanar
  const int axis = random.integer(0, 2);
  const double height = random.integer(-100, 100) / 16.0;
  Four points;
  for (Vec3& p : points) {
    for (int i = 0; i < 3; ++i) p[i] = random.integer(-100, 100) / 16.0;
    p[axis] = p[(axis + 1) % 3] + height;  // slanted, so that no coordinate difference is 0
  }
  return points;
}
Four hostile_points(Random& random) {  // the fourth is a rounded combination of the others, far from the origin
  Four p = plain_points(random);
  for (int i = 0; i < 3; ++i) p[static_cast<std::size_t>(i)] += Vec3(1000, -700, 300);
  p[3] = p[0] + (p[1] - p[0]) * random.uniform(-1, 1) + (p[2] - p[0]) * random.uniform(-1, 1);
  return p;
}
Four spread_points(Random& random) {  // exponents that exceed the fixed-width window
  Four p = touching_points(random);
  for (Vec3& v : p) v.x = v.y * 0x1p-600;
  return p;
}

template <class A, class B>
auto two(A (*first)(Random&), B (*second)(Random&)) {
  return [first, second](Random& random) {
    const A a = first(random);
    return std::pair<A, B>(a, second(random));
  };
}

void print(const Workload& w, std::ofstream* json, bool first) {
  std::vector<double> times = w.times;
  std::sort(times.begin(), times.end());
  const double n = static_cast<double>(w.count), ns = 1e9 * times[times.size() / 2] / n;
  const double filter = static_cast<double>(w.tiers.filter), pairs = static_cast<double>(w.tiers.pairs), fixed = static_cast<double>(w.tiers.fixed),
               big = static_cast<double>(w.tiers.big), decisions = filter + pairs + fixed + big, all = std::max(1.0, decisions);
  if (decisions == 0) {
    std::printf("%-26s %-9s %9.1f %10s %10s %10s %10s %10s\n", w.what.c_str(), w.input.c_str(), ns, "", "", "", "", "");
  } else {
    std::printf("%-26s %-9s %9.1f %10.2f %9.3f%% %9.3f%% %9.3f%% %9.3f%%\n", w.what.c_str(), w.input.c_str(), ns, decisions / n, 100 * filter / all,
                100 * pairs / all, 100 * fixed / all, 100 * big / all);
  }
  if (json != nullptr) {
    *json << (first ? "[\n" : ",\n") << "{\"what\": \"" << w.what << "\", \"input\": \"" << w.input << "\", \"ns\": " << ns
          << ", \"decisions\": " << decisions / n << ", \"filter\": " << filter / all << ", \"pairs\": " << pairs / all << ", \"fixed\": " << fixed / all
          << ", \"big\": " << big / all << "}";
  }
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  std::string json_path;
  std::size_t count = 50000;
  int repetitions = 15;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--json=", 7) == 0) {
      json_path = argv[i] + 7;
    } else if (std::strncmp(argv[i], "--count=", 8) == 0) {
      count = std::strtoull(argv[i] + 8, nullptr, 10);
    } else if (std::strncmp(argv[i], "--repetitions=", 14) == 0) {
      repetitions = std::max(1, std::atoi(argv[i] + 14));
    } else {
      std::fprintf(stderr, "usage: tiers_bench [--json=FILE] [--count=N] [--repetitions=N]\n");
      return 2;
    }
  }
  graze::set_threads(1);
  std::vector<Workload> workloads;
  workloads.push_back(orient3d_on("plain", count, plain_points, true));
  workloads.push_back(orient3d_on("plain", count, plain_points));
  workloads.push_back(orient3d_on("touching", count, touching_points));
  workloads.push_back(orient3d_on("hostile", count, hostile_points));
  workloads.push_back(orient3d_on("spread", count / 10, spread_points));
  workloads.push_back(pairs_on("sphere-sphere", "plain", count, two(random_sphere, random_sphere)));
  workloads.push_back(pairs_on("sphere-sphere", "touching", count, touching_spheres));
  workloads.push_back(pairs_on("sphere-sphere", "hostile", count, hostile_spheres));
  workloads.push_back(pairs_on("triangle-triangle", "plain", count, two(random_triangle, random_triangle)));
  workloads.push_back(pairs_on("triangle-triangle", "touching", count, touching_triangles));
  workloads.push_back(pairs_on("triangle-triangle", "hostile", count, hostile_triangles));
  workloads.push_back(pairs_on("box-box", "plain", count, two(random_oriented_box, random_oriented_box)));
  workloads.push_back(pairs_on("box-box", "touching", count / 5, touching_boxes));
  workloads.push_back(pairs_on("box-box", "hostile", count / 5, hostile_boxes));
  workloads.push_back(pairs_on("box-capsule", "plain", count, two(random_oriented_box, random_capsule)));

  std::size_t answers = 0;
  for (Workload& w : workloads) {
    graze::reset_tier_counts();
    answers += w.run();
    w.tiers = graze::tier_counts();
  }
  for (int r = 0; r < repetitions; ++r) {
    for (Workload& w : workloads) {
      const double start = thread_seconds();
      answers += w.run();
      w.times.push_back(thread_seconds() - start);
    }
  }
  std::ofstream json;
  if (!json_path.empty()) json.open(json_path);
  std::printf("%-26s %-9s %9s %10s %10s %10s %10s %10s\n", "decision", "input", "ns", "signs", "filter", "pairs", "fixed", "any width");
  for (const Workload& w : workloads) print(w, json_path.empty() ? nullptr : &json, &w == &workloads.front());
  if (!json_path.empty()) json << "\n]\n";
  return answers == 0 || (!json_path.empty() && !json.flush()) ? 4 : 0;
}
