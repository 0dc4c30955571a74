// Writes the data of the page: a JSON header, arrays of numbers compressed by deflate and encoded as base64, and three.js as packaged by Debian.
#include "viewer/page.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <graze/error.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>
#include "input/html.hpp"
#include "input/json.hpp"
#include "platform/file.hpp"
#include "viewer/page_data.hpp"
#include "viewer/page_text.hpp"

namespace graze::view {

namespace {

using cli::json_object;
using cli::JsonObject;
using cli::RawJson;

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

/// Contains the picture and whatever its frames and trails show.
Box bounds_in_time(const Page& page, const Box& seen) {
  Box all = bounds(page.picture);
  const double reach = length(all.max - all.min) + length(seen.max - seen.min);
  const auto take = [&](const Vec3& v, double around = 0) {
    for (int k = 0; k < 3; ++k) {
      if (!(std::abs(v[k]) < 1e29)) continue;  // a body that is gone
      all.min[k] = std::min(all.min[k], v[k] - around);
      all.max[k] = std::max(all.max[k], v[k] + around);
    }
  };
  for (const PageFrame& f : page.frames) {
    for (const Pose& pose : f.poses) take(pose.translation, reach * 0.01);
    for (const auto& sheet : f.sheets)
      for (const Vec3& v : sheet) take(v);
  }
  for (const PageTrail& t : page.trails) {
    take(t.stroke.a);
    take(t.stroke.b);
  }
  return all;
}

/// Writes the header of a page: everything relative to the middle of what is seen.
class Header {
 public:
  Header(const Page& page, std::string& out, Pack& pack)
      : page_(page), picture_(page.picture), seen_(focus(page.picture)), middle_(seen_.min * 0.5 + seen_.max * 0.5), pack_(pack), j_(out) {}

  void write() {
    add_view();
    add_words();
    add_parts();
    add_flat("strokes", picture_.strokes, {});
    add_flat("dots", picture_.dots, {});
    add_hits();
    if (!page_.frames.empty()) add_frames();
    j_.end();
  }

 private:
  static std::array<Vec3, 2> ends(const Stroke& s) { return {s.a, s.b}; }
  static std::array<Vec3, 2> ends(const Dot& d) { return {d.at, d.at}; }
  static float size(const Stroke& s) { return s.width; }
  static float size(const Dot& d) { return d.size; }

  void add_view() {
    const Picture& p = picture_;
    const Box all = bounds_in_time(page_, seen_);
    j_.add("title", p.title).add("caption", p.caption).add("background", css(p.background)).add("ink", css(ink_on(p.background)));
    j_.add("middle", middle_).add("min", all.min - middle_).add("max", all.max - middle_);
    j_.add("seen", std::array{seen_.min - middle_, seen_.max - middle_}).add("size", length(seen_.max - seen_.min));
    j_.add("camera", json_object([&](JsonObject& c) {
             c.add("eye", p.camera.eye - middle_).add("target", p.camera.target - middle_).add("up", p.camera.up);
             c.add("fov", p.camera.field_of_view).add("aspect", p.camera.aspect);
           }));
    if (!p.inset) return;
    j_.add("inset", json_object([&](JsonObject& e) {
             const Camera& c = p.inset->camera;
             e.add("box", std::array{p.inset->box.min - middle_, p.inset->box.max - middle_}).add("distance", length(c.eye - c.target));
             e.add("target", c.target - middle_).add("fov", c.field_of_view).add("side", kInsetSide).add("text", p.inset->text);
           }));
  }

  void add_words() {
    j_.add_each("legend", picture_.legend, [](std::string& out, const LegendEntry& e) { cli::put(out, std::array{css(e.color), e.text}); });
    j_.add_each("labels", picture_.labels, [&](std::string& out, const Label& l) { JsonObject(out).add("at", l.at - middle_).add("text", l.text).end(); });
  }

  /// A part is stored relative to its surface's centre, so the pose becomes p -> R p + (T + R middle - middle).
  Pose place(const Pose& pose) const {
    Pose q = pose;
    q.translation = pose.apply(middle_) - middle_;
    return q;
  }

