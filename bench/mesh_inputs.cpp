// Models, rays, points and placements for the mesh benchmark.
#include "bench/mesh_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <graze/io.hpp>
#include <map>
#include <numbers>
#include <utility>

namespace bench {
namespace {

/// Not inlined: GCC 12 drops both conversions where it vectorises two calls, and the peers would get other coordinates than Graze.
[[gnu::noinline]] double to_float(double x) { return static_cast<double>(static_cast<float>(x)); }
Vec3 to_float(const Vec3& v) { return {to_float(v.x), to_float(v.y), to_float(v.z)}; }
Vec3 cross(const Vec3& a, const Vec3& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
double length(const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

Box bounds(const MeshData& mesh) {
  Box box{mesh.vertices[0], mesh.vertices[0]};
  for (const Vec3& v : mesh.vertices) {
    for (int i = 0; i < 3; ++i) {
      box.min[i] = std::min(box.min[i], v[i]);
      box.max[i] = std::max(box.max[i], v[i]);
    }
  }
  return box;
}

/// A grid of rows x columns closed in both directions; `place(u, v)` for u, v in [0, 1).
template <class Place>
MeshData closed_grid(std::uint32_t rows, std::uint32_t columns, const Place& place) {
  MeshData mesh;
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t j = 0; j < columns; ++j) mesh.vertices.push_back(place(static_cast<double>(i) / rows, static_cast<double>(j) / columns));
  for (std::uint32_t i = 0; i < rows; ++i) {
    for (std::uint32_t j = 0; j < columns; ++j) {
      const std::uint32_t a = i * columns + j, b = i * columns + (j + 1) % columns, c = (i + 1) % rows * columns + j,
                          d = (i + 1) % rows * columns + (j + 1) % columns;
      mesh.triangles.push_back({a, c, d});
      mesh.triangles.push_back({a, d, b});
    }
  }
  return mesh;
}

MeshData wavy_torus(std::uint32_t rows, std::uint32_t columns) {
  constexpr double turn = 2 * std::numbers::pi;
  return closed_grid(rows, columns, [](double u, double v) {
    const double r = .7 + .25 * std::cos(turn * v) * (1 + .1 * std::sin(9 * turn * u));
    return Vec3(r * std::cos(turn * u), r * std::sin(turn * u), .3 * std::sin(turn * v));
  });
}

MeshData generated(const std::string& name) {
  if (name == "torus") return wavy_torus(256, 136);
  MeshData mesh;
  if (name == "cube") {
    for (int i = 0; i < 8; ++i) mesh.vertices.emplace_back(i & 1, i >> 1 & 1, i >> 2);
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
  }
  // a sphere: an octahedron, subdivided and blown up
  mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  Random random(1);
  for (int i = 0; i < (name == "ball" ? 3 : 6); ++i) {
    mesh = subdivide(mesh, random);
    for (Vec3& v : mesh.vertices) v = v / length(v);
  }
  return mesh;
}

MeshData fitted(MeshData mesh) {
  const Box box = bounds(mesh);
  const Vec3 center = box.center();
  const double scale = 2 / length(box.max - box.min);
  for (Vec3& v : mesh.vertices) v = to_float((v - center) * scale);
  return mesh;
}

Pose random_rotation(Random& random, const Vec3& translation) {
  return Pose::from_quaternion(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(.1, 1), translation);
}

}  // namespace

MeshData model(const std::string& path_or_name) {
  for (const char* const name : {"torus", "sphere", "ball", "cube"})
    if (path_or_name == name) return fitted(generated(path_or_name));
  return fitted(load_model(path_or_name).data);
}

MeshData torus_of(std::size_t triangles) {
  const auto columns = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(triangles) / 4));
  return fitted(wavy_torus(static_cast<std::uint32_t>(triangles / (2 * columns)), columns));
}

MeshData sphere_of(std::size_t triangles) {
  constexpr double pi = std::numbers::pi;
  const auto rows = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(triangles) / 4)), columns = 2 * rows;
  MeshData mesh;
  const auto place = [&](double u, double v) {  // u: from pole to pole, v: around, both in [0, 1]
    const double r = 1 + .08 * std::sin(5 * pi * u) * std::cos(6 * pi * v);
    return Vec3(r * std::sin(pi * u) * std::cos(2 * pi * v), .8 * r * std::sin(pi * u) * std::sin(2 * pi * v), .7 * r * std::cos(pi * u));
  };
  mesh.vertices = {place(0, 0), place(1, 0)};
  const auto at = [&](std::uint32_t i, std::uint32_t j) { return i == 0 ? 0 : i == rows ? 1 : 2 + (i - 1) * columns + j % columns; };
  for (std::uint32_t i = 1; i < rows; ++i)
    for (std::uint32_t j = 0; j < columns; ++j) mesh.vertices.push_back(place(static_cast<double>(i) / rows, static_cast<double>(j) / columns));
  for (std::uint32_t i = 0; i < rows; ++i) {
    for (std::uint32_t j = 0; j < columns; ++j) {
      if (i + 1 < rows) mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      if (i > 0) mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return fitted(std::move(mesh));
}

MeshData walls_of(std::size_t triangles) {
  const auto n = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(triangles) / 5.6));  // 2 triangles on top, 3.6 of walls
  Random random(7);
  std::vector<int> heights;
  for (std::uint32_t i = 0; i < n * n; ++i) heights.push_back(random.integer(0, 9));
  MeshData mesh;
  const auto square = [&](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const auto at = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {a, b, c, d});
    mesh.triangles.push_back({at, at + 1, at + 2});
    mesh.triangles.push_back({at, at + 2, at + 3});
  };
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const double x = i, y = j, z = heights[j * n + i];
      square({x, y, z}, {x + 1, y, z}, {x + 1, y + 1, z}, {x, y + 1, z});
      if (i + 1 < n && heights[j * n + i + 1] != heights[j * n + i]) {
        const double other = heights[j * n + i + 1];
        square({x + 1, y, other}, {x + 1, y + 1, other}, {x + 1, y + 1, z}, {x + 1, y, z});
      }
      if (j + 1 < n && heights[(j + 1) * n + i] != heights[j * n + i]) {
        const double other = heights[(j + 1) * n + i];
        square({x + 1, y + 1, other}, {x, y + 1, other}, {x, y + 1, z}, {x + 1, y + 1, z});
      }
    }
  }
  return fitted(std::move(mesh));
}

