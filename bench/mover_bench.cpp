// Moves of a character (a capsule) among boxes and meshes: a Mover, and Bullet's kinematic character controller on the same scenes. One thread, thread CPU
// time; contestants are interleaved, medians of repetitions.
//   mover_bench [--moves=N] [--repetitions=N] [--json=FILE]
// "place" is a hash of the bits of the mover's last places: two builds that move it equally print equal hashes. No other peer in Debian has a character mover.
#include <BulletCollision/CollisionDispatch/btGhostObject.h>
#include <BulletDynamics/Character/btKinematicCharacterController.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <graze/graze.hpp>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/program.hpp"
#include "bench/random.hpp"

namespace bench {
namespace {

using namespace graze;

std::size_t moves = 2000, repetitions = 5;

constexpr double kRadius = .3, kHalf = .6;  // of the capsule: half its axis
const Capsule kWalker{Vec3(0, 0, kRadius), Vec3(0, 0, kRadius + 2 * kHalf), kRadius};

struct Level {
  std::string name;
  std::vector<Box> boxes;
  std::vector<MeshData> meshes;
  Vec3 start;
  std::vector<Vec3> wishes;  ///< repeated
};

/// A sheet of n x n squares of this size: corner + x u + y v, moved along `up` by up to `rough`.
MeshData sheet(const Vec3& corner, const Vec3& u, const Vec3& v, const Vec3& up, int n, double rough, Random& random) {
  MeshData d;
  for (int y = 0; y <= n; ++y)
    for (int x = 0; x <= n; ++x) d.vertices.push_back(corner + (double(x) / n) * u + (double(y) / n) * v + random.uniform(0, rough) * up);
  const auto at = [n](int x, int y) { return static_cast<std::uint32_t>(y * (n + 1) + x); };
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      d.triangles.push_back({at(x, y), at(x + 1, y), at(x + 1, y + 1)});
      d.triangles.push_back({at(x, y), at(x + 1, y + 1), at(x, y + 1)});
    }
  return d;
}

std::vector<Level> levels() {
  Random random(7);
  const std::vector<Vec3> along(1, Vec3(.02, .05, -.01)), corner(1, Vec3(.05, .03, -.01));
  std::vector<Vec3> forth;
  for (int i = 0; i < 400; ++i) forth.push_back(Vec3(i < 200 ? .05 : -.05, .03, -.01));
  std::vector<Vec3> around;
  for (int i = 0; i < 400; ++i) around.push_back(Vec3(.06 * (i / 100 % 2 ? -1 : 1), .04 * (i / 50 % 2 ? -1 : 1), -.02));
  const Box floor{Vec3(-60, -60, -1), Vec3(60, 60, 0)}, wall_y{Vec3(-60, 2, 0), Vec3(60, 3, 4)}, wall_x{Vec3(2, -60, 0), Vec3(3, 60, 4)};
  const auto mesh_floor = [&](double rough) { return sheet(Vec3(-20, -20, 0), Vec3(40, 0, 0), Vec3(0, 40, 0), Vec3(0, 0, -1), 80, rough, random); };
  const auto mesh_wall_y = [&] { return sheet(Vec3(-20, 2, -1), Vec3(0, 0, 5), Vec3(40, 0, 0), Vec3(0, 1, 0), 60, .02, random); };
  const auto mesh_wall_x = [&] { return sheet(Vec3(2, -20, -1), Vec3(0, 40, 0), Vec3(0, 0, 5), Vec3(1, 0, 0), 60, .02, random); };
  std::vector<Box> many{floor};
  for (int i = 0; i < 200; ++i) {
    const Vec3 c(random.uniform(-8, 8), random.uniform(-8, 8), 0);
    if (std::fabs(c.x) < 1.5 && std::fabs(c.y) < 1.5) continue;
    many.push_back(Box::from_center(c + Vec3(0, 0, 1), Vec3(.4, .4, 1)));
  }
  return {{"open floor", {floor}, {}, Vec3(0, 0, .01), around},
          {"along a wall", {floor, wall_y}, {}, Vec3(0, 1.5, .01), forth},
          {"corner of boxes", {floor, wall_y, wall_x}, {}, Vec3(1.5, 1.5, .01), corner},
          {"among 200 boxes", many, {}, Vec3(0, 0, .01), around},
          {"mesh floor", {}, {mesh_floor(.1)}, Vec3(0, 0, .11), around},
          {"along a mesh wall", {}, {mesh_floor(0), mesh_wall_y()}, Vec3(0, 1.5, .01), forth},
          {"corner of meshes", {}, {mesh_floor(.05), mesh_wall_y(), mesh_wall_x()}, Vec3(1.5, 1.5, .11), corner}};
}

class GrazeMover {
 public:
  explicit GrazeMover(const Level& level) {
    for (const Box& b : level.boxes) scene_.add(b);
    for (const MeshData& d : level.meshes) scene_.add(Mesh(d));
    mover_.emplace(scene_, kWalker, level.start);
  }
  void move(const Vec3& wish) { mover_->move(wish); }
  Vec3 place() const { return mover_->pose().translation; }

