// Files of many findings: which line is named, ends of lines, escapes; and the findings of two runs together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <graze/clash.hpp>
#include <graze/error.hpp>
#include <graze/threads.hpp>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "clash/pairs/digest.hpp"
#include "clash/pairs/run_before.hpp"

namespace graze::clash {
namespace {

namespace fs = std::filesystem;

class ClashResults : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("graze_results_" + std::to_string(std::random_device{}()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    fs::remove_all(folder_);
    set_threads(0);
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string& path, const std::string& content) { std::ofstream(path, std::ios::binary) << content; }

std::string error_of(const std::string& path) {
  try {
    (void)read_clashes(path);
  } catch (const Error& e) {
    return std::string(e.what()).substr(path.size() + 2);
  }
  return "";
}

Clash finding(const std::string& id, ClashStatus status = ClashStatus::fresh) {
  Clash c;
  c.id = id;
  c.test = "all";
  c.a = "m/" + id;
  c.b = "m/z";
  c.key = "key of " + id;
  c.status = status;
  return c;
}

ClashReport many(std::size_t n) {
  ClashReport report;
  report.unit = "mm";
  for (std::size_t i = 0; i < n; ++i) {
    report.clashes.push_back(finding(std::to_string(1'000'000 + i)));
    report.clashes.back().point.x = static_cast<double>(i) / 8;
  }
  return report;
}

/// A file of results with other lines, and the digest that it then has.
std::string with_lines(const std::string& text, const std::string& lines) {
  const std::string head = text.substr(0, text.find(",\"sha256\":"));
  return head + ",\"sha256\":\"" + Digest().add(std::string_view(head)).add(std::string_view(lines)).hex(64) + "\"}\n" + lines;
}

TEST_F(ClashResults, TheFirstBadLineOfManyIsNamed) {
  ClashReport report = many(80'000);
  for (const std::size_t bad : {69'998, 70'010, 79'999}) report.clashes[bad].distance = std::numeric_limits<double>::infinity();  // null in JSON
  const std::string path = file("clash.json");
  write_clashes(report, path);
  for (const int threads : {1, 2, 5}) {
    set_threads(threads);
    EXPECT_EQ(error_of(path), "line 70000: distance: is null, must be a number");
  }
  report.clashes[70'010].distance = report.clashes[69'998].distance = 0;
  write_clashes(report, path);
  EXPECT_EQ(error_of(path), "line 80001: distance: is null, must be a number");
}

TEST_F(ClashResults, ManyFindingsReadBackForAnyNumberOfThreads) {
  const ClashReport report = many(5'000);
  std::vector<std::string> files;
  for (const int threads : {1, 3}) {
    set_threads(threads);
    const std::string json = file("clash.json"), table = file("clash.csv"), tests = file("junit.xml");
    write_clashes(report, json);
    write_clash_csv(report, table);
    write_clash_junit(report, tests);
    files.push_back(bytes_of(json) + bytes_of(table) + bytes_of(tests));
    const ClashReport back = read_clashes(json);
    ASSERT_EQ(back.clashes.size(), report.clashes.size());
    for (std::size_t i = 0; i < report.clashes.size(); ++i) {
      EXPECT_EQ(back.clashes[i].id, report.clashes[i].id);
      EXPECT_EQ(back.clashes[i].point.x, report.clashes[i].point.x);
    }
  }
  EXPECT_EQ(files[0], files[1]);
}

TEST_F(ClashResults, AFolderHasTheFilesOfOneReport) {
  const ClashReport report = many(1'000), before = many(3);
  write_clashes(report, file("1.json"));
  write_clash_csv(report, file("1.csv"));
  write_clash_junit(report, file("1.xml"));
  const auto files = [&] { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); };
  for (const int threads : {1, 3}) {
    set_threads(threads);
    write_clash_results(before, folder_.string());
    write_clash_results(report, folder_.string());
    EXPECT_EQ(bytes_of(file("clash.json")), bytes_of(file("1.json")));
    EXPECT_EQ(bytes_of(file("clash.csv")), bytes_of(file("1.csv")));
    EXPECT_EQ(bytes_of(file("junit.xml")), bytes_of(file("1.xml")));
    EXPECT_EQ(files(), 6);
  }
  fs::remove(file("clash.csv"));
  fs::create_directories(file("clash.csv/taken"));
  for (const int threads : {1, 3}) {
    set_threads(threads);
    try {
      write_clash_results(before, folder_.string());
      FAIL() << "a table was written over a folder";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::unwritable_file);
      EXPECT_EQ(std::string(e.what()).substr(0, file("clash.csv").size() + 19), file("clash.csv") + ": cannot be written");
    }
    EXPECT_EQ(bytes_of(file("clash.json")), bytes_of(file("1.json")));
    EXPECT_EQ(files(), 6);
  }
}

TEST_F(ClashResults, LinesEndAsOnAnySystem) {
  const std::string path = file("clash.json");
  write_clashes(many(1'000), path);
  const std::string text = bytes_of(path), lines = text.substr(text.find('\n') + 1);
  EXPECT_EQ(with_lines(text, lines), text);
  std::string crlf;
  for (const char c : lines) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const std::string& other : {crlf, lines.substr(0, lines.size() - 1)}) {
    write(path, with_lines(text, other));
    EXPECT_EQ(read_clashes(path).clashes.size(), 1'000u);
  }
  std::string gap = lines;
  gap.insert(gap.find('\n') + 1, "\n");
  write(path, with_lines(text, gap));
  EXPECT_EQ(error_of(path).substr(0, 28), "line 3: column 1: expected a");
  write(path, with_lines(text, lines.substr(lines.find('\n') + 1)));
  EXPECT_EQ(error_of(path), "line 1000: findings: is 1000, but there are 999");
  write(path, with_lines(text, ""));
  EXPECT_EQ(error_of(path), "line 1: findings: is 1000, but there are 0");
}

TEST_F(ClashResults, EscapesOfEachFile) {
  ClashReport report = many(1);
  Clash& c = report.clashes[0];
  c.a = "\"\\a\n\xC3\xA9\x7F<&>\t\x01";
  c.b = "=1,2\xFF";
  c.note = "\"";
  write_clashes(report, file("clash.json"));
  write_clash_csv(report, file("clash.csv"));
  write_clash_junit(report, file("junit.xml"));
  const auto has = [&](const char* name, const std::string& text) { return bytes_of(file(name)).find(text) != std::string::npos; };
  EXPECT_TRUE(has("clash.json", R"("a":"\"\\a\n)"
                                "\xC3\xA9"
                                R"(\u007f<&>\t\u0001","b":"=1,2\ufffd")"));
  EXPECT_TRUE(has("clash.csv", ",\"\"\"\\a\n\xC3\xA9\x7F<&>\t\x01\",\"'=1,2\xFF\",0,,"));
  EXPECT_TRUE(has("clash.csv", ",,\"\"\"\"\r\n"));
  EXPECT_TRUE(has("junit.xml", "name=\"&quot;\\a&#10;\xC3\xA9\x7F&lt;&amp;&gt;\t? | =1,2\xEF\xBF\xBD\""));
  const ClashReport back = read_clashes(file("clash.json"));
  EXPECT_EQ(back.clashes[0].a, c.a);
  EXPECT_EQ(back.clashes[0].b, "=1,2\xEF\xBF\xBD");
}

TEST(RunBefore, JoinsFindingsByIdWhateverTheirIdsAre) {
  ClashReport old;
  old.run = 4;
  // Not sorted; "ab" twice, of which the first counts; ids that differ after eight characters, or in length alone.
  old.clashes = {finding("12345678b", ClashStatus::approved), finding("ab", ClashStatus::reviewed),
                 finding("ab", ClashStatus::approved),        finding("a", ClashStatus::fresh),
                 finding("gone", ClashStatus::approved),      finding("back", ClashStatus::resolved)};
  old.clashes[0].note = "as drawn";
  old.clashes[4].key.clear();
  const RunBefore before(&old);
  EXPECT_TRUE(before.known("key of ab").has_value());
  EXPECT_TRUE(before.known("key of 12345678b").has_value());
  EXPECT_FALSE(before.known("key of back").has_value());  // resolved
  EXPECT_FALSE(before.known("").has_value());
  EXPECT_FALSE(before.known("key of").has_value());

  std::vector<Clash> found = {finding("b"), finding("back"), finding("12345678c"), finding("a"), finding("12345678b"), finding("12345678"), finding("ab")};
  std::vector<Clash*> pointers;
  for (Clash& c : found) pointers.push_back(&c);
  ClashReport report = before.begin({}, {}, "2026-11-26");
  EXPECT_EQ(report.run, 5u);
  before.finish(report, pointers);
  std::vector<std::string> lines;
  for (const Clash& c : report.clashes) lines.push_back(c.id + " " + name_of(c.status) + " " + std::to_string(c.first_run) + " " + c.date + c.note);
  EXPECT_EQ(lines, (std::vector<std::string>{"12345678 new 5 2026-11-26", "12345678b approved 1 as drawn", "12345678c new 5 2026-11-26", "a active 1 ",
                                             "ab reviewed 1 ", "b new 5 2026-11-26", "back new 1 ", "gone resolved 1 "}));
  EXPECT_EQ(report.clashes[4].a, "m/ab");
}

TEST(RunBefore, MayBeMissing) {
  const RunBefore before(nullptr);
  EXPECT_FALSE(before.known("key").has_value());
  std::vector<Clash> found = {finding("b"), finding("a")};
  ClashReport report = before.begin({}, {}, "");
  EXPECT_EQ(report.run, 1u);
  before.finish(report, {&found[0], &found[1]});
  ASSERT_EQ(report.clashes.size(), 2u);
  EXPECT_EQ(report.clashes[0].id, "a");
  EXPECT_EQ(report.clashes[1].status, ClashStatus::fresh);
}

}  // namespace
}  // namespace graze::clash
