// graze-import: reads one model with assimp under limits on memory and time, and writes it to standard output as the records listed in src/io/import_helper.hpp
// and other.cpp. Run by the library, not by users: graze-import PATH|- ENDING MEMORY_BYTES CPU_SECONDS
#include <assimp/config.h>
#include <assimp/importerdesc.h>
#include <assimp/scene.h>
#include <assimp/version.h>

#include <assimp/DefaultIOSystem.h>
#include <algorithm>
#include <assimp/Importer.hpp>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <unordered_map>
#include <vector>

#include "answer.hpp"
#include "file_facts.hpp"

namespace {

using graze_import::FileFacts;
using graze_import::finish;
using graze_import::kRecord;
using graze_import::send;

struct Matrix {
  double m[3][4];

  static Matrix identity() { return {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}; }
  static Matrix from(const aiMatrix4x4& a) { return {{{a.a1, a.a2, a.a3, a.a4}, {a.b1, a.b2, a.b3, a.b4}, {a.c1, a.c2, a.c3, a.c4}}}; }
  bool is_identity() const {
    const Matrix i = identity();
    return std::equal(&m[0][0], &m[0][0] + 12, &i.m[0][0]);
  }
  // Whether it does more than translate.
  bool turns() const {
    Matrix i = identity();
    for (int k = 0; k < 3; ++k) i.m[k][3] = m[k][3];
    return !std::equal(&m[0][0], &m[0][0] + 12, &i.m[0][0]);
  }
};

Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix r;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) r.m[i][j] = ((a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j]) + a.m[i][2] * b.m[2][j]) + (j == 3 ? a.m[i][3] : 0.0);
  }
  return r;
}

// A mesh with bit-identical vertices merged: assimp repeats vertices for the normals and colours of every face.
struct JoinedMesh {
  std::vector<aiVector3D> vertices;
  std::vector<std::uint32_t> numbers;  // of assimp's vertices
};

struct VertexBits {
  std::uint32_t x, y, z;
  bool operator==(const VertexBits&) const = default;
};

struct HashBits {
  std::size_t operator()(const VertexBits& v) const {
    std::uint64_t h = (std::uint64_t{v.x} << 32 | v.y) * 0x9E3779B97F4A7C15;
    h = ((h ^ (h >> 32)) + v.z) * 0xD6E8FEB86659FD93;
    return h ^ (h >> 32);
  }
};

JoinedMesh join(const aiMesh& mesh) {
  JoinedMesh joined;
  std::unordered_map<VertexBits, std::uint32_t, HashBits> known;
  for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
    const aiVector3D& v = mesh.mVertices[i];
    const VertexBits bits{std::bit_cast<std::uint32_t>(v.x), std::bit_cast<std::uint32_t>(v.y), std::bit_cast<std::uint32_t>(v.z)};
    const auto [at, added] = known.try_emplace(bits, static_cast<std::uint32_t>(joined.vertices.size()));
    if (added) joined.vertices.push_back(v);
    joined.numbers.push_back(at->second);
  }
  return joined;
}

class Sender {
 public:
  explicit Sender(const aiScene& scene) : scene_(scene), joined_(scene.mNumMeshes) {}

  void send_all(bool reset_root) {
    if (scene_.mRootNode == nullptr) finish("FAIL", "the file holds no scene");
    const Matrix root = reset_root ? Matrix::identity() : Matrix::from(scene_.mRootNode->mTransformation);
    path_.push_back(root);
    send_node(*scene_.mRootNode, root, 0);
    notes();
  }

 private:
  void send_node(const aiNode& node, const Matrix& to_world, int depth) {
    if (depth > 1000) finish("FAIL", "the nodes are nested more than 1000 deep");
    if (node.mNumMeshes > 0) {
      std::string name = node.mName.C_Str();
      if (name.empty()) name = scene_.mMeshes[node.mMeshes[0]]->mName.C_Str();
      send("PART", name);
    }
    for (unsigned i = 0; i < node.mNumMeshes; ++i) send_mesh(node.mMeshes[i], to_world);
    for (unsigned i = 0; i < node.mNumChildren; ++i) {
      const Matrix own = Matrix::from(node.mChildren[i]->mTransformation);
      path_.push_back(own);
      send_node(*node.mChildren[i], to_world * own, depth + 1);
      path_.pop_back();
    }
  }

  // The reader places the vertices: it can tell which rotations are meant as quarter turns.
  void send_transform(const Matrix& to_world) {
    constexpr std::size_t kMost = 65;  // the reader decides nothing about more than 64
    std::vector<double> numbers;
    if (!to_world.is_identity()) {
      numbers.assign(&to_world.m[0][0], &to_world.m[0][0] + 12);
      std::vector<const Matrix*> turns;
      for (auto m = path_.rbegin(); m != path_.rend() && turns.size() < kMost; ++m)
        if (m->turns()) turns.push_back(&*m);
      if (turns.size() > 1)
        for (const Matrix* m : turns)
          for (const auto& row : m->m) numbers.insert(numbers.end(), row, row + 3);
    }
    send("MOVE", numbers.data(), numbers.size() * sizeof(double));
  }

