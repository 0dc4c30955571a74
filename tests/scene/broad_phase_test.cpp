// The broad phase against brute force on doubles: pairs, queries, insertion and removal, sizes and positions of every kind, threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <graze/broad_phase.hpp>
#include <graze/error.hpp>
#include <graze/threads.hpp>
#include <map>

#include "bvh/scenes.hpp"
#include "support/random.hpp"

namespace graze::broad_phase_test {
namespace {

using Id = BroadPhase::Id;
using IdPair = BroadPhase::IdPair;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool overlap(const Box& a, const Box& b) {
  for (int k = 0; k < 3; ++k)
    if (a.min[k] > b.max[k] || b.min[k] > a.max[k]) return false;
  return true;
}

std::vector<IdPair> brute(const std::map<Id, Box>& boxes) {
  std::vector<IdPair> result;
  for (auto a = boxes.begin(); a != boxes.end(); ++a)
    for (auto b = std::next(a); b != boxes.end(); ++b)
      if (overlap(a->second, b->second)) result.emplace_back(a->first, b->first);
  return result;
}
std::vector<IdPair> brute(const std::vector<Box>& boxes) {
  std::map<Id, Box> map;
  for (Id i = 0; i < boxes.size(); ++i) map[i] = boxes[i];
  return brute(map);
}

Box box_at(const Vec3& lo, const Vec3& size) { return {lo, lo + size}; }

// Scenes that a grid, a tree or floats might get wrong.
std::vector<Box> scene(int kind, std::size_t n, test::Random& random) {
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < n; ++i) {
    Box b;
    switch (kind) {
      case 0: {  // about seven overlaps each, as in the benchmark
        const double s = std::cbrt(7.0 / (8 * static_cast<double>(n)));
        b = box_at(random.point(0, 1), random.point(.5, 1.5) * s);
        break;
      }
      case 1: {  // sizes over ten decades
        const double s = std::pow(10.0, random.real(-10, 0));
        b = box_at(random.point(0, 1), random.point(.1, 1) * s);
        break;
      }
      case 2:  // a lattice of boxes that touch in faces, edges and corners
        b.min = random.grid(0, 12);
        b.max = b.min + Vec3(random.integer(0, 1), random.integer(0, 1), random.integer(0, 1));
        break;
      case 3: {  // a dense clump and a few far away
        const bool far = random.integer(0, 99) == 0;
        b = box_at(random.point(0, 1) * (far ? 1e12 : 1e-3), random.point(0, 1) * 1e-4);
        break;
      }
      case 4:  // a flat world with long walls, far from the origin
        b = box_at(Vec3(1e6, -1e6, 3) + Vec3(random.real(0, 100), random.real(0, 100), 0), random.integer(0, 9) == 0 ? Vec3(40, .1, 3) : Vec3(1, 1, 2));
        break;
      case 5: {  // neighbouring doubles: floats cannot separate them, doubles must
        const double x = random.integer(0, 30) * 0.1, y = x + .05;
        b = {Vec3(x, 0, 0), Vec3(random.integer(0, 1) ? std::nextafter(y + .05, random.integer(0, 1) ? 9 : -9) : y, 1, 1)};
        break;
      }
      case 6: {  // some unbounded boxes
        b = box_at(random.point(-1, 1), random.point(0, .2));
        if (random.integer(0, 9) == 0) b.min[random.integer(0, 2)] = -kInfinity;
        if (random.integer(0, 9) == 0) b.max[random.integer(0, 2)] = kInfinity;
        break;
      }
      case 7: {  // tiny numbers and denormals
        b = box_at(random.point(-1, 1) * 1e-310, random.point(0, .2) * 1e-310);
        break;
      }
      case 8:  // all in the same place
        b = box_at(random.point(0, 1e-9), Vec3(1, 1, 1));
        break;
      default: {  // huge numbers
        b = box_at(random.point(-1, 1) * 1e308, random.point(0, .2) * 1e307);
        break;
      }
    }
    boxes.push_back(b);
  }
  return boxes;
}
constexpr int kScenes = 10;

TEST(BroadPhase, AllPairsMatchBruteForce) {
  test::Random random(1);
  for (int kind = 0; kind < kScenes; ++kind) {
    for (std::size_t n : {2, 31, 33, 200, 1500}) {
      if (kind == 8 && n > 500) n = 300;
      const std::vector<Box> boxes = scene(kind, n, random);
      BroadPhase phase;
      phase.assign(boxes);
      const auto truth = brute(boxes);
      test::for_each_cpu_level(
          [&](CpuLevel level) { EXPECT_EQ(phase.pairs(), truth) << "scene " << kind << " of " << n << ", level " << static_cast<int>(level); });
    }
  }
}

/// Replaces infinite sides by the finite ones that they stand for.
double cut(double x) { return std::clamp(x, -std::numeric_limits<double>::max(), std::numeric_limits<double>::max()); }
Box cut(const Box& b) {
  Box r;
  for (int k = 0; k < 3; ++k) r.min[k] = cut(b.min[k]), r.max[k] = cut(b.max[k]);
  return r;
}

/// Sides at and next to infinity, equal ones among them, mixed with ordinary boxes.
Box endless_box(test::Random& random, int endless_in_ten) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  Box b = box_at(random.point(-1, 1), random.point(0, .3));
  if (random.integer(0, 9) >= endless_in_ten) return b;
  const double ends[] = {-kInfinity, -kLargest, std::nextafter(-kLargest, 0), b.min.x, 0, b.max.x, std::nextafter(kLargest, 0), kLargest, kInfinity};
  for (int k = 0; k < 3; ++k) {
    if (random.integer(0, 1)) continue;
    const int from = random.integer(0, 8), to = random.integer(0, 2) ? random.integer(from, 8) : from;
    b.min[k] = ends[from];
    b.max[k] = std::max(ends[from], ends[to]);
  }
  return b;
}

