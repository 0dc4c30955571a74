"""Assemblies, and tree files: parts, meshes that are shared, scenes, pickling, saving and mapping."""
import os
import pickle

import numpy as np
import pytest

import graze
from models import box_arrays, box_mesh, torus

TURN = graze.Pose.quarter_turn("z", 1, (5, 0, 0))


def wheels():
    """Two wheels that share a mesh, and a frame."""
    wheel = torus()
    return graze.Assembly({"frame": box_mesh((0, 0, 0), (9, 1, 1)), "wheel": wheel, "wheel#2": wheel.at(TURN)}, unit="mm", up_axis="z", notes=["made"])


def same(a, b):
    assert [(p.path, p.name, p.pose) for p in a] == [(p.path, p.name, p.pose) for p in b]
    assert a.mesh_numbers.tolist() == b.mesh_numbers.tolist()
    for m, n in zip(a.meshes, b.meshes):
        assert m.vertices.tobytes() == n.vertices.tobytes() and m.triangles.tobytes() == n.triangles.tobytes()
    assert (a.unit, a.up_axis, a.single_precision, a.notes) == (b.unit, b.up_axis, b.single_precision, b.notes)


def test_parts_share_meshes():
    a = wheels()
    assert len(a) == 3 and len(a.meshes) == 2 and a.mesh_numbers.tolist() == [0, 1, 1] and a.placed_triangles == 12 + 2 * len(a.meshes[1])
    assert a.parts[1].mesh is a.parts[2].mesh is a.meshes[1] and a.parts[2].pose == TURN and a["wheel#2"] is a[2] is a[-1]
    assert [p.path for p in a] == ["frame", "wheel", "wheel#2"] and a.poses[2] == TURN and len(a.poses) == 3
    assert (a.unit, a.up_axis, a.format, a.single_precision, a.notes) == ("mm", "z", "", False, ("made",))
    assert graze.intersects(a[1].placed, a.parts[2].placed) and repr(a) == "Assembly(3 parts, 2 meshes, %d triangles)" % a.placed_triangles
    same(a, graze.Assembly(a.parts, unit="mm", up_axis="z", notes=("made",)))
    renamed = graze.Assembly([p._replace(name="x/" + p.name, pose=p.pose.matrix4) for p in a])
    assert renamed[2].name == "x/wheel#2" and renamed[2].pose == TURN
    empty = graze.Assembly({})
    assert len(empty) == 0 and empty and empty.parts == () == empty.meshes and len(empty.scene()) == 0 and len(empty.poses) == 0


def test_a_scene_of_the_parts():
    a = wheels()
    scene = a.scene()
    assert [scene.name(i) for i in scene] == ["frame", "wheel", "wheel#2"] and scene.pose("wheel#2") == TURN
    inside = graze.Assembly({"shell": box_mesh((0, 0, 0), (9, 9, 9)), "core": box_mesh((4, 4, 4), (5, 5, 5)), "sheet": graze.Mesh(*open_box())})
    assert len(inside.scene().pairs()) == 0 and [(p.a, p.b) for p in inside.scene(solids=True).pairs()] == [(0, 1)]  # the sheet is far away


def open_box():
    v, t = box_arrays((20, 0, 0), (21, 1, 1))
    return v, t[:-1]


def test_reading(tmp_path):
    text = "v 0 0 0\nv 1 0 0\nv 0 2 0\no one\nf 1 2 3\no two\nf 3 2 1\n"
    path = tmp_path / "two.obj"
    path.write_text(text)
    a = graze.load_assembly(path)
    assert [p.path for p in a] == ["one", "two"] and a.format == "obj" and a.placed_triangles == 2
    same(a, graze.read_assembly(text.encode(), "two.obj"))
    large = graze.load_assembly(str(path), scale=1000, pose=graze.translation((0, 0, 3)), build="fast")
    assert large[0].placed.pose.apply(large[0].mesh.vertices).max(axis=0).tolist() == [1000, 2000, 3]
    both = graze.load_assembly(tmp_path)
    assert both.format == "folder" and [p.path for p in both] == ["two/one", "two/two"]
    seen = []
    graze.load_assembly(path, progress=seen.append)
    assert seen and seen == sorted(seen) and seen[-1] <= 1
    with pytest.raises(graze.Error) as e:
        graze.load_assembly(path, progress=lambda done: False)
    assert e.value.code == "cancelled"
    with pytest.raises(graze.Error) as e:
        graze.load_assembly(path, max_bytes=3)
    assert e.value.code == "too_large"


STEP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "corpus", "io", "other", "fixture.step")
READER = os.path.join(os.path.dirname(graze.__file__), "graze-import-step")


@pytest.mark.skipif(not os.path.exists(READER) or not os.path.exists(STEP), reason="no reader of STEP beside the package")
def test_step():
    rough, fine = (graze.load_assembly(STEP, deflection=d) for d in (0.1, 0.0005))
    assert [p.path for p in rough] == [p.path for p in fine] and rough.placed_triangles < fine.placed_triangles
    assert len(graze.load(STEP, deflection=0.1)) == rough.placed_triangles == len(graze.load_model(STEP, deflection=0.1).triangles)