 private:
  Scene scene_;
  std::optional<Mover> mover_;
};

btVector3 vector(const Vec3& v) { return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)}; }

class BulletMover {
 public:
  explicit BulletMover(const Level& level)
      : dispatcher_(&configuration_), world_(&dispatcher_, &broad_phase_, &solver_, &configuration_), capsule_(kRadius, 2 * kHalf) {
    broad_phase_.getOverlappingPairCache()->setInternalGhostPairCallback(&pairs_);
    for (const Box& b : level.boxes) {
      btTransform at = btTransform::getIdentity();
      at.setOrigin(vector((b.min + b.max) / 2.0));
      add(std::make_unique<btBoxShape>(vector((b.max - b.min) / 2.0)), at);
    }
    for (const MeshData& d : level.meshes) {
      auto mesh = std::make_unique<btTriangleMesh>();
      for (const auto& t : d.triangles) mesh->addTriangle(vector(d.vertices[t[0]]), vector(d.vertices[t[1]]), vector(d.vertices[t[2]]));
      add(std::make_unique<btBvhTriangleMeshShape>(mesh.get(), true), btTransform::getIdentity());
      meshes_.push_back(std::move(mesh));
    }
    btTransform at = btTransform::getIdentity();
    at.setOrigin(vector(level.start + Vec3(0, 0, kRadius + kHalf)));
    ghost_.setWorldTransform(at);
    ghost_.setCollisionShape(&capsule_);
    ghost_.setCollisionFlags(btCollisionObject::CF_CHARACTER_OBJECT);
    world_.addCollisionObject(&ghost_, btBroadphaseProxy::CharacterFilter, btBroadphaseProxy::StaticFilter);
    controller_ = std::make_unique<btKinematicCharacterController>(&ghost_, &capsule_, btScalar(.3), btVector3(0, 0, 1));
    controller_->setGravity(btVector3(0, 0, -9.81f));
  }
  ~BulletMover() {
    world_.removeCollisionObject(&ghost_);
    for (const auto& o : objects_) world_.removeCollisionObject(o.get());
  }
  BulletMover(const BulletMover&) = delete;
  void move(const Vec3& wish) {
    controller_->setWalkDirection(vector(Vec3(wish.x, wish.y, 0)));
    controller_->updateAction(&world_, btScalar(1.0 / 60));
    world_.updateSingleAabb(&ghost_);
    broad_phase_.calculateOverlappingPairs(&dispatcher_);
  }

