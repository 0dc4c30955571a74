"""Self-collision of a robot: reads a URDF and its SRDF, asks thousands of joint states at once, counts the pairs of links that meet, and draws two states.

  robot.py                         the arm of this folder
  robot.py ROBOT.urdf [ROBOT.srdf] any other; --states N, --seed N, --picture FILE.png

Each link is the union of its collision shapes; a closed mesh is solid. Links that one joint connects may meet, also across links without shapes, and so may the
pairs that the SRDF disables. All else is decided exactly. Joint angles are in radians, lengths in metres."""
import argparse
import itertools
import math
import os
import struct
import sys
import time
import xml.etree.ElementTree as ElementTree
import zlib

import numpy as np

import graze

# ---- reading a URDF ----------------------------------------------------------------------------------------------------------------------


def numbers(element, name, count, default=None):
    """The numbers of an attribute."""
    text = default if element is None else element.get(name, default)
    if text is None:
        raise ValueError("<%s> has no attribute %s" % (element.tag, name))
    try:
        values = [float(word) for word in text.split()]
    except ValueError:
        values = []
    if len(values) != count:
        raise ValueError('<%s %s="%s">: must be %d numbers' % (element.tag, name, text, count))
    return values


def transform(rotation, translation=(0, 0, 0)):
    """Matrices (..., 4, 4) of rotations (..., 3, 3)."""
    matrix = np.zeros(np.shape(rotation)[:-2] + (4, 4))
    matrix[..., :3, :3], matrix[..., :3, 3], matrix[..., 3, 3] = rotation, translation, 1
    return matrix


def turn(axis, angle):
    """The rotations (..., 3, 3) about a unit vector by angles (...)."""
    x, y, z = axis
    cross = np.array([(0, -z, y), (z, 0, -x), (-y, x, 0)])
    s, c = np.sin(angle)[..., None, None], np.cos(angle)[..., None, None]
    return np.eye(3) + s * cross + (1 - c) * (cross @ cross)


def origin_of(element):
    """The matrix of an element's <origin>: first roll about x, then pitch about y, then yaw about z."""
    origin = element.find("origin")
    roll, pitch, yaw = (np.float64(a) for a in numbers(origin, "rpy", 3, "0 0 0"))
    return transform(turn((0, 0, 1), yaw) @ turn((0, 1, 0), pitch) @ turn((1, 0, 0), roll), numbers(origin, "xyz", 3, "0 0 0"))


def find_mesh(name, folder):
    """The path of a mesh. The folder of a package is searched from the URDF upwards, by the longest tail of its address."""
    words = [w for w in name.split("://")[-1].split("/") if w]
    above = [folder]
    while os.path.dirname(above[-1]) != above[-1]:
        above.append(os.path.dirname(above[-1]))
    for i in range(len(words)):
        for start in above:
            path = os.path.join(start, *words[i:])
            if os.path.isfile(path):
                return path
    raise ValueError("no file %s in %s or above it" % (name, folder))


def shape_of(geometry, folder):
    """The shape of a <geometry> element."""
    kind = next(iter(geometry), None)
    if kind is None:
        raise ValueError("<geometry> is empty")
    if kind.tag == "box":
        half = np.array(numbers(kind, "size", 3)) / 2
        return graze.Box(-half, half)
    if kind.tag == "sphere":
        return graze.Sphere((0, 0, 0), *numbers(kind, "radius", 1))
    if kind.tag == "cylinder":
        (radius,), (length,) = numbers(kind, "radius", 1), numbers(kind, "length", 1)
        return graze.Cylinder((0, 0, -length / 2), (0, 0, length / 2), radius)
    if kind.tag == "mesh":
        model = graze.load_model(find_mesh(kind.get("filename", ""), folder))
        mesh = graze.Mesh(model.vertices * numbers(kind, "scale", 3, "1 1 1"), model.triangles)
        return graze.solid(mesh) if mesh.report().solid else mesh
    raise ValueError("<%s> is not a geometry of URDF: box, sphere, cylinder or mesh" % kind.tag)


