"""Plans of clash detection: chunks, shares and states, merged reports as those of one run and of the tool, wrong arguments."""
import os
import pickle
import subprocess

import pytest

import graze
from models import box_mesh

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.environ.get("GRAZE") or os.path.join(os.path.dirname(os.path.dirname(HERE)), "build", "release", "graze")
BOX = box_mesh((0, 0, 0), (2, 2, 2))


def row(n=40):
    """Boxes in a row, each of which overlaps the next one."""
    return graze.Assembly({"box %d" % i: BOX.at(graze.translation((1.5 * i, 0, 0))) for i in range(n)})


def content(path):
    with open(path, "rb") as f:
        return f.read()


def decided(folder, shares=1):
    for number in range(1, shares + 1):
        plan = graze.ClashPlan(folder)
        for chunk in plan.share(number, shares):
            plan.decide(chunk)
    return graze.ClashPlan(folder)


def test_merged_is_the_run(tmp_path):
    job = graze.ClashJob({"row": row()}, clearance=1.5, exclude=[("row/none", "**")], up="y")
    parts = job.load()
    id = graze.write_clash_plan(job, tmp_path / "p", depth=True, date="2026-11-26", chunks=5, parts=parts)
    plan = graze.ClashPlan(tmp_path / "p")
    assert plan.id == id and len(id) == 64 and len(plan) == 5 and plan.folder == str(tmp_path / "p")
    assert plan.counts.parts == 40 and plan.counts.decided == 0 and repr(plan) == "ClashPlan(5 chunks, %d pairs)" % plan.counts.candidates
    assert plan.job.model_ids == ("row",) and plan.job.up == "y" and plan.job.tests[0].clearance == 1.5 and plan.job.exclude == ()
    assert [p.path for p in plan.parts] == [p.path for p in parts] and plan.parts["row/box 3"].model == "row" and plan.parts is plan.parts
    order = plan.share()
    costs = plan.costs
    assert sorted(order) == list(range(5)) and costs[order].tolist() == sorted(costs, reverse=True) and costs.min() > 0
    assert sorted([*plan.share(1, 2), *plan.share(2, 2)]) == list(range(5)) and plan.share(9, 9).tolist() == []
    assert {plan.state(i) for i in range(5)} == {"missing"}
    with pytest.raises(graze.Error, match="5 of 5 chunks are not decided"):
        plan.merge()
    found = sum(plan.decide(chunk) for chunk in order)
    before = graze.clash(job, parts=parts, depth=True, date="2026-11-25")
    assert found == len(before.findings) > 39
    before.approve(before.findings[3], note="so")
    expected = graze.clash(job, parts=parts, depth=True, date="2026-11-26", before=before, fresh=True)
    merged = plan.merge(before)
    assert list(merged.findings) == list(expected.findings) and merged.notes == expected.notes != () and merged.before is before
    assert merged.counts == expected.counts and merged.parts is plan.parts
    for name, report in (("1", merged), ("2", expected)):
        report.write(tmp_path / name, bcf="3.0")
    for file in ("clash.json", "clash.csv", "junit.xml", "clash.bcf"):
        assert content(tmp_path / "1" / file) == content(tmp_path / "2" / file), file
    assert plan.merge(tmp_path / "1").run == 3 and plan.merge(tmp_path / "none").run == 1
    bare = plan.merge(parts=False)
    assert bare.parts is None
    with pytest.raises(graze.Error, match="has no parts"):
        bare.write_bcf(tmp_path / "x.bcf")
    assert graze.write_clash_plan(job, tmp_path / "p", depth=True, date="2026-11-26", chunks=5) == id and plan.state(0) == "done"


