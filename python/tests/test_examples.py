"""The programs and the notebook of examples/python: each runs, and what they answer is checked."""
import ast
import glob
import importlib.util
import json
import math
import os
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest

import graze

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
EXAMPLES = os.path.join(ROOT, "examples", "python")
ARM = os.path.join(EXAMPLES, "arm")


def run(path, folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    return subprocess.run([sys.executable, path, *arguments], capture_output=True, text=True, cwd=folder, timeout=120, env=environment)


@pytest.mark.parametrize("path", sorted(glob.glob(os.path.join(EXAMPLES, "*.py"))), ids=os.path.basename)
def test_examples(path, tmp_path):
    """Each ends well; where examples/expected has its output, it prints exactly that."""
    r = run(path, tmp_path)
    assert r.returncode == 0 and r.stdout.strip(), r.stderr
    expected = os.path.join(ROOT, "examples", "expected", "python_%s.txt" % os.path.splitext(os.path.basename(path))[0])
    if os.path.exists(expected):
        with open(expected) as f:
            assert r.stdout == f.read()


def module_of(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(EXAMPLES, name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_clash_report(tmp_path):
    first, second = module_of("clash_report").plant_room()
    found = [(f.verdict, f.status, f.a, f.b) for f in first.findings if f.status != "approved"]
    assert sorted(found) == [("near", "new", "mep/line 1/pipe", "steel/beam %d" % i) for i in (0, 1)] + [
        ("touching", "new", "mep/line 2/pipe", "steel/beam %d" % i) for i in (0, 1)
    ]
    assert first.findings[first.findings.verdict == "near"].distance.tolist() == [10, 10] and set(first.findings.note) == {"", "sleeve, see drawing 12"}
    assert [(f.verdict, f.a, f.depth >= 110) for f in second.open] == [("overlapping", "mep/line 3/pipe", True)] * 2
    assert (second.findings.status == "resolved").sum() == 4 and (second.findings.status == "approved").sum() == 2
    gear, rock = (os.path.join(ROOT, "scenes", name) for name in ("gear.obj", "rock.obj"))
    for _ in range(2):
        r = run(os.path.join(EXAMPLES, "clash_report.py"), tmp_path, gear, rock, "--clearance", "1", "--out", "results")
        assert r.returncode == 0, r.stderr
    report = graze.read_clashes(tmp_path / "results")
    assert report.run == 2 and sorted(os.listdir(tmp_path / "results")) == [".lock", "clash.bcf", "clash.csv", "clash.json", "junit.xml"]


def test_benchmark_runs(tmp_path):
    r = run(os.path.join(ROOT, "bench", "python_bench.py"), tmp_path, "--count", "500", "--rounds", "1", "--only-graze")
    assert r.returncode == 0 and r.stdout.count("|\n") == 9 + 12 + 4, r.stderr


# ---- the robot ---------------------------------------------------------------------------------------------------------------------------


ROBOT = module_of("robot")


def arm(states):
    robot = ROBOT.Robot(os.path.join(ARM, "arm.urdf"))
    return robot, robot.placements(np.atleast_2d(states))


def test_forward_kinematics():
    robot, placed = arm(np.zeros(7))
    assert robot.active == ["pan", "lift", "elbow", "wrist_roll", "wrist_bend", "flange_roll", "grip"]
    assert np.allclose(placed["palm"][0, :3, 3], (0, 0, 1.11)) and np.allclose(placed["palm"][0, :3, :3], [(0, -1, 0), (1, 0, 0), (0, 0, 1)])
    quarter = math.pi / 2
    _, placed = arm([[0, quarter, 0, 0, 0, 0, 0], [quarter, quarter, 0, 0, 0, 0, 0], [0, quarter, quarter, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0.04]])
    assert np.allclose(placed["palm"][:3, :3, 3], [(0.87, 0, 0.24), (0, 0.87, 0.24), (0.4, 0, -0.23)])
    fingers = [np.linalg.inv(placed["palm"][3]) @ placed[side + "_finger"][3] for side in ("left", "right")]
    assert np.allclose([f[:3, 3] for f in fingers], [(0, 0.04, 0.05), (0, -0.04, 0.05)])  # the right one mimics the left one


def test_batches_agree_with_scenes():
    robot = ROBOT.Robot(os.path.join(ARM, "arm.urdf"))
    states = robot.random_states(400, np.random.default_rng(7))
    placed, pairs = robot.placements(states), robot.pairs(ROBOT.disabled_pairs(os.path.join(ARM, "arm.srdf")))
    assert len(pairs) == 32 and not {frozenset(p) for p in pairs} & {frozenset(p) for p in (("base", "shoulder"), ("flange", "palm"), ("wrist_1", "flange"))}
    meets = ROBOT.collisions(robot, pairs, placed)
    assert 0 < meets.any(axis=0).sum() < 100
    for i in range(400):
        scene = ROBOT.scene_of(robot, placed, i, pairs)
        reported = {frozenset((scene.name(p.a), scene.name(p.b))) for p in scene.pairs(witnesses=False)}
        assert reported == {frozenset(pairs[k]) for k in np.flatnonzero(meets[:, i])}


def test_the_picture_is_a_png(tmp_path):
    r = run(os.path.join(EXAMPLES, "robot.py"), tmp_path, "--states", "100", "--picture", "two.png")
    assert r.returncode == 0, r.stderr
    data = (tmp_path / "two.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", data[16:24]) == (960, 480)
    size = struct.unpack(">I", data[33:37])[0]
    pixels = np.frombuffer(zlib.decompress(data[41 : 41 + size]), np.uint8).reshape(480, 1 + 3 * 960)[:, 1:].reshape(480, 960, 3).astype(int)
    red = (pixels[..., 0] > pixels[..., 1] + 80) & (pixels[..., 1] < 60)
    assert 100 < red[:, 480:].sum() and not red[:, :480].any()  # the links that meet, in the second state only


URDF = """<robot name="r"><link name="a"><collision><geometry>%s</geometry></collision></link>
<link name="b"><collision><geometry><sphere radius="1"/></geometry></collision></link>%s</robot>"""
JOINT = '<joint name="j" type="%s"><parent link="a"/><child link="b"/>%s</joint>'
WRONG = [
    (URDF % ("<cone/>", ""), "cone"),
    (URDF % ("", ""), "geometry"),
    (URDF % ('<box size="1 2"/>', ""), "3 numbers"),
    (URDF % ('<sphere radius="-1"/>', ""), "radius is -1"),
    (URDF % ('<mesh filename="package://none/none.stl"/>', ""), "no file package://none/none.stl"),
    (URDF % ('<box size="1 1 1"/>', JOINT % ("ball", "")), "ball"),
    (URDF % ('<box size="1 1 1"/>', JOINT % ("revolute", "")), "limit"),
    (URDF % ('<box size="1 1 1"/>', JOINT % ("continuous", '<axis xyz="0 0 0"/>')), "axis"),
    (URDF % ('<box size="1 1 1"/>', JOINT % ("fixed", "") + '<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint>'), "not a tree"),
    ("<robot", "line 1"),
]


@pytest.mark.parametrize("case", range(len(WRONG)))
def test_wrong_robots(case, tmp_path):
    text, message = WRONG[case]
    (tmp_path / "r.urdf").write_text(text)
    r = run(os.path.join(EXAMPLES, "robot.py"), tmp_path, "r.urdf")
    assert r.returncode == 1 and message in r.stderr and "Traceback" not in r.stderr, r.stderr


# ---- the notebook ------------------------------------------------------------------------------------------------------------------------


def test_notebook(monkeypatch):
    """The cells in order, as Jupyter runs them: the last expression of a cell is its value."""
    monkeypatch.chdir(EXAMPLES)
    with open("first_steps.ipynb", encoding="utf-8") as f:
        notebook = json.load(f)
    assert notebook["nbformat"] == 4 and len({c["id"] for c in notebook["cells"]}) == len(notebook["cells"])
    names, values = {}, []
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [] and cell["execution_count"] is None  # committed without results
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, cell["id"], "exec"), names)
        if last is not None:
            values.append(eval(compile(ast.Expression(last.value), cell["id"], "eval"), names))
    assert (True, False) in values and (True, False, True) in values and ("overlapping", "a_in_b", "identical") in values
    assert names["free"].sum() == 500 and names["gap"].distance == graze.closest(names["gear"], names["far"]).distance
    assert names["hits"].hit.sum() > 500 and 0.49 < names["stop"].t < 0.5
    assert values[-1] is names["both"] and len(names["both"]) == 2304
    shown = names["both"]._repr_html_()
    assert shown.startswith("<iframe") or "<td>2304</td>" in shown