// Every kind of insertion and every query, with few boxes and many, in sets where such boxes are rare and in sets of nothing else.
TEST(BroadPhase, SidesAtInfinityCountAsTheLargestDouble) {
  test::Random random(9);
  for (const int endless : {1, 5, 10})
    for (const std::size_t n : {3, 20, 40, 400, 1500}) {
      std::vector<Box> boxes, cut_boxes, others, cut_others;
      for (std::size_t i = 0; i < n; ++i) boxes.push_back(endless_box(random, endless)), cut_boxes.push_back(cut(boxes.back()));
      for (std::size_t i = 0; i < 30; ++i) others.push_back(endless_box(random, endless)), cut_others.push_back(cut(others.back()));
      const auto truth = brute(cut_boxes);
      std::vector<IdPair> with_others;
      for (Id i = 0; i < n; ++i)
        for (Id j = 0; j < others.size(); ++j)
          if (overlap(cut_boxes[i], cut_others[j])) with_others.emplace_back(i, j);
      const auto expect_all = [&](const BroadPhase& phase, const char* how) {
        SCOPED_TRACE(testing::Message() << how << ", " << n << " boxes, " << endless << " in ten");
        EXPECT_EQ(phase.pairs(), truth);
        BroadPhase second;
        second.assign(others);
        EXPECT_EQ(phase.pairs(second), with_others);
        std::vector<IdPair> turned;
        for (const IdPair& p : second.pairs(phase)) turned.emplace_back(p.second, p.first);
        std::sort(turned.begin(), turned.end());
        EXPECT_EQ(turned, with_others);
        const auto self = phase.pairs(phase);
        for (Id i = 0; i < n; ++i) EXPECT_TRUE(std::binary_search(self.begin(), self.end(), IdPair(i, i))) << i;
        for (const IdPair& p : truth)
          EXPECT_TRUE(std::binary_search(self.begin(), self.end(), p) && std::binary_search(self.begin(), self.end(), IdPair(p.second, p.first)));
        EXPECT_EQ(self.size(), 2 * truth.size() + n);
        for (std::size_t j = 0; j < 8; ++j) {
          std::vector<Id> want;
          for (Id i = 0; i < n; ++i)
            if (overlap(cut_boxes[i], cut_others[j])) want.push_back(i);
          EXPECT_EQ(phase.overlapping(others[j]), want) << j;
        }
        const double far = std::numeric_limits<double>::max();
        const AnyShape shapes[] = {Point{Vec3(far, 0, 0)},
                                   Point{Vec3(-far, far, .1)},
                                   Point{Vec3(.1, .1, .1)},
                                   Ray{Vec3(0, .1, .1), Vec3(1, 0, 0)},
                                   Ray{Vec3(.1, 0, .2), Vec3(0, -3, 0)},
                                   Segment{Vec3(-far, 0, 0), Vec3(far, 0, 0)},
                                   Sphere{Vec3(0, 0, 0), .5},
                                   Plane{Vec3(.2, 0, 0), Vec3(1, 0, 0)}};
        for (const AnyShape& shape : shapes) {
          std::vector<Id> want, met;
          for (Id i = 0; i < n; ++i)
            if (intersects(shape, cut_boxes[i])) want.push_back(i);
          EXPECT_EQ(phase.overlapping(shape), want) << type_name(shape.kind());
          const Ray* ray = shape.get<Ray>();
          if (!ray) continue;
          phase.along(*ray, kInfinity, [&](Id id, double t) {
            met.push_back(id);
            return t;
          });
          std::sort(met.begin(), met.end());
          EXPECT_EQ(met, want);
        }
      };
      BroadPhase phase;
      phase.assign(boxes);
      expect_all(phase, "assign");
      const std::vector<Box> ordinary(n, Box{Vec3(0, 0, 0), Vec3(1, 1, 1)});
      phase.assign(ordinary);
      EXPECT_EQ(phase.overlapping(Point{Vec3(.5, .5, .5)}).size(), n);
      phase.move_all(boxes);
      expect_all(phase, "move_all");
      phase.assign(ordinary);
      EXPECT_EQ(phase.overlapping(Point{Vec3(.5, .5, .5)}).size(), n);
      for (Id i = 0; i < n; ++i) phase.move(i, boxes[i]);
      expect_all(phase, "move");
      BroadPhase grown;
      for (std::size_t i = 0; i < n; ++i) {
        grown.insert(ordinary[0]);
        if (i == n / 2) {
          EXPECT_EQ(grown.overlapping(Point{Vec3(.5, .5, .5)}).size(), i + 1);
        }
      }
      for (Id i = 0; i < n; i += 2) grown.remove(i);
      for (Id i = 1; i < n; i += 2) grown.move(i, boxes[i]);
      for (Id i = 0; i < n; i += 2) ASSERT_EQ(grown.insert(boxes[i]), i);
      expect_all(grown, "insert, remove and move");
    }
}

