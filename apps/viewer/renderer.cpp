// Draws pictures: surfaces are uploaded once, parts are drawn with their matrices, balls, strokes and dots as instanced quads. Opaque parts come first, then
// transparent parts from back to front, then shells, and last the marks that show through.
#include "viewer/renderer.hpp"
#include <epoxy/gl.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/gtc/matrix_transform.hpp>
#include <map>
#include <numbers>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#include "viewer/balls.hpp"
#include "viewer/program.hpp"
#include "viewer/shaders.hpp"

namespace graze::view {

Projection::Projection(const Camera& camera, const Box& box, int w, int h, int left) : width(std::max(w, 1)), height(std::max(h, 1)), x(left), eye(camera.eye) {
  const glm::dvec3 e(camera.eye), t(camera.target), u(camera.up);
  view = glm::lookAt(e, t, u);
  const double reach = length(camera.target - camera.eye);
  double far = reach;
  for (int i = 0; i < 8; ++i) {
    const Vec3 p(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
    if (std::isfinite(length(p))) far = std::max(far, length(p - camera.eye));
  }
  far *= 1.1;
  if (!(far > 0) || !std::isfinite(far)) far = 1;
  double tan_y = std::tan(camera.field_of_view / 2);
  const double aspect = static_cast<double>(width) / height;
  if (camera.aspect > aspect) tan_y *= camera.aspect / aspect;
  projection = glm::perspective(2 * std::atan(tan_y), static_cast<double>(width) / height, std::max(reach * 1e-3, far * 1e-5), far);
}

std::optional<glm::dvec2> Projection::pixel(const Vec3& p) const {
  const glm::dvec4 c = projection * view * glm::dvec4(p.x, p.y, p.z, 1);
  if (!(c.w > 0)) return {};
  return glm::dvec2(x + (c.x / c.w + 1) / 2 * width, (1 - c.y / c.w) / 2 * height);
}

Vec3 Projection::direction(double px, double py) const {
  const double cx = (2 * (px - x) / width - 1) / projection[0][0], cy = (1 - 2 * py / height) / projection[1][1];
  const glm::dvec3 d = glm::inverse(glm::dmat3(view)) * glm::dvec3(cx, cy, -1);
  return unit(Vec3(d.x, d.y, d.z));
}

namespace {

struct OnCard {
  GLuint array = 0, buffer = 0, line_array = 0, line_buffer = 0;
  std::weak_ptr<const Surface> of;
  void release() {
    for (GLuint* a : {&array, &line_array}) glDeleteVertexArrays(1, a);
    for (GLuint* b : {&buffer, &line_buffer}) glDeleteBuffers(1, b);
  }
};

struct FlatInstance {
  float a[3], b[3];
  std::uint8_t color[4];
};

glm::dmat4 matrix_of(const Pose& pose) {
  glm::dmat4 m(1.0);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m[j][i] = pose.rotation[i][j];
    m[3][i] = pose.translation[i];
  }
  return m;
}

/// The fraction of the distance to the eye by which lines are moved in front of the faces that they lie on. In clip space z is c0 + c1 w with c1 =
/// projection[2][2] and c0 = projection[3][2], so a fraction x adds about c0 x.
constexpr double kLineNearer = 4e-4, kStrokeNearer = 1e-3;

/// The surface of the part with so many sides that its widest circle differs from a round one by less than a seventh of a pixel.
const SurfacePtr& round_enough(const Part& part, const Projection& p) {
  const SurfacePtr* s = &part.surface;
  if (!(*s)->simpler) return *s;
  const Surface& all = **s;
  const double nearest = length(part.pose.apply(all.min * 0.5 + all.max * 0.5) - p.eye) - length(all.max - all.min) / 2;
  const double pixels = nearest > 0 ? all.widest * p.projection[1][1] * p.height / 2 / nearest : 1e300;
  constexpr double kDeviation = 0.15, kSquare = std::numbers::pi * std::numbers::pi;  // of n sides: about pixels pi^2 / (2 n^2)
  while ((*s)->simpler && pixels * kSquare < 2 * kDeviation * (*s)->simpler->sides * (*s)->simpler->sides) s = &(*s)->simpler;
  return *s;
}

/// How a job is drawn: marks and lines on a face are in front of it; objects behind transparent parts are visible; marks are visible over transparent parts,
/// and `through` marks through everything.
enum class Layer { opaque, balls, marks, lines, flat, glass_back, glass_front, shell_depth, shell_color, marks_over, marks_through };

void set_layer(Layer layer) {
  const auto set = [](GLenum what, bool on) { on ? glEnable(what) : glDisable(what); };
  const bool solid = layer == Layer::opaque || layer == Layer::balls || layer == Layer::marks || layer == Layer::flat, colored = layer != Layer::shell_depth;
  set(GL_POLYGON_OFFSET_FILL, layer == Layer::opaque || layer == Layer::marks);
  const float offset = layer == Layer::marks ? -1.0f : 1.0f;
  glPolygonOffset(offset, offset);
  set(GL_BLEND, !solid);
  set(GL_SAMPLE_ALPHA_TO_COVERAGE, layer == Layer::balls);
  glDepthMask(solid || layer == Layer::shell_depth ? GL_TRUE : GL_FALSE);
  const GLboolean color = colored ? GL_TRUE : GL_FALSE;
  glColorMask(color, color, color, color);
  set(GL_CULL_FACE, layer == Layer::glass_back || layer == Layer::glass_front);
  glCullFace(layer == Layer::glass_back ? GL_FRONT : GL_BACK);
  glDepthFunc(layer == Layer::marks_through ? GL_GREATER : solid || layer == Layer::glass_back || layer == Layer::glass_front ? GL_LESS : GL_LEQUAL);
}

}  // namespace

struct Renderer::State {
  Program surface{kSurfaceVertex, kSurfaceFragment}, stroke{kStrokeVertex, kFlatFragment}, dot{kDotVertex, kFlatFragment};
  Balls balls;
  std::map<const Surface*, OnCard> surfaces;
  GLuint flat_array = 0, flat_buffer = 0;
  std::size_t next_job = 0;  // where the next call continues
  GLsizei next_corner = 0;
  DrawCounts counts;

