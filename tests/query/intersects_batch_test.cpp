// Batches of pairs against single queries through the dispatch table: the same bytes for every kind of input, number of pairs, CPU level and number of threads.
// The typed single functions are compared as well.
#include <graze/error.hpp>
#include <graze/query.hpp>
#include <graze/threads.hpp>

#include "bvh/scenes.hpp"
#include "pairs/detail/batch_kernels.hpp"
#include "pairs/pair_check.hpp"

namespace graze::test::intersects_batch_test {
namespace {

template <class A, class B>
struct PairTypes {
  using First = A;
  using Second = B;
};

template <class T>
class Batches : public testing::Test {};
using Types = testing::Types<PairTypes<Sphere, Sphere>, PairTypes<Sphere, Capsule>, PairTypes<Capsule, Capsule>, PairTypes<Sphere, Triangle>,
                             PairTypes<Triangle, Triangle>, PairTypes<Sphere, Box>, PairTypes<Box, Box>, PairTypes<Segment, Box>,
                             PairTypes<Sphere, OrientedBox>, PairTypes<OrientedBox, OrientedBox>, PairTypes<OrientedBox, Capsule>>;
TYPED_TEST_SUITE(Batches, Types);

TYPED_TEST(Batches, AnswerAsOneAtATime) {
  using A = typename TypeParam::First;
  using B = typename TypeParam::Second;
  for (const Input input : {Input::plain, Input::grid, Input::nudged, Input::huge, Input::tiny, Input::mixed}) {
    const std::size_t count = input == Input::plain ? 20011 : input == Input::mixed ? 1001 : 3001;
    Shapemaker maker(40 + static_cast<std::uint64_t>(input), input);
    std::vector<A> a(count);
    std::vector<B> b(count);
    std::vector<std::uint8_t> truth;
    for (std::size_t i = 0; i < count; ++i) {
      maker.make(a[i]);
      maker.make(b[i]);
      truth.push_back(intersects(ShapeRef(a[i]), ShapeRef(b[i])));
      ASSERT_EQ(intersects(a[i], b[i]), truth.back() != 0) << i << " of input " << static_cast<int>(input);
    }
    const auto yes = static_cast<std::size_t>(std::count(truth.begin(), truth.end(), 1));
    if (input != Input::tiny && input != Input::huge) {
      EXPECT_GT(yes, count / 50);
      EXPECT_LT(yes, count - count / 50);
    }
    for_each_cpu_level([&](CpuLevel level) {
      for (const int threads : {1, 3}) {
        set_threads(threads);
        const std::vector<std::uint8_t> bytes = intersects(std::span<const A>(a), std::span<const B>(b));
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(bytes[i], truth[i]) << i << " of input " << static_cast<int>(input) << " at " << name(level);
      }
      set_threads(0);
    });
  }
}

TYPED_TEST(Batches, OfAnySize) {
  using A = typename TypeParam::First;
  using B = typename TypeParam::Second;
  Shapemaker maker(50, Input::grid);
  std::vector<A> a(70);
  std::vector<B> b(70);
  for (A& s : a) maker.make(s);
  for (B& s : b) maker.make(s);
  for_each_cpu_level([&](CpuLevel) {
    for (std::size_t n = 0; n <= 40; ++n) {
      for (const std::size_t from : {std::size_t{0}, std::size_t{29}}) {
        std::vector<std::uint8_t> out(n + 2, 77);
        intersects(std::span<const A>(a).subspan(from, n), std::span<const B>(b).subspan(from, n), std::span<std::uint8_t>(out).subspan(1, n));
        EXPECT_EQ(out.front(), 77);  // nothing outside the output is written
        EXPECT_EQ(out.back(), 77);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i + 1], intersects(a[from + i], b[from + i]));
      }
    }
  });
  std::vector<std::uint8_t> out(3);
  EXPECT_THROW((void)intersects(std::span<const A>(a), std::span<const B>(b).first(3)), Error);
  EXPECT_THROW(intersects(std::span<const A>(a), std::span<const B>(b), std::span<std::uint8_t>(out)), Error);
}

// The filters decide all pairs that are not close. Leaving more to the exact functions would be slow, not wrong.
template <class A, class B>
std::size_t left_undecided(PairBatch filter, Input input) {
  Shapemaker maker(60, input);
  const std::size_t count = 2000;
  std::vector<A> a(count);
  std::vector<B> b(count);
  for (std::size_t i = 0; i < count; ++i) maker.make(a[i]), maker.make(b[i]);
  std::vector<std::uint8_t> out(count);
  std::vector<std::uint32_t> undecided(count + 8);
  return filter(reinterpret_cast<const double*>(a.data()), reinterpret_cast<const double*>(b.data()), count, out.data(), undecided.data());
}
TEST(BatchKernels, DecideMostPairs) {
  for_each_cpu_level([&](CpuLevel) {
    const BatchKernels& k = batch_kernels();
    EXPECT_EQ((left_undecided<Sphere, Sphere>(k.sphere_sphere, Input::plain)), 0u);
    EXPECT_EQ((left_undecided<Sphere, Capsule>(k.sphere_capsule, Input::plain)), 0u);
    EXPECT_EQ((left_undecided<Capsule, Capsule>(k.capsule_capsule, Input::plain)), 0u);
    EXPECT_EQ((left_undecided<Sphere, Triangle>(k.sphere_triangle, Input::plain)), 0u);
    EXPECT_EQ((left_undecided<Triangle, Triangle>(k.triangle_triangle, Input::plain)), 0u);
    EXPECT_EQ((left_undecided<Sphere, Box>(k.sphere_box, Input::plain)), 0u);
    EXPECT_EQ((left_undecided<Box, Box>(k.box_box, Input::mixed)), 0u);
    EXPECT_EQ((left_undecided<Segment, Box>(k.segment_box, Input::plain)), 0u);
    EXPECT_EQ((left_undecided<Sphere, OrientedBox>(k.sphere_oriented_box, Input::plain)), 0u);
    EXPECT_EQ((left_undecided<OrientedBox, OrientedBox>(k.oriented_boxes, Input::plain)), 0u);
    EXPECT_EQ((left_undecided<OrientedBox, Capsule>(k.oriented_box_capsule, Input::plain)), 0u);
    EXPECT_LT((left_undecided<Triangle, Triangle>(k.triangle_triangle, Input::grid)), 400u);  // only flat boxes: on a grid everything else is exact in doubles
  });
}

}  // namespace
}  // namespace graze::test::intersects_batch_test
