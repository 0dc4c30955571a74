// Reads the container of tree files. No number of the file is trusted before it has been checked.
#include "io/tree_file.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <graze/error.hpp>
#include <graze/pose.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "io/part_path.hpp"
#include "io/xxh64.hpp"
#include "platform/parallel.hpp"

namespace graze::io {
namespace {

constexpr std::size_t kRequired = 5;  // sections of a mesh: vertices, triangles, and three of the tree

const char* name_of(SectionKind kind) {
  switch (kind) {
    case SectionKind::vertices:
      return "vertices";
    case SectionKind::triangles:
      return "triangles";
    case SectionKind::user:
      return "user numbers";
    case SectionKind::runs:
      return "runs";
    case SectionKind::run_names:
      return "names of runs";
    case SectionKind::tree_items:
      return "tree items";
    case SectionKind::tree_nodes:
      return "tree nodes";
    case SectionKind::triangle_blocks:
      return "triangle blocks";
    case SectionKind::instances:
      return "instances";
    case SectionKind::properties:
      return "properties";
    case SectionKind::text:
      return "text";
  }
  return nullptr;
}

std::string number(std::uint64_t n) { return std::to_string(n); }

bool of_whole_file(SectionKind kind) { return kind >= SectionKind::instances; }

class Container {
 public:
  Container(std::span<const std::byte> bytes, const Source& source) : bytes_(bytes), source_(source) {
    read_header();
    read_table();
    check_padding();
    check_checksums();
    sort_sections();
  }

  std::size_t meshes() const { return mesh_sections_.size(); }

  /// The elements of a section; none if the file has no such section and it is not required.
  template <class T>
  std::span<const T> get(SectionKind kind, std::uint32_t mesh, bool required) const {
    const std::optional<std::size_t> index = of_whole_file(kind) ? file_sections_[slot(kind)] : mesh_sections_[mesh][slot(kind)];
    if (!index) {
      if (required) fail(source_, "mesh " + number(mesh) + " has no section of " + name_of(kind));
      return {};
    }
    const SectionEntry& s = table_[*index];
    if (s.length % sizeof(T) != 0) fail_in(*index, "has " + number(s.length) + " bytes, must be a multiple of " + number(sizeof(T)));
    return {reinterpret_cast<const T*>(bytes_.data() + s.offset), static_cast<std::size_t>(s.length / sizeof(T))};
  }

 private:
  static std::size_t slot(SectionKind kind) {
    return static_cast<std::size_t>(kind) - (of_whole_file(kind) ? static_cast<std::size_t>(SectionKind::instances) : 1);
  }
  [[noreturn]] void fail_in(std::size_t index, const std::string& message) const {
    const SectionEntry& s = table_[index];
    std::string where = "section " + number(index);
    if (const char* const name = name_of(s.kind)) where += std::string(" (") + name + (s.mesh == kWholeFile ? ")" : " of mesh " + number(s.mesh) + ")");
    fail(source_, where + ": " + message);
  }

  void read_header() {
    if (bytes_.size() < sizeof header_)
      fail(source_, "has " + number(bytes_.size()) + " bytes, the header of a tree file has " + number(sizeof header_) + ": the file is cut short");
    std::memcpy(&header_, bytes_.data(), sizeof header_);
    if (header_.magic != kTreeFileMagic) fail(source_, "is no tree file: it does not begin with 89 47 52 41 5A 45 0D 0A");
    if (header_.byte_order != kByteOrderMark) fail(source_, "header: the byte order mark is " + number(header_.byte_order) + ", must be 16909060");
    if (header_.version != kTreeFileVersion)
      fail(source_, "header: the version is " + number(header_.version) + ", must be " + number(kTreeFileVersion) + ": pack the model again");
    if (header_.header_checksum != xxh64(bytes_.first(offsetof(TreeFileHeader, header_checksum)))) fail(source_, "header: the checksum is wrong");
    if (header_.bytes != bytes_.size())
      fail(source_,
           "has " + number(bytes_.size()) + " bytes, must be " + number(header_.bytes) + (bytes_.size() < header_.bytes ? ": the file is cut short" : ""));
    if (header_.reserved != 0) fail(source_, "header: the reserved field is not 0");
  }