TEST(BroadPhase, SameForAnyNumberOfThreads) {
  test::Random random(2);
  for (int kind : {0, 1, 3}) {
    const std::vector<Box> boxes = scene(kind, 40000, random);
    std::vector<IdPair> first;
    for (int n : {1, 2, 5}) {
      set_threads(n);
      BroadPhase phase;
      phase.assign(boxes);
      const auto pairs = phase.pairs();
      EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
      if (n == 1)
        first = pairs;
      else
        EXPECT_EQ(pairs, first);
    }
    set_threads(0);
    EXPECT_GT(first.size(), 1000u);
  }
}

TEST(BroadPhase, MovingFrames) {
  test::Random random(3);
  std::vector<Box> boxes = scene(0, 3000, random);
  BroadPhase phase;
  phase.assign(boxes);
  for (int frame = 0; frame < 20; ++frame) {
    for (Box& b : boxes) {
      const Vec3 d = random.point(-.01, .01);
      b.min += d;
      b.max += d;
    }
    phase.move_all(boxes);
    if (frame % 5 == 0) {
      EXPECT_EQ(phase.pairs(), brute(boxes));
    }
    const Sphere ball{random.point(0, 1), .1};
    std::vector<Id> want;
    for (Id i = 0; i < boxes.size(); ++i)
      if (intersects(ball, boxes[i])) want.push_back(i);
    EXPECT_EQ(phase.overlapping(ball), want);
  }
}

