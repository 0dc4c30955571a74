// glTF 2.0: the container, meshes, and the nodes of the scene.
#include "io/gltf.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <graze/pose.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/gltf_buffers.hpp"
#include "io/part_path.hpp"
#include "json/json_text.hpp"

namespace graze::io {
namespace {

using json::JsonDocument;
using json::JsonText;
using json::JsonType;
using json::JsonValue;

constexpr std::uint32_t kMagic = 0x46546C67, kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;

// Extensions that do not change where a triangle is, by their names or how these begin.
constexpr std::string_view kHarmless[] = {"KHR_materials_",
                                          "KHR_texture_",
                                          "KHR_lights_",
                                          "KHR_xmp",
                                          "KHR_animation_",
                                          "KHR_technique",
                                          "KHR_blend",
                                          "KHR_audio",
                                          "KHR_interactivity",
                                          "KHR_physics_",
                                          "KHR_implicit_",
                                          "KHR_collision_",
                                          "KHR_node_hover",
                                          "KHR_node_select",
                                          "KHR_environment_",
                                          "KHR_image",
                                          "EXT_texture_",
                                          "EXT_lights_",
                                          "EXT_mesh_features",
                                          "EXT_instance_features",
                                          "EXT_structural_",
                                          "EXT_feature_",
                                          "EXT_mesh_manifold",
                                          "CESIUM_primitive_outline",
                                          "CESIUM_tile_edges",
                                          "MSFT_texture_",
                                          "MSFT_packing_",
                                          "MSFT_audio",
                                          "VRM",
                                          "OMI_",
                                          "GRIFFEL_",
                                          "NV_materials_",
                                          "ADOBE_materials_",
                                          "SHAPESPARK_",
                                          "FB_",
                                          "MAXAR_image_",
                                          "MAXAR_temporal_",
                                          "KHR_mesh_quantization",
                                          "EXT_mesh_gpu_instancing"};
// Extensions that may change where a triangle is, or whether it is there. The file is read without them, which is noted.
constexpr struct {
  std::string_view name, effect;
} kNotApplied[] = {{"CESIUM_RTC", "the model stands elsewhere"},
                   {"AGI_articulations", "its nodes may stand elsewhere"},
                   {"VRMC_node_constraint", "its nodes may stand elsewhere"},
                   {"VRMC_springBone", "its nodes may stand elsewhere"},
                   {"MSFT_lod", "other levels of detail are not read"},
                   {"MAXAR_mesh_variants", "other variants are not read"},
                   {"KHR_node_visibility", "hidden nodes are read"}};
// Extensions that hold triangles in another form. Of a primitive or view that has a plain form, too, that one is read.
constexpr std::string_view kCompressed[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"};

bool is_harmless(std::string_view name) {
  return std::any_of(std::begin(kHarmless), std::end(kHarmless), [&](std::string_view p) { return name.starts_with(p); });
}
bool is_compression(std::string_view name) { return std::find(std::begin(kCompressed), std::end(kCompressed), name) != std::end(kCompressed); }

struct Chunks {
  std::string_view json;
  std::span<const std::byte> binary;
  bool has_binary = false, unpadded = false;
};

// Where the next chunk begins: behind the padding to four bytes, unless only without it a chunk of binary data follows.
std::size_t next_chunk(const Source& source, std::size_t end, std::size_t length) {
  const std::size_t padded = std::min((end + 3) / 4 * 4, length);
  const auto begins = [&](std::size_t at) {
    if (length - at < 8) return false;
    ByteReader reader(source, at);
    const std::uint64_t bytes = reader.take<std::uint32_t>();
    return reader.take<std::uint32_t>() == kBinaryChunk && bytes <= length - at - 8;
  };
  return padded != end && begins(end) && !begins(padded) ? end : padded;
}

Chunks split(const Source& source) {
  if (!source.text().starts_with("glTF")) return {source.text(), {}, false};
  ByteReader reader(source, 0);
  reader.need(12, "the header of a GLB file");
  if (reader.take<std::uint32_t>() != kMagic) fail_at_byte(source, 0, "is not a GLB file");
  const auto version = reader.take<std::uint32_t>();
  if (version != 2) fail_at_byte(source, 4, "is version " + std::to_string(version) + " of GLB, expected 2");
  const auto length = reader.take<std::uint32_t>();
  if (length > source.bytes.size()) {
    fail_at_byte(source, 8, "declares " + counted(length, "byte", "bytes") + ", but the file has " + std::to_string(source.bytes.size()));
  }
  Chunks chunks;
  for (int number = 0; reader.offset() + 8 <= length; ++number) {
    const std::size_t at = reader.offset();
    const auto bytes = reader.take<std::uint32_t>(), type = reader.take<std::uint32_t>();
    if (bytes > length - reader.offset()) fail_at_byte(source, at, "a chunk of " + counted(bytes, "byte", "bytes") + " leaves the file");
    if (number == 0 && type != kJsonChunk) fail_at_byte(source, at + 4, "the first chunk is not of JSON");
    const auto content = source.bytes.subspan(reader.offset(), bytes);
    if (number == 0) chunks.json = {reinterpret_cast<const char*>(content.data()), content.size()};
    if (number == 1 && type == kBinaryChunk) chunks.binary = content, chunks.has_binary = true;
    const std::size_t end = reader.offset() + bytes, next = next_chunk(source, end, length);
    chunks.unpadded = chunks.unpadded || (next == end && end % 4 != 0 && end < length);
    reader.skip(next - reader.offset());
  }
  if (chunks.json.data() == nullptr) fail_at_byte(source, 12, "has no chunk of JSON");
  return chunks;
}

class GltfReader {
 public:
  GltfReader(const Source& source, const std::string* folder, std::size_t max_bytes) : source_(source) {
    const Chunks chunks = split(source);
    document_.parse(chunks.json, JsonText::file);
    const JsonValue root = document_.root();
    root.expect(JsonType::object);
    check_version(root);
    check_extensions(root);
    if (chunks.unpadded) out_.notes.push_back("a chunk is not padded to four bytes");
    // Meshes may share accessors, so the file's size alone does not limit the memory; no exporter comes near this factor.
    const std::size_t limit = std::min<std::size_t>(max_bytes, (std::size_t{1} << 28) + 64 * source.bytes.size());
    buffers_.emplace(source, root, chunks.binary, chunks.has_binary, folder, limit);
    collect(root, "meshes", meshes_);
    collect(root, "nodes", nodes_);
    count_uses();
    out_.format = source.text().starts_with("glTF") ? "glb" : "gltf";
    out_.unit = "metre";
    out_.up_axis = "y";
    out_.single_precision = true;
  }

  AssemblyData read() {
    traverse(document_.root());
    note_skipped();
    return std::move(out_);
  }

 private:
  struct Entry {
    std::size_t node;
    std::shared_ptr<const PartPath> parent;  // one for all children
    Transform outer;
  };

  [[noreturn]] void fail_at(const std::string& place, const std::string& what) const { fail(source_, place + ": " + what); }

  void check_version(const JsonValue& root) const {
    const JsonValue version = root.field("asset").field("version");
    const std::string text = version.string();
    if (!text.starts_with("2.")) fail_at(version.place(), "is " + quote(text) + ", expected 2.0");
  }

  void check_extensions(const JsonValue& root) {
    std::set<std::string> noted;
    const auto each = [&](const char* list, auto&& use) {
      if (const auto names = root.optional_field(list)) names->each([&](const JsonValue& name) { use(name, name.string()); });
    };
    const auto note = [&](const std::string& name) {
      const auto* const known = std::find_if(std::begin(kNotApplied), std::end(kNotApplied), [&](const auto& x) { return x.name == name; });
      if (known != std::end(kNotApplied) && noted.insert(name).second)
        out_.notes.push_back("the extension " + quote(name) + " is not applied: " + std::string(known->effect));
      return known != std::end(kNotApplied);
    };
    each("extensionsRequired", [&](const JsonValue& at, const std::string& name) {
      if (!note(name) && !is_harmless(name))
        fail_at(at.place(), "the file needs the extension " + quote(name) + ", which is not read; export it without compression or extensions of geometry");
    });
    each("extensionsUsed", [&](const JsonValue&, const std::string& name) {
      if (!note(name) && !is_harmless(name) && !is_compression(name) && noted.insert(name).second && noted.size() < kMostNoted)
        out_.notes.push_back("the extension " + quote(name) + " is not known, and not applied");
    });
  }

  static constexpr std::size_t kMostNoted = 20;  // extensions

  void collect(const JsonValue& root, const char* name, std::vector<JsonValue>& into) const {
    const auto list = root.optional_field(name);
    if (!list) return;
    into.reserve(list->size());
    list->each_plain([&](const JsonValue& value, std::size_t) { into.push_back(value); });
  }
  static std::string node_place(std::size_t i) { return "nodes[" + std::to_string(i) + "]"; }
  static std::string mesh_place(std::size_t i) { return "meshes[" + std::to_string(i) + "]"; }

  std::size_t index(const JsonValue& value, std::size_t count, const char* what) const {
    const std::uint64_t i = value.integer();
    if (i >= count) fail_at(value.place(), "is " + std::to_string(i) + ", but there are " + std::to_string(count) + " " + what);
    return static_cast<std::size_t>(i);
  }

  // ---- meshes ----

  template <class F>
  void each_primitive(std::size_t mesh, F&& f) const {
    meshes_[mesh].at_place(mesh_place(mesh)).field("primitives").each([&](const JsonValue& primitive) { f(primitive); });
  }

  // The positions of an accessor are kept until its last primitive has been read.
  void count_uses() {
    uses_.assign(buffers_->accessors(), 0);
    for (std::size_t m = 0; m < meshes_.size(); ++m) {
      each_primitive(m, [&](const JsonValue& primitive) {
        if (const auto position = primitive.field("attributes").optional_field("POSITION")) ++uses_[index(*position, uses_.size(), "accessors")];
      });
    }
  }

  // Returns the mesh's number in the output, or nothing if it has no triangles.
  std::optional<std::uint32_t> mesh_number(std::size_t mesh) {
    const auto known = numbers_.find(mesh);
    if (known != numbers_.end()) return known->second;
    MeshData data;
    each_primitive(mesh, [&](const JsonValue& primitive) { add_primitive(primitive, data); });
    std::optional<std::uint32_t> number;
    if (!data.triangles.empty()) {
      number = static_cast<std::uint32_t>(out_.meshes.size());
      out_.meshes.push_back(std::move(data));
    }
    numbers_.emplace(mesh, number);
    return number;
  }

  void add_primitive(const JsonValue& primitive, MeshData& data) {
    const auto mode_field = primitive.optional_field("mode");
    const std::uint64_t mode = mode_field ? mode_field->integer() : 4;
    if (mode > 6) fail_at(primitive.place() + ".mode", "is " + std::to_string(mode) + ", expected 0 to 6");
    const auto position = primitive.field("attributes").optional_field("POSITION");
    if (mode < 4 || !position) {
      ++skipped_primitives_;
      return;
    }
    if (const auto targets = primitive.optional_field("targets"); targets && targets->size() > 0) ++morphed_;
    const std::size_t accessor = index(*position, buffers_->accessors(), "accessors");
    check_compression(primitive, accessor);
    const std::vector<Vec3>& points = positions(accessor);
    if (!points.empty() && std::all_of(points.begin(), points.end(), [](const Vec3& p) { return p.x == 0 && p.y == 0 && p.z == 0; })) ++all_zero_;
    std::vector<std::uint32_t> corners;
    std::string place = primitive.place();
    if (const auto indices = primitive.optional_field("indices")) {
      const std::size_t i = index(*indices, buffers_->accessors(), "accessors");
      corners = buffers_->read_indices(i);
      place = buffers_->place(i);
      for (std::size_t k = 0; k < corners.size(); ++k) {
        if (corners[k] >= points.size()) {
          fail_at(place, "element " + std::to_string(k) + " is vertex " + std::to_string(corners[k]) + " of " + std::to_string(points.size()));
        }
      }
    } else {
      corners.resize(points.size());
      for (std::size_t k = 0; k < corners.size(); ++k) corners[k] = static_cast<std::uint32_t>(k);
    }
    if (mode == 4 && corners.size() % 3 != 0) fail_at(place, counted(corners.size(), "element", "elements") + " are no whole number of triangles");
    add_vertices(points, corners, data);
    add_triangles(corners, mode, data);
    if (--uses_[accessor] == 0) positions_.erase(accessor);
  }

  // A compressed primitive may have its data in plain form, too.
  void check_compression(const JsonValue& primitive, std::size_t position) {
    const auto extensions = primitive.optional_field("extensions");
    if (!extensions || !extensions->optional_field(std::string(kCompressed[0]).c_str())) return;
    const auto indices = primitive.optional_field("indices");
    const bool plain = buffers_->has_data(position) && (!indices || buffers_->has_data(index(*indices, buffers_->accessors(), "accessors")));
    if (!plain) fail_at(primitive.place(), "is compressed (" + std::string(kCompressed[0]) + ") and has no plain form; export it without compression");
    ++also_compressed_;
  }

  const std::vector<Vec3>& positions(std::size_t accessor) {
    const auto [at, fresh] = positions_.try_emplace(accessor);
    if (fresh) buffers_->read_points(accessor, at->second);
    return at->second;
  }

  // Appends the vertices and renumbers the corners. Exporters share one accessor among many meshes; then only the vertices in use are taken.
  void add_vertices(const std::vector<Vec3>& points, std::vector<std::uint32_t>& corners, MeshData& data) const {
    const auto first = static_cast<std::uint32_t>(data.vertices.size());
    if (data.vertices.size() + std::min(points.size(), corners.size()) > 0xFFFFFFFF)
      fail(source_, "a mesh has more vertices than 32-bit numbers", ErrorCode::too_large);
    if (points.size() <= 2 * corners.size()) {
      data.vertices.insert(data.vertices.end(), points.begin(), points.end());
      for (std::uint32_t& c : corners) c += first;
      return;
    }
    std::vector<std::uint32_t> used = corners;
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (const std::uint32_t v : used) data.vertices.push_back(points[v]);
    for (std::uint32_t& c : corners) c = first + static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), c) - used.begin());
  }