  const OnCard& on_card(const SurfacePtr& s) {
    OnCard& c = surfaces[s.get()];
    if (c.of.lock() == s) return c;
    if (c.array) c.release();
    c.of = s;
    glGenVertexArrays(1, &c.array);
    glGenBuffers(1, &c.buffer);
    glBindVertexArray(c.array);
    glBindBuffer(GL_ARRAY_BUFFER, c.buffer);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(s->corners.size() * sizeof(Corner)), s->corners.data(), GL_STATIC_DRAW);
    for (GLuint i = 0; i < 3; ++i) glEnableVertexAttribArray(i);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Corner), reinterpret_cast<const void*>(offsetof(Corner, x)));
    glVertexAttribPointer(1, 4, GL_INT_2_10_10_10_REV, GL_TRUE, sizeof(Corner), reinterpret_cast<const void*>(offsetof(Corner, normal)));
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Corner), reinterpret_cast<const void*>(offsetof(Corner, r)));
    if (s->lines.empty()) return c;
    glGenVertexArrays(1, &c.line_array);
    glGenBuffers(1, &c.line_buffer);
    glBindVertexArray(c.line_array);
    glBindBuffer(GL_ARRAY_BUFFER, c.line_buffer);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(s->lines.size() * sizeof(FeatureLine)), s->lines.data(), GL_STATIC_DRAW);
    for (const auto& [place, numbers, offset] :
         {std::tuple{0u, 3, offsetof(FeatureLine, ax)}, std::tuple{1u, 3, offsetof(FeatureLine, bx)}, std::tuple{3u, 1, offsetof(FeatureLine, size)}}) {
      glEnableVertexAttribArray(place);
      glVertexAttribDivisor(place, 1);
      glVertexAttribPointer(place, numbers, GL_FLOAT, GL_FALSE, sizeof(FeatureLine), reinterpret_cast<const void*>(offset));
    }
    return c;
  }
  void forget_old() {
    for (auto it = surfaces.begin(); it != surfaces.end();) {
      if (it->second.of.expired()) {
        it->second.release();
        it = surfaces.erase(it);
      } else {
        ++it;
      }
    }
  }
  void draw_flat(const Program& program, const std::vector<FlatInstance>& list, const glm::dmat4& to_clip, const Projection& p, float scale, float opacity,
                 Color rim) {
    if (list.empty()) return;
    program.use();
    program.set("to_clip", to_clip);
    program.set("screen", static_cast<float>(p.width), static_cast<float>(p.height));
    program.set("scale", scale);
    program.set("opacity", opacity);
    program.set("rim", rim);
    program.set("pixels", 1.0f);
    program.set("nearer", static_cast<float>(p.projection[3][2] * kStrokeNearer));
    glVertexAttrib1f(3, 1e9f);  // strokes do not fade
    glBindVertexArray(flat_array);
    glBindBuffer(GL_ARRAY_BUFFER, flat_buffer);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(list.size() * sizeof(FlatInstance)), list.data(), GL_STREAM_DRAW);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(list.size()));
    counts.add(2 * list.size());
  }
  void draw_balls(std::span<const Ball> list, const Projection& p, Layer layer, float opacity) {
    using Side = BallStyle::Side;
    const Side side = layer == Layer::glass_back ? Side::back : layer == Layer::glass_front ? Side::front : Side::nearest;
    balls.draw(list, p, {side, opacity, layer == Layer::balls, layer == Layer::shell_depth});
    counts.add(2 * list.size());
  }
};

