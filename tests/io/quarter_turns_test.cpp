// Rotations by quarter turns that files have rounded: each of the 24 with mirrors and scales, in matrices and quaternions, nested, and what is none.
#include "io/quarter_turns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <graze/assembly.hpp>
#include <graze/query.hpp>
#include <numbers>
#include <string>
#include <utility>

#include "support/glb_writer.hpp"
#include "support/random.hpp"
#include "support/reading.hpp"
#include "support/three_mf_writer.hpp"

namespace graze::io::quarter_turns_test {
namespace {

using Matrix = std::array<double, 9>;
using Quaternion = std::array<double, 4>;  // x, y, z, w

std::vector<Matrix> signed_permutations() {
  std::vector<Matrix> all;
  std::array<std::size_t, 3> row{0, 1, 2};
  do {
    for (int signs = 0; signs < 8; ++signs) {
      Matrix m{};
      for (std::size_t j = 0; j < 3; ++j) m[3 * row[j] + j] = (signs >> j & 1) != 0 ? -1 : 1;
      all.push_back(m);
    }
  } while (std::next_permutation(row.begin(), row.end()));
  return all;
}

double as_single(double x) { return static_cast<float>(x); }

std::shared_ptr<const LinearPath> matrix(const Matrix& m, const std::shared_ptr<const LinearPath>& outer = nullptr) { return below(outer, m, false); }
std::shared_ptr<const LinearPath> quaternion(const Quaternion& q, const std::shared_ptr<const LinearPath>& outer = nullptr, double scale = 1) {
  return below(outer, {q[0], q[1], q[2], q[3], scale, scale, scale}, true);
}
Quaternion about(const Vec3& axis, double degrees) {
  const double half = degrees * std::numbers::pi / 360, length = std::sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z), s = std::sin(half) / length;
  return {axis.x * s, axis.y * s, axis.z * s, std::cos(half)};
}
Quaternion single(Quaternion q) {
  for (double& x : q) x = as_single(x);
  return q;
}
Matrix rows_about_z(double degrees) {
  const double a = degrees * std::numbers::pi / 180;
  return {std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a), 0, 0, 0, 1};
}
Matrix times(Matrix m, double s) {
  for (double& x : m) x = x * s + 0.0;
  return m;
}

TEST(QuarterTurns, MatricesWithMirrorsAndScales) {
  test::Random random(1);
  for (const Matrix& exact : signed_permutations()) {
    for (const double scale : {1.0, 0.01, as_single(0.01), 1000.0, as_single(0.0254)}) {
      const Matrix expected = times(exact, scale);
      for (int i = 0; i < 20; ++i) {
        Matrix single_noise = expected, double_noise = expected, too_much = expected;
        for (std::size_t k = 0; k < 9; ++k) {
          if (exact[k] != 0) continue;
          const double noise = random.real(-1, 1) * scale;
          single_noise[k] = as_single(noise * 0x1p-22);
          double_noise[k] = noise * 0x1p-49;
          too_much[k] = (noise + std::copysign(scale * 0.01, noise)) * 0x1p-42;
        }
        if (as_single(scale) == scale) {
          const auto turn = quarter_turn_of(*matrix(single_noise), false);
          ASSERT_TRUE(turn);
          EXPECT_EQ(turn->linear, expected);
          EXPECT_LE(turn->angle, 0x1p-22);
        }
        const auto turn = quarter_turn_of(*matrix(double_noise), false);
        ASSERT_TRUE(turn);
        EXPECT_EQ(turn->linear, expected);
        EXPECT_FALSE(quarter_turn_of(*matrix(too_much), false));
        EXPECT_TRUE(quarter_turn_of(*matrix(too_much), true));
      }
    }
  }
}

