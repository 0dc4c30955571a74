"""Answers query lines (JSON, one a line) as `graze query` does, through the Python package: cases.py [FILE], else from standard input.

Used to compare the package with sets of cases whose exact answers are known. Answers have the same members. Left out is `plane`, whose equation
the package does not have."""
import json
import sys

import numpy as np

import graze

WORDS = {
    "point": graze.Point,
    "segment": graze.Segment,
    "ray": graze.Ray,
    "line": graze.Line,
    "plane": graze.Plane,
    "halfspace": graze.HalfSpace,
    "triangle": graze.Triangle,
    "sphere": graze.Sphere,
    "box": graze.Box,
    "obb": graze.OrientedBox,
    "capsule": graze.Capsule,
    "cylinder": graze.Cylinder,
    "cone": graze.Cone,
    "truncated_cone": graze.TruncatedCone,
    "ellipsoid": graze.Ellipsoid,
    "wedge": graze.Wedge,
}
_models = {}


def read_pose(json_pose):
    t = json_pose.get("translation", (0, 0, 0))
    if "rotation" in json_pose:
        return graze.Pose.quaternion(*json_pose["rotation"], translation=t)
    if "matrix" in json_pose:
        return graze.Pose.matrix(np.reshape(json_pose["matrix"], (3, 3)), t)
    return graze.Pose.translate(t)


def read_mesh(j):
    if "path" in j:
        if j["path"] not in _models:
            _models[j["path"]] = graze.load(j["path"])
        mesh = _models[j["path"]]
        return graze.Mesh(mesh.vertices, mesh.triangles, parts=mesh.parts, user=j["user"]) if "user" in j else mesh
    return graze.Mesh(np.array(j["vertices"], float).reshape(-1, 3), np.array(j["triangles"], np.int64).reshape(-1, 3), user=j.get("user"))


def read_unplaced(j):
    kind = j["type"]
    if kind in WORDS:
        fields = {k: v for k, v in j.items() if k not in ("type", "pose", "t_min", "t_max")}
        return WORDS[kind](**fields)
    if kind in ("convex", "tetrahedron"):
        return graze.Hull(j["points"])
    if kind == "frustum":
        return graze.Frustum(j["points"])
    if kind == "polygon":
        try:
            return graze.Polygon(j["points"])
        except graze.Error:
            if len(j["points"]) < 3:
                raise
            return graze.Mesh(np.array(j["points"], float), graze.triangulate(j["points"]))
    if kind == "mesh":
        return read_mesh(j)
    if kind == "solid":
        return graze.solid(read_mesh(j))
    if kind == "heightfield":
        heights = np.array([[np.nan if h is None else h for h in row] for row in j["heights"]], float)
        return graze.HeightField(j["origin"], *j["spacing"], heights)
    if kind == "compound":
        return graze.Compound([read(child) for child in j["children"]])
    raise graze.Error('type is "%s"' % kind)


def read(j):
    shape = read_unplaced(j)
    if "pose" not in j:
        return shape
    placed = shape.at(read_pose(j["pose"]))
    placed.validate()
    return placed


def number(x):
    return float(x) if np.isfinite(x) else None


def vector(v):
    return None if v is None else [number(x) for x in v]


def some(**members):
    """The members that are present."""
    return {k: v for k, v in members.items() if v is not None}


def closest_of(c):
    exist = np.isfinite(c.distance)
    out = {"distance": number(c.distance), "a": vector(c.on_a) if exist else None, "b": vector(c.on_b) if exist else None}
    return {**out, **some(triangle_a=c.triangle_a, triangle_b=c.triangle_b)}


def hit_of(h):
    out = {"t": number(h.t), "point": vector(h.point), "normal": vector(h.normal)}
    out.update(some(triangle=h.triangle, part=h.part if h.child is None else h.child, barycentric=vector(h.barycentric)))
    return {**out, "front": h.front, "started_inside": h.started_inside, **({"user": h.user} if h.user else {})}


