"""Clash detection: jobs from models and from files, findings as a list and as arrays, runs after runs, decisions by hand, files."""
import datetime
import json
import os
import pickle
import subprocess

import numpy as np
import pytest

import graze
from models import box_arrays, box_mesh

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TOOL = os.environ.get("GRAZE") or os.path.join(ROOT, "build", "release", "graze")
BLOCK, SMALL = box_mesh((0, 0, 0), (10, 10, 10)), box_mesh((0, 0, 0), (2, 2, 2))


def at(x, y=0.0, z=0.0):
    return SMALL.at(graze.translation((x, y, z)))


def site():
    """A block, and others around it, one for each verdict but one."""
    parts = {"block": BLOCK, "again": BLOCK, "inside": at(4, 4, 4), "across": at(9), "beside": at(10, 5, 5), "gap": at(10.5, 0, 8)}
    return graze.Assembly({**parts, "rack/away": at(90), "rack/far": at(99)}, unit="mm", notes=["a note"])


def words(findings):
    return sorted("%s|%s %s" % (f.a, f.b, f.verdict) for f in findings)


def content(path):
    with open(path, "rb") as f:
        return f.read()


def test_verdicts():
    report = graze.clash({"s": site()}, clearance=0.75)
    found = report.findings
    assert words(f for f in found if "again" not in (f.a[2:], f.b[2:])) == [
        "s/across|s/block overlapping",
        "s/beside|s/block touching",
        "s/block|s/gap near",
        "s/block|s/inside b_in_a",
    ]
    assert "s/again|s/block identical" in words(found) and len(found) == 9
    assert report.unit == "mm" and report.run == 1 and report.date == "" and report.notes == () and report.before is None
    assert report.counts.parts == 8 and report.counts.meshes == 2 and report.counts.decided == report.counts.candidates > 0
    assert repr(report) == "ClashReport(run 1, 9 findings, 9 open)" and set(found.status) == {"new"}
    sheet = graze.Mesh(box_arrays((-1, -1, -1), (20, 20, 20))[0], box_arrays()[1][:-1])
    around = graze.clash({"m": graze.Assembly({"sheet": sheet, "block": BLOCK})})
    assert around.findings.verdict.tolist() == ["not-evaluated"] and "edge" in around.findings[0].reason
    assert around.parts["m/sheet"].open_edge != "" and around.parts["m/block"].open_edge == ""


def test_findings_are_a_list_and_arrays():
    report = graze.clash({"s": site()}, clearance=0.75, depth=True, date="2026-11-26")
    found = report.findings
    assert found.id.tolist() == sorted(found.id) == [f.id for f in found] and found[found[3].id] == found[3] and found[-1].id == found.id[-1]
    for name in ("id", "test", "a", "b", "verdict", "status", "reason", "distance", "triangle_pairs", "key", "first_run", "date", "note", "group"):
        assert getattr(found, name).tolist() == [getattr(f, name) for f in found], name
    assert found.point.tolist() == [f.point.tolist() for f in found] and found.region[:, 0].tolist() == [f.region.min.tolist() for f in found]
    assert found.has_depth.tolist() == [f.depth is not None for f in found] and found.depth.tolist() == [f.depth or 0 for f in found]
    assert found.region.shape == (9, 2, 3) and found.point.dtype == np.float64 and set(found.date) == {"2026-11-26"} == {report.date}
    hard = found[found.verdict_class == "hard"]
    assert len(hard) == 5 and set(hard.verdict) == {"identical", "b_in_a", "overlapping"} and (hard.depth > 0).all()
    assert found[found.verdict == "near"].distance.tolist() == [0.5, 0.5] and found[:2].id.tolist() == found.id[:2].tolist()
    assert found[[0, -1]].id.tolist() == [found.id[0], found.id[-1]] and len(found[[]]) == 0 and len(found[found.distance > 9]) == 0
    assert found[0] in found and found[0].id in found and "none" not in found and found.open.all() and found[0].open
    assert pickle.loads(pickle.dumps(found[0])) == found[0] and list(pickle.loads(pickle.dumps(found))) == list(found)
    with pytest.raises(ValueError):
        found.distance[0] = 1
    worst = report.open
    assert worst[0].verdict == "identical" and worst[-1].verdict == "near"
    part = report.parts[found[0].a]
    assert graze.relation(graze.solid(part.mesh).at(part.pose), graze.solid(BLOCK)) in ("identical", "overlapping", "a_in_b", "touching", "disjoint")


