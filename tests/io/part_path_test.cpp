// Paths of parts: what is kept of long ones depends on the whole path alone, is short, and stays as it is when it is read again.
#include "io/part_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "json/utf8.hpp"
#include "support/random.hpp"

namespace graze::io::part_path_test {
namespace {

std::string repeated(const std::string& text, std::size_t n) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += text;
  return out;
}

TEST(PartPath, KeepsPathsUpToTheLimits) {
  const std::string levels = "a" + repeated("/a", 199), bytes = repeated("x", 4096);
  EXPECT_EQ(PartPath(levels).text(), levels);
  EXPECT_EQ(PartPath(bytes).text(), bytes);
  EXPECT_FALSE(PartPath(bytes).shortened());
  EXPECT_TRUE(PartPath(levels + "/a").shortened());
  EXPECT_TRUE(PartPath(bytes + "x").shortened());
  EXPECT_EQ(PartPath().below("a").below("b").text(), "a/b");
}

TEST(PartPath, LeavesOutTheMiddle) {
  std::string whole = "n1";
  for (int i = 2; i <= 300; ++i) whole += "/n" + std::to_string(i);
  const std::string text = PartPath(whole).text(), mark = "/(" + std::to_string(whole.size()) + " bytes, ";
  EXPECT_TRUE(text.starts_with("n1/n2/n3/n4/n5/n6/n7/n8" + mark)) << text;
  EXPECT_TRUE(text.ends_with(")/n293/n294/n295/n296/n297/n298/n299/n300")) << text;
  const std::string name = repeated("\u20ac", 2000);  // three bytes each; no slash: the name itself is cut, between characters
  const std::string cut = PartPath(name).text();
  EXPECT_LT(cut.size(), 1300u);
  for (std::size_t i = 0, n = 0; i < cut.size(); i += n) ASSERT_GT(n = json::utf8_length(cut, i), 0u) << i;
}

TEST(PartPath, DependsOnTheWholeAlone) {
  test::Random random(3);
  const auto below = [&](unsigned n) { return random.below<std::size_t>(n); };
  std::size_t shortened = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string whole;
    PartPath pieces;
    for (std::size_t n = 1 + below(round % 2 == 0 ? 300 : 30); n > 0; --n) {
      const std::string piece = repeated(below(4) == 0 ? "/" : below(9) == 0 ? "\u20ac" : "ab", below(5) == 0 ? below(900) % 400 : 1);
      whole += piece;
      pieces.append(piece);
    }
    const std::string text = pieces.text();
    ASSERT_EQ(text, PartPath(whole).text());
    ASSERT_EQ(PartPath(text).text(), text);  // reading it again changes nothing
    ASSERT_EQ(text == whole, whole.size() <= 4096 && std::count(whole.begin(), whole.end(), '/') < 200);
    ASSERT_LE(text.size(), 4096u);
    shortened += pieces.shortened() ? 1 : 0;
  }
  EXPECT_GT(shortened, 300u);
  EXPECT_LT(shortened, 1700u);
}

TEST(PartPath, RepetitionsAreNumbered) {
  UniquePaths unique;
  EXPECT_EQ(unique.add(PartPath("a")).text(), "a");
  EXPECT_EQ(unique.add(PartPath("a#2")).text(), "a#2");
  EXPECT_EQ(unique.add(PartPath("a")).text(), "a#3");
  std::set<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.insert(unique.add(PartPath(repeated("x/", 1000))).text());
  EXPECT_EQ(texts.size(), 100u);
}

}  // namespace
}  // namespace graze::io::part_path_test
