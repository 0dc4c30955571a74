// Scenes against peers: members that move, a robot of meshes (touching pairs, any contact, least distance), postures of a robot of balls, rays and spheres
// among many bodies, and a broad phase of which a hundredth moves. scene_bench [--rows=move,robot,postures,bodies,meshes,broad] [--bodies=N] [--quick] [Google
// Benchmark's options]. Names are row/input/peer; "wrong" counts frames whose answer differs from Graze's. One thread.
#include <benchmark/benchmark.h>
#include <btBulletCollisionCommon.h>
#include <fcl/fcl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <graze/broad_phase.hpp>
#include <graze/graze.hpp>
#include <graze/threads.hpp>
#include <limits>
#include <memory>
#include <numbers>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bench/broad_phase_inputs.hpp"
#include "bench/posture_inputs.hpp"
#include "bench/random.hpp"

namespace bench {
namespace {

using namespace graze;

/// `frame(i)` runs item i of a cycle of `count` and returns its answer; each counts as `items`.
void contest(const std::string& name, std::size_t count, std::size_t items, const std::function<double(std::size_t)>& frame, const std::vector<double>& truth) {
  const auto place = std::make_shared<std::size_t>(0);  // goes on from run to run: the same item again might find its answer stored
  auto* b = benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    std::size_t &at = *place, wrong = 0;
    for (auto _ : state) {
      const double answer = frame(at);
      if (!truth.empty()) wrong += std::fabs(answer - truth[at]) > 1e-6 * (1 + std::fabs(truth[at]));
      at = at + 1 < count ? at + 1 : 0;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(items) * state.iterations());
    state.counters["wrong"] = static_cast<double>(wrong);
  });
  b->Unit(benchmark::kMicrosecond);
}

/// Runs an answer over the whole cycle once.
std::vector<double> all_of(std::size_t count, const std::function<double(std::size_t)>& frame) {
  std::vector<double> answers(count);
  for (std::size_t i = 0; i < count; ++i) answers[i] = frame(i);
  return answers;
}

btScalar b(double x) { return static_cast<btScalar>(x); }
btVector3 bullet_vector(const Vec3& v) { return {b(v.x), b(v.y), b(v.z)}; }
btTransform bullet_transform(const Pose& pose) {
  const auto& r = pose.rotation;
  return btTransform(btMatrix3x3(b(r[0][0]), b(r[0][1]), b(r[0][2]), b(r[1][0]), b(r[1][1]), b(r[1][2]), b(r[2][0]), b(r[2][1]), b(r[2][2])),
                     bullet_vector(pose.translation));
}

/// A closed tube round the z axis from -.5 to .5, with bumps: 2 * columns * (rows + 1) triangles.
MeshData tube(std::uint32_t rows, std::uint32_t columns) {
  MeshData mesh;
  for (std::uint32_t i = 0; i <= rows; ++i)
    for (std::uint32_t j = 0; j < columns; ++j) {
      const double z = static_cast<double>(i) / rows, turn = 2 * std::numbers::pi * j / columns;
      const double r = .14 * std::sqrt(std::max(0.02, 1 - std::pow(std::fabs(2 * z - 1), 6))) * (1 + .08 * std::sin(5 * turn) * std::sin(17 * z));
      mesh.vertices.emplace_back(r * std::cos(turn), r * std::sin(turn), z - .5);
    }
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t j = 0; j < columns; ++j) {
      const std::uint32_t a = i * columns + j, b = i * columns + (j + 1) % columns, c = a + columns, d = b + columns;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  for (const std::uint32_t end : {0u, rows}) {
    const auto centre = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.emplace_back(0, 0, end == 0 ? -.5 : .5);
    for (std::uint32_t j = 0; j < columns; ++j) {
      const std::uint32_t a = end * columns + j, b = end * columns + (j + 1) % columns;
      mesh.triangles.push_back(end == 0 ? TriangleIndices{centre, b, a} : TriangleIndices{centre, a, b});
    }
  }
  return mesh;
}

// ---- members that move -------------------------------------------------------------------------------------------------------------------