def test_groups():
    report = graze.clash({"s": graze.Assembly({"a": BLOCK, "b": at(9), "x": at(50), "y": at(51), "z": at(52.5)})})
    sizes = [len(g) for g in report.groups]
    assert sizes == [2, 1] and sorted(report.findings.group) == [1, 1, 2] and words(report.groups[1]) == ["s/a|s/b overlapping"]
    report.resolve(report.findings)
    assert report.groups == () and set(report.findings.group) == {0}


def test_runs_after_runs(tmp_path):
    job = graze.ClashJob({"s": site()}, clearance=0.75)
    parts = job.load()
    first = graze.clash(job, parts=parts, before=tmp_path)  # an empty folder
    assert first.before is None and graze.clash(job, parts=parts, before=tmp_path / "none").before is None
    gap, other = first.findings[first.findings.verdict == "near"]
    first.approve(gap, note="sleeve")
    first.review(other.id)
    first.resolve(first.findings[first.findings.verdict == "touching"])
    assert first.findings[gap.id].status == "approved" and first.findings[gap.id].note == "sleeve" and gap.status == "new"
    first.write(tmp_path)
    second = graze.clash(job, parts=parts, before=tmp_path)
    assert second.run == 2 and second.before.run == 1 and second.counts.reused == 7 and second.counts.decided == 2  # the resolved ones
    assert second.findings[gap.id].status == "approved" and second.findings[other.id].status == "reviewed"
    touching = second.findings[second.findings.verdict == "touching"]
    assert set(touching.status) == {"new"} and set(second.findings[second.findings.verdict == "overlapping"].status) == {"active"}
    again = graze.clash(job, parts=parts, before=first, fresh=True)
    assert again.counts.reused == 0 and again.findings.status.tolist() == second.findings.status.tolist() and again.before is first
    moved = graze.clash({"s": graze.Assembly([p for p in site() if p.path != "gap"])}, clearance=0.75, before=second)
    assert {moved.findings[gap.id].status, moved.findings[other.id].status} == {"resolved"} and len(moved.open) == 7
    moved.reopen([gap, other.id])
    assert {moved.findings[gap.id].status, moved.findings[other.id].status} == {"active"} and moved.findings[gap.id].note == "sleeve"
    moved.approve(gap, note="")
    assert moved.findings[gap.id].note == ""
    with pytest.raises(graze.Error) as e:
        moved.approve(other, "none")
    assert e.value.code == "unknown_id" and moved.findings[other.id].status == "active"


def test_parts_of_another_job_are_refused(tmp_path):
    write_models(tmp_path)
    a, b = str(tmp_path / "a.obj"), str(tmp_path / "b.obj")
    parts = graze.ClashJob([a, b]).load()
    assert list(graze.clash([a, b], clearance=25, parts=parts).findings) == list(graze.clash([a, b], clearance=25).findings)
    for models, said in (
        ([a], "it has 2 models, this one has 1 model$"),
        ([b, a], "\"b\" from .*b.obj here"),
        ({"a": a, "c": b}, "\"b\" from .*b.obj there, and \"c\" from .*b.obj here"),
        ([a, graze.ClashModel(b, unit="m")], "another scale, pose, deflection or literal"),
    ):
        with pytest.raises(graze.Error, match="parts: were loaded by another job: .*" + said):
            graze.clash(models, parts=parts)