class Joint:
    """A joint of the tree."""

    def __init__(self, element):
        self.name, self.type = element.get("name"), element.get("type")
        self.parent, self.child = element.find("parent").get("link"), element.find("child").get("link")
        self.origin = origin_of(element)
        if self.type not in ("fixed", "revolute", "continuous", "prismatic", "floating"):
            raise ValueError("joint %s has the type %s, must be fixed, revolute, continuous, prismatic or floating" % (self.name, self.type))
        axis = np.array(numbers(element.find("axis"), "xyz", 3, "1 0 0"))
        self.moves = self.type in ("revolute", "continuous", "prismatic")
        if self.moves and not axis.any():
            raise ValueError("joint %s has the axis 0 0 0" % self.name)
        self.axis = axis / np.linalg.norm(axis) if self.moves else axis
        mimic, limit = element.find("mimic"), element.find("limit")
        self.mimic = None if mimic is None else (mimic.get("joint"), *numbers(mimic, "multiplier", 1, "1"), *numbers(mimic, "offset", 1, "0"))
        self.range = (-math.pi, math.pi)
        if self.type in ("revolute", "prismatic"):
            if limit is None:
                raise ValueError("joint %s has no <limit>" % self.name)
            self.range = (*numbers(limit, "lower", 1, "0"), *numbers(limit, "upper", 1, "0"))

    def motion(self, q):
        """The matrices (n, 4, 4) of the child in the parent, for joint values (n,)."""
        if self.type == "prismatic":
            return self.origin @ transform(np.broadcast_to(np.eye(3), (len(q), 3, 3)), q[:, None] * self.axis)
        return self.origin @ transform(turn(self.axis, q))


class Robot:
    """Links with their shapes, and the tree of joints."""

    def __init__(self, path):
        root, folder = ElementTree.parse(path).getroot(), os.path.dirname(os.path.abspath(path))
        self.name, self.parts, self.shapes = root.get("name"), {}, {}
        names = [link.get("name") for link in root.findall("link")]
        for link in root.findall("link"):
            parts = [shape_of(c.find("geometry"), folder).at(origin_of(c)) for c in link.findall("collision")]
            if parts:
                self.parts[link.get("name")], self.shapes[link.get("name")] = parts, graze.Compound(parts)
        self.joints = self._ordered([Joint(j) for j in root.findall("joint") if j.get("type") is not None], names)
        self.active = [j.name for j in self.joints if j.moves and j.mimic is None]
        self.above = {j.child: j for j in self.joints}

    @staticmethod
    def _ordered(joints, links):
        """The joints from the root to the leaves."""
        known, ordered = set(links) - {j.child for j in joints}, []
        while len(ordered) < len(joints):
            ready = [j for j in joints if j.parent in known and j.child not in known]
            if not ready or len({j.child for j in ready}) < len(ready):
                raise ValueError("the joints are not a tree: %s" % ", ".join(j.name for j in joints if j.child not in known))
            ordered += ready
            known |= {j.child for j in ready}
        return ordered

    def random_states(self, n, random):
        """Values (n, active joints), uniform between the limits."""
        ranges = np.array([j.range for j in self.joints if j.name in self.active]).reshape(-1, 2)
        return random.uniform(ranges[:, 0], ranges[:, 1], (n, len(ranges)))

    def placements(self, states):
        """Forward kinematics: for each link the matrices (n, 4, 4) in the frame of the root."""
        value = dict(zip(self.active, states.T))
        still = np.broadcast_to(np.eye(4), (len(states), 4, 4))
        placed = {}
        for joint in self.joints:
            parent = placed.setdefault(joint.parent, still)
            if joint.mimic is not None:
                leader, multiplier, offset = joint.mimic
                q = multiplier * value[leader] + offset
            else:
                q = value[joint.name] if joint.moves else np.zeros(len(states))
            placed[joint.child] = parent @ (joint.motion(q) if joint.moves else joint.origin)
        for link in self.shapes:
            placed.setdefault(link, still)
        return placed

    def _body(self, link):
        """The first link of those that fixed joints hold together with it."""
        while link in self.above and self.above[link].type == "fixed":
            link = self.above[link].parent
        return link

    def pairs(self, disabled):
        """The pairs of links that can meet and may not."""
        allowed = {frozenset(pair) for pair in disabled}
        for link in self.shapes:
            up = self.above.get(link)
            while up is not None and up.parent not in self.shapes:
                up = self.above.get(up.parent)
            if up is not None:
                allowed.add(frozenset((link, up.parent)))
        pairs = itertools.combinations(self.shapes, 2)
        return [(a, b) for a, b in pairs if frozenset((a, b)) not in allowed and self._body(a) != self._body(b)]