Renderer::Renderer() {
  if (epoxy_gl_version() < 33)
    throw NoGraphics("OpenGL 3.3 is needed, this machine has " + std::to_string(epoxy_gl_version() / 10) + "." + std::to_string(epoxy_gl_version() % 10));
  state_ = std::make_unique<State>();
  State& s = *state_;
  glGenVertexArrays(1, &s.flat_array);
  glGenBuffers(1, &s.flat_buffer);
  glBindVertexArray(s.flat_array);
  glBindBuffer(GL_ARRAY_BUFFER, s.flat_buffer);
  for (GLuint i = 0; i < 3; ++i) {
    glEnableVertexAttribArray(i);
    glVertexAttribDivisor(i, 1);
  }
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(FlatInstance), reinterpret_cast<const void*>(offsetof(FlatInstance, a)));
  glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(FlatInstance), reinterpret_cast<const void*>(offsetof(FlatInstance, b)));
  glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(FlatInstance), reinterpret_cast<const void*>(offsetof(FlatInstance, color)));
}

Renderer::~Renderer() {
  for (auto& [key, c] : state_->surfaces) c.release();
  glDeleteVertexArrays(1, &state_->flat_array);
  glDeleteBuffers(1, &state_->flat_buffer);
}

/// One call of draw(): the jobs of a picture in drawing order, from the one that the last call came to.
class Renderer::Drawing {
 public:
  Drawing(State& state, const Picture& picture, int width, int height, const DrawOptions& options)
      : s_(state),
        picture_(picture),
        options_(options),
        width_(width),
        height_(height),
        p_(picture.camera, bounds(picture), width, height),
        edge_color_(is_dark(picture.background) ? Color{20, 20, 20} : kInk) {
    begin();
    collect_flat();
    collect_jobs();
  }
  ~Drawing() { end(); }
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

  /// False if time is over before the picture is complete.
  bool run() {
    for (; s_.next_job < jobs_.size(); ++s_.next_job, s_.next_corner = 0)
      if (!draw(jobs_[s_.next_job])) return false;
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// A part, its lines, or (no part) strokes and dots.
  struct Job {
    Layer layer;
    const Part* part;
    float opacity;
  };

  void begin() {
    const Color paper = picture_.background;
    glViewport(options_.x, options_.y, width_, height_);
    glClearColor(paper.r / 255.0f, paper.g / 255.0f, paper.b / 255.0f, 1);
    glEnable(GL_MULTISAMPLE);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glEnable(GL_SCISSOR_TEST);
    glScissor(options_.x, options_.y, width_, height_);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    if (options_.go_on) return;
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    s_.next_job = 0;
    s_.next_corner = 0;
    s_.counts = {};
  }
  static void end() {
    glDisable(GL_SCISSOR_TEST);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glBindVertexArray(0);
  }

  const SurfacePtr& surface_of(const Part& part) const { return options_.moving && part.surface->coarse ? part.surface->coarse : round_enough(part, p_); }
  bool has_lines(const Part& part) const {
    return options_.edges == EdgeStyle::features && part.edges && !part.triangles && !part.surface->lines.empty() && surface_of(part) == part.surface;
  }
  static bool is_mark(const Part& part) { return part.through && !part.lit; }
  static bool drawable(const Part& part) { return part.surface && !part.surface->corners.empty(); }

  /// Strokes and dots, relative to the target so that single precision is enough.
  void collect_flat() {
    const Vec3 base = picture_.camera.target;
    const auto instance = [&](const Vec3& a, const Vec3& b, Color c, float size) {
      const Vec3 x = a - base, y = b - base;
      return FlatInstance{{static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)},
                          {static_cast<float>(y.x), static_cast<float>(y.y), static_cast<float>(y.z)},
                          {c.r, c.g, c.b, static_cast<std::uint8_t>(std::clamp(size * 255 / 64, 1.0f, 255.0f))}};
    };
    for (const Stroke& x : picture_.strokes) {
      strokes_.push_back(instance(x.a, x.b, x.color, x.width));
      if (x.through) through_strokes_.push_back(strokes_.back());
    }
    for (const Dot& x : picture_.dots) {
      dots_.push_back(instance(x.at, x.at, x.color, x.size));
      if (x.through) through_dots_.push_back(dots_.back());
    }
  }

