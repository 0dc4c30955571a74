// Fuzzes the reader of 3MF: archives as they are, and any other bytes as the text of a model file, which no archive and checksum hides from the mutations.
#include <cstddef>
#include <cstdint>
#include <graze/error.hpp>
#include <string>

#include "fuzz_input.hpp"
#include "io/three_mf.hpp"
#include "io/three_mf_model.hpp"
#include "io/zip_archive.hpp"

using namespace graze;

namespace {

constexpr std::size_t kMost = std::size_t{1} << 24;

void check(const MeshData& mesh) {
  for (const TriangleIndices& t : mesh.triangles)
    for (const std::uint32_t v : t) FUZZ_CHECK(v < mesh.vertices.size());
  for (const Vec3& v : mesh.vertices) FUZZ_CHECK(io::is_finite(v.x) && io::is_finite(v.y) && io::is_finite(v.z));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const io::Source source{"input", {reinterpret_cast<const std::byte*>(data), size}};
  const std::string unit = size % 2 == 0 ? "" : "inch";  // every second one is brought to it
  try {
    if (io::is_zip(source)) {
      const io::AssemblyData parts = io::read_three_mf(source, {kMost, 0.001, false, unit, ""});
      for (const MeshData& mesh : parts.meshes) check(mesh);
      for (const io::PartData& part : parts.parts) FUZZ_CHECK(part.mesh < parts.meshes.size());
    } else {
      io::ReadingBudget budget(source, kMost);
      io::ThreeMfModelReader reader(source, "model", budget, unit);
      const std::size_t half = size / 2;
      reader.feed(source.text().substr(0, half));
      reader.feed(source.text().substr(half));
      reader.finish();
      const io::ThreeMfModel model = reader.take();
      for (const auto& [id, object] : model.objects) {
        check(object.mesh);
        FUZZ_CHECK(object.mesh.triangles.size() <= size);
      }
    }
  } catch (const Error& error) {
    FUZZ_CHECK(error.what()[0] != '\0');
  }
  return 0;
}
