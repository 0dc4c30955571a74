// The same set of points as two different shapes must get the same answers: hulls for everything linear and bounded, long segments for lines, radii for
// distances, children for compounds, triangles for meshes.
#include <gtest/gtest.h>

#include "property/instances.hpp"

namespace graze::test {
namespace {

/// Corners whose hull is the shape: linear, bounded, unplaced, whole numbers (so that sums are exact).
std::optional<std::vector<Vec3>> corners(const AnyShape& any) {
  std::optional<std::vector<Vec3>> out;
  std::visit(
      [&](const auto& s) {
        using S = std::remove_cvref_t<decltype(s)>;
        if constexpr (std::is_same_v<S, Point>) out = {s.point};
        if constexpr (std::is_same_v<S, Segment>) out = {s.a, s.b};
        if constexpr (std::is_same_v<S, Triangle>) out = {s.points[0], s.points[1], s.points[2]};
        if constexpr (std::is_same_v<S, Polygon> || std::is_same_v<S, Hull> || std::is_same_v<S, Frustum>)
          out = std::vector<Vec3>(s.points().begin(), s.points().end());
        if constexpr (std::is_same_v<S, Box>) out = closed_box(s.min, s.max).vertices;
        if constexpr (std::is_same_v<S, OrientedBox>) {
          out.emplace();
          for (int i = 0; i < 8; ++i) {
            Vec3 p = s.center;
            for (int k = 0; k < 3; ++k) p += (i >> k & 1 ? s.half[k] : -s.half[k]) * s.axes[static_cast<std::size_t>(k)];
            out->push_back(p);
          }
        }
        if constexpr (std::is_same_v<S, Wedge>) {
          const Vec3 o = s.corner, x = o + s.edges[0], y = o + s.edges[1];
          out = {o, x, y, o + s.edges[2], x + s.edges[2], y + s.edges[2]};
        }
        // unbounded shapes, cut off beyond the extent of all instances
        constexpr double far = 4096;
        if constexpr (std::is_same_v<S, Ray>) out = {s.origin, s.origin + far * s.direction};
        if constexpr (std::is_same_v<S, Line>) out = {s.origin - far * s.direction, s.origin + far * s.direction};
        if constexpr (std::is_same_v<S, Plane> || std::is_same_v<S, HalfSpace>) {
          const Vec3 n = s.normal, u = n.x != 0 || n.y != 0 ? Vec3(-n.y, n.x, 0) : Vec3(1, 0, 0);
          const Vec3 v(n.y * u.z - n.z * u.y, n.z * u.x - n.x * u.z, n.x * u.y - n.y * u.x);
          out.emplace();
          for (int i = 0; i < 4; ++i) out->push_back(s.point + (i & 1 ? far : -far) * u + (i & 2 ? far : -far) * v);
          if constexpr (std::is_same_v<S, HalfSpace>)
            for (int i = 0; i < 4; ++i) out->push_back((*out)[static_cast<std::size_t>(i)] - far * n);
        }
      },
      any.value());
  return out;
}

/// Checks that all queries of two arguments give the same answers for a and its equivalent e.
void expect_same(const Instance& a, const Instance& e, const Instance& b, Source& s, Failures& f, const std::string& what) {
  const auto ra = *a, re = *e, rb = *b;
  const bool hit = intersects(ra, rb), other = intersects(re, rb), bounded = curved(a.shape) || curved(e.shape) || curved(b.shape);
  const double x = closest(ra, rb).distance, y = closest(re, rb).distance;
  const double slack = bounded ? 2e-11 : 2.1e-15 * x + 0x1p-1073;
  f.expect(x == y || std::fabs(x - y) <= slack, what + " distance", a, b, [&] { return text(x) + ", the equivalent " + e.text() + " " + text(y); });
  if (bounded) return;
  f.expect(hit == other, what + " intersects", a, b,
           [&] { return "hit " + std::to_string(hit) + ", the equivalent " + e.text() + " " + std::to_string(other); });
  f.expect(intersects(rb, ra) == hit, what + " intersects, other way", a, b);
  const double d = s.size();
  f.expect(within(ra, rb, d) == within(re, rb, d), what + " within", a, b, [&] { return "d " + text(d) + " equivalent " + e.text(); });
}

TEST(Equivalents, HullsForLinearShapes) {
  all_pairs(Numbers::whole, 60, 11, false, [](const Instance& a, const Instance& b, Source& s, Failures& f) {
    const auto ca = corners(a.shape), cb = corners(b.shape);
    if (ca && !(unbounded(a.shape.kind()) && unbounded(b.shape.kind()))) expect_same(a, {Hull(*ca), std::nullopt}, b, s, f, "hull for the first:");
    if (cb && !(unbounded(a.shape.kind()) && unbounded(b.shape.kind()))) expect_same(b, {Hull(*cb), std::nullopt}, a, s, f, "hull for the second:");
  });
}

/// The queries that expect_same leaves out, against the hull of the corners; and the two halves of a parallelepiped against the whole.
TEST(Equivalents, HullsOfOnePointArePoints) {
  Failures f;
  Source s(26);
  for (int k = 0; k < kKinds; ++k)
    for (int i = 0; i < rounds(60); ++i) {
      s.reach = 1 + i % 4;
      s.numbers = i % 3 ? Numbers::whole : Numbers::hostile;
      const Instance b = random_instance(static_cast<Kind>(k), s);
      // Often near the surface: a corner or a witness; else anywhere.
      Vec3 p = s.vector();
      if (s.below(2)) p = closest(Point{p}, *b).on_b;
      if (!(std::fabs(p.x) < 64 && std::fabs(p.y) < 64 && std::fabs(p.z) < 64)) continue;
      std::optional<Pose> pose;
      if (s.below(2)) pose = exact_pose(s);
      const bool bounded = curved(b.shape);  // decided within a bound: only the very same set has the same answer
      const Instance point{Point{p}, pose}, hull{Hull(std::vector<Vec3>(bounded || i % 2 ? 1 : 2, p)), pose};  // of one or of two equal points
      const auto rp = *point, rh = *hull, rb = *b;
      const Vec3 motion = s.direction();
      const auto depth_of = [](const auto& found) { return found.empty() ? -1 : found[0].depth; };
      const auto near = [](double x, double y) { return x == y || std::fabs(x - y) <= 1e-9 * std::fabs(x) + 1e-13; };
      for (const bool swap : {false, true}) {
        const ShapeRef p1 = swap ? ShapeRef(rb) : ShapeRef(rp), p2 = swap ? ShapeRef(rp) : ShapeRef(rb), h1 = swap ? ShapeRef(rb) : ShapeRef(rh),
                       h2 = swap ? ShapeRef(rh) : ShapeRef(rb);
        const auto c = contacts(p1, p2), d = contacts(h1, h2);
        f.expect(c.size() == d.size() && near(depth_of(c), depth_of(d)), "contacts", hull, b, [&] { return text(depth_of(c)) + ", not " + text(depth_of(d)); });
        f.expect(manifold(p1, p2).size() == manifold(h1, h2).size(), "manifolds", hull, b);
        const PenetrationResult x = penetration(p1, p2), y = penetration(h1, h2);
        f.expect(x.reason == y.reason, "reason", hull, b);
        if (x.value && y.value) f.expect(near(x.value->depth, y.value->depth), "depth", hull, b);
        f.expect(intersects(p1, p2) == intersects(h1, h2), "intersects", hull, b);
        const double e = s.size();
        f.expect(within(p1, p2, e) == within(h1, h2, e), "within", hull, b);
        f.expect(near(closest(p1, p2).distance, closest(h1, h2).distance), "closest", hull, b);
        const auto t = sweep(p1, motion, p2), u = sweep(h1, motion, h2);
        f.expect(t.has_value() == u.has_value() && (!t || bounded || t->t == u->t), "sweep", hull, b, [&] { return text(motion); });
        const auto related = [](ShapeRef v, ShapeRef w) -> std::optional<Relation> {
          try {
            return relation(v, w);
          } catch (const Error&) {
            return std::nullopt;
          }
        };
        f.expect(related(p1, p2) == related(h1, h2), "relation", hull, b);
      }
    }
  EXPECT_TRUE(f.empty()) << f.text();
}

TEST(Equivalents, WedgesAreHullsAndHalvesOfBoxes) {
  all_kinds(Numbers::whole, 300, 17, true, [](const Instance& b, Source& s, Failures& f) {
    const Wedge wedge = instance<Wedge>(s);
    const auto& [x, y, z] = wedge.edges;
    const Wedge rest{wedge.corner + x + y, {-x, -y, z}};
    const OrientedBox box{wedge.corner + 0.5 * (x + y + z), {x, y, z}, Vec3(0.5, 0.5, 0.5)};
    const Hull hull(*corners(wedge));
    const Instance a{wedge, std::nullopt};
    const auto rb = *b;
    const Vec3 p = s.vector(), motion = s.vector();
    const double inside = signed_distance(p, wedge), in_hull = signed_distance(p, hull);
    f.expect(std::fabs(inside - in_hull) <= 2.1e-15 * std::fabs(in_hull), "depth of a point:", a, b,
             [&] { return text(p) + " " + text(inside) + ", the hull " + text(in_hull); });
    const Box bounds = bounding_box(wedge), of_hull = bounding_box(hull);
    f.expect(bounds.min == of_hull.min && bounds.max == of_hull.max, "bounds:", a, b);
    f.expect(bounding_sphere(wedge).radius >= bounding_sphere(hull).radius, "bounding sphere:", a, b);
    const Segment segment{p, p + motion};
    const auto ray = raycast(segment, wedge), ray_of_hull = raycast(segment, hull);
    f.expect(ray.has_value() == ray_of_hull.has_value() && (!ray || same(ray->t, ray_of_hull->t)), "segment:", a, {segment, std::nullopt});
    if (curved(b.shape)) return;
    f.expect(intersects(box, rb) == (intersects(wedge, rb) || intersects(rest, rb)), "halves of a box:", a, b);
    const auto hit = sweep(wedge, motion, rb), hit_of_hull = sweep(hull, motion, rb);
    f.expect(hit.has_value() == hit_of_hull.has_value() && (!hit || same(hit->t, hit_of_hull->t)), "sweep:", a, b, [&] { return text(motion); });
    if (of_triangles(b.shape.kind()) || b.shape.get<Compound>()) return;
    const auto depth = penetration(wedge, rb), depth_of_hull = penetration(hull, rb);
    f.expect(depth.value.has_value() == depth_of_hull.value.has_value() &&
                 (!depth.value || std::fabs(depth.value->depth - depth_of_hull.value->depth) <= 3e-9 * depth.value->depth),
             "penetration:", a, b);
  });
}

TEST(Equivalents, RadiiForDistances) {
  all_kinds(Numbers::whole, 200, 12, true, [](const Instance& a, Source& s, Failures& f) {
    if (curved(a.shape)) return;
    const Sphere ball = instance<Sphere>(s);
    const Capsule capsule = instance<Capsule>(s);
    const auto ra = *a;
    const double d = s.size();
    const Instance b{ball, std::nullopt}, c{capsule, std::nullopt};
    f.expect(intersects(ball, ra) == within(Point{ball.center}, ra, ball.radius), "a ball is a point with reach:", b, a);
    f.expect(intersects(capsule, ra) == within(Segment{capsule.a, capsule.b}, ra, capsule.radius), "a capsule is a segment with reach:", c, a);
    f.expect(within(ball, ra, d) == within(Point{ball.center}, ra, ball.radius + d), "within of a ball:", b, a, [&] { return text(d); });
    f.expect(within(ra, capsule, d) == within(Segment{capsule.a, capsule.b}, ra, capsule.radius + d), "within of a capsule:", c, a, [&] { return text(d); });
  });
}

TEST(Equivalents, DegenerateShapesAreTheSimplerOnes) {
  for (const Numbers n : {Numbers::whole, Numbers::hostile}) {
    all_kinds(n, 60, 13, true, [n](const Instance& b, Source& s, Failures& f) {
      const Vec3 p = s.vector(), q = s.vector(), r = s.vector();
      const double radius = s.size();
      const Instance point{Point{p}, std::nullopt}, segment{Segment{p, q}, std::nullopt}, triangle{Triangle{{p, q, r}}, std::nullopt},
          ball{Sphere{p, radius}, std::nullopt};
      const auto same_as = [&](const Instance& simple, AnyShape shape, const char* what) {
        expect_same({std::move(shape), std::nullopt}, simple, b, s, f, what);
      };
      same_as(point, Sphere{p, 0}, "ball without radius:");
      same_as(point, Segment{p, p}, "segment of one point:");
      same_as(point, Capsule{p, p, 0}, "capsule of one point:");
      same_as(point, Box{p, p}, "box of one point:");
      same_as(point, OrientedBox{p, {q, r, q}, {0, 0, 0}}, "oriented box without size:");
      same_as(point, OrientedBox{p, {Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0)}, {1, 2, 3}}, "oriented box without axes:");
      same_as(point, Hull{p, p, p}, "hull of one point:");
      same_as(point, Wedge{p, {Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0)}}, "wedge without edges:");
      same_as(point, Triangle{{p, p, p}}, "triangle of one point:");
      same_as(point, Polygon{p, p, p, p}, "polygon of one point:");
      same_as(point, Frustum(std::vector<Vec3>(8, p)), "frustum of one point:");
      same_as(point, Mesh(MeshData{{p}, {{0, 0, 0}}, {}}), "mesh of one point:");
      same_as(point, Solid(Mesh(MeshData{{p}, {{0, 0, 0}}, {}})), "solid of one point:");
      same_as(segment, Segment{q, p}, "segment the other way:");
      same_as(segment, Capsule{p, q, 0}, "capsule without radius:");
      same_as(segment, Hull{q, p, q}, "hull of two points:");
      same_as(segment, Triangle{{p, q, q}}, "triangle of two points:");
      same_as(segment, Polygon{p, q, p}, "polygon of two points:");
      same_as(segment, Mesh(MeshData{{p, q}, {{0, 1, 0}}, {}}), "mesh of two points:");
      same_as(ball, Capsule{p, p, radius}, "capsule of equal ends:");
      same_as(triangle, Hull{r, p, q}, "hull of three points:");
      same_as(triangle, Polygon{p, q, r}, "polygon of three points:");
      same_as(triangle, Mesh(MeshData{{p, q, r}, {{2, 1, 0}}, {}}), "mesh of a triangle:");
      same_as(triangle, Solid(Mesh(MeshData{{p, q, r}, {{0, 1, 2}, {0, 2, 1}}, {}})), "solid without volume:");
      const Box box = instance<Box>(s);
      const MeshData surface = closed_box(box.min, box.max);
      const Instance cube{box, std::nullopt};
      same_as(cube, Hull(surface.vertices), "hull of a box's corners:");
      same_as(cube, Solid(Mesh(surface)), "solid of a box's surface:");
      if (n == Numbers::whole)
        same_as(
            cube,
            OrientedBox{
                box.center(), {Vec3(0, 1, 0), Vec3(0, 0, -1), Vec3(1, 0, 0)}, 0.5 * Vec3(box.max.y - box.min.y, box.max.z - box.min.z, box.max.x - box.min.x)},
            "oriented box along the axes:");
      const HeightField field = instance<HeightField>(s);
      same_as({Mesh(field.mesh()), std::nullopt}, field, "height field:");
      const Frustum view = instance<Frustum>(s);
      same_as({view.hull(), std::nullopt}, view, "frustum:");
    });
  }
}