def test_files(tmp_path):
    report = graze.clash({"s": site()}, clearance=0.75)
    report.write(tmp_path / "a" / "b", bcf="3.0")
    folder = tmp_path / "a" / "b"
    assert sorted(os.listdir(folder)) == [".lock", "clash.bcf", "clash.csv", "clash.json", "junit.xml"]
    read = graze.read_clashes(folder)
    assert list(read.findings) == list(report.findings) and read.parts is None and graze.read_clashes(folder / "clash.json").counts.parts == 8
    read.write(tmp_path / "again")
    assert content(tmp_path / "again" / "clash.json") == content(folder / "clash.json")
    assert report.write_bcf(tmp_path / "some.bcf", most=2) == 7 and content(tmp_path / "some.bcf").startswith(b"PK")
    (folder / "report.html").write_text("of a run before")
    report.write(folder, csv=False)
    assert sorted(os.listdir(folder)) == [".lock", "clash.json", "junit.xml"]
    for call in (lambda: read.write_bcf(tmp_path / "x.bcf"), lambda: read.write(tmp_path / "again", bcf="2.1")):
        with pytest.raises(graze.Error, match="has no parts"):
            call()
    with pytest.raises(graze.Error) as e:
        report.write(folder / "clash.json")
    assert e.value.code == "unwritable_file"
    lines = content(folder / "clash.json").replace(b"near", b"neat")
    (folder / "clash.json").write_bytes(lines)
    with pytest.raises(graze.Error) as e:
        graze.read_clashes(folder)
    assert e.value.code == "malformed_file" and "sha256" in str(e.value)


def write_models(folder):
    """a.obj and b.obj, millimetres, z up."""
    for name, parts in (("a.obj", {"block": BLOCK.at(graze.Pose())}), ("b.obj", {"across": at(9), "M12 bolt": at(10, 5, 5), "rack": at(30)})):
        base, lines = 1, []
        for path, shape in parts.items():
            lines.append("o " + path)
            lines += ["v %r %r %r" % tuple(p) for p in shape.pose.apply(shape.shape.vertices).tolist()]
            lines += ["f %d %d %d" % tuple(t) for t in (shape.shape.triangles.astype(int) + base).tolist()]
            base += len(shape.shape.vertices)
        (folder / name).write_text("\n".join(lines) + "\n")


JOB = {
    "graze_clash": 1,
    "unit": "mm",
    "models": [{"path": "a.obj"}, {"id": "b", "path": "b.obj"}],
    "groups": {"block": "a/block", "bolts": {"name": "M12*"}, "all": "b/**"},
    "tests": [{"id": "t", "a": "*", "b": "all", "clearance": 25}, {"id": "bolts", "a": "block", "b": "bolts", "touching": "ignore"}],
    "exclude": [{"pair": ["a/block", "b/rack"], "until": "2026-11-26", "reason": "sleeve"}],
}


def test_job_files(tmp_path):
    write_models(tmp_path)
    path = tmp_path / "job.json"
    path.write_text(json.dumps(JOB))
    report = graze.clash(path, date=datetime.date(2026, 11, 26))
    assert words(report.findings) == ["a/block|b/M12 bolt touching", "a/block|b/across overlapping"] + words(report.findings)[2:]
    assert "a/block|b/rack near" not in words(report.findings) and report.notes == ()
    later = graze.clash(str(path), date="2026-11-27")
    assert "a/block|b/rack near" in words(later.findings) and "2026-11-26" in later.notes[0]
    job = graze.ClashJob.read(path, "2026-11-26")
    assert job.unit == "mm" and job.up == "z" and job.model_ids == ("a", "b") and repr(job) == "ClashJob(2 models, 2 tests)"
    assert job.tests[0] == graze.ClashTest("t", graze.PartSelector(), graze.PartSelector("b/**"), 25) and not job.tests[1].touching
    assert job.tests[1].b.name == "M12*" and job.exclude == (("a/block", "b/rack", "sleeve"),) and job.notes == ()
    models = {"a": tmp_path / "a.obj", "b": tmp_path / "b.obj"}
    same = graze.clash(models, tests=job.tests, exclude=job.exclude, date="2026-11-26")
    assert list(same.findings) == list(report.findings)
    with pytest.raises(graze.Error, match="clearance belongs to models"):
        graze.clash(path, clearance=3)
    with pytest.raises(graze.Error, match="exclude belongs to models"):
        graze.clash(job, exclude=[("a", "b")])
    path.write_text(json.dumps({**JOB, "test": []}))
    with pytest.raises(graze.Error, match='"?test"?') as e:
        graze.clash(path)
    assert e.value.code == "malformed_file" and "job.json" in str(e.value)


