// What is drawn of round shapes, and how much of it: balls are cast in the fragment shader, and must look like their triangles wherever they are.
#include "viewer/renderer.hpp"
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include "scene_file/scene_file.hpp"
#include "viewer/offscreen.hpp"
#include "viewer/open.hpp"

namespace graze::view {
namespace {

class Drawing : public testing::Test {
 protected:
  static constexpr int kWide = 640, kHigh = 400;
  void SetUp() override {
    try {
      surface_.emplace(kWide, kHigh);
    } catch (const NoGraphics& e) {
      GTEST_SKIP() << e.what();
    }
  }
  Image draw(const Picture& picture) { return surface_->draw(picture); }
  const DrawCounts& counts() const { return surface_->counts(); }

 private:
  std::optional<Offscreen> surface_;
};

Part part_of(const AnyShape& shape, Color color, float opacity = 1) {
  Picture one;
  Look look;
  look.color = color;
  look.opacity = opacity;
  add_shape(one, shape, Pose{}, look);
  return one.parts.at(0);
}

Camera looking(const Vec3& eye, const Vec3& target) { return Camera{eye, target, Vec3(0, 0, 1), 0.7, 0}; }

/// The same with triangles instead of balls.
Picture in_triangles(Picture picture) {
  for (Part& part : picture.parts) {
    const auto surface = std::make_shared<Surface>(*part.surface);
    surface->ball = 0;
    part.surface = surface;
  }
  return picture;
}

/// The number of pixels that differ by more than half of the samples on an outline, and the mean difference of all.
struct Difference {
  int pixels = 0;
  double mean = 0;
};
Difference difference(const Image& a, const Image& b) {
  Difference d;
  for (std::size_t i = 0; i + 2 < a.rgb.size(); i += 3) {
    int most = 0;
    for (std::size_t k = 0; k < 3; ++k) most = std::max(most, std::abs(int{a.rgb[i + k]} - int{b.rgb[i + k]}));
    d.pixels += most > 120;
    d.mean += most;
  }
  d.mean /= static_cast<double>(a.rgb.size()) / 3;
  return d;
}

int other_than(const Image& image, Color paper) {
  int n = 0;
  for (std::size_t i = 0; i + 2 < image.rgb.size(); i += 3) n += image.rgb[i] != paper.r || image.rgb[i + 1] != paper.g || image.rgb[i + 2] != paper.b;
  return n;
}

TEST_F(Drawing, ThousandsOfBallsAreTwoTrianglesEach) {
  const auto demo = make_scene_demo(scene_file::load_scene("room"));
  demo->one_step();
  const Picture picture = demo->picture();
  ASSERT_GT(picture.parts.size(), 5000u);
  draw(picture);
  EXPECT_LT(counts().triangles, 20000u);  // with rock, room and the marks of impacts
  EXPECT_LT(counts().calls, 30u);
}

TEST_F(Drawing, SmallRoundShapesHaveFewTriangles) {
  for (const auto& demo : demos()) {
    if (demo.name != std::string("broad-phase")) continue;
    const auto made = demo.make();
    const Picture picture = made->picture();
    ASSERT_GT(picture.parts.size(), 600u);
    draw(picture);
    EXPECT_LT(counts().triangles, 200000u);  // a capsule seen from near has 4,352
  }
}

TEST_F(Drawing, FewerSidesLookTheSame) {
  const AnyShape shapes[] = {Capsule{{0, 0, -0.4}, {0, 0.3, 0.2}, 0.3}, Ellipsoid{{0, 0, 0}, {0.7, 0.2, 0.4}}, Cylinder{{0, 0, -0.3}, {0.1, 0, 0.4}, 0.3},
                             Cone{{0, 0, -0.3}, {0, 0, 0.5}, 0.4}};
  for (const double away : {6.0, 20.0, 60.0, 200.0})
    for (const AnyShape& shape : shapes) {
      Picture picture;
      picture.parts.push_back(part_of(shape, kOrange));
      picture.camera = looking(Vec3(0, -away, away / 3), Vec3(0, 0, 0));
      const Image few = draw(picture);
      const std::size_t triangles = counts().triangles;
      const auto full = std::make_shared<Surface>(*picture.parts[0].surface);
      full->simpler = nullptr;
      picture.parts[0].surface = full;
      const Image all = draw(picture);
      EXPECT_LE(triangles, counts().triangles);
      if (away >= 60) {
        EXPECT_LT(triangles, counts().triangles / 4);
      }
      EXPECT_LT(difference(few, all).pixels, 4) << away;
      EXPECT_GT(other_than(all, picture.background), 0) << away;
    }
}

// The area that a ball covers is that of its outline, from less than a pixel to most of the picture.
TEST_F(Drawing, BallsAreRoundAtAllSizes) {
  for (const double away : {1.6, 3.0, 10.0, 40.0, 150.0, 500.0}) {
    Picture picture;
    picture.parts.push_back(part_of(Sphere{{0, 0, 0}, 0.5}, kBlack));
    picture.parts[0].lit = false;
    picture.camera = looking(Vec3(0, -away, 0), Vec3(0, 0, 0));
    const Image image = draw(picture);
    const double radius = kHigh / 2.0 / std::tan(0.35) * std::tan(std::asin(0.5 / away));  // in pixels
    double covered = 0;
    int off = 0;  // pixels away from the outline that are on its wrong side
    for (int y = 0; y < kHigh; ++y)
      for (int x = 0; x < kWide; ++x) {
        const double ink = 1 - image.rgb[static_cast<std::size_t>(y * kWide + x) * 3] / static_cast<double>(picture.background.r);
        const double from_middle = std::hypot(x + 0.5 - kWide / 2.0, y + 0.5 - kHigh / 2.0);
        covered += ink;
        off += (from_middle < radius - 0.9 && ink < 0.99) || (from_middle > radius + 0.9 && ink > 0.01);
      }
    if (radius < kHigh / 2.0) {
      const double area = std::numbers::pi * radius * radius;
      EXPECT_NEAR(covered, area, 1.2 + 0.3 * std::numbers::pi * radius) << away;  // 0.15 pixels of radius: a pixel has only a few samples
    }
    EXPECT_EQ(off, 0) << away;
  }
}

TEST_F(Drawing, BallsLookLikeTheirTriangles) {
  const Sphere ball{{0.2, 0.1, 0.3}, 0.5};
  const Part box = part_of(Box{{-0.6, -0.6, -0.6}, {0.3, 0.2, 0.35}}, kStone);
  const auto compare = [&](const char* what, const Picture& picture) {
    SCOPED_TRACE(what);
    const Difference d = difference(draw(picture), draw(in_triangles(picture)));
    EXPECT_LT(d.pixels, 12);
    EXPECT_LT(d.mean, 0.8);
  };
  for (const Vec3& eye : {Vec3(0, -4, 1), Vec3(1.5, -1.2, 0.4), Vec3(-3, 2, 5)}) {
    Picture picture;
    picture.camera = looking(eye, Vec3(0.3, 0.1, 0));  // the ball is not in the middle
    picture.parts = {part_of(ball, kSkyBlue), box};
    compare("opaque", picture);
    picture.parts[0].lit = false;
    compare("unlit", picture);
    picture.parts[0] = part_of(ball, kSkyBlue, 0.4f);
    compare("glass", picture);
    picture.parts[0].shell = true;
    compare("shell", picture);
  }
  Picture inside;
  inside.camera = looking(Vec3(0.2, 0.1, 0.2), Vec3(3, 0.1, 0.2));
  inside.parts = {part_of(ball, kSkyBlue), box, part_of(Sphere{{9, 0, 0}, 1}, kOrange)};
  compare("from inside", inside);
  inside.parts[0] = part_of(ball, kSkyBlue, 0.4f);
  compare("from inside, glass", inside);
  inside.camera = looking(Vec3(0.2, -0.65, 0.3), Vec3(1, 0.1, 0.3));
  inside.parts[0] = part_of(ball, kSkyBlue);
  compare("close to it, beside the eye", inside);
  inside.camera = looking(Vec3(0.2, 4, 0.3), Vec3(0.2, 9, 0.3));
  compare("behind the eye", inside);
  const Vec3 far(3e6, -2e6, 5e6);
  Picture distant;
  distant.camera = looking(far + Vec3(0, -4, 1), far);
  distant.parts = {part_of(Sphere{far, 0.5}, kSkyBlue)};
  compare("far from the origin", distant);
}

// A ball that is shown through others is faint where a wall hides it, and as usual where only its own front hides its back.
TEST_F(Drawing, BallsBehindAWallAreFaint) {
  Picture picture;
  picture.camera = looking(Vec3(0, -4, 0), Vec3(0, 0, 0));
  picture.parts = {part_of(Sphere{{0, 0, 0}, 0.5}, kOrange)};
  const auto middle = [&](const Image& image) { return int{image.rgb[static_cast<std::size_t>(kHigh / 2 * kWide + kWide / 2) * 3]}; };
  const int plain = middle(draw(picture));
  picture.parts[0].through = true;
  EXPECT_EQ(middle(draw(picture)), plain);
  picture.parts.push_back(part_of(Box{{-2, -1.2, -2}, {2, -1, 2}}, kBlue));
  const int faint = middle(draw(picture));
  picture.parts[0].through = false;
  const int wall = middle(draw(picture));
  EXPECT_GT(faint, wall + 20);
  EXPECT_LT(faint, plain - 20);
}

}  // namespace
}  // namespace graze::view