/// What an update changes: a few boxes move a little, jump, change their size, leave and come back.
void change(int how, std::vector<Box>& boxes, std::size_t i, const std::vector<Box>& first, test::Random& random) {
  Box& b = boxes[i];
  const Vec3 size = first[i].max - first[i].min;
  if (how == 0) {
    const Vec3 d = random.point(-.1, .1) * std::min(size.x, 1e300);
    b = {first[i].min + d, first[i].max + d};
  } else if (how == 1) {
    b = first[random.below(boxes.size())];
  } else if (how == 2) {
    b.max = b.min + (first[i].max - first[i].min) * random.real(0, 3);
  } else if (how == 3) {
    b = box_at(random.point(-1e6, 1e6), Vec3(random.integer(0, 1) * 1e5));
  } else {
    b = first[i];
  }
  for (int k = 0; k < 3; ++k)
    if (!(b.min[k] <= b.max[k])) b = first[i];
}

// Frames in which few boxes change, after others in which all do, by single moves and by all at once. A copy answers as the original.
TEST(BroadPhase, FramesInWhichFewBoxesChange) {
  test::Random random(12);
  for (int kind = 0; kind < kScenes; ++kind) {
    const std::size_t n = kind == 8 ? 200 : 900;
    const std::vector<Box> first = scene(kind, n, random);
    for (const bool together : {false, true}) {
      std::vector<Box> boxes = first;
      BroadPhase phase;
      phase.assign(boxes);
      EXPECT_EQ(phase.pairs(), brute(boxes));
      for (int frame = 0; frame < 30; ++frame) {
        const std::size_t changes = frame % 10 == 9 ? n / 2 : static_cast<std::size_t>(random.integer(0, static_cast<int>(n / 40)));
        const int how = random.integer(0, 5);
        for (std::size_t k = 0; k < changes; ++k) {
          const auto i = static_cast<std::size_t>(random.integer(0, static_cast<int>(n) - 1));
          change(how == 5 ? random.integer(0, 4) : how, boxes, i, first, random);
          if (!together) phase.move(static_cast<Id>(i), boxes[i]);
        }
        if (together) phase.move_all(boxes);
        if (frame % 3 == 2) continue;  // changes of two frames at once
        ASSERT_EQ(phase.pairs(), brute(boxes)) << "scene " << kind << ", frame " << frame;
        if (frame % 7 == 0) {
          const BroadPhase copy = phase;
          ASSERT_EQ(copy.pairs(), brute(boxes));
        }
      }
    }
  }
}

TEST(BroadPhase, FramesInWhichFewBoxesComeAndGo) {
  test::Random random(13);
  std::map<Id, Box> mirror;
  BroadPhase phase;
  const auto box = [&] { return box_at(random.point(0, 1), random.point(.02, .12)); };
  for (int i = 0; i < 800; ++i) mirror[static_cast<Id>(i)] = box();
  for (const auto& [id, b] : mirror) EXPECT_EQ(phase.insert(b), id);
  for (int frame = 0; frame < 60; ++frame) {
    for (int k = 0; k < 6; ++k) {
      const auto at = std::next(mirror.begin(), random.integer(0, static_cast<int>(mirror.size()) - 1));
      const int what = random.integer(0, 2);
      if (what == 0) {
        phase.remove(at->first);
        mirror.erase(at);
      } else if (what == 1) {
        const Box b = box();
        mirror[phase.insert(b)] = b;
      } else {
        phase.move(at->first, at->second = box());
      }
    }
    test::for_each_cpu_level([&](CpuLevel) { ASSERT_EQ(phase.pairs(), brute(mirror)); });
  }
}

