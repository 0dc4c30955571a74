// Rows of robots: a chain of meshes (touching pairs, any contact, least distance), and the postures of a chain of balls.
#include <fcl/fcl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <graze/graze.hpp>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bench/posture_inputs.hpp"
#include "bench/random.hpp"
#include "bench/scene_rows.hpp"

namespace bench {
namespace {

// ---- a robot -----------------------------------------------------------------------------------------------------------------------------

/// Whether any pair touches in each of the postures, in one call.
void contest_postures(const std::string& name, const Scene& scene, const std::vector<MemberId>& ids, const std::vector<Posture>& postures,
                      const PairsOptions& options, const std::vector<double>& truth) {
  auto poses = std::make_shared<std::vector<Pose>>();
  for (const Posture& p : postures) poses->insert(poses->end(), p.begin(), p.end());
  auto batch = std::make_shared<Postures>(scene, ids, options);
  auto out = std::make_shared<std::vector<std::uint8_t>>(postures.size());
  contest(name + "Graze batch", 1, postures.size(),
          [=](std::size_t) {
            batch->touching(*poses, *out);
            return static_cast<double>(std::count(out->begin(), out->end(), 1));
          },
          {std::accumulate(truth.begin(), truth.end(), 0.0)});
}

struct FclRobot {
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> links;
  std::vector<fcl::CollisionObjectd*> all;
  fcl::DynamicAABBTreeCollisionManagerd manager;
  std::size_t touching = 0;
  bool first_only = false;
  double least = 0;

