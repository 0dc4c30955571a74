// Fuzzes queries on two small meshes: the trees must find what brute force over all pairs of triangles finds.
#include "fuzz_input.hpp"

using namespace graze;

namespace {
Triangle triangle_of(const Mesh& m, std::size_t i) {
  const auto& t = m.triangles()[i];
  return Triangle{{m.vertices()[t[0]], m.vertices()[t[1]], m.vertices()[t[2]]}};
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input in(data, size);
  const Mesh a = in.mesh(1 + in.byte() % 12), b = in.mesh(1 + in.byte() % 12);
  std::vector<TrianglePair> all;
  for (std::uint32_t i = 0; i < a.size(); ++i)
    for (std::uint32_t j = 0; j < b.size(); ++j)
      if (intersects(triangle_of(a, i), triangle_of(b, j))) all.push_back({i, j});
  FUZZ_CHECK(intersecting_triangles(a, b) == all);
  FUZZ_CHECK(intersects(a, b) == !all.empty());
  FUZZ_CHECK(intersects(b, a) == !all.empty());
  FUZZ_CHECK((closest(a, b).distance == 0) == !all.empty());

  const Ray ray{in.vector(), in.direction()};
  std::optional<Hit> first;
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    const auto hit = raycast(ray, triangle_of(a, i));
    if (hit && (!first || hit->t < first->t)) first = hit;
  }
  const auto found = raycast(ray, a);
  FUZZ_CHECK(found.has_value() == first.has_value());
  FUZZ_CHECK(!found || found->t == first->t);

  const MeshReport report = check(a);
  bool accepted = true;
  try {
    const Solid s = solid(a);
    for (const Vec3& v : a.vertices().subspan(0, 1)) (void)contains(s, v);
    for (std::size_t i = 0; i < a.size(); ++i) FUZZ_CHECK(intersects(s, triangle_of(a, i)));
  } catch (const Error&) {
    accepted = false;
  }
  FUZZ_CHECK(accepted == report.solid);
  return 0;
}