  /// Calls f for all parts that can be drawn and fulfil `which`.
  template <class Which, class F>
  void for_parts(const Which& which, const F& f) const {
    for (const Part& part : picture_.parts)
      if (drawable(part) && which(part)) f(part);
  }

  /// The same list for each call that continues a picture.
  void collect_jobs() {
    for_parts([](const Part& x) { return x.opacity >= 1 && !is_mark(x); },
              [&](const Part& x) {
                if (x.surface->ball > 0)
                  balls_.emplace_back(x, p_);
                else
                  jobs_.push_back({Layer::opaque, &x, 1});
              });
    jobs_.push_back({Layer::balls, nullptr, 1});
    for_parts([](const Part& x) { return x.opacity >= 1 && is_mark(x); }, [&](const Part& x) { jobs_.push_back({Layer::marks, &x, 1}); });
    for_parts([&](const Part& x) { return x.opacity >= 1 && has_lines(x); }, [&](const Part& x) { jobs_.push_back({Layer::lines, &x, 0.7f}); });
    jobs_.push_back({Layer::flat, nullptr, 1});
    const bool any_glass = collect_glass(), any_shell = collect_shells();
    // marks behind transparent parts are drawn over them again, fainter; then `through` marks
    const auto marks = [&](Layer layer, float opacity) {
      for_parts([](const Part& x) { return x.through; }, [&](const Part& x) { jobs_.push_back({layer, &x, opacity}); });
      jobs_.push_back({layer, nullptr, opacity});
    };
    if (any_shell || any_glass) marks(Layer::marks_over, any_shell ? 1 : 0.6f);
    marks(Layer::marks_through, 0.45f);
  }

