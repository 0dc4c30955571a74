"""Meshes: arrays without copies, every type of index, parts, user numbers, reports, refitting, files, progress and the page."""
import os
import pickle
import threading
import warnings

import numpy as np
import pytest

import graze
from models import box_arrays, box_mesh, soup, torus, torus_arrays

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.environ.get("GRAZE") or os.path.join(ROOT, "build", "release", "graze")


def test_views_are_the_memory_of_the_mesh():
    mesh = torus()
    v, t = torus_arrays()
    assert mesh.vertices.tolist() == v.tolist() and mesh.triangles.tolist() == t.tolist() and len(mesh) == len(t)
    assert mesh.vertices.ctypes.data == mesh.vertices.ctypes.data and not mesh.vertices.flags.writeable and mesh.triangles.dtype == np.uint32
    view = mesh.vertices
    del mesh
    assert view.sum() == v.sum()


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_index_types(dtype):
    v, t = box_arrays()
    mesh = graze.Mesh(v, t.astype(dtype))
    assert mesh.triangles.tolist() == t.tolist()
    assert graze.Mesh(v, np.asfortranarray(t.astype(dtype))).triangles.tolist() == t.tolist()


def test_vertex_types_and_strides():
    v, t = box_arrays()
    wide = np.zeros((8, 8))
    wide[:, 2:5] = v
    for given in (v.astype(np.float32), v.astype(int), wide[:, 2:5], np.asfortranarray(v), v.astype(">f8"), v.tolist(), v[::-1][::-1], v.astype(np.float16)):
        assert graze.Mesh(given, t).vertices.tolist() == v.tolist()
    every_other = np.repeat(v, 2, axis=0)[::2]
    assert graze.Mesh(every_other, t).vertices.tolist() == v.tolist() and graze.Mesh(v, t.tolist()).triangles.tolist() == t.tolist()
    f32 = np.random.default_rng(3).normal(size=(9, 3)).astype(np.float32)
    assert graze.Mesh(f32, [[0, 1, 2]]).vertices.tolist() == f32.astype(float).tolist()