void register_moves(bool quick) {
  for (const std::uint32_t columns : quick ? std::vector<std::uint32_t>{58} : std::vector<std::uint32_t>{58, 262, 468}) {
    const Mesh mesh(tube(2 * columns, columns));
    const std::string input = std::to_string(mesh.vertices().size()) + " vertices";
    Random random(5);
    auto poses = std::make_shared<std::vector<Pose>>();
    for (int i = 0; i < 64; ++i) poses->push_back(random_pose(random, random.in_cube(10)));
    auto scene = std::make_shared<Scene>();
    const MemberId id = scene->add(mesh);
    contest("scene move/" + input + "/Graze", 64, 1,
            [=](std::size_t i) {
              scene->move(id, (*poses)[i]);
              return 0.0;
            },
            {});
    auto many = std::make_shared<Scene>();
    auto ids = std::make_shared<std::vector<MemberId>>();
    for (int i = 0; i < 64; ++i) ids->push_back(many->add(mesh));
    contest("scene move, batch/" + input + "/Graze", 1, 64,
            [=](std::size_t) {
              many->move(*ids, *poses);
              return 0.0;
            },
            {});
    auto empty = std::make_shared<Scene>();
    for (int i = 0; i < 100; ++i) empty->add(Sphere{Vec3(100 + 3 * i, 0, 0), 1});
    contest(
        "scene query, nothing near/" + input + "/Graze", 64, 1, [=](std::size_t i) { return static_cast<double>(empty->intersects(at(mesh, (*poses)[i]))); },
        std::vector<double>(64, 0.0));
  }
}

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
      [=](std::size_t i) {
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

// ---- rays and spheres among bodies -------------------------------------------------------------------------------------------------------

/// Spheres, boxes, capsules and hulls of 12 points in random rotation, sizes U(.5, 1.5) s with s^3 N = .3, in the unit cube.
struct Bodies {
  Scene scene;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btCollisionObject>> objects;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad_phase;
  btCollisionWorld bullet{&dispatcher, &broad_phase, &configuration};
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> fcl_objects;
  fcl::DynamicAABBTreeCollisionManagerd manager;
  double size;

  explicit Bodies(std::size_t n) : size(std::cbrt(.3 / static_cast<double>(n))) {
    Random random(n + 3);
    std::vector<fcl::CollisionObjectd*> all;
    for (std::size_t i = 0; i < n; ++i) {
      const double s = size * random.uniform(.5, 1.5) / 2;
      const Pose pose = random_pose(random, random.in_cube(.5) + Vec3(.5, .5, .5));
      std::shared_ptr<fcl::CollisionGeometryd> geometry;
      switch (i % 4) {
        case 0:
          scene.add(Sphere{Vec3(0, 0, 0), s}, pose);
          shapes.push_back(std::make_unique<btSphereShape>(b(s)));
          geometry = std::make_shared<fcl::Sphered>(s);
          break;
        case 1:
          scene.add(Box{Vec3(-s, -.8 * s, -.6 * s), Vec3(s, .8 * s, .6 * s)}, pose);
          shapes.push_back(std::make_unique<btBoxShape>(btVector3(b(s), b(.8 * s), b(.6 * s))));
          geometry = std::make_shared<fcl::Boxd>(2 * s, 1.6 * s, 1.2 * s);
          break;
        case 2:
          scene.add(Capsule{Vec3(0, 0, -s / 2), Vec3(0, 0, s / 2), s / 2}, pose);
          shapes.push_back(std::make_unique<btCapsuleShapeZ>(b(s / 2), b(s)));
          geometry = std::make_shared<fcl::Capsuled>(s / 2, s);
          break;
        default: {
          std::vector<Vec3> points;
          auto hull = std::make_unique<btConvexHullShape>();
          for (int k = 0; k < 12; ++k) {
            points.push_back(s * random.direction());
            hull->addPoint(bullet_vector(points.back()));
          }
          scene.add(Hull(points), pose);
          shapes.push_back(std::move(hull));
          geometry = std::make_shared<fcl::Sphered>(s);  // FCL gets no hulls; its row counts candidates of spheres
        }
      }
      objects.push_back(std::make_unique<btCollisionObject>());
      objects.back()->setCollisionShape(shapes.back().get());
      objects.back()->setWorldTransform(bullet_transform(pose));
      bullet.addCollisionObject(objects.back().get());
      fcl_objects.push_back(std::make_unique<fcl::CollisionObjectd>(geometry, fcl_transform(pose)));
      fcl_objects.back()->computeAABB();
      all.push_back(fcl_objects.back().get());
    }
    broad_phase.optimize();
    manager.registerObjects(all);
    manager.setup();
  }
};

/// `where` names the input: "in a scene/10000 bodies/".
template <class Members>
void register_rays_and_spheres(const std::shared_ptr<Members>& bodies, const std::string& where) {
  Random random(31);
  const std::size_t count = 4096;
  auto rays = std::make_shared<std::vector<Ray>>();
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 from = .9 * random.direction() + Vec3(.5, .5, .5), to = random.in_cube(.5) + Vec3(.5, .5, .5);
    rays->push_back(Ray{from, (to - from) / std::sqrt((to - from).x * (to - from).x + (to - from).y * (to - from).y + (to - from).z * (to - from).z)});
  }
  const auto graze_ray = [=](std::size_t i) {
    const auto hit = bodies->scene.raycast((*rays)[i], {.t_max = 2.5});
    return hit ? hit->hit.t : -1;
  };
  contest("ray " + where + "Graze", count, 1, graze_ray, {});
  contest("ray " + where + "Bullet", count, 1,
          [=](std::size_t i) {
            const Vec3 from = (*rays)[i].origin, to = from + 2.5 * (*rays)[i].direction;
            const btVector3 a = bullet_vector(from), b = bullet_vector(to);
            btCollisionWorld::ClosestRayResultCallback found(a, b);
            bodies->bullet.rayTest(a, b, found);
            return found.hasHit() ? 2.5 * static_cast<double>(found.m_closestHitFraction) : -1;
          },
          {});
  auto spheres = std::make_shared<std::vector<Sphere>>();
  for (std::size_t i = 0; i < count; ++i) spheres->push_back(Sphere{random.in_cube(.5) + Vec3(.5, .5, .5), bodies->size});
  contest("sphere " + where + "Graze", count, 1, [=](std::size_t i) { return static_cast<double>(bodies->scene.overlapping((*spheres)[i]).size()); }, {});
  auto ball = std::make_shared<fcl::CollisionObjectd>(std::make_shared<fcl::Sphered>(bodies->size));
  contest("sphere " + where + "FCL", count, 1,
          [=](std::size_t i) {
            const Vec3 c = (*spheres)[i].center;
            ball->setTranslation(fcl::Vector3d(c.x, c.y, c.z));
            ball->computeAABB();
            std::size_t found = 0;
            bodies->manager.collide(ball.get(), &found, [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
              fcl::CollisionResultd result;
              fcl::collide(a, b, fcl::CollisionRequestd(1, false), result);
              *static_cast<std::size_t*>(data) += result.isCollision();
              return false;
            });
            return static_cast<double>(found);
          },
          {});
}

