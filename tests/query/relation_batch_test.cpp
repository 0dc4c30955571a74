// Batches of relations: the answers of single queries for any number of threads, and the error of the lowest pair that is refused.
#include <gtest/gtest.h>
#include <graze/error.hpp>
#include <graze/graze.hpp>

#include <span>
#include <string>
#include <vector>

#include "mesh/meshes.hpp"
#include "support/random.hpp"
#include "support/rounds.hpp"

namespace graze::relation_batch_test {
namespace {

using test::Random;

/// Small boxes, hulls, solids and balls with whole coordinates, so that all relations occur.
AnyShape random_shape(Random& r) {
  Vec3 lo, hi;
  for (int k = 0; k < 3; ++k) {
    lo[k] = r.integer(-2, 1);
    hi[k] = lo[k] + r.integer(1, 3);
  }
  switch (r.integer(0, 3)) {
    case 0:
      return Box{lo, hi};
    case 1:
      return solid(Mesh(test::closed_box(lo, hi)));
    case 2:
      return Hull{lo, hi, Vec3(lo.x, hi.y, lo.z), Vec3(hi.x, lo.y, lo.z)};
    default:
      return Triangle{{lo, hi, Vec3(lo.x, hi.y, lo.z)}};
  }
}

std::string error_of(const std::vector<ShapeRef>& a, const std::vector<ShapeRef>& b, std::span<Relation> out) {
  try {
    relation(a, b, out);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(RelationBatch, EqualsSingleQueriesForAnyNumberOfThreads) {
  Random r(3);
  const auto n = static_cast<std::size_t>(test::rounds(800));
  std::vector<AnyShape> shapes;
  for (std::size_t i = 0; i < 2 * n; ++i) shapes.push_back(random_shape(r));
  std::vector<ShapeRef> a, b;
  for (std::size_t i = 0; i < n; ++i) {
    a.push_back(shapes[i]);
    b.push_back(i % 7 == 0 ? shapes[i] : shapes[n + i]);
  }
  for (const int threads : {1, 2, 8}) {
    set_threads(threads);
    const std::vector<Relation> found = relation(a, b);
    ASSERT_EQ(found.size(), n);
    std::vector<int> number(6);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(found[i], relation(a[i], b[i])) << i;
      ++number[static_cast<std::size_t>(found[i])];
    }
    for (int k = 0; k < 6; ++k) EXPECT_GT(number[static_cast<std::size_t>(k)], test::kSanitized ? -1 : 0) << name_of(static_cast<Relation>(k));
  }
  set_threads(0);
  EXPECT_TRUE(relation(std::span<const ShapeRef>(), std::span<const ShapeRef>()).empty());
}

TEST(RelationBatch, ThrowsTheErrorOfTheLowestPairAndAnswersTheOthers) {
  // a segment that may lie in two balls together is refused
  const AnyShape box = Box{{0, 0, 0}, {1, 1, 1}}, segment = Segment{{0, 0, 0}, {1.5, 0, 0}},
                 balls = Compound({{Sphere{Vec3(0, 0, 0), 1}, {}}, {Sphere{Vec3(1.5, 0, 0), 1}, {}}});
  constexpr std::size_t n = 200, low = 70, high = 150;
  std::vector<ShapeRef> a(n, box), b(n, box);
  std::vector<Relation> out(n);
  const std::string first = error_of({segment}, {balls}, std::span(out).first(1));
  ASSERT_NE(first, error_of({balls}, {segment}, std::span(out).first(1)));
  ASSERT_NE(first, "");
  for (const int threads : {1, 8}) {
    set_threads(threads);
    a[low] = segment;
    b[low] = balls;
    a[high] = balls;
    b[high] = segment;
    std::fill(out.begin(), out.end(), Relation::touching);
    EXPECT_EQ(error_of(a, b, out), first);
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(out[i], i == low || i == high ? Relation::touching : Relation::identical) << i;
    EXPECT_THROW((void)relation(a, b), Error);
  }
  set_threads(0);
}

TEST(RelationBatch, RequiresEqualSizes) {
  const AnyShape box = Box{};
  const std::vector<ShapeRef> one(1, box), two(2, box);
  std::vector<Relation> out(2);
  EXPECT_THROW((void)relation(one, two), Error);
  EXPECT_EQ(error_of(one, one, out), "relation: 1 and 1 shapes, room for 2 answers");
}

}  // namespace
}  // namespace graze::relation_batch_test
