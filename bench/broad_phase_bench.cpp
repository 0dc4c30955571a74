// Broad phase: all boxes move, then all overlapping pairs: Graze against FCL's dynamic AABB tree and Bullet's dynamic tree, and the older methods (sort and
// sweep, octree, loose octree, one grid) written plainly. broad_phase_bench [--boxes=N,N,...] [--rows=uniform,sizes] [--peers=a,b,...] [Google Benchmark's
// options]. Names are row/boxes/peer; "wrong" counts frames whose number of pairs differs from Graze's. One thread, except for "Graze 2 threads". The largest
// sets omit peers that need minutes for a frame.
#include <benchmark/benchmark.h>
#include <btBulletCollisionCommon.h>
#include <fcl/fcl.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <graze/broad_phase.hpp>
#include <graze/heritage/older_broad_phases.hpp>
#include <graze/threads.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/broad_phase_inputs.hpp"

namespace bench {
namespace {

constexpr int kFrames = 8;

/// A contestant: runs one frame (update and all pairs) and returns the number of pairs.
using Frame = std::function<std::size_t(const std::vector<graze::Box>&)>;

// ---- FCL: the dynamic AABB tree, objects whose boxes are set directly ----

Frame fcl_frame(const std::vector<graze::Box>& first) {
  struct World {
    fcl::DynamicAABBTreeCollisionManagerd manager;
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
    std::vector<fcl::CollisionObjectd*> all;
    std::vector<std::pair<void*, void*>> pairs;
  };
  auto world = std::make_shared<World>();
  for (const graze::Box& b : first) {
    const graze::Vec3 size = b.max - b.min, center = b.min + 0.5 * size;
    auto geometry = std::make_shared<fcl::Boxd>(size.x, size.y, size.z);
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    pose.translation() = fcl::Vector3d(center.x, center.y, center.z);
    world->objects.push_back(std::make_unique<fcl::CollisionObjectd>(geometry, pose));
    world->objects.back()->computeAABB();
    world->all.push_back(world->objects.back().get());
  }
  world->manager.registerObjects(world->all);
  world->manager.setup();
  return [world](const std::vector<graze::Box>& boxes) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const graze::Vec3 center = boxes[i].min + 0.5 * (boxes[i].max - boxes[i].min);
      world->all[i]->setTranslation(fcl::Vector3d(center.x, center.y, center.z));
      world->all[i]->computeAABB();
    }
    world->manager.update();
    world->pairs.clear();
    world->manager.collide(&world->pairs, [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
      static_cast<std::vector<std::pair<void*, void*>>*>(data)->emplace_back(a, b);
      return false;
    });
    return world->pairs.size();
  };
}

// ---- Bullet: its dynamic tree alone (btDbvt), refitted leaf by leaf and collided with itself: faster than btDbvtBroadphase, which keeps a cache of pairs too
// ----

struct CountPairs : btDbvt::ICollide {
  std::vector<std::pair<void*, void*>> pairs;
  void Process(const btDbvtNode* a, const btDbvtNode* b) override {
    if (a != b) pairs.emplace_back(a->data, b->data);
  }
};

btDbvtVolume volume(const graze::Box& b) {
  return btDbvtVolume::FromMM(btVector3(static_cast<btScalar>(b.min.x), static_cast<btScalar>(b.min.y), static_cast<btScalar>(b.min.z)),
                              btVector3(static_cast<btScalar>(b.max.x), static_cast<btScalar>(b.max.y), static_cast<btScalar>(b.max.z)));
}

Frame bullet_frame(const std::vector<graze::Box>& first) {
  struct World {
    btDbvt tree;
    std::vector<btDbvtNode*> leaves;
    CountPairs found;
  };
  auto world = std::make_shared<World>();
  for (const graze::Box& b : first) world->leaves.push_back(world->tree.insert(volume(b), nullptr));
  world->tree.optimizeTopDown();
  return [world](const std::vector<graze::Box>& boxes) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      btDbvtVolume v = volume(boxes[i]);
      world->tree.update(world->leaves[i], v);
    }
    world->found.pairs.clear();
    world->tree.collideTT(world->tree.m_root, world->tree.m_root, world->found);
    return world->found.pairs.size();
  };
}

Frame graze_frame(const std::vector<graze::Box>& first) {
  auto phase = std::make_shared<graze::BroadPhase>();
  phase->assign(first);
  return [phase](const std::vector<graze::Box>& boxes) {
    phase->move_all(boxes);
    return phase->pairs().size();
  };
}

