// A shape placed by the identity is that shape: every query gives the same answer bit for bit, plain, placed, and as a member of a scene.
#include <gtest/gtest.h>

#include <graze/error.hpp>
#include <graze/scene.hpp>
#include <graze/sweep.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "property/instances.hpp"

namespace graze::test {
namespace {

/// Everything that a query returns, as text in which each bit of a number shows.
class Answers {
 public:
  template <class T>
  void add(const T& x) {
    if constexpr (std::is_same_v<T, Vec3>) {
      for (int i = 0; i < 3; ++i) add(x[i]);
    } else if constexpr (std::is_same_v<T, double>) {
      char buffer[40];
      std::snprintf(buffer, sizeof buffer, "%a ", x);
      text_ += buffer;
    } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
      text_ += std::to_string(static_cast<long long>(x)) + " ";
    } else if constexpr (requires { x.has_value(); }) {
      text_ += x ? "some " : "none ";
      if (x) add(*x);
    } else {
      parts(x);
    }
  }
  /// What f returns, or its error.
  template <class F>
  void of(const char* query, const F& f) {
    text_ += std::string("\n") + query + ": ";
    try {
      add(f());
    } catch (const Error& error) {
      text_ += error.what();
    }
  }
  const std::string& text() const { return text_; }

 private:
  template <class T>
  void parts(const std::vector<T>& all) {
    for (const T& x : all) add(x);
  }
  void parts(const Box& b) { add(b.min), add(b.max); }
  void parts(const Sphere& s) { add(s.center), add(s.radius); }
  void parts(const Closest& c) { add(c.distance), add(c.on_a), add(c.on_b), add(c.triangle_a), add(c.triangle_b); }
  void parts(const Hit& h) {
    add(h.t), add(h.point), add(h.normal), add(h.triangle), add(h.part), add(h.child), add(h.barycentric), add(h.front), add(h.started_inside);
  }
  void parts(const Penetration& p) { add(p.depth), add(p.normal), add(p.vector); }
  void parts(const PenetrationResult& p) { add(p.value), add(p.reason); }
  void parts(const Contact& c) { add(c.point), add(c.normal), add(c.depth), add(c.triangle_a), add(c.triangle_b); }
  void parts(const ManifoldPoint& p) { add(p.point), add(p.depth); }
  void parts(const Manifold& m) { add(m.normal), add(m.points), add(m.triangle_a), add(m.triangle_b); }
  void parts(const Classification& c) { add(c.side), add(c.distance); }
  void parts(const SweepHit& h) {
    add(h.t), add(h.point), add(h.normal), add(h.triangle_a), add(h.triangle_b), add(h.child_a), add(h.child_b), add(h.started_inside), add(h.departing);
    add(h.safe.translation), add(h.safe_point), add(h.moved);
    for (const auto& row : h.safe.rotation)
      for (const double x : row) add(x);
  }
  std::string text_;
};

std::string answers(ShapeRef a, ShapeRef b, const Vec3& motion) {
  Answers all;
  all.of("intersects", [&] { return intersects(a, b); });
  all.of("within", [&] { return within(a, b, 0.5); });
  all.of("closest", [&] { return closest(a, b); });
  all.of("relation", [&] { return relation(a, b); });
  all.of("penetration", [&] { return penetration(a, b); });
  all.of("contacts", [&] { return contacts(a, b); });
  all.of("manifold", [&] { return manifold(a, b); });
  all.of("raycast", [&] { return raycast(a, b); });
  all.of("raycast_all", [&] { return raycast_all(a, b); });
  all.of("sweep", [&] { return sweep(a, motion, b); });
  all.of("turn", [&] { return sweep(a, Screw{Vec3(0, 0, 0), Vec3(0, 0, 1), 0.5, motion}, b); });
  all.of("triangles_within", [&] { return triangles_within(a, b); });
  all.of("bounding_box", [&] { return bounding_box(a); });
  all.of("bounding_sphere", [&] { return bounding_sphere(a); });
  all.of("signed_distance", [&] { return signed_distance(motion, a); });
  all.of("contains", [&] { return contains(a, motion); });
  all.of("volume", [&] { return volume(a); });
  all.of("area", [&] { return area(a); });
  all.of("centroid", [&] { return centroid(a); });
  all.of("classify", [&] { return classify(a, Plane{motion, Vec3(1, 2, 3)}); });
  return all.text();
}

std::string answers_of_member(const Scene& scene, ShapeRef b, const Vec3& motion) {
  Answers all;
  all.of("intersects", [&] { return scene.intersects(b); });
  all.of("closest", [&] { return scene.closest(b)->closest; });
  all.of("sweep", [&] {
    const auto hit = scene.sweep(b, motion);
    return hit ? std::optional(hit->hit) : std::nullopt;
  });
  all.of("raycast", [&] {
    const auto hit = scene.raycast(b);
    return hit ? std::optional(hit->hit) : std::nullopt;
  });
  return all.text();
}
std::string answers_to_member(ShapeRef a, ShapeRef b, const Vec3& motion) {
  Answers all;
  all.of("intersects", [&] { return intersects(b, a); });
  all.of("closest", [&] { return closest(b, a); });
  all.of("sweep", [&] { return sweep(b, motion, a); });
  all.of("raycast", [&] { return raycast(b, a); });
  return all.text();
}

void check_identity(const Instance& a, const Instance& b, Source& s, Failures& failures) {
  const Vec3 motion = s.vector();
  const Pose identity;
  Pose negative;  // zeros may have a sign
  negative.translation = Vec3(-0.0, 0, -0.0);
  negative.rotation[0][1] = -0.0;
  const Placed pa = at(a.shape, identity), pb = at(b.shape, negative);
  const std::string plain = answers(a.shape, b.shape, motion);
  const auto compare = [&](const std::string& other, const char* what) {
    failures.expect(other == plain, what, a, b, [&] { return plain + "\nbut\n" + other; });
  };
  compare(answers(pa, b.shape, motion), "the first placed by the identity");
  compare(answers(a.shape, pb, motion), "the second placed by the identity");
  compare(answers(pa, pb, motion), "both placed by the identity");
  Scene scene;
  scene.add(a.shape);
  const std::string as_member = answers_of_member(scene, pb, motion), single = answers_to_member(pa, b.shape, motion);
  failures.expect(as_member == single || bounding_box(a.shape).min.x > bounding_box(a.shape).max.x, "a member of a scene", a, b,
                  [&] { return single + "\nbut\n" + as_member; });
}

TEST(Identity, ChangesNoAnswerAmongWholeNumbers) { all_pairs(Numbers::whole, 2, 81, false, check_identity); }
TEST(Identity, ChangesNoAnswerAmongRealNumbers) { all_pairs(Numbers::real, 1, 82, false, check_identity); }
TEST(Identity, ChangesNoAnswerAmongHostileNumbers) { all_pairs(Numbers::hostile, 1, 83, false, check_identity); }

// With coordinates near the largest double, bounds for the rounding of a pose exceed what the solid may be moved by.
TEST(Identity, ChangesNoRelationNearTheLargestDouble) {
  MeshData data;
  data.vertices = {{3e305, 1e45, 5}, {-7e305, 0, 2}, {-1e306, -2e45, 1}, {0, -4e45, -1}};
  data.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  const Solid solid{Mesh(data)};
  const Compound compound({{Capsule{{0, 0, 1}, {3e305, 7e45, -5}, 1e45}, {}}, {Box{{-1e306, -4e45, -1}, {7e305, 4e45, 4}}, translation({-2.5, -7, 4})}});
  EXPECT_EQ(relation(solid, compound), Relation::overlapping);
  EXPECT_EQ(relation(at(solid, Pose{}), compound), Relation::overlapping);
}

TEST(Identity, PairsOfMembersNameTheSameWitnesses) {
  Source s(84);
  for (int i = 0; i < 300; ++i) {
    const auto kind = [&] { return static_cast<Kind>(s.below(kKinds)); };
    const AnyShape a = instance(kind(), s), b = instance(kind(), s);
    Scene scene;
    scene.add(a);
    scene.add(b);
    PairsOptions options;
    options.within = 100;
    for (const ScenePair& pair : scene.pairs(options)) {
      const Closest want = closest(at(a, Pose{}), at(b, Pose{}));
      ASSERT_TRUE(same(pair.distance, want.distance) && same(pair.on_a, want.on_a) && same(pair.on_b, want.on_b))
          << type_name(a.kind()) << " and " << type_name(b.kind());
    }
  }
}

}  // namespace
}  // namespace graze::test
