// The window: a list of demonstrations at the left, the picture at the right; mouse, keys, files dropped.
#include "viewer/window.hpp"
#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <graze/error.hpp>
#include <optional>
#include "viewer/canvas.hpp"
#include "viewer/demo.hpp"
#include "viewer/image.hpp"
#include "viewer/loading.hpp"
#include "viewer/view_state.hpp"
#include "viewer/words.hpp"

namespace graze::view {

namespace {

using Clock = std::chrono::steady_clock;
double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

std::string& glfw_said() {
  static std::string text;
  return text;
}

const std::vector<KeyHelp>& common_keys() {
  static const std::vector<KeyHelp> list = {{"H or F12", "this help"},          {"Esc", "leave"},
                                            {"Page Up / Page Down", "demonstration before / after"}, {"F5", "from the start"},
                                            {"Home", "the whole view again"},   {"Space", "pause, go on"},
                                            {"Enter", "one step of time"},      {"E", "edges of triangles"},
                                            {"F11", "write a picture of what is seen"}, {"left button", "turn the view; on a shape: drag it (hold X, Y or Z: along that axis)"},
                                            {"Ctrl + left button", "turn the shape"}, {"right button", "move the view"},
                                            {"wheel", "nearer, farther"}};
  return list;
}

class Window {
 public:
  explicit Window(const WindowOptions& options) : up_(options.up) {
    glfwSetErrorCallback([](int, const char* text) { glfw_said() = text; });
    if (!glfwInit()) throw NoGraphics("no window can be opened on this machine: " + glfw_said() + ". Without a display: graze render");
    try {
      open(options);
    } catch (...) {
      glfwTerminate();
      throw;
    }
  }
  ~Window() {
    canvas_.reset();
    renderer_.reset();
    demo_.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    glfwDestroyWindow(window_);
    glfwTerminate();
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  void run(const WindowOptions& options) {
    if (!options.models.empty()) {
      show(make_waiting(options.models), -1);
      loading_ = std::make_unique<Loading>(options.models, up_, glfwPostEmptyEvent);
    } else {
      int index = 0;
      if (!options.demo.empty()) {
        (void)make_demo(options.demo);  // throws for an unknown name
        while (options.demo != demos()[static_cast<std::size_t>(index)].name) ++index;
      }
      choose(index);
    }
    auto last = Clock::now();
    while (!glfwWindowShouldClose(window_)) {
      if (awake_ > 0 || (demo_->moves() && !paused_))
        glfwPollEvents();
      else if (loading_)
        glfwWaitEventsTimeout(0.1);
      else
        glfwWaitEvents();
      if (loading_ && loading_->ready()) opened();
      const auto now = Clock::now();
      const double dt = std::min(seconds(now - last), 0.1);
      last = now;
      if (demo_->moves() && !paused_) {
        demo_->step(dt * speed_);
        changed_ = true;
      }
      frame();
      awake_ = std::max(0, awake_ - 1);
    }
  }

 private:
  void open(const WindowOptions& options) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    window_ = glfwCreateWindow(options.width, options.height, "Graze", nullptr, nullptr);
    if (!window_) throw NoGraphics("no window with OpenGL 3.3 can be opened: " + glfw_said() + ". Without one: graze render");
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
    renderer_ = std::make_unique<Renderer>();
    glfwSetWindowUserPointer(window_, this);
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int, int action, int) {
      if (action != GLFW_RELEASE) static_cast<Window*>(glfwGetWindowUserPointer(w))->pressed(key);
    });
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) { static_cast<Window*>(glfwGetWindowUserPointer(w))->dropped({paths, paths + count}); });
    glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
      Window& self = *static_cast<Window*>(glfwGetWindowUserPointer(w));
      self.mouse_at_ = {x, y};
      self.awake_ = 3;
    });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int) {
      Window& self = *static_cast<Window*>(glfwGetWindowUserPointer(w));
      if (button == GLFW_MOUSE_BUTTON_LEFT) (action == GLFW_PRESS ? self.pressed_at_ : self.released_at_) = self.mouse_at_;
      self.awake_ = 3;
    });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double) { static_cast<Window*>(glfwGetWindowUserPointer(w))->awake_ = 3; });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { static_cast<Window*>(glfwGetWindowUserPointer(w))->awake_ = 3; });
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    if (!ImGui_ImplOpenGL3_Init("#version 330 core")) throw NoGraphics("no window can be opened: Dear ImGui finds no OpenGL");
  }

  void choose(int index) {
    const int n = static_cast<int>(demos().size());
    index = (index % n + n) % n;
    std::unique_ptr<Demo> demo = demos()[static_cast<std::size_t>(index)].make();
    demo->reset();
    show(std::move(demo), index);
  }
  void show(std::unique_ptr<Demo> demo, int index) {
    demo_ = std::move(demo);
    index_ = index;
    view_ = {};
    held_.reset();
    changed_ = true;
    full_seconds_ = 0.25;       // not known yet: large models are drawn coarsely first
    view_moved_ = Clock::now();
    message_.clear();
    awake_ = 3;
  }
  void dropped(const std::vector<std::string>& paths) {
    awake_ = 3;
    if (loading_) {
      message_ = "first " + loading_->names() + " is opened";
      return;
    }
    message_.clear();
    loading_ = std::make_unique<Loading>(paths, up_, glfwPostEmptyEvent);
  }
  /// What was named at the start and cannot be opened ends the program; what was dropped later is only complained about.
  void opened() {
    const std::unique_ptr<Loading> loading = std::move(loading_);
    try {
      Loading::Opened o = loading->take();
      show(std::move(o.demo), -1);
      set_picture(std::move(o.picture));
    } catch (const std::exception& e) {
      if (demo_->name() == "opening") throw;
      message_ = e.what();
      awake_ = 3;
    }
  }
  void set_picture(Picture picture) {
    picture_ = std::move(picture);
    bounds_ = bounds(picture_);
    changed_ = false;
    redraw_ = true;
  }

  void pressed(int key) {
    awake_ = 3;
    if (ImGui::GetIO().WantTextInput) return;
    switch (key) {
      case GLFW_KEY_ESCAPE: glfwSetWindowShouldClose(window_, 1); return;
      case GLFW_KEY_H:
      case GLFW_KEY_F12: help_ = !help_; return;
      case GLFW_KEY_PAGE_UP: choose(std::max(index_, 0) - 1); return;
      case GLFW_KEY_PAGE_DOWN: choose(index_ + 1); return;
      case GLFW_KEY_F5: demo_->reset(), changed_ = true; return;
      case GLFW_KEY_HOME: view_ = {}; return;
      case GLFW_KEY_F11: screenshot_ = true; return;
      case GLFW_KEY_E: edges_ = !edges_; return;
      default: break;
    }
    changed_ = true;
    Key k = Key::other;
    switch (key) {
      case GLFW_KEY_UP: k = Key::up; break;
      case GLFW_KEY_DOWN: k = Key::down; break;
      case GLFW_KEY_LEFT: k = Key::left; break;
      case GLFW_KEY_RIGHT: k = Key::right; break;
      case GLFW_KEY_F1: k = Key::f1; break;
      case GLFW_KEY_F2: k = Key::f2; break;
      case GLFW_KEY_F3: k = Key::f3; break;
      case GLFW_KEY_F4: k = Key::f4; break;
      case GLFW_KEY_KP_ADD:
      case GLFW_KEY_EQUAL: k = Key::plus; break;
      case GLFW_KEY_KP_SUBTRACT:
      case GLFW_KEY_MINUS: k = Key::minus; break;
      case GLFW_KEY_SPACE: k = Key::space; break;
      case GLFW_KEY_ENTER: k = Key::enter; break;
      case GLFW_KEY_TAB: k = Key::tab; break;
      default: break;
    }
    const char letter = key >= GLFW_KEY_A && key <= GLFW_KEY_Z ? static_cast<char>('a' + key - GLFW_KEY_A) : key >= GLFW_KEY_0 && key <= GLFW_KEY_9 ? static_cast<char>('0' + key - GLFW_KEY_0) : '\0';
    if (demo_->key(k, letter)) return;
    if (k == Key::space) paused_ = !paused_;
    if (k == Key::enter && demo_->moves()) {
      paused_ = true;
      demo_->one_step();
    }
  }

  /// What of the demonstration lies under the pixel, and how far away; arrows and rings before shapes.
  std::pair<std::optional<Handle>, double> pick(const Projection& p, double x, double y) const {
    const Ray ray{p.eye, p.direction(x, y)};
    std::pair<std::optional<Handle>, double> best;
    const double pixel = 2 / (p.projection[1][1] * p.height);  // of a length at distance 1
    for (Handle& h : demo_->handles()) {
      const Placed placed = at(h.shape, h.pose);
      const bool front = h.way != Handle::Way::free, best_front = best.first && best.first->way != Handle::Way::free;
      if (best_front && !front) continue;
      double t = -1;
      if (const auto hit = raycast(ray, placed)) {
        t = hit->t;
      } else if (h.shape.get<Mesh>() == nullptr && h.shape.get<Solid>() == nullptr) {  // thin shapes: near enough for a hand
        const Closest c = closest(ray, placed);
        const double far = length(c.on_a - p.eye);
        if (c.distance < (front ? 5 : 8) * scale_ * pixel * far) t = far;
      }
      if (t >= 0 && (!best.first || t < best.second || (front && !best_front))) best = {std::move(h), t};
    }
    return best;
  }

  /// An arrow is drawn along its line, a ring about its axis, as far as the mouse goes from one direction to the other.
  void pull(const Handle& h, const Vec3& eye, const Vec3& before, const Vec3& now) {
    if (h.way == Handle::Way::along) {
      const auto place = [&](const Vec3& d) -> std::optional<double> {  // where the line through the hand's first place comes nearest to the ray
        const Vec3 w = grip_ - eye;
        const double b = dot(h.axis, d), det = 1 - b * b;
        if (det < 1e-3) return {};  // seen from its end
        return (b * dot(d, w) - dot(h.axis, w)) / det;
      };
      const auto s0 = place(before), s1 = place(now);
      if (s0 && s1) demo_->drag(h.moved(), h.axis * (*s1 - *s0));
      return;
    }
    const Vec3 arm = grip_ - h.center;
    const auto hit = [&](const Vec3& d) { return eye + d * (dot(h.center - eye, h.axis) / dot(d, h.axis)) - h.center; };  // in the ring's plane
    double angle = 0;
    if (std::abs(dot(before, h.axis)) > 0.2 && std::abs(dot(now, h.axis)) > 0.2) {
      const Vec3 a = hit(before), b = hit(now);
      angle = std::atan2(dot(h.axis, cross(a, b)), dot(a, b));
    } else {  // seen from its side: along the tangent
      const Vec3 tangent = unit(cross(h.axis, arm));
      angle = dot(now - before, tangent) * length(grip_ - eye) / std::max(length(arm), 1e-300);
    }
    demo_->turn(h.moved(), h.axis, angle);
  }

  void mouse(const Projection& p, const Camera& proposed) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantCaptureMouse && !held_ && !turning_) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Arrow);
      return;
    }
    // frames may be long: the hand takes what lay under it when the button went down, and lets go where it went up
    const bool down = ImGui::IsMouseDown(0), dragging = held_ || turning_;
    const glm::dvec2 scale(io.DisplayFramebufferScale.x, io.DisplayFramebufferScale.y);
    const glm::dvec2 now_at = (!down && dragging ? released_at_ : glm::dvec2(io.MousePos.x, io.MousePos.y)) * scale;
    if (ImGui::IsMouseClicked(0)) {
      from_ = pressed_at_ * scale;
      auto [handle, t] = pick(p, from_.x, from_.y);
      held_ = std::move(handle);
      const Vec3 d = p.direction(from_.x, from_.y);
      grip_ = p.eye + d * t;
      depth_ = t * dot(d, p.direction(p.x + p.width / 2.0, p.height / 2.0));
      turning_ = !held_;
      if (demo_->pointed(held_ ? held_->id : -1, held_.has_value())) changed_ = true;
    }
    const double x = now_at.x, y = now_at.y, dx = x - from_.x, dy = y - from_.y;
    from_ = now_at;
    const Vec3 ahead = p.direction(p.x + p.width / 2.0, p.height / 2.0);
    if (held_ && (dx != 0 || dy != 0)) {
      const Vec3 now = p.direction(x, y), before = p.direction(x - dx, y - dy);
      Vec3 by = now * (depth_ / dot(now, ahead)) - before * (depth_ / dot(before, ahead));
      if (held_->way != Handle::Way::free) {
        pull(*held_, p.eye, before, now);
      } else if (io.KeyCtrl) {
        const Vec3 right = unit(cross(ahead, unit(proposed.up))), top = cross(right, ahead);
        demo_->turn(held_->id, top, dx * 0.01 / scale_);
        demo_->turn(held_->id, right, dy * 0.01 / scale_);
      } else {
        for (const auto& [key, axis] : {std::pair{GLFW_KEY_X, Vec3(1, 0, 0)}, std::pair{GLFW_KEY_Y, Vec3(0, 1, 0)}, std::pair{GLFW_KEY_Z, Vec3(0, 0, 1)}})
          if (glfwGetKey(window_, key) == GLFW_PRESS) by = axis * dot(by, axis);
        demo_->drag(held_->id, by);
      }
      changed_ = true;
    } else if (turning_ && (dx != 0 || dy != 0)) {
      view_.turn(proposed, dx * 0.006 / scale_, dy * 0.006 / scale_);
      view_moved_ = Clock::now();
    }
    if (!down) {
      held_.reset();
      turning_ = false;
      if (dx != 0 || dy != 0) {
        const auto under = pick(p, x, y).first;
        if (demo_->pointed(under ? under->id : -1, false)) changed_ = true;
      }
    }
    if ((ImGui::IsMouseDown(1) || ImGui::IsMouseDown(2)) && (dx != 0 || dy != 0)) {
      const Vec3 right = unit(cross(ahead, unit(proposed.up))), top = cross(right, ahead);
      const double f = 2 * length(p.eye - view_.of(proposed).target) / (p.projection[1][1] * p.height);
      view_.shift = view_.shift - right * (dx * f) + top * (dy * f);
      view_moved_ = Clock::now();
    }
    if (io.MouseWheel != 0) {
      view_.nearer(std::pow(0.88, io.MouseWheel));
      view_moved_ = Clock::now();
    }
  }

  void panel(float width, float height) {
    const ImGuiIO& io = ImGui::GetIO();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2(width, height));
    ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
    ImGui::PushFont(fonts_.title);
    ImGui::TextUnformatted("Graze");
    ImGui::PopFont();
    for (int i = 0; i < static_cast<int>(demos().size()); ++i)
      if (ImGui::Selectable(demos()[static_cast<std::size_t>(i)].title, i == index_)) wanted_ = i;
    if (index_ < 0) ImGui::Selectable((demo_->title().size() > 34 ? demo_->name() : demo_->title()).c_str(), true);
    if (!scenes_.empty() && !loading_) {
      ImGui::SetNextItemWidth(-1);
      if (ImGui::BeginCombo("##scenes", "example scenes")) {
        for (const auto& [name, title] : scenes_)
          if (ImGui::Selectable((name + ": " + title).c_str())) dropped({name});
        ImGui::EndCombo();
      }
    }
    if (loading_) {
      ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0, 0.35f, 0.55f, 1));
      ImGui::TextWrapped("Opening %s: %s", loading_->names().c_str(), loading_->text().c_str());
      ImGui::PopStyleColor();
    }
    ImGui::Separator();
    ImGui::TextWrapped("%s", demo_->text().c_str());
    ImGui::Spacing();
    ImGui::PushItemWidth(width * 0.55f);
    demo_->controls();
    if (demo_->moves()) {
      if (ImGui::Button(paused_ ? "Go on" : "Pause")) paused_ = !paused_;
      ImGui::SameLine();
      if (ImGui::Button("One step")) {
        paused_ = true;
        demo_->one_step();
        changed_ = true;
      }
      ImGui::SliderFloat("speed", &speed_, 0.05f, 4, "%.2f", ImGuiSliderFlags_Logarithmic);
    }
    ImGui::PopItemWidth();
    ImGui::Separator();
    if (ImGui::Button("Whole view")) view_ = {};
    ImGui::SameLine();
    if (ImGui::Button("Picture")) screenshot_ = true;
    ImGui::SameLine();
    if (ImGui::Button("Help")) help_ = !help_;
    ImGui::Checkbox("edges", &edges_);
    ImGui::TextDisabled("queries %.2f ms, drawing %.1f ms", query_seconds_ * 1e3, draw_seconds_ * 1e3);
    if (!message_.empty()) {
      ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0.84f, 0.37f, 0, 1));
      ImGui::TextWrapped("%s", message_.c_str());
      ImGui::PopStyleColor();
    }
    if (ImGui::IsAnyItemActive() || (ImGui::IsMouseReleased(0) && ImGui::GetIO().WantCaptureMouse)) {
      changed_ = true;
      awake_ = 3;
    }
    (void)io;
    ImGui::End();
  }

  void help(float x, float width, float height) {
    ImGui::SetNextWindowPos(ImVec2(x + width / 2, height / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::Begin("Keys and mouse", &help_, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
    const auto rows = [&](const std::vector<KeyHelp>& list) {
      for (const KeyHelp& k : list) {
        ImGui::TextUnformatted(k.keys.c_str());
        ImGui::SameLine(13 * fonts_.text->FontSize);
        ImGui::TextUnformatted(k.what.c_str());
      }
    };
    if (!demo_->keys().empty()) {
      ImGui::TextDisabled("%s", demo_->title().c_str());
      rows(demo_->keys());
      ImGui::Separator();
    }
    rows(common_keys());
    ImGui::End();
  }

  void set_scale(int width, int height) {
    const float wish = scale_for(width, height);
    if (fonts_.text && std::abs(wish / scale_ - 1) < 0.12f) return;
    scale_ = wish;
    ImGui::GetIO().Fonts->Clear();
    fonts_ = load_fonts(scale_);
    ImGui::GetStyle() = ImGuiStyle();
    ImGui::StyleColorsLight();
    ImGui::GetStyle().ScaleAllSizes(scale_);
    ImGui::GetStyle().Colors[ImGuiCol_WindowBg] = ImVec4(0.96f, 0.96f, 0.95f, 1);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }

  void frame() {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    if (width <= 0 || height <= 0) return;
    set_scale(width, height);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    if (wanted_ >= 0) {
      choose(wanted_);
      wanted_ = -1;
    }
    const ImGuiIO& io = ImGui::GetIO();
    const float panel_width = std::min(300 * scale_, static_cast<float>(width) * 0.4f);
    const int x = static_cast<int>(panel_width), w = std::max(width - x, 1);
    panel(panel_width / io.DisplayFramebufferScale.x, static_cast<float>(height) / io.DisplayFramebufferScale.y);
    if (help_) help(static_cast<float>(x), static_cast<float>(w), static_cast<float>(height));
    {
      const Projection before(view_.of(picture_.camera), bounds_, w, height, x);
      mouse(before, picture_.camera);
    }
    if (changed_) {
      const auto start = Clock::now();
      set_picture(demo_->picture());
      query_seconds_ = seconds(Clock::now() - start);
    }
    Picture& picture = picture_;
    const Camera proposed = picture.camera;
    picture.camera = view_.of(proposed);
    const bool moving = seconds(Clock::now() - view_moved_) < 0.25;  // so much rest before all of a large model is drawn
    if (moving) awake_ = std::max(awake_, 2);
    draw(picture, w, height, moving);
    glViewport(0, 0, width, height);
    canvas_->show(x);
    const Projection projection(picture.camera, bounds_, w, height, x);
    draw_words(picture, projection, {static_cast<float>(x), 0, static_cast<float>(width), static_cast<float>(height)}, fonts_, scale_, ImGui::GetBackgroundDrawList());
    picture.camera = proposed;
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (screenshot_) {
      screenshot_ = false;
      save(w, height, x);
    }
    glfwSwapBuffers(window_);
    if (title_ != picture.title) {  // after the picture that it is about
      title_ = picture.title;
      glfwSetWindowTitle(window_, ("Graze: " + title_).c_str());
    }
  }

  /// Draws the scene again only when it or the view has changed: widgets do not wait for a large model. What takes long is shown coarsely at once, and drawn in full bit by bit when the view rests.
  void draw(const Picture& picture, int width, int height, bool moving) {
    const Camera& c = picture.camera;
    const bool resized = !canvas_ || canvas_->width() != width || canvas_->height() != height;
    if (resized) {
      canvas_.reset();
      canvas_ = std::make_unique<Canvas>(width, height);
    }
    const bool same_view = c.eye == seen_.eye && c.target == seen_.target && c.up == seen_.up && c.field_of_view == seen_.field_of_view;
    const bool anew = resized || redraw_ || !same_view || edges_ != drawn_edges_;
    const bool sparing = full_seconds_ > 0.04 && std::any_of(picture.parts.begin(), picture.parts.end(), [](const Part& p) { return p.surface && p.surface->coarse; });
    if (!anew && (drawn_all_ || (sparing && moving))) return;
    redraw_ = false;
    seen_ = c;
    drawn_edges_ = edges_;
    const auto start = Clock::now();
    canvas_->bind();
    if (sparing && (anew || moving)) {
      renderer_->draw(picture, width, height, {scale_, true, edges_});
      canvas_->resolve();
      glFinish();
      draw_seconds_ = seconds(Clock::now() - start);
      drawn_all_ = going_on_ = false;
      awake_ = std::max(awake_, 2);
      return;
    }
    const bool done = renderer_->draw(picture, width, height, {scale_, false, edges_, sparing ? 0.03 : 0.0, going_on_});
    if (!going_on_) long_seconds_ = 0;
    long_seconds_ += seconds(Clock::now() - start);
    going_on_ = !done;
    if (!done) {  // what was drawn coarsely stays to be seen
      awake_ = std::max(awake_, 2);
      return;
    }
    canvas_->resolve();
    glFinish();
    if (!sparing) long_seconds_ = seconds(Clock::now() - start);
    full_seconds_ = draw_seconds_ = long_seconds_;
    drawn_all_ = true;
  }

  void save(int width, int height, int x) {
    awake_ = 3;
    std::string path;
    for (int i = 1; path.empty() || std::filesystem::exists(path); ++i) path = fmt::format("graze-{}-{:03}.png", demo_->name(), i);
    try {
      write_png(path, read_back(width, height, x));
      message_ = "written: " + path;
    } catch (const Error& e) {
      message_ = e.what();
    }
  }

  GLFWwindow* window_ = nullptr;
  Axis up_;
  std::unique_ptr<Renderer> renderer_;
  std::unique_ptr<Canvas> canvas_;
  std::unique_ptr<Demo> demo_;
  std::unique_ptr<Loading> loading_;
  std::vector<std::pair<std::string, std::string>> scenes_ = scene_file::example_scenes();
  int index_ = -1, wanted_ = -1, awake_ = 3;
  std::optional<Handle> held_;
  Vec3 grip_{0, 0, 0};  // where the hand took it
  double depth_ = 0;
  glm::dvec2 mouse_at_{0, 0}, pressed_at_{0, 0}, released_at_{0, 0};  // in the window's units
  glm::dvec2 from_{0, 0};                                             // pixels: up to here it has been dragged
  bool turning_ = false, changed_ = true, help_ = false, paused_ = false, edges_ = true, screenshot_ = false;
  bool redraw_ = true, drawn_all_ = false, going_on_ = false, drawn_edges_ = true;
  Camera seen_;
  float speed_ = 1, scale_ = 1;
  Fonts fonts_;
  ViewState view_;
  Picture picture_;
  Box bounds_{Vec3(0, 0, 0), Vec3(1, 1, 1)};
  double query_seconds_ = 0, draw_seconds_ = 0, full_seconds_ = 0, long_seconds_ = 0;
  Clock::time_point view_moved_{};
  std::string message_, title_;
};

}  // namespace

void run_window(const WindowOptions& options) {
  Window window(options);
  window.run(options);
}

}  // namespace graze::view