  /// Transparent parts: the farthest first, and back faces of each before front faces. Returns whether there are any.
  bool collect_glass() {
    std::vector<std::pair<double, const Part*>> glass;
    for_parts([](const Part& x) { return x.opacity < 1 && !x.shell; },
              [&](const Part& x) { glass.emplace_back(-length(x.pose.apply(x.surface->min * 0.5 + x.surface->max * 0.5) - picture_.camera.eye), &x); });
    std::stable_sort(glass.begin(), glass.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    for (const auto& [distance, part] : glass)
      for (const Layer layer : {Layer::glass_back, Layer::glass_front}) jobs_.push_back({layer, part, part->opacity});
    for (const auto& [distance, part] : glass)
      if (has_lines(*part)) jobs_.push_back({Layer::lines, part, 0.3f});
    return !glass.empty();
  }

  /// Shells: first the depth of their nearest layer, then its colour. Returns whether there are any.
  bool collect_shells() {
    bool any = false;
    const auto is_shell = [](const Part& x) { return x.opacity < 1 && x.shell; };
    for (const Layer layer : {Layer::shell_depth, Layer::shell_color})
      for_parts(is_shell, [&](const Part& x) {
        jobs_.push_back({layer, &x, x.opacity});
        any = true;
      });
    for_parts([&](const Part& x) { return is_shell(x) && has_lines(x); }, [&](const Part& x) { jobs_.push_back({Layer::lines, &x, 0.7f * x.opacity}); });
    return any;
  }

  bool draw(const Job& job) {
    set_layer(job.layer);
    if (job.layer == Layer::balls) {
      s_.draw_balls(balls_, p_, job.layer, 1);
    } else if (!job.part) {
      const bool all = job.layer == Layer::flat;
      const glm::dmat4 clip = glm::translate(p_.projection * p_.view, glm::dvec3(picture_.camera.target));
      const Color ink = ink_on(picture_.background);
      s_.draw_flat(s_.stroke, all ? strokes_ : through_strokes_, clip, p_, options_.scale, job.opacity, ink);
      s_.draw_flat(s_.dot, all ? dots_ : through_dots_, clip, p_, options_.scale, job.opacity, ink);
    } else if (job.part->surface->ball > 0) {
      const Ball ball(*job.part, p_);
      s_.draw_balls({&ball, 1}, p_, job.layer, job.opacity);
    } else if (job.layer == Layer::lines) {
      draw_lines(*job.part, job.opacity);
    } else {
      return draw_in_time(*job.part, job.opacity);
    }
    return true;
  }

  bool draw_in_time(const Part& part, float opacity) {
    const auto all = static_cast<GLsizei>(surface_of(part)->corners.size()), slice = options_.seconds > 0 ? 3 * 50000 : std::max(all, 1);
    while (s_.next_corner < all) {
      const GLsizei n = std::min(slice, all - s_.next_corner);
      draw_part(part, opacity, s_.next_corner, n);
      s_.next_corner += n;
      if (n < slice || options_.seconds <= 0) continue;
      glFinish();
      if (std::chrono::duration<double>(Clock::now() - start_).count() > options_.seconds) return false;
    }
    return true;
  }

  void draw_part(const Part& part, float opacity, GLsizei first, GLsizei count) {
    const SurfacePtr& surface = surface_of(part);
    const OnCard& c = s_.on_card(surface);
    const glm::dmat4 place = p_.view * glm::translate(matrix_of(part.pose), glm::dvec3(surface->origin));
    s_.surface.use();
    s_.surface.set("to_view", place);
    s_.surface.set("to_clip", p_.projection * place);
    s_.surface.set("part_color", part.color);
    s_.surface.set("opacity", opacity);
    s_.surface.set("edge_color", edge_color_);
    s_.surface.set("edge_width", options_.edges != EdgeStyle::none && part.edges ? options_.scale : 0.0f);
    s_.surface.set("all_edges", part.triangles || options_.edges == EdgeStyle::triangles);
    s_.surface.set("lit", part.lit ? 1.0f : 0.0f);
    glBindVertexArray(c.array);
    glDrawArrays(GL_TRIANGLES, first, count);
    s_.counts.add(static_cast<std::size_t>(count) / 3);
  }

  void draw_lines(const Part& part, float opacity) {
    const OnCard& c = s_.on_card(part.surface);
    const glm::dmat4 place = p_.view * glm::translate(matrix_of(part.pose), glm::dvec3(part.surface->origin));
    s_.stroke.use();
    s_.stroke.set("to_clip", p_.projection * place);
    s_.stroke.set("screen", static_cast<float>(width_), static_cast<float>(height_));
    s_.stroke.set("scale", options_.scale);
    s_.stroke.set("opacity", opacity);
    s_.stroke.set("rim", edge_color_);
    s_.stroke.set("pixels", static_cast<float>(p_.projection[1][1] * height_ / 2 / options_.scale));
    s_.stroke.set("nearer", static_cast<float>(p_.projection[3][2] * kLineNearer));
    glVertexAttrib4f(2, edge_color_.r / 255.0f, edge_color_.g / 255.0f, edge_color_.b / 255.0f, 1.1f / 64);
    glBindVertexArray(c.line_array);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(part.surface->lines.size()));
    s_.counts.add(2 * part.surface->lines.size());
  }

  State& s_;
  const Picture& picture_;
  const DrawOptions& options_;
  int width_, height_;
  Clock::time_point start_ = Clock::now();
  Projection p_;
  Color edge_color_;
  std::vector<FlatInstance> strokes_, dots_, through_strokes_, through_dots_;
  std::vector<Ball> balls_;  ///< the opaque ones
  std::vector<Job> jobs_;
};

bool Renderer::draw(const Picture& picture, int width, int height, const DrawOptions& options) {
  if (!Drawing(*state_, picture, width, height, options).run()) return false;
  state_->forget_old();
  return true;
}

const DrawCounts& Renderer::counts() const { return state_->counts; }

}  // namespace graze::view
