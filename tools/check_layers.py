#!/usr/bin/env python3
"""Checks which layer includes which (the table in CONTRIBUTING.md), and where third-party headers are allowed. Usage: check_layers.py [ROOT]

A layer of src/ may include itself and the layers in ALLOWED; PUBLIC assigns public headers to layers. Highway is allowed only in *_kernels.cpp and
*-inl.hpp, raw intrinsics only in platform/fp_environment.hpp, assimp only in apps/import, OpenCASCADE only in apps/import_step, FCL and Eigen only in src/fcl, bench and tests; no Boost, TBB or
Highway in public headers. Of a room, others include only the headers in FACES. No source file has more than 600 lines, and no function of src/, include/ and apps/ more than 80. Each .cpp of src/ includes the header that it implements: one of its own name, or whose name begins its name (IMPLEMENTS lists the
others). Prints one line per violation; exit code 1 when there is one."""
import os
import re
import sys

# From the bottom up. A subfolder ("mesh/kernels") is a separate layer; "pairs" and its details are one.
BASE = {"platform", "math"}
PAIRS = BASE | {"exact", "shapes", "pairs", "pairs/detail"}
CONVEX = ["sets", "gjk", "curved", "minkowski", "axes", "decide", "epa", "depth", "containment", "time"]  # each sees those before it
CONVEX = ["convex/" + room for room in CONVEX]
MESH = PAIRS | {*CONVEX, "bvh", "mesh/kernels", "mesh", "mesh/queries", "mesh/arrangement"}
QUERY = MESH | {"parts", "query"}
SWEEP = QUERY | {"sweep/linear", "sweep/screw", "sweep/ccd"}
ALLOWED = {
    "platform": set(),
    "math": {"platform"},
    "exact": BASE,
    "shapes": BASE | {"exact"},
    "pairs": PAIRS,
    "pairs/detail": PAIRS,
    **{room: PAIRS | {*CONVEX[:i]} for i, room in enumerate(CONVEX)},
    "bvh": BASE | {"exact"},
    "mesh/kernels": BASE | {"exact", "bvh"},
    "mesh": BASE | {"exact", "shapes", "bvh", "mesh/kernels"},
    "mesh/queries": MESH - {"mesh/arrangement"},
    "mesh/arrangement": MESH,
    "parts": MESH,
    "query": QUERY,
    "sweep/linear": QUERY,
    "sweep/screw": QUERY | {"sweep/linear"},
    "sweep/ccd": QUERY,
    "scene": SWEEP,
    "sim": BASE | {"exact", "shapes", "scene", "sweep/linear", "sweep/screw", "sweep/ccd"},
    "json": BASE,
    "io": BASE | {"exact", "shapes", "mesh", "json"},
    "clash/pairs": SWEEP | {"scene", "io", "json"},
    "clash/job": SWEEP | {"scene", "io", "json", "clash/pairs"},
    "clash/report": SWEEP | {"io", "json", "clash/pairs", "clash/job"},
    "heritage": BASE | {"exact", "shapes", "pairs", "mesh", "mesh/queries", "parts", "query"},
    "c": set(),
    "fcl": set(),
}
# The faces of each room: the headers that other rooms may take. What a room does not name here is its own affair; a face that nobody takes goes.
FACES = {
    "platform": "ahead cpu expects file fp_environment large_array parallel parallel_sort progress_meter small_pages threads watch",
    "math": "box3 box_gap compress-inl disjoint_sets limits moving_box point points-inl ray step_back two_double-inl two_double_text-inl v3 vec3",
    "exact": (
        "angle approx big certain distance_predicates double_parts exact_vectors fine germ_predicates integer_root "
        "predicates predicates-inl rational ray_predicates-inl rough rounding sum_sign tiered two_double"
    ),
    "shapes": "hull_data length message normal placement pose",
    "pairs": (
        "box_box box_box_gap-inl capsule_capsule capsule_capsule-inl capsule_capsule_gap-inl capsule_obb capsule_obb-inl "
        "line_box line_box-inl line_sphere obb_obb obb_obb-inl point_triangle ray_triangle segment_obb "
        "segment_triangle sphere_obb sphere_obb-inl sphere_obb_gap-inl sphere_segment sphere_segment-inl "
        "sphere_segment_gap-inl sphere_sphere sphere_sphere-inl sphere_sphere_gap-inl sphere_triangle sphere_triangle-inl "
        "sphere_triangle_gap-inl triangle_box triangle_triangle triangle_triangle_gap-inl"
    ),
    "pairs/detail": "batch_kernels certain flat gap gap_kernels gaps lanes-inl obb_generators plane ray_hit-inl ray_hit_kernels ray_time rounded_box",
    "convex/sets": ("bounding_volume convex_set convex_set_bounds generators hint_kind hull_support minkowski_frame order plane_form small_polytope zonotope"),
    "convex/gjk": "gjk nearest-inl nearest_exactly",
    "convex/curved": "curved piece",
    "convex/minkowski": "double_pair local_pair round_direction scaled_pair",
    "convex/axes": "box_axes_kernels polytopes_meet",
    "convex/decide": "closest curved_decide decide filter",
    "convex/epa": "expanding-inl",
    "convex/depth": "closed_patch contact_patch penetration zonotope_depth",
    "convex/containment": "containment curved_containment",
    "convex/time": "exact_time raycast",
    "bvh": (
        "box_kernels build_kernels far_line item_ranges local_query morton near_ray ray_start-inl traversal-inl traverse traverse_in_order wide_bvh wide_node"
    ),
    "mesh/kernels": (
        "close_pair_kernels construct_kernels convex_kernels crossing_kernels near_pair nearest_kernels "
        "nearest_pair_kernels oriented_node pair_traversal_kernels ray_kernels sweep_kernels triangle_blocks"
    ),
    "mesh": "closed_mesh edge_meetings edges least_area mesh_impl polygon_rules stored_mesh triangle_groups",
    "mesh/queries": (
        "bodies convex_queries leaf local_support measures mesh_view moved_surfaces "
        "pair_lists ray_queries self_pairs shared_corners solid_queries surface_queries triangle_choice winding"
    ),
    "mesh/arrangement": "body_relation clearing convex_relation crossing flat_findings",
    "parts": "body_of_shape children convex_of_shape part_list part_pairs parts table zonotope_of_shape",
    "query": "loose_bounds placed ray_order ray_targets",
    "sweep/linear": "linear_sweep safe_placement wide_traversal",
    "scene": "particle_path",
    "json": "json_text json_write utf8",
    "io": "part_path",
    "clash/pairs": "candidates decide digest findings pair_slices pattern run_before shared_decisions",
    "clash/job": "text_pieces",
}
# The layer of each public header. That layer may include it, and the layers that may include that layer.
PUBLIC = {
    "error": "platform",
    "version": "platform",
    "vec": "math",
    "pair_hint": "math",
    "pose": "shapes",
    "shapes": "shapes",
    "mesh": "mesh",
    "query": "query",
    "io": "io",
    "assembly": "io",
    "tree_file": "io",
    "clash": "clash/pairs",
    "clash_plan": "clash/job",
    "graze": "sim",
    "guarantees": "query",
    "explain": "query",
    "threads": "platform",
    "progress": "platform",
    "sweep": "sweep/linear",
    "response": "sweep/linear",
    "broad_phase": "scene",
    "scene": "scene",
    "postures": "scene",
    "world": "sim",
    "mover": "sim",
}
# Further layers whose public headers a layer may include: query.hpp declares the results that lower layers fill in; the C interface and that of FCL see all.
PUBLIC_DECLARATIONS = {"mesh/queries": {"query"}, "mesh/arrangement": {"query"}, "parts": {"query"}, "c": {*ALLOWED}, "fcl": {*ALLOWED}}
# Files that implement a header of another name: members of World::State, which has one declaration; a header of C without its library.
IMPLEMENTS = {"sim/step_bodies": "sim/world_state.hpp", "c/clash_absent": "graze/c/clash.h"}
ENVIRONMENT = os.path.join("src", "platform", "fp_environment.hpp")
ENVIRONMENT_TEST = os.path.join("tests", "property", "float_environment_test.cpp")  # sets the modes that a caller may use
TIERS_BENCH = ("bench/tiers_bench.cpp", "exact")  # measures a single predicate, which is not public
SOURCE = (".cpp", ".hpp", ".h", ".inl")
SCRIPT = (".js",)  # of pages: only the lengths of functions
LONGEST_FUNCTION = 80
INTRINSICS = re.compile(r"\b_mm\d*_\w+|\b__m(128|256|512)[di]?\b|__builtin_ia32_|\bv(ld|st)1q?_\w+")