void register_bodies(const std::vector<std::size_t>& counts) {
  for (const std::size_t n : counts) register_rays_and_spheres(std::make_shared<Bodies>(n), "in a scene/" + std::to_string(n) + " bodies/");
}

// ---- rays and spheres among small meshes -------------------------------------------------------------------------------------------------

/// Different tubes of 12 to 500 triangles in random rotation, lengths U(.5, 1.5) s with s^3 N = 1.5, in the unit cube.
struct SmallMeshes {
  Scene scene;
  std::vector<std::unique_ptr<btTriangleMesh>> triangles;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btCollisionObject>> objects;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad_phase;
  btCollisionWorld bullet{&dispatcher, &broad_phase, &configuration};
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> fcl_objects;
  fcl::DynamicAABBTreeCollisionManagerd manager;
  double size;

  explicit SmallMeshes(std::size_t n) : size(std::cbrt(1.5 / static_cast<double>(n))) {
    Random random(n + 5);
    std::vector<fcl::CollisionObjectd*> all;
    for (std::size_t i = 0; i < n; ++i) {
      // 2 * columns * (rows + 1) triangles, as many meshes in each octave
      const double wanted = 12 * std::pow(500. / 12, random.uniform(0, 1));
      const auto columns = static_cast<std::uint32_t>(std::max(3., std::sqrt(wanted / 4)));
      MeshData mesh = tube(static_cast<std::uint32_t>(std::max(1., wanted / (2. * columns) - 1)), columns);
      const double s = size * random.uniform(.5, 1.5), wide = random.uniform(1, 3);
      for (Vec3& v : mesh.vertices) v = Vec3(s * wide * v.x, s * wide * v.y, s * v.z) + random.in_cube(.01 * s);
      const Pose pose = random_pose(random, random.in_cube(.5) + Vec3(.5, .5, .5));
      scene.add(Mesh(mesh), pose);
      triangles.push_back(std::make_unique<btTriangleMesh>());
      auto model = std::make_shared<fcl::BVHModel<fcl::OBBd>>();
      model->beginModel();
      for (const TriangleIndices& t : mesh.triangles) {
        const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
        model->addTriangle(fcl::Vector3d(a.x, a.y, a.z), fcl::Vector3d(b.x, b.y, b.z), fcl::Vector3d(c.x, c.y, c.z));
        triangles.back()->addTriangle(bullet_vector(a), bullet_vector(b), bullet_vector(c));
      }
      model->endModel();
      shapes.push_back(std::make_unique<btBvhTriangleMeshShape>(triangles.back().get(), true));
      objects.push_back(std::make_unique<btCollisionObject>());
      objects.back()->setCollisionShape(shapes.back().get());
      objects.back()->setWorldTransform(bullet_transform(pose));
      bullet.addCollisionObject(objects.back().get());
      fcl_objects.push_back(std::make_unique<fcl::CollisionObjectd>(model, fcl_transform(pose)));
      fcl_objects.back()->computeAABB();
      all.push_back(fcl_objects.back().get());
    }
    broad_phase.optimize();
    manager.registerObjects(all);
    manager.setup();
  }
};

