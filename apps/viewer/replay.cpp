// Records the frames of a stage and the events in them.
#include "viewer/replay.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>
#include "viewer/demo.hpp"

namespace graze::view {

using scene_file::Simulation;

namespace {
constexpr std::size_t kMostListed = 500;  // events
}

ReplayRecorder::ReplayRecorder(const World& world, std::string title, double seconds_per_frame, Axis up,
                               const std::vector<std::shared_ptr<const AnyShape>>& looks)
    : stage_(world, nullptr, looks), up_(axis_vector(up)) {
  page_.picture = stage_.picture();
  page_.picture.title = std::move(title);
  page_.seconds_per_frame = seconds_per_frame;
  page_.first_moving = stage_.first_moving();
  page_.start = world.time();
  page_.frames.push_back({stage_.poses(world, nullptr), {}});
}

ReplayRecorder::ReplayRecorder(const Simulation& simulation) : stage_(simulation.world(), &simulation), up_(unit(simulation.scene().up)) {
  const scene_file::SceneFile& scene = simulation.scene();
  page_.picture = stage_.picture();
  page_.picture.title = scene.title.empty() ? scene.name : scene.title;
  page_.seconds_per_frame = scene.step;
  page_.first_moving = stage_.first_moving();
  for (std::size_t i = 0; i < scene.cloths.size(); ++i) page_.sheets.push_back(stage_.first_sheet() + i);
  trail_.emplace(simulation, stage_.box());
  if (scene.camera && scene.camera->rides.empty()) camera_ = camera_of(scene, stage_.box());
  page_.start = simulation.world().time();
  page_.frames.push_back({stage_.poses(simulation.world(), &simulation), {}});
  for (const scene_file::ClothState& c : simulation.cloths()) page_.frames.back().sheets.push_back(c.vertices);
}

void ReplayRecorder::frame(const World& world) { record(world, nullptr); }
void ReplayRecorder::frame(const Simulation& simulation) { record(simulation.world(), &simulation); }

/// Counts an event of the step that leads to the frame that is recorded next. Returns whether it is to be listed, too.
bool ReplayRecorder::count(double time) {
  const std::size_t step = page_.frames.size() - 1;
  page_.ticks.resize((step + 1) * kTicks);
  const double part = (time - page_.start) / page_.seconds_per_frame - static_cast<double>(step);
  ++page_.ticks[step * kTicks + static_cast<std::size_t>(std::clamp(part, 0.0, 0.999) * kTicks)];
  ++events_;
  return page_.hits.size() < kMostListed;
}

void ReplayRecorder::record(const World& world, const Simulation* simulation) {
  PageFrame frame;
  frame.poses = stage_.poses(world, simulation);
  if (simulation) {
    for (const scene_file::ClothState& c : simulation->cloths()) frame.sheets.push_back(c.vertices);
    for (const Stroke& s : trail_->step(*simulation)) page_.trails.push_back({s, page_.frames.size()});
    for (PageHit& hit : events_of(*simulation, &stage_)) {
      hit.frame = page_.frames.size();
      if (count(*hit.time)) page_.hits.push_back(std::move(hit));
    }
  }
  static const std::vector<std::string> none;
  const auto body = [&](BodyId id) { return name_in(simulation ? simulation->scene().body_names : none, id, "body"); };
  const auto list = [&](std::string text, const Vec3& at, double time) {
    PageHit& hit = page_.hits.emplace_back();
    hit.text = std::move(text);
    hit.at = at;
    hit.frame = page_.frames.size();
    hit.time = time;
  };
  for (const ImpactEvent& e : world.impacts()) {
    ++impacts_;
    if (!count(e.time)) continue;
    std::string where;
    if (world.fixed().size() > 1 && world.fixed().has(e.a))
      where = " " + (simulation                        ? name_in(simulation->scene().fixed_names, e.a, "member")
                     : world.fixed().name(e.a).empty() ? fmt::format("member {}", e.a)
                                                       : world.fixed().name(e.a));
    list(fmt::format("{:.3f} s: {} hits{} at speed {:.3g}", e.time, body(e.b), where, e.speed), e.point, e.time);
  }
  for (const ExplodeEvent& e : world.explosions())
    if (count(e.time)) list(fmt::format("{:.3f} s: {} goes off", e.time, body(e.body)), e.point, e.time);
  page_.frames.push_back(std::move(frame));
}

Page ReplayRecorder::page() const {
  Page page = page_;
  const char* what = events_ == impacts_ && impacts_ > 0 ? "impact" : "event";
  page.hits_title = events_ > page.hits.size() ? fmt::format("The first {} of {} {}s; the line of time has ticks for all", page.hits.size(), events_, what)
                                               : fmt::format("{} {}{}", events_, what, events_ == 1 ? "" : "s");
  page.ticks.resize((page.frames.size() - 1) * kTicks);
  page.shown = (page.frames.size() - 1) / 2;
  std::uint64_t over = 0;
  for (std::size_t i = 0; i < page.ticks.size() && 2 * over < events_; ++i) {
    over += page.ticks[i];
    if (2 * over >= events_) page.shown = i / kTicks + 1;
  }
  std::string caption;
  if (stage_.bodies() > 0) caption = fmt::format("{} bodies, ", stage_.bodies());
  const std::size_t steps = page.frames.size() - 1;  // after the first frame
  caption += fmt::format("{} steps, {:.3f} s", steps, static_cast<double>(steps) * page.seconds_per_frame);
  if (stage_.bodies() > 0) caption += fmt::format("; {} impacts", impacts_);
  page.picture.caption = {caption};
  // the view shows the region where most moving objects are during the whole recording
  Box box = stage_.box();
  std::vector<double> places[3];
  for (const PageFrame& f : page.frames) {
    for (const Pose& p : f.poses)
      for (int k = 0; k < 3; ++k)
        if (std::abs(p.translation[k]) < 1e29) places[k].push_back(p.translation[k]);
  }
  for (int k = 0; k < 3; ++k) {
    if (places[k].empty()) continue;
    std::sort(places[k].begin(), places[k].end());
    box.min[k] = std::min(box.min[k], places[k][places[k].size() / 50]);
    box.max[k] = std::max(box.max[k], places[k][places[k].size() - 1 - places[k].size() / 50]);
  }
  page.picture.focus = box;
  const Axis up = near_axis(up_);
  const Vec3 from = usual_direction(up);
  page.picture.camera = camera_ ? *camera_ : fit(box, dot(up_, from) < 0 ? from * -1.0 : from, up_, 1.6);
  return page;
}

}  // namespace graze::view