/// Curved shapes of radius 0 equal segments; other curved shapes lie between an inner and an outer shape.
TEST(Equivalents, CurvedShapesLieBetweenRoundOnes) {
  all_kinds(Numbers::real, 60, 14, true, [](const Instance& b, Source& s, Failures& f) {
    const auto rb = *b;
    constexpr double tolerance = 2e-11;  // 1e-12 of the largest extent
    const auto between = [&](AnyShape inner, AnyShape shape, AnyShape outer, const char* what) {
      const Instance i{std::move(shape), std::nullopt};
      const double d = closest(*i, rb).distance, least = closest(outer, rb).distance, most = closest(inner, rb).distance;
      f.expect(d <= most + tolerance && d >= least - tolerance, what, i, b, [&] { return text(d) + " is not between " + text(least) + " and " + text(most); });
    };
    const Cylinder cylinder = instance<Cylinder>(s);
    between(Segment{cylinder.a, cylinder.b}, cylinder, Capsule{cylinder.a, cylinder.b, cylinder.radius}, "cylinder inside its capsule:");
    between(Segment{cylinder.a, cylinder.b}, Cylinder{cylinder.a, cylinder.b, 0}, Segment{cylinder.a, cylinder.b}, "cylinder without radius:");
    between(Segment{cylinder.a, cylinder.b}, Cone{cylinder.a, cylinder.b, 0}, Segment{cylinder.a, cylinder.b}, "cone without radius:");
    between(Cone{cylinder.a, cylinder.b, cylinder.radius}, cylinder, Capsule{cylinder.a, cylinder.b, cylinder.radius}, "cone inside its cylinder:");
    between(Segment{cylinder.a, cylinder.b}, Cone{cylinder.a, cylinder.b, cylinder.radius}, cylinder, "cone inside its cylinder:");
    const Ellipsoid e = instance<Ellipsoid>(s);
    const double lo = std::min({e.radii.x, e.radii.y, e.radii.z}), hi = std::max({e.radii.x, e.radii.y, e.radii.z});
    between(Sphere{e.center, lo}, e, Sphere{e.center, hi}, "ellipsoid between balls:");
    between(Sphere{e.center, lo}, Ellipsoid{e.center, {lo, lo, lo}}, Sphere{e.center, lo}, "ellipsoid that is a ball:");
    between(Segment{e.center - Vec3(lo, 0, 0), e.center + Vec3(lo, 0, 0)}, Ellipsoid{e.center, {lo, 0, 0}},
            Segment{e.center - Vec3(lo, 0, 0), e.center + Vec3(lo, 0, 0)}, "ellipsoid that is a segment:");
  });
}