void register_meshes(bool quick) {
  const std::size_t n = quick ? 500 : 10000;
  register_rays_and_spheres(std::make_shared<SmallMeshes>(n), "among small meshes/" + std::to_string(n) + " meshes/");
}

// ---- a broad phase of which a hundredth moves --------------------------------------------------------------------------------------------

void register_broad_phase(bool quick) {
  const std::size_t n = quick ? 2000 : 100000;
  constexpr int kFrames = 16;
  auto input = std::make_shared<MovingBoxes>(moving_boxes("uniform", n, 2));
  // Frames in which another hundredth of the boxes moves each time.
  auto moves = std::make_shared<std::vector<std::vector<std::pair<std::uint32_t, Box>>>>();
  Random random(9);
  std::vector<Box> now = input->frames[0];
  for (int f = 0; f < kFrames; ++f) {
    moves->emplace_back();
    for (std::size_t k = 0; k < n / 100; ++k) {
      const auto id = static_cast<std::uint32_t>(random.bits() % n);
      const Vec3 d = random.in_cube(.1 * (now[id].max.x - now[id].min.x));
      now[id].min += d;
      now[id].max += d;
      moves->back().emplace_back(id, now[id]);
    }
  }
  const std::string row = "boxes of which 1 % move/" + std::to_string(n) + "/";
  auto phase = std::make_shared<BroadPhase>();
  phase->assign(input->frames[0]);
  const auto frame = [=](std::size_t i) {
    for (const auto& [id, box] : (*moves)[i]) phase->move(id, box);
    return static_cast<double>(phase->pairs().size());
  };
  (void)all_of(kFrames, frame);
  contest(row + "Graze", kFrames, n, frame, all_of(kFrames, frame));
  auto all = std::make_shared<BroadPhase>();
  all->assign(input->frames[0]);
  contest(row + "all move", 2, n,
          [=](std::size_t i) {
            all->move_all(input->frames[i]);
            return static_cast<double>(all->pairs().size());
          },
          {});
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  std::string rows;
  bool quick = false;
  std::size_t bodies = 0;
  std::vector<char*> rest = {argv[0]};
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--rows=", 7) == 0)
      rows = argv[i] + 7;
    else if (std::strncmp(argv[i], "--bodies=", 9) == 0)
      bodies = std::strtoull(argv[i] + 9, nullptr, 10);
    else if (std::strcmp(argv[i], "--quick") == 0)
      quick = true;
    else
      rest.push_back(argv[i]);
  }
  graze::set_threads(1);
  const auto wanted = [&](const char* row) { return rows.empty() || ("," + rows + ",").find(std::string(",") + row + ",") != std::string::npos; };
  if (wanted("move")) register_moves(quick);
  if (wanted("robot")) register_robots(quick);
  if (wanted("postures")) register_balls(quick);
  const std::vector<std::size_t> counts = bodies != 0 ? std::vector{bodies} : quick ? std::vector<std::size_t>{1000} : std::vector<std::size_t>{10000, 100000};
  if (wanted("bodies")) register_bodies(counts);
  if (wanted("meshes")) register_meshes(quick);
  if (wanted("broad")) register_broad_phase(quick);
  int count = static_cast<int>(rest.size());
  benchmark::Initialize(&count, rest.data());
  if (benchmark::ReportUnrecognizedArguments(count, rest.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
  std::fflush(nullptr);
  std::_Exit(0);  // Bullet would take many minutes to remove 100,000 objects one by one
}
