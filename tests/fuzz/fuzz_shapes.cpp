// Fuzzes queries on any two shapes: the identities between queries must hold for all numbers.
#include "fuzz_input.hpp"

using namespace graze;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input in(data, size);
  const AnyShape a = in.shape(), b = in.shape();
  const double d = in.size();
  const Vec3 p = in.vector();

  const bool touch = intersects(a, b);
  FUZZ_CHECK(touch == intersects(b, a));
  FUZZ_CHECK(touch == within(a, b, 0));
  const bool near = within(a, b, d);
  FUZZ_CHECK(near == within(b, a, d));
  FUZZ_CHECK(near || !touch);

  const Closest ab = closest(a, b), ba = closest(b, a);
  FUZZ_CHECK((ab.distance == 0) == touch);
  FUZZ_CHECK(ab.distance == ba.distance);
  FUZZ_CHECK(!touch || ab.on_a == ab.on_b);

  FUZZ_CHECK(contains(a, p) == intersects(Point{p}, a));
  if (a.get<Ray>() || a.get<Segment>() || a.get<Line>()) {
    const auto hit = raycast(a, b);
    FUZZ_CHECK(hit.has_value() == touch);
    FUZZ_CHECK(raycast_any(a, b) == touch);
  }
  return 0;
}
