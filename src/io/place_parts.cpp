// Placing parts, splitting a model into parts, and joining parts to a model.
#include "io/place_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <graze/error.hpp>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/part_path.hpp"
#include "io/units.hpp"

namespace graze::io {
namespace {

constexpr double kSinglePrecision = 1e-6;  // how far entries of a rotation in single precision, or a product of some, may be from one in doubles

Vec3 times(const std::array<double, 9>& m, const Vec3& v) {
  return {(m[0] * v.x + m[1] * v.y) + m[2] * v.z, (m[3] * v.x + m[4] * v.y) + m[5] * v.z, (m[6] * v.x + m[7] * v.y) + m[8] * v.z};
}

bool mirrors(const std::array<double, 9>& m) {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]) < 0;
}

bool has_finite_numbers(const Transform& t) {
  return std::all_of(t.linear.begin(), t.linear.end(), [](double x) { return io::is_finite(x); }) && io::is_finite(t.translation.x) &&
         io::is_finite(t.translation.y) && io::is_finite(t.translation.z);
}

// A mesh as read, or with a transform applied to its vertices.
struct Variant {
  std::uint32_t mesh;
  std::optional<std::array<double, 9>> linear;
};

class Variants {
 public:
  explicit Variants(std::size_t meshes) : plain_(meshes) {}

  std::uint32_t number(std::uint32_t mesh, const std::optional<std::array<double, 9>>& linear) {
    if (!linear) {
      if (!plain_[mesh]) plain_[mesh] = append({mesh, {}});
      return *plain_[mesh];
    }
    const auto [at, fresh] = baked_.try_emplace({mesh, *linear}, 0);
    if (fresh) at->second = append({mesh, linear});
    return at->second;
  }
  const std::vector<Variant>& all() const { return all_; }

 private:
  std::uint32_t append(const Variant& v) {
    all_.push_back(v);
    return static_cast<std::uint32_t>(all_.size() - 1);
  }
  std::vector<std::optional<std::uint32_t>> plain_;
  std::map<std::pair<std::uint32_t, std::array<double, 9>>, std::uint32_t> baked_;
  std::vector<Variant> all_;
};

void bake(MeshData& data, Scale& scale, const std::optional<std::array<double, 9>>& linear) {
  if (!scale.is_one())
    for (Vec3& v : data.vertices) v = Vec3(scale(v.x), scale(v.y), scale(v.z));
  if (!linear) return;
  for (Vec3& v : data.vertices) v = times(*linear, v);
  if (mirrors(*linear))
    for (TriangleIndices& t : data.triangles) std::swap(t[1], t[2]);
}

/// Whether the linear part is near enough to a turn of quarters to be looked at exactly.
bool may_be_quarter_turn(const std::array<double, 9>& m) {
  for (std::size_t j = 0; j < 3; ++j) {
    const double a = std::fabs(m[j]), b = std::fabs(m[3 + j]), c = std::fabs(m[6 + j]), most = std::max({a, b, c});
    if (!((a + b + c) - most <= 0x1p-20 * most)) return false;
  }
  return true;
}

/// Whether a transform of the path is a quarter turn only up to rounding.
bool has_rounded_turn(const LinearPath& path) {
  for (const LinearPath* step = &path; step != nullptr; step = step->outer.get()) {
    LinearPath alone{step->numbers, step->is_quaternion, 1, nullptr};
    const std::optional<QuarterTurn> turn = quarter_turn_of(alone, false);
    if (turn && turn->angle > 0) return true;
  }
  return false;
}

/// The corners of a mesh's box, which a linear map moves at least as far as any of its vertices.
std::vector<Vec3> corners_of(const MeshData& mesh) {
  if (mesh.vertices.empty()) return {};
  Vec3 low = mesh.vertices[0], high = low;
  for (const Vec3& v : mesh.vertices) low = glm::min(low, v), high = glm::max(high, v);
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k) corners.push_back(Vec3((k & 1) != 0 ? high.x : low.x, (k & 2) != 0 ? high.y : low.y, (k & 4) != 0 ? high.z : low.z));
  return corners;
}

