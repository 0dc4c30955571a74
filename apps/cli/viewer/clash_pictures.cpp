// Draws findings of graze clash: thumbnails and snapshots, and the parts that the page shows in 3D.
#include "cli/clash_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <graze/clash.hpp>
#include <graze/error.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "input/json.hpp"
#include "viewer/demo.hpp"
#include "viewer/offscreen.hpp"
#include "viewer/page_data.hpp"
#include "viewer/page_text.hpp"
#include "viewer/surfaces.hpp"

namespace graze::cli {
namespace {

constexpr int kWidth = 480, kHeight = 360;           // of snapshots; thumbnails have half of it
constexpr std::size_t kMostBytes = 20'000'000;       // of the parts and views in the page
constexpr std::size_t kMostPairs = 5000;             // of triangles whose contact is drawn
constexpr std::size_t kMostTriangles = 8'000'000;    // that are kept ready to be drawn
constexpr double kFieldOfView = 0.7853981633974483;  // 45 degrees, as view_clash() says

/// A finding whose parts are there.
struct Sighted {
  const Clash* clash;
  const ClashPart *a, *b;
  ClashView view;
};

view::ContactShape contact_of(const Sighted& s, const ClashParts& parts) {
  view::ContactShape shape;
  const Mesh &a = parts.meshes[s.a->mesh], &b = parts.meshes[s.b->mesh];
  const auto placed = [](const Mesh& mesh, const Pose& pose, std::uint32_t i) {
    Triangle t = view::triangle_of(mesh, i);
    for (Vec3& p : t.points) p = pose.apply(p);
    return t;
  };
  if (s.clash->triangle_pairs > 0) {
    PairOptions options;
    options.limit = kMostPairs;
    for (const TrianglePair& p : intersecting_triangles(at(a, s.a->pose), at(b, s.b->pose), options))
      shape.add(placed(a, s.a->pose, p.a), placed(b, s.b->pose, p.b));
  }
  if (s.clash->verdict == Verdict::near) {
    const Vec3 on_a = s.clash->point, on_b = s.clash->region.min + s.clash->region.max - on_a;
    shape.strokes.push_back({on_a, on_b, view::kColorDistance, 4, true});
    shape.dots = {{on_a, view::kColorDistance, 12, true}, {on_b, view::kColorDistance, 12, true}};
  }
  return shape;
}

view::Picture picture_of(const Sighted& s, const ClashParts& parts, const view::ContactShape& contact) {
  view::Picture p;
  p.parts.push_back({view::surface_of(parts.meshes[s.a->mesh]), s.a->pose, view::kColorA, s.view.glass_a ? 0.35f : 1.0f});
  p.parts.push_back({view::surface_of(parts.meshes[s.b->mesh]), s.b->pose, view::kColorB, s.view.glass_b ? 0.35f : 1.0f});
  contact.show(p);
  p.camera.eye = s.view.eye;
  p.camera.target = s.view.target;
  p.camera.up = s.view.up;
  p.camera.field_of_view = kFieldOfView;
  return p;
}

void add_place(std::vector<float>& numbers, const Vec3& p) {
  for (int k = 0; k < 3; ++k) numbers.push_back(static_cast<float>(p[k]));
}

std::string json_of(const std::array<std::size_t, 3>& counts, const std::optional<Vec3>& middle, const view::Pack& pack) {
  std::string out;
  JsonObject o(out);
  o.add_if("middle", middle).add("counts", counts).add("data", pack.text()).end();
  return out;
}

/// The numbers of a mesh relative to its middle: vertices, triangles, and the lines that are drawn as its edges.
std::string mesh_json(const Mesh& mesh) {
  const view::SurfacePtr surface = view::surface_of(mesh);
  const Vec3 middle = surface->min * 0.5 + surface->max * 0.5, shift = surface->origin - middle;
  std::vector<float> vertices, lines;
  for (const Vec3& v : mesh.vertices()) add_place(vertices, v - middle);
  std::vector<std::uint32_t> indices;
  for (const TriangleIndices& t : mesh.triangles()) indices.insert(indices.end(), t.begin(), t.end());
  for (const view::FeatureLine& l : surface->lines) {
    add_place(lines, Vec3(l.ax, l.ay, l.az) + shift);
    add_place(lines, Vec3(l.bx, l.by, l.bz) + shift);
    lines.push_back(l.size);
  }
  view::Pack pack;
  pack.add(vertices);
  pack.add(indices);
  pack.add(lines);
  return json_of({vertices.size() / 3, indices.size() / 3, lines.size() / 7}, middle, pack);
}

/// The contact relative to the finding's point: strokes, dots and triangles.
std::string mark_json(const view::ContactShape& contact, const Vec3& point) {
  std::vector<float> strokes, dots, area;
  for (const view::Stroke& s : contact.strokes) {
    add_place(strokes, s.a - point);
    add_place(strokes, s.b - point);
  }
  for (const view::Dot& d : contact.dots) add_place(dots, d.at - point);
  for (const Triangle& t : contact.area)
    for (const Vec3& p : t.points) add_place(area, p - point);
  view::Pack pack;
  for (const auto* list : {&strokes, &dots, &area}) pack.add(*list);
  return json_of({strokes.size() / 6, dots.size() / 3, area.size() / 9}, {}, pack);
}

/// The parts of findings for the page, as many as its size allows.
class Shapes {
 public:
  explicit Shapes(const ClashParts& parts) : parts_(parts) {}

