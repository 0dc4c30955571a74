// Fuzz target for one reader: any bytes give a valid model or an Error, and no count in a file creates more data than its bytes hold.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <graze/error.hpp>

#include "io/obj.hpp"
#include "io/off.hpp"
#include "io/ply.hpp"
#include "io/stl.hpp"

namespace graze::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline void check_reader(LoadedModel (*read)(const io::Source&), const std::uint8_t* bytes, std::size_t size) {
  const io::Source source{"input", {reinterpret_cast<const std::byte*>(bytes), size}};
  try {
    const LoadedModel model = read(source);
    const MeshData& data = model.data;
    require(data.vertices.size() <= size && data.triangles.size() <= size);
    for (const Vec3& v : data.vertices) {
      for (int axis = 0; axis < 3; ++axis) require(io::is_finite(v[axis]));
    }
    for (const TriangleIndices& t : data.triangles) {
      for (const std::uint32_t corner : t) require(corner < data.vertices.size());
    }
    std::size_t end = 0;
    for (const MeshPart& part : data.parts) {
      require(part.first >= end && part.count > 0);
      end = std::size_t{part.first} + part.count;
    }
    require(end <= data.triangles.size());
  } catch (const Error& error) {
    require(error.what()[0] != '\0');
  }
}

}  // namespace graze::fuzz

#define GRAZE_FUZZ_READER(reader)                                                      \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) { \
    graze::fuzz::check_reader(graze::io::reader, bytes, size);                         \
    return 0;                                                                          \
  }
