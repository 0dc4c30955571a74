#!/usr/bin/env python3
"""What Python costs: batches from Python beside the same batch of the C interface, single calls, and other packages where they are installed.

  ./run python bench/python_bench.py [MODEL] [--count N] [--rounds N] [--only-graze]

All run on one thread, and times are CPU times, so that other work on the machine counts little; each is the least of the rounds, which alternate between
contestants. The C call is made on arrays that are ready, with new memory for its answers, as a C++ program would make it. Peers are optional: SciPy's cKDTree
answers another question (the nearest vertex, not the nearest point of the surface), and Open3D computes in single precision."""
import argparse
import platform
import time

import numpy as np

import graze
from graze._lib import check, dtype_of, ffi, lib


def least(rounds, contestants):
    """{name: seconds}, the least of the rounds."""
    best = {name: float("inf") for name in contestants}
    for _ in range(rounds):
        for name, work in contestants.items():
            start = time.process_time()
            work()
            best[name] = min(best[name], time.process_time() - start)
    return best


def torus(n=400, m=125):
    """A bumpy torus of 100,000 triangles."""
    u, v = np.meshgrid(np.arange(n) * 2 * np.pi / n, np.arange(m) * 2 * np.pi / m, indexing="ij")
    tube = 0.7 + 0.05 * np.sin(9 * u) * np.cos(5 * v)
    ring = 2 + tube * np.cos(v)
    vertices = np.stack([ring * np.cos(u), ring * np.sin(u), tube * np.sin(v)], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(n), np.arange(m), indexing="ij")
    a, b, c, d = i * m + j, (i + 1) % n * m + j, (i + 1) % n * m + (j + 1) % m, i * m + (j + 1) % m
    return graze.Mesh(vertices, np.concatenate([np.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))]))


def address(kind, array):
    return ffi.cast(kind, array.ctypes.data)


def batches(mesh, n, peers):
    """(row, {contestant: work}) of each batch of n."""
    random = np.random.default_rng(1)
    box = graze.bounding_box(mesh)
    center, size = box.center, box.max - box.min
    points = center + random.uniform(-0.75, 0.75, (n, 3)) * size
    origins = center + random.normal(size=(n, 3)) * size
    targets = center + random.uniform(-0.4, 0.4, (n, 3)) * size
    rays = np.concatenate([origins, targets - origins], axis=1)
    solid = graze.solid(mesh)
    ball = graze.Sphere((0, 0, 0), 0.02 * float(size.max()))
    tool = graze.Compound([graze.Box(-0.02 * size, 0.02 * size), graze.Capsule((0, 0, 0), (0, 0, 0.1 * size[2]), 0.01 * float(size.max()))])
    quaternions = np.concatenate([random.normal(size=(n, 4)), points], axis=1)
    poses = graze.Poses(quaternions)
    a, mesh_ref, solid_ref = tool._ref, mesh._ref, solid._ref
    options = ffi.new("graze_ray_options *", {"size": ffi.sizeof("graze_ray_options"), "t_min": -float("inf"), "t_max": float("inf")})

    def c_raycast():
        out = np.empty(n, dtype_of("graze_hit"))
        check(lib.graze_raycast_batch(address("graze_ray *", rays), n, 0, mesh_ref, options, address("graze_hit *", out)))

    def c_any():
        out = np.empty(n, np.uint8)
        check(lib.graze_raycast_any_batch(address("graze_ray *", rays), n, 0, mesh_ref, options, address("uint8_t *", out)))

    def c_closest():
        out = np.empty(n, dtype_of("graze_closest_points"))
        check(lib.graze_closest_batch(address("double *", points), n, 0, mesh_ref, address("graze_closest_points *", out)))

    def c_signed():
        out = np.empty(n)
        check(lib.graze_signed_distance_batch(address("double *", points), n, 0, solid_ref, address("double *", out)))

    def c_contains():
        out = np.empty(n, np.uint8)
        check(lib.graze_contains_batch(solid_ref, address("double *", points), n, 0, address("uint8_t *", out)))

    def c_states(ref):
        out = np.empty(n, np.uint8)
        check(lib.graze_intersects_poses(ref, address("graze_pose *", poses._array), n, 0, mesh_ref, address("uint8_t *", out)))

    rows = {
        "first hit of rays": {"Python": lambda: graze.raycast(mesh, rays), "C": c_raycast},
        "first hit, origins and directions": {"Python": lambda: graze.raycast(mesh, origins, rays[:, 3:]), "C": c_raycast},
        "any hit of rays": {"Python": lambda: graze.raycast_any(mesh, rays), "C": c_any},
        "closest point of the surface": {"Python": lambda: graze.closest(mesh, points), "C": c_closest},
        "signed distance": {"Python": lambda: graze.signed_distance(solid, points), "C": c_signed},
        "inside or outside": {"Python": lambda: graze.contains(solid, points), "C": c_contains},
        "states of a ball": {"Python": lambda: graze.intersects(ball, mesh, poses=poses), "C": lambda: c_states(ball._ref)},
        "states of a tool of two shapes": {"Python": lambda: graze.intersects(tool, mesh, poses=poses), "C": lambda: c_states(a)},
        "states, converted from quaternions": {"Python": lambda: graze.intersects(tool, mesh, poses=quaternions), "C": lambda: c_states(a)},
    }
    if peers:
        add_scipy(rows, mesh, points)
        add_open3d(rows, mesh, points, rays)
    return rows