void make_quarter_turns(AssemblyData& data) {
  TurnNotes notes;
  std::map<std::uint32_t, std::vector<Vec3>> corners;  // by mesh
  std::map<const LinearPath*, bool> rounded;
  for (PartData& part : data.parts) {
    Transform& t = part.transform;
    if (!t.turns()) continue;
    const auto path = t.as_path();
    const std::optional<QuarterTurn> turn = may_be_quarter_turn(t.linear) ? quarter_turn_of(*path, false) : std::nullopt;
    if (!turn) {
      if (t.path && path->depth > 1) {
        const auto [known, fresh] = rounded.try_emplace(path.get(), false);
        if (fresh) known->second = has_rounded_turn(*path);
        if (known->second) notes.add_oblique();
      }
      continue;
    }
    if (turn->linear == t.linear) continue;
    const auto [of_mesh, fresh] = corners.try_emplace(part.mesh);
    if (fresh) of_mesh->second = corners_of(data.meshes[part.mesh]);
    notes.add(part.name, *turn);
    notes.add_moved(t.linear, *turn, of_mesh->second);
    t.linear = turn->linear;
    t.path = nullptr;
  }
  notes.write(data.notes);
}

}  // namespace

Transform transform_of(const Pose& pose) {
  Transform out;
  for (std::size_t i = 0; i < 9; ++i) out.linear[i] = pose.rotation[i / 3][i % 3];
  out.translation = pose.translation;
  return out;
}

std::optional<Pose> rotation_of(const Transform& t) {
  try {
    return Pose::nearest(t.linear, kSinglePrecision, t.translation);
  } catch (const Error&) {  // scale, shear, mirror
    return std::nullopt;
  }
}

Transform compose(const Transform& outer, const Transform& inner) {
  Transform out;
  for (std::size_t j = 0; j < 3; ++j) {
    const Vec3 column = times(outer.linear, Vec3(inner.linear[j], inner.linear[3 + j], inner.linear[6 + j]));
    for (std::size_t i = 0; i < 3; ++i) out.linear[3 * i + j] = column[static_cast<int>(i)];
  }
  const Vec3 t = times(outer.linear, inner.translation);
  out.translation = Vec3(t.x + outer.translation.x, t.y + outer.translation.y, t.z + outer.translation.z);
  if (outer.turns() && inner.turns()) {
    const auto own = inner.as_path();
    out.path = below(outer.as_path(), own->numbers, own->is_quaternion);
  } else {
    out.path = outer.turns() ? outer.path : inner.path;
  }
  return out;
}

PlacedParts place_parts(AssemblyData&& data, Scale& scale, const Pose& pose, bool literal, const Source& source) {
  if (!literal && !data.is_placed) make_quarter_turns(data);
  PlacedParts out;
  Variants variants(data.meshes.size());
  const Transform whole = transform_of(pose);
  UniquePaths paths;
  out.parts.reserve(data.parts.size());
  for (PartData& part : data.parts) {
    const Vec3 t = part.transform.translation;
    const Transform transform = compose(whole, {part.transform.linear, Vec3(scale(t.x), scale(t.y), scale(t.z)), nullptr});
    if (!has_finite_numbers(transform)) fail(source, "part " + quote(part.name) + ": its transform is beyond the largest double");
    const std::optional<Pose> rotation = rotation_of(transform);
    AssemblyPart placed;
    const PartPath path = paths.add(PartPath(part.id.empty() ? part.name : part.id));
    data.shortened += path.shortened() ? 1 : 0;
    placed.path = path.text();
    placed.name = std::move(part.name);
    placed.mesh = variants.number(part.mesh, rotation ? std::nullopt : std::optional(transform.linear));
    placed.pose = rotation ? *rotation : translation(transform.translation);
    out.parts.push_back(std::move(placed));
  }
  note_shortened_paths(data.shortened, data.notes);
  out.notes = std::move(data.notes);
  std::vector<std::uint32_t> uses(data.meshes.size(), 0);
  for (const Variant& v : variants.all()) ++uses[v.mesh];
  for (const Variant& v : variants.all()) {
    MeshData& mesh = data.meshes[v.mesh];
    out.meshes.push_back(--uses[v.mesh] == 0 ? std::move(mesh) : mesh);
    bake(out.meshes.back(), scale, v.linear);
  }
  return out;
}