def test_models_in_other_units_and_axes(tmp_path):
    write_models(tmp_path)
    expected = graze.clash([tmp_path / "a.obj", tmp_path / "b.obj"])
    assert words(expected.findings)[0] == "a/block|b/M12 bolt touching"
    metres = graze.load_assembly(tmp_path / "b.obj", scale=0.5, pose=graze.Pose.quarter_turn("x", -1))  # z becomes y
    models = [tmp_path / "a.obj", graze.ClashModel(metres, "b", scale=2, pose=graze.Pose.quarter_turn("x", 1))]
    assert words(graze.clash(models).findings) == words(expected.findings)
    large = graze.load_assembly(tmp_path / "b.obj", scale=0.125, pose=graze.Pose.quarter_turn("x", -1))
    inches = graze.ClashModel(large, "b", up="y", scale=8)
    assert words(graze.clash({"a": graze.ClashModel(tmp_path / "a.obj"), "b": inches}, unit="in").findings) == words(expected.findings)
    feet = graze.ClashModel(graze.load_assembly(tmp_path / "b.obj", scale=1 / 16), "b", unit="m")
    assert graze.clash([feet], unit="mm", clearance=1e6).findings.distance.max() == 19 / 16 * 1000


def test_models_by_default_names(tmp_path):
    write_models(tmp_path)
    ids = lambda models, **k: graze.ClashJob(models, **k).model_ids
    assert ids(tmp_path / "a.obj") == ("a",) and ids(tmp_path) == (tmp_path.name,) and ids(str(tmp_path) + "/") == (tmp_path.name,)
    assert ids([site(), SMALL, at(3), site(), tmp_path / "a.obj"]) == ("assembly", "mesh", "mesh-2", "assembly-2", "a")
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "a.stl").write_text("solid\nendsolid\n")
    assert ids([tmp_path / "a.obj", tmp_path / "c" / "a.stl"]) == ("a", "a-2")
    assert graze.ClashJob(["x.glb", "y.gltf"]).up == "y" and graze.ClashJob(["x.glb", "y.obj"]).up == "z" and graze.ClashJob("x.glb", up="x").up == "x"
    assert words(graze.clash({"gear": BLOCK, "rod": at(9)}).findings) == ["gear/gear|rod/rod overlapping"]


