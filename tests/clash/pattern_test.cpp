// Patterns of paths.
#include "clash/pairs/pattern.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace graze::clash {
namespace {

TEST(Pattern, StarsStayWithinANameOrCrossThem) {
  EXPECT_TRUE(matches("mep/**/Duct*", "mep/floor 1/Duct 7"));
  EXPECT_TRUE(matches("mep/**/Duct*", "mep/Duct"));
  EXPECT_TRUE(matches("mep/**/Duct*", "mep/a/b/Duct"));
  EXPECT_FALSE(matches("mep/**/Duct*", "mep/a/Duct/elbow"));
  EXPECT_FALSE(matches("mep/**/Duct*", "mepx/Duct"));
  EXPECT_FALSE(matches("mep/**/Duct*", "mep/aDuct"));
  EXPECT_TRUE(matches("mep/**", "mep/a/b"));
  EXPECT_FALSE(matches("mep/*", "mep/a/b"));
  EXPECT_TRUE(matches("*M12*", "bolt M12x40"));
  EXPECT_TRUE(matches("a?c", "abc"));
  EXPECT_FALSE(matches("a?c", "a/c"));
  EXPECT_TRUE(matches("**", ""));
  EXPECT_TRUE(matches("", ""));
  EXPECT_FALSE(matches("a", "A"));
  EXPECT_TRUE(matches("**/x", "x"));
  EXPECT_TRUE(matches("**/x", "a/x"));
  EXPECT_FALSE(matches("**/x", "ax"));
}

TEST(Pattern, ManyStarsTakeNoExponentialTime) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  const std::string text(2000, 'a');
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(matches(pattern, text));
  EXPECT_FALSE(matches(pattern + "b", text));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

}  // namespace
}  // namespace graze::clash
