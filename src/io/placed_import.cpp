// Placed parts and shared meshes from helper programs.
#include "io/placed_import.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/part_path.hpp"

namespace graze::io {
namespace {

constexpr ImportHelper kStep{"graze-import-step", "GRAZE_IMPORT_STEP_HELPER", "STEP files are",
                             "install OpenCASCADE with tools/setup.sh step (Debian's libocct-data-exchange-dev) and build again", 10};
constexpr ImportHelper kIfc{"graze-import-ifc.mjs", "GRAZE_IMPORT_IFC_HELPER", "IFC files are", "install it there", 10, true};

// Records besides those of every helper:
//   MESH  (nothing) a mesh follows; meshes are numbered from 0
//   VERT  triples of doubles, finite: vertices of the current mesh
//   TRIA  triples of 32-bit numbers: its triangles, of vertices that were sent
//   PLAC  a part: the number of a mesh that was sent (32 bits), the length of the name (32 bits), twelve doubles (rows of the linear part, then the
//         translation), the name, and after it the id, which may be empty
//   FOLD  text: the name of an assembly or other parent of parts, below the current one; they are numbered from 1
//   INTO  the number (32 bits) of the current parent of all that follows; 0 for none, as at the start
//   SNGL  (nothing) the coordinates of the file are in single precision
constexpr std::size_t kPlacement = 8 + 12 * sizeof(double), kLongestNames = std::size_t{1} << 16;

class PlacedAnswer {
 public:
  PlacedAnswer(ImportRecords& records, const Source& source) : records_(records), source_(source) {}

  AssemblyData read() {
    if (records_.next() != "GRZ1") records_.fail_answer("does not start with its version");
    for (std::string tag = records_.next(); tag != "DONE"; tag = records_.next()) record(tag);
    return std::move(out_);
  }

 private:
  void record(const std::string& tag) {
    if (tag == "MESH") {
      out_.meshes.emplace_back();
    } else if (tag == "VERT") {
      vertices();
    } else if (tag == "TRIA") {
      triangles();
    } else if (tag == "PLAC") {
      place();
    } else if (tag == "FOLD") {
      folders_.push_back(folders_[folder_].below(records_.text()));
    } else if (tag == "INTO") {
      enter();
    } else if (tag == "FORM") {
      out_.format = records_.text();
    } else if (tag == "UNIT") {
      out_.unit = records_.text();
    } else if (tag == "UPAX") {
      out_.up_axis = records_.text();
    } else if (tag == "SNGL") {
      out_.single_precision = true;
    } else if (tag == "NOTE") {
      if (++notes_ <= 100) out_.notes.push_back(records_.text());
    } else if (tag == "FAIL") {
      fail(source_, records_.text());
    } else {
      records_.fail_answer("has an unknown record " + quote(tag));
    }
  }

  MeshData& mesh() {
    if (out_.meshes.empty()) records_.fail_answer("has a mesh without a beginning");
    return out_.meshes.back();
  }

  std::string mesh_name() const { return "mesh " + std::to_string(out_.meshes.size() - 1); }

  void vertices() {
    auto& vertices = mesh().vertices;
    for (const Vec3& v : records_.numbers<Vec3>("vertices")) {
      if (!is_finite(v.x) || !is_finite(v.y) || !is_finite(v.z))
        fail(source_, mesh_name() + ": vertex " + std::to_string(vertices.size()) + " is NaN or infinite");
      vertices.push_back(v);
    }
    if (vertices.size() > 0xFFFFFFFF) fail(source_, mesh_name() + " has more vertices than 32-bit numbers", ErrorCode::too_large);
  }

  void triangles() {
    MeshData& m = mesh();
    for (const TriangleIndices& t : records_.numbers<TriangleIndices>("triangles")) {
      for (const std::uint32_t v : t) {
        if (v >= m.vertices.size())
          fail(source_, mesh_name() + ": triangle " + std::to_string(m.triangles.size()) + " uses vertex " + std::to_string(v) + " of " +
                            std::to_string(m.vertices.size()));
      }
      m.triangles.push_back(t);
    }
  }