def intersect(q):
    return {"hit": graze.intersects(read(q["a"]), read(q["b"]))}


def within(q):
    return {"hit": graze.within(read(q["a"]), read(q["b"]), q["distance"])}


def closest(q):
    return closest_of(graze.closest(read(q["a"]), read(q["b"])))


def raycast(q):
    j = {"type": "ray", **q["ray"]}
    ray, target, mode = read(j), read(q["b"]), q.get("mode", "first")
    options = {"sides": q.get("sides", "both")}
    if j.get("t_min") is not None:
        options["t_min"] = j["t_min"]
    if j.get("t_max") is not None:
        options["t_max"] = j["t_max"]
    if mode == "any":
        return {"hit": graze.raycast_any(target, ray, **options)}
    if mode == "all":
        hits = graze.raycast_all(target, ray, **options)
        return {"hit": len(hits) > 0, "hits": [hit_of(h) for h in hits]}
    hit = graze.raycast(target, ray, **options)
    return {"hit": True, **hit_of(hit)} if hit else {"hit": False, "t": None}


def contains(q):
    return {"hit": graze.contains(read(q["a"]), q["point"])}


def signed_distance(q):
    return {"distance": number(graze.signed_distance(read(q["a"]), q["point"]))}


def classify(q):
    a, b = read(q["a"]), read(q["b"])
    shape, pose = (b.shape, b.pose) if isinstance(b, graze.Placed) else (b, None)
    if isinstance(shape, graze.Plane):
        plane = graze.Plane(pose.apply(shape.point), pose.rotate(shape.normal)) if pose else shape
        answer = graze.classify(a, plane)
        return {"side": answer.side, "distance": number(answer.distance)}
    if not isinstance(shape, graze.Frustum):
        raise graze.Error("b: is a %s, must be a plane or a frustum" % shape.kind)
    return {"side": graze.classify(a, graze.Frustum(pose.apply(shape.points)) if pose else shape)}


def reflect(q):
    return {"v": vector(graze.reflect(q["v"], q["normal"]))}


def bounds(q):
    a = read(q["a"])
    box = graze.bounding_box(a)
    if (box.min > box.max).any():
        raise graze.Error("a: is empty and has no bounds")
    sphere = None
    if np.isfinite(box.min).all() and np.isfinite(box.max).all():
        try:
            sphere = graze.bounding_sphere(a)
        except graze.Error:  # its radius is beyond the largest double
            pass
    out = {"min": vector(box.min), "max": vector(box.max)}
    return {**out, "center": vector(sphere.center) if sphere else None, "radius": number(sphere.radius) if sphere else None}


def measures(q):
    a = read(q["a"])
    shape = a.shape if isinstance(a, graze.Placed) else a
    has_volume = graze.guarantee("volume", shape) != "refused"
    return {"area": number(graze.area(a)), "volume": number(graze.volume(a)) if has_volume else None, "centroid": vector(graze.centroid(a))}


def relation(q):
    return {"relation": graze.relation(read(q["a"]), read(q["b"]))}


def penetration(q):
    p = graze.penetration(read(q["a"]), read(q["b"]))
    if not p:
        return {"depth": None, "reason": p.reason}
    return {"depth": number(p.depth), "normal": vector(p.normal), "vector": vector(p.vector)}


def contacts(q):
    return {
        "contacts": [
            {
                "point": vector(c.point),
                "normal": vector(c.normal),
                "depth": number(c.depth),
                **some(triangle_a=c.triangle_a, triangle_b=c.triangle_b),
            }
            for c in graze.contacts(read(q["a"]), read(q["b"]))
        ]
    }


def manifold(q):
    return {
        "manifolds": [
            {
                "normal": vector(m.normal),
                "points": [{"point": vector(p), "depth": number(d)} for p, d in zip(m.points, m.depths)],
                **some(triangle_a=m.triangle_a, triangle_b=m.triangle_b),
            }
            for m in graze.manifold(read(q["a"]), read(q["b"]), all_points=q.get("all", False))
        ]
    }