  void read_table() {
    const std::size_t room = (bytes_.size() - sizeof header_) / sizeof(SectionEntry);
    if (header_.sections > room) fail(source_, "header: " + number(header_.sections) + " sections, the file has room for " + number(room));
    if (header_.meshes > header_.sections / kRequired)
      fail(source_, "header: " + number(header_.meshes) + " meshes with " + number(header_.sections) + " sections, each needs " + number(kRequired));
    table_.resize(static_cast<std::size_t>(header_.sections));
    const std::span<const std::byte> raw = bytes_.subspan(sizeof header_, table_.size() * sizeof(SectionEntry));
    if (header_.table_checksum != xxh64(raw)) fail(source_, "section table: the checksum is wrong");
    if (!raw.empty()) std::memcpy(table_.data(), raw.data(), raw.size());
  }

  /// Sections follow each other, each at the next multiple of kSectionAlign, with zeros between them.
  void check_padding() const {
    std::uint64_t end = sizeof header_ + table_.size() * sizeof(SectionEntry);
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const SectionEntry& s = table_[i];
      const std::uint64_t start = (end + kSectionAlign - 1) / kSectionAlign * kSectionAlign;
      if (s.offset != start) fail_in(i, "is at byte " + number(s.offset) + ", must be at " + number(start));
      if (s.offset > bytes_.size() || s.length > bytes_.size() - s.offset)
        fail_in(i, "has bytes [" + number(s.offset) + ", + " + number(s.length) + ") of " + number(bytes_.size()));
      for (std::uint64_t b = end; b < start; ++b)
        if (bytes_[static_cast<std::size_t>(b)] != std::byte{0}) fail_at_byte(source_, static_cast<std::size_t>(b), "the bytes between sections must be 0");
      end = s.offset + s.length;
    }
    if (end != bytes_.size()) fail(source_, "has " + number(bytes_.size() - end) + " bytes after its last section");
  }

  void check_checksums() const {
    std::vector<std::size_t> wrong((table_.size() + kTablesPerTask - 1) / kTablesPerTask, table_.size());
    parallel_for(table_.size(), kTablesPerTask, [&](std::size_t b, std::size_t e) {
      for (std::size_t i = b; i < e; ++i) {
        const SectionEntry& s = table_[i];
        if (wrong[b / kTablesPerTask] == table_.size() &&
            xxh64(bytes_.subspan(static_cast<std::size_t>(s.offset), static_cast<std::size_t>(s.length))) != s.checksum)
          wrong[b / kTablesPerTask] = i;
      }
    });
    for (const std::size_t i : wrong)
      if (i < table_.size()) fail_in(i, "the checksum is wrong");
  }
  static constexpr std::size_t kTablesPerTask = 1;  // sections are of very different sizes

  void sort_sections() {
    mesh_sections_.resize(static_cast<std::size_t>(header_.meshes));
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const SectionEntry& s = table_[i];
      if (name_of(s.kind) == nullptr) continue;  // of a later program, which does not need it to be understood
      if (of_whole_file(s.kind) ? s.mesh != kWholeFile : s.mesh >= header_.meshes)
        fail_in(i, "belongs to mesh " + number(s.mesh) + ", must be " + (of_whole_file(s.kind) ? number(kWholeFile) : "below " + number(header_.meshes)));
      std::optional<std::size_t>& place = of_whole_file(s.kind) ? file_sections_[slot(s.kind)] : mesh_sections_[s.mesh][slot(s.kind)];
      if (place) fail_in(i, "is there for the second time");
      place = i;
    }
  }

  std::span<const std::byte> bytes_;
  const Source& source_;
  TreeFileHeader header_;
  std::vector<SectionEntry> table_;
  std::array<std::optional<std::size_t>, 3> file_sections_;
  std::vector<std::array<std::optional<std::size_t>, 8>> mesh_sections_;
};

/// Pieces of a section of text for records. Records may share texts, which must not make gigabytes of a small file.
class Texts {
 public:
  Texts(std::span<const char> text, std::size_t record_bytes, const Source& source)
      : text_(text), source_(source), left_(kMostSharing * (text.size() + record_bytes)) {}

  std::string_view piece(std::uint32_t first, std::uint32_t length, const std::string& where) {
    if (first > text_.size() || length > text_.size() - first)
      fail(source_, where + "its text is [" + number(first) + ", + " + number(length) + ") of " + number(text_.size()) + " bytes");
    if (length > left_)
      fail(source_, where + "the records share texts so often that they take more than " + number(kMostSharing) + " times the bytes of the file");
    left_ -= length;
    return {text_.data() + first, length};
  }

 private:
  static constexpr std::size_t kMostSharing = 64;  // a choice; a name of 1,000 bytes may belong to each of any number of instances
  std::span<const char> text_;
  const Source& source_;
  std::size_t left_;
};

