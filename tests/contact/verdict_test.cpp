// The verdict on two models and its words: solids in every relation, surfaces that bound none, and placed models.
#include "contact/verdict.hpp"
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace graze::contact {
namespace {

Mesh block(const Vec3& low, const Vec3& high, bool closed = true) {
  MeshData d;
  for (int i = 0; i < 8; ++i) d.vertices.emplace_back(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
  d.triangles = {{0, 2, 1}, {1, 2, 3}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}, {4, 5, 6}};
  if (closed) d.triangles.push_back({5, 7, 6});
  return Mesh(std::move(d));
}

Verdict of(const Mesh& a, const Mesh& b, const Pose& pose = {}) {
  const auto solid_of = [](const Mesh& m) { return check(m).solid ? std::optional<Solid>(Solid(m)) : std::nullopt; };
  const std::optional<Solid> sa = solid_of(a), sb = solid_of(b);
  const std::vector<TrianglePair> pairs = intersecting_triangles(a, at(b, pose));
  return verdict_of({a, sa ? &*sa : nullptr, {}}, {b, sb ? &*sb : nullptr, pose}, pairs);
}

const Vec3 kLow(0, 0, 0), kHigh(4, 4, 4);

TEST(Verdict, SolidsInEveryRelation) {
  const Mesh a = block(kLow, kHigh);
  const struct {
    Mesh b;
    const char *text, *name;
  } cases[] = {{block({5, 0, 0}, {6, 1, 1}), "apart", "apart"},
               {block({4, 1, 1}, {6, 2, 2}), "the models touch", "touching"},
               {block({3, 1, 1}, {6, 2, 2}), "the models overlap; the surfaces cross", "overlapping"},
               {block({1, 1, 1}, {2, 2, 2}), "B is inside A; the surfaces are apart", "b_in_a"},
               {block({0, 1, 1}, {2, 2, 2}), "B is inside A; the surfaces touch", "b_in_a"},
               {block({-1, -1, -1}, {5, 5, 5}), "A is inside B; the surfaces are apart", "a_in_b"},
               {block(kLow, kHigh), "the models are identical", "identical"}};
  for (const auto& c : cases) {
    const Verdict v = of(a, c.b);
    EXPECT_EQ(text_of(v), c.text);
    EXPECT_EQ(std::string(name_of(v)), c.name);
  }
}

TEST(Verdict, SurfacesThatBoundNoSolid) {
  const Mesh closed = block(kLow, kHigh), open = block({1, 1, 1}, {2, 2, 2}, false);
  EXPECT_EQ(text_of(of(closed, open)), "B is inside A");
  EXPECT_EQ(text_of(of(open, closed)), "A is inside B");
  EXPECT_EQ(text_of(of(open, block({1.25, 1.25, 1.25}, {1.5, 1.5, 1.5}, false))), "apart");
  EXPECT_EQ(text_of(of(open, block({1.5, 1.5, 1.5}, {3, 3, 3}, false))), "the surfaces cross");
  EXPECT_EQ(text_of(of(open, block({2, 1, 1}, {3, 2, 2}, false))), "the surfaces touch");
  EXPECT_EQ(text_of(of(open, open)), "the models are identical");
  EXPECT_STREQ(name_of(of(open, open)), "identical");
}

// A pose has the same effect as vertices that are placed by it.
TEST(Verdict, PlacedModels) {
  const Mesh a = block(kLow, kHigh), b = block({0, 0, 0}, {1, 1, 1});
  Pose pose;
  for (const auto& [x, text] : {std::pair{4.0, "the models touch"}, std::pair{4.5, "apart"}, std::pair{3.5, "the models overlap; the surfaces cross"},
                                std::pair{2.0, "B is inside A; the surfaces are apart"}}) {
    pose.translation = Vec3(x, 1.5, 1.5);
    EXPECT_EQ(text_of(of(a, b, pose)), text) << x;
  }
  pose.translation = Vec3(8, 0, 0);
  EXPECT_EQ(text_of(of(block({8, 0, 0}, {9, 1, 1}), b, pose)), "the models are identical");
}

}  // namespace
}  // namespace graze::contact
