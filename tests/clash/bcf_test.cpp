// Reports for people: the order and groups of findings, views of them, and BCF files.
#include <gtest/gtest.h>
#include <minizip/unzip.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <graze/clash.hpp>
#include <graze/error.hpp>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "support/glb_writer.hpp"

namespace graze {
namespace {

namespace fs = std::filesystem;
using test::GlbWriter;

constexpr const char* kGlobalIds[] = {"2O2Fr$t4X7Zf8NOew3FL9r", "3cUkl32yn9qRSPvBJVyWw5"};

std::string node(const std::string& name, int mesh, double x) {
  return R"("name":")" + name + R"(","mesh":)" + std::to_string(mesh) + R"(,"translation":[)" + std::to_string(x) + ",0,0]";
}

class BcfFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("graze_bcf_" + std::to_string(std::random_device{}()));
    fs::create_directories(folder_);
    GlbWriter w;
    const int block = w.box({0, 0, 0}, {10, 10, 10});
    w.node(node(kGlobalIds[0], block, 0));
    w.node(node(kGlobalIds[1], block, 9));    // overlaps the first
    w.node(node("far & <wide>", block, 30));  // touches the next
    w.node(node("last", block, 40));
    std::ofstream(folder_ / "m.glb", std::ios::binary) << w.file();
    job_.models.push_back({"m", (folder_ / "m.glb").string(), 1, {}});
    job_.tests.push_back({});
    parts_ = load_clash_parts(job_);
    report_ = find_clashes(job_, parts_, {});
    ASSERT_EQ(report_.clashes.size(), 2u);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  /// The content of all files of the archive whose names end so, in their order. Reading checks their sums.
  std::string unzipped(const std::string& archive, const std::string& ending) const {
    std::string out;
    const unzFile zip = unzOpen((folder_ / archive).c_str());
    EXPECT_NE(zip, nullptr);
    for (int more = unzGoToFirstFile(zip); more == UNZ_OK; more = unzGoToNextFile(zip)) {
      char name[200];
      unz_file_info info;
      EXPECT_EQ(unzGetCurrentFileInfo(zip, &info, name, sizeof name, nullptr, 0, nullptr, 0), UNZ_OK);
      EXPECT_EQ(info.dosDate, 0x210000u) << name;
      if (!std::string(name).ends_with(ending)) continue;
      std::string content(info.uncompressed_size, '\0');
      EXPECT_EQ(unzOpenCurrentFile(zip), UNZ_OK);
      EXPECT_EQ(unzReadCurrentFile(zip, content.data(), static_cast<unsigned>(content.size())), static_cast<int>(content.size()));
      EXPECT_EQ(unzCloseCurrentFile(zip), UNZ_OK);
      out += content;
    }
    EXPECT_EQ(unzClose(zip), UNZ_OK);
    return out;
  }
  std::string write(const std::string& name, const BcfOptions& options = {}) {
    left_out_ = write_clash_bcf(report_, parts_, (folder_ / name).string(), options);
    return read(name);
  }
  Clash& hard() { return *std::min_element(report_.clashes.begin(), report_.clashes.end(), worse); }