def includes(text):
    return re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', text, re.M)


def public_layer(name):
    """Layer of <graze/NAME>, or None when there is no rule for it."""
    if name.endswith(".h"):
        return "c"
    stem = name[:-4] if name.endswith(".hpp") else name
    if stem.startswith("shapes/"):
        return "mesh" if stem == "shapes/height_field" else "shapes"
    if stem.startswith("heritage/"):
        return "heritage"
    if stem.startswith("sweep/"):
        return {"linear": "sweep/linear", "rigid": "sweep/screw", "deforming": "sweep/ccd"}.get(stem[len("sweep/") :])
    for folder in ("mesh", "query"):
        if stem.startswith(folder + "/"):
            return folder
    return PUBLIC.get(stem)


def curved_kinds(root):
    """The types in the list CurvedKinds. Only their room names them: others ask each kind for what they need (the concept CurvedKind)."""
    path = os.path.join(root, "src", "convex", "curved", "curved.hpp")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as f:
        return re.findall(r"\w+", re.search(r"using CurvedKinds = \w+<([^>]*)>", f.read()).group(1))


def long_functions(text):
    """The first line and the length of each long function, by the layout that all files have: it ends with a brace alone on its line, and begins with the last
    line before that is as far in."""
    last = {}  # by indentation
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.lstrip()
        if not bare or bare[0] == "#":
            continue
        indent = len(line) - len(bare)
        first = last.get(indent, number)
        if bare == "}" and number - first >= LONGEST_FUNCTION:
            yield first, number - first + 1
        last[indent] = number