  void add(const Sighted& s) {
    if (size_ >= kMostBytes || !add_mesh(s.a->mesh) || !add_mesh(s.b->mesh)) {
      ++left_out_;
      return;
    }
    for (const ClashPart* part : {s.a, s.b})
      if (const auto [at, added] = placed_.try_emplace(part->path); added) {
        JsonObject o(at->second);
        const auto& r = part->pose.rotation;
        o.add("mesh", numbers_.at(part->mesh));
        o.add("turn", std::array{r[0][0], r[0][1], r[0][2], r[1][0], r[1][1], r[1][2], r[2][0], r[2][1], r[2][2]}).add("at", part->pose.translation).end();
        size_ += at->second.size() + part->path.size();
      }
    std::string& view = views_[s.clash->id];
    JsonObject o(view);
    o.add("eye", s.view.eye).add("target", s.view.target);
    if (s.view.glass_a || s.view.glass_b) o.add("glass", s.view.glass_a ? 0 : 1);
    o.end();
    size_ += view.size() + s.clash->id.size();
  }
  void add_mark(const Sighted& s, const view::ContactShape& contact) {
    if (!views_.contains(s.clash->id) || size_ >= kMostBytes) return;
    const std::string& mark = marks_[s.clash->id] = mark_json(contact, s.clash->point);
    size_ += mark.size();
  }
  std::size_t left_out() const { return left_out_; }

  std::string json(Axis up) const {
    std::string out;
    JsonObject o(out);
    o.add("up", view::axis_vector(up));
    o.add_each("meshes", meshes_, [](std::string& s, const std::string& mesh) { s += mesh; });
    for (const auto& [name, map] : {std::pair{"parts", &placed_}, std::pair{"views", &views_}, std::pair{"marks", &marks_}})
      o.add(name, json_object([entries = map](JsonObject& e) {  // Clang 14 captures no structured binding by reference
              for (const auto& [key, value] : *entries) e.add_raw(key, value);
            }));
    o.end();
    return out;
  }

 private:
  /// Whether the mesh is in the page.
  bool add_mesh(std::uint32_t mesh) {
    const auto [at, added] = numbers_.try_emplace(mesh, kLeftOut);
    if (!added) return at->second != kLeftOut;
    const Mesh& m = parts_.meshes[mesh];
    const std::size_t raw = 12 * (m.vertices().size() + m.size()), room = kMostBytes - std::min(kMostBytes, size_);
    if (raw > 8 * room) return false;  // it would not fit, however well it is compressed
    std::string json = mesh_json(m);
    if (json.size() > room) return false;
    size_ += json.size();
    at->second = meshes_.size();
    meshes_.push_back(std::move(json));
    return true;
  }

