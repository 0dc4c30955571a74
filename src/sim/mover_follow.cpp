// The effect of moved members on a mover: they carry a mover that stands on them and push it out of their path.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include <graze/mover.hpp>

#include "math/limits.hpp"
#include "scene/particle_path.hpp"
#include "sim/mover_path.hpp"

namespace graze {
namespace {

using mover::Path;

/// Composition: q after p.
Pose after(const Pose& q, const Pose& p) {
  Pose r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      r.rotation[i][j] = (q.rotation[i][0] * p.rotation[0][j] + q.rotation[i][1] * p.rotation[1][j]) + q.rotation[i][2] * p.rotation[2][j];
  r.translation = q.apply(p.translation);
  return r;
}
Vec3 turned_back(const Pose& p, const Vec3& v) {
  Vec3 r;
  for (int i = 0; i < 3; ++i) r[i] = (p.rotation[0][i] * v.x + p.rotation[1][i] * v.y) + p.rotation[2][i] * v.z;
  return r;
}
bool same(const Pose& a, const Pose& b) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (a.rotation[i][j] != b.rotation[i][j]) return false;
  return a.translation == b.translation;
}

bool encloses(const Box& outer, const Box& inner) {
  for (int k = 0; k < 3; ++k)
    if (inner.min[k] < outer.min[k] || inner.max[k] > outer.max[k]) return false;
  return true;
}

/// A constraint on a push d: normal . d >= least.
struct Wall {
  Vec3 normal;
  double least;
};

/// Finds a short d that satisfies all walls by projecting onto one after the other; returns nothing if the walls leave no room.
std::optional<Vec3> keep(const std::vector<Wall>& walls, double tolerance) {
  Vec3 d(0, 0, 0);
  constexpr int kMaxRounds = 500;  // an arbitrary cap; beyond it, the walls count as leaving no room
  for (int round = 0; round < kMaxRounds; ++round) {
    double worst = 0;
    for (const Wall& w : walls) {
      const double missing = w.least - dot(w.normal, d);
      worst = std::max(worst, missing);
      if (missing > 0) d += missing * w.normal;
    }
    if (worst <= tolerance) return d;
  }
  return std::nullopt;
}

}  // namespace

/// The state of a mover while it follows moved members. Members that moved, or that meet the body, are tested one by one at their current pose (`now`); all
/// others through the scene.
class Mover::Follower {
 public:
  explicit Follower(Mover& mover)
      : m_(mover), scene_(*mover.scene_), body_(mover.body_), gap_(Path::gap_of(mover.body_)), radius_(Path::radius_of(mover.body_)) {
    const Box box = bounding_box(body_);
    for (int k = 0; k < 3; ++k) size_ = std::max(size_, box.max[k] - box.min[k]);
  }

  void run() {
    if (!m_.enclosed_) {
      const int steps = collect();
      for (int k = 1; k <= steps; ++k) {
        for (Moving& m : moving_) {
          m.before = m.now;
          m.now = k == steps ? m.to : after(m.screw.at(static_cast<double>(k) / steps), m.from);
        }
        before_ = m_.pose_;
        carry();
        if (!push()) break;
      }
    }
    // The current poses of all members. A member that meets the body here came from far away, or blocks it on all sides.
    const std::vector<MemberId> meeting = scene_.overlapping(at(body_, m_.pose_));
    if (meeting.empty()) {
      m_.enclosed_ = false;
      return;
    }
    std::vector<Moving> list;
    for (const MemberId id : meeting) {
      Moving m{id, &scene_.shape(id), {}, {}, scene_.pose(id), {}, {}, known_side(id)};
      list.push_back(std::move(m));
    }
    moving_ = std::move(list);
    before_.reset();
    m_.enclosed_ = !push();
    if (!m_.enclosed_) return;
    m_.near_.clear();
    for (const Moving& m : moving_) m_.near_.push_back({m.id, m.now, m.side});
    m_.vicinity_.reset();
    m_.version_ = 0;
  }

 private:
  struct Moving {
    MemberId id;
    const AnyShape* shape;
    Pose from, to, now, before;
    Screw screw;
    std::optional<Vec3> side;  // direction out of the member, in its own frame
  };

