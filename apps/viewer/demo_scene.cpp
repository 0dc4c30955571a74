// Demonstration: a scene file, played from start to end in a loop, with a camera from the file or one that rides on a body or a walker.
#include <fmt/format.h>
#include <imgui.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <graze/error.hpp>
#include <graze/io.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "viewer/open.hpp"
#include "viewer/replay.hpp"

namespace graze::view {

using scene_file::SceneFile;
using scene_file::Simulation;

namespace {

class SceneDemo : public Demo {
 public:
  explicit SceneDemo(SceneFile file) : file_(std::move(file)) { SceneDemo::reset(); }
  std::string name() const override { return file_.name; }
  std::string title() const override { return file_.title.empty() ? file_.name : file_.title; }
  std::string text() const override { return "A scene from a file. It plays to its end and restarts."; }
  std::vector<KeyHelp> keys() const override {
    std::vector<KeyHelp> list{{"G", "fixed things of glass, or not"}};
    if (rideable()) list.push_back({"R", "ride, or look on"});
    return list;
  }
  void reset() override {
    sim_.emplace(file_);
    stage_.emplace(sim_->world(), &*sim_);
    trail_.emplace(*sim_, stage_->box());
    ways_.clear();
    marks_.clear();
    shots_.clear();
    last_event_.clear();
    impacts_ = 0;
    stopped_ = exploded_ = false;
    owed_ = 0;
    heading_ = Vec3(0, 0, 0);
  }
  bool key(Key, char letter) override {
    if (letter == 'g') return glass_ = !glass_, true;
    if (letter == 'r' && rideable()) return ride_ = !ride_, true;
    return false;
  }
  void controls() override {
    ImGui::Checkbox("all fixed things of glass", &glass_);
    if (rideable()) ImGui::Checkbox("ride", &ride_);
    ImGui::ProgressBar(static_cast<float>(sim_->frame()) / static_cast<float>(std::max<std::uint64_t>(sim_->frames(), 1)), ImVec2(-1, 0),
                       fmt::format("{:.2f} of {:g} s", sim_->world().time(), file_.duration).c_str());
  }
  bool moves() const override { return true; }
  void step(double dt) override {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::milliseconds(60);  // slow scenes run slowly
    owed_ = std::min(owed_ + dt, 0.25);
    for (; owed_ >= file_.step && Clock::now() < end; owed_ -= file_.step) one_step();
    if (owed_ >= file_.step) owed_ = 0;
  }
  void one_step() override {
    if (sim_->frame() >= sim_->frames()) reset();
    advance();
  }
  void play(double u) override {
    const auto wanted = static_cast<std::uint64_t>(std::lround(u * static_cast<double>(sim_->frames())));
    if (wanted < sim_->frame()) reset();
    while (sim_->frame() < wanted) advance();
  }
  double still() const override {
    const std::size_t n = file_.world.bodies();
    if (!file_.cloths.empty() || !file_.turning.empty()) return 1;  // the final state
    if (n > 1000) return 0.15;                                      // shows much, but takes time to compute
    return n > 0 && n <= 16 ? 0.9 : 0.6;
  }
  double seconds() const override { return file_.duration; }
  std::optional<Page> replay() override {
    Simulation simulation(file_);
    ReplayRecorder recorder(simulation);
    while (simulation.frame() < simulation.frames()) {
      simulation.step();
      recorder.frame(simulation);
    }
    return recorder.page();
  }

  std::optional<Ride> ride() const override {
    if (!ride_ || !rideable()) return {};
    const Vec3 on = on_body();
    Camera camera = ridden();
    const Vec3 ahead = camera.target - camera.eye;
    camera.eye = eye_behind(sim_->world().fixed(), on, camera.eye, 0.004 * size());
    camera.target = camera.eye + ahead;
    return Ride{sim_->world().fixed(), on, camera};
  }

