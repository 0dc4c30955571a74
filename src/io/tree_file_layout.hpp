// The layout of tree files as docs/tree_file.md defines it, and what fixes it to the types of the library.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <graze/mesh/mesh.hpp>
#include <type_traits>

#include "mesh/stored_mesh.hpp"

namespace graze::io {

inline constexpr std::array<unsigned char, 8> kTreeFileMagic{0x89, 'G', 'R', 'A', 'Z', 'E', '\r', '\n'};
inline constexpr std::uint32_t kTreeFileVersion = 1, kByteOrderMark = 0x01020304, kWholeFile = ~0u;
inline constexpr std::size_t kSectionAlign = 64;

enum class SectionKind : std::uint32_t {
  vertices = 1,
  triangles = 2,
  user = 3,
  runs = 4,
  run_names = 5,
  tree_items = 6,
  tree_nodes = 7,
  triangle_blocks = 8,
  instances = 16,  // of the whole file, as are those that follow
  properties = 17,
  text = 18,
};

struct TreeFileHeader {
  std::array<unsigned char, 8> magic;
  std::uint32_t version, byte_order;
  std::uint64_t bytes;     ///< of the file
  std::uint64_t sections;  ///< entries of the table, which follows the header
  std::uint64_t table_checksum;
  std::uint64_t meshes;
  std::uint64_t reserved;
  std::uint64_t header_checksum;  ///< of the bytes before it
};

struct SectionEntry {
  SectionKind kind;
  std::uint32_t mesh;  ///< kWholeFile: the section belongs to none
  std::uint64_t offset, length;
  std::uint64_t checksum;
};

/// A named run of triangles of a mesh.
struct RunRecord {
  std::uint32_t first, count, name, name_length;
};

struct InstanceRecord {
  std::uint32_t mesh, reserved, path, path_length, name, name_length;
  double rotation[3][3], translation[3];
};

enum class PropertyKey : std::uint32_t { unit = 1, up_axis = 2, single_precision = 3, note = 4 };

struct PropertyRecord {
  PropertyKey key;
  std::uint32_t text, text_length, reserved;
};

// The file holds these types as they are in memory, so their layout is that of the format.
static_assert(sizeof(TreeFileHeader) == 64 && offsetof(TreeFileHeader, version) == 8 && offsetof(TreeFileHeader, bytes) == 16 &&
              offsetof(TreeFileHeader, table_checksum) == 32 && offsetof(TreeFileHeader, header_checksum) == 56);
static_assert(sizeof(SectionEntry) == 32 && offsetof(SectionEntry, offset) == 8 && offsetof(SectionEntry, length) == 16 &&
              offsetof(SectionEntry, checksum) == 24);
static_assert(sizeof(RunRecord) == 16 && sizeof(PropertyRecord) == 16);
static_assert(sizeof(InstanceRecord) == 120 && offsetof(InstanceRecord, rotation) == 24 && offsetof(InstanceRecord, translation) == 96);
static_assert(sizeof(Vec3) == 24 && sizeof(TriangleIndices) == 12);
static_assert(sizeof(WideNode) == 256 && alignof(WideNode) == kSectionAlign && offsetof(WideNode, child) == 192 && offsetof(WideNode, count) == 224 &&
              offsetof(WideNode, used) == 232 && offsetof(WideNode, first_leaf) == 236 && offsetof(WideNode, leaves) == 240 &&
              offsetof(WideNode, lowest) == 244 && offsetof(WideNode, source) == 248);
static_assert(sizeof(TriangleBlock) == 208 && kSectionAlign % alignof(TriangleBlock) == 0 && offsetof(TriangleBlock, id) == 144 &&
              offsetof(TriangleBlock, vertex) == 160);
static_assert(std::is_trivially_copyable_v<Vec3> && std::is_trivially_copyable_v<WideNode> && std::is_trivially_copyable_v<TriangleBlock>);

}  // namespace graze::io
