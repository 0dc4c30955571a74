"""What concerns the process: threads on shared objects, Ctrl-C, forks, flat memory, and the types."""
import gc
import math
import multiprocessing
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time
import tracemalloc

import numpy as np
import pytest

import graze
from models import box_mesh, soup, torus

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PACKAGE = os.path.join(ROOT, "python", "graze")


def test_eight_threads_share_meshes():
    mesh, other, random = torus(60, 30), soup(3, 400), np.random.default_rng(1)
    points, origins, directions = random.uniform(-3, 3, (500, 3)), random.uniform(-3, 3, (500, 3)), random.normal(size=(500, 3))
    scene = graze.Scene()
    for i in range(20):
        scene.add("m", mesh, graze.translation(random.uniform(-9, 9, 3)))

    def answers():
        return [
            graze.closest(mesh, points).distance.tolist(),
            graze.raycast(mesh, origins, directions).t.tolist(),
            graze.intersecting_triangles(mesh, other).tolist(),
            scene.pairs().a.tolist(),
            graze.Mesh(other.vertices, other.triangles).vertices.tolist(),
            graze.raycast(mesh, origins[:50], directions[:50], accept=lambda t: t.triangle % 2 == 0).t.tolist(),
        ]

    expected, wrong = answers(), []

    def work():
        for _ in range(4):
            if answers() != expected:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_errors_belong_to_their_thread():
    texts = {}

    def work(i):
        for _ in range(300):
            try:
                graze.Sphere((0, 0, 0), -float(i + 1))
            except graze.Error as e:
                texts.setdefault(i, set()).add(str(e))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(len(texts[i]) == 1 and "is -%d," % (i + 1) in texts[i].pop() for i in range(8))


def test_the_lock_is_released():
    mesh, ticks, done = soup(2, 150000, 0.01), [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    graze.Mesh(mesh.vertices, mesh.triangles)
    end = time.perf_counter()
    done.set()
    thread.join()
    assert sum(start < t < end for t in ticks) >= 3


def test_ctrl_c_ends_a_long_call():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets its background jobs ignore it
    mesh = soup(4, 40000, 0.15)  # lists some 100 million pairs
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        graze.count_self_intersections(mesh, most=2**53)
        time.sleep(5)
    assert time.perf_counter() - start < 30
    timer.join()
    signal.signal(signal.SIGINT, before)
    for _ in range(500):  # the thread that made the call ends with it
        if not any(t.name == "graze" for t in threading.enumerate()):
            break
        time.sleep(0.01)
    else:
        raise AssertionError("the call goes on")


def sphere_arrays(n, m):
    """A ball of some 2 n m triangles."""
    u, v = np.meshgrid(np.arange(n + 1) * np.pi / n, np.arange(m) * 2 * np.pi / m, indexing="ij")
    vertices = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1).reshape(-1, 3)
    a = (np.arange(n)[:, None] * m + np.arange(m)).ravel()
    b = (np.arange(n)[:, None] * m + (np.arange(m) + 1) % m).ravel()
    return vertices, np.concatenate([np.stack([a, a + m, b], axis=1), np.stack([b, a + m, b + m], axis=1)])


def _scene_of(mesh):
    scene = graze.Scene()
    scene.add("m", mesh)
    return scene