  Picture picture() override {
    const bool riding = ride_ && rideable();
    Picture picture = stage_->picture();
    for (std::size_t i = 0; i < stage_->first_moving(); ++i)
      if (riding)
        picture.parts[i].opacity = 1;
      else if (glass_)
        picture.parts[i].opacity = 0.35f;
    const std::vector<Pose> poses = stage_->poses(sim_->world(), &*sim_);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      Part& part = picture.parts[stage_->first_moving() + i];
      part.pose = poses[i];
      if (std::abs(poses[i].translation.x) > 1e29) part.surface = nullptr;                              // gone
      if (riding && ridden_walker() && stage_->is_walker(i, *ridden_walker())) part.surface = nullptr;  // contains the eye
    }
    for (std::size_t i = 0; i < sim_->cloths().size(); ++i)
      picture.parts[stage_->first_sheet() + i].surface = surface_of(file_.cloths[i].mesh.refit(sim_->cloths()[i].vertices));
    std::erase_if(picture.parts, [](const Part& p) { return !p.surface; });
    picture.strokes.insert(picture.strokes.end(), ways_.begin(), ways_.end());
    for (const Mark& m : marks_) picture.strokes.push_back({m.at, m.at + m.normal * (0.03 * size() * (1 - m.age / kMarkSeconds)), kColorHit, 3});
    for (const Vec3& p : shots_) picture.dots.push_back({p, kColorHit, 18, true});
    picture.title = title();
    std::string facts = fmt::format("{:.3f} s, step {} of {}", sim_->world().time(), sim_->frame(), sim_->frames());
    if (stage_->bodies() > 0) facts += fmt::format("; {} bodies, {} impacts", stage_->bodies(), impacts_);
    picture.caption = {facts};
    for (std::size_t i = 0; i < sim_->cloths().size(); ++i)
      picture.caption.push_back(fmt::format("{}: {} features held in the last step", file_.cloths[i].name, sim_->cloths()[i].contacts));
    if (!last_event_.empty()) picture.caption.push_back(last_event_);
    for (std::string& line : cli::caption_of(file_.notes)) picture.caption.push_back(std::move(line));
    if (impacts_ > 0) picture.legend.push_back({kColorHit, exploded_ ? "impact and its normal; where it went off" : "impact and its normal"});
    if (stopped_) picture.legend.push_back({kColorHit, "where it touches and stops"});
    picture.focus = stage_->box();
    picture.camera = riding ? ride()->camera : camera_of(file_, stage_->box());
    return picture;
  }

 private:
  static constexpr double kMarkSeconds = 0.5;
  struct Mark {
    Vec3 at, normal;
    double age;
  };
  double size() const { return length(stage_->box().max - stage_->box().min); }
  bool rideable() const { return (file_.camera && !file_.camera->rides.empty()) || !file_.walkers.empty() || sim_->world().bodies() > 0; }

  void advance() {
    const Vec3 before = seat();
    sim_->step();
    const Vec3 way = seat() - before, up = unit(file_.up), flat = way - up * dot(way, up);
    if (length(flat) > 1e-3 * size() * file_.step && length(flat) < 0.2 * size()) heading_ = unit(heading_ * 0.93 + unit(flat) * 0.07);
    for (const Stroke& s : trail_->step(*sim_)) ways_.push_back(s);
    if (ways_.size() > 20000) ways_.erase(ways_.begin(), ways_.begin() + 1000);
    for (Mark& m : marks_) m.age += file_.step;
    std::erase_if(marks_, [](const Mark& m) { return m.age > kMarkSeconds; });
    impacts_ += sim_->world().impacts().size();
    for (const ImpactEvent& e : sim_->world().impacts())
      if (marks_.size() < 400) marks_.push_back({e.point, e.normal, 0});
    for (const PageHit& hit : events_of(*sim_)) last_event_ = hit.text;
    for (const scene_file::FiredShot& s : sim_->shots())
      if (s.hit) shots_.push_back(s.hit->hit.point);
    for (const scene_file::TurningState& t : sim_->turning())
      if (t.stopped_now) {
        shots_.push_back(t.point);
        stopped_ = true;
      }
    for (const ExplodeEvent& e : sim_->world().explosions()) {
      shots_.push_back(e.point);
      exploded_ = true;
      last_event_ = fmt::format("{:.3f} s: {} goes off at {}", e.time, name_in(file_.body_names, e.body, "body"), short_text(e.point));
    }
  }