def test_pickling():
    a = wheels()
    b = pickle.loads(pickle.dumps(a))
    same(a, b)
    assert b.parts[1].mesh is b.parts[2].mesh


def test_tree_files(tmp_path):
    a, path = wheels(), tmp_path / "a.graze"
    a.save(path)
    read = graze.load_assembly(path)
    same(a, read)
    graze.save(a, str(path))  # the file that is mapped stays
    same(read, graze.load_assembly(path))
    ring = a.meshes[1]
    points, origins = np.random.default_rng(7).uniform(-3, 3, (200, 3)), np.full((200, 3), 5.0)
    ring.save(path)
    mapped = graze.map_mesh(path)
    assert mapped.vertices.tobytes() == ring.vertices.tobytes()
    assert graze.closest(mapped, points).on_a.tobytes() == graze.closest(ring, points).on_a.tobytes()
    assert graze.raycast(mapped, origins, points - 5).triangle.tolist() == graze.raycast(ring, origins, points - 5).triangle.tolist()
    graze.save(iter(a.meshes), path)
    both = graze.map_meshes(path)
    assert [len(m) for m in both] == [len(m) for m in a.meshes]
    with pytest.raises(graze.Error, match="a.graze"):
        graze.map_mesh(path)  # two meshes
    with open(path, "r+b") as f:
        f.seek(-9, os.SEEK_END)
        f.write(b"?")
    with pytest.raises(graze.Error) as e:
        graze.map_meshes(path)
    assert e.value.code == "malformed_file"
    for call in (lambda p: graze.save(ring, p), lambda p: graze.save([ring], p), a.save):
        with pytest.raises(graze.Error) as e:
            call(tmp_path / "none" / "a.graze")
        assert e.value.code == "unwritable_file"


def test_large_tree_files_are_mapped(tmp_path):
    mesh, path = torus(200, 100), tmp_path / "big.graze"  # beyond one megabyte
    graze.save(mesh, path)
    mapped = graze.map_mesh(path)
    os.remove(path)
    assert graze.raycast(mapped, (9, 0, 0), (-1, 0, 0)).t == graze.raycast(mesh, (9, 0, 0), (-1, 0, 0)).t
    again = pickle.loads(pickle.dumps(mapped))
    assert again.vertices.tobytes() == mesh.vertices.tobytes()


MESH = box_mesh()
PART = graze.AssemblyPart("a", "a", MESH, graze.Pose())


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: graze.Assembly([PART, PART]), r"parts\[1\].path is \"a\", as that of another part"),
        (lambda: graze.Assembly({"a": MESH, "b\0": MESH}), "NUL"),
        (lambda: graze.Assembly({"a": MESH})["b"], "no part has the path 'b'"),
        (lambda: graze.Assembly({}).save("/tmp/none.graze"), "no part"),
        (lambda: graze.Assembly([PART._replace(pose=-np.eye(4))]), "last row|rotation|reflection"),
        (lambda: graze.load_assembly("/nowhere/a.glb"), "nowhere"),
        (lambda: graze.load_assembly("/nowhere/a.glb", scale=float("nan")), "scale is NaN"),
        (lambda: graze.load_assembly("/nowhere/a.glb", build="slow"), "best, fast"),
        (lambda: graze.load_assembly("/nowhere/a.glb", deflection=2), "deflection is 2"),
        (lambda: graze.load("/nowhere/a.obj", deflection=float("nan")), "deflection is NaN"),
        (lambda: graze.read_model(b"", "a.obj", deflection=0), "deflection is 0"),
        (lambda: graze.read_assembly(b"", "a.obj"), ""),
        (lambda: graze.map_mesh("/nowhere/a.graze"), "nowhere"),
    ],
)
def test_wrong_values(call, text):
    with pytest.raises(graze.Error, match=text):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: graze.Assembly(3),
        lambda: graze.Assembly("ab"),
        lambda: graze.Assembly([3]),
        lambda: graze.Assembly({"a": graze.Sphere((0, 0, 0), 1)}),
        lambda: graze.Assembly({3: MESH}),
        lambda: graze.Assembly([PART], unit=3),
        lambda: graze.Assembly([PART], notes="no list"),
        lambda: graze.Assembly([PART], notes=[3]),
        lambda: graze.Assembly([PART._replace(mesh=3)]),
        lambda: graze.Assembly([PART])[1.5],
        lambda: graze.save(3, "a.graze"),
        lambda: graze.save([3], "a.graze"),
        lambda: graze.save(MESH, 3),
        lambda: graze.read_assembly("v", "a.obj"),
        lambda: graze.read_assembly(b"v", 3),
        lambda: graze.load_assembly("a.glb", progress=3),
    ],
)
def test_wrong_types(call):
    with pytest.raises(TypeError):
        call()


def test_parts_beyond_the_last():
    with pytest.raises(IndexError):
        graze.Assembly([PART])[1]
