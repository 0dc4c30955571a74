// Shapes that a file repeats: shared meshes, placed vertices that stay the same bits, and shapes that are only nearly equal.
#include "io/repeated_meshes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <graze/assembly.hpp>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/glb_writer.hpp"
#include "support/random.hpp"
#include "support/reading.hpp"

namespace graze::io::repeated_meshes_test {
namespace {

MeshData pyramid(const Vec3& at, double height = 2) {
  return {{at, at + Vec3(1, 0, 0), at + Vec3(0, 1, 0), at + Vec3(0, 0, height)}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}, {}};
}

// A part for each mesh, and further ones.
PlacedParts placed(std::vector<MeshData> meshes, const std::vector<std::pair<std::uint32_t, Pose>>& more = {}) {
  PlacedParts out;
  out.meshes = std::move(meshes);
  for (std::uint32_t i = 0; i < out.meshes.size(); ++i) out.parts.push_back({std::to_string(i), "", i, {}});
  for (const auto& [mesh, pose] : more) out.parts.push_back({"more", "", mesh, pose});
  return out;
}

std::vector<std::vector<Vec3>> world(const PlacedParts& p) {
  std::vector<std::vector<Vec3>> out;
  for (const AssemblyPart& part : p.parts) {
    out.emplace_back();
    for (const Vec3& v : p.meshes[part.mesh].vertices) out.back().push_back(part.pose.apply(v));
  }
  return out;
}

// The numbers of the parts' meshes after sharing, which must change no placed vertex.
std::vector<std::uint32_t> numbers(PlacedParts p) {
  const auto before = world(p);
  share_repeated_meshes(p);
  EXPECT_EQ(world(p), before);
  std::vector<std::uint32_t> out;
  for (const AssemblyPart& part : p.parts) out.push_back(part.mesh);
  return out;
}
using Numbers = std::vector<std::uint32_t>;

TEST(RepeatedMeshes, CopiesInWorldCoordinatesAreOne) {
  EXPECT_EQ(numbers(placed({pyramid({1, 2, 3}), pyramid({5, 5, 5}, 3), pyramid({1e6, -4.5, 0}), pyramid({5.25, 5, 5}, 3)})), (Numbers{0, 1, 0, 1}));
}

TEST(RepeatedMeshes, TurnedAndFarPartsKeepTheirVertices) {
  Pose turned = Pose::from_quaternion(1, 2, 3, 4);
  turned.translation = Vec3(0.1, 0.2, 0.3);
  // The first two are equal as they stand. The third could only be moved to them by rounding otherwise.
  EXPECT_EQ(numbers(placed({pyramid({1, 2, 3}), pyramid({1, 2, 3}), pyramid({1.5, 2, 3})}, {{0, turned}, {1, turned}, {2, turned}})),
            (Numbers{0, 0, 1, 0, 0, 1}));
  EXPECT_EQ(numbers(placed({pyramid({1, 2, 3}), pyramid({2, 2, 3})}, {{0, Pose::quarter_turn(Axis::x, 1, Vec3(7, 0, 0))}})), (Numbers{0, 0, 0}));
}

TEST(RepeatedMeshes, NearlyEqualIsNotEqual) {
  MeshData other = pyramid({0, 0, 0});
  other.vertices[3].z = std::nextafter(2.0, 3);
  MeshData wound = pyramid({0, 0, 0});
  std::swap(wound.triangles[0], wound.triangles[1]);
  MeshData marked = pyramid({0, 0, 0});
  marked.user = {1, 2, 3, 4};
  EXPECT_EQ(numbers(placed({pyramid({0, 0, 0}), other, wound, marked, pyramid({3, 3, 3})})), (Numbers{0, 1, 2, 3, 0}));
}

TEST(RepeatedMeshes, OddMeshes) {
  MeshData none, bad = pyramid({0, 0, 0});
  bad.vertices[1].y = std::numeric_limits<double>::quiet_NaN();
  PlacedParts p = placed({none, none, bad, bad});
  share_repeated_meshes(p);  // refused later, with the name of the part
  EXPECT_EQ(p.parts[3].mesh, p.meshes.size() - 1);
  EXPECT_EQ(numbers(placed({})), Numbers{});
}

TEST(RepeatedMeshes, RandomShapesAndPlaces) {
  test::Random r(4);
  for (int round = 0; round < 300; ++round) {
    std::vector<MeshData> meshes;
    std::vector<std::pair<std::uint32_t, Pose>> more;
    for (std::uint32_t i = 0; i < 8; ++i) {
      const double grid = round % 3 == 0 ? 1 : round % 3 == 1 ? 0.1 : 1e-9;
      const Vec3 at(grid * r.integer(-3, 3), grid * r.integer(-3, 3), 0);
      meshes.push_back(pyramid(at, r.integer(1, 2)));
      Pose pose = r.integer(0, 1) == 0 ? Pose::quarter_turn(Axis::z, r.integer(0, 3)) : Pose::from_quaternion(r.integer(1, 3), 1, 0, 0);
      pose.translation = r.integer(0, 1) == 0 ? r.point(-10, 10) : r.grid(-10, 10);
      if (r.integer(0, 2) == 0) more.push_back({i, pose});
    }
    const Numbers after = numbers(placed(meshes, more));
    if (round % 3 == 0 && more.empty()) {
      EXPECT_LE(*std::max_element(after.begin(), after.end()), 1u);
    }
  }
}

TEST(RepeatedMeshes, FilesWithCopies) {
  std::string obj;
  for (int i = 0; i < 3; ++i) {
    obj += "o p" + std::to_string(i) + "\n";
    for (const char* v : {"0 0", "1 0", "0 1"}) obj += "v " + std::to_string(10 * i) + " " + v + "\n";
    obj += "f -3 -2 -1\n";
  }
  const Assembly a = test::load_parts(obj, "m.obj");
  ASSERT_EQ(a.parts.size(), 3u);
  EXPECT_EQ(a.meshes.size(), 1u);
  EXPECT_EQ(a.parts[2].pose.apply(a.meshes[0].vertices()[1]), Vec3(20, 1, 0));
  test::GlbWriter w;
  for (int i = 0; i < 4; ++i)
    w.node(R"("translation":[0.1,)" + std::to_string(i) + R"(,0.7],"rotation":[0,0.6,0,0.8],"mesh":)" + std::to_string(w.box({0, 0, 0}, {1, 2, 3})));
  EXPECT_EQ(test::load_parts(w.file(), "m.glb").meshes.size(), 1u);
}

}  // namespace
}  // namespace graze::io::repeated_meshes_test