/// All queries of a truncated cone with equal radii, or with one radius 0, against those of the cylinder or cone.
TEST(Equivalents, TruncatedConesInTheirLimits) {
  all_kinds(Numbers::real, 100, 18, true, [](const Instance& b, Source& s, Failures& f) {
    const auto rb = *b;
    const Cone cone = instance<Cone>(s);
    const Vec3 p = s.vector(), motion = s.vector();
    constexpr double tolerance = 2e-11;
    const auto same_as = [&](const AnyShape& simple, const TruncatedCone& truncated) {
      const Instance a{truncated, std::nullopt}, e{simple, std::nullopt};
      const double d = closest(truncated, rb).distance, of_simple = closest(simple, rb).distance;
      if (of_simple == INFINITY) return;  // b is an empty compound
      f.expect(std::fabs(d - of_simple) <= tolerance, "distance:", a, b, [&] { return text(d) + ", " + e.text() + " " + text(of_simple); });
      f.expect(within(truncated, rb, of_simple + tolerance), "within:", a, b);
      f.expect(!intersects(truncated, rb) || within(simple, rb, tolerance), "intersects:", a, b);
      f.expect(std::fabs(signed_distance(p, truncated) - signed_distance(p, simple)) <= tolerance, "depth of a point:", a, b, [&] { return text(p); });
      const Box bounds = bounding_box(truncated), of_bounds = bounding_box(simple);
      f.expect(bounds.min == of_bounds.min && bounds.max == of_bounds.max, "bounds:", a, b);
      f.expect(same(bounding_sphere(truncated).radius, bounding_sphere(simple).radius), "bounding sphere:", a, b);
      const Segment segment{p, p + motion};
      const auto ray = raycast(segment, truncated), ray_of_simple = raycast(segment, simple);
      if (ray && ray_of_simple) {
        f.expect(std::fabs(ray->t - ray_of_simple->t) <= 1e-9, "segment:", a, {segment, std::nullopt});
        const Vec3 n = ray->normal.value_or(Vec3(0, 0, 0)) - ray_of_simple->normal.value_or(Vec3(0, 0, 0));
        f.expect(std::max({std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)}) <= 1e-6, "normal:", a, {segment, std::nullopt});
      }
      f.expect(ray.has_value() == ray_of_simple.has_value(), "segment:", a, {segment, std::nullopt});
      const auto hit = sweep(truncated, motion, rb), hit_of_simple = sweep(simple, motion, rb);
      f.expect(hit.has_value() == hit_of_simple.has_value(), "sweep:", a, b, [&] { return text(motion); });
    };
    same_as(Cylinder{cone.a, cone.b, cone.radius}, TruncatedCone{cone.a, cone.b, cone.radius, cone.radius});
    same_as(cone, TruncatedCone{cone.a, cone.b, cone.radius, 0});
    same_as(cone, TruncatedCone{cone.b, cone.a, 0, cone.radius});
  });
}

