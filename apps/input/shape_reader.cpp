// Reads shapes from JSON: one generic reader for shapes with fields(), and one reader for each handle type.
#include "input/shape_reader.hpp"
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>
#include "input/json.hpp"

namespace graze::cli {

namespace {

void read_numbers(const JsonValue& json, double* out, std::size_t count) {
  json.expect(JsonType::array);
  std::size_t n = 0;
  json.each_plain([&](const JsonValue& e, std::size_t i) {
    if (i < count) {
      if (!e.is(JsonType::number) || !parse_number(e.raw())) (void)e.at_place(json.element_place(i)).number();  // throws with the place
      out[i] = *parse_number(e.raw());
    }
    ++n;
  });
  if (n != count) fail(json.place(), "has " + std::to_string(n) + " numbers, must have " + std::to_string(count));
}

/// The same without a place, and so without building strings: returns false when anything is wrong.
bool try_numbers(const JsonValue& json, double* out, std::size_t count) {
  if (!json.is(JsonType::array)) return false;
  std::size_t n = 0;
  bool good = true;
  json.each_plain([&](const JsonValue& e, std::size_t i) {
    const std::optional<double> v = i < count && e.is(JsonType::number) ? parse_number(e.raw()) : std::nullopt;
    if (v)
      out[i] = *v;
    else
      good = false;
    ++n;
  });
  return good && n == count;
}

void read_points(const JsonValue& json, Vec3* out, std::size_t count) {
  json.expect(JsonType::array);
  std::size_t n = 0;
  json.each_plain([&](const JsonValue& e, std::size_t i) {
    if (i < count) {
      double v[3];
      if (!try_numbers(e, v, 3)) read_numbers(e.at_place(json.element_place(i)), v, 3);
      out[i] = Vec3(v[0], v[1], v[2]);
    }
    ++n;
  });
  if (n != count) fail(json.place(), "has " + std::to_string(n) + " points, must have " + std::to_string(count));
}

std::vector<Vec3> read_points(const JsonValue& json) {
  std::vector<Vec3> points(json.size());
  read_points(json, points.data(), points.size());
  return points;
}

// ---- fields by their type; their role determines what is valid ------------------------------------------------------------------------

void require_extent(double v, const std::string& place) {
  if (!(v >= 0)) fail(place, "is " + text(v) + ", must be >= 0");
}

void read_field(const JsonValue& json, double& out, Role role) {
  out = json.number();
  if (role == Role::extent) require_extent(out, json.place());
}

void read_field(const JsonValue& json, Vec3& out, Role role) {
  out = role == Role::direction ? read_direction(json) : read_vector(json);
  if (role == Role::extent)
    for (int i = 0; i < 3; ++i) require_extent(out[i], json.element_place(static_cast<std::size_t>(i)));
}

template <std::size_t N>
void read_field(const JsonValue& json, std::array<Vec3, N>& out, Role) {
  read_points(json, out.data(), N);
}

template <class S>
concept HasFields = requires {
  S::fields();
};

template <HasFields S>
S read_plain(const JsonValue& json) {
  S shape;
  std::apply(
      [&](const auto&... f) {
        json.only_fields({"type", "pose", f.name...});
        (read_field(json.field(f.name), shape.*(f.member), f.role), ...);
      },
      S::fields());
  at_place(json.place(), [&] { validate(shape); });
  return shape;
}

// ---- handle types ---------------------------------------------------------------------------------------------------------------------

template <class S>
struct Handle;

template <class S>
S read_from_points(const JsonValue& json, std::size_t exactly = 0) {
  json.only_fields({"type", "pose", "points"});
  const JsonValue field = json.field("points");
  std::vector<Vec3> points;
  if (exactly > 0) {
    points.resize(exactly);
    read_points(field, points.data(), exactly);
  } else {
    points = read_points(field);
  }
  return at_place(field.place(), [&] { return S(std::span<const Vec3>(points)); });
}

template <>
struct Handle<Hull> {
  static Hull read(const JsonValue& json, ModelCache&) { return read_from_points<Hull>(json); }
};
template <>
struct Handle<Frustum> {
  static Frustum read(const JsonValue& json, ModelCache&) { return read_from_points<Frustum>(json, 8); }
};
/// The model with a number for each triangle. The cached model has none, so the mesh is built anew.
Mesh with_user(const Mesh& mesh, const JsonValue& json) {
  MeshData data;
  json.each([&](const JsonValue& number) {
    const std::uint64_t n = number.integer();
    if (n > 0xFFFFFFFFu) fail(number.place(), "is " + std::to_string(n) + ", must be below 2^32");
    data.user.push_back(static_cast<std::uint32_t>(n));
  });
  if (data.user.size() != mesh.size())
    fail(json.place(), "has " + std::to_string(data.user.size()) + " elements, must have one for each of " + std::to_string(mesh.size()) + " triangles");
  data.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
  data.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  data.parts.assign(mesh.parts().begin(), mesh.parts().end());
  return Mesh(std::move(data));
}

/// The mesh of a file, or that of the vertices and triangles given.
Mesh read_mesh(const JsonValue& json, ModelCache& models) {
  if (const std::optional<JsonValue> path = json.optional_field("path")) {
    if (json.optional_field("vertices") || json.optional_field("triangles")) fail(json.place(), "has a path and vertices or triangles, must have either");
    return at_place(path->place(), [&] { return models.mesh(path->string()); });
  }
  if (!json.optional_field("vertices")) fail(json.place(), "has no path and no vertices, must have a path, or vertices and triangles");
  MeshData data;
  data.vertices = read_points(json.field("vertices"));
  json.field("triangles").each([&](const JsonValue& corners) {
    corners.expect(JsonType::array);
    TriangleIndices t{};
    std::size_t n = 0;
    corners.each([&](const JsonValue& corner) {
      const std::uint64_t v = corner.integer();
      if (v >= data.vertices.size())
        fail(corner.place(), "is " + std::to_string(v) + ", must be below " + std::to_string(data.vertices.size()) + ", the number of vertices");
      if (n < 3) t[n] = static_cast<std::uint32_t>(v);
      ++n;
    });
    if (n != 3) fail(corners.place(), "has " + std::to_string(n) + " elements, must have 3");
    data.triangles.push_back(t);
  });
  return at_place(json.place(), [&] { return Mesh(std::move(data)); });
}

template <>
struct Handle<Mesh> {
  static Mesh read(const JsonValue& json, ModelCache& models) {
    json.only_fields({"type", "pose", "path", "vertices", "triangles", "user"});
    const Mesh mesh = read_mesh(json, models);
    const std::optional<JsonValue> user = json.optional_field("user");
    return user ? with_user(mesh, *user) : mesh;
  }
};
template <>
struct Handle<Solid> {
  static Solid read(const JsonValue& json, ModelCache& models) {
    json.only_fields({"type", "pose", "path", "vertices", "triangles"});
    if (const std::optional<JsonValue> path = json.optional_field("path"); path && !json.optional_field("vertices") && !json.optional_field("triangles"))
      return at_place(path->place(), [&] { return models.solid(path->string()); });
    const Mesh mesh = read_mesh(json, models);
    return at_place(json.place(), [&] { return Solid(mesh); });
  }
};
template <>
struct Handle<HeightField> {
  static HeightField read(const JsonValue& json, ModelCache&) {
    json.only_fields({"type", "pose", "origin", "spacing", "heights"});
    const Vec3 origin = read_vector(json.field("origin"));
    double spacing[2];
    read_numbers(json.field("spacing"), spacing, 2);
    const JsonValue rows = json.field("heights");
    rows.expect(JsonType::array);
    std::vector<double> heights;
    std::size_t columns = 0;
    rows.each_plain([&](const JsonValue& plain_row, std::size_t j) {
      const JsonValue row = plain_row.at_place(rows.element_place(j));
      std::size_t n = 0;
      row.each_plain([&](const JsonValue& e, std::size_t i) {
        if (e.is(JsonType::null)) {
          heights.push_back(std::numeric_limits<double>::quiet_NaN());
        } else {
          const std::optional<double> h = e.is(JsonType::number) ? parse_number(e.raw()) : std::nullopt;
          if (!h && !e.is(JsonType::number)) fail(row.element_place(i), std::string("is ") + article_name(e.type()) + ", must be a number, or null for a hole");
          heights.push_back(h ? *h : e.at_place(row.element_place(i)).number());
        }
        ++n;
      });
      if (j == 0) columns = n;
      if (n != columns) fail(row.place(), "has " + std::to_string(n) + " heights, the first row has " + std::to_string(columns));
    });
    return at_place(json.place(), [&] { return HeightField(origin, spacing[0], spacing[1], columns, heights); });
  }
};
template <>
struct Handle<Compound> {
  static Compound read(const JsonValue& json, ModelCache& models) {
    json.only_fields({"type", "pose", "children"});
    std::vector<Compound::Child> children;
    const JsonValue list = json.field("children");
    list.each([&](const JsonValue& e) {
      PlacedShape child = read_shape(e, models);
      if (child.get<Compound>()) fail(e.place(), "is a compound in a compound; put its children here instead");
      children.push_back({std::move(child.shape), child.pose ? *child.pose : Pose{}});
    });
    return at_place(list.place(), [&] { return Compound(std::move(children)); });
  }
};

/// A Polygon, or the mesh of the triangles of a concave outline.
AnyShape read_polygon(const JsonValue& json) {
  json.only_fields({"type", "pose", "points"});
  const JsonValue field = json.field("points");
  const std::vector<Vec3> points = read_points(field);
  return at_place(field.place(), [&] {
    try {
      return AnyShape(Polygon(std::span<const Vec3>(points)));
    } catch (const Error&) {
      if (points.size() < 3) throw;
      return AnyShape(Mesh(VertexView(points), triangulate(points)));  // refuses what is no simple polygon, naming the edges
    }
  });
}

template <Shape S>
AnyShape read_one(const JsonValue& json, ModelCache& models) {
  if constexpr (std::is_same_v<S, Polygon>)
    return read_polygon(json);
  else if constexpr (HasFields<S>)
    return AnyShape(read_plain<S>(json));
  else
    return AnyShape(Handle<S>::read(json, models));
}

template <class... S>
std::optional<AnyShape> read_named(TypeList<S...>, const std::string& name, const JsonValue& json, ModelCache& models) {
  std::optional<AnyShape> result;
  (void)((name == S::type_name ? (result.emplace(read_one<S>(json, models)), true) : false) || ...);
  return result;
}

template <class... S>
std::string all_names(TypeList<S...>) {
  std::string names;
  ((names += (names.empty() ? "" : ", ") + std::string(S::type_name)), ...);
  return names + ", tetrahedron";
}

}  // namespace

Vec3 read_vector(const JsonValue& json) {
  double v[3];
  read_numbers(json, v, 3);
  return Vec3(v[0], v[1], v[2]);
}

Vec3 read_direction(const JsonValue& json) {
  const Vec3 v = read_vector(json);
  if (v.x == 0 && v.y == 0 && v.z == 0) fail(json.place(), "is [0,0,0], must not be zero");
  return v;
}

Pose read_pose(const JsonValue& json) {
  json.only_fields({"rotation", "matrix", "translation"});
  const std::optional<JsonValue> rotation = json.optional_field("rotation"), matrix = json.optional_field("matrix"), move = json.optional_field("translation");
  if (rotation && matrix) fail(json.place(), "has rotation and matrix, must have one of them");
  const Vec3 t = move ? read_vector(*move) : Vec3(0, 0, 0);
  if (rotation) {
    double q[4];
    read_numbers(*rotation, q, 4);
    return at_place(rotation->place(), [&] { return Pose::from_quaternion(q[0], q[1], q[2], q[3], t); });
  }
  if (matrix) {
    std::array<double, 9> m;
    read_numbers(*matrix, m.data(), 9);
    return at_place(matrix->place(), [&] { return Pose::from_matrix(m, t); });
  }
  return translation(t);
}

void put_at(PlacedShape& shape, const Pose& pose, const std::string& place) {
  shape.pose = pose;
  at_place(place, [&] { shape.visit([](ShapeRef s) { validate(s); }); });
}

/// The optional field "pose" of a shape.
static void read_placement(const JsonValue& json, PlacedShape& shape) {
  const std::optional<JsonValue> pose = json.optional_field("pose");
  if (!pose) return;
  put_at(shape, read_pose(*pose), pose->place());
}

PlacedShape read_shape(const JsonValue& json, ModelCache& models) {
  json.expect(JsonType::object);
  const JsonValue type = json.field("type");
  const std::string name = type.string();
  std::optional<AnyShape> shape;
  if (name == "tetrahedron")
    shape.emplace(read_from_points<Hull>(json, 4));
  else
    shape = read_named(Shapes{}, name, json, models);
  if (!shape) fail(type.place(), "is \"" + name.substr(0, 80) + "\", must be one of " + all_names(Shapes{}));
  PlacedShape result{std::move(*shape), {}};
  read_placement(json, result);
  return result;
}

RayQuery read_ray(const JsonValue& json, ModelCache&) {
  json.expect(JsonType::object);
  const std::optional<JsonValue> type = json.optional_field("type");
  const std::string name = type ? type->string() : "ray";
  std::optional<AnyShape> shape;
  const auto read = [&]<class S>(S s) {
    std::apply(
        [&](const auto&... f) {
          json.only_fields({"type", "pose", "t_min", "t_max", f.name...});
          (read_field(json.field(f.name), s.*(f.member), f.role), ...);
        },
        S::fields());
    at_place(json.place(), [&] { validate(s); });
    shape.emplace(s);
  };
  if (name == Ray::type_name)
    read(Ray{});
  else if (name == Segment::type_name)
    read(Segment{});
  else if (name == Line::type_name)
    read(Line{});
  else
    fail(type->place(), "is \"" + name.substr(0, 80) + "\", must be ray, segment or line");
  RayQuery result{{std::move(*shape), {}}, {}, {}};
  read_placement(json, result.shape);
  const auto limit = [&](const char* name) -> std::optional<double> {
    const std::optional<JsonValue> t = json.optional_field(name);
    return t && !t->is(JsonType::null) ? std::optional(t->number()) : std::nullopt;
  };
  result.t_min = limit("t_min");
  result.t_max = limit("t_max");
  return result;
}

/// Numbers between commas.
static std::vector<double> read_numbers_argument(const std::string& text, const std::string& name) {
  std::vector<double> numbers;
  for (std::size_t at = 0;;) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    std::string_view part = std::string_view(text).substr(at, comma - at);
    while (!part.empty() && (part.front() == ' ' || part.front() == '\t')) part.remove_prefix(1);
    while (!part.empty() && (part.back() == ' ' || part.back() == '\t')) part.remove_suffix(1);
    const std::optional<double> value = parse_number(part);
    if (!value) fail(name, "number " + std::to_string(numbers.size() + 1) + " is \"" + std::string(part.substr(0, 40)) + "\", must be a finite number");
    numbers.push_back(*value);
    if (comma == text.size()) break;
    at = comma + 1;
  }
  return numbers;
}