  void add_parts() {
    std::map<const Surface*, std::size_t> known;
    std::vector<RawJson> surfaces, parts;
    for (const Part& part : picture_.parts) {
      if (!part.surface) continue;
      const auto [entry, added] = known.try_emplace(part.surface.get(), known.size());
      if (added) surfaces.push_back(surface_json(*part.surface, pack_, middle_));
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
    j_.add("surfaces", surfaces).add("parts", parts);
  }

  /// Strokes or dots, those that other parts hide apart from those that show through.
  template <class T>
  void add_flat(const std::string& name, const std::vector<T>& list, const std::vector<std::uint32_t>& upto) {
    for (const bool through : {false, true}) {
      std::vector<float> places;
      std::vector<std::uint8_t> colors;
      for (const T& x : list) {
        if (x.through != through) continue;
        for (const Vec3& v : ends(x))
          for (int k = 0; k < 3; ++k) places.push_back(static_cast<float>(v[k] - middle_[k]));
        colors.insert(colors.end(), {x.color.r, x.color.g, x.color.b, static_cast<std::uint8_t>(std::clamp(size(x) * 4, 1.0f, 255.0f))});
      }
      j_.add(name + (through ? "_through" : ""), json_object([&](JsonObject& e) {
               e.add("places", pack_.add(places)).add("colors", pack_.add(colors));
               if (through && !upto.empty()) e.add("upto", pack_.add(upto));
             }));
    }
  }

  void add_hits() {
    const std::size_t n = page_.hits.size();
    j_.add("hits_title", !page_.hits_title.empty() ? page_.hits_title : fmt::format("{} {}", n, n == 1 ? "place" : "places"));
    j_.add("area_part", page_.area_part);
    j_.add_each("hits", page_.hits, [&](std::string& out, const PageHit& h) {
      JsonObject e(out);
      e.add("text", h.text).add("at", h.at - middle_).add("size", h.size);
      if (!h.detail.empty()) e.add("detail", h.detail);
      if (h.box) e.add("box", std::array{h.box->min - middle_, h.box->max - middle_});
      if (!page_.frames.empty()) e.add("frame", h.frame);
      e.add_if("time", h.time);
      if (!h.settled.empty()) e.add("settled", h.settled);
      for (const auto& [name, range] : {std::pair{"strokes", h.strokes}, std::pair{"dots", h.dots}, std::pair{"area", h.area}})
        if (range.count > 0) e.add(name, std::array{range.first, range.count});
      e.end();
    });
  }

  void add_frames() {
    std::vector<float> places;
    const std::size_t moving = page_.frames[0].poses.size();
    if (page_.first_moving + moving > picture_.parts.size()) throw Error(ErrorCode::invalid_argument, "a page's frames place more parts than there are");
    for (const PageFrame& f : page_.frames) {
      if (f.poses.size() != moving) throw Error(ErrorCode::invalid_argument, "a page's frames place different numbers of parts");
      for (const Pose& pose : f.poses) {
        const Pose q = place(pose);
        for (int k = 0; k < 3; ++k) places.push_back(static_cast<float>(q.translation[k]));
        for (const double x : quaternion(q)) places.push_back(static_cast<float>(x));
      }
    }
    std::vector<RawJson> sheets;
    for (std::size_t k = 0; k < page_.sheets.size(); ++k) sheets.push_back(sheet_json(page_, k, pack_, middle_));
    j_.add("sheets", sheets);
    add_trails();
    j_.add("frames", json_object([&](JsonObject& e) {
             e.add("count", page_.frames.size()).add("moving", moving).add("first", page_.first_moving).add("start", page_.start);
             e.add("seconds", page_.seconds_per_frame).add("places", pack_.add(places)).add("shown", page_.shown).add("ticks", pack_.add(page_.ticks));
           }));
  }

  void add_trails() {
    if (page_.trails.empty()) return;
    std::vector<Stroke> trail;
    std::vector<std::uint32_t> upto;
    for (const PageTrail& t : page_.trails) {
      trail.push_back(t.stroke);
      trail.back().through = true;
    }
    for (std::size_t n = 0, i = 0; n < page_.frames.size(); ++n) {
      while (i < page_.trails.size() && page_.trails[i].frame <= n) ++i;
      upto.push_back(static_cast<std::uint32_t>(i));
    }
    add_flat("trails", trail, upto);
  }

  const Page& page_;
  const Picture& picture_;
  Box seen_;
  Vec3 middle_;
  Pack& pack_;
  JsonObject j_;
};

}  // namespace

void write_page(const std::string& path, const Page& page) {
  Pack pack;
  std::string head;
  Header(page, head, pack).write();
  head = cli::json_in_html(std::move(head));
  const std::string title = cli::html_text(page.picture.title), program = std::string(kPageShaders) + kPageDrawing + kPageProgram, data = pack.text();
  write_whole(
      path, cli::filled_in(kPageText,
                           {{"@TITLE@", title}, {"@STYLE@", kPageStyle}, {"@PROGRAM@", program}, {"@HEAD@", head}, {"@DATA@", data}, {"@THREE@", three_js()}}));
}

}  // namespace graze::view
