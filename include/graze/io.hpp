// Reading models from files (target graze::io).
#pragma once
#include <graze/mesh.hpp>
#include <string>
#include <vector>

namespace graze {

/// A model as read: arrays, and what the file said about itself.
struct LoadedModel {
  MeshData data;
  std::string format;                  ///< "obj", "stl (binary)", "ply (ascii)", "off", "gltf", ...
  std::string unit;                    ///< as stated by the file, else empty; coordinates are never scaled
  std::string up_axis;                 ///< as stated by the file, else empty; never turned
  bool single_precision = false;       ///< the coordinates went through float32
  std::size_t polygons = 0;            ///< faces with more than three corners, cut as the fan from their first corner
  std::vector<std::uint32_t> concave;  ///< faces (in file order) that are concave and were triangulated exactly instead
  std::vector<std::string> notes;      ///< anything else a user should know, one line each
};

struct LoadOptions {
  std::size_t max_bytes = std::size_t{16} << 30;  ///< larger files are refused
};

/// Reads a model; the format follows from the content, then from the name's ending. OBJ, STL, PLY and OFF: doubles correctly rounded, triangles in file order.
/// Throws Error: which file, which line or byte, what was found, what was expected. Memory is bounded by a small multiple of the file's size.
LoadedModel load_model(const std::string& path, const LoadOptions& options = {});

/// Reads a model from memory; `name` is used in messages and for its ending.
LoadedModel load_model(std::span<const std::byte> bytes, const std::string& name);

/// load_model, then Mesh.
Mesh load_mesh(const std::string& path);

}  // namespace graze