def check_file(root, path, kinds):
    rel = os.path.relpath(path, root)
    parts = rel.split(os.sep)
    with open(path, encoding="utf-8") as f:
        text = f.read()
    name, top = parts[-1], parts[0]
    if top in ("src", "include", "apps"):
        for first, length in long_functions(text):
            yield "%s:%d: a function of %d lines, at most %d" % (rel, first, length, LONGEST_FUNCTION)
    if name.endswith(SCRIPT):
        return
    code = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    lines = text.count("\n")
    if lines > 600:
        yield "%s: %d lines, at most 600" % (rel, lines)
    folder = "/".join(parts[1:-1]) if top == "src" else None
    if folder is not None and folder not in ALLOWED:
        yield "%s: folder src/%s has no place in the layers; give it one in tools/check_layers.py and CONTRIBUTING.md" % (rel, folder)
        return
    if top == "src" and folder != "convex/curved":
        for kind in kinds:
            if re.search(r"\b%s\b" % kind, code):
                yield "%s: names %s; what differs between curved kinds belongs into src/convex/curved" % (rel, kind)
    for mark, inc in includes(text):
        first = inc.split("/")[0]
        room = os.path.dirname(inc)
        where = "%s: includes %s%s%s" % (rel, mark, inc, '"' if mark == '"' else ">")
        if first == "hwy" and not (name.endswith("_kernels.cpp") or name.endswith("-inl.hpp") or top == "tests"):
            yield where + ": Highway belongs into *_kernels.cpp and *-inl.hpp"
        if re.search(r"mmintrin\.h$|^arm_neon\.h$|^x86intrin\.h$|^immintrin\.h$", inc) and rel not in (ENVIRONMENT, ENVIRONMENT_TEST):
            yield where + ": raw intrinsics belong into platform/fp_environment.hpp"
        if first == "assimp" and parts[:2] != ["apps", "import"]:
            yield where + ": assimp belongs into apps/import"
        if inc.endswith(".hxx") and parts[:2] != ["apps", "import_step"]:
            yield where + ": OpenCASCADE belongs into apps/import_step"
        if mark == "<" and first in ("fcl", "Eigen") and folder != "fcl" and top not in ("bench", "tests"):
            yield where + ": FCL and Eigen belong into src/fcl"
        if top == "include" and first in ("boost", "tbb", "oneapi", "hwy", "assimp"):
            yield where + ": not in a public header"
        if top == "include" and mark == '"':
            yield where + ": public headers include each other as <graze/...>"
        if top == "apps" and mark == '"' and room in ALLOWED and room != "json" and inc != "platform/file.hpp":
            yield where + ": apps see include/graze, src/json and platform/file.hpp only"
        if top == "bench" and mark == '"' and room in ALLOWED and (rel, room) != TIERS_BENCH:
            yield where + ": bench sees include/graze only"
        if folder is None:
            continue
        if mark == '"':
            if room in ALLOWED and room != folder and room not in ALLOWED[folder]:
                yield where + ": src/%s may not include src/%s" % (folder, room)
            elif room not in ALLOWED:
                yield where + ": includes are written relative to src"
            elif room != folder and os.path.basename(inc)[:-4] not in FACES.get(room, "").split():
                yield where + ": no face of src/%s (FACES in tools/check_layers.py)" % room
        elif first == "graze":
            layer = public_layer(inc[len("graze/") :])
            if layer is None:
                yield where + ": this header has no layer yet; give it one in tools/check_layers.py"
            elif layer != folder and layer not in ALLOWED[folder] and layer not in PUBLIC_DECLARATIONS.get(folder, ()):
                yield where + ": src/%s may not include a header of %s" % (folder, layer)
    if top == "src" and name.endswith(".cpp"):
        stem, included = name[:-4], {inc for _, inc in includes(text)}
        own = IMPLEMENTS.get("%s/%s" % (folder, stem))
        stems = {re.sub(r"(-inl)?\.hpp$", "", os.path.basename(inc)) for inc in included if os.path.dirname(inc) == folder or inc.startswith("graze/")}
        if own not in included if own else not any(stem == s or stem.startswith(s + "_") for s in stems):
            yield "%s: includes no header that it implements (%s)" % (rel, own or stem + ".hpp")
    if top in ("src", "include", "apps") and rel not in (ENVIRONMENT, ENVIRONMENT_TEST):
        found = INTRINSICS.search(code)
        if found:
            yield "%s: raw intrinsic %s; only platform/fp_environment.hpp may" % (rel, found.group(0))


def idle_faces(root, files):
    """Faces that no other room takes."""
    taken = set()
    for path in files:
        room = "/".join(os.path.relpath(path, root).split(os.sep)[1:-1])
        with open(path, encoding="utf-8") as f:
            taken |= {inc for mark, inc in includes(f.read()) if mark == '"' and os.path.dirname(inc) != room}
    for room, names in FACES.items():
        for name in names.split():
            header = "%s/%s.hpp" % (room, name)
            if header not in taken and os.path.exists(os.path.join(root, "src", header)):
                yield "src/%s: no other room takes it; no face" % header


def main():
    root = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    files = sorted(
        os.path.join(d, f)
        for top in ("src", "include", "apps", "bench", "tests")
        for d, _, fs in os.walk(os.path.join(root, top))
        for f in fs
        if f.endswith(SOURCE + SCRIPT)
    )
    if not files:
        print("check_layers: no source files under %s" % root)
        return 1
    kinds = curved_kinds(root)
    breaches = [b for f in files for b in check_file(root, f, kinds)] + list(idle_faces(root, files))
    for b in breaches:
        print(b)
    print("%d files, %d breaches" % (len(files), len(breaches)))
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
