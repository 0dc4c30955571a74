// The world's members as parts; bodies of one shape share a surface.
#include "viewer/replay.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "viewer/demo.hpp"

namespace graze::view {

namespace {

constexpr Color kBodies[] = {kSkyBlue, kOrange, kGreen, kPurple, kBlue, kYellow};

bool same(const AnyShape& a, const AnyShape& b) {
  if (a.kind() != b.kind()) return false;
  if (const Hull* h = a.get<Hull>()) return &h->data() == &b.get<Hull>()->data();
  if (const Mesh* m = a.get<Mesh>()) return &m->impl() == &b.get<Mesh>()->impl();
  if (a.get<Solid>() || a.get<HeightField>() || a.get<Compound>() || a.get<Frustum>() || a.get<Polygon>()) return false;
  const auto numbers = [](const AnyShape& s) {  // the shapes that are left hold numbers only
    return std::visit(
        [](const auto& x) {
          std::vector<double> v;
          using S = std::decay_t<decltype(x)>;
          if constexpr (requires { S::fields(); })
            std::apply(
                [&](const auto&... field) {
                  const auto add = [&](const auto& value) {
                    using T = std::decay_t<decltype(value)>;
                    const auto add_point = [&](const Vec3& p) {
                      for (int k = 0; k < 3; ++k) v.push_back(p[k]);
                    };
                    if constexpr (std::is_same_v<T, double>) {
                      v.push_back(value);
                    } else if constexpr (std::is_same_v<T, Vec3>) {
                      add_point(value);
                    } else {
                      for (const Vec3& p : value) add_point(p);
                    }
                  };
                  (add(x.*(field.member)), ...);
                },
                S::fields());
          return v;
        },
        s.value());
  };
  return numbers(a) == numbers(b);
}

}  // namespace

ReplayRecorder::ReplayRecorder(const World& world, std::string title, double seconds_per_frame, Axis up) : up_(up) {
  page_.seconds_per_frame = seconds_per_frame;
  Picture& picture = page_.picture;
  picture.title = std::move(title);
  const Scene& fixed = world.fixed();
  for (const MemberId id : fixed.members()) {
    Look look;
    add_shape(picture, fixed.shape(id), fixed.pose(id), look);
  }
  const Box box = bounds(picture);
  const double size = std::max(length(box.max - box.min), 1e-300);
  page_.first_moving = picture.parts.size();
  struct Known {
    const AnyShape* shape;
    SurfacePtr surface;
  };
  std::vector<Known> known;
  for (BodyId id = 0; id < world.bodies(); ++id) {
    if (!world.alive(id)) continue;
    const AnyShape& shape = world.shape(id);
    auto it = std::find_if(known.begin(), known.end(), [&](const Known& k) { return same(*k.shape, shape); });
    if (it == known.end()) {
      Picture one;
      const Point* point = shape.get<Point>();
      add_shape(one, point ? AnyShape(Sphere{point->point, size * 0.006}) : shape, Pose{}, {});
      known.push_back({&shape, one.parts.empty() ? SurfacePtr() : one.parts[0].surface});
      it = known.end() - 1;
    }
    if (!it->surface) continue;
    bodies_.push_back(id);
    picture.parts.push_back({it->surface, world.pose(id), kBodies[(bodies_.size() - 1) % std::size(kBodies)]});
  }
}

void ReplayRecorder::frame(const World& world) {
  PageFrame frame;
  for (const BodyId id : bodies_) frame.poses.push_back(world.alive(id) ? world.pose(id) : translation(Vec3(1e30, 1e30, 1e30)));
  const std::size_t number = page_.frames.size();
  page_.frames.push_back(std::move(frame));
  for (const ImpactEvent& e : world.impacts()) {
    ++impacts_;
    if (page_.hits.size() >= 100000) continue;
    std::string where;
    if (world.fixed().size() > 1 && world.fixed().has(e.a)) where = world.fixed().name(e.a).empty() ? fmt::format(" member {}", e.a) : " " + world.fixed().name(e.a);
    page_.hits.push_back({fmt::format("{:.3f} s: body {} hits{} at speed {:.3g}", e.time, e.b, where, e.speed), e.point, 0, number});
  }
  for (const ExplodeEvent& e : world.explosions()) page_.hits.push_back({fmt::format("{:.3f} s: body {} goes off", e.time, e.body), e.point, 0, number});
}

Page ReplayRecorder::page(std::size_t most_hits) const {
  Page page = page_;
  page.hits_title = fmt::format("{}{} impacts", page.hits.size() > most_hits ? fmt::format("{} of ", most_hits) : "", impacts_);
  if (page.hits.size() > most_hits) page.hits.resize(most_hits);
  page.picture.caption = {fmt::format("{} bodies, {} frames, {:.3f} s; {} impacts", bodies_.size(), page.frames.size(), static_cast<double>(page.frames.size()) * page.seconds_per_frame, impacts_)};
  page.picture.legend = {{kStone, "fixed"}};
  // the view takes in where most bodies are over the whole time
  Box box = bounds(page.picture);
  std::vector<double> places[3];
  for (const PageFrame& f : page.frames)
    for (const Pose& p : f.poses)
      for (int k = 0; k < 3; ++k)
        if (std::abs(p.translation[k]) < 1e29) places[k].push_back(p.translation[k]);
  for (int k = 0; k < 3; ++k) {
    if (places[k].empty()) continue;
    std::sort(places[k].begin(), places[k].end());
    box.min[k] = std::min(box.min[k], places[k][places[k].size() / 50]);
    box.max[k] = std::max(box.max[k], places[k][places[k].size() - 1 - places[k].size() / 50]);
  }
  page.picture.focus = box;
  page.picture.camera = fit(box, usual_direction(up_), axis_vector(up_), 1.6);
  return page;
}

}  // namespace graze::view
