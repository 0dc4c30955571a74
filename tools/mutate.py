#!/usr/bin/env python3
"""Mutation test: breaks one thing at a time in a copy of the sources and expects a test to fail.

  tools/mutate.py [--build DIR] [--only REGEX] [--sample N] [--minutes M] [--list | --check]

Each mutation names the file, a text that must occur there exactly once, its replacement, and the test programs that must fail. DIR (default build/mutate)
is kept between runs. Exit status 1 if a mutation survives, or no longer applies. --check only checks whether each still applies."""
import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# name, file, old, new, test programs (folders of tests/)
MUTATIONS = [
    (
        "postures: bounding balls a hundredth smaller",
        "src/scene/postures.cpp",
        "return radius + kPlacedShare * (radius + 2 * taxicab(p.point) + inner);",
        "return 0.99 * radius + kPlacedShare * (radius + 2 * taxicab(p.point) + inner);",
        ["scene"],
    ),
    (
        "postures: the place of an oriented box taken as exact",
        "src/scene/posture_kernels.cpp",
        "const V more = (max_norm(t) + reach) * kPlacedShare + doubt;",
        "const V more = (max_norm(t) + reach) * 0.0 - doubt;",
        ["scene"],
    ),
    (
        "closest of compounds: ties to a later child",
        "src/query/closest.cpp",
        "(c.distance == best.distance && (later || c.distance == kInfinity))",
        "(c.distance == best.distance && (!later || c.distance == kInfinity))",
        ["query"],
    ),
    ("orient3d: filter bound x 0.01", "src/exact/predicates.cpp", "(7.0000001 * kUnitRoundoff)", "(0.070000001 * kUnitRoundoff)", ["exact"]),
    ("orient2d: filter bound x 0.01", "src/exact/predicates.cpp", "(3.0000001 * kUnitRoundoff)", "(0.030000001 * kUnitRoundoff)", ["exact"]),
    (
        "orient3d: a grid 8 times as fine taken for exact",
        "src/exact/predicates.cpp",
        "c.x, c.y, c.z, d.x, d.y, d.z}, far, 15)",
        "c.x, c.y, c.z, d.x, d.y, d.z}, far, 25)",
        ["exact"],
    ),
    (
        "equal surfaces: how often triangles occur left out",
        "src/mesh/arrangement/equal_surfaces.cpp",
        "return kind != kinds.kNone && left[kind]-- != 0;",
        "return kind != kinds.kNone;",
        ["mesh"],
    ),
    (
        "running bounds: a hundredth of the rounding of sums",
        "src/exact/approx.hpp",
        "a.v + b.v;\n  return {v, (a.e + b.e) + std::fabs(v) * kUnitRoundoff};",
        "a.v + b.v;\n  return {v, (a.e + b.e) + std::fabs(v) * kUnitRoundoff * 0.01};",
        ["exact"],
    ),
    (
        "running bounds: a hundredth of the rounding of products",
        "src/exact/approx.hpp",
        "(std::fabs(v) * kUnitRoundoff + 0x1p-1073)",
        "(std::fabs(v) * kUnitRoundoff * 0.01 + 0x1p-1073)",
        ["exact"],
    ),
    (
        "germs: rays along which sectors cross left out",
        "src/mesh/arrangement/germs.cpp",
        "if (Place::dot(d, Place::meeting(rays_[y.from], rays_[y.to], rays_[x.from], rays_[x.to])) > 0) number_of(d);",
        "(void)d;",
        ["mesh"],
    ),
    (
        "germs: needles left out",
        "src/mesh/arrangement/germs.cpp",
        "for (const Needle& x : needles_) add(x, found);",
        "",
        ["mesh"],
    ),
    (
        "relation: triangles joined across branched edges",
        "src/mesh/arrangement/body_relation.cpp",
        "if (u.count == 2 && !cut[u.first]",
        "if (u.count >= 2 && !cut[u.first]",
        ["mesh"],
    ),
    ("rounded boxes: the rounding of the centre left out", "src/pairs/detail/rounded_box.hpp", "r.off = 6 *", "r.off = 0 *", ["query"]),
    (
        "curved depth: any place taken where the surface is perpendicular to its direction",
        "src/convex/depth/depth_in_doubles.cpp",
        "if (height(n) <= at_face) return -n;",
        "return -n;",
        ["convex"],
    ),
    (
        "curved bounds: the motion left out",
        "src/convex/curved/curved.cpp",
        "if (c.moves()) set.add_segment(c.motion, c.motion_from, c.motion_to);",
        "",
        ["query"],
    ),
    (
        "crossing: edges in one plane left out",
        "src/mesh/arrangement/crossing.cpp",
        "if (of == 0 && from == 0 && to == 0) cross_in_plane(k);",
        "",
        ["mesh"],
    ),
    (
        "clearing: ends of slides left out",
        "src/mesh/arrangement/gaps_along.cpp",
        "crossings.slide_ends.push_back(e.interval.hi);",
        "",
        ["mesh"],
    ),
    (
        "relation: triangles joined that belong to other surfaces",
        "src/mesh/arrangement/body_relation.cpp",
        " && united.of[u.first] == united.of[u.second]) sets.join",
        ") sets.join",
        ["mesh"],
    ),
    (
        "united triangles: outlines compared without their directions",
        "src/mesh/arrangement/united_triangles.cpp",
        "if (!same_place(s[k], t[k]) || (s[k].forward != t[k].forward) != opposite) return false;",
        "if (!same_place(s[k], t[k])) return false;",
        ["mesh"],
    ),
    (
        "relation: crossings of a surface with itself left out",
        "src/mesh/arrangement/body_relation.cpp",
        "if (!examine() && unknown()) examine_crossings();",
        "examine();",
        ["mesh"],
    ),
    (
        "containment: faces of the smaller radius not kept away from",
        "src/convex/containment/containment.cpp",
        "compare_distance(corner, face, -b.radius) >= 0",
        "compare_distance(corner, face, -b.radius) >= -1",
        ["query"],
    ),
    (
        "curved pieces: targets not grown",
        "src/convex/containment/curved_pieces.hpp",
        "std::max(pair.extent() * 0x1p-43, 0x1p-84)",
        "std::max(pair.extent() * 0x1p-200, 0x1p-200)",
        ["convex"],
    ),
    (
        "curved pieces: parts beyond the end of a capsule left out",
        "src/convex/containment/curved_pieces.cpp",
        "return end_is_inside(a, axis, beyond_a) && end_is_inside(b, -axis, beyond_b);",
        "return true;",
        ["convex"],
    ),
    (
        "quadratic on a sphere: upper bound taken for a lower one",
        "src/convex/curved/quadratic_on_sphere.cpp",
        "rounded(value - (hi - lo)) > error - 0.75 * m",
        "rounded(value) > error - 0.75 * m",
        ["convex"],
    ),
    (
        "filter tier inverted",
        "src/exact/tiered.hpp",
        "    ++predicate_counts().filter;\n    return s;\n  }\n  return sign_by_integers",
        "    ++predicate_counts().filter;\n    return -s;\n  }\n  return sign_by_integers",
        ["exact"],
    ),
    ("fixed tier inverted", "src/exact/tiered.hpp", "return sign_of(formula(nx, ny));", "return -sign_of(formula(nx, ny));", ["exact"]),
    (
        "wide fixed tier inverted",
        "src/exact/tiered.hpp",
        "return sign_of(formula(tx.integers(), ty.integers()));",
        "return -sign_of(formula(tx.integers(), ty.integers()));",
        ["exact"],
    ),
    ("big tier inverted", "src/exact/tiered.hpp", "  return sign_of(formula(bx, by));", "  return -sign_of(formula(bx, by));", ["exact"]),
    ("numbers that 61 bits do not hold", "src/exact/tiered.hpp", "exact &= static_cast<double>(v) == y;", "exact &= v <= v + (y > 0);", ["exact"]),
    ("fixed-width window too wide", "src/exact/tiered.hpp", "if (bits <= 126) {", "if (bits <= 2000) {", ["exact"]),
    (
        "one side: the kernels confuse front and back",
        "src/mesh/kernels/ray_kernels.cpp",
        "r.inverse_z < 0 ? hits.positive",
        "r.inverse_z > 0 ? hits.positive",
        ["query"],
    ),
    ("one side: undecided triangles all count", "src/mesh/queries/ray_queries.cpp", "time && counts(ray, t, view.mesh->index_at(at), view)", "time", ["query"]),
    ("filter: the kernels do not ask", "src/mesh/kernels/ray_kernels.cpp", "if (choice.accepts == nullptr) return;", "return;", ["query"]),
    (
        "choice: hits of a sweep that do not count bound its time",
        "src/sweep/linear/surface_sweep.cpp",
        "pair.line ? std::optional(0.0) : std::nullopt",
        "std::nullopt",
        ["sweep"],
    ),
    ("close pairs: boxes not grown by the bound", "src/mesh/kernels/close_pair_kernels.cpp", "(pad_a + margin) *", "pad_a *", ["mesh"]),
    (
        "close pairs: the bound of a direction is too small",
        "src/mesh/kernels/close_pair_kernels.cpp",
        "limit = squared_limit(far);",
        "limit = squared_limit(far * 0.9);",
        ["mesh"],
    ),
    ("closed depths: bound taken away", "src/convex/depth/zonotope_depth.cpp", "kSlack = 32 * kUnitRoundoff", "kSlack = 0", ["convex"]),
    ("closed depths: shallow boxes count as deep", "src/convex/axes/box_axes_kernels.cpp", "!(2 * error <= best * boxes.certain)", "false", ["convex"]),
    (
        "closed depths: the nearest point is not certified",
        "src/convex/depth/gap_depth.hpp",
        "(value + error) - (reach - length - error) <= value * kDepthGap",
        "value > 0",
        ["convex"],
    ),
    ("closed depths: shallow balls count as deep", "src/convex/depth/gap_depth.hpp", "!(2 * error <= value * kDepthGap)", "!(value > 0)", ["convex"]),
    (
        "closed depths: pairs of edges follow any face",
        "src/convex/depth/zonotope_depth.cpp",
        "theta * theta * value <= kFollow * value",
        "theta * theta * value <= value",
        ["convex"],
    ),
    (
        "hint: other faces may be nearer",
        "src/convex/depth/depth_in_doubles.cpp",
        "clear_but(name, height + clear + kFaceError,",
        "clear_but(name, -1,",
        ["query"],
    ),
    ("patch: the faces of boxes are not clipped", "src/convex/depth/box_patch.hpp", "- 1 <= slack ||", "- 1 <= 1e9 * slack + 1e9 ||", ["query"]),
    (
        "patch: the reference face is not clipped",
        "src/convex/depth/contact_patch.cpp",
        "if (inner.count > 1 && outer.is_face())",
        "if (inner.count > 64)",
        ["query"],
    ),
    ("rays past hulls: slack taken away", "src/convex/time/raycast_hull.cpp", "kPassSlack = 16 * kUnitRoundoff", "kPassSlack = 0", ["convex"]),
    ("rays at boxes: bound of the slabs taken away", "src/convex/time/box_slabs.hpp", "kSlabSlack = 8192 * kUnitRoundoff", "kSlabSlack = 0", ["convex"]),
    ("rays at boxes: bound of the time taken away", "src/convex/time/box_slabs.hpp", "kEntrySlack = 0x1p-97", "kEntrySlack = 0", ["convex"]),
    ("rays at balls: bound of the time taken away", "src/convex/time/raycast_fast.cpp", "kBallSlack = 0x1p-96", "kBallSlack = 0", ["convex"]),
    ("rays at hulls: bound of the facet taken away", "src/convex/time/raycast_hull.cpp", "kFacetSlack = 64 * kUnitRoundoff", "kFacetSlack = 0", ["convex"]),
    ("rays past capsules: the end is taken for the middle", "src/convex/time/raycast_fast.cpp", "if (sign_of(km - mm) != 1) return false;", "", ["convex"]),
    (
        "rays past balls: those that end at the surface",
        "src/convex/time/raycast_fast.cpp",
        "return sign_of(end) == -1 && sign_of((end + b)",
        "return sign_of(end) == -1 || sign_of((end + b)",
        ["convex"],
    ),
    ("generic decision: plane's slack taken away", "src/convex/decide/decide.cpp", "(64 * u);", "(0.0 * u);", ["convex"]),
    (
        "generic decision: reach's slack taken away",
        "src/convex/decide/decide.cpp",
        "if (norm + 48 * u < reach * (1 - 8 * u))",
        "if (norm - 48 * u < reach * (1 - 8 * u))",
        ["convex"],
    ),
    (
        "generic decision: a determinant of the tetrahedron inverted",
        "src/convex/gjk/gjk.hpp",
        "-dot(cross(w[0], w[2]), w[3])",
        "dot(cross(w[0], w[2]), w[3])",
        ["convex"],
    ),
    (
        "closest: a common point far from both shapes",
        "src/convex/decide/closest.cpp",
        "<= 0x1p-52 * largest",
        "<= 0x1p-20 * largest",
        ["convex"],
    ),
    (
        "hulls: bound of all points x 0.01",
        "src/shapes/hull_builder.cpp",
        "f.bound = bound_of(f, extent_);",
        "f.bound = 0.01 * bound_of(f, extent_);",
        ["shapes"],
    ),
    (
        "tree: boxes rounded to nearest, not outward",
        "src/bvh/wide_bvh.cpp",
        "q.lo[i] = float_below(frame_.to_local(box.lo[i], i));",
        "q.lo[i] = static_cast<float>(frame_.to_local(box.lo[i], i));",
        ["bvh", "mesh"],
    ),
    (
        "tree: triangles' boxes rounded to nearest, not outward",
        "src/mesh/kernels/construct_kernels.cpp",
        "hn::Set(du, 1u);  // away",
        "hn::Set(du, 0u);  // away",
        ["mesh"],
    ),
    (
        "batches of triangle pairs: bounds x 0.01",
        "src/pairs/detail/batch_kernels.cpp",
        "constexpr double u = 0x1p-53;",
        "constexpr double u = 0x1p-60;",
        ["query"],
    ),
    ("sphere, oriented box: slack x 0.01", "src/pairs/detail/obb_generators.hpp", "kSphereBoxSlack = 16 *", "kSphereBoxSlack = 0.16 *", ["pairs"]),
    ("capsule, oriented box: slack x 0.01", "src/pairs/detail/obb_generators.hpp", "kCapsuleBoxSlack = 24 *", "kCapsuleBoxSlack = 0.24 *", ["pairs"]),
    ("segment, oriented box: bound x 0.01", "src/pairs/detail/obb_generators.hpp", "kSegmentBoxSlack = 96 *", "kSegmentBoxSlack = 0.96 *", ["pairs"]),
    ("oriented boxes: bound of one axis x 0.01", "src/pairs/obb_obb.cpp", "kAxisSlack = 16;", "kAxisSlack = 0.16;", ["pairs"]),
    ("balls near contact: slack x 0.01", "src/pairs/sphere_sphere-inl.hpp", "kCloseBallsSlack = 16;", "kCloseBallsSlack = 0.16;", ["pairs"]),
    ("triangle pairs: common bound x 0.002", "src/pairs/triangle_triangle.cpp", "(43 * kUnitRoundoff)", "(0.1 * kUnitRoundoff)", ["pairs"]),
    (
        "mesh against mesh: slack of floats x 0.01",
        "src/mesh/kernels/leaf_pairs-inl.hpp",
        "error + 32 * 0x1p-24f * (span",
        "0.01f * error + 0.01f * 0x1p-24f * (span",
        ["mesh"],
    ),
    (
        "small shapes against meshes: error of floats x 0.002",
        "src/mesh/kernels/convex_kernels.cpp",
        "c.error + 64 * kUnit * (far",
        "0.01 * c.error + 0.1 * kUnit * (far",
        ["mesh"],
    ),
    (
        "oriented boxes: no room for roundings",
        "src/mesh/oriented_boxes.cpp",
        "(0x1p-16f * 1.01f * largest + 0x1p-21f)",
        "(0.0f * largest)",
        ["mesh"],
    ),
    ("oriented boxes: half sizes of children left out", "src/mesh/oriented_boxes.cpp", "half += std::fabs(", "half += 0.5f * std::fabs(", ["mesh"]),
    (
        "nearest pair: gaps of boxes x 1.1",
        "src/mesh/kernels/nearest_pair_kernels.cpp",
        "hn::Max(hn::Max(sum_x, sum_y), along * along) * hn::Set(d, 1 - 0x1p-18f)",
        "hn::Max(hn::Max(sum_x, sum_y), along * along) * hn::Set(d, 1.21f)",
        ["mesh"],
    ),
    (
        "nearest pair: a split frame loses pairs",
        "src/mesh/kernels/nearest_pair_kernels.cpp",
        "if (moves) std::swap(from, to);",
        "if (moves) from = kNoPair;",
        ["determinism"],
    ),
    ("crossings: error of turns left out", "src/mesh/kernels/crossing_kernels.cpp", "turn_error = e * (m", "turn_error = e * hn::Set(d, 0.0) * (m", ["mesh"]),
    (
        "crossings: error of heights left out",
        "src/mesh/kernels/crossing_kernels.cpp",
        "sum_error = (turn_error",
        "sum_error = hn::Set(d, 0.0) * (turn_error",
        ["mesh"],
    ),
    (
        "blocks of triangles: error of corners x 0.01",
        "src/mesh/kernels/triangle_blocks.hpp",
        "kBlockError = 0x1p-25 + 0x1p-50;",
        "kBlockError = 0x1p-32;",
        ["mesh", "sweep"],
    ),
    (
        "sweeps: corners within the ball, bound left out",
        "src/mesh/kernels/sweep_kernels.cpp",
        "hn::Set(dd, 64 * u * r.size) <= hn::Set(dd, r.radius_lo);",
        "hn::Set(dd, 0.0) <= hn::Set(dd, r.radius_hi);",
        ["sweep"],
    ),
    (
        "sweeps: triangles of leaves left out, radius x 0.99",
        "src/mesh/kernels/sweep_kernels.cpp",
        "set(r.tube_thin * (1 + 0x1p-20f))",
        "set(r.tube_thin * 0.99f)",
        ["sweep"],
    ),
    (
        "times of balls: bound of the residual left out",
        "src/sweep/linear/round_time.cpp",
        "2 * (error + size * slope_error)",
        "0x1p-40 * (error + size * slope_error)",
        ["sweep"],
    ),
    (
        "times of balls: the point of contact anywhere on the edge's line",
        "src/sweep/linear/round_time.cpp",
        "along > wide && square - along > wide + length * length * 0x1p-48",
        "along * 0 == 0 && wide >= 0",
        ["sweep"],
    ),
    (
        "sweeps of boxes: overlap without a margin proves contact",
        "src/mesh/kernels/sweep_kernels.cpp",
        "reach - (wide + wide + wide + terms * hn::Set(dd, 64 * u * r.size))",
        "reach + wide",
        ["sweep"],
    ),
    (
        "times of polytopes: the point of contact anywhere in the face's plane",
        "src/sweep/linear/polytope_time.cpp",
        "if (!(w0 > by0 && w1 > by1)) return Certain::unknown;",
        "if (!(w0 * 0 == 0 && by0 + by1 >= 0)) return Certain::unknown;",
        ["sweep"],
    ),
    (
        "polytopes: an axis that nearly separates counts as one of overlap",
        "src/convex/axes/polytopes_meet.cpp",
        "return gap < -area * size * 0x1p-46 ? Along::overlap",
        "return gap < area * size * 0x1p-46 ? Along::overlap",
        ["convex"],
    ),
    (
        "polytopes: flat differences have enough axes",
        "src/convex/axes/polytopes_meet.cpp",
        "return all && axes.solid() ?",
        "return all || axes.solid() ?",
        ["convex"],
    ),
    (
        "ties of contacts: corners may differ along every axis",
        "src/sweep/linear/earliest_contact.cpp",
        "ignore[i] = p.flat[i] && q.flat[i];",
        "ignore[i] = p.flat[i] || q.flat[i];",
        ["sweep"],
    ),
    (
        "placements: corners next to the contact's plane count as below",
        "src/sweep/linear/safe_placement.cpp",
        "if (!(level.hi > 0x1p-96 * (taxicab(c_.base(i) - q) + sizes_))) return false;",
        "if (!(level.hi > -1)) return false;",
        ["sweep"],
    ),
    (
        "tree: the lowest item below a node is that of its own leaves",
        "src/bvh/build.cpp",
        "node.lowest = std::min(node.lowest, nodes_[node.child[std::countr_zero(inner)]].lowest);",
        "(void)inner;",
        ["sweep"],
    ),
    (
        "rays: ties go to the highest triangle",
        "src/mesh/queries/ray_queries.cpp",
        "(order == 0 && index > best->triangle)",
        "(order == 0 && index < best->triangle)",
        ["mesh"],
    ),
    (
        "rays in waves: what may be hit is not decided",
        "src/mesh/queries/ray_queries.cpp",
        "decide_first(traversal[lane.ray], view, rays[lane.ray]);",
        "(void)rays;",
        ["query"],
    ),
    (
        "all hits: those whose enclosures overlap are not compared exactly",
        "src/mesh/queries/ray_queries.cpp",
        "if (end - begin > 1) sort_exactly(ray, hits.subspan(begin, end - begin));",
        "(void)ray;",
        ["mesh"],
    ),
    (
        "all hits: those beyond the room of a traversal are forgotten",
        "src/mesh/queries/ray_queries.cpp",
        "if (s.ray == number) many_.push_back(s.hit);",
        "(void)s;",
        ["mesh"],
    ),
    (
        "times of hits: the error of the product left out",
        "src/pairs/detail/ray_hit-inl.hpp",
        "(m_r * (9.1 * u) + sum_m",
        "(m_r * (0.01 * u) + sum_m",
        ["pairs"],
    ),
    ("generic decision: filter inverted", "src/convex/decide/decide.cpp", "return c == Certain::yes;", "return c != Certain::yes;", ["convex"]),
    (
        "generic decision: exact tier takes touching for apart",
        "src/convex/decide/decide.cpp",
        "proposal, true) <= 0;",
        "proposal, true) < 0;",
        ["convex"],
    ),
    (
        "distance: bounds from both sides not compared",
        "src/convex/decide/closest.cpp",
        "const double tolerance = distance.hi * 0x1p-54 - 2 * kSlack;",
        "const double tolerance = distance.hi * 0x1p-30;",
        ["convex"],
    ),
    (
        "distance: lower bound without what other vertices gain",
        "src/convex/decide/closest.cpp",
        "((dot(normal, v.w) + descent(pair, normal, v.g)) / length).hi);",
        "(square_root(dot(s.x, s.x)) * TwoDouble(2)).hi);",
        ["convex"],
    ),
    (
        "clash: pairs moved where that rounds",
        "src/clash/pairs/shared_decisions.cpp",
        "return highest < lowest + 52;",
        "return highest < lowest + 64;",
        ["clash"],
    ),
    (
        "io: shapes shared where vertices move",
        "src/io/repeated_meshes.cpp",
        "shape.moved = can_be_moved(mesh, shape, users.of(i));",
        "shape.moved = can_be_moved(mesh, shape, {});",
        ["io"],
    ),
]


