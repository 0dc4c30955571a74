// load_model: the same bits from every format, detection of the format by content before extension, and files that cannot be read.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cfenv>
#include <filesystem>
#include <fstream>
#include <graze/tree_file.hpp>
#include <random>
#include <thread>

#include "support/model_writer.hpp"
#include "support/random.hpp"
#include "support/reading.hpp"

namespace graze::load_test {
namespace {

namespace fs = std::filesystem;
using test::Digits;
using test::load_error;
using test::load_text;

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("graze_io_" + std::to_string(std::random_device{}()))) { fs::create_directories(path_); }
  ~Folder() { fs::remove_all(path_); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return (path_ / name).string();
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string file_error(const std::string& path, const LoadOptions& options = {}) {
  try {
    (void)load_model(path, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Any finite bit patterns: denormals, huge, both zeros.
MeshData random_mesh(std::size_t vertices, bool floats) {
  test::Random random(11);
  MeshData data;
  while (data.vertices.size() < vertices) {
    Vec3 v;
    bool finite = true;
    for (int axis = 0; axis < 3; ++axis) {
      v[axis] = floats ? std::bit_cast<float>(static_cast<std::uint32_t>(random.bits())) : std::bit_cast<double>(random.bits());
      finite = finite && std::isfinite(v[axis]);
    }
    if (finite) data.vertices.push_back(v);
  }
  data.vertices[0] = {0.0, -0.0, 4.9406564584124654e-324 * !floats};
  for (std::uint32_t t = 0; t < 3 * vertices; ++t) {
    TriangleIndices corners;
    for (std::uint32_t& c : corners) c = static_cast<std::uint32_t>(random.below(vertices));
    data.triangles.push_back(corners);
  }
  return data;
}

void expect_same(const MeshData& read, const MeshData& written, const char* what) {
  ASSERT_EQ(read.vertices.size(), written.vertices.size()) << what;
  for (std::size_t i = 0; i < written.vertices.size(); ++i) ASSERT_TRUE(test::same_bits(read.vertices[i], written.vertices[i])) << what << ' ' << i;
  ASSERT_EQ(read.triangles, written.triangles) << what;
}

// STL has no vertex indices, so compare coordinates.
void expect_same_corners(const MeshData& read, const MeshData& written) {
  ASSERT_EQ(read.triangles.size(), written.triangles.size());
  for (std::size_t t = 0; t < written.triangles.size(); ++t) {
    for (int c = 0; c < 3; ++c) ASSERT_TRUE(test::same_bits(read.vertices[read.triangles[t][c]], written.vertices[written.triangles[t][c]])) << t;
  }
  EXPECT_LE(read.vertices.size(), written.vertices.size());
}

TEST(Load, EveryFormatGivesTheSameBits) {
  const MeshData data = random_mesh(3000, false);
  for (const Digits digits : {Digits::shortest, Digits::seventeen}) {
    expect_same(load_text(write_obj(data, digits), "m.obj").data, data, "obj");
    expect_same(load_text(write_off(data, digits), "m.off").data, data, "off");
    expect_same(load_text(write_ply_ascii(data, digits), "m.ply").data, data, "ply");
    expect_same_corners(load_text(write_stl_text(data, digits), "m.stl").data, data);
  }
  expect_same(load_text(test::write_ply_binary(data, false), "m.ply").data, data, "ply little");
  expect_same(load_text(test::write_ply_binary(data, true), "m.ply").data, data, "ply big");
  const MeshData floats = random_mesh(3000, true);
  expect_same_corners(load_text(test::write_stl_binary(floats), "m.stl").data, floats);
}

TEST(Load, IgnoresTheCallersRoundingMode) {
  const MeshData data = random_mesh(300, false);
  const std::string text = write_obj(data, Digits::shortest);
  std::fesetround(FE_UPWARD);
  const LoadedModel read = load_text(text, "m.obj");
  const int mode = std::fegetround();
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(mode, FE_UPWARD);
  expect_same(read.data, data, "upward");
}

TEST(Load, TheContentDecidesBeforeTheExtension) {
  const MeshData data = random_mesh(20, true);
  for (const char* name : {"m.obj", "m.stl", "m.ply", "m.off", "m.txt", "m", "dir.obj/m"}) {
    EXPECT_EQ(load_text(write_off(data, Digits::shortest), name).format, "off") << name;
    EXPECT_EQ(load_text(write_ply_ascii(data, Digits::shortest), name).format, "ply (ascii)") << name;
    EXPECT_EQ(load_text(test::write_stl_binary(data), name).format, "stl (binary)") << name;
    EXPECT_EQ(load_text(write_stl_text(data, Digits::shortest), name).format, "stl (ascii)") << name;
  }
  for (const char* name : {"m.obj", "m.OBJ", "m.txt", "m"}) EXPECT_EQ(load_text(write_obj(data, Digits::shortest), name).format, "obj") << name;
  EXPECT_EQ(load_text("o thing\nv 0 0 0\n", "m").format, "obj");
}

TEST(Load, ExtensionsOfModels) {
  for (const char* name : {"a.obj", "a.STL", "b.c.ply", "folder/a.Off", "a.wrl", "a.GLB", "a.3mf", "a.STP", "a.step", "a.ifc"})
    EXPECT_TRUE(has_model_extension(name)) << name;
  for (const char* name : {"a.json", "obj", "", "a.obj.json", "a."}) EXPECT_FALSE(has_model_extension(name)) << name;
}

TEST(Load, SkipsAByteOrderMark) {
  EXPECT_EQ(load_text("\xEF\xBB\xBFv 0 0 0\n", "m.obj").data.vertices.size(), 1u);
  EXPECT_EQ(load_text("\xEF\xBB\xBFOFF\n1 0 0\n0 0 0\n", "m").data.vertices.size(), 1u);
}

TEST(Load, UnknownContentIsRefused) {
  EXPECT_EQ(load_error("hello", "m.txt").find("m.txt: the format is not known: the content starts with 'hello' and the name ends in 'txt'"), 0u);
  EXPECT_EQ(load_error("", "m.obj"), "m.obj: the file is empty");
  const std::string png("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  for (const char* name : {"m.obj", "m.stl", "m.ply", "m.off", "m.png"}) EXPECT_NE(load_error(png, name), "") << name;
}

TEST(Load, FilesThatCannotBeRead) {
  const Folder folder;
  const std::string missing = folder.path("missing.obj");
  EXPECT_EQ(file_error(missing), missing + ": there is no such file");
  EXPECT_EQ(file_error(folder.path("")), folder.path("") + ": is a directory, expected a file");
  const std::string empty = folder.write("empty.obj", "");
  EXPECT_EQ(file_error(empty), empty + ": the file is empty");
  EXPECT_EQ(file_error("/dev/zero"), "/dev/zero: is neither a file nor a pipe");
  const std::string large = folder.write("large.obj", "v 0 0 0\n");
  EXPECT_EQ(file_error(large, {.max_bytes = 7}), large + ": has 8 bytes or more, at most 7 are read");
  EXPECT_EQ(file_error(large, {.max_bytes = 8}), "");
}

TEST(Load, FromAFileAndFromAPipe) {
  const Folder folder;
  const MeshData data = random_mesh(20000, false);
  const std::string text = write_obj(data, Digits::shortest);
  expect_same(load_model(folder.write("m.obj", text)).data, data, "file");
  const std::string pipe = folder.path("pipe.obj");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << text; });
  const LoadedModel read = load_model(pipe);
  writer.join();
  expect_same(read.data, data, "pipe");
}

TEST(Load, RefusesPipesWithoutAWriterAndWaitsForSlowWriters) {
  const Folder folder;
  for (const char* name : {"pipe.obj", "pipe.gltf"}) {
    const std::string pipe = folder.path(name);
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(file_error(pipe), pipe + ": is a pipe that no program writes to");
  }
  const std::string slow = folder.path("slow.obj");
  ASSERT_EQ(mkfifo(slow.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream out(slow, std::ios::binary);
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    out << "v 0 0 0\nv 1 0 0\nv 0 1 0\n" << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    out << "f 1 2 3\n";
  });
  EXPECT_EQ(load_model(slow).data.triangles.size(), 1u);
  std::thread silent([&] { std::ofstream(slow, std::ios::binary) << std::flush; });
  EXPECT_EQ(file_error(slow), slow + ": the file is empty");
  silent.join();
  writer.join();
}

TEST(Load, FactsOfAMesh) {
  const Folder folder;
  const std::string noted = folder.write("noted.obj", "fancy\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  LoadedModel facts;
  const LoadOptions options{.facts = &facts};
  EXPECT_EQ(load_mesh(noted, options).size(), 1u);
  EXPECT_EQ(facts.format, "obj");
  EXPECT_EQ(test::join(facts.notes), "line 1: 'fancy' is not known, ignored (1 statement)\n");
  EXPECT_TRUE(facts.data.vertices.empty() && facts.data.triangles.empty());
  Assembly assembly = load_assembly(noted);
  assembly.unit = "inch", assembly.up_axis = "x";
  save_assembly(assembly, folder.path("a.graze"));
  EXPECT_EQ(load_mesh(folder.path("a.graze"), options).size(), 1u);
  EXPECT_EQ(facts.unit + facts.up_axis + test::join(facts.notes), "inchxline 1: 'fancy' is not known, ignored (1 statement)\n");
  facts.format = "as before";
  EXPECT_THROW((void)load_mesh(folder.path("none.obj"), options), Error);
  EXPECT_EQ(facts.format, "as before");
  EXPECT_TRUE(is_same_unit("millimeter", "millimetre") && is_same_unit("inch", "inch"));
  EXPECT_FALSE(is_same_unit("meter", "millimetre") || is_same_unit("", "metre"));
}

TEST(Load, ModelsWithoutATriangle) {
  const Folder folder;
  const std::string empty = folder.write("empty.obj", "v 0 0 0\n");
  EXPECT_EQ(load_mesh(empty).size(), 0u);
  EXPECT_THROW((void)load_assembly(empty), Error);
  const Assembly none = load_assembly(empty, {.may_be_empty = true});
  EXPECT_TRUE(none.parts.empty() && none.meshes.empty());
  EXPECT_EQ(test::join(none.notes), "no part with a triangle\n");
}

TEST(Load, LoadMeshReadsAFile) {
  const Folder folder;
  const MeshData data = random_mesh(50, false);
  const Mesh mesh = load_mesh(folder.write("m.obj", write_obj(data, Digits::seventeen)));
  ASSERT_EQ(mesh.size(), data.triangles.size());
  for (std::size_t i = 0; i < data.vertices.size(); ++i) ASSERT_TRUE(test::same_bits(mesh.vertices()[i], data.vertices[i]));
}

TEST(Load, OneVeryLongLine) {
  const std::string digits(20000000, '7');
  EXPECT_EQ(load_error("v 0 0 0." + digits + "x\n", "m.obj").substr(0, 40), "m.obj: line 1: found '0.7777777777777777");
  EXPECT_EQ(load_text("v 0 0 0." + digits + "\n", "m.obj").data.vertices[0].z, 7.0 / 9);
  EXPECT_EQ(load_text("v 0 0 0 # " + digits + "\nv 1 1 1", "m.obj").data.vertices.size(), 2u);
}

}  // namespace
}  // namespace graze::load_test
