// Saves and restores a world as bytes: little-endian, every double by its bits. Shapes are not stored; the restoring world must have the same ones.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <graze/error.hpp>
#include <graze/shapes.hpp>
#include <graze/world.hpp>
#include <span>
#include <string>
#include <vector>

#include "math/limits.hpp"
#include "platform/watch.hpp"
#include "sim/bytes.hpp"
#include "sim/world_state.hpp"

namespace graze {
namespace {

constexpr char kMagic[8] = {'g', 'r', 'z', 'w', 'o', 'r', 'l', static_cast<char>(Shapes::size)};  // kinds are stored as numbers, which a new shape changes

void expect(const char* what, std::uint64_t here, std::uint64_t there) {
  if (here != there)
    throw Error(ErrorCode::bad_snapshot,
                std::string("restore: the snapshot has ") + what + " " + std::to_string(there) + ", this world " + std::to_string(here));
}

void expect_finite(const char* what, double x) {
  if (!(std::fabs(x) <= kLargest)) throw Error(ErrorCode::bad_snapshot, std::string("restore: ") + what + " is not finite");
}

}  // namespace

std::vector<std::uint8_t> World::snapshot() const {
  const State& s = *state_;
  ByteWriter w;
  w.bytes.assign(kMagic, kMagic + 8);
  const auto members = s.fixed.members();
  w.put(members.size());
  w.put(s.kinds.size());
  w.put(s.bodies.size());
  for (const MemberId id : members) {
    w.put(std::uint64_t{id});
    w.put(static_cast<std::uint64_t>(s.fixed.shape(id).kind()));
    w.put(s.fixed.pose(id));
  }
  for (const BodyKind& k : s.kinds) w.put(static_cast<std::uint64_t>(k.shape.kind()));
  w.put(s.options.seed);
  w.put(s.time);
  w.put(s.steps);
  for (const Body& b : s.bodies) {
    w.put(std::uint64_t{b.kind} | std::uint64_t{b.alive} << 32 | std::uint64_t{b.resting} << 33);
    w.put(std::uint64_t{b.lives});
    w.put(b.age);
    w.put(b.velocity);
    w.put(b.pose);
  }
  return w.bytes;
}

void World::restore(std::span<const std::uint8_t> snapshot) {
  const Uninterrupted whole;
  State& s = *state_;
  if (snapshot.size() < 8 || std::memcmp(snapshot.data(), kMagic, 8) != 0)
    throw Error(ErrorCode::bad_snapshot, "restore: these bytes are no snapshot of a world");
  ByteReader r{snapshot, 8};
  const auto members = s.fixed.members();
  expect("fixed members:", members.size(), r.number());
  expect("kinds of bodies:", s.kinds.size(), r.number());
  const std::uint64_t count = r.number();
  std::vector<Pose> poses;
  for (const MemberId id : members) {
    expect("a member with the id", id, r.number());
    expect(("a member " + std::to_string(id) + " of kind").c_str(), static_cast<std::uint64_t>(s.fixed.shape(id).kind()), r.number());
    poses.push_back(r.pose());
    validate(at(s.fixed.shape(id), poses.back()));
  }
  for (const BodyKind& k : s.kinds) expect("a body of kind", static_cast<std::uint64_t>(k.shape.kind()), r.number());
  const std::uint64_t seed = r.number();
  const double time = r.real();
  expect_finite("the time", time);
  const std::uint64_t steps = r.number();
  constexpr std::size_t kBodyBytes = 8 * (3 + 3 + 12);
  if ((snapshot.size() - r.at) / kBodyBytes != count || (snapshot.size() - r.at) % kBodyBytes != 0)
    throw Error(ErrorCode::bad_snapshot, "restore: " + std::to_string(count) + " bodies in " + std::to_string(snapshot.size() - r.at) + " bytes, must be " +
                                             std::to_string(kBodyBytes) + " each");
  std::vector<Body> bodies(count);
  for (Body& b : bodies) {
    const std::uint64_t flags = r.number();
    b.kind = static_cast<std::uint32_t>(flags);
    b.alive = (flags >> 32 & 1) != 0;
    b.resting = (flags >> 33 & 1) != 0;
    if (b.kind >= s.kinds.size())
      throw Error(ErrorCode::bad_snapshot, "restore: a body of kind number " + std::to_string(b.kind) + ", there are " + std::to_string(s.kinds.size()));
    b.lives = static_cast<std::uint32_t>(r.number());
    b.age = r.real();
    expect_finite("an age", b.age);
    b.velocity = r.vector();
    for (int k = 0; k < 3; ++k) expect_finite("a velocity", b.velocity[k]);
    b.pose = r.pose();
    validate(at(s.kinds[b.kind].shape, b.pose));
  }
  for (std::size_t i = 0; i < members.size(); ++i) s.fixed.move(members[i], poses[i]);
  s.fixed_changed();
  s.bodies = std::move(bodies);
  s.options.seed = seed;
  s.time = time;
  s.steps = steps;
  s.events.clear();
}

}  // namespace graze
