// Fuzzes tree files: any bytes give meshes that answer as built ones do, or an Error. The checksums are made right first, or the fuzzer would not get past
// them.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <graze/assembly.hpp>
#include <graze/error.hpp>
#include <span>
#include <vector>

#include "fuzz_input.hpp"
#include "io/tree_file.hpp"
#include "io/xxh64.hpp"

using namespace graze;

namespace {

void set_checksums(std::span<std::byte> bytes) {
  io::TreeFileHeader header;
  if (bytes.size() < sizeof header) return;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::size_t room = (bytes.size() - sizeof header) / sizeof(io::SectionEntry);
  header.bytes = bytes.size();
  if (header.sections <= room) {
    const std::span<std::byte> table = bytes.subspan(sizeof header, static_cast<std::size_t>(header.sections) * sizeof(io::SectionEntry));
    for (std::size_t at = 0; at < table.size(); at += sizeof(io::SectionEntry)) {
      io::SectionEntry s;
      std::memcpy(&s, table.data() + at, sizeof s);
      if (s.offset > bytes.size() || s.length > bytes.size() - s.offset) continue;
      s.checksum = io::xxh64(bytes.subspan(static_cast<std::size_t>(s.offset), static_cast<std::size_t>(s.length)));
      std::memcpy(table.data() + at, &s, sizeof s);
    }
    header.table_checksum = io::xxh64(table);
  }
  std::memcpy(bytes.data(), &header, sizeof header);
  header.header_checksum = io::xxh64(bytes.first(offsetof(io::TreeFileHeader, header_checksum)));
  std::memcpy(bytes.data(), &header, sizeof header);
}

void check_answers(const Mesh& mesh) {
  const Mesh built(VertexView(mesh.vertices()), mesh.triangles());
  const Vec3 center = mesh.vertices().empty() ? Vec3(0, 0, 0) : mesh.vertices()[0];
  const Ray ray{center * 0.5, Vec3(1, 2, 3)};
  const auto x = raycast(ray, mesh), y = raycast(ray, built);
  FUZZ_CHECK(x.has_value() == y.has_value() && (!x || (x->t == y->t && x->triangle == y->triangle)));
  const Point point{center + Vec3(0.25, 0.5, 1)};
  if (mesh.size() > 0) FUZZ_CHECK(closest(point, mesh).distance == closest(point, built).distance);
  if (mesh.size() < 64) FUZZ_CHECK(count_self_intersections(mesh, 1000).count == count_self_intersections(built, 1000).count);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* const first = reinterpret_cast<const std::byte*>(data);
  std::vector<std::byte> bytes(first, first + size);
  set_checksums(bytes);
  const io::Source source{"input", bytes};
  try {
    const io::TreeFile file = io::open_tree_file(io::copy_bytes(bytes), source);
    ProgressMeter none;
    const std::vector<Mesh> meshes = io::meshes_of(file, source, none);
    for (const AssemblyPart& part : file.parts) FUZZ_CHECK(part.mesh < meshes.size());
    for (const Mesh& mesh : meshes) check_answers(mesh);
    (void)load_assembly(bytes, "input");
  } catch (const Error& error) {
    FUZZ_CHECK(error.what()[0] != '\0');
  }
  return 0;
}