TEST(QuarterTurns, QuaternionsOfAllRotations) {
  const double h = std::sqrt(0.5);
  std::size_t turns = 0;
  for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(1, 1, 0), Vec3(1, -1, 0), Vec3(1, 0, 1), Vec3(1, 0, -1), Vec3(0, 1, 1),
                           Vec3(0, 1, -1), Vec3(1, 1, 1), Vec3(1, 1, -1), Vec3(1, -1, 1), Vec3(-1, 1, 1)}) {
    const double all = std::fabs(axis.x) + std::fabs(axis.y) + std::fabs(axis.z), step = all == 1 ? 90 : all == 2 ? 180 : 120;
    for (double degrees = step; degrees < 360; degrees += step, ++turns) {
      const Quaternion q = about(axis, degrees);
      const auto turn = quarter_turn_of(*quaternion(q), false), of_single = quarter_turn_of(*quaternion(single(q)), false);
      ASSERT_TRUE(turn && of_single) << degrees;
      EXPECT_EQ(turn->linear, of_single->linear);
      for (const double x : turn->linear) EXPECT_TRUE(x == 0 || x == 1 || x == -1);
      const auto scaled = quarter_turn_of(*quaternion(single(q), nullptr, 0.01), true);
      ASSERT_TRUE(scaled);
      EXPECT_EQ(scaled->linear, times(turn->linear, 0.01)) << degrees;
    }
  }
  EXPECT_EQ(turns, 23u);
  for (const Quaternion& q : {Quaternion{0, 0, 0.70710683, 0.70710671}, Quaternion{0, 0, as_single(0.70710683), as_single(0.70710671)}, Quaternion{0, 0, h, h},
                              Quaternion{0, 0, 0.7071068, 0.7071067}, Quaternion{0, 0, 7, 7}}) {
    const auto turn = quarter_turn_of(*quaternion(q), false);
    ASSERT_TRUE(turn);
    EXPECT_EQ(turn->linear, (Matrix{0, -1, 0, 1, 0, 0, 0, 0, 1}));
  }
}

TEST(QuarterTurns, ProductsOfPaths) {
  const Vec3 z(0, 0, 1), diagonal(1, 1, 1);
  const Matrix quarter{0, -1, 0, 1, 0, 0, 0, 0, 1}, third{0, 0, 1, 1, 0, 0, 0, 1, 0};
  for (const bool in_single : {false, true}) {
    const auto q = [&](const Vec3& axis, double degrees, const std::shared_ptr<const LinearPath>& outer = nullptr) {
      return quaternion(in_single ? single(about(axis, degrees)) : about(axis, degrees), outer);
    };
    for (const auto& [path, expected] : {std::pair{q(z, 45, q(z, 45)), quarter},
                                         {q(z, 30, q(z, 60)), quarter},
                                         {q(z, 53, q(z, 37)), quarter},
                                         {q(diagonal, 40, q(diagonal, 40, q(diagonal, 40))), third}}) {
      const auto turn = quarter_turn_of(*path, false);
      ASSERT_TRUE(turn) << in_single;
      EXPECT_EQ(turn->linear, expected);
    }
    EXPECT_FALSE(quarter_turn_of(*q(z, 90, q(z, 37)), false));
  }
  auto path = quaternion(about(z, 90));
  for (int i = 0; i < 3; ++i) path = matrix(times({1, 0, 0, 0, 1, 0, 0, 0, 1}, 0.1), path);
  const auto scaled = quarter_turn_of(*path, false);
  ASSERT_TRUE(scaled);
  EXPECT_NEAR(scaled->linear[3], 0.001, 1e-18);
  EXPECT_EQ(scaled->linear[3], -scaled->linear[1]);
  EXPECT_EQ(scaled->linear[3], scaled->linear[8]);
  for (std::uint32_t i = 0; i < 2 * LinearPath::kDeepest; ++i) path = quaternion(about(z, 360), path);
  EXPECT_FALSE(quarter_turn_of(*path, false));  // too deep
}

TEST(QuarterTurns, OtherRotationsStay) {
  EXPECT_FALSE(quarter_turn_of(*matrix(rows_about_z(90.0000001)), false));
  EXPECT_FALSE(quarter_turn_of(*quaternion(about(Vec3(0, 0, 1), 90.0000001)), false));
  EXPECT_FALSE(quarter_turn_of(*matrix(rows_about_z(90 + 2e-5)), true));
  EXPECT_TRUE(quarter_turn_of(*matrix(rows_about_z(270)), false));
  EXPECT_FALSE(quarter_turn_of(*matrix({0, 0, 0, 0, 0, 0, 0, 0, 0}), true));
  EXPECT_FALSE(quarter_turn_of(*matrix({1, 1, 0, 0, 0, 0, 0, 0, 1}), true));  // two axes on one
  EXPECT_FALSE(quarter_turn_of(*matrix({1, 0, 0, 0, 0, 0, 0, 0, 1}), true));
  const auto stretched = quarter_turn_of(*matrix({0, -3, 1e-17, 2, 0, 0, 0, 0, 0.1}), false);
  ASSERT_TRUE(stretched);
  EXPECT_EQ(stretched->linear, (Matrix{0, -3, 0, 2, 0, 0, 0, 0, 0.1}));
}