  static void add_triangles(const std::vector<std::uint32_t>& c, std::uint64_t mode, MeshData& data) {
    if (c.size() < 3) return;
    if (mode == 4) {
      for (std::size_t i = 0; i < c.size(); i += 3) data.triangles.push_back({c[i], c[i + 1], c[i + 2]});
    } else if (mode == 5) {  // every second triangle of a strip is turned over
      for (std::size_t i = 2; i < c.size(); ++i) data.triangles.push_back({c[i - 2], c[i % 2 == 0 ? i - 1 : i], c[i % 2 == 0 ? i : i - 1]});
    } else {
      for (std::size_t i = 2; i < c.size(); ++i) data.triangles.push_back({c[i - 1], c[i], c[0]});
    }
  }

  // ---- nodes ----

  void traverse(const JsonValue& root) {
    std::vector<std::size_t> roots = scene_roots(root);
    visited_.assign(nodes_.size(), false);
    std::vector<Entry> stack;
    const auto none = std::make_shared<const PartPath>();
    for (auto r = roots.rbegin(); r != roots.rend(); ++r) stack.push_back({*r, none, {}});
    while (!stack.empty()) {
      const Entry entry = std::move(stack.back());
      stack.pop_back();
      visit(entry, stack);
    }
    const auto unused = static_cast<std::size_t>(std::count(visited_.begin(), visited_.end(), false));
    if (unused > 0) out_.notes.push_back(counted(unused, "node is", "nodes are") + " not in the scene, not read");
  }

