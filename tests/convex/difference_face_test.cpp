// Names of faces of A - B: the same for any three vertices of a face, none for what is no face, nor for numbers of no corners.
#include "convex/depth/difference_face.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <graze/query.hpp>
#include <set>
#include <vector>

#include "convex/sets/hint_kind.hpp"
#include "parts/convex_of_shape.hpp"
#include "support/random.hpp"

namespace graze::difference_face_test {
namespace {

Hull cube() {
  std::vector<Vec3> p;
  for (int k = 0; k < 8; ++k) p.push_back(Vec3(k & 1, k & 2, k & 4));
  return Hull(p);
}

TEST(DifferenceFace, AnyVerticesNameTheFace) {
  const Hull hull = cube();
  const Box box{{0, 0, 0}, {1, 2, 3}};
  const Triangle triangle{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}};
  const ConvexSet h = convex_set_of(hull, nullptr), x = convex_set_of(box, nullptr), t = convex_set_of(triangle, nullptr);
  // The face z = 4 of the hull has the points 4 to 7, that of the box has bit 2.
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k) {
        if (i == j || j == k || i == k) continue;
        const auto corner = [](int c) { return static_cast<std::uint32_t>(4 + c); };
        const auto of_hull = DifferenceFace::of(h, t, {{corner(i), 2, 0, 0}, {corner(j), 2, 0, 0}, {corner(k), 2, 0, 0}});
        ASSERT_TRUE(of_hull);
        EXPECT_EQ(of_hull, DifferenceFace::of(h, t, {{4, 2, 0, 0}, {5, 2, 0, 0}, {6, 2, 0, 0}}));
        EXPECT_EQ(of_hull->count(), 4);
        std::set<std::uint32_t> all;
        for (int n = 0; n < 4; ++n) {
          all.insert(of_hull->vertex(n).a);
          EXPECT_EQ(of_hull->vertex(n).b, 2u);
          EXPECT_TRUE(of_hull->contains(of_hull->vertex(n)));
        }
        EXPECT_EQ(all, (std::set<std::uint32_t>{4, 5, 6, 7}));
        const auto ends = [](int c) { return static_cast<std::uint8_t>(4 + c); };
        const auto of_box = DifferenceFace::of(x, t, {{0, 1, ends(i), 0}, {0, 1, ends(j), 0}, {0, 1, ends(k), 0}});
        ASSERT_TRUE(of_box);
        EXPECT_EQ(of_box, DifferenceFace::of(x, t, {{0, 1, 4, 0}, {0, 1, 5, 0}, {0, 1, 6, 0}}));
        EXPECT_FALSE(of_box->contains({0, 1, 3, 0}));
        EXPECT_FALSE(of_box->contains({0, 0, 4, 0}));
      }
  const auto edges = DifferenceFace::of(h, x, {{1, 0, 0, 0}, {1, 0, 0, 4}, {0, 0, 0, 4}});
  ASSERT_TRUE(edges);
  EXPECT_EQ(edges->count(), 4);
  EXPECT_EQ(edges, DifferenceFace::of(h, x, {{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 4}}));
}

TEST(DifferenceFace, OtherNumbersNameNone) {
  const Hull hull = cube();
  const ConvexSet h = convex_set_of(hull, nullptr);
  EXPECT_FALSE(DifferenceFace::of(h, h, {{0, 0, 0, 0}, {3, 0, 0, 0}, {5, 0, 0, 0}}));    // no facet
  EXPECT_FALSE(DifferenceFace::of(h, h, {{0, 0, 0, 0}, {1, 1, 0, 0}, {2, 2, 0, 0}}));    // three and three
  EXPECT_FALSE(DifferenceFace::of(h, h, {{0, 0, 0, 0}, {1, 1, 0, 0}, {2, 1, 0, 0}}));    // three and two
  EXPECT_FALSE(DifferenceFace::of(h, h, {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}));    // one
  EXPECT_FALSE(DifferenceFace::of(h, h, {{8, 0, 0, 0}, {1, 0, 0, 0}, {2, 0, 0, 0}}));    // no corner
  EXPECT_FALSE(DifferenceFace::of(h, h, {{~0u, 0, 0, 0}, {1, 0, 0, 0}, {2, 0, 0, 0}}));  // no corner
  EXPECT_FALSE(DifferenceFace::of(h, h, {{0, 0, 1, 0}, {1, 0, 0, 0}, {2, 0, 0, 0}}));    // no segment
  test::Random r(1);
  const ConvexSet sets[] = {h, convex_set_of(Box{{0, 0, 0}, {1, 1, 1}}, nullptr), convex_set_of(Box{{0, 0, 0}, {1, 1, 0}}, nullptr),
                            convex_set_of(Capsule{{0, 0, 0}, {1, 0, 0}, 1}, nullptr), convex_set_of(Plane{{0, 0, 0}, {0, 0, 1}}, nullptr)};
  for (int i = 0; i < 5000; ++i) {
    PairHint hint;
    hint.kind = 2;
    for (std::size_t k = 0; k < 3; ++k) {
      hint.corner_a[k] = static_cast<std::uint32_t>(r.below(2) ? r.bits() : r.below(9));
      hint.corner_b[k] = static_cast<std::uint32_t>(r.below(2) ? r.bits() : r.below(9));
      hint.ends_a[k] = static_cast<std::uint8_t>(r.below(10));
      hint.ends_b[k] = static_cast<std::uint8_t>(r.below(10));
    }
    for (const ConvexSet& a : sets)
      for (const ConvexSet& b : sets)
        if (const auto face = face_of(hint, a, b)) {
          EXPECT_EQ(face, face_of(hint_of(*face), a, b));
          EXPECT_EQ(hint_of(*face).corner_a, exchanged(hint_of(*face)).corner_b);
        }
  }
  EXPECT_FALSE(plane_of(PairHint{}));
  EXPECT_FALSE(plane_of(hint_of_plane({0, 0, 0})));
  EXPECT_FALSE(plane_of(hint_of_plane({INFINITY, 0, 0})));
  EXPECT_EQ(plane_of(exchanged(hint_of_plane({0, 0, 2})))->z, -1);
}

}  // namespace
}  // namespace graze::difference_face_test