def _long_calls():
    """Calls that take tenths of a second to minutes, by name."""
    mesh = soup(4, 30000, 0.15)
    random, scene, ball = np.random.default_rng(7), graze.Scene(), graze.Sphere((0, 0, 0), 0.4)
    points, directions = random.uniform(-1, 1, (200000, 3)), random.normal(size=(200000, 3))
    spread = [graze.translation(p) for p in points[:3000]]
    for pose in spread:
        scene.add("m", mesh, pose)
    solid, apart = graze.solid(torus(400, 200)), [mesh.at(graze.translation(p + (4, 0, 0))) for p in points[:30000]]
    poses = graze.Poses(np.hstack([np.tile((1.0, 0, 0, 0), (len(points), 1)), points + (4, 0, 0)]))
    many, large = np.tile(points, (10, 1)), torus(1200, 600)
    job = graze.ClashJob(graze.Assembly({"%d" % i: torus().at(graze.translation(p)) for i, p in enumerate(20 * points[:2000])}))
    parts = job.load()
    ball_arrays = sphere_arrays(230, 460)
    shell, inner = graze.Mesh(*ball_arrays), graze.Mesh(ball_arrays[0] * (1 - 1e-5), ball_arrays[1])
    cloud, bar = random.normal(size=(1500000, 3)), graze.Box((-3, -3, -3), (3, 3, 3))
    around = [graze.translation((3 * math.cos(i / 40), 3 * math.sin(i / 40), i / 400)) for i in range(400)]
    scattered = graze.Compound([inner.at(p) for p in around])
    return {
        "sweep of meshes": lambda: graze.sweep(inner, (1, 0.5, 0.25), shell),
        "sweep along a screw": lambda: graze.sweep(inner, graze.Screw((0, 0, 0), (0, 0, 1), 3.0, (0, 0, 0.001)), shell, tolerance=1e-9),
        "sweep of a compound": lambda: graze.sweep(scattered, (1, 0, 0), shell, skip_departing=True),
        "sweeps of a batch": lambda: graze.sweep([inner] * 40, np.tile((1, 0.5, 0.25), (40, 1)), shell),
        "sweep in a scene": lambda: _scene_of(shell).sweep(inner, (1, 0.5, 0.25)),
        "bounce": lambda: graze.bounce(inner, (1, 0.5, 0.25), 1.0, shell, max_bounces=100),
        "hull": lambda: graze.Hull(cloud),
        "hull of a ball": lambda: graze.Hull(cloud / np.linalg.norm(cloud, axis=1, keepdims=True)),
        "minimal sphere": lambda: graze.minimal_sphere(np.tile(cloud, (4, 1))),
        "within of meshes": lambda: graze.within(inner, shell, 1e-6),
        "intersects of meshes": lambda: graze.intersects(inner, shell),
        "closest in a scene": lambda: _scene_of(shell).closest(inner),
        "closest of points": lambda: graze.closest(mesh, many),
        "closest of poses": lambda: graze.closest(mesh, mesh, poses=poses),
        "closest of pairs": lambda: graze.closest(apart, mesh),
        "within of pairs": lambda: graze.within(apart, mesh, 3.0),
        "contains": lambda: graze.contains(solid, many),
        "signed_distance": lambda: graze.signed_distance(solid, many),
        "raycast_all": lambda: graze.raycast_all(mesh, points[:40000], directions[:40000]),
        "relation of pairs": lambda: graze.relation([solid] * 1000, solid),
        "contacts": lambda: graze.contacts(mesh, mesh),
        "penetration": lambda: graze.penetration(mesh, mesh.at(spread[0])),
        "scene pairs": scene.pairs,
        "scene rays": lambda: scene.raycast(points, directions),
        "self-intersections": lambda: graze.self_intersections(mesh),
        "construction": lambda: graze.Mesh(large.vertices, large.triangles),
        "report": large.report,
        "triangles_within": lambda: graze.triangles_within(mesh, mesh, 1.0),
        "clashes": lambda: graze.clash(job, parts=parts),
        "closest to a ball": lambda: graze.closest(ball, many),
    }


def test_ctrl_c_ends_every_long_call():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    late = {}
    for name, call in _long_calls().items():
        sent = []

        def interrupt():
            sent.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.2, interrupt)
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            while True:
                call()
        # The call has ended when its thread has, with whatever it was to free.
        while any(t.name == "graze" for t in threading.enumerate()):
            time.sleep(0.001)
        late[name] = time.process_time() - sent[0]
        timer.join()
    signal.signal(signal.SIGINT, before)
    # CPU time, also where others use the machine. 0.2 s at most, with some room: far below what the calls take.
    assert max(late.values()) < 0.5, late