def test_what_is_left_out():
    a = site()
    assert words(graze.clash({"s": a}, exclude=[("s/again", "**"), ("s/block", "s/inside", "known")]).findings) == [
        "s/across|s/block overlapping",
        "s/beside|s/block touching",
    ]
    racks = graze.Assembly({"r/a": BLOCK, "r/b": at(9), "q/c": at(9, 5, 5)})
    assert words(graze.clash({"s": racks}, exclude_siblings=True).findings) == ["s/q/c|s/r/a overlapping"]
    assert len(graze.clash({"s": racks}, exclude_same_model=True).findings) == 0
    assert len(graze.clash({"s": racks}, most_pairs=2).findings) == 2
    with pytest.raises(graze.Error, match="more than 1 pair of parts are near each other, the most that this run of 3 parts takes"):
        graze.clash({"s": racks}, most_pairs=1)
    assert len(graze.clash({"s": racks}, touching=False, min_penetration=1.5).findings) == 0
    shallow = graze.clash({"s": racks}, min_penetration=1.5)
    assert shallow.counts.too_shallow == 2
    surfaces = graze.clash({"s": graze.Assembly({"block": BLOCK, "inside": at(4, 4, 4)})}, solids="surfaces")
    assert len(surfaces.findings) == 0
    few = graze.clash({"s": a}, tests=graze.ClashTest("small", graze.PartSelector(size_below=5), "s/block", clearance=0.75))
    assert len(few.findings) == 4 and set(few.findings.test) == {"small"}
    assert pickle.loads(pickle.dumps(graze.ClashTest("t", "a/*"))) == graze.ClashTest("t", "a/*")


def test_parts():
    parts = graze.ClashJob({"s": site()}).load()
    assert len(parts) == 8 and [p.path for p in parts] == sorted(p.path for p in parts) and repr(parts) == "ClashParts(8 parts, 2 meshes)"
    part = parts["s/across"]
    assert part == parts[0] == parts[:1][0] and part.box.min.tolist() == [9, 0, 0] and part.model == "s" and part.name == "s/across"
    assert part.mesh is parts["s/gap"].mesh and len(parts.meshes) == 2 and parts.notes == () and len(part.placed.shape) == 12
    with pytest.raises(graze.Error) as e:
        parts["s/none"]
    assert e.value.code == "unknown_id"
    with pytest.raises(IndexError):
        parts[8]


def test_jobs_and_reports_do_not_pickle():
    job = graze.ClashJob({"s": site()})
    for thing in (job, job.load(), graze.clash(job)):
        with pytest.raises(TypeError):
            pickle.dumps(thing)


def test_progress_and_cancelling():
    seen = []
    report = graze.clash({"s": site()}, progress=seen.append)
    assert seen == sorted(seen) and 0 <= seen[0] < 0.5 < seen[-1] <= 1 and len(report.findings) > 0
    for stop in (0.0, 0.5):
        with pytest.raises(graze.Error) as e:
            graze.clash({"s": site()}, progress=lambda done: done < stop)
        assert e.value.code == "cancelled"
    with pytest.raises(ZeroDivisionError):
        graze.clash({"s": site()}, progress=lambda done: 1 / 0)