  void enter() {
    const std::span<const char> bytes = records_.payload();
    std::uint32_t folder = 0;
    if (bytes.size() != sizeof folder) records_.fail_answer("has the number of a parent in " + std::to_string(bytes.size()) + " bytes");
    std::memcpy(&folder, bytes.data(), sizeof folder);
    if (folder >= folders_.size()) records_.fail_answer("has parent " + std::to_string(folder) + " of " + std::to_string(folders_.size() - 1));
    folder_ = folder;
  }

  void place() {
    const std::span<const char> bytes = records_.payload();
    if (bytes.size() < kPlacement || bytes.size() > kPlacement + kLongestNames)
      records_.fail_answer("has a part of " + std::to_string(bytes.size()) + " bytes");
    std::uint32_t mesh = 0, length = 0;
    double numbers[12];
    std::memcpy(&mesh, bytes.data(), sizeof mesh);
    std::memcpy(&length, bytes.data() + 4, sizeof length);
    std::memcpy(numbers, bytes.data() + 8, sizeof numbers);
    const std::string_view texts(bytes.data() + kPlacement, bytes.size() - kPlacement);
    if (length > texts.size()) records_.fail_answer("has a part with a name of " + std::to_string(length) + " bytes");
    if (mesh >= out_.meshes.size()) records_.fail_answer("has a part with mesh " + std::to_string(mesh) + " of " + std::to_string(out_.meshes.size()));
    PartData part;
    const PartPath path = paths_.add(folders_[folder_].below(texts.substr(0, length)));
    part.name = path.text();
    part.id = texts.substr(length);
    part.mesh = mesh;
    for (std::size_t i = 0; i < 9; ++i) part.transform.linear[i] = numbers[i];
    part.transform.translation = Vec3(numbers[9], numbers[10], numbers[11]);
    for (const double x : numbers)
      if (!is_finite(x)) fail(source_, "part " + quote(part.name) + ": its transform has NaN or infinity");
    if (out_.meshes[mesh].triangles.empty()) return;
    out_.shortened += path.shortened() ? 1 : 0;
    out_.parts.push_back(std::move(part));
  }

  ImportRecords& records_;
  const Source& source_;
  AssemblyData out_;
  UniquePaths paths_;
  std::vector<PartPath> folders_{PartPath()};
  std::uint32_t folder_ = 0;
  std::size_t notes_ = 0;
};

// Both formats begin alike; the header names the schema.
bool is_exchange_file(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text.substr(first).starts_with("ISO-10303-21;");
}

}  // namespace

bool is_ifc(const Source& source) {
  const std::string_view text = source.text();
  if (!is_exchange_file(text)) return false;
  const std::string_view head = text.substr(0, std::min(text.find("ENDSEC;"), std::size_t{1} << 16));
  const std::size_t schema = head.find("FILE_SCHEMA");
  return schema != std::string_view::npos && head.find("'IFC", schema) != std::string_view::npos;
}

bool is_step(const Source& source) { return is_exchange_file(source.text()) && !is_ifc(source); }

AssemblyData read_placed(ImportRecords& records, const Source& source) { return PlacedAnswer(records, source).read(); }

AssemblyData read_step(const Source& source, const std::string* path, double deflection) {
  char text[40];
  const std::string number(text, std::to_chars(text, text + sizeof text, deflection).ptr);
  AssemblyData out;
  run_import(source, kStep, "step", path, {number}, [&](ImportRecords& records) { out = read_placed(records, source); });
  return out;
}

AssemblyData read_ifc(const Source& source, const std::string* path) {
  AssemblyData out;
  run_import(source, kIfc, "ifc", path, {}, [&](ImportRecords& records) { out = read_placed(records, source); });
  return out;
}

}  // namespace graze::io
