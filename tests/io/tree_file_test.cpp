// Tree files: round trips, answers to the bit, and files that are damaged, cut short or made up.
#include "io/tree_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <graze/assembly.hpp>
#include <graze/query.hpp>
#include <graze/threads.hpp>
#include <graze/tree_file.hpp>
#include <string>
#include <vector>

#include "io/xxh64.hpp"
#include "mesh/meshes.hpp"
#include "mesh/stored_mesh.hpp"
#include "support/random.hpp"
#include "support/reading.hpp"

namespace graze::tree_file_test {
namespace {

namespace fs = std::filesystem;
using io::SectionEntry;
using io::SectionKind;
using io::TreeFileHeader;
using test::Random;

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

template <class T>
bool same_bytes(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

bool same_arrays(const Mesh& a, const Mesh& b) {
  const MeshArrays x = arrays_of(a), y = arrays_of(b);
  return same_bytes(x.vertices, y.vertices) && same_bytes(x.triangles, y.triangles) && same_bytes(x.items, y.items) && same_bytes(x.nodes, y.nodes) &&
         same_bytes(x.blocks, y.blocks) && same_bytes(a.user(), b.user());
}

class TreeFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("graze_tree_file_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    set_threads(0);
    fs::remove_all(folder_);
  }
  std::string at(const char* name) const { return (folder_ / name).string(); }
  std::string saved(const Mesh& mesh) const {
    save_mesh(mesh, at("m.graze"));
    return bytes_of(at("m.graze"));
  }
  std::string write(const std::string& bytes) const {
    std::ofstream(at("d.graze"), std::ios::binary) << bytes;
    return at("d.graze");
  }
  /// The message of the refusal, or "".
  std::string error_of(const std::string& bytes) const {
    try {
      (void)map_meshes(write(bytes));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  fs::path folder_;
};

MeshData with_everything() {
  Random r(5);
  MeshData d = test::soup(r, 23, 1, Vec3(0));
  d.parts = {{"first", 0, 10}, {"", 10, 2}, {"last \xC3\xA9", 15, 8}};
  for (std::uint32_t i = 0; i < 23; ++i) d.user.push_back(i * i);
  return d;
}

void expect_same_answers(const Mesh& a, const Mesh& b, Random& r, double size, const Vec3& center) {
  for (int i = 0; i < 20; ++i) {
    const Vec3 p = center + r.point(-1, 1) * size, q = center + r.point(-1, 1) * size;
    const auto x = raycast(Ray{p, q - p}, a), y = raycast(Ray{p, q - p}, b);
    ASSERT_EQ(x.has_value(), y.has_value());
    if (x) {
      EXPECT_EQ(std::memcmp(&x->t, &y->t, sizeof x->t), 0);
      EXPECT_EQ(x->triangle, y->triangle);
    }
    const Closest c = closest(Point{p}, a), d = closest(Point{p}, b);
    EXPECT_EQ(std::memcmp(&c.distance, &d.distance, sizeof c.distance), 0);
    EXPECT_EQ(c.on_b, d.on_b);
    EXPECT_EQ(c.triangle_b, d.triangle_b);
    EXPECT_EQ(intersects(Sphere{p, 0.1 * size}, a), intersects(Sphere{p, 0.1 * size}, b));
  }
  if (a.size() > 1000) return;  // neighbours make millions of pairs
  EXPECT_EQ(self_intersections(a), self_intersections(b));
  EXPECT_EQ(intersecting_triangles(a, a), intersecting_triangles(b, a));
  EXPECT_EQ(intersecting_triangles(a, a), intersecting_triangles(b, b));
}

TEST_F(TreeFiles, MeshesComeBackToTheBitAndAnswerTheSame) {
  Random r(3);
  for (const test::NamedMesh& m : test::meshes()) {
    for (const Build how : {Build::best, Build::fast}) {
      SCOPED_TRACE(m.name);
      const Mesh mesh(m.data, how);
      save_mesh(mesh, at("m.graze"));
      const Mesh mapped = map_mesh(at("m.graze"));
      EXPECT_TRUE(same_arrays(mesh, mapped));
      expect_same_answers(mesh, mapped, r, m.size, m.at);
      const Mesh loaded = load_mesh(at("m.graze"));
      EXPECT_TRUE(same_arrays(mesh, loaded));
      std::vector<Vec3> moved(mesh.vertices().begin(), mesh.vertices().end());
      for (Vec3& v : moved) v = v * 0.75;
      EXPECT_TRUE(same_arrays(mesh.refit(moved), mapped.refit(moved)));
      save_mesh(mesh.refit(moved), at("r.graze"));
      EXPECT_TRUE(same_arrays(mesh.refit(moved), map_mesh(at("r.graze"))));
    }
  }
}

TEST_F(TreeFiles, LargeFilesAreUsedInPlace) {
  const Mesh mesh(test::ball(120, Vec3(1, 2, 3), 2));
  for (const Build how : {Build::best, Build::fast}) {
    const Mesh built(test::ball(120, Vec3(1, 2, 3), 2), how);
    save_mesh(built, at("m.graze"));
    ASSERT_GT(fs::file_size(at("m.graze")), std::size_t{1} << 20);
    const Mesh mapped = map_mesh(at("m.graze"));
    EXPECT_TRUE(same_arrays(built, mapped));
    const auto* const first = reinterpret_cast<const char*>(mapped.vertices().data());
    const auto* const blocks = reinterpret_cast<const char*>(arrays_of(mapped).blocks.data());
    EXPECT_GT(blocks, first);  // in one mapping, in the order of the file
    EXPECT_LT(static_cast<std::size_t>(blocks - first), fs::file_size(at("m.graze")));
    fs::remove(at("m.graze"));  // the mapping stays
    Random r(9);
    expect_same_answers(built, mapped, r, 2, Vec3(1, 2, 3));
  }
}

TEST_F(TreeFiles, KeepsPartsUserNumbersAndEmptyMeshes) {
  const Mesh mesh(with_everything()), empty((MeshData())), unused(MeshData{{Vec3(1, 2, 3)}, {}, {}});
  save_meshes(std::vector<Mesh>{mesh, empty, unused}, at("three.graze"));
  const std::vector<Mesh> back = map_meshes(at("three.graze"));
  ASSERT_EQ(back.size(), 3u);
  EXPECT_TRUE(same_arrays(mesh, back[0]));
  ASSERT_EQ(back[0].parts().size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(back[0].parts()[i].name, mesh.parts()[i].name);
    EXPECT_EQ(back[0].parts()[i].first, mesh.parts()[i].first);
    EXPECT_EQ(back[0].parts()[i].count, mesh.parts()[i].count);
  }
  EXPECT_EQ(back[1].size(), 0u);
  EXPECT_EQ(back[2].vertices()[0], Vec3(1, 2, 3));
  EXPECT_THROW((void)map_mesh(at("three.graze")), Error);
  save_meshes({}, at("none.graze"));
  EXPECT_TRUE(map_meshes(at("none.graze")).empty());
}

Assembly two_meshes_four_parts() {
  Assembly a;
  Random r(8);
  a.meshes = {Mesh(test::soup(r, 40, 1, Vec3(0))), Mesh(test::closed_box(Vec3(0), Vec3(1, 2, 3)))};
  for (std::uint32_t i = 0; i < 4; ++i) a.parts.push_back({"id" + std::to_string(i), "hall/" + std::to_string(i % 2), i / 2, r.pose(10)});
  a.parts[3].name = a.parts[3].path;
  a.parts[1].pose = translation(Vec3(-0.0, 1e300, 5));
  a.unit = "mm", a.up_axis = "z", a.single_precision = true;
  a.notes = {"one", "two"};
  return a;
}

TEST_F(TreeFiles, AssembliesComeBackToTheBit) {
  const Assembly a = two_meshes_four_parts();
  save_assembly(a, at("a.graze"));
  const std::string bytes = bytes_of(at("a.graze"));
  const Assembly b = load_assembly(at("a.graze"));
  EXPECT_EQ(b.format, "graze");
  EXPECT_EQ(b.unit, "mm");
  EXPECT_EQ(b.up_axis, "z");
  EXPECT_TRUE(b.single_precision);
  EXPECT_EQ(b.notes, a.notes);
  ASSERT_EQ(b.meshes.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(same_arrays(a.meshes[i], b.meshes[i]));
  ASSERT_EQ(b.parts.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(b.parts[i].path, a.parts[i].path);
    EXPECT_EQ(b.parts[i].name, a.parts[i].name);
    EXPECT_EQ(b.parts[i].mesh, a.parts[i].mesh);
    EXPECT_EQ(std::memcmp(&b.parts[i].pose, &a.parts[i].pose, sizeof(Pose)), 0);
  }
  save_assembly(b, at("b.graze"));
  EXPECT_EQ(bytes_of(at("b.graze")), bytes);
  const Assembly c = load_assembly({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, "c");
  EXPECT_EQ(c.parts[2].path, "id2");
  EXPECT_TRUE(same_arrays(a.meshes[1], c.meshes[1]));
}

TEST_F(TreeFiles, ReadersOfModelsAcceptThem) {
  const Assembly a = two_meshes_four_parts();
  save_assembly(a, at("wrong.obj"));  // the content decides
  const LoadedModel model = load_model(at("wrong.obj"));
  EXPECT_EQ(model.data.triangles.size(), 2u * 40 + 2 * 12);
  EXPECT_EQ(model.format, "graze");
  ASSERT_EQ(model.data.parts.size(), 4u);
  EXPECT_EQ(model.data.vertices[0], a.parts[0].pose.apply(a.meshes[0].vertices()[0]));
  EXPECT_EQ(load_mesh(at("wrong.obj")).size(), model.data.triangles.size());

  AssemblyOptions turned;
  turned.pose = Pose::quarter_turn(Axis::x, 1);
  const Assembly b = load_assembly(at("wrong.obj"), turned);
  const Vec3 t = a.parts[0].pose.translation;
  EXPECT_EQ(b.parts[0].pose.translation, Vec3(t.x, -t.z, t.y));
  EXPECT_TRUE(same_arrays(a.meshes[1], b.meshes[1]));
  turned.scale = 2;
  EXPECT_EQ(load_assembly(at("wrong.obj"), turned).meshes[1].vertices()[7], Vec3(2, 4, 6));

  const Mesh mesh(with_everything());
  save_mesh(mesh, at("m.graze"));
  EXPECT_EQ(load_model(at("m.graze")).data.user.size(), 23u);
  const Assembly runs = load_assembly(at("m.graze"));
  ASSERT_EQ(runs.parts.size(), 4u);  // three runs, and the triangles between them
  EXPECT_EQ(runs.parts[0].name, "first");
  const Assembly one{{mesh}, {{"path", "name", 0, {}}}, "", "m", "", false, {}};  // as `graze pack --whole` writes it
  save_assembly(one, at("one.graze"));
  EXPECT_EQ(load_model(at("one.graze")).data.parts.size(), 3u);
  EXPECT_EQ(load_model(at("one.graze")).unit, "m");
  EXPECT_EQ(load_assembly(at("one.graze")).parts.size(), 1u);
  EXPECT_TRUE(same_arrays(load_mesh(at("one.graze")), mesh));
  save_meshes(a.meshes, at("two.graze"));
  const Assembly two = load_assembly(at("two.graze"));
  ASSERT_EQ(two.parts.size(), 2u);
  EXPECT_EQ(two.parts[1].path, "two#2");
  EXPECT_TRUE(has_model_extension("x.GRAZE"));
}

TEST_F(TreeFiles, WritesTheSameBytesForAnyNumberOfThreads) {
  std::string bytes[2];
  for (int k = 0; k < 2; ++k) {
    set_threads(k == 0 ? 1 : 4);
    Assembly a = two_meshes_four_parts();
    a.meshes[0] = Mesh(test::ball(100, Vec3(0), 1));
    save_assembly(a, at("a.graze"));
    bytes[k] = bytes_of(at("a.graze"));
  }
  EXPECT_EQ(bytes[0], bytes[1]);
}

TEST_F(TreeFiles, EveryDamagedByteIsRefused) {
  Assembly a = two_meshes_four_parts();
  a.meshes[0] = Mesh(with_everything());
  save_assembly(a, at("a.graze"));
  std::string bytes = bytes_of(at("a.graze"));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char before = bytes[i];
    bytes[i] = static_cast<char>(before ^ 1 << i % 8);
    EXPECT_THROW((void)load_assembly({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, "a.graze"), Error) << i;
    bytes[i] = before;
  }
  EXPECT_NO_THROW((void)load_assembly({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, "a.graze"));
}

TEST_F(TreeFiles, TruncatedFilesAreRefused) {
  const std::string bytes = saved(Mesh(with_everything()));
  for (std::size_t n = 1; n < bytes.size(); ++n)
    EXPECT_THROW((void)load_assembly({reinterpret_cast<const std::byte*>(bytes.data()), n}, "a.graze"), Error) << n;
  for (const std::size_t n : {0u, 8u, 63u, 64u, 500u}) EXPECT_NE(error_of(bytes.substr(0, n)), "") << n;
  EXPECT_NE(error_of(bytes + '\0'), "");
  EXPECT_THROW((void)map_mesh(at("missing.graze")), Error);
}

// ---- files whose checksums are right ----------------------------------------------------------------------------------------------------

template <class T>
T& in(std::string& bytes, std::size_t offset) {
  return *reinterpret_cast<T*>(bytes.data() + offset);
}

std::size_t entry_at(std::size_t i) { return sizeof(TreeFileHeader) + i * sizeof(SectionEntry); }

std::size_t section_at(std::string& bytes, SectionKind kind) {
  const auto n = in<TreeFileHeader>(bytes, 0).sections;
  for (std::size_t i = 0; i < n; ++i)
    if (in<SectionEntry>(bytes, entry_at(i)).kind == kind) return static_cast<std::size_t>(in<SectionEntry>(bytes, entry_at(i)).offset);
  ADD_FAILURE() << "no such section";
  return 0;
}

/// Computes the checksums anew, as whoever makes up a file can.
std::string with_checksums(std::string bytes) {
  const auto view = [&](std::size_t from, std::size_t n) { return std::as_bytes(std::span(bytes).subspan(from, n)); };
  auto& header = in<TreeFileHeader>(bytes, 0);
  for (std::size_t i = 0; i < header.sections; ++i) {
    auto& s = in<SectionEntry>(bytes, entry_at(i));
    if (s.offset <= bytes.size() && s.length <= bytes.size() - s.offset)
      s.checksum = io::xxh64(view(static_cast<std::size_t>(s.offset), static_cast<std::size_t>(s.length)));
  }
  header.table_checksum = io::xxh64(view(sizeof header, static_cast<std::size_t>(header.sections) * sizeof(SectionEntry)));
  header.header_checksum = io::xxh64(view(0, offsetof(TreeFileHeader, header_checksum)));
  return bytes;
}

TEST_F(TreeFiles, NamesTheSectionAndThePlaceOfWhatIsWrong) {
  const std::string good = saved(Mesh(test::ball(9, Vec3(1, 2, 3), 2)));
  ASSERT_EQ(error_of(with_checksums(good)), "");
  const auto refused = [&](const auto& change, const std::string& expected) {
    std::string bytes = good;
    change(bytes);
    const std::string message = error_of(with_checksums(bytes));
    EXPECT_NE(message.find(expected), std::string::npos) << message << "\n  expected: " << expected;
    EXPECT_NE(message.find("d.graze: "), std::string::npos) << message;
  };
  const auto in_section = [&](SectionKind kind, std::size_t offset, auto value, const std::string& expected) {
    refused([&](std::string& b) { in<decltype(value)>(b, section_at(b, kind) + offset) = value; }, expected);
  };
  refused([](std::string& b) { b[1] = 'g'; }, "is no tree file");
  refused([](std::string& b) { in<TreeFileHeader>(b, 0).version = 2; }, "the version is 2, must be 1");
  refused([](std::string& b) { in<TreeFileHeader>(b, 0).byte_order = 0x04030201; }, "byte order mark");
  refused([](std::string& b) { in<TreeFileHeader>(b, 0).bytes += 1; }, "must be");
  refused([](std::string& b) { in<TreeFileHeader>(b, 0).meshes = 2; }, "2 meshes with 5 sections");
  refused([](std::string& b) { in<SectionEntry>(b, entry_at(1)).kind = SectionKind::vertices; },
          "section 1 (vertices of mesh 0): is there for the second time");
  refused([](std::string& b) { in<SectionEntry>(b, entry_at(1)).kind = SectionKind{1000}; }, "mesh 0 has no section of triangles");
  refused([](std::string& b) { in<SectionEntry>(b, entry_at(1)).mesh = 7; }, "belongs to mesh 7, must be below 1");
  refused([](std::string& b) { in<SectionEntry>(b, entry_at(2)).offset += 64; }, "section 2 (tree items of mesh 0): is at byte");
  refused([](std::string& b) { in<SectionEntry>(b, entry_at(4)).length = ~std::uint64_t{0} - 8; }, "section 4 (triangle blocks of mesh 0): has bytes");
  in_section(SectionKind::vertices, 8, std::bit_cast<double>(0x7FF8000000000000), "vertex 0: y is NaN");
  in_section(SectionKind::vertices, 24, 1.25, "triangle blocks: ");
  in_section(SectionKind::triangles, 16, std::uint32_t{1000000}, "triangle 1 uses vertex 1000000 of");
  in_section(SectionKind::triangles, 16, std::uint32_t{0}, "triangle blocks: ");
  in_section(SectionKind::tree_items, 4, std::uint32_t{1000000}, "tree items: 1: triangle 1000000 of");
  refused(
      [](std::string& b) {
        std::uint32_t* const items = &in<std::uint32_t>(b, section_at(b, SectionKind::tree_items));
        items[9] = items[3];
      },
      "is there for the second time");
  const auto node = [&](const auto& change, const std::string& expected) {
    refused([&](std::string& b) { change(&in<WideNode>(b, section_at(b, SectionKind::tree_nodes))); }, expected);
  };
  node([](WideNode* n) { n[0].used = 9; }, "tree nodes: 0: has 9 children, must be 1 to 8");
  node([](WideNode* n) { n[1].used = 0; }, "tree nodes: 1: has 0 children");
  node([](WideNode* n) { n[1].first_leaf += 1; }, "tree nodes: 1: its first leaf is");
  node([](WideNode* n) { n[1].source = std::uint64_t{1} << 32; }, "reserved fields");
  node([](WideNode* n) { n[1].lowest += 1; }, "its lowest item is");
  node([](WideNode* n) { n[0].leaves ^= 1; }, "its leaves are");
  const MeshArrays arrays = arrays_of(Mesh(test::ball(9, Vec3(1, 2, 3), 2)));
  ASSERT_FALSE(arrays.nodes[0].leaf(0));
  ASSERT_FALSE(arrays.nodes[0].leaf(1));
  node([](WideNode* n) { n[0].child[0] = 0; }, "must have a higher number than its parent");
  node([](WideNode* n) { n[0].child[0] = 1000000; }, "child 0: is node 1000000 of");
  node([](WideNode* n) { n[0].child[0] = n[0].child[1]; }, "as another child is");
  for (int k = 0; k < 6; ++k) {
    for (const float by : {-0.25f, 0.25f}) node([&](WideNode* n) { n[0].plane[k][1] += by; }, "tree nodes: 0: child 1: its box is not that of what lies below");
    node([&](WideNode* n) { n[0].plane[k][1] = std::bit_cast<float>(0x7FC00000); }, "its box is not");
  }
  const auto leaf = [](WideNode* n) {
    while (n->leaves == 0) ++n;
    return n;
  };
  node([&](WideNode* n) { leaf(n)->child[std::countr_zero(leaf(n)->leaves)] = 1000000; }, "has items [1000000, ");
  node([&](WideNode* n) { leaf(n)->count[std::countr_zero(leaf(n)->leaves)] = 5; }, "has 5 items, at most 4");
  node([&](WideNode* n) { leaf(n)->plane[3][std::countr_zero(leaf(n)->leaves)] += 1; }, "its box is not that of what lies below");
  in_section(SectionKind::triangle_blocks, 0, 0.0625f, "triangle blocks: 0: its corners are not those of its triangles");
  in_section(SectionKind::triangle_blocks, 144, std::uint32_t{1000000}, "triangle blocks: 0: has triangle 1000000, must be");
  in_section(SectionKind::triangle_blocks, 160, std::uint32_t{1000000}, "has vertex 1000000, must be");
}

TEST_F(TreeFiles, RefusesInstancesThatAreWrong) {
  save_assembly(two_meshes_four_parts(), at("a.graze"));
  const std::string good = bytes_of(at("a.graze"));
  const auto refused = [&](const auto& change, const std::string& expected) {
    std::string bytes = good;
    change(&in<io::InstanceRecord>(bytes, section_at(bytes, SectionKind::instances)));
    const std::string message = error_of(with_checksums(bytes));
    EXPECT_NE(message.find(expected), std::string::npos) << message << "\n  expected: " << expected;
  };
  refused([](io::InstanceRecord* r) { r[1].mesh = 2; }, "instance 1: mesh 2 of 2");
  refused([](io::InstanceRecord* r) { r[1].path = 1000000; }, "instance 1: its text is [1000000, + 3)");
  refused([](io::InstanceRecord* r) { r[1].name_length = 0xFFFFFFFF; }, "instance 1: its text is");
  refused([](io::InstanceRecord* r) { r[1].path = r[0].path; }, "instance 1: another one has the path 'id0'");
  refused([](io::InstanceRecord* r) { r[2].rotation[1][1] += 0.5; }, "instance 2: ");
  refused([](io::InstanceRecord* r) { r[2].translation[1] = std::bit_cast<double>(0x7FF0000000000000); }, "instance 2: its translation is not finite");
}

TEST_F(TreeFiles, LongPathsAndSharedTextsTakeLittleMemory) {
  Assembly a = two_meshes_four_parts();
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "node/";
  a.parts[1].path = deep + "1";
  a.parts[2].path = deep + "2";
  a.parts[2].name = deep;
  save_assembly(a, at("deep.graze"));
  const Assembly back = load_assembly(at("deep.graze"));
  EXPECT_LT(back.parts[1].path.size() + back.parts[2].path.size() + back.parts[2].name.size(), 1000u);
  EXPECT_TRUE(back.parts[1].path.ends_with("/node/1")) << back.parts[1].path;
  EXPECT_NE(test::join(back.notes).find("2 paths of parts have more than 200 levels"), std::string::npos) << test::join(back.notes);
  save_assembly(back, at("again.graze"));  // what was shortened stays as it is
  EXPECT_EQ(load_assembly(at("again.graze")).parts[1].path, back.parts[1].path);

  // A thousand names that are nearly all of one text
  const AssemblyPart part = a.parts[0];
  a.parts.assign(1000, part);
  for (std::size_t i = 0; i < a.parts.size(); ++i) a.parts[i].path = std::to_string(i);
  a.parts[0].name = deep;
  save_assembly(a, at("shared.graze"));
  std::string bytes = bytes_of(at("shared.graze"));
  auto* const records = &in<io::InstanceRecord>(bytes, section_at(bytes, SectionKind::instances));
  for (std::size_t i = 1; i < a.parts.size(); ++i) records[i].name = records[0].name, records[i].name_length = records[0].name_length;
  const std::string message = error_of(with_checksums(bytes));
  EXPECT_NE(message.find("the records share texts so often that they take more than 64 times"), std::string::npos) << message;
}

TEST_F(TreeFiles, SkipsSectionsOfLaterPrograms) {
  std::string bytes = saved(Mesh(with_everything()));
  in<SectionEntry>(bytes, entry_at(2)).kind = SectionKind{1000};  // the user numbers, which may be absent
  const Mesh mesh = map_mesh(write(with_checksums(bytes)));
  EXPECT_EQ(mesh.size(), 23u);
  EXPECT_TRUE(mesh.user().empty());
}

TEST_F(TreeFiles, RefusesToSaveWhatCouldNotBeLoaded) {
  const auto error = [&](const auto& change) {
    Assembly a = two_meshes_four_parts();
    change(a);
    try {
      save_assembly(a, at("a.graze"));
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(error([](Assembly&) {}), "");
  EXPECT_NE(error([](Assembly& a) { a.parts[1].mesh = 2; }).find("part 1 ('id1'): mesh 2 of 2"), std::string::npos);
  EXPECT_NE(error([](Assembly& a) { a.parts[1].path = "id0"; }).find("another part has the same path"), std::string::npos);
  EXPECT_NE(error([](Assembly& a) { a.parts[1].pose.rotation[0][0] = 2; }).find("part 1"), std::string::npos);
  EXPECT_NE(error([](Assembly& a) { a.parts.clear(); }).find("has no part"), std::string::npos);
  EXPECT_THROW(save_mesh(Mesh(with_everything()), at("no/such/folder.graze")), Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);  // no temporary file is left
}

TEST_F(TreeFiles, ReplacingAMappedFileIsSafe) {
  const Mesh mesh(test::ball(120, Vec3(0), 2));
  save_mesh(mesh, at("m.graze"));
  const Mesh mapped = map_mesh(at("m.graze"));
  save_mesh(Mesh(test::ball(3, Vec3(0), 2)), at("m.graze"));
  EXPECT_TRUE(same_arrays(mesh, mapped));
}

TEST(Xxh64, GivesThePublishedValues) {
  const auto of = [](const std::string& text) { return io::xxh64(std::as_bytes(std::span(text))); };
  EXPECT_EQ(of(""), 0xEF46DB3751D8E999u);
  EXPECT_EQ(of("a"), 0xD24EC4F1A98C6E5Bu);
  EXPECT_EQ(of("abc"), 0x44BC2CF5AD770999u);
  EXPECT_EQ(of("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1u);
}

}  // namespace
}  // namespace graze::tree_file_test