TEST(Equivalents, CompoundIsTheUnionOfItsChildren) {
  for (const Numbers n : {Numbers::whole, Numbers::real}) {
    all_kinds(n, 100, 15, true, [](const Instance& b, Source& s, Failures& f) {
      const Compound whole = instance<Compound>(s);
      const Instance a{whole, std::nullopt};
      const auto rb = *b;
      bool hit = false, near = false;
      double least = INFINITY;
      const double d = s.size();
      for (const Compound::Child& c : whole.children()) {
        const auto child = at(c.shape, c.pose);
        hit = hit || intersects(child, rb);
        near = near || within(child, rb, d);
        least = std::min(least, closest(child, rb).distance);
      }
      f.expect(hit == intersects(a.shape, rb), "compound intersects", a, b);
      f.expect(near == within(rb, a.shape, d), "compound within", a, b);
      const double distance = closest(a.shape, rb).distance;
      f.expect(same(distance, least), "compound distance", a, b, [&] { return text(distance) + ", the least of the children " + text(least); });
    });
  }
}

TEST(Equivalents, MeshIsTheUnionOfItsTriangles) {
  for (const Numbers n : {Numbers::whole, Numbers::real, Numbers::hostile}) {
    all_kinds(n, 100, 16, true, [](const Instance& b, Source& s, Failures& f) {
      const bool field = s.below(2);
      const AnyShape shape = field ? AnyShape(instance<HeightField>(s)) : AnyShape(instance<Mesh>(s));
      const Mesh mesh = field ? shape.get<HeightField>()->mesh() : *shape.get<Mesh>();
      const Instance a{shape, std::nullopt};
      const auto rb = *b;
      bool hit = false, near = false;
      double least = INFINITY;
      const double d = s.size();
      for (const auto& t : mesh.triangles()) {
        const Triangle triangle{{mesh.vertices()[t[0]], mesh.vertices()[t[1]], mesh.vertices()[t[2]]}};
        hit = hit || intersects(triangle, rb);
        near = near || within(triangle, rb, d);
        least = std::min(least, closest(triangle, rb).distance);
      }
      f.expect(hit == intersects(a.shape, rb), "mesh intersects", a, b);
      f.expect(near == within(rb, a.shape, d), "mesh within", a, b);
      const double distance = closest(a.shape, rb).distance, slack = curved(b.shape) ? 2e-11 : 2.1e-15 * least;
      f.expect(distance == least || std::fabs(distance - least) <= slack, "mesh distance", a, b,
               [&] { return text(distance) + ", the least of the triangles " + text(least); });
    });
  }
}

}  // namespace
}  // namespace graze::test