def test_progress_of_an_ended_call_does_not_go_on():
    mesh, calls = soup(4, 20000, 0.15), []
    with pytest.raises(graze.Error) as error:
        graze.count_self_intersections(mesh, most=2**53, progress=lambda done: calls.append(done) or done < 0.1)
    assert error.value.code == "cancelled" and calls[-1] >= 0.1 and sum(c >= 0.1 for c in calls) == 1
    assert graze.closest(mesh, np.zeros((20000, 3))).distance.shape == (20000,)  # the next call in this thread is whole


def _in_child(mesh):
    return len(graze.intersecting_triangles(mesh, mesh)), graze.closest(mesh, np.zeros((5000, 3))).distance.sum()


def test_meshes_travel_to_other_processes():
    mesh = torus()
    expected = _in_child(mesh)
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            assert pool.map_async(_in_child, [mesh] * 4).get(120) == [expected] * 4


def _memory_cycle(mesh, points, poses):
    ball = graze.Sphere((0, 0, 0), 1)
    graze.intersects(ball, mesh)
    graze.closest(mesh, ball.at(graze.Pose()))
    graze.raycast(mesh, points, points)
    graze.raycast_all(mesh, points, points)
    graze.contacts(ball, mesh)
    graze.manifold(ball, mesh)
    graze.intersecting_triangles(mesh, mesh)
    graze.intersects(ball, mesh, poses=poses)
    graze.Mesh(mesh.vertices, mesh.triangles, user=np.arange(12)).report()
    graze.raycast(mesh, points, points, accept=lambda t: True)
    scene = graze.Scene()
    scene.add("a", mesh)
    scene.add("b", ball)
    scene.pairs()
    scene.shape("a").vertices.sum()
    pickle.loads(pickle.dumps(mesh))
    report = graze.clash(graze.Assembly({"a": mesh, "b": mesh.at(graze.translation((0.5, 0, 0)))}))
    report.approve(report.findings, note="known")
    report.open, report.groups, report.parts[0].mesh.vertices.sum()
    for bad in (lambda: graze.Sphere((0, 0, 0), -1), lambda: graze.load("/none")):
        try:
            bad()
        except graze.Error:
            pass


def test_memory_stays_flat():
    mesh, points, poses = box_mesh(), np.ones((10, 3)), np.ones((4, 7))
    ball, box = graze.Sphere((0, 0, 0), 1), graze.Box((0, 0, 0), (1, 1, 1))
    for _ in range(300):
        _memory_cycle(mesh, points, poses)
    gc.collect()
    tracemalloc.start()
    first, before = tracemalloc.get_traced_memory()[0], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(100000):
        graze.intersects(ball, box)
    for _ in range(400):
        _memory_cycle(mesh, points, poses)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - first
    tracemalloc.stop()
    assert grown < 100000 and resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20000  # KiB


def _raises(*_):
    raise RuntimeError