def add_scipy(rows, mesh, points):
    try:
        from scipy.spatial import cKDTree
    except ImportError:
        return
    tree = cKDTree(mesh.vertices)
    rows["closest point of the surface"]["cKDTree (nearest vertex)"] = lambda: tree.query(points, workers=1)


def add_open3d(rows, mesh, points, rays):
    try:
        import open3d
    except ImportError:
        return
    scene, tensor = open3d.t.geometry.RaycastingScene(), open3d.core.Tensor
    scene.add_triangles(tensor(mesh.vertices.astype(np.float32)), tensor(mesh.triangles))
    r, p = tensor(rays.astype(np.float32)), tensor(points.astype(np.float32))
    name = "Open3D %s (float32)" % open3d.__version__
    rows["first hit of rays"][name] = lambda: scene.cast_rays(r, nthreads=1)
    rows["any hit of rays"][name] = lambda: scene.test_occlusions(r, nthreads=1)
    rows["closest point of the surface"][name] = lambda: scene.compute_closest_points(p, nthreads=1)
    rows["signed distance"][name] = lambda: scene.compute_signed_distance(p, nthreads=1)
    rows["inside or outside"][name] = lambda: scene.compute_occupancy(p, nthreads=1)


def single_calls(mesh):
    """{text: work} of single calls."""
    ball, box, pose = graze.Sphere((0.1, 0, 0), 1), graze.Box((0, 0, 0), (1, 1, 1)), graze.Pose.quaternion(1, 0.5, 0, 0, (1, 0, 0))
    point, origin, direction = np.array((0.2, 0.3, 0.4)), np.array((5.0, 0.1, 0.2)), np.array((-1.0, 0.01, 0.02))
    placed, ray = box.at(pose), graze.Ray(origin, direction)
    return {
        "intersects(sphere, box)": lambda: graze.intersects(ball, box),
        "intersects(mesh, sphere)": lambda: graze.intersects(mesh, ball),
        "intersects(box.at(pose), box)": lambda: graze.intersects(placed, box),
        "within(sphere, box, 0.5)": lambda: graze.within(ball, box, 0.5),
        "closest(sphere, box)": lambda: graze.closest(ball, box),
        "closest(box, point)": lambda: graze.closest(box, point),
        "contains(box, point)": lambda: graze.contains(box, point),
        "raycast_any(mesh, ray)": lambda: graze.raycast_any(mesh, ray),
        "raycast(mesh, ray)": lambda: graze.raycast(mesh, ray),
        "raycast(mesh, origin, direction)": lambda: graze.raycast(mesh, origin, direction),
        "Sphere((x, y, z), r)": lambda: graze.Sphere(point, 1.0),
        "box.at(pose)": lambda: box.at(pose),
    }


def many(work, times=2000):
    def run():
        for _ in range(times):
            work()

    return run


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", nargs="?")
    parser.add_argument("--count", type=int, default=1000000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only-graze", action="store_true", help="leave the other packages out")
    options = parser.parse_args()
    graze.set_threads(1)
    mesh = graze.load(options.model) if options.model else torus()
    print(
        "%s, Python %s, NumPy %s, graze %s (%s)"
        % (platform.processor() or platform.machine(), platform.python_version(), np.__version__, graze.version(), graze.cpu_level())
    )
    print("\n%d questions to a mesh of %d triangles; CPU time on one thread, nanoseconds each\n" % (options.count, len(mesh)))
    print("| batch | Python | C | ratio | others |\n|---|---:|---:|---:|---|")
    for row, contestants in batches(mesh, options.count, not options.only_graze).items():
        seconds = least(options.rounds, contestants)
        each = {name: s / options.count * 1e9 for name, s in seconds.items()}
        others = ", ".join("%s %.0f" % (name, ns) for name, ns in each.items() if name not in ("Python", "C"))
        print("| %s | %.0f | %.0f | %.2f | %s |" % (row, each["Python"], each["C"], each["Python"] / each["C"], others), flush=True)
    print("\n| single call | microseconds |\n|---|---:|")
    for text, work in single_calls(mesh).items():
        print("| `%s` | %.2f |" % (text, least(2 * options.rounds, {text: many(work)})[text] / 2000 * 1e6), flush=True)


if __name__ == "__main__":
    main()