/// The public single query, called once per box: the cost of a frame without the grid.
Frame graze_tree_frame(const std::vector<graze::Box>& first) {
  auto phase = std::make_shared<graze::BroadPhase>();
  phase->assign(first);
  return [phase](const std::vector<graze::Box>& boxes) {
    phase->assign(boxes);
    return (phase->pairs(*phase).size() - boxes.size()) / 2;
  };
}

auto older(graze::OlderBroadPhase method) {
  return [method](const std::vector<graze::Box>&) {
    return Frame([method](const std::vector<graze::Box>& boxes) { return graze::overlapping_pairs(method, boxes).pairs.size(); });
  };
}

struct Peer {
  const char* name;
  std::function<Frame(const std::vector<graze::Box>&)> make;
  std::size_t most_uniform, most_sizes;  ///< larger sets would take minutes
};

const Peer kPeers[] = {{"Graze", graze_frame, ~0ull, ~0ull},
                       {"Graze 2 threads", graze_frame, ~0ull, ~0ull},
                       {"Graze tree", graze_tree_frame, ~0ull, ~0ull},
                       {"FCL", fcl_frame, ~0ull, ~0ull},
                       {"Bullet", bullet_frame, 2000000, 2000000},
                       {"sort and sweep", older(graze::OlderBroadPhase::sort_and_sweep), 200000, 200000},
                       {"one grid", older(graze::OlderBroadPhase::uniform_grid), ~0ull, 20000},
                       {"multi-resolution grid", older(graze::OlderBroadPhase::multi_resolution_grid), ~0ull, ~0ull},
                       {"octree", older(graze::OlderBroadPhase::octree), 100000, 100000},
                       {"loose octree", older(graze::OlderBroadPhase::loose_octree), ~0ull, ~0ull}};

void contest(const std::string& row, std::size_t n, const Peer& peer, std::shared_ptr<const MovingBoxes> input,
             std::shared_ptr<const std::vector<std::size_t>> truth) {
  const std::string name = row + "/" + std::to_string(n) + "/" + peer.name;
  auto* b = benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    graze::set_threads(std::strcmp(peer.name, "Graze 2 threads") == 0 ? 2 : 1);
    const Frame frame = peer.make(input->frames[0]);
    std::size_t at = 0, wrong = 0;
    frame(input->frames[0]);
    for (auto _ : state) {
      at = at + 1 < input->frames.size() ? at + 1 : 1;
      wrong += frame(input->frames[at]) != (*truth)[at];
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(n) * state.iterations());
    state.counters["wrong"] = static_cast<double>(wrong);
  });
  b->Unit(benchmark::kMillisecond);
  if (std::strcmp(peer.name, "Graze 2 threads") == 0) b->MeasureProcessCPUTime()->UseRealTime();
}

std::vector<std::string> list(const std::string& text) {
  std::vector<std::string> result(1);
  for (const char c : text)
    if (c == ',')
      result.emplace_back();
    else
      result.back() += c;
  return result;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  std::string sizes = "10000,100000,1000000", rows = "uniform,sizes", peers;
  std::vector<char*> rest = {argv[0]};
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--boxes=", 8) == 0)
      sizes = argv[i] + 8;
    else if (std::strncmp(argv[i], "--rows=", 7) == 0)
      rows = argv[i] + 7;
    else if (std::strncmp(argv[i], "--peers=", 8) == 0)
      peers = argv[i] + 8;
    else
      rest.push_back(argv[i]);
  }
  for (const std::string& row : list(rows)) {
    for (const std::string& size : list(sizes)) {
      const std::size_t n = std::strtoull(size.c_str(), nullptr, 10);
      if (n < 2 || (row != "uniform" && row != "sizes")) {
        std::fprintf(stderr, "broad_phase_bench: row \"%s\", boxes \"%s\": rows are uniform and sizes, boxes at least 2\n", row.c_str(), size.c_str());
        return 2;
      }
      auto input = std::make_shared<const MovingBoxes>(moving_boxes(row, n, kFrames));
      auto truth = std::make_shared<std::vector<std::size_t>>();
      graze::BroadPhase phase;
      for (const auto& frame : input->frames) {
        phase.assign(frame);
        truth->push_back(phase.pairs().size());
      }
      for (const Peer& peer : kPeers) {
        if (!peers.empty() && ("," + peers + ",").find(std::string(",") + peer.name + ",") == std::string::npos) continue;
        if (n <= (row == "uniform" ? peer.most_uniform : peer.most_sizes)) contest(row, n, peer, input, truth);
      }
    }
  }
  int count = static_cast<int>(rest.size());
  benchmark::Initialize(&count, rest.data());
  if (benchmark::ReportUnrecognizedArguments(count, rest.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