def disabled_pairs(path):
    """The pairs that an SRDF disables."""
    return [(e.get("link1"), e.get("link2")) for e in ElementTree.parse(path).getroot().findall("disable_collisions")]


# ---- the question ------------------------------------------------------------------------------------------------------------------------


def inverse(matrices):
    """The inverses of rigid motions (n, 4, 4)."""
    back = matrices[:, :3, :3].transpose(0, 2, 1)
    return transform(back, -(back @ matrices[:, :3, 3:])[..., 0])


def collisions(robot, pairs, placed):
    """Which pairs of links meet, (pairs, states): one call for each pair, with the poses of one link in the frame of the other."""
    back = {b: inverse(placed[b]) for b in {b for _, b in pairs}}
    meets = [graze.intersects(robot.shapes[a], robot.shapes[b], poses=back[b] @ placed[a]) for a, b in pairs]
    return np.array(meets, bool).reshape(len(pairs), -1)


def scene_of(robot, placed, i, pairs):
    """State i as a scene in which only these pairs count."""
    scene, wanted = graze.Scene(), {frozenset(p) for p in pairs}
    for link, shape in robot.shapes.items():
        scene.add(link, shape, placed[link][i])
    for a, b in itertools.combinations(robot.shapes, 2):
        if frozenset((a, b)) not in wanted:
            scene.allow(a, b)
    return scene


# ---- the picture -------------------------------------------------------------------------------------------------------------------------


def triangles_of(shape):
    """The surface of a shape for the eye, (m, 3, 3): curved ones by the hull of points on them."""
    turn_once = np.arange(64) * 2 * math.pi / 64
    if isinstance(shape, graze.Box):
        hull = graze.Hull([(x, y, z) for x in (shape.min[0], shape.max[0]) for y in (shape.min[1], shape.max[1]) for z in (shape.min[2], shape.max[2])])
    elif isinstance(shape, graze.Cylinder):
        ring = np.stack([np.cos(turn_once), np.sin(turn_once), 0 * turn_once], axis=1) * shape.radius
        hull = graze.Hull(np.concatenate([ring + shape.a, ring + shape.b]))
    elif isinstance(shape, graze.Sphere):
        up = np.linspace(-1, 1, 33)[:, None]
        around = np.stack(np.broadcast_arrays(np.sqrt(1 - up * up) * np.cos(turn_once), np.sqrt(1 - up * up) * np.sin(turn_once), up), axis=-1)
        hull = graze.Hull(shape.center + shape.radius * around.reshape(-1, 3))
    else:  # a mesh or a solid
        return shape.vertices[shape.triangles]
    return hull.points[hull.triangles]


