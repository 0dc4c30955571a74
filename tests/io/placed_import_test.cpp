// The records of helpers that send placed parts are read like an untrusted file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <graze/error.hpp>
#include <limits>
#include <string>

#include "io/placed_import.hpp"
#include "support/import_helper.hpp"
#include "support/memory_records.hpp"
#include "support/random.hpp"

namespace graze::placed_import_test {
namespace {

using test::raw;
using test::record;

std::string place(std::uint32_t mesh, const std::string& name, const std::string& id = "", double x = 0) {
  return record("PLAC", raw<std::uint32_t>({mesh, static_cast<std::uint32_t>(name.size())}) + raw<double>({1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 0}) + name + id);
}

const std::string kStart = record("GRZ1"), kDone = record("DONE");
const std::string kTriangle = record("MESH") + record("VERT", raw<double>({0, 0, 0, 1, 0, 0, 0, 1, 0})) + record("TRIA", raw<std::uint32_t>({0, 1, 2}));

io::AssemblyData read(const std::string& bytes) {
  const io::Source source{"m", {}};
  test::MemoryRecords records(source, bytes);
  return io::read_placed(records, source);
}

std::string error_of(const std::string& bytes) {
  try {
    (void)read(bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(PlacedImport, MeshesAndParts) {
  const io::AssemblyData a = read(kStart + record("FORM", "step") + record("UNIT", "inch") + record("UPAX", "z") + record("SNGL") + record("NOTE", "n") +
                                  kTriangle + place(0, "a", "id", 5) + record("MESH") + place(0, "a") + place(1, "empty") + kDone);
  ASSERT_EQ(a.parts.size(), 2u);
  EXPECT_EQ(a.parts[0].name, "a");
  EXPECT_EQ(a.parts[0].id, "id");
  EXPECT_EQ(a.parts[0].transform.translation, Vec3(5, 0, 0));
  EXPECT_EQ(a.parts[1].name, "a#2");
  EXPECT_EQ(a.parts[1].mesh, 0u);
  EXPECT_EQ(a.format + a.unit + a.up_axis + a.notes.at(0), "stepinchzn");
  EXPECT_TRUE(a.single_precision);
}

TEST(PlacedImport, PartsAreNamedByTheirParents) {
  const auto into = [](std::uint32_t folder) { return record("INTO", raw<std::uint32_t>({folder})); };
  const io::AssemblyData a = read(kStart + kTriangle + record("FOLD", "floor") + into(1) + place(0, "pipe") + record("FOLD", "room") + into(2) +
                                  place(0, "pipe") + place(0, "pipe") + into(0) + place(0, "floor") + into(1) + place(0, "pipe") + kDone);
  std::string names;
  for (const io::PartData& part : a.parts) names += part.name + " ";
  EXPECT_EQ(names, "floor/pipe floor/room/pipe floor/room/pipe#2 floor floor/pipe#2 ");
  EXPECT_EQ(a.shortened, 0u);

  // Parents of parents of ...: the paths take no memory in proportion to the square of the depth.
  std::string deep = kStart + kTriangle;
  for (std::uint32_t i = 1; i <= 20000; ++i) deep += record("FOLD", "node") + into(i) + place(0, "part", i == 20000 ? "2O2Fr$t4X7Zf8NOew3FLOH" : "");
  const io::AssemblyData chain = read(deep + kDone);
  ASSERT_EQ(chain.parts.size(), 20000u);
  std::size_t bytes = 0;
  for (const io::PartData& part : chain.parts) bytes += part.name.size();
  EXPECT_LT(bytes, 4000000u);
  EXPECT_EQ(chain.shortened, 20000u - 199);
  EXPECT_EQ(chain.parts.back().id, "2O2Fr$t4X7Zf8NOew3FLOH");
}

TEST(PlacedImport, InvalidRecords) {
  EXPECT_EQ(error_of(record("GRZ2")), "m: the answer of helper does not start with its version");
  EXPECT_EQ(error_of(kStart + record("WHAT") + kDone), "m: the answer of helper has an unknown record 'WHAT'");
  EXPECT_EQ(error_of(kStart + record("VERT") + kDone), "m: the answer of helper has a mesh without a beginning");
  EXPECT_EQ(error_of(kStart + record("MESH") + record("VERT", std::string(23, 'x'))), "m: the answer of helper has vertices of 23 bytes");
  EXPECT_EQ(error_of(kStart + record("MESH") + record("TRIA", std::string(11, 'x'))), "m: the answer of helper has triangles of 11 bytes");
  EXPECT_EQ(error_of(kStart + record("MESH") + record("TRIA", raw<std::uint32_t>({0, 1, 2}))), "m: mesh 0: triangle 0 uses vertex 0 of 0");
  EXPECT_EQ(error_of(kStart + record("MESH") + record("VERT", raw<double>({0, 0, std::numeric_limits<double>::quiet_NaN()}))),
            "m: mesh 0: vertex 0 is NaN or infinite");
  EXPECT_EQ(error_of(kStart + kTriangle + place(1, "a")), "m: the answer of helper has a part with mesh 1 of 1");
  EXPECT_EQ(error_of(kStart + kTriangle + place(0, "a", "", std::numeric_limits<double>::infinity())), "m: part 'a': its transform has NaN or infinity");
  EXPECT_EQ(error_of(kStart + record("PLAC", std::string(20, 'x'))), "m: the answer of helper has a part of 20 bytes");
  EXPECT_EQ(error_of(kStart + record("PLAC", std::string(100000, 'x'))), "m: the answer of helper has a part of 100000 bytes");
  EXPECT_EQ(error_of(kStart + kTriangle + record("PLAC", raw<std::uint32_t>({0, 2}) + std::string(96, '\0') + "a")),
            "m: the answer of helper has a part with a name of 2 bytes");
  EXPECT_EQ(error_of(kStart + record("INTO", "x")), "m: the answer of helper has the number of a parent in 1 bytes");
  EXPECT_EQ(error_of(kStart + record("FOLD", "a") + record("INTO", raw<std::uint32_t>({2}))), "m: the answer of helper has parent 2 of 1");
  EXPECT_EQ(error_of(kStart + record("FAIL", "no good")), "m: no good");
  EXPECT_EQ(error_of(kStart + kTriangle), "m: the answer ends early");
}

TEST(PlacedImport, MutationsAreReadOrRefused) {
  const std::string good = kStart + record("FORM", "ifc") + kTriangle + place(0, "a", "id") + kTriangle + place(1, "b") + kDone;
  ASSERT_EQ(error_of(good), "");
  test::Random random(7);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string mutated = good;
    for (int k = 0; k < 2; ++k) mutated[random.below(mutated.size())] = static_cast<char>(random.bits());
    try {
      const io::AssemblyData a = read(mutated);
      for (const io::PartData& p : a.parts) ASSERT_LT(p.mesh, a.meshes.size());
      for (const MeshData& m : a.meshes)
        for (const TriangleIndices& t : m.triangles) ASSERT_LT(std::max({t[0], t[1], t[2]}), m.vertices.size());
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 5000);
}

}  // namespace
}  // namespace graze::placed_import_test
