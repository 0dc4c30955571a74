// Linear sweeps of every kind of shape against every other. Exact static decisions on the swept pieces, by brute force, must confirm the time from both sides.
// Also trees against lists, symmetry, departing starts, certified placements, and points against raycast.
#include <gtest/gtest.h>

#include "convex/decide/decide.hpp"
#include "graze/sweep.hpp"
#include "property/instances.hpp"
#include "support/random.hpp"
#include "sweep/linear/linear_sweep.hpp"

namespace graze::test {
namespace {

/// The convex pieces of a shape.
struct Pieces {
  PartList parts;
  std::vector<ConvexSet> convex_sets;
  bool curved = false, has_solid = false;
  explicit Pieces(ShapeRef s) : parts(s) {
    for (const ListedPart& p : parts) {
      std::visit(
          [&]<class P>(const P& part) {
            if constexpr (std::is_same_v<P, ConvexSet>)
              convex_sets.push_back(part);
            else if constexpr (std::is_same_v<P, Curved>) {
              if (part.convex())
                convex_sets.push_back(*part.convex());
              else
                curved = true;
            } else if constexpr (std::is_same_v<P, MeshView>)
              add(part);
            else {
              has_solid = true;
              add(part.surface);
            }
          },
          p.part);
    }
  }
  void add(const MeshView& view) {
    for (std::uint32_t i = 0; i < view.mesh->triangles.size(); ++i) convex_sets.push_back(convex_triangle(view.triangle(i)));
  }
};

/// Whether some piece of a meets a piece of b at a time in [from, to].
bool meet(const Pieces& a, const Vec3& m, const Pieces& b, double from, double to) {
  for (const ConvexSet& ca : a.convex_sets) {
    ConvexSet swept = ca;
    swept.add_segment(m, from, to);
    for (const ConvexSet& cb : b.convex_sets)
      if (within(swept, cb)) return true;
  }
  return false;
}

std::string told(const std::optional<SweepHit>& h, const Vec3& m) {
  if (!h) return "motion " + text(m) + ": no hit";
  return "motion " + text(m) + ": t " + text(h->t) + (h->started_inside ? " inside" : "") + (h->departing ? " departing" : "") + " triangles " +
         (h->triangle_a ? std::to_string(*h->triangle_a) : "-") + " " + (h->triangle_b ? std::to_string(*h->triangle_b) : "-");
}

/// The first contact without trees.
EarliestContact by_list(const Motion& motion, const Pieces& a, const Pieces& b) {
  EarliestContact first(motion, false);
  std::uint32_t j = 0;
  for (const ConvexSet& cb : b.convex_sets) {
    std::uint32_t i = 0;
    for (const ConvexSet& ca : a.convex_sets) test_pair(first, ca, cb, {std::nullopt, j, std::nullopt, i++});
    ++j;
  }
  return first;
}

void check(const Instance& a, const Instance& b, const Vec3& m, bool whole, Failures& f) {
  const auto ra = *a, rb = *b;
  const std::optional<SweepHit> hit = sweep(ra, m, rb);
  const auto say = [&] { return told(hit, m); };
  const bool start = intersects(ra, rb);
  f.expect((hit && hit->started_inside) == start, "started_inside is intersects", a, b, say);
  if (hit) {
    f.expect(hit->t >= 0 && hit->t <= 1, "0 <= t <= 1", a, b, say);
    f.expect(!hit->started_inside || hit->t == 0, "inside at 0", a, b, say);
    if (hit->normal) {
      const Vec3 n = *hit->normal;
      f.expect(std::fabs(n.x * n.x + n.y * n.y + n.z * n.z - 1) < 1e-14, "unit normal", a, b, say);
    }
    if (hit->moved) {
      const Placed placed = at(a.shape, hit->safe);
      f.expect(!intersects(ShapeRef(placed), rb), "safe is free", a, b, say);
    }
  }
  const Pieces pa(ra), pb(rb);
  if (pa.curved || pb.curved) {
    if (!hit || hit->started_inside) return;
    for (const double part : {0.0, 0.25, 0.5, 0.75, 0.96875}) {
      const Pose from = a.pose.value_or(Pose{});
      Pose pose = from;
      pose.translation += part * hit->t * m;
      const Placed placed = at(a.shape, pose);
      f.expect(!intersects(ShapeRef(placed), rb), "no contact before t (curved)", a, b, say);
    }
    return;
  }
  // exact from both sides
  if (!start) {
    f.expect(hit.has_value() == meet(pa, m, pb, 0, 1), "hit exactly when the swept set meets", a, b, say);
    if (hit) {
      if (hit->t > 0) f.expect(!meet(pa, m, pb, 0, next_down(hit->t)), "no contact before t", a, b, say);
      f.expect(meet(pa, m, pb, 0, std::min(1.0, next_up(hit->t))), "contact by the next double", a, b, say);
    }
    const Motion motion{m};
    const EarliestContact list = by_list(motion, pa, pb);
    f.expect(list.found() == hit.has_value() && (!hit || list.contact().t == hit->t), "the list finds the same", a, b, say);
    if (hit && list.found()) {
      if (hit->triangle_b && b.shape.kind() != kind_of<Compound>)
        f.expect(*hit->triangle_b == *list.ids().triangle_b, "the list names the same triangle of the target", a, b,
                 [&] { return say() + " list " + std::to_string(*list.ids().triangle_b); });
      if (hit->triangle_a && a.shape.kind() != kind_of<Compound>)
        f.expect(*hit->triangle_a == *list.ids().triangle_a, "the list names the same triangle of the mover", a, b,
                 [&] { return say() + " list " + std::to_string(*list.ids().triangle_a); });
    }
  } else if (whole && !pa.has_solid && !pb.has_solid) {
    f.expect(hit->departing == !meet(pa, m, pb, 0x1p-30, 0x1p-30), "departing is apart just after", a, b, say);
  }
  const auto other = sweep(rb, -m, ra);
  f.expect(other.has_value() == hit.has_value() &&
               (!hit || (test::same(other->t, hit->t) && other->started_inside == hit->started_inside && other->departing == hit->departing)),
           "seen from the other", a, b, [&] { return say() + "; other " + told(other, -m); });
  const auto both = sweep(ra, m * 0.5, rb, m * -0.5);
  const bool halved = m * 0.5 + m * 0.5 == m;  // half of an odd denormal is rounded
  f.expect(!halved || (both.has_value() == hit.has_value() && (!hit || test::same(both->t, hit->t))), "both moving by halves", a, b,
           [&] { return say() + "; both " + told(both, m); });
  // skipping
  const auto skip = sweep(ra, m, rb, SweepOptions{true});
  f.expect(!hit || hit->departing || (skip && skip->t == hit->t), "nothing to skip", a, b, [&] { return say() + "; skipping " + told(skip, m); });
  f.expect(!skip || hit, "skipping finds nothing new", a, b, say);
  f.expect(!skip || !skip->departing, "skipping never departs", a, b, [&] { return say() + "; skipping " + told(skip, m); });
}

void run(Numbers numbers, int instances, std::uint64_t seed, bool posed) {
  all_pairs(numbers, instances, seed, posed, [&](const Instance& a, const Instance& b, Source& s, Failures& f) {
    Vec3 m = s.vector();
    if (s.below(3) == 0) m = 4.0 * m;
    const bool whole = numbers == Numbers::whole;
    check(a, b, m, whole, f);
    if (a.shape.kind() != b.shape.kind()) check(b, a, m, whole, f);
  });
}

TEST(LinearSweep, WholeNumbers) { run(Numbers::whole, 12, 501, true); }
TEST(LinearSweep, Reals) { run(Numbers::real, 6, 502, true); }
TEST(LinearSweep, HostileNumbers) { run(Numbers::hostile, 3, 503, true); }

/// The normal of a thin triangle may have no correct digit, so a distance along it must not prove contact.
TEST(LinearSweep, BallsBesideThinTrianglesDoNotStartInside) {
  Random random(504);
  int apart = 0;
  for (const double thickness : {1e-2, 1e-14, 1e-15, 3e-16})
    for (const double share : {1 - 1e-13, 0.5})
      for (int i = 0; i < 20000; ++i) {
        const Vec3 a = random.point(-1, 1), b = random.point(-1, 1), c = a + random.real(0.1, 0.9) * (b - a) + thickness * random.point(-1, 1);
        const Triangle triangle{{a, b, c}};
        const double distance = closest(Point{{0, 0, 0}}, triangle).distance;
        const Sphere ball{{0, 0, 0}, distance * share};
        if (distance < 0.05 || intersects(ball, triangle)) continue;
        ++apart;
        const auto hit = sweep(ball, random.point(-1, 1), triangle);
        ASSERT_FALSE(hit && hit->started_inside) << "thickness " << thickness << ", share " << share << ", " << i;
      }
  EXPECT_GT(apart, 100000);
}

TEST(LinearSweep, PointSweepsEqualRays) {
  for (const Numbers n : {Numbers::whole, Numbers::real, Numbers::hostile}) {
    all_kinds(n, n == Numbers::hostile ? 30 : 120, 504, true, [](const Instance& b, Source& s, Failures& f) {
      const Instance a{Point{s.vector()}, std::nullopt};
      const Vec3 m = s.direction();
      const auto rb = *b;
      const auto hit = sweep(*a, m, rb);
      const auto ray = raycast(Ray{a.shape.get<Point>()->point, m}, rb, {1.0});
      if (curved(b.shape)) return;
      f.expect(hit.has_value() == ray.has_value(), "a point is a ray", a, b, [&] { return told(hit, m); });
      if (!hit || !ray) return;
      f.expect(test::same(hit->t, ray->t) && hit->started_inside == ray->started_inside, "at the same time", a, b,
               [&] { return told(hit, m) + " ray " + text(ray->t); });
      if (b.shape.kind() == kind_of<Mesh> || b.shape.kind() == kind_of<HeightField>)
        f.expect(hit->triangle_b == ray->triangle, "at the same triangle", a, b, [&] { return told(hit, m); });
    });
  }
}

}  // namespace
}  // namespace graze::test