def test_calls_leave_no_cycles(tmp_path):
    """An exception in a cycle with the frames of its call would keep the arguments until the collector comes; Python before 3.13 crashes when that finds a
    memoryview among them."""
    mesh, ray = box_mesh(), graze.Ray((0.5, 0.25, 5), (0, 0, -1))
    vertices, triangles, path = mesh.vertices, mesh.triangles, str(tmp_path / "m.off")
    with open(path, "w") as f:
        f.write("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    gc.collect()
    gc.disable()
    try:
        for call in (
            lambda: graze.read_model(memoryview(b"v 0 x"), "x.obj"),
            lambda: graze.load(path, progress=_raises),
            lambda: graze.load(path, progress=lambda done: False),
            lambda: graze.load(path),
            lambda: graze.Mesh(vertices, triangles, progress=_raises),
            lambda: graze.Mesh(vertices, triangles + 1),
            lambda: graze.raycast(mesh, ray, accept=_raises),
            lambda: graze.raycast(mesh, ray, accept=lambda t: True),
            lambda: graze.self_intersections(mesh, progress=_raises),
            lambda: graze.intersecting_triangles(mesh, mesh, accept=_raises),
            lambda: graze.ccd(mesh, vertices[::-1].copy(), filter=_raises),
            lambda: graze.BroadPhase([(0, 0, 0, 1, 1, 1)]).along(ray, _raises),
            lambda: graze.Sphere("x", 1),
            lambda: graze.Poses(np.zeros((3, 4, 4))),
            lambda: graze.Sphere.array([(0, 0, 0)], [-1]),
            lambda: graze.Scene().remove("x"),
            lambda: graze.load_assembly(path, progress=_raises),
            lambda: graze.load_assembly(path).parts[0].placed,
            lambda: graze.Assembly({"a\0": mesh}),
            lambda: graze.map_meshes(path),
            lambda: graze.clash(mesh),
            lambda: graze.clash(path, clearance=-1),
            lambda: graze.clash(path, progress=_raises),
            lambda: graze.clash([mesh, graze.ClashModel(mesh, "mesh")]),
            lambda: graze.clash(mesh).approve("none"),
        ):
            try:
                call()
            except (ValueError, TypeError, RuntimeError):
                pass
            assert gc.collect() == 0
    finally:
        gc.enable()


def _resident():
    """Bytes of memory that the process has now."""
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * resource.getpagesize()


def _ten_calls(mesh, ball, box, placed, pose, scene):
    """Those that cost one or two microseconds each."""
    graze.intersects(ball, box)
    graze.intersects(placed, box)
    graze.intersects(mesh, ball)
    graze.within(ball, placed, 0.5)
    graze.closest(ball, box)
    graze.closest(ball, placed).on_a
    graze.intersects(ball, placed)
    graze.intersects(mesh, placed)
    box.at(pose)
    scene.move(0, pose)


def _twenty_calls(mesh, ball, box, placed, pose, scene):
    point, points = np.array((0.5, 0.25, 0.75)), np.linspace(0, 3, 12).reshape(4, 3)
    graze.closest(mesh, placed).triangle_a
    graze.closest(mesh, point).distance
    graze.closest(mesh, points).on_a
    graze.contains(ball, point)
    graze.contains(box, points)
    graze.raycast(mesh, point, point)
    graze.raycast(mesh, points, points + 1).t
    graze.raycast_all(mesh, points, points + 1).offsets
    graze.raycast_any(box, point, point)
    graze.sweep(ball, point, placed)
    graze.contacts(mesh, ball)
    graze.manifold(ball, box)
    graze.penetration(ball, box).depth
    graze.relation(ball, box)
    graze.bounding_box(ball)
    graze.intersecting_triangles(mesh, mesh)
    graze.signed_distance(graze.solid(mesh), points)
    graze.Mesh(mesh.vertices, mesh.triangles)
    scene.pairs().distance
    try:
        graze.Sphere(point, -1)
    except graze.Error:
        pass


def test_a_million_calls():
    """The resident memory stays where it is after the first tenth."""
    mesh, ball, box, pose = box_mesh(), graze.Sphere((0.25, 0, 0), 1), graze.Box((0, 0, 0), (1, 1, 1)), graze.Pose.quaternion(1, 0.5, 0, 0, (1, 0, 0))
    scene = graze.Scene()
    scene.add("a", ball)
    scene.add("b", mesh)
    given = mesh, ball, box, box.at(pose), pose, scene
    before = 0
    for frame in range(98000):
        if frame == 9800:
            gc.collect()
            before = _resident()
        _ten_calls(*given)
        if frame % 98 == 0:
            _twenty_calls(*given)
    gc.collect()
    assert _resident() - before < 2e6


def test_types():
    pytest.importorskip("mypy")
    r = subprocess.run([sys.executable, "-m", "mypy", "--strict", PACKAGE], capture_output=True, text=True, cwd=ROOT)
    assert r.returncode == 0, r.stdout


def test_everything_is_documented():
    for name in graze.__all__:
        thing = getattr(graze, name)
        if isinstance(thing, type) or callable(thing) and hasattr(thing, "__code__"):
            assert thing.__doc__ and not thing.__doc__.startswith(name + "("), name
            for member, value in vars(thing).items() if isinstance(thing, type) else ():
                if not member.startswith("_") and callable(value) and hasattr(value, "__code__"):
                    assert value.__doc__, name + "." + member