  static constexpr std::size_t kLeftOut = SIZE_MAX;
  const ClashParts& parts_;
  std::map<std::uint32_t, std::size_t> numbers_;  // in the page, of meshes
  std::vector<std::string> meshes_;
  std::map<std::string, std::string> placed_, views_, marks_;
  std::size_t size_ = 0, left_out_ = 0;
};

}  // namespace

ClashPictures draw_clashes(const ClashDrawing& drawing) {
  const ClashParts& parts = drawing.parts;
  ClashPictures out;
  std::vector<Sighted> list;
  const std::size_t used = std::max(drawing.pictures, drawing.page ? clash_page::kMostRows : 0);
  for (const Clash* c : clash_page::page_order(drawing.report)) {
    if (list.size() == used) break;
    if (c->status == ClashStatus::resolved) continue;
    const ClashPart *a = find_part(parts, c->a), *b = find_part(parts, c->b);
    if (a != nullptr && b != nullptr) list.push_back({c, a, b, view_clash(*c, parts, *a, *b, drawing.up)});
  }
  bool shaped = drawing.page;
  if (shaped) {
    try {
      out.sight.library = view::three_js() + "\n</script>\n<script>\n" + view::kPageShaders + view::kPageDrawing;
    } catch (const Error& e) {
      shaped = false;
      out.sight.notes.push_back(std::string("report.html shows nothing in 3D: ") + e.what());
    }
  }
  std::unique_ptr<view::Offscreen> surface;
  const std::size_t most = std::min(drawing.pictures, list.size());
  if (most > 0) {
    try {
      surface = std::make_unique<view::Offscreen>(kWidth, kHeight);
    } catch (const view::NoGraphics& e) {
      out.sight.notes.push_back(std::string("no thumbnails and snapshots: ") + e.what());
    }
  }
  Shapes shapes(parts);
  std::map<std::uint32_t, view::SurfacePtr> ready;  // keeps surfaces for the next findings
  std::size_t triangles = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Sighted& s = list[i];
    if (drawing.progress && !drawing.progress(static_cast<double>(i) / static_cast<double>(list.size())))
      throw Error(ErrorCode::cancelled, "the reports were cancelled");
    if (shaped && i < clash_page::kMostRows) shapes.add(s);
    if (i >= most) {
      if (!shaped) break;
      continue;
    }
    const view::ContactShape contact = contact_of(s, parts);
    if (shaped) shapes.add_mark(s, contact);
    if (!surface) continue;
    if (triangles > kMostTriangles) {
      ready.clear();
      triangles = 0;
    }
    for (const ClashPart* part : {s.a, s.b})
      if (ready.try_emplace(part->mesh, view::surface_of(parts.meshes[part->mesh])).second) triangles += parts.meshes[part->mesh].size();
    const view::Image image = surface->draw(picture_of(s, parts, contact));
    if (drawing.page) out.sight.thumbnails[s.clash->id] = "data:image/webp;base64," + view::base64(view::webp_bytes(view::half_size(image)));
    if (drawing.snapshots) {
      const std::vector<std::uint8_t> png = view::png_bytes(image);
      out.snapshots[s.clash->id].assign(png.begin(), png.end());
    }
  }
  if (shaped) out.sight.shapes = shapes.json(drawing.up);
  if (shapes.left_out() > 0)
    out.sight.notes.push_back(fmt::format("report.html does not show {} finding{} in 3D: it has at most {} MB of parts and views", shapes.left_out(),
                                          shapes.left_out() == 1 ? "" : "s", kMostBytes / 1'000'000));
  return out;
}

}  // namespace graze::cli
