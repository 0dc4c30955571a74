// Writes the data of the page: a JSON header, arrays of numbers compressed by deflate and encoded as base64, and three.js as packaged by Debian.
#include "viewer/page.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <graze/error.hpp>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#include "input/json.hpp"
#include "viewer/image.hpp"
#include "viewer/page_data.hpp"
#include "viewer/page_text.hpp"

namespace graze::view {

namespace {

using cli::json_object;
using cli::JsonObject;
using cli::RawJson;

/// Arrays of numbers, concatenated; each starts at a multiple of four bytes.
class Pack {
 public:
  /// Returns the byte offset of the array and its number of elements.
  template <class T>
  std::array<std::size_t, 2> add(const std::vector<T>& list) {
    while (bytes_.size() % 4) bytes_.push_back(0);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + list.size() * sizeof(T));
    if (!list.empty()) std::memcpy(bytes_.data() + at, list.data(), list.size() * sizeof(T));
    return {at, list.size()};
  }
  std::string text() const { return packed(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

std::string css(Color c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

/// Writes meshes as vertices and indices, anything else corner by corner.
RawJson surface_json(const Surface& s, Pack& pack, const Vec3& middle) {
  if (s.source) {
    std::vector<float> positions;
    for (const Vec3& v : s.source->vertices())
      for (int k = 0; k < 3; ++k) positions.push_back(static_cast<float>(v[k] - middle[k]));
    std::vector<std::uint32_t> indices;
    for (const TriangleIndices& t : s.source->triangles()) indices.insert(indices.end(), t.begin(), t.end());
    std::vector<float> lines;
    const Vec3 shift = s.origin - middle;
    for (const FeatureLine& l : s.lines)
      for (const double x : {l.ax + shift.x, l.ay + shift.y, l.az + shift.z, l.bx + shift.x, l.by + shift.y, l.bz + shift.z, static_cast<double>(l.size)})
        lines.push_back(static_cast<float>(x));
    return json_object([&](JsonObject& j) { j.add("positions", pack.add(positions)).add("indices", pack.add(indices)).add("lines", pack.add(lines)); });
  }
  std::vector<float> positions;
  std::vector<std::int8_t> normals;
  std::vector<std::uint8_t> colors;
  const auto field = [](std::uint32_t n, int shift) {
    return static_cast<std::int8_t>(static_cast<std::int32_t>(n << (22 - shift)) >> 24);
  };  // upper 8 of 10 bits, signed
  for (std::size_t i = 0; i < s.corners.size(); ++i) {
    const Corner& c = s.corners[i];
    const Vec3 p = s.origin + Vec3(c.x, c.y, c.z) - middle;
    for (int k = 0; k < 3; ++k) positions.push_back(static_cast<float>(p[k]));
    normals.insert(normals.end(), {field(c.normal, 0), field(c.normal, 10), field(c.normal, 20), static_cast<std::int8_t>(0)});
    colors.insert(colors.end(), {c.r, c.g, c.b, c.edges});
  }
  return json_object([&](JsonObject& j) { j.add("positions", pack.add(positions)).add("normals", pack.add(normals)).add("colors", pack.add(colors)); });
}

/// The unit quaternion of a rotation.
std::array<double, 4> quaternion(const Pose& p) {
  const auto& r = p.rotation;
  std::array<double, 4> q{1 + r[0][0] + r[1][1] + r[2][2], r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]};
  if (q[0] < 1e-3) {  // near a half turn
    const int i = r[0][0] >= r[1][1] && r[0][0] >= r[2][2] ? 0 : r[1][1] >= r[2][2] ? 1 : 2;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    q[0] = r[k][j] - r[j][k];
    q[static_cast<std::size_t>(i + 1)] = 1 + r[i][i] - r[j][j] - r[k][k];
    q[static_cast<std::size_t>(j + 1)] = r[j][i] + r[i][j];
    q[static_cast<std::size_t>(k + 1)] = r[k][i] + r[i][k];
  }
  const double n = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& x : q) x /= n;
  return q;
}

/// Stores the vertices of each frame with 16 bits per coordinate, relative to their common box, as differences from the previous frame. Cloths that hardly move
/// compress well.
RawJson sheet_json(const Page& page, std::size_t k, Pack& pack, const Vec3& middle) {
  const std::size_t n = page.frames[0].sheets[k].size();
  Vec3 low(0, 0, 0), high(0, 0, 0);
  bool any = false;
  for (const PageFrame& f : page.frames) {
    if (f.sheets[k].size() != n) throw Error(ErrorCode::invalid_argument, "a page's sheet has different numbers of vertices");
    for (const Vec3& v : f.sheets[k]) {
      for (int i = 0; i < 3; ++i) {
        low[i] = any ? std::min(low[i], v[i]) : v[i];
        high[i] = any ? std::max(high[i], v[i]) : v[i];
      }
      any = true;
    }
  }
  std::vector<std::uint16_t> values, last(3 * n, 0);
  values.reserve(3 * n * page.frames.size());
  for (const PageFrame& f : page.frames)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t v = 0; v < n; ++v) {
        const int axis = static_cast<int>(i);
        const double wide = high[axis] - low[axis];
        const auto now = static_cast<std::uint16_t>(wide > 0 ? std::lround((f.sheets[k][v][axis] - low[axis]) / wide * 65535) : 0);
        values.push_back(static_cast<std::uint16_t>(now - last[i * n + v]));
        last[i * n + v] = now;
      }
  return json_object([&](JsonObject& j) {
    j.add("part", page.sheets[k]).add("vertices", n).add("low", low - middle).add("cell", (high - low) * (1.0 / 65535)).add("places", pack.add(values));
  });
}

void replace(std::string& text, const std::string& mark, const std::string& by) {
  const std::size_t at = text.find(mark);
  if (at != std::string::npos) text.replace(at, mark.size(), by);
}

}  // namespace

std::string html_text(const std::string& s) {
  std::string out;
  for (const char c : s) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

void write_page(const std::string& path, const Page& page) {
  const Picture& p = page.picture;
  Box all = bounds(p);
  const Box seen = focus(p);
  const double reach = length(all.max - all.min) + length(seen.max - seen.min);
  for (const PageFrame& f : page.frames)
    for (const Pose& pose : f.poses)
      for (int k = 0; k < 3; ++k) {
        if (!(std::abs(pose.translation[k]) < 1e29)) continue;  // a body that is gone
        all.min[k] = std::min(all.min[k], pose.translation[k] - reach * 0.01);
        all.max[k] = std::max(all.max[k], pose.translation[k] + reach * 0.01);
      }
  const auto take = [&](const Vec3& v) {
    for (int k = 0; k < 3; ++k) {
      all.min[k] = std::min(all.min[k], v[k]);
      all.max[k] = std::max(all.max[k], v[k]);
    }
  };
  for (const PageFrame& f : page.frames)
    for (const auto& sheet : f.sheets)
      for (const Vec3& v : sheet) take(v);
  for (const PageTrail& t : page.trails) {
    take(t.stroke.a);
    take(t.stroke.b);
  }
  const Vec3 middle = seen.min * 0.5 + seen.max * 0.5;
  Pack pack;
  std::string head;
  JsonObject j(head);
  j.add("title", p.title).add("caption", p.caption).add("background", css(p.background)).add("ink", css(ink_on(p.background)));
  j.add("middle", middle).add("min", all.min - middle).add("max", all.max - middle);
  j.add("seen", std::array{seen.min - middle, seen.max - middle}).add("size", length(seen.max - seen.min));
  j.add("camera", json_object([&](JsonObject& c) {
          c.add("eye", p.camera.eye - middle).add("target", p.camera.target - middle).add("up", p.camera.up);
          c.add("fov", p.camera.field_of_view).add("aspect", p.camera.aspect);
        }));
  if (p.inset)
    j.add("inset", json_object([&](JsonObject& e) {
            const Camera& c = p.inset->camera;
            e.add("box", std::array{p.inset->box.min - middle, p.inset->box.max - middle}).add("distance", length(c.eye - c.target));
            e.add("target", c.target - middle).add("fov", c.field_of_view).add("side", kInsetSide).add("text", p.inset->text);
          }));
  j.add_each("legend", p.legend, [](std::string& out, const LegendEntry& e) { cli::put(out, std::array{css(e.color), e.text}); });
  j.add_each("labels", p.labels, [&](std::string& out, const Label& l) { JsonObject(out).add("at", l.at - middle).add("text", l.text).end(); });

  // a part is stored relative to its surface's centre, so the pose becomes p -> R p + (T + R middle - middle)
  const auto place = [&](const Pose& pose) {
    Pose q = pose;
    q.translation = pose.apply(middle) - middle;
    return q;
  };
  std::map<const Surface*, std::size_t> known;
  std::vector<RawJson> surfaces, parts;
  for (const Part& part : p.parts) {
    if (!part.surface) continue;
    const auto [entry, added] = known.try_emplace(part.surface.get(), known.size());
    if (added) surfaces.push_back(surface_json(*part.surface, pack, middle));
    const std::size_t surface = entry->second;
    const Pose q = place(part.pose);
    parts.push_back(json_object([&](JsonObject& e) {
      e.add("surface", surface).add("color", css(part.color)).add("at", q.translation);
      if (Pose{}.rotation[0][0] != q.rotation[0][0] || q.rotation[1][1] != 1 || q.rotation[2][2] != 1) e.add("turn", quaternion(q));
      if (part.opacity < 1) e.add("opacity", part.opacity);
      if (!part.edges) e.add("edges", false);
      if (part.through) e.add("through", true);
      if (part.shell) e.add("shell", true);
      if (!part.lit) e.add("lit", false);
      if (part.triangles) e.add("triangles", true);
    }));
  }
  j.add("surfaces", surfaces).add("parts", parts);
  const auto flat = [&](const char* name, const auto& list, const auto& ends, const std::vector<std::uint32_t>& upto = {}) {
    for (const bool through : {false, true}) {
      std::vector<float> places;
      std::vector<std::uint8_t> colors;
      for (const auto& x : list) {
        if (x.through != through) continue;
        const auto [a, b, size] = ends(x);
        for (const Vec3& v : {a - middle, b - middle})
          for (int k = 0; k < 3; ++k) places.push_back(static_cast<float>(v[k]));
        colors.insert(colors.end(), {x.color.r, x.color.g, x.color.b, static_cast<std::uint8_t>(std::clamp(size * 4, 1.0f, 255.0f))});
      }
      j.add(std::string(name) + (through ? "_through" : ""), json_object([&](JsonObject& e) {
              e.add("places", pack.add(places)).add("colors", pack.add(colors));
              if (through && !upto.empty()) e.add("upto", pack.add(upto));
            }));
    }
  };
  flat("strokes", p.strokes, [](const Stroke& s) { return std::tuple{s.a, s.b, s.width}; });
  flat("dots", p.dots, [](const Dot& d) { return std::tuple{d.at, d.at, d.size}; });
  j.add("hits_title", !page.hits_title.empty() ? page.hits_title : fmt::format("{} {}", page.hits.size(), page.hits.size() == 1 ? "place" : "places"));
  j.add("area_part", page.area_part);
  j.add_each("hits", page.hits, [&](std::string& out, const PageHit& h) {
    JsonObject e(out);
    e.add("text", h.text).add("at", h.at - middle).add("size", h.size);
    if (!h.detail.empty()) e.add("detail", h.detail);
    if (h.box) e.add("box", std::array{h.box->min - middle, h.box->max - middle});
    if (!page.frames.empty()) e.add("frame", h.frame);
    e.add_if("time", h.time);
    if (!h.settled.empty()) e.add("settled", h.settled);
    for (const auto& [name, range] : {std::pair{"strokes", h.strokes}, std::pair{"dots", h.dots}, std::pair{"area", h.area}})
      if (range.count > 0) e.add(name, std::array{range.first, range.count});
    e.end();
  });

  if (!page.frames.empty()) {
    std::vector<float> places;
    const std::size_t moving = page.frames[0].poses.size();
    if (page.first_moving + moving > p.parts.size()) throw Error(ErrorCode::invalid_argument, "a page's frames place more parts than there are");
    for (const PageFrame& f : page.frames) {
      if (f.poses.size() != moving) throw Error(ErrorCode::invalid_argument, "a page's frames place different numbers of parts");
      for (const Pose& pose : f.poses) {
        const Pose q = place(pose);
        const auto turn = quaternion(q);
        for (int k = 0; k < 3; ++k) places.push_back(static_cast<float>(q.translation[k]));
        for (const double x : turn) places.push_back(static_cast<float>(x));
      }
    }
    std::vector<RawJson> sheets;
    for (std::size_t k = 0; k < page.sheets.size(); ++k) sheets.push_back(sheet_json(page, k, pack, middle));
    j.add("sheets", sheets);
    std::vector<Stroke> trail;
    std::vector<std::uint32_t> upto;
    for (const PageTrail& t : page.trails) trail.push_back(t.stroke);
    for (std::size_t n = 0, i = 0; n < page.frames.size(); ++n) {
      while (i < page.trails.size() && page.trails[i].frame <= n) ++i;
      upto.push_back(static_cast<std::uint32_t>(i));
    }
    if (!trail.empty()) {
      for (Stroke& t : trail) t.through = true;
      flat(
          "trails", trail,
          [](const Stroke& t) {
            return std::tuple{t.a, t.b, t.width};
          },
          upto);
    }
    j.add("frames", json_object([&](JsonObject& e) {
            e.add("count", page.frames.size()).add("moving", moving).add("first", page.first_moving).add("start", page.start);
            e.add("seconds", page.seconds_per_frame).add("places", pack.add(places)).add("shown", page.shown).add("ticks", pack.add(page.ticks));
          }));
  }
  j.end();

  for (std::size_t at = 0; (at = head.find("</", at)) != std::string::npos; at += 3) head.replace(at, 2, "<\\/");
  std::string text = kPageText;
  replace(text, "@TITLE@", html_text(p.title));
  replace(text, "@STYLE@", kPageStyle);
  replace(text, "@PROGRAM@", std::string(kPageShaders) + kPageDrawing + kPageProgram);
  replace(text, "@HEAD@", head);
  replace(text, "@DATA@", pack.text());
  replace(text, "@THREE@", three_js());
  write_text(path, text);
}

}  // namespace graze::view