def pairs_of(pairs, limit):
    more = len(pairs) > limit
    pairs = pairs[:limit].tolist()
    return {"count": len(pairs), **({"more": True} if more else {}), "pairs": pairs}


def triangle_pairs(q):
    limit = q.get("limit", 1000000)
    return pairs_of(graze.intersecting_triangles(read(q["a"]), read(q["b"]), limit=limit + 1), limit)


def self_intersections(q):
    limit = q.get("limit", 1000000)
    return pairs_of(graze.self_intersections(read(q["a"]), limit=limit + 1), limit)


def triangles_within(q):
    found = graze.triangles_within(read(q["a"]), read(q["b"]), q.get("distance", 0))
    return {"count": len(found), "triangles": found.tolist()}


def closest_triangles(q):
    found = graze.closest_triangles(read(q["a"]), read(q["b"]), q["count"], q.get("distance", np.inf))
    each = [{"distance": number(c.distance), "a": vector(c.on_a), "b": vector(c.on_b), "triangle": c.triangle_b} for c in found]
    return {"count": len(each), "triangles": each}


def sweep(q):
    options = {"skip_departing": q.get("skip_departing", False), "sides": q.get("sides", "both")}
    hit = graze.sweep(read(q["a"]), q["motion"], read(q["b"]), **options)
    if hit is None:
        return {"hit": False, "t": None}
    out = {"hit": True, "t": number(hit.t), "point": vector(hit.point), "normal": vector(hit.normal)}
    out.update(some(triangle_a=hit.triangle_a, triangle=hit.triangle_b, part_a=hit.child_a, part=hit.child_b))
    out.update({name: user for name, user in (("user_a", hit.user_a), ("user", hit.user_b)) if user})
    out.update(started_inside=hit.started_inside, departing=hit.departing, safe=vector(hit.safe_point), moved=hit.moved)
    return out


def bounce(q):
    material = graze.Material(q.get("restitution", 1), q.get("friction", 0), q.get("speed_kept", 1))
    options = {"max_bounces": q.get("max_bounces", 10), "sliding": q.get("sliding", False)}
    a = read(q["a"])
    step = graze.bounce(a, q["motion"], 1, read(q["b"]), material, **options)
    shape = a.shape if isinstance(a, graze.Placed) else a
    place = step.pose.apply(shape.center) if isinstance(shape, graze.Sphere) else step.position
    hits = [
        {"t": h.time, "point": vector(h.point), "normal": vector(h.normal), "velocity": vector(h.velocity_after), **some(triangle=h.triangle)}
        for h in step.hits
    ]
    moved = {"place": vector(place), "velocity": vector(step.velocity), "stopped": step.stopped}
    return {"hit": bool(step.hits) or step.stopped, **moved, "hits": hits}


def ccd(q):
    call = {"vertex-face": graze.ccd_vertex_face, "edge-edge": graze.ccd_edge_edge}[q["kind"]]
    t = call(q["t0"], q["t1"])
    return {"hit": t is not None, "t": t}


OPS = {
    name.replace("_", "-"): f for name, f in list(globals().items()) if callable(f) and getattr(f, "__code__", None) and f.__code__.co_varnames[:1] == ("q",)
}


def answer(line):
    q = json.loads(line)
    try:
        return {"id": q.get("id"), **OPS[q["op"]](q)}
    except (graze.Error, TypeError, KeyError) as e:
        return {"id": q.get("id"), "error": "no op %s" % e if isinstance(e, KeyError) else str(e)}


def main(arguments):
    source = open(arguments[0]) if arguments else sys.stdin
    failed = False
    with source:
        for line in source:
            if line.strip():
                out = answer(line)
                failed |= "error" in out
                sys.stdout.write(json.dumps(out, separators=(",", ":")) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
