// glTF: containers, accessors, the nodes as parts, and files that are not as they should be.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <graze/assembly.hpp>
#include <graze/query.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/glb_writer.hpp"
#include "support/paths.hpp"
#include "support/reading.hpp"

namespace graze::gltf_test {
namespace {

namespace fs = std::filesystem;
using test::bytes_of;
using test::GlbWriter;
using test::load_error;
using test::load_text;
using test::other_corpus;
using Triangles = std::vector<TriangleIndices>;

Assembly assembly_of(const std::string& file, const AssemblyOptions& options = {}) { return test::load_parts(file, "m.glb", options); }

std::string assembly_error(const std::string& file, const AssemblyOptions& options = {}) { return test::parts_error(file, "m.glb", options); }

class Gltf : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("graze_gltf_" + std::to_string(std::random_device{}()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

// A GLB file of one JSON chunk and one of data, without the padding that the JSON chunk should have.
TEST_F(Gltf, ChunksWithoutPadding) {
  GlbWriter glb;
  glb.node(R"("name":"a","mesh":)" + std::to_string(glb.box({0, 0, 0}, {1, 1, 1})));
  const std::string good = glb.file();
  const auto number = [](const std::string& text, std::size_t at) {
    std::uint32_t n = 0;
    std::memcpy(&n, text.data() + at, 4);
    return n;
  };
  const auto set = [](std::string& text, std::size_t at, std::size_t n) {
    const auto value = static_cast<std::uint32_t>(n);
    std::memcpy(text.data() + at, &value, 4);
  };
  const std::size_t json = number(good, 12);
  for (std::size_t spaces = 0; spaces < 8; ++spaces) {
    std::string text = good;
    text.insert(20 + json, spaces, ' ');
    set(text, 12, json + spaces);
    set(text, 8, text.size());
    const Assembly a = assembly_of(text);
    ASSERT_EQ(a.parts.size(), 1u) << spaces;
    EXPECT_EQ(a.meshes[0].size(), 12u);
    EXPECT_EQ(test::join(a.notes), (json + spaces) % 4 == 0 ? "" : "a chunk is not padded to four bytes\n") << spaces;
  }
}

/// A GLB file with each `from` of its JSON replaced.
std::string edited(const std::string& glb, const std::string& from, const std::string& to) {
  std::uint32_t length = 0;
  std::memcpy(&length, glb.data() + 12, 4);
  std::string json = glb.substr(20, length);
  for (std::size_t at = 0; (at = json.find(from, at)) != std::string::npos; at += to.size()) json.replace(at, from.size(), to);
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::string out = glb.substr(0, 20) + json + glb.substr(20 + length);
  const auto size = static_cast<std::uint32_t>(json.size()), whole = static_cast<std::uint32_t>(out.size());
  std::memcpy(out.data() + 12, &size, 4);
  std::memcpy(out.data() + 8, &whole, 4);
  return out;
}

// Compressed triangles are read where the file has them in plain form, too, whether it requires the extension or only uses it.
TEST_F(Gltf, CompressedGeometry) {
  GlbWriter glb;
  glb.node(R"("name":"a","mesh":)" + std::to_string(glb.box({0, 0, 0}, {1, 1, 1})));
  const std::string plain = glb.file(R"("extensionsUsed":["KHR_draco_mesh_compression","EXT_meshopt_compression"])");
  EXPECT_EQ(test::join(assembly_of(plain).notes), "");
  const std::string draco = edited(plain, R"("attributes")", R"("extensions":{"KHR_draco_mesh_compression":{"bufferView":0}},"attributes")");
  EXPECT_EQ(test::join(assembly_of(draco).notes), "1 primitive is also there in compressed form, which is not read\n");
  for (const char* view : {R"("bufferView":0,)", R"("bufferView":1,)"}) {  // of the positions, of the indices
    const std::string only = edited(draco, view, "");
    ASSERT_NE(only.size(), draco.size()) << view;
    EXPECT_EQ(assembly_error(only),
              "m.glb: meshes[0].primitives[0]: is compressed (KHR_draco_mesh_compression) and has no plain form; export it without compression");
  }
  const std::string meshopt = edited(plain, R"("buffer":0,)", R"("buffer":0,"extensions":{"EXT_meshopt_compression":{"buffer":0}},)");
  EXPECT_EQ(test::join(assembly_of(meshopt).notes), "2 bufferViews are also there in compressed form, which is not read\n");
  std::string packed =
      edited(meshopt, R"(}],"bufferViews")", R"(},{"byteLength":240,"extensions":{"EXT_meshopt_compression":{"fallback":true}}}],"bufferViews")");
  packed = edited(packed, R"("buffer":0,"extensions")", R"("buffer":1,"extensions")");  // the plain form has no data
  EXPECT_EQ(assembly_error(packed), "m.glb: accessors[0]: is compressed (EXT_meshopt_compression) and has no plain form; export it without compression");
  const std::string zero = edited(plain, R"("bufferView":0,)", "");
  EXPECT_EQ(test::join(assembly_of(zero).notes), "1 primitive has all positions at (0, 0, 0)\n") << "as the standard has it";
}

// Without a bound, the paths of this file would take 1.3 GB.
TEST_F(Gltf, PathsOfDeepNodesAreBounded) {
  GlbWriter glb;
  glb.box({0, 0, 0}, {1, 1, 1});
  constexpr int kDeep = 3000;
  const std::string name(280, 'n');
  for (int i = 0; i < kDeep; ++i) {
    const std::string child = i + 1 < kDeep ? R"(,"children":[)" + std::to_string(i + 1) + "]" : R"(,"extras":{"GlobalId":"2O2Fr$t4X7Zf8NOew3FLOH"})";
    glb.node(R"("name":")" + name + R"(","mesh":0)" + child);
  }
  const Assembly a = assembly_of(glb.file());
  ASSERT_EQ(a.parts.size(), static_cast<std::size_t>(kDeep));
  std::size_t bytes = 0;
  std::set<std::string> paths;
  for (const AssemblyPart& part : a.parts) {
    bytes += part.path.size() + part.name.size();
    paths.insert(part.path);
  }
  EXPECT_LT(bytes, 5000000u);
  EXPECT_EQ(paths.size(), a.parts.size());
  EXPECT_EQ(a.parts[13].name.size(), 14 * 281u - 1);  // as it is
  EXPECT_EQ(a.parts.back().path, "2O2Fr$t4X7Zf8NOew3FLOH");
  EXPECT_TRUE(a.parts.back().name.starts_with(name + "/(842999 bytes, ")) << a.parts.back().name;
  EXPECT_TRUE(a.parts.back().name.ends_with(")/" + name.substr(0, 128))) << a.parts.back().name;
  EXPECT_NE(test::join(a.notes).find("2986 paths of parts have more than 200 levels or 4096 bytes"), std::string::npos) << test::join(a.notes);
}

TEST_F(Gltf, NodesAreComposedInDouble) {
  for (const char* name : {"nodes.gltf", "nodes.glb"}) {
    for (const bool from_memory : {false, true}) {
      const LoadedModel m = from_memory ? load_text(bytes_of(other_corpus(name)), name) : load_model(other_corpus(name).string());
      EXPECT_EQ(m.format, fs::path(name).extension().string().substr(1));
      // hand: x' = -2y + 0.5, y' = 2x; then arm: x + 10
      EXPECT_EQ(m.data.vertices, (std::vector<Vec3>{{10.5, 0, 0}, {10.5, 2, 0}, {8.5, 0, 0}}));
      EXPECT_EQ(m.data.triangles, (Triangles{{0, 1, 2}}));
      ASSERT_EQ(m.data.parts.size(), 1u);
      EXPECT_EQ(m.data.parts[0].name, "arm/hand");
      EXPECT_EQ(m.unit, "metre");
      EXPECT_EQ(m.up_axis, "y");
      EXPECT_TRUE(m.single_precision);
      EXPECT_EQ(test::join(m.notes), "");
    }
  }
}

TEST_F(Gltf, FindsReferencedFiles) {
  std::string text = bytes_of(other_corpus("nodes.gltf"));
  const std::size_t uri = text.find("data:"), end = text.find('"', uri);
  text.replace(uri, end - uri, "points.bin");
  const std::string glb = bytes_of(other_corpus("nodes.glb"));
  std::ofstream(folder_ / "points.bin", std::ios::binary) << glb.substr(glb.size() - 44);
  std::ofstream(folder_ / "apart.gltf", std::ios::binary) << text;
  EXPECT_EQ(load_model((folder_ / "apart.gltf").string()).data.triangles.size(), 1u);
  EXPECT_NE(load_error(text, "apart.gltf"), "");  // a model in memory has no folder for referenced files
}

TEST_F(Gltf, DoesNotWaitForAReferencedPipe) {
  std::string text = bytes_of(other_corpus("nodes.gltf"));
  const std::size_t uri = text.find("data:"), end = text.find('"', uri);
  text.replace(uri, end - uri, "points.bin");
  ASSERT_EQ(mkfifo((folder_ / "points.bin").c_str(), 0600), 0);
  std::ofstream(folder_ / "apart.gltf", std::ios::binary) << text;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW((void)load_model((folder_ / "apart.gltf").string()), Error);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST_F(Gltf, TheContentDecidesBeforeTheExtension) {
  for (const char* name : {"m.obj", "m.stl", "m", "m.fbx"}) {
    EXPECT_EQ(load_text(bytes_of(other_corpus("nodes.glb")), name).data.triangles.size(), 1u) << name;
    EXPECT_EQ(load_text(bytes_of(other_corpus("nodes.gltf")), name).data.triangles.size(), 1u) << name;
  }
  fs::copy_file(other_corpus("nodes.glb"), folder_ / "wrong.obj");
  EXPECT_EQ(load_model((folder_ / "wrong.obj").string()).data.triangles.size(), 1u);
  EXPECT_EQ(load_error("{ v 0 0 0\n", "m.obj"), "m.obj: line 1: found '{', expected a keyword such as v or f");
}

TEST_F(Gltf, PointsAndLinesAreSkippedWithANote) {
  std::string text = bytes_of(other_corpus("nodes.gltf"));
  const std::string indices = "\"indices\": 1";
  text.replace(text.find(indices), indices.size(), indices + ", \"mode\": 2");
  const LoadedModel m = load_text(text, "m.gltf");
  EXPECT_EQ(m.data.triangles.size(), 0u);
  EXPECT_NE(test::join(m.notes).find("1 primitive has no triangles (points, lines), not read"), std::string::npos) << test::join(m.notes);
}

TEST_F(Gltf, NotANumberIsRefused) {
  std::string glb = bytes_of(other_corpus("nodes.glb"));
  const std::uint32_t nan = 0x7FC00000;
  std::memcpy(glb.data() + glb.size() - 44 + 4, &nan, 4);
  EXPECT_EQ(load_error(glb, "m.glb"), "m.glb: accessors[0]: element 0: y is NaN or infinite");
}

TEST_F(Gltf, PartsShareMeshesAndKeepTheirPlaces) {
  GlbWriter w;
  w.box({0, 0, 0}, {1, 1, 1});
  w.node(R"("name":"hall","children":[1,2,3],"translation":[100,0,0])");
  w.node(R"("name":"pipe","mesh":0,"rotation":[0,0,0.70710678,0.70710678])");  // a quarter turn in single precision
  w.node(R"("name":"pipe","mesh":0,"extras":{"GlobalId":"2O2Fr$t4X7Zf8NOew3FLOH"})");
  w.node(R"("name":"pipe","mesh":0,"scale":[1,2,-1])");
  const Assembly a = assembly_of(w.file(R"("scenes":[{"nodes":[0]}])"));
  ASSERT_EQ(a.parts.size(), 3u);
  ASSERT_EQ(a.meshes.size(), 2u) << "the mirrored one has its own vertices";
  EXPECT_EQ(a.parts[0].path, "hall/pipe");
  EXPECT_EQ(a.parts[1].path, "2O2Fr$t4X7Zf8NOew3FLOH");
  EXPECT_EQ(a.parts[1].name, "hall/pipe#2");
  EXPECT_EQ(a.parts[2].path, "hall/pipe#3");
  EXPECT_EQ(a.parts[0].mesh, a.parts[1].mesh);
  EXPECT_EQ(a.parts[1].pose.translation, Vec3(100, 0, 0));
  EXPECT_EQ(a.parts[0].pose.rotation[1][0], 1) << "equal components of a quaternion are an exact quarter turn";
  const Mesh& mirrored = a.meshes[a.parts[2].mesh];
  EXPECT_EQ(mirrored.vertices()[7], Vec3(1, 2, -1));
  EXPECT_EQ(signed_volume(Solid(mirrored)), 2) << "turned over, so that it still faces outward";
  EXPECT_EQ(a.placed_triangles(), 36u);
}

TEST_F(Gltf, ScaleAndFrameOfTheModel) {
  GlbWriter w;
  w.box({0, 0, 0}, {1, 2, 3});
  w.node(R"("name":"a","mesh":0,"translation":[1,0,0])");
  AssemblyOptions options;
  options.scale = 1000;
  options.pose = Pose::quarter_turn(Axis::x, 1, Vec3(0, 0, 5));  // y up becomes z up
  const Assembly a = assembly_of(w.file(), options);
  const Pose& pose = a.parts[0].pose;
  EXPECT_EQ(pose.apply(a.meshes[0].vertices()[7]), Vec3(2000, -3000, 2005));
  options.scale = 0;
  EXPECT_EQ(assembly_error(w.file(), options), "m.glb: scale is 0.000000, must be finite and > 0");
}

TEST_F(Gltf, MessagesNameThePlace) {
  const auto error = [](const std::string& nodes, const std::string& more = "") {
    GlbWriter w;
    w.box({0, 0, 0}, {1, 1, 1});
    w.node(nodes);
    return assembly_error(w.file(more));
  };
  EXPECT_EQ(error(R"("mesh":1)"), "m.glb: nodes[0].mesh: is 1, but there are 1 meshes");
  EXPECT_EQ(error(R"("mesh":0,"matrix":[1,2])"), "m.glb: nodes[0].matrix: has 2 numbers, expected 16");
  EXPECT_EQ(error(R"("mesh":0,"matrix":[1,0,0,1, 0,1,0,0, 0,0,1,0, 0,0,0,1])"), "m.glb: nodes[0].matrix: has another last row than 0, 0, 0, 1");
  EXPECT_EQ(error(R"("mesh":0,"rotation":[0,0,0,0])").substr(0, 28), "m.glb: nodes[0].rotation: qu");
  EXPECT_EQ(error(R"("mesh":0,"children":[0])", R"("scenes":[{"nodes":[0]}])"), "m.glb: nodes[0]: has two parents, or is below itself");
  EXPECT_EQ(error(R"("mesh":0)", R"("scenes":[{"nodes":[7]}])"), "m.glb: scenes[0].nodes[0]: is 7, but there are 1 nodes");
  EXPECT_EQ(error(R"("name":"empty")"), "m.glb: has no part with a triangle");
  EXPECT_EQ(error(R"("mesh":0)", R"("extensionsRequired":["KHR_draco_mesh_compression"])").substr(0, 96),
            "m.glb: extensionsRequired[0]: the file needs the extension 'KHR_draco_mesh_compression', which i");
  for (const char* name : {"KHR_materials_unlit", "KHR_techniques_webgl", "KHR_technique_webgl", "CESIUM_primitive_outline", "EXT_mesh_features",
                           "EXT_structural_metadata", "VRM", "VRMC_vrm"})
    EXPECT_EQ(error(R"("mesh":0)", R"("extensionsRequired":[")" + std::string(name) + R"("])"), "");
  const auto notes = [&](const std::string& root) {
    GlbWriter glb;
    glb.node(R"("name":"a","mesh":)" + std::to_string(glb.box({0, 0, 0}, {1, 1, 1})));
    return test::join(assembly_of(glb.file(root)).notes);
  };
  EXPECT_EQ(notes(R"("extensionsUsed":["CESIUM_RTC","KHR_materials_unlit","ACME_bolts"],"extensionsRequired":["CESIUM_RTC"])"),
            "the extension 'CESIUM_RTC' is not applied: the model stands elsewhere\nthe extension 'ACME_bolts' is not known, and not applied\n");
  EXPECT_EQ(notes(R"("extensionsUsed":["KHR_node_visibility"])"), "the extension 'KHR_node_visibility' is not applied: hidden nodes are read\n");
  EXPECT_EQ(error(R"("mesh":0,"scale":[1e200,1,1])", R"("scenes":[{"nodes":[0]}])"), "");
}

TEST_F(Gltf, DamagedFilesAreErrors) {
  const std::string glb = bytes_of(other_corpus("nodes.glb"));
  for (std::size_t size = 0; size < glb.size(); size += 7) EXPECT_NE(load_error(glb.substr(0, size), "m.glb"), "") << size;
  EXPECT_EQ(load_error("{}", "m.gltf"), "m.gltf: asset: is missing");
  EXPECT_EQ(load_error(R"({"asset":{"version":"1.0"}})", "m.gltf"), "m.gltf: asset.version: is '1.0', expected 2.0");
  EXPECT_EQ(load_error("{\n \"asset\": }", "m.gltf").substr(0, 36), "m.gltf: line 2, column 11: expected ");
  std::string beyond = bytes_of(other_corpus("nodes.gltf"));
  const std::string count = "\"count\": 3";
  beyond.replace(beyond.find(count), count.size(), "\"count\": 2000000000");
  EXPECT_NE(load_error(beyond, "m.gltf").find("leave its bufferView"), std::string::npos);
}

TEST_F(Gltf, StripsFansAndSparseAccessors) {
  const auto model = [](const std::string& mode, const std::string& sparse) {
    // five points of a strip in the x-y plane: (0,0) (0,1) (1,0) (1,1) (2,0); the sparse value is the last one again
    return load_text(
        R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":64,"uri":"data:application/octet-stream;base64,)"
        "AAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAAAAAAQAAAAAAAAAAABAAAAA=="
        R"("}],"bufferViews":[{"buffer":0,"byteLength":60},{"buffer":0,"byteOffset":60,"byteLength":4},{"buffer":0,"byteOffset":12,"byteLength":12}],)"
        R"("accessors":[{"bufferView":0,"componentType":5126,"count":5,"type":"VEC3")" +
            sparse + R"(}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":)" + mode + R"(}]}],"nodes":[{"mesh":0}]})",
        "m.gltf");
  };
  EXPECT_EQ(model("5", "").data.triangles, (Triangles{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}}));
  EXPECT_EQ(model("6", "").data.triangles, (Triangles{{1, 2, 0}, {2, 3, 0}, {3, 4, 0}}));
  const std::string sparse = R"(,"sparse":{"count":1,"indices":{"bufferView":1,"componentType":5125},"values":{"bufferView":2}})";
  EXPECT_EQ(model("5", sparse).data.vertices[4], Vec3(0, 1, 0));
}

}  // namespace
}  // namespace graze::gltf_test