  explicit FclRobot(const MeshData& mesh) {
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (const Vec3& v : mesh.vertices) vertices.emplace_back(v.x, v.y, v.z);
    for (const TriangleIndices& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
    model->addSubModel(vertices, triangles);
    model->endModel();
    for (std::size_t i = 0; i < kLinks; ++i) links.push_back(std::make_unique<fcl::CollisionObjectd>(model)), all.push_back(links.back().get());
    manager.registerObjects(all);
    manager.setup();
  }
  void move(const Posture& posture) {
    for (std::size_t i = 0; i < kLinks; ++i) {
      links[i]->setTransform(fcl_transform(posture[i]));
      links[i]->computeAABB();
    }
    manager.update();
  }
  std::size_t pairs(const Posture& posture, bool any) {
    move(posture);
    touching = 0;
    first_only = any;
    manager.collide(this, [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
      FclRobot& self = *static_cast<FclRobot*>(data);
      fcl::CollisionResultd result;
      fcl::collide(a, b, fcl::CollisionRequestd(1, false), result);
      self.touching += result.isCollision();
      return self.first_only && self.touching > 0;
    });
    return touching;
  }
  double distance(const Posture& posture) {
    move(posture);
    least = std::numeric_limits<double>::infinity();
    manager.distance(this, [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data, double& bound) {
      FclRobot& self = *static_cast<FclRobot*>(data);
      fcl::DistanceRequestd request;
      fcl::DistanceResultd result;
      self.least = std::min(self.least, std::max(0.0, fcl::distance(a, b, request, result)));
      bound = self.least;
      return self.least <= 0;
    });
    return least;
  }
};

}  // namespace

void register_robots(bool quick) {
  const MeshData data = tube(69, 36);  // 5,040 triangles
  const Mesh mesh(data);
  const std::size_t count = quick ? 4 : 64;
  for (const auto& [input, most, want] : {std::tuple("8 touch", 2.6, 8u), std::tuple("3 touch", 1.9, 3u), std::tuple("0 touch", .25, 0u)}) {
    auto scene = std::make_shared<Scene>();
    auto ids = std::make_shared<std::vector<MemberId>>();
    for (std::size_t i = 0; i < kLinks; ++i) ids->push_back(scene->add(mesh));
    // Random postures with about the wanted number of touching pairs.
    auto postures = std::make_shared<std::vector<Posture>>();
    Random random(77);
    double sum = 0;
    while (postures->size() < count) {
      Posture p = chain(random, most);
      scene->move(*ids, p);
      const std::size_t touching = scene->pairs({.witnesses = false}).size();
      if (touching > want + want / 4 || touching + want / 4 < want) continue;
      sum += static_cast<double>(touching);
      postures->push_back(std::move(p));
    }
    std::fprintf(stderr, "robot, %s: %.2f touching pairs a posture\n", input, sum / static_cast<double>(count));
    auto robot = std::make_shared<FclRobot>(data);
    const auto all = [=](std::size_t i) {
      scene->move(*ids, (*postures)[i]);
      return static_cast<double>(scene->pairs({.witnesses = false}).size());
    };
    const std::string in = std::string(", ") + input + "/20 links/";
    const auto all_truth = all_of(count, all);
    contest("robot pairs" + in + "Graze", count, 1, all, all_truth);
    contest(
        "robot pairs" + in + "FCL", count, 1, [=](std::size_t i) { return static_cast<double>(robot->pairs((*postures)[i], false)); }, all_truth);
    const auto any = [=](std::size_t i) {
      scene->move(*ids, (*postures)[i]);
      return static_cast<double>(scene->any_pair({.witnesses = false}).has_value());
    };
    const auto any_truth = all_of(count, any);
    contest("robot any pair" + in + "Graze", count, 1, any, any_truth);
    contest_postures("robot any pair" + in, *scene, *ids, *postures, {}, any_truth);
    contest(
        "robot any pair" + in + "FCL", count, 1, [=](std::size_t i) { return static_cast<double>(robot->pairs((*postures)[i], true) > 0); }, any_truth);
    const auto least = [=](std::size_t i) {
      scene->move(*ids, (*postures)[i]);
      return scene->least_distance({.witnesses = false})->distance;
    };
    const auto least_truth = all_of(count, least);
    contest("robot distance" + in + "Graze", count, 1, least, least_truth);
    contest(
        "robot distance" + in + "FCL", count, 1, [=](std::size_t i) { return robot->distance((*postures)[i]); }, least_truth);
  }
}

// ---- a robot of balls among obstacles ----------------------------------------------------------------------------------------------------

/// A chain of 10 links of 6 balls among 30 balls, boxes and cylinders; neighbours in the chain are allowed to touch.
void register_balls(bool quick) {
  constexpr std::size_t kBallLinks = 10, kBalls = 6;
  auto scene = std::make_shared<Scene>();
  auto ids = std::make_shared<std::vector<MemberId>>();
  auto manager = std::make_shared<fcl::DynamicAABBTreeCollisionManagerd>();
  auto objects = std::make_shared<std::vector<std::unique_ptr<fcl::CollisionObjectd>>>();
  PairsOptions options{.witnesses = false};
  std::vector<Compound::Child> children;
  for (std::size_t i = 0; i < kBalls; ++i) children.push_back({Sphere{Vec3(0, 0, .2 * static_cast<double>(i) - .5), .15}, {}});
  std::vector<std::pair<MemberId, MemberId>> neighbors;
  for (std::size_t i = 0; i < kBallLinks; ++i) {
    ids->push_back(scene->add(Compound(children)));
    if (i > 0) neighbors.emplace_back((*ids)[i - 1], (*ids)[i]);
  }
  Random random(61);
  for (int i = 0; i < 30; ++i) {
    const double s = random.uniform(.2, .6);
    const Pose pose = random_pose(random, random.uniform(2, 7) * random.direction());
    std::shared_ptr<fcl::CollisionGeometryd> geometry;
    if (i % 3 == 0) {
      scene->add(Sphere{Vec3(0, 0, 0), s}, pose);
      geometry = std::make_shared<fcl::Sphered>(s);
    } else if (i % 3 == 1) {
      scene->add(Box{Vec3(-s, -.8 * s, -.6 * s), Vec3(s, .8 * s, .6 * s)}, pose);
      geometry = std::make_shared<fcl::Boxd>(2 * s, 1.6 * s, 1.2 * s);
    } else {
      scene->add(Cylinder{Vec3(0, 0, -s), Vec3(0, 0, s), .4 * s}, pose);
      geometry = std::make_shared<fcl::Cylinderd>(.4 * s, 2 * s);
    }
    objects->push_back(std::make_unique<fcl::CollisionObjectd>(geometry, fcl_transform(pose)));
    objects->back()->computeAABB();
    manager->registerObject(objects->back().get());
  }
  manager->setup();
  const auto fixed = static_cast<MemberId>(kBallLinks);
  options.excluded = MemberPairs(neighbors);
  PairsOptions moving = options;
  moving.accept = [=](MemberId a, MemberId) { return a < fixed; };
  const std::size_t count = quick ? 64 : 4096;
  auto postures = std::make_shared<std::vector<Posture>>();
  while (postures->size() < count) {
    Posture p = chain(random, 1);
    p.resize(kBallLinks);
    postures->push_back(std::move(p));
  }
  const auto any = [=](std::size_t i) {
    scene->move(*ids, (*postures)[i]);
    return static_cast<double>(scene->any_pair(moving).has_value());
  };
  const auto truth = all_of(count, any);
  std::fprintf(stderr, "robot of balls: %.2f of the postures touch\n", std::accumulate(truth.begin(), truth.end(), 0.0) / static_cast<double>(count));
  const std::string name = "robot postures, balls/60 balls, 30 obstacles/";
  contest(name + "Graze", count, 1, any, truth);
  contest_postures(name, *scene, *ids, *postures, options, truth);
  auto ball = std::make_shared<fcl::CollisionObjectd>(std::make_shared<fcl::Sphered>(.15));
  contest(
      name + "FCL", count, 1,
      [=, kept = objects](std::size_t i) {  // the manager does not own them
        std::vector<Vec3> centers;
        for (const Pose& pose : (*postures)[i])
          for (std::size_t k = 0; k < kBalls; ++k) centers.push_back(pose.apply(Vec3(0, 0, .2 * static_cast<double>(k) - .5)));
        for (std::size_t a = 0; a < centers.size(); ++a)
          for (std::size_t b = (a / kBalls + 2) * kBalls; b < centers.size(); ++b) {
            const Vec3 d = centers[a] - centers[b];
            if (d.x * d.x + d.y * d.y + d.z * d.z <= .09) return 1.0;
          }
        for (const Vec3& c : centers) {
          ball->setTranslation(fcl::Vector3d(c.x, c.y, c.z));
          ball->computeAABB();
          bool hit = false;
          manager->collide(ball.get(), &hit, [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
            fcl::CollisionResultd result;
            fcl::collide(a, b, fcl::CollisionRequestd(1, false), result);
            return *static_cast<bool*>(data) = result.isCollision();
          });
          if (hit) return 1.0;
        }
        return 0.0;
      },
      truth);
}

}  // namespace bench
