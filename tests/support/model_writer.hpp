// Writes models in every format that graze reads natively; for tests only.
#pragma once
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <graze/mesh.hpp>
#include <string>

namespace graze::test {

enum class Digits { shortest, seventeen };

inline std::string decimal(double x, Digits digits) {
  char text[40];
  if (digits == Digits::shortest) return {text, std::to_chars(text, text + sizeof text, x).ptr};
  return {text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "%.17g", x))};
}

inline std::string decimals(const Vec3& v, Digits d) { return decimal(v.x, d) + ' ' + decimal(v.y, d) + ' ' + decimal(v.z, d); }

inline std::string write_obj(const MeshData& m, Digits d) {
  std::string out;
  for (const Vec3& v : m.vertices) out += "v " + decimals(v, d) + '\n';
  for (const auto& t : m.triangles) out += "f " + std::to_string(t[0] + 1) + ' ' + std::to_string(t[1] + 1) + ' ' + std::to_string(t[2] + 1) + '\n';
  return out;
}

inline std::string indexed_body(const MeshData& m, Digits d) {
  std::string out;
  for (const Vec3& v : m.vertices) out += decimals(v, d) + '\n';
  for (const auto& t : m.triangles) out += "3 " + std::to_string(t[0]) + ' ' + std::to_string(t[1]) + ' ' + std::to_string(t[2]) + '\n';
  return out;
}

inline std::string write_off(const MeshData& m, Digits d) {
  return "OFF\n" + std::to_string(m.vertices.size()) + ' ' + std::to_string(m.triangles.size()) + " 0\n" + indexed_body(m, d);
}

inline std::string ply_header(const MeshData& m, const char* format, const char* type) {
  const std::string t = type;
  return std::string("ply\nformat ") + format + " 1.0\nelement vertex " + std::to_string(m.vertices.size()) + "\nproperty " + t + " x\nproperty " + t +
         " y\nproperty " + t + " z\nelement face " + std::to_string(m.triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n";
}

inline std::string write_ply_ascii(const MeshData& m, Digits d) { return ply_header(m, "ascii", "double") + indexed_body(m, d); }

template <class T>
void put(std::string& out, T value, bool big_endian) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof raw);
  if (big_endian != (std::endian::native == std::endian::big)) std::reverse(raw, raw + sizeof raw);
  out.append(raw, sizeof raw);
}

inline std::string write_ply_binary(const MeshData& m, bool big_endian) {
  std::string out = ply_header(m, big_endian ? "binary_big_endian" : "binary_little_endian", "double");
  for (const Vec3& v : m.vertices) {
    for (int axis = 0; axis < 3; ++axis) put(out, v[axis], big_endian);
  }
  for (const auto& t : m.triangles) {
    put<std::uint8_t>(out, 3, big_endian);
    for (const std::uint32_t i : t) put(out, i, big_endian);
  }
  return out;
}

inline std::string write_stl_text(const MeshData& m, Digits d, const std::string& name = "model") {
  std::string out = "solid " + name + '\n';
  for (const auto& t : m.triangles) {
    out += "facet normal 0 0 0\nouter loop\n";
    for (const std::uint32_t i : t) out += "vertex " + decimals(m.vertices[i], d) + '\n';
    out += "endloop\nendfacet\n";
  }
  return out + "endsolid " + name + '\n';
}

/// Coordinates must be floats.
inline std::string write_stl_binary(const MeshData& m, std::string head = "binary") {
  head.resize(80, ' ');
  put(head, static_cast<std::uint32_t>(m.triangles.size()), false);
  for (const auto& t : m.triangles) {
    for (int i = 0; i < 3; ++i) put(head, 0.0f, false);
    for (const std::uint32_t corner : t) {
      for (int axis = 0; axis < 3; ++axis) put(head, static_cast<float>(m.vertices[corner][axis]), false);
    }
    put<std::uint16_t>(head, 0, false);
  }
  return head;
}

}  // namespace graze::test