  /// Collects the moved members near the body, and returns the number of steps in which they are followed. No point near the body moves by more than half its
  /// radius in a step.
  int collect() {
    double farthest = 0;
    for (const Neighbor& n : m_.near_) {
      if (!scene_.has(n.id) || same(scene_.pose(n.id), n.pose) || !m_.is_near(n)) continue;
      const Pose& to = scene_.pose(n.id);
      const Screw screw = Screw::between(n.pose, to, m_.pose_.translation);
      const double path = length(screw.displacement) + std::fabs(screw.angle) * 2 * size_;
      if (!(path <= 32 * radius_)) continue;  // moved too far to infer its path
      farthest = std::max(farthest, path);
      moving_.push_back({n.id, &scene_.shape(n.id), n.pose, to, n.pose, n.pose, screw, std::nullopt});
    }
    return moving_.empty() ? 0 : 1 + static_cast<int>(farthest / (0.5 * radius_));
  }

  SceneFilter others() const {
    return {~0u, [this](MemberId id) { return std::none_of(moving_.begin(), moving_.end(), [&](const Moving& m) { return m.id == id; }); }};
  }

  /// Moves the body with the point of the ground under its feet. Obstacles stop it, or let it slide.
  void carry() {
    if (!m_.ground_) return;
    for (const Moving& m : moving_) {
      if (m.id != *m_.ground_) continue;
      const Vec3 local = turned_back(m.from, m_.foot_ - m.from.translation);
      Path path(scene_, body_, m_.pose_, m_.options_, others());
      path.slide(m.now.apply(local) - m.before.apply(local), false);
      m_.pose_ = path.pose;
      return;
    }
  }

  std::optional<Vec3> known_side(MemberId id) const {
    for (const Moving& m : moving_)
      if (m.id == id && m.side) return m.side;
    for (const Neighbor& n : m_.near_)
      if (n.id == id) return n.side;
    return std::nullopt;
  }

  /// The direction from a member to the body, in the member's frame. While they were apart, it is that of the shortest line between them; otherwise the
  /// direction in which `penetration` separates them. Returns nothing if none is known.
  std::optional<Vec3> find_side(const Moving& m, const Pose& body) const {
    Vec3 n(0, 0, 0);
    if (before_) {
      const Placed a = at(body_, *before_), b = at(*m.shape, m.before);
      const Closest c = closest(a, b);
      n = c.on_a - c.on_b;
      // If the shortest line is hardly longer than its rounding error, the normal of the contact along it is more precise.
      const auto hit = sweep(a, -2.0 * n, b, {.place = false});
      if (hit && hit->normal) n = *hit->normal;
      if (length(n) > 0) return turned_back(m.before, n / length(n));
    }
    const Placed a = at(body_, body), b = at(*m.shape, m.now);
    if (const PenetrationResult p = penetration(a, b); p.value) {
      n = p.value->vector;
    } else {  // they touch only: from the common point to the middle of the body at that pose
      const Vec3 common = closest(a, b).on_a;
      const Sphere* ball = body_.get<Sphere>();
      const Capsule* capsule = body_.get<Capsule>();
      const Segment middle = ball ? Segment{ball->center, ball->center} : Segment{capsule->a, capsule->b};
      n = closest(at(middle, body), Point{common}).on_a - common;
    }
    if (!(length(n) > 0 && length(n) <= kLargest)) return std::nullopt;
    return turned_back(m.now, n / length(n));
  }

  /// The distance along m.side by which the body, at `there`, must be pushed out of the member; nothing if that does not help. The body then returns from
  /// outside up to the contact.
  std::optional<Wall> way_out(Moving& m, const Vec3& start, const Pose& there) {
    if (!m.side) m.side = find_side(m, there);
    if (!m.side) return std::nullopt;
    const Vec3 n = m.now.rotate(*m.side);
    const Placed member = at(*m.shape, m.now);
    for (double far = 0.5 * radius_ + 4 * gap_; far <= 8 * size_; far *= 2) {
      Pose outside = there;
      outside.translation += far * n;
      if (intersects(at(body_, outside), member)) continue;
      const auto hit = sweep(at(body_, outside), -far * n, member, {.place = false});
      if (!hit) return std::nullopt;  // roundings only: the static test finds contact, the sweep finds none
      return Wall{n, dot(n, there.translation - start) + far * (1 - hit->t) + gap_};
    }
    return std::nullopt;
  }