MeshData subdivide(const MeshData& mesh, Random& random) {
  MeshData out;
  out.vertices = mesh.vertices;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
  for (const TriangleIndices& t : mesh.triangles) {
    Vec3 normal = cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]);
    const double n = length(normal);
    if (n > 0) normal = normal / n;
    std::uint32_t m[3];
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i], b = t[(i + 1) % 3];
      const auto [at, fresh] = middles.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<std::uint32_t>(out.vertices.size()));
      if (fresh)
        out.vertices.push_back(
            to_float((mesh.vertices[a] + mesh.vertices[b]) * .5 + normal * (random.uniform(-.05, .05) * length(mesh.vertices[b] - mesh.vertices[a]))));
      m[i] = at->second;
    }
    out.triangles.insert(out.triangles.end(), {{t[0], m[0], m[2]}, {m[0], t[1], m[1]}, {m[2], m[1], t[2]}, {m[0], m[1], m[2]}});
  }
  return out;
}

std::vector<Ray> aimed_rays(const MeshData& mesh, std::size_t count, Random& random) {
  const Box box = bounds(mesh);
  std::vector<Ray> rays;
  while (rays.size() < count) {
    const Vec3 origin = to_float(random.direction());
    Vec3 target;
    for (int i = 0; i < 3; ++i) target[i] = random.uniform(box.min[i], box.max[i]);
    const Vec3 d = target - origin;
    rays.push_back({origin, to_float(d / length(d))});
  }
  return rays;
}

std::vector<Ray> edge_rays(const MeshData& mesh, std::size_t count, Random& random) {
  const auto vertex = [&] { return static_cast<std::size_t>(random.bits() % mesh.triangles.size()); };
  std::vector<Ray> rays;
  while (rays.size() < count) {
    const TriangleIndices& t = mesh.triangles[vertex()];
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]];
    const std::size_t kind = rays.size() % 3;
    if (kind == 2) {
      const int axis = random.integer(0, 2);
      Ray ray{a, {0, 0, 0}};
      ray.origin[axis] = -1.25;
      ray.direction[axis] = 1;
      rays.push_back(ray);
    } else {
      const Vec3 origin = to_float(random.direction()), d = (kind == 0 ? a : (a + b) * .5) - origin;
      rays.push_back({origin, to_float(d / length(d))});
    }
  }
  return rays;
}

std::vector<Vec3> query_points(const MeshData& mesh, std::size_t count, Random& random) {
  const Box box = bounds(mesh);
  std::vector<Vec3> points;
  while (points.size() < count) {
    Vec3 p;
    if (random.coin()) {
      for (int i = 0; i < 3; ++i) p[i] = 1.25 * random.uniform(box.min[i], box.max[i]);
    } else {
      const TriangleIndices& t = mesh.triangles[random.bits() % mesh.triangles.size()];
      double u = random.uniform(0, 1), v = random.uniform(0, 1);
      if (u + v > 1) u = 1 - u, v = 1 - v;
      p = mesh.vertices[t[0]] + (mesh.vertices[t[1]] - mesh.vertices[t[0]]) * u + (mesh.vertices[t[2]] - mesh.vertices[t[0]]) * v +
          random.direction() * random.uniform(0, .05);
    }
    points.push_back(to_float(p));
  }
  return points;
}

std::vector<Ray> particles(const MeshData& mesh, std::size_t count, Random& random) {
  std::vector<Ray> rays;
  for (const Vec3& p : query_points(mesh, count, random)) rays.push_back({p, to_float(random.direction())});
  return rays;
}

std::vector<Pose> poses(const Mesh& mesh, char how, std::size_t count, Random& random) {
  std::vector<Pose> out;
  while (out.size() < count) {
    const Vec3 direction = random.direction();
    Pose pose = random_rotation(random, {0, 0, 0});
    if (how == 'r') {
      pose.translation = random.in_cube(.8);
    } else if (how == 'c') {
      pose.translation = direction * random.uniform(.1, .4);
    } else if (how == 'd') {
      const int axis = random.integer(0, 2);
      if (random.coin()) {
        pose = Pose::quarter_turn(static_cast<Axis>(axis), random.integer(0, 2));
      } else {
        pose = Pose{};
        pose.translation[axis] = to_float(random.uniform(0, .3));
      }
    } else {  // moves B from afar towards A until they touch; bisects between the last separate and the first touching position
      const double step = .05;
      double apart = 2.1;
      const auto meets = [&](double at_distance) {
        pose.translation = direction * at_distance;
        return intersects(mesh, at(mesh, pose));
      };
      while (apart > 0 && !meets(apart - step)) apart -= step;
      if (apart <= 0) continue;
      double touching = apart - step;
      for (int i = 0; i < 45; ++i) {
        const double middle = .5 * (touching + apart);
        (meets(middle) ? touching : apart) = middle;
      }
      pose.translation = direction * (touching + (how == 'b' ? -.001 : how == 'n' ? .001 : how == 'x' ? -1e-5 : 1e-5));
    }
    out.push_back(pose);
  }
  return out;
}

}  // namespace bench