  void send_mesh(unsigned number, const Matrix& to_world) {
    const aiMesh& mesh = *scene_.mMeshes[number];
    JoinedMesh& joined = joined_[number];
    if (joined.numbers.empty()) joined = join(mesh);
    skinned_ = skinned_ || mesh.mNumBones > 0;
    morphed_ = morphed_ || mesh.mNumAnimMeshes > 0;

    transformed_ = transformed_ || !to_world.is_identity();
    send_transform(to_world);
    std::vector<double> coordinates;
    for (const aiVector3D& v : joined.vertices) {
      coordinates.insert(coordinates.end(), {v.x, v.y, v.z});
      if (coordinates.size() * sizeof(double) >= kRecord) flush("VERT", coordinates);
    }
    flush("VERT", coordinates);

    std::vector<std::uint32_t> numbers;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices > 1000000) finish("FAIL", "a face has " + std::to_string(face.mNumIndices) + " corners, more than 1000000");
      numbers.push_back(face.mNumIndices);
      for (unsigned c = 0; c < face.mNumIndices; ++c) {
        const unsigned index = face.mIndices[c];
        if (index >= mesh.mNumVertices)
          finish("FAIL", "face " + std::to_string(f) + " of mesh " + std::to_string(number) + " uses vertex " + std::to_string(index) + " of " +
                             std::to_string(mesh.mNumVertices));
        numbers.push_back(first_vertex_ + joined.numbers[index]);
      }
      if (numbers.size() * sizeof(std::uint32_t) >= kRecord) flush("FACE", numbers);
    }
    flush("FACE", numbers);
    if (joined.vertices.size() > 0xFFFFFFFF - first_vertex_) finish("FAIL", "more than 2^32 vertices");
    first_vertex_ += static_cast<std::uint32_t>(joined.vertices.size());
  }

  template <class T>
  void flush(const char (&tag)[5], std::vector<T>& values) {
    if (!values.empty()) send(tag, values.data(), values.size() * sizeof(T));
    values.clear();
  }

  void notes() {
    if (transformed_) send("NOTE", "node transforms applied: composed in double from the file's matrices (as float32), each coordinate rounded");
    if (skinned_) send("NOTE", "skinning not applied: the rest pose is read");
    if (morphed_) send("NOTE", "morph targets not applied");
  }

  const aiScene& scene_;
  std::vector<JoinedMesh> joined_;
  std::uint32_t first_vertex_ = 0;
  std::vector<Matrix> path_;  // of the node under way, from the root down
  bool skinned_ = false, morphed_ = false, transformed_ = false;
};

std::string read_input() {
  std::string bytes;
  char block[1 << 16];
  for (std::size_t n; (n = std::fread(block, 1, sizeof block, stdin)) > 0;) bytes.append(block, n);
  return bytes;
}

// A model may reference further files. Only regular files are opened, since a pipe or a device could block the reader forever.
class RegularFiles : public Assimp::DefaultIOSystem {
 public:
  bool Exists(const char* file) const override {  // opened by assimp's own file system
    std::error_code code;
    return std::filesystem::is_regular_file(file, code);
  }
  Assimp::IOStream* Open(const char* file, const char* mode) override { return Exists(file) ? DefaultIOSystem::Open(file, mode) : nullptr; }
};

void run(const std::string& path, const std::string& ending) {
  Assimp::Importer importer;
  importer.SetIOHandler(new RegularFiles);  // the importer deletes it
  importer.SetPropertyInteger(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
  for (const char* own : {"obj", "stl", "ply", "off", "3mf"}) importer.UnregisterLoader(importer.GetImporter(own));  // the library reads these itself, exactly
  std::string bytes;
  const aiScene* scene;
  if (path == "-") {
    bytes = read_input();
    scene = importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, ending.c_str());
  } else {
    scene = importer.ReadFile(path, 0);
  }
  if (scene == nullptr) finish("FAIL", std::string("assimp says: ") + importer.GetErrorString());

  const aiImporterDesc* const description = importer.GetImporterInfo(static_cast<std::size_t>(std::max(0, importer.GetPropertyInteger("importerIndex", 0))));
  const FileFacts facts = graze_import::find_facts(*scene, description == nullptr ? "" : description->mName, path, bytes, ending);
  send("FORM", facts.format);
  if (!facts.unit.empty()) send("UNIT", facts.unit);
  if (!facts.up_axis.empty()) send("UPAX", facts.up_axis);
  for (const std::string& note : facts.notes) send("NOTE", note);
  send("NOTE", "read by assimp " + std::to_string(aiGetVersionMajor()) + '.' + std::to_string(aiGetVersionMinor()) + '.' + std::to_string(aiGetVersionPatch()) +
                   ": coordinates went through float32, vertices with the same bits joined");
  if ((scene->mFlags & AI_SCENE_FLAGS_INCOMPLETE) != 0) send("NOTE", "assimp calls the scene incomplete");
  Sender(*scene).send_all(facts.synthetic_root);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("graze-import is run by the graze library: graze-import PATH|- ENDING MEMORY_BYTES CPU_SECONDS\n", stderr);
    return 2;
  }
  graze_import::set_limits(std::strtoull(argv[3], nullptr, 10), std::strtoull(argv[4], nullptr, 10));
  send("GRZ1", "");
  try {
    run(argv[1], argv[2]);
  } catch (const std::bad_alloc&) {
    finish("FAIL", std::string("needs more than ") + argv[3] + " bytes of memory to read");
  } catch (const std::exception& error) {
    finish("FAIL", std::string("assimp failed: ") + error.what());
  }
  finish("DONE", "");
}
