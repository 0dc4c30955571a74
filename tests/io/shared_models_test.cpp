// Real-world models: counts against the table that comes with them, and every file of the scenes loads. Skipped if the files are absent.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "support/paths.hpp"
#include "support/reading.hpp"

namespace graze::shared_models_test {
namespace {

namespace fs = std::filesystem;

TEST(SharedModels, CountsMatchTheTable) {
  const fs::path folder = test::shared_data() / "meshes";
  std::ifstream table(folder / "README.md");
  if (!table) GTEST_SKIP() << "no shared meshes";
  std::size_t compared = 0;
  for (std::string line; std::getline(table, line);) {
    std::istringstream cells(line);
    std::string bar, file;
    std::size_t vertices, triangles, polygons;
    if (!(cells >> bar >> file >> bar >> vertices >> bar >> triangles >> bar >> polygons) || !file.ends_with(".obj")) continue;
    const fs::path path = fs::exists(folder / file) ? folder / file : folder / "box3d" / file;
    const LoadedModel m = load_model(path.string());
    EXPECT_EQ(m.data.vertices.size(), vertices) << file;
    EXPECT_EQ(m.data.triangles.size(), triangles) << file;
    EXPECT_EQ(m.polygons, polygons) << file;
    EXPECT_TRUE(m.notes.empty()) << file << '\n' << test::join(m.notes);
    ++compared;
  }
  EXPECT_EQ(compared, 22u);
}

TEST(SharedModels, EveryNativeFormatOfTheScenesLoads) {
  const fs::path folder = test::shared_data() / "scenes";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "no shared scenes";
  const std::set<std::string> endings = {".obj", ".stl", ".STL", ".ply", ".off"};
  std::size_t read = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!endings.contains(entry.path().extension().string())) continue;
    const LoadedModel m = load_model(entry.path().string());
    EXPECT_GT(m.data.triangles.size(), 0u) << entry.path();
    EXPECT_TRUE(m.notes.empty()) << entry.path() << '\n' << test::join(m.notes);
    if (m.format == "stl (binary)") {
      EXPECT_EQ(84 + 50 * m.data.triangles.size(), entry.file_size()) << entry.path();
    }
    for (const TriangleIndices& t : m.data.triangles) {
      for (const std::uint32_t corner : t) ASSERT_LT(corner, m.data.vertices.size());
    }
    ++read;
  }
  EXPECT_GT(read, 90u);
}

}  // namespace
}  // namespace graze::shared_models_test