  std::vector<std::size_t> scene_roots(const JsonValue& root) const {
    std::vector<std::size_t> roots;
    const auto scenes = root.optional_field("scenes");
    if (scenes && scenes->size() > 0) {
      const auto chosen = root.optional_field("scene");
      const std::size_t scene = chosen ? index(*chosen, scenes->size(), "scenes") : 0;
      std::size_t i = 0;
      scenes->each([&](const JsonValue& value) {
        if (i++ != scene) return;
        if (const auto list = value.optional_field("nodes")) list->each([&](const JsonValue& n) { roots.push_back(index(n, nodes_.size(), "nodes")); });
      });
      return roots;
    }
    std::vector<bool> child(nodes_.size(), false);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (const auto list = nodes_[n].at_place(node_place(n)).optional_field("children"))
        list->each([&](const JsonValue& c) { child[index(c, nodes_.size(), "nodes")] = true; });
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      if (!child[n]) roots.push_back(n);
    return roots;
  }

  void visit(const Entry& entry, std::vector<Entry>& stack) {
    const std::string place = node_place(entry.node);
    if (visited_[entry.node]) fail_at(place, "has two parents, or is below itself");
    visited_[entry.node] = true;
    const JsonValue node = nodes_[entry.node].at_place(place);
    const PartPath path = paths_.add(entry.parent->below(name_of(node)));
    const Transform transform = compose(entry.outer, transform_of(node));
    if (const auto mesh = node.optional_field("mesh")) {
      if (node.optional_field("skin")) ++skinned_;
      if (const auto number = mesh_number(index(*mesh, meshes_.size(), "meshes"))) add_parts(node, path, *number, transform);
    }
    if (const auto children = node.optional_field("children")) {
      const std::size_t before = stack.size();
      const auto parent = std::make_shared<const PartPath>(path);
      children->each([&](const JsonValue& c) { stack.push_back({index(c, nodes_.size(), "nodes"), parent, transform}); });
      std::reverse(stack.begin() + static_cast<std::ptrdiff_t>(before), stack.end());
    }
  }

