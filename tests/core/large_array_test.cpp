// Arrays in large pages behave as arrays.
#include "core/large_array.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace graze::test {
namespace {

TEST(LargeArray, HoldsWhatIsPutInAndIsAligned) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20}) {
    LargeArray<std::uint32_t> a(n);
    for (std::size_t i = 0; i < n; ++i) a[i] = static_cast<std::uint32_t>(i * 7);
    LargeArray<std::uint32_t> b = a;
    b.push_back(5);
    b.resize(2 * n + 1);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.data()) % 64, 0u);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(b[i], i * 7);
    EXPECT_EQ(b[n], 5u);
  }
}

}  // namespace
}  // namespace graze::test