def run(command, **kw):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **kw)


def occurrences(root, mutation):
    with open(os.path.join(root, mutation[1]), encoding="utf-8") as f:
        return f.read().count(mutation[2])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "mutate"))
    parser.add_argument("--only", default="")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="start no mutation after this time; count those left out")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="N of them, drawn by the commit: other ones for each")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    begin = time.time()
    chosen = [m for m in MUTATIONS if re.search(args.only, m[0])]
    if args.sample:
        commit = run(["git", "-C", ROOT, "rev-parse", "HEAD"]).stdout
        chosen = sorted(chosen, key=lambda m: hashlib.sha256((commit + m[0]).encode()).digest())[: args.sample]
    if args.list:
        print("\n".join("%-60s %s" % (m[0], m[1]) for m in chosen))
        return 0
    if args.check:
        stale = [m for m in chosen if occurrences(ROOT, m) != 1]
        for m in stale:
            print("STALE     %s: the text stands %d times in %s" % (m[0], occurrences(ROOT, m), m[1]))
        print("%d mutations, %d stale" % (len(chosen), len(stale)))
        return 1 if stale else 0
    source, build = os.path.join(args.build, "source"), os.path.join(args.build, "build")
    shutil.rmtree(source, ignore_errors=True)
    os.makedirs(args.build, exist_ok=True)
    shutil.copytree(ROOT, source, copy_function=shutil.copy, ignore=lambda d, names: [n for n in names if n in (".git", "build", "out") and d == ROOT])
    programs = sorted({p for m in chosen for p in m[4]})
    options = "CXX_FLAGS=-O1 BUILD_TYPE=None UNITY_BUILD=ON UNITY_BUILD_BATCH_SIZE=6".split()
    r = run(["cmake", "-S", source, "-B", build, "-G", "Ninja", "-DGRAZE_WERROR=OFF", "-DGRAZE_TOOLS=OFF"] + ["-DCMAKE_" + o for o in options])
    r = r if r.returncode else run(["cmake", "--build", build, "--target"] + ["test_" + p for p in programs])
    if r.returncode:
        print(r.stdout[-3000:])
        print("mutate: the unchanged sources do not build")
        return 1
    for p in programs:
        r = run([find(build, "test_" + p)], cwd=source)
        if r.returncode:
            print(r.stdout[-3000:])
            print("mutate: test_%s fails on the unchanged sources" % p)
            return 1
    survived = left_out = 0
    for name, path, old, new, tests in chosen:
        start, full = time.time(), os.path.join(source, path)
        if start - begin > 60 * args.minutes:
            left_out += 1
            continue
        with open(full) as f:
            text = f.read()
        if text.count(old) != 1:
            print("STALE     %s: the text stands %d times in %s" % (name, text.count(old), path))
            survived += 1
            continue
        with open(full, "w") as f:
            f.write(text.replace(old, new))
        verdict = "SURVIVED"
        r = run(["cmake", "--build", build, "--target"] + ["test_" + t for t in tests])
        if r.returncode:
            verdict = "NO BUILD"
        else:
            for t in tests:
                try:
                    if run([find(build, "test_" + t), "--gtest_break_on_failure=0", "--gtest_fail_fast"], cwd=source, timeout=600).returncode:
                        verdict = "caught"
                        break
                except subprocess.TimeoutExpired:
                    verdict = "caught"  # a mutation that makes a test hang is detected, too
                    break
        with open(full, "w") as f:
            f.write(text)
        survived += verdict != "caught"
        print("%-9s %s (%.0f s)" % (verdict, name, time.time() - start), flush=True)
    if left_out:
        print("%d mutations not begun: %g minutes are over" % (left_out, args.minutes))
    print("%d passed, %d failed" % (len(chosen) - survived - left_out, survived))
    return 1 if survived else 0


def find(build, program):
    for directory, _, names in os.walk(build):
        if program in names and os.access(os.path.join(directory, program), os.X_OK):
            return os.path.join(directory, program)
    raise SystemExit("mutate: %s was not built" % program)


if __name__ == "__main__":
    sys.exit(main())