TEST(BroadPhase, InsertMoveRemove) {
  test::Random random(4);
  BroadPhase phase;
  std::map<Id, Box> mirror;
  for (int round = 0; round < 6000; ++round) {
    const int what = random.integer(0, 9);
    const Box b = box_at(random.point(0, 1), random.point(0, .1));
    if (what < 5 || mirror.empty()) {
      Id lowest = 0;
      while (mirror.count(lowest)) ++lowest;
      ASSERT_EQ(phase.insert(b), lowest);
      mirror[lowest] = b;
    } else {
      const auto at = std::next(mirror.begin(), random.integer(0, static_cast<int>(mirror.size()) - 1));
      if (what < 8) {
        phase.move(at->first, b);
        at->second = b;
      } else {
        phase.remove(at->first);
        mirror.erase(at);
      }
    }
    if (round % 7 == 0) {
      const Box query = box_at(random.point(0, 1), random.point(0, .3));
      std::vector<Id> want;
      for (const auto& [id, box] : mirror)
        if (overlap(box, query)) want.push_back(id);
      ASSERT_EQ(phase.overlapping(query), want);
    }
    if (round % 500 == 0) {
      ASSERT_EQ(phase.pairs(), brute(mirror));
      const BroadPhase copy = phase;
      ASSERT_EQ(copy.pairs(), brute(mirror));
    }
  }
  EXPECT_EQ(phase.size(), mirror.size());
}

TEST(BroadPhase, QueriesOfEveryShapeMatchBruteForce) {
  test::Random random(5);
  for (int kind : {0, 1, 2, 4}) {
    const std::vector<Box> boxes = scene(kind, 500, random);
    BroadPhase phase;
    phase.assign(boxes);
    Box all = boxes[0];
    for (const Box& b : boxes)
      for (int k = 0; k < 3; ++k) all.min[k] = std::min(all.min[k], b.min[k]), all.max[k] = std::max(all.max[k], b.max[k]);
    const Vec3 size = all.max - all.min;
    auto place = [&] { return all.min + Vec3(random.unit() * size.x, random.unit() * size.y, random.unit() * size.z); };
    for (int round = 0; round < 20; ++round) {
      const double r = .1 * std::max({size.x, size.y, size.z});
      std::vector<AnyShape> shapes = {Point{place()},
                                      Segment{place(), place()},
                                      Ray{place(), random.point(-1, 1)},
                                      Line{place(), random.point(-1, 1)},
                                      Plane{place(), random.point(-1, 1)},
                                      HalfSpace{place(), random.point(-1, 1)},
                                      Triangle{{place(), place(), place()}},
                                      Sphere{place(), r * random.unit()},
                                      box_at(place(), size * .1),
                                      Capsule{place(), place(), r * .1},
                                      Cylinder{place(), place(), r * .2}};
      for (const AnyShape& shape : shapes) {
        std::vector<Id> want;
        for (Id i = 0; i < boxes.size(); ++i)
          if (intersects(shape, boxes[i])) want.push_back(i);
        EXPECT_EQ(phase.overlapping(shape), want) << type_name(shape.kind()) << " in scene " << kind;
      }
      const Pose pose = Pose::from_quaternion(random.real(-1, 1), random.real(-1, 1), random.real(-1, 1), 1, place());
      const Segment s{Vec3(0, 0, 0), size};
      std::vector<Id> want;
      for (Id i = 0; i < boxes.size(); ++i)
        if (intersects(at(s, pose), boxes[i])) want.push_back(i);
      EXPECT_EQ(phase.overlapping(at(s, pose)), want);
    }
  }
}