def test_temporary_files_go(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    job = graze.ClashJob(site())
    assert len(os.listdir(tmp_path)) == 1
    parts = job.load()
    del job
    assert os.listdir(tmp_path) == [] and parts[0].mesh.vertices.shape == (8, 3)
    graze.clash([site(), graze.Assembly({"x": SMALL})])
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not os.access(TOOL, os.X_OK), reason="the tool is not built")
def test_the_files_are_those_of_the_tool(tmp_path):
    write_models(tmp_path)
    (tmp_path / "job.json").write_text(json.dumps(JOB))
    models = [str(tmp_path / "a.obj"), str(tmp_path / "b.obj")]
    for name, arguments, call in (
        ("models", models + ["--clearance", "25", "--depth"], lambda: graze.clash(models, clearance=25, depth=True)),
        ("job", [str(tmp_path / "job.json"), "--date", "2026-11-26"], lambda: graze.clash(tmp_path / "job.json", date="2026-11-26")),
    ):
        tool, mine = tmp_path / (name + "-tool"), tmp_path / (name + "-mine")
        r = subprocess.run([TOOL, "clash", *arguments, "--out", str(tool), "--no-html", "--no-bcf"], capture_output=True, text=True)
        assert r.returncode == 1, r.stderr
        call().write(mine)
        for file in ("clash.json", "clash.csv", "junit.xml"):
            assert content(tool / file) == content(mine / file), file


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: graze.clash([]), "a job needs a model"),
        (lambda: graze.clash({"": BLOCK}), "must not be empty"),
        (lambda: graze.clash({"a/b": BLOCK}), "without /"),
        (lambda: graze.clash([graze.ClashModel(BLOCK, "a"), graze.ClashModel(BLOCK, "a")]), "as that of another model"),
        (lambda: graze.clash({"a": graze.ClashModel(BLOCK, "b")}), "has the id 'b'"),
        (lambda: graze.clash(graze.ClashModel(BLOCK, unit="m", scale=2)), "both unit and scale"),
        (lambda: graze.clash(graze.ClashModel(BLOCK, up="x", pose=graze.Pose())), "both up and pose"),
        (lambda: graze.clash(graze.ClashModel(BLOCK, unit="parsec")), "parsec"),
        (lambda: graze.clash(graze.ClashModel(BLOCK, scale=-1)), "scale"),
        (lambda: graze.clash(graze.ClashModel(BLOCK, deflection=2)), "deflection is 2"),
        (lambda: graze.clash(BLOCK, unit="parsec"), "parsec"),
        (lambda: graze.clash(BLOCK, up="w"), "x, y, z"),
        (lambda: graze.clash(BLOCK, solids="never"), "auto, required, surfaces"),
        (lambda: graze.clash(BLOCK, clearance=-1), "clearance is -1"),
        (lambda: graze.clash(BLOCK, clearance=float("nan")), "clearance is NaN"),
        (lambda: graze.clash(BLOCK, clearance=1, tests=[graze.ClashTest()]), "belong to each of the tests"),
        (lambda: graze.clash(BLOCK, tests=[]), "tests is empty"),
        (lambda: graze.clash(BLOCK, tests=[graze.ClashTest(), graze.ClashTest()]), "same id"),
        (lambda: graze.clash(BLOCK, tests=[graze.ClashTest(a="none/**")]), "none"),
        (lambda: graze.clash(BLOCK, tests=[graze.ClashTest(clearance=-2)]), r"tests\[0\].clearance is -2"),
        (lambda: graze.clash(BLOCK, date="tomorrow"), "must be as 2026-11-26"),
        (lambda: graze.clash(BLOCK, before="/nowhere/clash.json"), "nowhere"),
        (lambda: graze.clash("/nowhere/a.glb"), "nowhere"),
        (lambda: graze.clash("/nowhere/job.json"), "nowhere"),
        (lambda: graze.clash("a\0b"), "NUL"),
        (lambda: graze.clash(BLOCK).write_bcf("x.bcf", version="1"), "2.1, 3.0"),
    ],
)
def test_wrong_values(call, text):
    with pytest.raises(graze.Error, match=text):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: graze.clash(3),
        lambda: graze.clash([3]),
        lambda: graze.clash({"a": graze.Sphere((0, 0, 0), 1)}),
        lambda: graze.clash({3: BLOCK}),
        lambda: graze.clash(BLOCK, tests=[3]),
        lambda: graze.clash(BLOCK, tests=[graze.ClashTest(a=3)]),
        lambda: graze.clash(BLOCK, tests=[graze.ClashTest(id=3)]),
        lambda: graze.clash(BLOCK, exclude=[3]),
        lambda: graze.clash(BLOCK, exclude=[("a", 3)]),
        lambda: graze.clash(BLOCK, exclude="ab"),
        lambda: graze.clash(BLOCK, date=3),
        lambda: graze.clash(BLOCK, before=3),
        lambda: graze.clash(BLOCK, parts=3),
        lambda: graze.clash(BLOCK, progress=3),
        lambda: graze.clash(BLOCK).approve(3),
        lambda: graze.clash({"a": BLOCK, "b": BLOCK}).approve(note=3),
        lambda: graze.clash(BLOCK).findings[1.5],
        lambda: graze.clash(BLOCK).findings[np.zeros((2, 2), int)],
    ],
)
def test_wrong_types(call):
    with pytest.raises(TypeError):
        call()