bool parse_argument(const std::string& text, const std::string& name, JsonDocument& document) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '{') return false;
  try {
    document.parse(text);
  } catch (const BadInput& e) {
    fail(name, e.what());
  }
  return true;
}

Pose read_pose_argument(const std::string& text, const std::string& name) {
  if (JsonDocument document; parse_argument(text, name, document)) return read_pose(document.root().at_place(name));
  const std::vector<double> numbers = read_numbers_argument(text, name);
  if (numbers.size() == 3) return translation(Vec3(numbers[0], numbers[1], numbers[2]));
  if (numbers.size() != 7) fail(name, "has " + std::to_string(numbers.size()) + " numbers, must have 3 (tx,ty,tz) or 7 (w,x,y,z,tx,ty,tz)");
  return at_place(name, [&] { return Pose::from_quaternion(numbers[0], numbers[1], numbers[2], numbers[3], Vec3(numbers[4], numbers[5], numbers[6])); });
}

Vec3 read_vector_argument(const std::string& text, const std::string& name) {
  const std::vector<double> numbers = read_numbers_argument(text, name);
  if (numbers.size() != 3) fail(name, "has " + std::to_string(numbers.size()) + " numbers, must have 3 (x,y,z)");
  return Vec3(numbers[0], numbers[1], numbers[2]);
}

}  // namespace graze::cli