def picture(robot, scene, size=480):
    """The scene as seen by rays (size, size, 3): links that meet are red; a second ray to the light decides on shadows."""
    corners, links = [], []
    for member in scene:
        for part in robot.parts[scene.name(member)]:
            c = scene.pose(member).apply(part.pose.apply(triangles_of(part.shape).reshape(-1, 3)))
            corners.append(c)
            links += [member] * (len(c) // 3)
    vertices = np.concatenate(corners)
    mesh = graze.Mesh(vertices, np.arange(len(vertices)).reshape(-1, 3))
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    middle, away = (low + high) / 2, np.linalg.norm(high - low)
    eye = middle + away * np.array((0.8, -0.8, 0.45))
    rays = graze.RaycastingScene.create_rays_pinhole(42, middle, eye, (0, 0, 1), 2 * size, 2 * size).reshape(-1, 6)
    hits = graze.raycast(mesh, rays)
    found = np.flatnonzero(hits.hit)
    light = np.array((0.35, -0.5, 0.8)) / np.linalg.norm((0.35, -0.5, 0.8))
    normals = np.array(hits.normal[found])
    normals *= -np.sign(np.einsum("ij,ij->i", normals, rays[found, 3:]))[:, None]  # towards the eye
    start = hits.point[found] + 1e-6 * away * normals  # off the surface, for the eye only
    lit = ~graze.raycast_any(mesh, start, np.broadcast_to(light, start.shape))
    colours = np.array([((0.93, 0.62, 0.25), (0.55, 0.62, 0.70))[i % 2] for i in range(len(scene))])
    for pair in scene.pairs(witnesses=False):
        colours[[pair.a, pair.b]] = (0.85, 0.15, 0.15)
    shade = 0.4 + 0.6 * np.clip(normals @ light, 0, 1) * np.where(lit, 1, 0.35)
    pixels = np.full((len(rays), 3), 0.97)
    pixels[found] = colours[np.array(links)[hits.triangle[found]]] * shade[:, None]
    return pixels.reshape(size, 2, size, 2, 3).mean(axis=(1, 3))


def write_png(path, pixels):
    """Writes an array (height, width, 3) of numbers from 0 to 1."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row begins with its filter, 0
    rows[:, 1:] = (pixels * 255 + 0.5).astype(np.uint8).reshape(height, -1)
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n")
        for name, data in chunks:
            f.write(struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description="Self-collision of a robot in random joint states.")
    parser.add_argument("urdf", nargs="?", default=os.path.join(here, "arm", "arm.urdf"))
    parser.add_argument("srdf", nargs="?", help="default: the file of the same name beside the URDF, if there is one")
    parser.add_argument("--states", type=int, default=5000, help="how many joint states (default 5000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--picture", default="out/robot.png", help="default: out/robot.png")
    options = parser.parse_args()
    if options.states < 1:
        parser.error("--states is %d, must be 1 or more" % options.states)

    beside = os.path.splitext(options.urdf)[0] + ".srdf"
    srdf = options.srdf or (beside if os.path.exists(beside) else None)
    try:
        robot = Robot(options.urdf)
        pairs = robot.pairs(disabled_pairs(srdf) if srdf else [])
    except (OSError, ValueError, ElementTree.ParseError) as e:  # graze.Error is a ValueError
        sys.exit("%s: %s" % (options.urdf, e))
    print("%s: %d links with shapes, %d joints, %d pairs to test" % (robot.name, len(robot.shapes), len(robot.active), len(pairs)))

    placed = robot.placements(robot.random_states(options.states, np.random.default_rng(options.seed)))
    start = time.perf_counter()
    meets = collisions(robot, pairs, placed)
    seconds = time.perf_counter() - start
    print("%.2f s: %.2f million pairs per second" % (seconds, meets.size / seconds / 1e6), file=sys.stderr)

    always = meets.all(axis=1)
    for i in np.flatnonzero(always):
        print("%s and %s meet in every state: an SRDF should disable them; left out" % pairs[i])
    pairs, meets = [p for p, a in zip(pairs, always) if not a], meets[~always]
    bad = meets.any(axis=0)
    print("%d of %d states are in self-collision" % (bad.sum(), options.states))
    counts = meets.sum(axis=1)
    for i in sorted(np.flatnonzero(counts), key=lambda i: -counts[i])[:5]:
        print("%6d times %s and %s" % (counts[i], *pairs[i]))

    shown = [int(states[0]) for states in (np.flatnonzero(~bad), np.flatnonzero(bad)) if len(states)]
    scenes = [scene_of(robot, placed, i, pairs) for i in shown]
    for i, scene in zip(shown, scenes):
        if bad[i]:
            print("state %d: %s" % (i, ", ".join("%s meets %s" % (scene.name(p.a), scene.name(p.b)) for p in scene.pairs(witnesses=False))))
            continue
        near = sorted(scene.pairs(within=0.25), key=lambda p: p.distance)[:5]
        print("state %d is free; its nearest links:" % i)
        for p in near:
            print("%8.1f mm %s and %s" % (p.distance * 1000, scene.name(p.a), scene.name(p.b)))
    os.makedirs(os.path.dirname(options.picture) or ".", exist_ok=True)
    write_png(options.picture, np.concatenate([picture(robot, s) for s in scenes], axis=1))
    print("%s: state%s %s" % (options.picture, "s" * (len(shown) > 1), " and ".join(str(i) for i in shown)))


if __name__ == "__main__":
    main()
