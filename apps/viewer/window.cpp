// The window: a list of demonstrations at the left, the picture at the right; handles mouse, keys and dropped files.
#include "viewer/window.hpp"
#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>  // ClosePopupToLevel
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <graze/error.hpp>
#include <memory>
#include <optional>
#include <utility>
#include "input/json.hpp"
#include "viewer/canvas.hpp"
#include "viewer/demo.hpp"
#include "viewer/hand.hpp"
#include "viewer/help_window.hpp"
#include "viewer/image.hpp"
#include "viewer/input.hpp"
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

class Window {
 public:
  explicit Window(const WindowOptions& options) : reading_(options.reading), tell_(options.tell) {
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
      loading_ = std::make_unique<Loading>(options.models, reading_, glfwPostEmptyEvent);
    } else {
      choose(options.demo.empty() ? 0 : static_cast<int>(index_of_demo(options.demo)), options.preset);
    }
    auto last = Clock::now();
    while (!glfwWindowShouldClose(window_)) {
      if (awake_ > 0 || (demo_->moves() && !paused_))
        glfwPollEvents();
      else if (loading_ || !demo_->pending().empty())
        glfwWaitEventsTimeout(0.1);
      else
        glfwWaitEvents();
      if (loading_ && loading_->ready()) opened();
      if (demo_->arrived()) changed_ = true;
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
    // callbacks only queue events; a frame applies them in order, however long the previous frame took
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int, int action, int) {
      note(w, {InputEvent::Kind::key, key, action != GLFW_RELEASE, action == GLFW_REPEAT});
    });
    glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned int c) { note(w, {InputEvent::Kind::text, static_cast<int>(c)}); });
    glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) { note(w, {InputEvent::Kind::move, 0, false, false, {x, y}}); });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int) {
      if (button <= GLFW_MOUSE_BUTTON_MIDDLE) note(w, {InputEvent::Kind::button, button, action == GLFW_PRESS});
    });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double y) { note(w, {InputEvent::Kind::wheel, 0, false, false, {}, y}); });
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
      note(w, {InputEvent::Kind::drop, 0, false, false, {}, 0, {paths, paths + count}});
    });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { static_cast<Window*>(glfwGetWindowUserPointer(w))->awake_ = 3; });
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui_ImplGlfw_InitForOpenGL(window_, false);  // take_input passes its events
    glfwSetWindowFocusCallback(window_, ImGui_ImplGlfw_WindowFocusCallback);
    if (!ImGui_ImplOpenGL3_Init("#version 330 core")) throw NoGraphics("no window can be opened: Dear ImGui finds no OpenGL");
  }

  static void note(GLFWwindow* w, InputEvent event) {
    Window& self = *static_cast<Window*>(glfwGetWindowUserPointer(w));
    self.input_.push(std::move(event));
    self.awake_ = 3;
  }

  void choose(int index, const std::string& preset = "") {
    const int n = static_cast<int>(demos().size());
    index = (index % n + n) % n;
    std::unique_ptr<Demo> demo = make_demo(static_cast<std::size_t>(index), preset);
    demo->reset();
    show(std::move(demo), index);
  }
  void show(std::unique_ptr<Demo> demo, int index) {
    demo_ = std::move(demo);
    demo_->hurry();
    index_ = index;
    view_ = {};
    held_.reset();
    turning_ = false;
    changed_ = true;
    full_seconds_ = 0.25;  // unknown at first: large models are drawn coarsely
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
    loading_ = std::make_unique<Loading>(paths, reading_, glfwPostEmptyEvent);
  }
  /// A file from the command line that cannot be opened ends the program; a dropped file only causes a message.
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
    if (ImGui::GetIO().WantTextInput) return;
    switch (key) {
      case GLFW_KEY_ESCAPE:  // closes an open list first, then the help, then the window; a text field has handled the key before
        if (popup_)
          close_lists_ = true;
        else if (help_)
          help_ = false;
        else
          glfwSetWindowShouldClose(window_, 1);
        return;
      case GLFW_KEY_H:
      case GLFW_KEY_F12:
        help_ = !help_;
        return;
      case GLFW_KEY_PAGE_UP:
        choose(std::max(index_, 0) - 1);
        return;
      case GLFW_KEY_PAGE_DOWN:
        choose(index_ + 1);
        return;
      case GLFW_KEY_F5:
        demo_->reset(), changed_ = true;
        return;
      case GLFW_KEY_HOME:
        view_ = {};
        return;
      case GLFW_KEY_F11:
        screenshot_ = true;
        return;
      case GLFW_KEY_E:
        edges_ = static_cast<EdgeStyle>((static_cast<int>(edges_) + 1) % 3);
        return;
      default:
        break;
    }
    changed_ = true;
    const auto [k, letter] = key_of(key);
    if (demo_->key(k, letter)) return;
    if (k == Key::space) paused_ = !paused_;
    if (k == Key::enter && demo_->moves()) {
      paused_ = true;
      demo_->one_step();
    }
  }

  /// Whether a widget is there. If so, the event goes to Dear ImGui, otherwise to the scene.
  bool over_widgets(const glm::dvec2& at) const {
    const ImVec2 p(static_cast<float>(at.x), static_cast<float>(at.y));
    return p.x < panel_units_ || popup_ ||
           (help_ && p.x >= help_place_.min.x && p.y >= help_place_.min.y && p.x < help_place_.max.x && p.y < help_place_.max.y);
  }
  bool held(int a, int b) const {
    return std::find(keys_down_.begin(), keys_down_.end(), a) != keys_down_.end() || std::find(keys_down_.begin(), keys_down_.end(), b) != keys_down_.end();
  }

  /// Passes a key that is not a character to Dear ImGui. Returns true if a text field takes it; then the remaining events wait for the next frame, since Dear
  /// ImGui sees only the last state of a key per frame.
  bool key_of_field(const InputEvent& event) {
    ImGuiIO& io = ImGui::GetIO();
    if (event.code < 0) return false;
    if (event.code < GLFW_KEY_ESCAPE && !io.KeysDown[event.code] && !held(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL)) return false;
    ImGui_ImplGlfw_KeyCallback(window_, event.code, 0, event.down ? GLFW_PRESS : GLFW_RELEASE, 0);
    return io.WantTextInput;
  }

  /// Applies queued events in order. An event for a widget waits for the frame in which Dear ImGui has the mouse position of that event; later events wait
  /// behind it.
  void take_input(int width, int height, int x) {
    wheel_ = 0;
    bool hover = false;
    while (!input_.empty()) {
      const InputEvent event = input_.pop();
      const glm::dvec2 pixel = event.at * pixels_a_unit_;
      mouse_ = event.at;
      const auto projection = [&] { return Projection(view_.of(picture_.camera), bounds_, width, height, x); };
      switch (event.kind) {
        case InputEvent::Kind::move:
          if (!on_widget_) moved(projection(), pixel);
          from_ = pixel;
          hover = true;
          break;
        case InputEvent::Kind::button: {
          const auto button = static_cast<std::size_t>(event.code);
          from_ = pixel;
          if (event.down && over_widgets(event.at)) on_widget_ = true;
          if (on_widget_) {
            widgets_down_[button] = event.down;
            on_widget_ = widgets_down_[0] || widgets_down_[1] || widgets_down_[2];
            return;
          }
          scene_down_[button] = event.down;
          if (button != 0) break;
          if (event.down) {
            if (changed_) set_picture(demo_->picture());  // earlier keys may have moved the object under the mouse
            grasp(projection(), pixel);
          } else {
            held_.reset();
            turning_ = false;
            hover = true;
          }
          break;
        }
        case InputEvent::Kind::wheel:
          if (over_widgets(event.at)) {
            wheel_ = static_cast<float>(event.wheel);
            return;
          }
          view_.nearer(std::pow(0.88, event.wheel));
          view_moved_ = Clock::now();
          break;
        case InputEvent::Kind::key:
          if (!event.repeated) std::erase(keys_down_, event.code);
          if (event.down && !event.repeated) keys_down_.push_back(event.code);
          if (key_of_field(event)) return;
          if (event.down) pressed(event.code);
          break;
        case InputEvent::Kind::text:
          ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(event.code));
          break;
        case InputEvent::Kind::drop:
          dropped(event.paths);
          break;
      }
    }
    if (hover && !held_ && !turning_ && !on_widget_ && !over_widgets(mouse_)) {
      const glm::dvec2 pixel = mouse_ * pixels_a_unit_;
      const auto under = pick(*demo_, Projection(view_.of(picture_.camera), bounds_, width, height, x), pixel, scale_).first;
      if (demo_->pointed(under ? under->id : -1, false)) changed_ = true;
    }
  }

  void grasp(const Projection& p, const glm::dvec2& at) {
    auto [handle, t] = pick(*demo_, p, at, scale_);
    held_ = std::move(handle);
    const Vec3 d = p.direction(at.x, at.y);
    grip_ = p.eye + d * t;
    depth_ = t * dot(d, p.direction(p.x + p.width / 2.0, p.height / 2.0));
    turning_ = !held_;
    if (demo_->pointed(held_ ? held_->id : -1, held_.has_value())) changed_ = true;
  }

  /// The mouse moves from its previous position to this pixel.
  void moved(const Projection& p, const glm::dvec2& to) {
    const Camera& proposed = picture_.camera;
    const double x = to.x, y = to.y, dx = x - from_.x, dy = y - from_.y;
    if (dx == 0 && dy == 0) return;
    const Vec3 ahead = p.direction(p.x + p.width / 2.0, p.height / 2.0), right = unit(cross(ahead, unit(proposed.up))), top = cross(right, ahead);
    if (held_) {
      const Vec3 now = p.direction(x, y), before = p.direction(x - dx, y - dy);
      Vec3 by = now * (depth_ / dot(now, ahead)) - before * (depth_ / dot(before, ahead));
      if (held_->way != Handle::Way::free) {
        pull(*demo_, *held_, grip_, p.eye, before, now);
      } else if (held(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL)) {
        demo_->turn(held_->id, top, dx * 0.01 / scale_);
        demo_->turn(held_->id, right, dy * 0.01 / scale_);
      } else {
        for (const auto& [key, axis] : {std::pair{GLFW_KEY_X, Vec3(1, 0, 0)}, std::pair{GLFW_KEY_Y, Vec3(0, 1, 0)}, std::pair{GLFW_KEY_Z, Vec3(0, 0, 1)}})
          if (held(key, key)) by = axis * dot(by, axis);
        demo_->drag(held_->id, by);
      }
      changed_ = true;
    } else if (turning_) {
      view_.turn(proposed, dx * 0.006 / scale_, dy * 0.006 / scale_);
      view_moved_ = Clock::now();
    }
    if (scene_down_[1] || scene_down_[2]) {
      const double f = 2 * length(p.eye - view_.of(proposed).target) / (p.projection[1][1] * p.height);
      view_.shift = view_.shift - right * (dx * f) + top * (dy * f);
      view_moved_ = Clock::now();
    }
  }

  static void colored(const ImVec4& color, const std::string& text) {
    if (text.empty()) return;
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::TextWrapped("%s", text.c_str());
    ImGui::PopStyleColor();
  }

  void panel(float width, float height) {
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2(width, height));
    ImGui::Begin("panel", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
    ImGui::PushFont(fonts_.title);
    ImGui::TextUnformatted("Graze");
    ImGui::PopFont();
    for (std::size_t i = 0; i < demos().size(); ++i) {
      if (i == 0 || std::string_view(demos()[i].group) != demos()[i - 1].group) ImGui::TextDisabled("%s", demos()[i].group);
      ImGui::Indent(8 * scale_);
      if (ImGui::Selectable(demos()[i].title, static_cast<int>(i) == index_)) wanted_ = static_cast<int>(i);
      ImGui::Unindent(8 * scale_);
    }
    if (index_ < 0) ImGui::Selectable((demo_->title().size() > 34 ? demo_->name() : demo_->title()).c_str(), true);
    if (!scenes_.empty() && !loading_) {
      ImGui::SetNextItemWidth(-1);
      if (ImGui::BeginCombo("##scenes", "example scenes")) {
        for (const auto& [name, title] : scenes_)
          if (ImGui::Selectable(fmt::format("{}: {}", name, title).c_str())) dropped({name});
        ImGui::EndCombo();
      }
    }
    colored(ImVec4(0, 0.35f, 0.55f, 1), loading_ ? "Opening " + loading_->names() + ": " + loading_->text() : demo_->pending());
    colored(ImVec4(0.68f, 0.22f, 0, 1), message_);
    ImGui::Separator();
    ImGui::TextWrapped("%s", demo_->text().c_str());
    ImGui::Spacing();
    ImGui::PushItemWidth(width * 0.55f);
    demo_->controls();
    if (demo_->moves()) {
      if (ImGui::Button(paused_ ? "Resume" : "Pause")) paused_ = !paused_;
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
    int edges = static_cast<int>(edges_);
    if (ImGui::Combo("edges", &edges, "none\0borders and creases\0all triangles\0")) edges_ = static_cast<EdgeStyle>(edges);
    ImGui::TextDisabled("queries %.2f ms, drawing %.1f ms", query_seconds_ * 1e3, draw_seconds_ * 1e3);
    const bool active = ImGui::IsAnyItemActive();
    if (active || was_active_ ||
        (ImGui::IsMouseReleased(0) && ImGui::GetIO().WantCaptureMouse)) {  // a text field reports its number in the frame in which it loses focus
      changed_ = true;
      awake_ = 3;
    }
    was_active_ = active;
    popup_ = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    ImGui::End();
  }

  void set_scale(int width, int height) {
    const float wish = scale_for(width, height);
    if (fonts_.text && std::abs(wish / scale_ - 1) < 0.12f) return;
    scale_ = wish;
    ImGui::GetIO().Fonts->Clear();
    fonts_ = load_fonts(scale_);
    set_style(scale_);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }

  void frame() {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    if (width <= 0 || height <= 0) return;
    set_scale(width, height);
    int units_wide = 0, units_high = 0;
    glfwGetWindowSize(window_, &units_wide, &units_high);
    pixels_a_unit_ = {static_cast<double>(width) / std::max(units_wide, 1), static_cast<double>(height) / std::max(units_high, 1)};
    const float panel_width = std::min(300 * scale_, static_cast<float>(width) * 0.4f);
    panel_units_ = panel_width / static_cast<float>(pixels_a_unit_.x);
    const int x = static_cast<int>(panel_width), w = std::max(width - x, 1);
    if (wanted_ >= 0) {  // selected from the list in the last frame
      choose(wanted_);
      wanted_ = -1;
    }
    take_input(w, height, x);
    if (!input_.empty()) awake_ = 3;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGuiIO& io = ImGui::GetIO();  // widgets see the mouse at the positions of their events
    io.MousePos = ImVec2(static_cast<float>(mouse_.x), static_cast<float>(mouse_.y));
    for (std::size_t i = 0; i < 3; ++i) io.MouseDown[i] = widgets_down_[i];
    io.MouseWheel = wheel_;
    ImGui::NewFrame();
    if (close_lists_ && ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) ImGui::ClosePopupToLevel(0, false);
    close_lists_ = false;
    panel(panel_width / io.DisplayFramebufferScale.x, static_cast<float>(height) / io.DisplayFramebufferScale.y);
    const ImVec2 middle(static_cast<float>(x + w / 2), static_cast<float>(height / 2));
    if (help_) help_place_ = draw_help(*demo_, middle, 13 * fonts_.text->FontSize, help_);
    if (changed_) {
      const auto start = Clock::now();
      set_picture(demo_->picture());
      query_seconds_ = seconds(Clock::now() - start);
    }
    Picture& picture = picture_;
    const Camera proposed = picture.camera;
    picture.camera = view_.of(proposed);
    const bool moving = seconds(Clock::now() - view_moved_) < 0.25;  // idle time before a large model is drawn in full
    if (moving) awake_ = std::max(awake_, 2);
    draw(picture, w, height, moving);
    glViewport(0, 0, width, height);
    canvas_->show(x);
    const Projection projection(picture.camera, bounds_, w, height, x);
    draw_words(picture, projection, {static_cast<float>(x), 0, static_cast<float>(width), static_cast<float>(height)}, fonts_, scale_,
               ImGui::GetBackgroundDrawList());
    picture.camera = proposed;
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (screenshot_) {
      screenshot_ = false;
      save(w, height, x);
    }
    glfwSwapBuffers(window_);
    if (title_ != picture.title) {  // after the picture that it describes
      title_ = picture.title;
      glfwSetWindowTitle(window_, ("Graze: " + title_).c_str());
    }
    if (tell_) {
      std::string line;
      cli::JsonObject words(line);
      words.add("demo", demo_->name()).add("title", picture.title).add("caption", picture.caption).add("message", message_);
      words.add("opening", loading_ ? loading_->names() : "").add("pending", demo_->pending()).end();
      if (line != told_) tell_(told_ = std::move(line));
    }
  }

  /// Redraws the scene only when it or the view has changed, so that widgets do not wait for a large model. A scene that takes long is first shown coarsely,
  /// and drawn in full incrementally while the view is at rest.
  void draw(const Picture& picture, int width, int height, bool moving) {
    const Camera& c = picture.camera;
    const bool resized = !canvas_ || canvas_->width() != width || canvas_->height() != height;
    if (resized) {
      canvas_.reset();
      canvas_ = std::make_unique<Canvas>(width, height);
    }
    const bool same_view = c.eye == seen_.eye && c.target == seen_.target && c.up == seen_.up && c.field_of_view == seen_.field_of_view;
    const bool anew = resized || redraw_ || !same_view || edges_ != drawn_edges_;
    const bool sparing =
        full_seconds_ > 0.04 && std::any_of(picture.parts.begin(), picture.parts.end(), [](const Part& p) { return p.surface && p.surface->coarse; });
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
    if (!done) {  // the coarse picture remains visible
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
  OpenOptions reading_;
  std::function<void(const std::string&)> tell_;
  std::unique_ptr<Renderer> renderer_;
  std::unique_ptr<Canvas> canvas_;
  std::unique_ptr<Demo> demo_;
  std::unique_ptr<Loading> loading_;
  std::vector<std::pair<std::string, std::string>> scenes_ = scene_file::example_scenes();
  int index_ = -1, wanted_ = -1, awake_ = 3;
  std::optional<Handle> held_;
  Vec3 grip_{0, 0, 0};  // the grabbed point
  double depth_ = 0;
  InputQueue input_;
  glm::dvec2 mouse_{0, 0}, pixels_a_unit_{1, 1};  // position after the applied events, in the window's units
  glm::dvec2 from_{0, 0};                         // the same in pixels
  std::array<bool, 3> widgets_down_{}, scene_down_{};
  std::vector<int> keys_down_;
  float wheel_ = 0, panel_units_ = 0;
  bool on_widget_ = false, popup_ = false, close_lists_ = false, was_active_ = false;
  HelpPlace help_place_;
  bool turning_ = false, changed_ = true, help_ = false, paused_ = false, screenshot_ = false;
  bool redraw_ = true, drawn_all_ = false, going_on_ = false;
  EdgeStyle edges_ = EdgeStyle::features, drawn_edges_ = EdgeStyle::features;
  Camera seen_;
  float speed_ = 1, scale_ = 1;
  Fonts fonts_;
  ViewState view_;
  Picture picture_;
  Box bounds_{Vec3(0, 0, 0), Vec3(1, 1, 1)};
  double query_seconds_ = 0, draw_seconds_ = 0, full_seconds_ = 0, long_seconds_ = 0;
  Clock::time_point view_moved_{};
  std::string message_, title_, told_;
};

}  // namespace

void run_window(const WindowOptions& options) {
  Window window(options);
  window.run(options);
}

}  // namespace graze::view
