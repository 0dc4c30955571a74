// Writes GLB files: meshes of single precision, and nodes as the test states them.
#pragma once
#include <cstdint>
#include <cstring>
#include <graze/mesh.hpp>
#include <graze/query.hpp>
#include <string>
#include <vector>

namespace graze::test {

class GlbWriter {
 public:
  /// Returns the number of the mesh.
  int mesh(const std::vector<Vec3>& vertices, const std::vector<TriangleIndices>& triangles) {
    const std::size_t first = binary_.size();
    for (const Vec3& v : vertices)
      for (int i = 0; i < 3; ++i) append(static_cast<float>(v[i]));
    views_ += (views_.empty() ? "" : ",") + view(first);
    const std::size_t second = binary_.size();
    for (const TriangleIndices& t : triangles)
      for (const std::uint32_t c : t) append(c);
    views_ += "," + view(second);
    const std::string n = std::to_string(2 * meshes_);
    accessors_ += std::string(accessors_.empty() ? "" : ",") + R"({"bufferView":)" + n + R"(,"componentType":5126,"type":"VEC3","count":)" +
                  std::to_string(vertices.size()) + R"(},{"bufferView":)" + std::to_string(2 * meshes_ + 1) +
                  R"(,"componentType":5125,"type":"SCALAR","count":)" + std::to_string(3 * triangles.size()) + "}";
    mesh_list_ += std::string(mesh_list_.empty() ? "" : ",") + R"({"primitives":[{"attributes":{"POSITION":)" + n + R"(},"indices":)" +
                  std::to_string(2 * meshes_ + 1) + "}]}";
    return meshes_++;
  }
  /// A box with outward faces.
  int box(const Vec3& lo, const Vec3& hi) { return mesh(corners(lo, hi), kBoxFaces); }
  /// A box with a cavity that is a box.
  int room(const Box& outer, const Box& inner) {
    std::vector<Vec3> v = corners(outer.min, outer.max);
    const std::vector<Vec3> more = corners(inner.min, inner.max);
    v.insert(v.end(), more.begin(), more.end());
    std::vector<TriangleIndices> faces = kBoxFaces;
    for (const TriangleIndices& t : kBoxFaces) faces.push_back({t[0] + 8, t[2] + 8, t[1] + 8});
    return mesh(v, faces);
  }
  /// The members of a node, without braces: R"("name":"a","mesh":0)".
  void node(const std::string& members) { nodes_ += (nodes_.empty() ? "{" : ",{") + members + "}"; }

  /// The file, with further members of the top object, such as R"("scenes":[{"nodes":[0]}])".
  std::string file(const std::string& more = "") const {
    std::string json = R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":)" + std::to_string(binary_.size()) + R"(}],"bufferViews":[)" + views_ +
                       R"(],"accessors":[)" + accessors_ + R"(],"meshes":[)" + mesh_list_ + R"(],"nodes":[)" + nodes_ + "]" + (more.empty() ? "" : "," + more) +
                       "}";
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string out = "glTF";
    put(out, 2);
    put(out, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + binary_.size()));
    put(out, static_cast<std::uint32_t>(json.size()));
    out += "JSON" + json;
    put(out, static_cast<std::uint32_t>(binary_.size()));
    return out + std::string("BIN\0", 4) + binary_;
  }

 private:
  inline static const std::vector<TriangleIndices> kBoxFaces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                                                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  static std::vector<Vec3> corners(const Vec3& lo, const Vec3& hi) {
    std::vector<Vec3> v;
    for (int k = 0; k < 8; ++k) v.emplace_back(k & 1 ? hi.x : lo.x, k & 2 ? hi.y : lo.y, k & 4 ? hi.z : lo.z);
    return v;
  }
  template <class T>
  void append(T value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    binary_.append(raw, sizeof value);
  }
  static void put(std::string& out, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> 8 * i);
  }
  std::string view(std::size_t first) const {
    return R"({"buffer":0,"byteOffset":)" + std::to_string(first) + R"(,"byteLength":)" + std::to_string(binary_.size() - first) + "}";
  }

  std::string binary_, views_, accessors_, mesh_list_, nodes_;
  int meshes_ = 0;
};

}  // namespace graze::test
