// Writes tree files.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <graze/error.hpp>
#include <graze/pose.hpp>
#include <graze/tree_file.hpp>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "io/tree_file.hpp"
#include "io/xxh64.hpp"
#include "mesh/stored_mesh.hpp"
#include "platform/file.hpp"
#include "platform/parallel.hpp"

namespace graze {
namespace {

using io::SectionKind;

/// Texts of a section, one after the other.
class TextPool {
 public:
  /// Appends a text and returns where it begins.
  std::uint32_t add(std::string_view text) {
    const std::size_t at = text_.size();
    if (text.size() > std::numeric_limits<std::uint32_t>::max() - at) throw Error(ErrorCode::too_large, "the names take more than 4294967295 bytes");
    text_ += text;
    return static_cast<std::uint32_t>(at);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// The sections of a file in their order, as views; `kept_` holds what no mesh owns.
class Writer {
 public:
  template <class T>
  void add(SectionKind kind, std::uint32_t mesh, std::span<const T> elements) {
    io::SectionEntry entry{};
    entry.kind = kind;
    entry.mesh = mesh;
    entry.length = elements.size_bytes();
    table_.push_back(entry);
    views_.push_back(std::as_bytes(elements));
  }
  template <class T>
  void add_copy(SectionKind kind, std::uint32_t mesh, std::span<const T> elements) {
    const std::span<const std::byte> bytes = std::as_bytes(elements);
    kept_.push_back(std::make_unique<std::vector<std::byte>>(bytes.begin(), bytes.end()));
    add(kind, mesh, std::span<const std::byte>(*kept_.back()));
  }

  void add_mesh(const Mesh& mesh) {
    const std::uint32_t i = meshes_++;
    const MeshArrays arrays = arrays_of(mesh);
    add(SectionKind::vertices, i, arrays.vertices);
    add(SectionKind::triangles, i, arrays.triangles);
    if (!mesh.user().empty()) add(SectionKind::user, i, mesh.user());
    if (!mesh.parts().empty()) {
      TextPool names;
      std::vector<io::RunRecord> runs;
      for (const MeshPart& part : mesh.parts()) runs.push_back({part.first, part.count, names.add(part.name), static_cast<std::uint32_t>(part.name.size())});
      add_copy(SectionKind::runs, i, std::span<const io::RunRecord>(runs));
      add_copy(SectionKind::run_names, i, std::span<const char>(names.text()));
    }
    add(SectionKind::tree_items, i, arrays.items);
    add(SectionKind::tree_nodes, i, arrays.nodes);
    add(SectionKind::triangle_blocks, i, arrays.blocks);
  }

  void write(const std::string& path) {
    const auto align = [](std::uint64_t at) { return (at + io::kSectionAlign - 1) / io::kSectionAlign * io::kSectionAlign; };
    std::uint64_t end = sizeof(io::TreeFileHeader) + table_.size() * sizeof(io::SectionEntry);
    for (io::SectionEntry& s : table_) {
      s.offset = align(end);
      end = s.offset + s.length;
    }
    parallel_for(table_.size(), 1, [&](std::size_t b, std::size_t e) {
      for (std::size_t i = b; i < e; ++i) table_[i].checksum = io::xxh64(views_[i]);
    });
    const std::span<const std::byte> table = std::as_bytes(std::span<const io::SectionEntry>(table_));
    io::TreeFileHeader header{};
    header.magic = io::kTreeFileMagic;
    header.version = io::kTreeFileVersion;
    header.byte_order = io::kByteOrderMark;
    header.bytes = end;
    header.sections = table_.size();
    header.table_checksum = io::xxh64(table);
    header.meshes = meshes_;
    const std::span<const std::byte> head = std::as_bytes(std::span<const io::TreeFileHeader>(&header, 1));
    header.header_checksum = io::xxh64(head.first(offsetof(io::TreeFileHeader, header_checksum)));
    static constexpr std::byte kZeros[io::kSectionAlign] = {};
    const auto piece = [](std::span<const std::byte> b) { return std::string_view(reinterpret_cast<const char*>(b.data()), b.size()); };
    std::vector<std::string_view> pieces{piece(head), piece(table)};
    std::uint64_t at = head.size() + table.size();
    for (std::size_t i = 0; i < table_.size(); ++i) {
      pieces.push_back(piece({kZeros, static_cast<std::size_t>(table_[i].offset - at)}));
      pieces.push_back(piece(views_[i]));
      at = table_[i].offset + table_[i].length;
    }
    write_whole(path, pieces, Durable::yes);
  }

 private:
  std::vector<io::SectionEntry> table_;
  std::vector<std::span<const std::byte>> views_;
  std::vector<std::unique_ptr<std::vector<std::byte>>> kept_;
  std::uint32_t meshes_ = 0;
};

[[noreturn]] void refuse_part(const std::string& path, std::size_t i, const AssemblyPart& part, const std::string& message) {
  throw Error(ErrorCode::invalid_argument, path + ": part " + std::to_string(i) + " (" + io::quote(part.path) + "): " + message);
}

void check_part(const std::string& path, std::size_t i, const AssemblyPart& part, std::size_t meshes) {
  if (part.mesh >= meshes) refuse_part(path, i, part, "mesh " + std::to_string(part.mesh) + " of " + std::to_string(meshes));
  for (int k = 0; k < 3; ++k)
    if (!io::is_finite(part.pose.translation[k])) refuse_part(path, i, part, "its translation is not finite");
  std::array<double, 9> rows;
  for (std::size_t k = 0; k < 9; ++k) rows[k] = part.pose.rotation[k / 3][k % 3];
  try {
    (void)Pose::from_matrix(rows);
  } catch (const Error& error) {
    refuse_part(path, i, part, error.what());
  }
}

}  // namespace

void save_mesh(const Mesh& mesh, const std::string& path) { save_meshes({&mesh, 1}, path); }

void save_meshes(std::span<const Mesh> meshes, const std::string& path) {
  Writer writer;
  for (const Mesh& mesh : meshes) writer.add_mesh(mesh);
  writer.write(path);
}

void save_assembly(const Assembly& assembly, const std::string& path) {
  if (assembly.parts.empty()) throw Error(ErrorCode::invalid_argument, path + ": the assembly has no part, expected at least one");
  Writer writer;
  for (const Mesh& mesh : assembly.meshes) writer.add_mesh(mesh);
  TextPool text;
  std::unordered_set<std::string_view> paths;
  std::vector<io::InstanceRecord> instances;
  for (std::size_t i = 0; i < assembly.parts.size(); ++i) {
    const AssemblyPart& part = assembly.parts[i];
    check_part(path, i, part, assembly.meshes.size());
    if (!paths.insert(part.path).second) refuse_part(path, i, part, "another part has the same path");
    io::InstanceRecord record{};
    record.mesh = part.mesh;
    record.path = text.add(part.path);
    record.path_length = static_cast<std::uint32_t>(part.path.size());
    record.name = part.name == part.path ? record.path : text.add(part.name);
    record.name_length = static_cast<std::uint32_t>(part.name.size());
    std::memcpy(record.rotation, part.pose.rotation, sizeof record.rotation);
    for (int k = 0; k < 3; ++k) record.translation[k] = part.pose.translation[k];
    instances.push_back(record);
  }
  std::vector<io::PropertyRecord> properties;
  const auto add_property = [&](io::PropertyKey key, std::string_view value) {
    properties.push_back({key, text.add(value), static_cast<std::uint32_t>(value.size()), 0});
  };
  if (!assembly.unit.empty()) add_property(io::PropertyKey::unit, assembly.unit);
  if (!assembly.up_axis.empty()) add_property(io::PropertyKey::up_axis, assembly.up_axis);
  if (assembly.single_precision) add_property(io::PropertyKey::single_precision, "");
  for (const std::string& note : assembly.notes) add_property(io::PropertyKey::note, note);
  writer.add(SectionKind::instances, io::kWholeFile, std::span<const io::InstanceRecord>(instances));
  writer.add(SectionKind::properties, io::kWholeFile, std::span<const io::PropertyRecord>(properties));
  writer.add(SectionKind::text, io::kWholeFile, std::span<const char>(text.text()));
  writer.write(path);
}

}  // namespace graze