MeshSections read_mesh(const Container& c, std::uint32_t mesh, const Source& source) {
  MeshSections out;
  out.vertices = c.get<Vec3>(SectionKind::vertices, mesh, true);
  out.triangles = c.get<TriangleIndices>(SectionKind::triangles, mesh, true);
  out.items = c.get<std::uint32_t>(SectionKind::tree_items, mesh, true);
  out.nodes = c.get<WideNode>(SectionKind::tree_nodes, mesh, true);
  out.blocks = c.get<TriangleBlock>(SectionKind::triangle_blocks, mesh, true);
  out.user = c.get<std::uint32_t>(SectionKind::user, mesh, false);
  const auto names = c.get<char>(SectionKind::run_names, mesh, false);
  const auto runs = c.get<RunRecord>(SectionKind::runs, mesh, false);
  Texts texts(names, runs.size_bytes(), source);
  out.parts.reserve(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string_view name = texts.piece(runs[i].name, runs[i].name_length, "mesh " + number(mesh) + ": run " + number(i) + ": ");
    out.parts.push_back({std::string(name), runs[i].first, runs[i].count});
  }
  return out;
}

void read_instances(const Container& c, std::span<const char> text, const Source& source, TreeFile& out) {
  std::unordered_set<std::string> paths;
  std::size_t shortened = 0;
  const auto records = c.get<InstanceRecord>(SectionKind::instances, kWholeFile, false);
  Texts texts(text, records.size_bytes(), source);
  out.has_instances = !records.empty();
  out.parts.reserve(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    const InstanceRecord& r = records[i];
    const std::string where = "instance " + number(i) + ": ";
    if (r.mesh >= out.meshes.size()) fail(source, where + "mesh " + number(r.mesh) + " of " + number(out.meshes.size()));
    if (r.reserved != 0) fail(source, where + "the reserved field is not 0");
    AssemblyPart part;
    const PartPath path(texts.piece(r.path, r.path_length, where)), name(texts.piece(r.name, r.name_length, where));
    shortened += path.shortened() || name.shortened() ? 1 : 0;
    part.path = path.text();
    part.name = name.text();
    part.mesh = r.mesh;
    std::array<double, 9> rows;
    for (std::size_t k = 0; k < 9; ++k) rows[k] = r.rotation[k / 3][k % 3];
    const Vec3 t(r.translation[0], r.translation[1], r.translation[2]);
    if (!is_finite(t.x) || !is_finite(t.y) || !is_finite(t.z)) fail(source, where + "its translation is not finite");
    try {
      part.pose = Pose::from_matrix(rows, t);
    } catch (const Error& error) {
      fail(source, where + error.what());
    }
    if (!paths.insert(part.path).second) fail(source, where + "another one has the path " + quote(part.path));
    out.parts.push_back(std::move(part));
  }
  note_shortened_paths(shortened, out.notes);
}

void read_properties(const Container& c, std::span<const char> text, const Source& source, TreeFile& out) {
  const auto records = c.get<PropertyRecord>(SectionKind::properties, kWholeFile, false);
  Texts texts(text, records.size_bytes(), source);
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::string value(texts.piece(records[i].text, records[i].text_length, "property " + number(i) + ": "));
    switch (records[i].key) {
      case PropertyKey::unit:
        out.unit = std::move(value);
        break;
      case PropertyKey::up_axis:
        out.up_axis = std::move(value);
        break;
      case PropertyKey::single_precision:
        out.single_precision = true;
        break;
      case PropertyKey::note:
        out.notes.push_back(std::move(value));
        break;
      default:  // of a later program
        break;
    }
  }
}

std::string_view magic() { return {reinterpret_cast<const char*>(kTreeFileMagic.data()), kTreeFileMagic.size()}; }

}  // namespace

bool is_tree_file(const Source& source) { return source.text().starts_with(magic()); }

bool is_tree_file(const std::string& path) { return file_begins_with(path, kTreeFileMagic); }

TreeFile open_tree_file(const MappedFile& file, const Source& source) {
  if constexpr (std::endian::native != std::endian::little) fail(source, "tree files are read on little-endian machines only", ErrorCode::unreadable_file);
  const Container container(file.bytes, source);
  TreeFile out;
  out.owner = file.owner;
  out.meshes.reserve(container.meshes());
  for (std::uint32_t i = 0; i < container.meshes(); ++i) out.meshes.push_back(read_mesh(container, i, source));
  const auto text = container.get<char>(SectionKind::text, kWholeFile, false);
  read_instances(container, text, source, out);
  read_properties(container, text, source, out);
  return out;
}

}  // namespace graze::io
