// The header of a PLY file: its format, elements and properties.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "io/bytes.hpp"

namespace graze::io {

enum class PlyFormat { ascii, binary_little, binary_big };
enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

constexpr std::size_t size_of(PlyType type) {
  constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return kSizes[static_cast<int>(type)];
}

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::float32;      ///< of a list: the type of its items
  PlyType count_type = PlyType::uint8;  ///< the type of a list's length
  bool is_list = false;
  bool is_corners = false;  ///< the list of vertex indices of a face or strip
  int axis = -1;            ///< 0, 1, 2 for a vertex's x, y, z
};

struct PlyElement {
  std::string name;
  std::size_t count = 0;
  std::size_t line = 0;  ///< where the header declares the element
  std::vector<PlyProperty> properties;

  std::string row_name(std::size_t row) const { return (name == "vertex" || name == "face" ? name : quote(name)) + ' ' + std::to_string(row); }
};

struct PlyHeader {
  PlyFormat format = PlyFormat::ascii;
  std::vector<PlyElement> elements;
  std::size_t size = 0;        ///< length of the header in bytes
  std::size_t other_size = 0;  ///< if not 0: it may also be this long, as the last line feed may be the first byte of a binary body
  std::size_t lines = 0;
  std::size_t vertices = 0;
  bool single_precision = false;  ///< some coordinate is declared as float
};

/// Throws Error for a header whose body cannot be read: no x, y, z; faces without a list of vertex indices; invalid types.
PlyHeader read_ply_header(const Source& source);

}  // namespace graze::io