def test_the_files_are_those_of_the_tool(tmp_path):
    row().save(tmp_path / "row.graze")
    models = str(tmp_path / "row.graze")
    r = subprocess.run([TOOL, "clash", "plan", models, "--depth", "-o", str(tmp_path / "tool")], capture_output=True, text=True)
    assert r.returncode == 0, r.stderr
    id = graze.write_clash_plan(models, tmp_path / "mine", depth=True)
    for file in ("plan.json", "parts.graze", "boxes.bin", "pairs.bin"):
        assert content(tmp_path / "tool" / file) == content(tmp_path / "mine" / file), file
    assert decided(tmp_path / "tool", shares=3).id == id
    r = subprocess.run(
        [TOOL, "clash", "merge", str(tmp_path / "tool"), "--out", str(tmp_path / "out"), "--no-html", "--no-bcf"], capture_output=True, text=True
    )
    assert r.returncode == 1, r.stderr
    decided(tmp_path / "mine").merge().write(tmp_path / "mine-out")
    assert content(tmp_path / "out" / "clash.json") == content(tmp_path / "mine-out" / "clash.json")


def test_damaged_results(tmp_path):
    graze.write_clash_plan({"row": row()}, tmp_path / "p", chunks=2)
    plan = decided(tmp_path / "p")
    with open(tmp_path / "p" / "results" / "000001.jsonl", "a") as f:
        f.write("{}\n")
    assert [plan.state(i) for i in range(2)] == ["done", "damaged"] and plan.damage(0) == "" and "000001.jsonl: line 1: sha256" in plan.damage(1)
    with pytest.raises(graze.Error, match="000001.jsonl") as e:
        plan.merge()
    assert e.value.code == "malformed_file"
    plan.decide(1)
    assert plan.state(1) == "done" and len(plan.merge().findings) == 39


def test_progress_and_cancelling(tmp_path):
    seen = []
    graze.write_clash_plan({"row": row()}, tmp_path / "p", progress=lambda done: seen.append(done))
    plan = graze.ClashPlan(tmp_path / "p", progress=lambda done: seen.append(done))
    plan.decide(0, progress=lambda done: seen.append(done))
    assert len(seen) > 3 and 0 <= min(seen) and max(seen) <= 1
    with pytest.raises(graze.Error) as e:
        plan.decide(1, progress=lambda done: False)
    assert e.value.code == "cancelled" and plan.state(1) == "missing"


def test_a_plan_without_pairs(tmp_path):
    graze.write_clash_plan({"a": BOX}, tmp_path / "p")
    plan = graze.ClashPlan(tmp_path / "p")
    assert len(plan) == 0 and plan.share().tolist() == [] and plan.costs.tolist() == [] and len(plan.merge().findings) == 0
    with pytest.raises(graze.Error, match="the plan has no chunks"):
        plan.decide(0)


def test_wrong_arguments(tmp_path):
    graze.write_clash_plan({"row": row()}, tmp_path / "p", chunks=2)
    plan = graze.ClashPlan(tmp_path / "p")
    for call, said in (
        (lambda: graze.ClashPlan(tmp_path), "has no file plan.json"),
        (lambda: graze.write_clash_plan({"row": row(9)}, tmp_path / "p"), "has another plan"),
        (lambda: graze.write_clash_plan({"row": row()}, tmp_path / "q", date="today"), "must be as 2026-11-26"),
        (lambda: graze.write_clash_plan({"row": row()}, tmp_path / "q", chunks=-1), "chunks is -1"),
        (lambda: graze.write_clash_plan({"other": row()}, tmp_path / "q", parts=plan.parts), "parts: were loaded by another job"),
        (lambda: plan.decide(2), "chunk is 2, must be from 0 to 1"),
        (lambda: plan.state(-1), "chunk is -1"),
        (lambda: plan.share(3, 2), "the share is 3 of 2"),
        (lambda: plan.share(0, 2), "the share is 0 of 2"),
    ):
        with pytest.raises(graze.Error, match=said):
            call()
    for call in (
        lambda: graze.ClashPlan(3),
        lambda: graze.write_clash_plan(3, tmp_path / "q"),
        lambda: graze.write_clash_plan({"row": row()}, tmp_path / "q", parts=3),
        lambda: graze.write_clash_plan({"row": row()}, tmp_path / "q", progress=3),
        lambda: plan.decide("0"),
        lambda: plan.decide(0, progress=3),
        lambda: plan.merge(3),
        lambda: pickle.dumps(plan),
    ):
        with pytest.raises(TypeError):
            call()