  fs::path folder_;
  ClashJob job_;
  ClashParts parts_;
  ClashReport report_;
  std::size_t left_out_ = 0;
};

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST_F(BcfFile, SameBytesTwice) {
  BcfOptions options;
  options.snapshot = [](const Clash& c) { return "picture of " + c.id; };
  const std::string once = write("a.bcf", options);
  EXPECT_GT(once.size(), 1000u);
  EXPECT_EQ(once, write("b.bcf", options));
  EXPECT_EQ(unzipped("a.bcf", "/snapshot.png").find("picture of " + hard().id), 0u) << "the worst finding comes first";
  for (const auto& entry : fs::directory_iterator(folder_)) EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
}

TEST_F(BcfFile, TopicsOfBothVersions) {
  hard().note = "move \"it\" <now>";
  for (const std::string version : {"2.1", "3.0"}) {
    BcfOptions options;
    options.version = version;
    (void)write("a.bcf", options);
    EXPECT_NE(unzipped("a.bcf", "bcf.version").find("VersionId=\"" + version + "\""), std::string::npos);
    const std::string markup = unzipped("a.bcf", "/markup.bcf"), views = unzipped("a.bcf", "/viewpoint.bcfv");
    EXPECT_EQ(count(markup, "<Topic Guid="), 2u);
    EXPECT_EQ(count(markup, "TopicStatus=\"new\""), 2u);
    EXPECT_EQ(count(markup, "<Comment>move &quot;it&quot; &lt;now&gt;</Comment>"), 1u);
    EXPECT_EQ(count(markup, "far &amp; &lt;wide&gt; | "), 1u);
    EXPECT_EQ(count(markup, "Snapshot"), 0u);
    EXPECT_EQ(count(views, "<PerspectiveCamera>"), 2u);
    // Selected, visible and coloured: each of both parts three times. Parts without a GlobalId are named by their paths.
    for (const char* id : kGlobalIds) EXPECT_EQ(count(views, std::string("IfcGuid=\"") + id + "\""), 3u) << id;
    EXPECT_EQ(count(views, "<AuthoringToolId>m/last</AuthoringToolId>"), 2u);
    EXPECT_EQ(count(views, "DefaultVisibility=\"false\""), 1u);
  }
}

TEST_F(BcfFile, OnlyFindingsThatNeedWork) {
  hard().status = ClashStatus::approved;
  (void)write("a.bcf");
  EXPECT_EQ(count(unzipped("a.bcf", "/markup.bcf"), "<Topic "), 1u);
  hard().status = ClashStatus::reviewed;
  BcfOptions options;
  options.most = 1;
  (void)write("a.bcf", options);
  EXPECT_EQ(left_out_, 1u);
  EXPECT_EQ(count(unzipped("a.bcf", "/markup.bcf"), "TopicStatus=\"reviewed\""), 1u) << "the worst one stays";
}

TEST_F(BcfFile, MetresAndZUp) {
  BcfOptions options;
  options.up = Axis::y;
  (void)write("a.bcf", options);
  EXPECT_EQ(count(unzipped("a.bcf", "/viewpoint.bcfv"), "<CameraUpVector>\n<X>0</X>\n<Y>0</Y>\n<Z>1</Z>"), 2u);
  const ClashPart *a = find_part(parts_, hard().a), *b = find_part(parts_, hard().b);
  ASSERT_TRUE(a != nullptr && b != nullptr);
  const ClashView view = view_clash(hard(), parts_, *a, *b, Axis::z);
  (void)write("a.bcf");
  char x[40];
  std::snprintf(x, sizeof x, "<CameraViewPoint>\n<X>%.4f", view.eye.x / 1000);
  EXPECT_EQ(count(unzipped("a.bcf", "/viewpoint.bcfv"), std::string(x).substr(0, std::string(x).size() - 1)), 1u) << x;
}

TEST_F(BcfFile, Errors) {
  BcfOptions options;
  options.version = "1.0";
  EXPECT_THROW((void)write("a.bcf", options), Error);
  EXPECT_THROW((void)write("missing/a.bcf"), Error);
  EXPECT_FALSE(fs::exists(folder_ / "a.bcf"));
}

TEST_F(BcfFile, ViewsShowTheContact) {
  for (const Clash& c : report_.clashes) {
    const ClashView view = view_clash(c, parts_, *find_part(parts_, c.a), *find_part(parts_, c.b), Axis::z);
    const Vec3 middle = c.region.min * 0.5 + c.region.max * 0.5;
    EXPECT_EQ(view.target, middle);
    EXPECT_EQ(view.up, Vec3(0, 0, 1));
    const Vec3 back = view.eye - view.target;
    EXPECT_GT(back.z, 0) << "from above";
    EXPECT_LT(back.x * back.x + back.y * back.y + back.z * back.z, 100.0 * 100.0);
  }
}

TEST(ClashGroups, SharePartsDirectlyOrNot) {
  ClashReport report;
  const auto add = [&](const char* id, const char* a, const char* b, ClashStatus status = ClashStatus::fresh) {
    Clash c;
    c.id = id;
    c.a = a;
    c.b = b;
    c.status = status;
    report.clashes.push_back(c);
  };
  add("0", "x", "y");
  add("1", "p", "q");
  add("2", "r", "s");
  add("3", "q", "r");
  add("4", "y", "p", ClashStatus::resolved);  // joins nothing
  add("5", "z", "w");
  EXPECT_EQ(clash_groups(report), (std::vector<std::uint32_t>{2, 1, 1, 1, 0, 3}));
}

TEST(ClashOrder, WorstFirst) {
  Clash deep, shallow, near, nearer;
  deep.depth = 3;
  shallow.depth = 1;
  near.verdict = nearer.verdict = Verdict::near;
  near.distance = 2;
  nearer.distance = 1;
  EXPECT_TRUE(worse(deep, shallow) && worse(shallow, nearer) && worse(nearer, near));
  EXPECT_FALSE(worse(deep, deep));
}

}  // namespace
}  // namespace graze