  /// Pushes the body out of all members of `moving_`, by the shortest push that they and the other members allow. Returns false and changes nothing if there is
  /// none.
  bool push() {
    const Vec3 start = m_.pose_.translation;
    const SceneFilter filter = others();
    std::vector<Wall> walls;
    std::vector<bool> meets_at_start;
    for (const Moving& m : moving_) meets_at_start.push_back(intersects(at(body_, m_.pose_), at(*m.shape, m.now)));
    Pose there = m_.pose_;
    constexpr int kMaxRounds = 32;  // an arbitrary cap; beyond it, the body stays, as if no push were possible
    for (int round = 0; round < kMaxRounds; ++round) {
      const std::size_t known = walls.size();
      for (Moving& m : moving_) {
        if (!intersects(at(body_, there), at(*m.shape, m.now))) continue;
        const auto wall = way_out(m, start, there);
        if (!wall) return false;
        walls.push_back(*wall);
      }
      const Vec3 d = there.translation - start;
      if (walls.size() == known) {
        if (d == Vec3(0, 0, 0)) return true;
        const auto stopped_by = [&](const std::optional<Vec3>& normal, double t) {
          if (normal) walls.push_back({*normal, t * dot(*normal, d) + gap_});
          return normal.has_value();
        };
        if (const auto hit = scene_.sweep(at(body_, m_.pose_), {start, there.translation}, {.skip_departing = true, .place = false}, filter);
            hit && !stopped_by(hit->hit.normal, hit->hit.t))
          return false;
        for (std::size_t i = 0; i < moving_.size(); ++i) {
          if (meets_at_start[i]) continue;
          if (const auto hit = sweep(at(body_, m_.pose_), d, at(*moving_[i].shape, moving_[i].now), {.skip_departing = true, .place = false});
              hit && !stopped_by(hit->normal, hit->t))
            return false;
        }
        if (walls.size() == known) {
          if (scene_.intersects(at(body_, there), filter)) return false;
          m_.pose_ = there;
          return true;
        }
      }
      const auto room = keep(walls, 0.25 * gap_);
      if (!room) return false;
      there.translation = start + *room;
    }
    return false;
  }

  Mover& m_;
  const Scene& scene_;
  const AnyShape& body_;
  double gap_, radius_, size_ = 0;
  std::optional<Pose> before_;  // pose of the body when it met no member of `moving_`
  std::vector<Moving> moving_;
};

void Mover::follow() { Follower(*this).run(); }

/// Whether a member of near_ was near the body at the end of the last move.
bool Mover::is_near(const Neighbor& n) const { return !vicinity_ || (scene_->has(n.id) && intersects(*vicinity_, at(scene_->shape(n.id), n.pose))); }

/// A list of members in a larger region serves further moves as long as nothing changes in the scene.
void Mover::remember() {
  const Box body = bounding_box(at(body_, pose_));
  double size = 0;
  for (int k = 0; k < 3; ++k) size = std::max(size, body.max[k] - body.min[k]);
  const auto grown = [&](double by) {
    Box box = body;
    for (int k = 0; k < 3; ++k) {
      box.min[k] = std::max(box.min[k] - by, -kLargest);
      box.max[k] = std::min(box.max[k] + by, kLargest);
    }
    return box;
  };
  vicinity_ = grown(4 * size);
  const std::uint64_t version = SceneAccess::version(*scene_);
  if (version == version_ && encloses(region_, *vicinity_)) return;
  const bool rests = version == version_;
  region_ = rests ? grown(8 * size) : *vicinity_;  // larger only where it pays; the size is a choice
  version_ = version;
  near_.clear();
  for (const MemberId id : scene_->overlapping(region_)) near_.push_back({id, scene_->pose(id), std::nullopt});
  if (!rests) vicinity_.reset();
}

}  // namespace graze