AssemblyData split_parts(LoadedModel&& model, const Source& source) {
  AssemblyData out;
  out.format = std::move(model.format), out.unit = std::move(model.unit), out.up_axis = std::move(model.up_axis);
  out.single_precision = model.single_precision;
  out.notes = std::move(model.notes);
  MeshData& data = model.data;
  const std::string stem = stem_of(source.name);
  UniquePaths paths;
  const auto add = [&](const std::string& name, MeshData&& mesh) {
    if (mesh.triangles.empty()) return;
    const PartPath path = paths.add(PartPath(name));
    out.shortened += path.shortened() ? 1 : 0;
    out.parts.push_back({path.text(), "", static_cast<std::uint32_t>(out.meshes.size()), {}});
    out.meshes.push_back(std::move(mesh));
  };
  if (data.parts.empty()) {
    add(stem, std::move(data));
    return out;
  }
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> numbers(data.vertices.size(), kNone);  // of the part under construction
  const auto add_range = [&](const std::string& name, std::uint32_t first, std::uint32_t count) {
    MeshData mesh;
    std::vector<std::uint32_t> used;
    mesh.triangles.assign(data.triangles.begin() + first, data.triangles.begin() + first + count);
    for (TriangleIndices& t : mesh.triangles) {
      for (std::uint32_t& corner : t) {
        if (numbers[corner] == kNone) {
          numbers[corner] = static_cast<std::uint32_t>(used.size());
          used.push_back(corner);
          mesh.vertices.push_back(data.vertices[corner]);
        }
        corner = numbers[corner];
      }
    }
    for (const std::uint32_t v : used) numbers[v] = kNone;
    add(name, std::move(mesh));
  };
  std::uint32_t next = 0;
  for (const MeshPart& part : data.parts) {
    if (part.first > next) add_range(stem, next, part.first - next);
    add_range(part.name.empty() ? stem : part.name, part.first, part.count);
    next = part.first + part.count;
  }
  const auto all = static_cast<std::uint32_t>(data.triangles.size());
  if (next < all) add_range(stem, next, all - next);
  return out;
}

LoadedModel join_parts(AssemblyData&& data, const Source& source, const ReadingLimits& limits) {
  LoadedModel out;
  out.format = std::move(data.format), out.unit = std::move(data.unit), out.up_axis = std::move(data.up_axis);
  out.single_precision = data.single_precision;
  Scale scale = scale_between(out.unit, limits.unit);
  PlacedParts placed = place_parts(std::move(data), scale, {}, limits.literal, source);
  out.notes = std::move(placed.notes);
  note_scale(scale, out.unit, limits.unit, out.notes);
  if (!scale.is_one()) out.unit = limits.unit;
  std::size_t vertices = 0, triangles = 0;
  for (const AssemblyPart& part : placed.parts) vertices += placed.meshes[part.mesh].vertices.size(), triangles += placed.meshes[part.mesh].triangles.size();
  if (vertices > 0xFFFFFFFF || triangles > 0xFFFFFFFF || vertices * sizeof(Vec3) + triangles * sizeof(TriangleIndices) > limits.max_bytes) {
    fail(source, counted(placed.parts.size(), "part", "parts") + " with " + counted(triangles, "triangle", "triangles") + " are too many for one mesh",
         ErrorCode::too_large);
  }
  out.data.vertices.reserve(vertices);
  out.data.triangles.reserve(triangles);
  for (const AssemblyPart& part : placed.parts) {
    const MeshData& mesh = placed.meshes[part.mesh];
    const auto base = static_cast<std::uint32_t>(out.data.vertices.size()), first = static_cast<std::uint32_t>(out.data.triangles.size());
    for (const Vec3& v : mesh.vertices) out.data.vertices.push_back(part.pose.apply(v));
    for (const TriangleIndices& t : mesh.triangles) out.data.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
    out.data.parts.push_back({part.name, first, static_cast<std::uint32_t>(mesh.triangles.size())});
  }
  return out;
}

std::string stem_of(const std::string& path) {
  const std::size_t slash = path.find_last_of("/\\");
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

}  // namespace graze::io