  std::string name_of(const JsonValue& node) const {
    if (const auto name = node.optional_field("name")) {
      std::string text = name->string();
      if (!text.empty()) return text;
    }
    if (const auto mesh = node.optional_field("mesh")) {
      const std::size_t m = index(*mesh, meshes_.size(), "meshes");
      if (const auto name = meshes_[m].at_place(mesh_place(m)).optional_field("name")) {
        std::string text = name->string();
        if (!text.empty()) return text;
      }
    }
    return "node";
  }

  void add_parts(const JsonValue& node, const PartPath& path, std::uint32_t mesh, const Transform& transform) {
    std::string id;
    if (const auto extras = node.optional_field("extras"); extras && extras->is(JsonType::object)) {
      if (const auto global = extras->optional_field("GlobalId"); global && global->is(JsonType::string)) id = global->string();
    }
    const auto extensions = node.optional_field("extensions");
    const auto instancing = extensions ? extensions->optional_field("EXT_mesh_gpu_instancing") : std::nullopt;
    if (!instancing) {
      add_part(path, id, mesh, transform);
      return;
    }
    const std::vector<Transform> instances = read_instances(instancing->field("attributes"));
    for (std::size_t i = 0; i < instances.size(); ++i) {
      const std::string number = "[" + std::to_string(i) + "]";
      PartPath instance = path;
      instance.append(number);
      add_part(paths_.add(instance), id.empty() ? id : id + number, mesh, compose(transform, instances[i]));
    }
  }