 private:
  void add(std::unique_ptr<btCollisionShape> shape, const btTransform& at) {
    auto o = std::make_unique<btCollisionObject>();
    o->setCollisionShape(shape.get());
    o->setWorldTransform(at);
    world_.addCollisionObject(o.get(), btBroadphaseProxy::StaticFilter, btBroadphaseProxy::CharacterFilter);
    shapes_.push_back(std::move(shape));
    objects_.push_back(std::move(o));
  }
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btGhostPairCallback pairs_;
  btDiscreteDynamicsWorld world_;
  btCapsuleShapeZ capsule_;
  btPairCachingGhostObject ghost_;
  std::vector<std::unique_ptr<btTriangleMesh>> meshes_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btCollisionObject>> objects_;
  std::unique_ptr<btKinematicCharacterController> controller_;
};

struct Result {
  std::string level;
  double graze, bullet;
};

template <class Contestant>
double rate(const Level& level, std::uint64_t* hash) {
  Contestant mover(level);
  const double start = thread_seconds();
  for (std::size_t i = 0; i < moves; ++i) {
    mover.move(level.wishes[i % level.wishes.size()]);
    if constexpr (std::is_same_v<Contestant, GrazeMover>) {
      const Vec3 p = mover.place();
      for (int k = 0; k < 3; ++k) {
        std::uint64_t bits;
        std::memcpy(&bits, &p[k], sizeof bits);
        *hash = (*hash ^ bits) * 0x100000001b3u;
      }
    }
  }
  return static_cast<double>(moves) / (thread_seconds() - start);
}

std::vector<Result> run() {
  std::vector<Result> results;
  std::printf("%-20s %12s %10s %12s %10s %7s  %-16s\n", "level", "a second", "us each", "Bullet", "us each", "ratio", "place");
  for (const Level& level : levels()) {
    std::vector<double> ours, theirs;
    std::uint64_t hash = 0;
    for (std::size_t k = 0; k < repetitions; ++k) {
      hash = 0xcbf29ce484222325u;
      ours.push_back(rate<GrazeMover>(level, &hash));
      theirs.push_back(rate<BulletMover>(level, nullptr));
    }
    const Result r{level.name, median(ours), median(theirs)};
    std::printf("%-20s %12.0f %10.2f %12.0f %10.2f %7.2f  %016llx\n", r.level.c_str(), r.graze, 1e6 / r.graze, r.bullet, 1e6 / r.bullet, r.graze / r.bullet,
                static_cast<unsigned long long>(hash));
    std::fflush(stdout);
    results.push_back(r);
  }
  return results;
}

void write_json(const std::string& path, const std::vector<Result>& results) {
  std::FILE* f = std::fopen(path.c_str(), "w");
  if (!f) {
    std::fprintf(stderr, "mover_bench: cannot write %s\n", path.c_str());
    std::exit(4);
  }
  std::fprintf(f, "[");
  for (std::size_t i = 0; i < results.size(); ++i)
    std::fprintf(f,
                 "%s\n {\"row\": \"character mover\", \"input\": \"%s\", \"program\": \"mover\", \"contestants\": {\"Graze\": {\"rate\": %.6g, \"spread\": 0}, "
                 "\"Bullet\": {\"rate\": %.6g, \"spread\": 0}}}",
                 i ? "," : "", results[i].level.c_str(), results[i].graze, results[i].bullet);
  std::fprintf(f, "\n]\n");
  std::fclose(f);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  std::string json;
  for (int i = 1; i < argc; ++i) {
    if (bench::number(argv[i], "--moves=", bench::moves) || bench::number(argv[i], "--repetitions=", bench::repetitions)) continue;
    if (std::strncmp(argv[i], "--json=", 7) == 0) {
      json = argv[i] + 7;
    } else {
      std::fprintf(stderr, "mover_bench: unknown argument %s\n", argv[i]);
      return 2;
    }
  }
  graze::set_threads(1);
  const std::vector<bench::Result> results = bench::run();
  if (!json.empty()) bench::write_json(json, results);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "mover_bench: %s\n", e.what());
  return 3;
}