/// Two unit boxes that share a face: the first as it is, the second below the nodes.
std::string two_boxes(const std::string& inner, const std::string& outer = "") {
  test::GlbWriter glb;
  const std::string box = std::to_string(glb.box({0, 0, 0}, {1, 1, 1}));
  glb.node(R"("name":"a","mesh":)" + box);
  glb.node(R"("name":"b","mesh":)" + box + "," + inner);
  if (outer.empty()) return glb.file(R"("scenes":[{"nodes":[0,1]}])");
  glb.node(R"("name":"above","children":[1],)" + outer);
  return glb.file(R"("scenes":[{"nodes":[0,2]}])");
}

Relation relation_of(const Assembly& a) {
  const auto part = [&](std::size_t i) { return solid(a.meshes[a.parts[i].mesh]); };
  const Solid x = part(0), y = part(1);
  return relation(at(x, a.parts[0].pose), at(y, a.parts[1].pose));
}

TEST(QuarterTurns, FilesOfBoxesThatTouch) {
  const std::string touching[] = {
      two_boxes(R"("rotation":[0,0,0.70710683,0.70710671],"translation":[2,0,0])"),
      two_boxes(R"("rotation":[0,0,1,6.123233995736766e-17],"translation":[2,1,0])"),
      two_boxes(R"("matrix":[-4.371139e-08,1,0,0,-1,-4.371139e-08,0,0,0,0,1,0,2,0,0,1])"),
      two_boxes(R"("rotation":[0,0,0.3826834261417389,0.9238795042037964])", R"("rotation":[0,0,0.3826834261417389,0.9238795042037964],"translation":[2,0,0])"),
      two_boxes(R"("rotation":[0.5,0.5,0.50000006,0.49999994],"translation":[1,0,0])")};
  for (const std::string& file : touching) {
    const Assembly a = test::load_parts(file, "m.glb");
    EXPECT_EQ(relation_of(a), Relation::touching);
    ASSERT_EQ(a.notes.size(), 1u);
    EXPECT_NE(a.notes[0].find("b') with a rotation within rounding of quarter turns is turned exactly"), std::string::npos) << a.notes[0];
    AssemblyOptions literal;
    literal.literal = true;
    const Assembly as_is = test::load_parts(file, "m.glb", literal);
    EXPECT_NE(relation_of(as_is), Relation::touching);
    EXPECT_TRUE(as_is.notes.empty());
    const LoadedModel whole = test::load_text(file, "m.glb");
    EXPECT_EQ(whole.notes, a.notes);
    for (const Vec3& v : whole.data.vertices)
      for (int i = 0; i < 3; ++i) EXPECT_EQ(v[i], std::round(v[i]));
  }
  const Assembly oblique = test::load_parts(
      two_boxes(R"("rotation":[0,0,0.70710683,0.70710671])", R"("rotation":[0,0,0.31730465640509214,0.9483236552061993],"translation":[2,0,0])"), "m.glb");
  ASSERT_EQ(oblique.notes.size(), 1u);
  EXPECT_NE(oblique.notes[0].find("1 part has a rounded quarter turn below or above another rotation"), std::string::npos) << oblique.notes[0];
}

TEST(QuarterTurns, MirroredPartsFaceOutward) {
  const Assembly a = test::load_parts(two_boxes(R"("matrix":[-4.371139e-08,1,0,0,1,-4.371139e-08,0,0,0,0,1,0,1,0,0,1])"), "m.glb");
  EXPECT_EQ(relation_of(a), Relation::touching);
  EXPECT_GT(signed_volume(solid(a.meshes[a.parts[1].mesh])), 0.999);
}

TEST(QuarterTurns, TransformsOfPackages) {
  const auto box = [](const std::string& transform) {
    return test::three_mf_of(test::model_file(test::object(1), test::item(1) + test::item(1, "transform=\"" + transform + "\"")));
  };
  const Assembly a = test::load_parts(box("-4.37113883e-08 1 0 -1 -4.37113883e-08 0 0 0 1 0 0 0"), "m.3mf");
  EXPECT_EQ(relation_of(a), Relation::touching);
  EXPECT_EQ(a.notes.size(), 1u);
}

}  // namespace
}  // namespace graze::io::quarter_turns_test