  void add_part(const PartPath& path, const std::string& id, std::uint32_t mesh, const Transform& transform) {
    out_.shortened += path.shortened() ? 1 : 0;
    out_.parts.push_back({path.text(), id, mesh, transform});
  }

  std::vector<Transform> read_instances(const JsonValue& attributes) {
    std::vector<Vec3> translations, scales;
    std::vector<std::array<double, 4>> rotations;
    std::optional<std::size_t> count;
    const auto accessor = [&](const char* name) -> std::optional<std::size_t> {
      const auto value = attributes.optional_field(name);
      if (!value) return std::nullopt;
      const std::size_t i = index(*value, buffers_->accessors(), "accessors");
      if (count && *count != buffers_->count(i))
        fail_at(value->place(), "has " + std::to_string(buffers_->count(i)) + " elements, another attribute " + std::to_string(*count));
      count = buffers_->count(i);
      return i;
    };
    if (const auto a = accessor("TRANSLATION")) buffers_->read_points(*a, translations);
    if (const auto a = accessor("ROTATION")) rotations = buffers_->read_vec4(*a);
    if (const auto a = accessor("SCALE")) buffers_->read_points(*a, scales);
    if (!count) fail_at(attributes.place(), "has none of TRANSLATION, ROTATION and SCALE");
    std::vector<Transform> out(*count);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (!rotations.empty() || !scales.empty())
        turn_and_scale(rotations.empty() ? kNoTurn : rotations[i], attributes.place() + ".ROTATION[" + std::to_string(i) + "]",
                       scales.empty() ? Vec3(1, 1, 1) : scales[i], out[i]);
      if (!translations.empty()) out[i].translation = translations[i];
    }
    return out;
  }

  // ---- transforms ----

  template <std::size_t N>
  std::array<double, N> numbers(const JsonValue& list) const {
    if (list.size() != N) fail_at(list.place(), "has " + counted(list.size(), "number", "numbers") + ", expected " + std::to_string(N));
    std::array<double, N> out{};
    list.each_plain([&](const JsonValue& value, std::size_t i) { out[i] = value.at_place(list.place()).number(); });
    return out;
  }

  static constexpr std::array<double, 4> kNoTurn{0, 0, 0, 1};

  void turn_and_scale(const std::array<double, 4>& q, const std::string& place, const Vec3& s, Transform& out) const {
    try {
      const Pose pose = Pose::from_quaternion(q[3], q[0], q[1], q[2]);
      for (std::size_t i = 0; i < 9; ++i) out.linear[i] = pose.rotation[i / 3][i % 3] * s[static_cast<int>(i % 3)];
    } catch (const Error& error) {
      fail_at(place, error.what());
    }
    if (out.turns()) out.path = below(nullptr, {q[0], q[1], q[2], q[3], s.x, s.y, s.z}, true);
  }

  Transform transform_of(const JsonValue& node) const {
    Transform out;
    if (const auto matrix = node.optional_field("matrix")) {  // columns first
      const std::array<double, 16> m = numbers<16>(*matrix);
      if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1) fail_at(matrix->place(), "has another last row than 0, 0, 0, 1");
      for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column) out.linear[3 * row + column] = m[4 * column + row];
      out.translation = Vec3(m[12], m[13], m[14]);
      return out;
    }
    const auto q = node.optional_field("rotation"), s = node.optional_field("scale");
    const std::array<double, 3> scales = s ? numbers<3>(*s) : std::array<double, 3>{1, 1, 1};
    if (q || s) turn_and_scale(q ? numbers<4>(*q) : kNoTurn, q ? q->place() : "", Vec3(scales[0], scales[1], scales[2]), out);
    if (const auto t = node.optional_field("translation")) {
      const auto v = numbers<3>(*t);
      out.translation = Vec3(v[0], v[1], v[2]);
    }
    return out;
  }

  void note_skipped() {
    if (skipped_primitives_ > 0)
      out_.notes.push_back(counted(skipped_primitives_, "primitive has", "primitives have") + " no triangles (points, lines), not read");
    if (skinned_ > 0) out_.notes.push_back(counted(skinned_, "node has a skin", "nodes have skins") + ", read in the pose of the file");
    if (also_compressed_ > 0)
      out_.notes.push_back(counted(also_compressed_, "primitive is", "primitives are") + " also there in compressed form, which is not read");
    if (buffers_->compressed_views() > 0)
      out_.notes.push_back(counted(buffers_->compressed_views(), "bufferView is", "bufferViews are") + " also there in compressed form, which is not read");
    if (all_zero_ > 0) out_.notes.push_back(counted(all_zero_, "primitive has", "primitives have") + " all positions at (0, 0, 0)");
    if (morphed_ > 0) out_.notes.push_back(counted(morphed_, "primitive has", "primitives have") + " morph targets, which are not applied");
  }

  const Source& source_;
  JsonDocument document_;
  std::optional<GltfBuffers> buffers_;
  std::vector<JsonValue> meshes_, nodes_;
  std::vector<std::uint32_t> uses_;  // by accessor: primitives that still need its positions
  std::map<std::size_t, std::vector<Vec3>> positions_;
  std::map<std::size_t, std::optional<std::uint32_t>> numbers_;  // by mesh of the file
  std::vector<bool> visited_;
  UniquePaths paths_;
  AssemblyData out_;
  std::size_t skipped_primitives_ = 0, skinned_ = 0, morphed_ = 0, also_compressed_ = 0, all_zero_ = 0;
};

}  // namespace

bool is_gltf(const Source& source) {
  const std::string_view text = source.text();
  if (text.starts_with("glTF")) return true;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' && text.find("\"asset\"") != std::string_view::npos;
}

AssemblyData read_gltf(const Source& source, const std::string* folder, std::size_t max_bytes) {
  try {
    return GltfReader(source, folder, max_bytes).read();
  } catch (const json::BadInput& error) {
    fail(source, error.what());
  }
}

}  // namespace graze::io
