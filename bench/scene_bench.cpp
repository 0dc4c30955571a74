// Scenes against peers: members that move, a robot of meshes (touching pairs, any contact, least distance), postures of a robot of balls, rays, spheres and
// casts among many bodies, and a broad phase of which a hundredth moves. scene_bench [--rows=move,robot,postures,bodies,casts,meshes,broad] [--bodies=N]
// [--quick] [Google Benchmark's options]. Names are row/input/peer; "wrong" counts frames whose answer differs from Graze's. One thread.
#include <benchmark/benchmark.h>
#include <btBulletCollisionCommon.h>
#include <fcl/fcl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <graze/broad_phase.hpp>
#include <graze/graze.hpp>
#include <graze/threads.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/broad_phase_inputs.hpp"
#include "bench/posture_inputs.hpp"
#include "bench/random.hpp"
#include "bench/scene_rows.hpp"

namespace bench {
namespace {

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

/// Casts of a ball, a box and a capsule of the bodies' size, .04 and 1 long.
void register_casts(const std::vector<std::size_t>& counts) {
  for (const std::size_t n : counts) {
    const auto bodies = std::make_shared<Bodies>(n);
    const double s = bodies->size / 2;
    const auto casts = [&](const std::string& name, const auto& shape, std::shared_ptr<btConvexShape> peer) {
      for (const double length : {.04, 1.}) {
        const std::string row = name + (length < 1 ? " cast .04 in a scene/" : " cast 1 in a scene/") + std::to_string(n) + " bodies/";
        Random random(41);
        const std::size_t count = 2048;
        auto poses = std::make_shared<std::vector<Pose>>();
        auto motions = std::make_shared<std::vector<Vec3>>();
        for (std::size_t i = 0; i < count; ++i) {
          poses->push_back(random_pose(random, random.in_cube(.5) + Vec3(.5, .5, .5)));
          motions->push_back(length * random.direction());
        }
        contest(row + "Graze", count, 1,
                [=](std::size_t i) {
                  const auto hit = bodies->scene.sweep(at(shape, (*poses)[i]), (*motions)[i]);
                  return hit ? hit->hit.t : -1;
                },
                {});
        contest(row + "Bullet", count, 1,
                [=](std::size_t i) {
                  Pose end = (*poses)[i];
                  end.translation += (*motions)[i];
                  const btTransform from = bullet_transform((*poses)[i]), to = bullet_transform(end);
                  btCollisionWorld::ClosestConvexResultCallback found(from.getOrigin(), to.getOrigin());
                  bodies->bullet.convexSweepTest(peer.get(), from, to, found);
                  return found.hasHit() ? static_cast<double>(found.m_closestHitFraction) : -1;
                },
                {});
      }
    };
    casts("ball", Sphere{Vec3(0, 0, 0), s}, std::make_shared<btSphereShape>(b(s)));
    casts("box", Box{Vec3(-s, -.8 * s, -.6 * s), Vec3(s, .8 * s, .6 * s)}, std::make_shared<btBoxShape>(btVector3(b(s), b(.8 * s), b(.6 * s))));
    casts("capsule", Capsule{Vec3(0, 0, -s / 2), Vec3(0, 0, s / 2), s / 2}, std::make_shared<btCapsuleShapeZ>(b(s / 2), b(s)));
  }
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
  if (wanted("casts")) register_casts(counts);
  if (wanted("meshes")) register_meshes(quick);
  if (wanted("broad")) register_broad_phase(quick);
  int count = static_cast<int>(rest.size());
  benchmark::Initialize(&count, rest.data());
  if (benchmark::ReportUnrecognizedArguments(count, rest.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
  std::fflush(nullptr);
  std::_Exit(0);  // Bullet would take many minutes to remove 100,000 objects one by one
}