TEST(BroadPhase, RayQueries) {
  test::Random random(6);
  const std::vector<Box> boxes = scene(0, 800, random);
  BroadPhase phase;
  phase.assign(boxes);
  for (int round = 0; round < 100; ++round) {
    const Ray ray{random.point(-1, 2), random.point(-1, 1)};
    const double t_max = random.integer(0, 1) ? kInfinity : random.real(0, 2);
    std::vector<Id> met, want;
    phase.along(ray, t_max, [&](Id id, double t) {
      met.push_back(id);
      return t;
    });
    std::sort(met.begin(), met.end());
    std::optional<Hit> first;
    for (Id i = 0; i < boxes.size(); ++i) {
      const auto hit = raycast(ray, boxes[i], {.t_max = t_max});
      if (hit) want.push_back(i);
      if (hit && (!first || hit->t < first->t)) first = hit;
    }
    EXPECT_EQ(met, want);
    double best = kInfinity;
    phase.along(ray, t_max, [&](Id id, double t) {
      const auto hit = raycast(ray, boxes[id], {.t_max = t});
      if (!hit) return t;
      best = std::min(best, hit->t);
      return best;
    });
    EXPECT_EQ(best, first ? first->t : kInfinity);
    int calls = 0;
    phase.along(ray, t_max, [&](Id, double) {
      ++calls;
      return -1.0;
    });
    EXPECT_LE(calls, 1);
  }
}

// Where the parameter of a hit exceeds the largest double, the box is met all the same.
TEST(BroadPhase, RaysWhoseParametersOverflow) {
  BroadPhase phase;
  for (int i = 0; i < 40; ++i) phase.insert(Box{{i * 0x1p730, -0x1p730, -0x1p730}, {(i + 0.5) * 0x1p730, 0x1p730, 0x1p730}});
  const Ray ray{{-0x1p730, 0, 0}, {0x1p-450, 0, 0}};
  int met = 0;
  phase.along(ray, kInfinity, [&](Id, double t) {
    ++met;
    return t;
  });
  EXPECT_EQ(met, 40);
  EXPECT_EQ(phase.overlapping(ray).size(), 40u);
  EXPECT_EQ(phase.overlapping(Ray{ray.origin, {-0x1p-450, 0, 0}}).size(), 0u);
}

TEST(BroadPhase, PairsOfTwoSets) {
  test::Random random(7);
  for (int kind = 0; kind < kScenes; ++kind) {
    const std::vector<Box> a = scene(kind, 300, random), b = scene(kind, 700, random);
    BroadPhase pa, pb;
    pa.assign(a);
    pb.assign(b);
    std::vector<IdPair> want;
    for (Id i = 0; i < a.size(); ++i)
      for (Id j = 0; j < b.size(); ++j)
        if (overlap(a[i], b[j])) want.emplace_back(i, j);
    EXPECT_EQ(pa.pairs(pb), want) << kind;
  }
}

TEST(BroadPhase, VisibleInAFrustum) {
  test::Random random(8);
  const std::vector<Box> boxes = scene(0, 1000, random);
  BroadPhase phase;
  phase.assign(boxes);
  const Frustum f = Frustum::perspective(Vec3(.5, -.5, .5), Vec3(.5, .5, .5), Vec3(0, 0, 1), .8, 1, .1, 1.2);
  std::vector<Id> want;
  for (Id i = 0; i < boxes.size(); ++i)
    if (classify(boxes[i], f) != Visibility::outside) want.push_back(i);
  EXPECT_GT(want.size(), 20u);
  EXPECT_EQ(phase.visible(f), want);
}

TEST(BroadPhase, RefusesInvalidBoxes) {
  BroadPhase phase;
  EXPECT_THROW(phase.insert(Box{Vec3(0, 1, 0), Vec3(1, 0, 1)}), Error);
  EXPECT_THROW(phase.insert(Box{Vec3(0, 0, 0), Vec3(1, std::nan(""), 1)}), Error);
  EXPECT_THROW(phase.move(0, Box{}), Error);
  EXPECT_THROW(phase.remove(3), Error);
  phase.insert(Box{});
  const std::vector<Box> two(2);
  EXPECT_THROW(phase.move_all(two), Error);
  EXPECT_EQ(phase.pairs().size(), 0u);
}

}  // namespace
}  // namespace graze::broad_phase_test