  std::string ride_name() const { return file_.camera ? file_.camera->rides : std::string(); }
  std::optional<std::size_t> ridden_walker() const {
    for (std::size_t i = 0; i < file_.walkers.size(); ++i)
      if (ride_name().empty() || file_.walkers[i].name == ride_name()) return i;
    return {};
  }
  /// The object to ride on: the one named by the file, else the first walker, else the first body.
  Vec3 seat() const {
    if (const auto i = ridden_walker()) return sim_->walkers()[*i].position;
    const std::string name = ride_name();
    for (BodyId id = 0; id < sim_->world().bodies(); ++id)
      if (sim_->world().alive(id) && (name.empty() || (id < file_.body_names.size() && file_.body_names[id] == name))) return sim_->world().position(id);
    return stage_->box().min * 0.5 + stage_->box().max * 0.5;
  }
  /// A point of the object to ride on; for a walker, the centre of its body.
  Vec3 on_body() const {
    if (const auto i = ridden_walker()) {
      const Box body = bounding_box(file_.walkers[*i].shape);
      return seat() + (body.min * 0.5 + body.max * 0.5);
    }
    return seat();
  }
  /// The eye of a walker is inside its body and therefore never in a wall. A body is seen from slightly behind, following its rotation, where there is room.
  Camera ridden() const {
    const Vec3 up = unit(file_.up), p = seat();
    Vec3 ahead = length(heading_) > 0 ? unit(heading_) : Vec3(0, 0, 0);
    if (length(ahead) == 0) ahead = unit(std::abs(up.x) < 0.9 ? Vec3(1, 0, 0) - up * up.x : Vec3(0, 1, 0) - up * up.y);
    if (const auto i = ridden_walker()) {
      const Box body = bounding_box(file_.walkers[*i].shape);
      const Vec3 top = (body.min + body.max) * 0.5;
      const double high = 0.42 * std::abs(dot(body.max - body.min, up));
      const Vec3 eye = p + up * (dot(top, up) + high);
      return Camera{eye, eye + ahead * (0.1 * size()) - up * (0.012 * size()), up, 1.1, 0};
    }
    return Camera{p - ahead * (0.12 * size()) + up * (0.05 * size()), p + ahead * (0.15 * size()) - up * (0.02 * size()), up, 1.0, 0};
  }

  SceneFile file_;
  std::optional<Simulation> sim_;
  std::optional<Stage> stage_;
  std::optional<Trail> trail_;
  std::vector<Stroke> ways_;
  std::vector<Mark> marks_;
  std::vector<Vec3> shots_;  // hits, contacts that stopped turning objects, explosions of grenades
  std::string last_event_;
  std::uint64_t impacts_ = 0;
  double owed_ = 0;
  Vec3 heading_{0, 0, 0};
  bool ride_ = false, glass_ = false, stopped_ = false, exploded_ = false;
};

}  // namespace

std::unique_ptr<Demo> make_scene_demo(SceneFile scene) { return std::make_unique<SceneDemo>(std::move(scene)); }

bool is_scene(const std::string& path) {
  const std::filesystem::path p(path);
  if (p.extension() == ".json") return true;
  std::error_code ignored;
  if (p.has_parent_path() || p.has_extension() || std::filesystem::exists(p, ignored)) return false;
  const auto examples = scene_file::example_scenes();
  return std::any_of(examples.begin(), examples.end(), [&](const auto& e) { return e.first == path; });
}

std::unique_ptr<Demo> open_files(const std::vector<std::string>& paths, const OpenOptions& options, const std::function<void(const std::string&)>& tell) {
  const auto say = [&](const std::string& what) {
    if (tell) tell(what);
  };
  if (std::any_of(paths.begin(), paths.end(), is_scene)) {
    if (paths.size() > 1) throw Error(ErrorCode::invalid_argument, paths[is_scene(paths[0]) ? 0 : 1] + ": a scene cannot be opened together with other files");
    say("reading the scene");
    scene_file::SceneFile scene = scene_file::load_scene(paths[0]);
    cli::print_notes(scene.notes);
    return make_scene_demo(std::move(scene));
  }
  std::vector<NamedMesh> models;
  cli::UpChoice choice(options.up);
  cli::ModelNotes notes(options.literal);
  std::vector<LoadedModel> loaded = notes.load_together(paths, [&](std::size_t i) {
    const std::filesystem::path p(paths[i]);
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(p, unknown);
    say(unknown ? "reading " + p.filename().string() : fmt::format("reading {}, {:.1f} MB", p.filename().string(), static_cast<double>(bytes) * 1e-6));
    return Progress();
  });
  for (std::size_t i = 0; i < paths.size(); ++i) {
    choice.take(loaded[i]);
    models.push_back({std::filesystem::path(paths[i]).filename().string(), Mesh(std::move(loaded[i].data)), Pose{}});
  }
  std::size_t triangles = 0;
  for (const NamedMesh& m : models) triangles += m.mesh.size();
  say(fmt::format("making {} triangles ready to be drawn", triangles));
  cli::print_notes(notes.list());
  return make_models_demo(std::move(models), choice.result(), notes.list());
}

}  // namespace graze::view