def test_notes_of_files(tmp_path):
    path = tmp_path / "noted.obj"
    path.write_text("fancy\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    note = "line 1: 'fancy' is not known, ignored (1 statement)"
    for read in (graze.load, graze.load_model, graze.load_assembly, lambda p: graze.read_model(p.read_bytes(), str(p))):
        with pytest.warns(graze.ModelWarning) as caught:
            model = read(path)
        assert [str(w.message) for w in caught] == ["%s: %s" % (path, note)] and caught[0].filename == __file__
        assert model.notes == (note,) and model.unit == "" and model.up_axis == ""
    with warnings.catch_warnings():
        warnings.simplefilter("error", graze.ModelWarning)
        with pytest.raises(graze.ModelWarning, match="fancy"):
            graze.load(path)
        warnings.simplefilter("ignore", graze.ModelWarning)
        mesh = graze.load(path)
    again = pickle.loads(pickle.dumps(mesh))
    assert again.notes == mesh.notes == (note,) and again.triangles.tolist() == mesh.triangles.tolist()
    assert torus().notes == () and torus().unit == "" and pickle.loads(pickle.dumps(torus())).notes == ()
    graze.Assembly({"a": torus()}, unit="inch", up_axis="x", notes=["by hand"]).save(tmp_path / "a.graze")
    with pytest.warns(graze.ModelWarning, match="by hand"):
        mapped = graze.load(tmp_path / "a.graze")
    assert (mapped.unit, mapped.up_axis, mapped.notes) == ("inch", "x", ("by hand",))


def test_units_and_turns_of_files():
    inch = os.path.join(ROOT, "tests", "corpus", "io", "other", "inch.3mf")
    assert graze.load(inch).unit == "inch"
    with pytest.warns(graze.ModelWarning, match="brought from inch to millimetre: coordinates times 127/5, rounded"):
        mesh = graze.load(inch, unit="millimetre")
    assert mesh.unit == "millimetre" and mesh.vertices[0].tolist() == [127, 152.4, 177.8]
    with pytest.warns(graze.ModelWarning, match="its up axis z is y"):
        assert graze.load_model(inch, up_axis="y").vertices[0].tolist() == [5, 7, -6]
    assert np.array_equal(graze.load(inch, literal=True).vertices, graze.load(inch).vertices)
    for options, found in (({"unit": "furlong"}, "unit is 'furlong'"), ({"up_axis": "-z"}, "up_axis is '-z'"), ({"unit": "a\0"}, "NUL")):
        with pytest.raises(graze.Error, match=found):
            graze.load(inch, **options)
    with pytest.raises(TypeError, match="unit is 5, must be a str"):
        graze.load_model(inch, unit=5)


def test_faces_with_holes(tmp_path):
    outline = np.array([(0, 0, 0), (4, 0, 0), (4, 4, 0), (0, 4, 0), (0, 0, 0), (1, 1, 0), (1, 3, 0), (3, 3, 0), (3, 1, 0), (1, 1, 0)], float)
    cut = graze.triangulate(outline)
    u, v = outline[cut[:, 1]] - outline[cut[:, 0]], outline[cut[:, 2]] - outline[cut[:, 0]]
    assert cut.shape == (8, 3) and (np.cross(u, v)[:, 2] > 0).all() and np.cross(u, v)[:, 2].sum() == 24
    path = tmp_path / "seam.obj"
    path.write_text("v 0 0 0\nv 4 0 0\nv 4 4 0\nv 2 0 0\nv 0 4 0\nf 1 2 3 4 5\n")
    model = graze.load_model(path)
    assert model.seams.tolist() == model.mesh().report().degenerate.tolist() and len(model.seams) == 1 and model.concave.tolist() == [0]


def test_empty_meshes_are_empty_sets():
    empty = graze.Mesh(np.zeros((0, 3)), np.zeros((0, 3), int))
    assert len(empty) == 0 and empty and not graze.intersects(empty, graze.Sphere((0, 0, 0), 9)) and graze.Mesh([], []).vertices.shape == (0, 3)
    assert graze.closest(empty, graze.Point((0, 0, 0))).distance == np.inf and empty.vertices.shape == (0, 3)


def test_parts_and_user_numbers():
    v, t = box_arrays()
    mesh = graze.Mesh(v, t, parts=[("bottom", 0, 2), ("größer", 4, 8)], user=np.arange(12))
    assert mesh.parts == (("bottom", 0, 2), ("größer", 4, 8)) and mesh.parts[1].name == "größer" and mesh.user.tolist() == list(range(12))
    hit = graze.raycast(mesh, (0.3, 0.4, -5), (0, 0, 1))
    assert hit.part == 0 and hit.user == hit.triangle
    assert box_mesh().user is None and box_mesh().parts == ()


def test_report():
    v, t = box_arrays()
    report = graze.Mesh(v, t).report()
    assert report.closed and report.solid and report.components == 1 and report.border_edges.shape == (0, 3)
    damaged = graze.Mesh(np.vstack([v, v[:1], [[5, 5, 5]]]), np.vstack([t[:-1], t[:1], [[0, 0, 1]]])).report()
    assert not damaged.closed and damaged.degenerate.tolist() == [12] and damaged.duplicates.tolist() == [[11, 0]] and damaged.repeated_vertices == 1
    assert damaged.unreferenced_vertices.tolist() == [8, 9] and damaged.counts()["degenerate"] == 1 and "duplicates=1" in repr(damaged)
    with pytest.raises(graze.Error, match="edge"):
        graze.solid(graze.Mesh(v, t[:-1]))


def test_junctions():
    v, t = box_arrays()
    edge = [int(i) for i in t[0][:2]]
    middle = (v[edge[0]] + v[edge[1]]) / 2
    cut = np.vstack([t[1:], [[edge[0], 8, t[0][2]], [8, edge[1], t[0][2]]]])
    mesh = graze.Mesh(np.vstack([v, [middle]]), cut)
    report = mesh.report()
    assert report.closed and report.solid and len(report.junction_edges) == 3 and report.near_junctions == () and len(report.border_edges) == 0
    solid, plain = graze.solid(mesh), graze.solid(box_mesh())
    assert solid.seams == 1 and plain.seams == 0 and len(solid) == 13 and pickle.loads(pickle.dumps(solid)).seams == 1
    assert graze.volume(solid) == graze.volume(plain) == 1 and graze.contains(solid, (0.5, 0.5, 0.5))


def test_refit():
    mesh = torus()
    moved = mesh.refit(mesh.vertices + (0, 0, 10))
    assert graze.bounding_box(moved).min[2] > 9 and moved.triangles.tolist() == mesh.triangles.tolist()
    with pytest.raises(graze.Error):
        mesh.refit(mesh.vertices[:-1])
    assert len(mesh.tree_boxes(2)) > 1 and mesh.tree_boxes(0).shape == (1, 6)


def test_solids_and_height_fields():
    solid = graze.solid(box_mesh())
    assert graze.contains(solid, (0.5, 0.5, 0.5)) and not graze.contains(solid.mesh, (0.5, 0.5, 0.5)) and len(solid) == 12
    field = graze.HeightField((0, 0, 1), 2, 3, [[0, 1, 2], [3, np.nan, 5], [6, 7, 8]])
    assert field.vertices.shape == (6, 3) and field.mesh.triangles.tolist() == field.triangles.tolist() and len(field) == 2
    assert graze.raycast(field, (0.5, 1.0, 50), (0, 0, -1)) is None and graze.raycast(field, (3.5, 0.1, 50), (0, 0, -1)).triangle == 0
    assert field.origin.tolist() == [0, 0, 1] and field.spacing == (2, 3) and field.heights.shape == (3, 3)
    assert np.array_equal(field.heights, [[0, 1, 2], [3, np.nan, 5], [6, 7, 8]], equal_nan=True) and not field.heights.flags.writeable
    scene = graze.Scene()
    scene.add("field", field)
    for other in (pickle.loads(pickle.dumps(field)), pickle.loads(pickle.dumps(scene.shape("field")))):
        assert np.array_equal(other.heights, field.heights, equal_nan=True) and other.vertices.tolist() == field.vertices.tolist()
    for bad in (np.zeros(3), np.zeros((1, 5)), [[0, np.inf], [0, 0]]):
        with pytest.raises(graze.Error):
            graze.HeightField((0, 0, 0), 1, 1, bad)
    with pytest.raises(graze.Error):
        graze.HeightField((0, 0, 0), 0, 1, np.zeros((2, 2)))


def test_files(tmp_path):
    path = tmp_path / "box.obj"
    v, t = box_arrays()
    path.write_text("o cube\n" + "".join("v %r %r %r\n" % tuple(p) for p in v.tolist()) + "".join("f %d %d %d\n" % tuple(f + 1) for f in t))
    mesh = graze.load(path)
    assert mesh.vertices.tolist() == v.tolist() and mesh.triangles.tolist() == t.tolist() and mesh.parts[0].name == "cube"
    model = graze.load_model(str(path))
    assert model.format == "obj" and not model.single_precision and model.mesh().triangles.tolist() == t.tolist()
    assert graze.read_model(path.read_bytes(), "x.obj").vertices.tolist() == v.tolist()
    assert graze.has_model_extension("a.STL") and not graze.has_model_extension("a.txt")
    with pytest.raises(graze.Error) as e:
        graze.load(tmp_path / "none.obj")
    assert e.value.code == "unreadable_file" and "none.obj" in str(e.value)
    path.write_text("v 1 2\nf 1 1 1\n")
    with pytest.raises(graze.Error) as e:
        graze.load(os.fsencode(path))
    assert e.value.code == "malformed_file"
    with pytest.raises(graze.Error) as e:
        graze.load_model(path, max_bytes=3)
    assert e.value.code == "too_large"


def test_progress_can_end_a_call():
    seen = []
    mesh = soup(1, 30000, 0.01)
    graze.Mesh(mesh.vertices, mesh.triangles, progress=seen.append)
    assert seen[0] == 0 and seen == sorted(seen) and seen[-1] <= 1
    for call in (lambda p: graze.Mesh(mesh.vertices, mesh.triangles, progress=p), lambda p: graze.self_intersections(mesh, progress=p)):
        with pytest.raises(graze.Error) as e:
            call(lambda done: False)
        assert e.value.code == "cancelled"
        with pytest.raises(ZeroDivisionError):
            call(lambda done: 1 / 0)
        with pytest.raises(TypeError):
            call(3)
        errors = []

        def elsewhere():
            try:
                call(lambda done: 1 / 0)
            except ZeroDivisionError as e:
                errors.append(e)

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        assert len(errors) == 1


def test_notebooks_show_a_table_or_a_page(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("GRAZE", raising=False)
    assert "<td>triangles</td><td>12</td>" in box_mesh()._repr_html_()


@pytest.mark.skipif(not os.access(TOOL, os.X_OK), reason="the tool is not built")
def test_notebooks_show_the_page_of_the_tool(monkeypatch):
    monkeypatch.setenv("GRAZE", TOOL)
    assert box_mesh()._repr_html_().startswith(("<iframe", "<table"))  # a tool without the viewer has no pages


def test_defects_are_named():
    v, t = box_arrays()
    v[3, 1] = np.nan
    t[5, 2] = 99
    with pytest.raises(graze.Error, match="triangle 5 uses vertex 99 of 8") as e:
        graze.Mesh(v, t)
    assert "vertex 3" in str(e.value) and e.value.code == "invalid_shape" and isinstance(e.value, ValueError)
