#!/usr/bin/env python3
"""graze clash plan, run and merge: the results of any division are those of one run, to the byte, also when programs are killed; what is damaged or foreign is
refused.  clash_plan_test.py [PATH OF graze]   (default: $GRAZE)

GRAZE_CLASH_KILLS: how often programs are killed (default 3)."""
import json
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

from tool import GRAZE, check, run, run_all

KILLS = int(os.environ.get("GRAZE_CLASH_KILLS", "3"))
MPIRUN = [shutil.which("mpirun") or "", "--allow-run-as-root", "--oversubscribe", "-n"]
MPI = bool(MPIRUN[0]) and os.path.exists(os.path.join(os.path.dirname(GRAZE), "graze-clash-mpi"))
DASK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python", "graze", "clash_dask.py")
FILES = ("clash.json", "clash.csv", "junit.xml")
OPTIONS = ["--clearance", "0.2", "--depth"]


def ball(name, centre, radius, rings, first):
    points = [(0.0, 0.0, radius)]
    for i in range(1, rings):
        for k in range(2 * rings):
            u, v = math.pi * i / rings, math.pi * k / rings
            points.append((radius * math.sin(u) * math.cos(v), radius * math.sin(u) * math.sin(v), radius * math.cos(u)))
    points.append((0.0, 0.0, -radius))
    at = lambda i, k: first + (0 if i == 0 else len(points) - 1 if i == rings else 1 + (i - 1) * 2 * rings + k % (2 * rings))
    faces = []
    for i in range(rings):
        for k in range(2 * rings):
            if i + 1 < rings:
                faces.append((at(i, k), at(i + 1, k), at(i + 1, k + 1)))
            if i > 0:
                faces.append((at(i, k), at(i + 1, k + 1), at(i, k + 1)))
    text = "g %s\n" % name + "".join("v %r %r %r\n" % tuple(c + p for c, p in zip(centre, q)) for q in points)
    return text + "".join("f %d %d %d\n" % f for f in faces), len(points)


def balls(path, n, seed, rings=10):
    chance, text, first = random.Random(seed), "", 1
    for i in range(n):
        side = (n / 3.0) ** (1 / 3.0) * 1.6
        part, points = ball("ball %d" % i, [chance.uniform(0, side) for _ in range(3)], chance.uniform(0.4, 0.9), rings, first)
        text += part
        first += points
    with open(path, "w") as f:
        f.write(text)


def read(folder):
    return [open(os.path.join(folder, name), "rb").read() for name in FILES]


def merged(plan, folder, *options):
    shutil.rmtree(folder, ignore_errors=True)
    code, _, err = run(["clash", "merge", plan, "--out", folder, "--no-html", "--no-bcf", *options])
    check("merge %s" % plan, code in (0, 1), err)
    return read(folder)


def clear(plan):
    shutil.rmtree(os.path.join(plan, "results"), ignore_errors=True)


def result_of(plan, chunk):
    return os.path.join(plan, "results", "%06d.jsonl" % chunk)


def flip(path, at):
    with open(path, "r+b") as f:
        f.seek(at, os.SEEK_SET if at >= 0 else os.SEEK_END)
        byte = f.read(1)
        f.seek(-1, os.SEEK_CUR)
        f.write(bytes([byte[0] ^ 1]))


def start(*command):
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def ranks_of(launcher):
    """The programs that mpirun has started on this machine, and that have not ended."""
    out = []
    for task in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % task) as f:
                fields = f.read().rsplit(")", 1)[1].split()
            if fields[0] != "Z" and int(fields[1]) == launcher.pid:
                out.append(int(task))
        except (OSError, IndexError):
            continue
    return out


def end_of(launcher):
    """The exit code of mpirun. That of Open MPI 4.1 may lock itself up at its end when a rank was killed while it started; then it is ended, without ranks."""
    last = time.time()
    while launcher.poll() is None and time.time() - last < 5:
        time.sleep(0.02)
        if ranks_of(launcher):
            last = time.time()
    launcher.kill()
    return launcher.wait()


def prepare():
    """The reference, made once: a run on one machine, and a plan of the same job."""
    balls("m.obj", 60, 1)
    code, out, err = run(["clash", "m.obj", *OPTIONS, "--out", "once", "--no-html", "--no-bcf", "--json"])
    check("one run", code == 1 and json.loads(out)["verdicts"]["overlapping"] > 10, out + err)
    code, out, err = run(["clash", "plan", "m.obj", *OPTIONS, "-o", "plan", "--chunks", "20", "--json"])
    j = json.loads(out)
    check("plan", code == 0 and j["parts"] == 60 and 10 < j["chunks"] <= 20 and j["pairs"] > 60, out + err)


def test_shards_and_ranks():
    prepare()
    once = read("once")
    for shards in (1, 2, 4):
        for threads in ("1", "2"):
            clear("plan")
            for i in random.Random(shards).sample(range(shards), shards):
                code, out, err = run(["clash", "run", "plan", "--threads", threads, "--shard", "%d/%d" % (i + 1, shards), "--json"])
                j = json.loads(out)
                check("shard", code == 0 and j["before"] == 0 and j["decided"] == j["chunks"] > 0, out + err)
            check("%d shards, %s threads" % (shards, threads), merged("plan", "out") == once)
    clear("plan")
    for decided in (True, False):
        code, out, err = run(["clash", "run", "plan", "--json"])
        j = json.loads(out)
        check("a run is not repeated", code == 0 and (j["decided"], j["before"])[decided] == 0 and err == "", out + err)
    for ranks in (1, 2, 4) if MPI else ():
        clear("plan")
        r = subprocess.run([*MPIRUN, str(ranks), GRAZE, "clash", "run", "plan", "--json"], capture_output=True, timeout=300)
        j = json.loads(r.stdout)
        check("ranks", r.returncode == 0 and j["ranks"] == ranks and j["decided"] == j["chunks"], r.stderr)
        check("%d ranks" % ranks, merged("plan", "out") == once)


def test_divided_pairs():
    """Pairs divided into slices: the verdicts of one run for any shards and ranks, after kills, and after damage."""
    balls("few.obj", 6, 4, 40)
    options = ["--clearance", "0.2"]
    run(["clash", "few.obj", *options, "--out", "few once", "--no-html", "--no-bcf"])
    once = read("few once")
    code, out, err = run(["clash", "plan", "few.obj", *options, "-o", "few", "--chunks", "30", "--split", "500", "--json"])
    check("plan of divided pairs", code == 0 and json.loads(out)["chunks"] > json.loads(out)["pairs"], out + err)
    verdicts = None
    for shards in (1, 3):
        for threads in ("1", "2"):
            clear("few")
            for i in random.Random(shards).sample(range(shards), shards):
                run(["clash", "run", "few", "--threads", threads, "--shard", "%d/%d" % (i + 1, shards)])
            files = {name: open("few/results/" + name, "rb").read() for name in os.listdir("few/results")}
            check("files of slices", any(n.startswith("split-") for n in files) and any(n.endswith(".slices") for n in files), list(files))
            check("the same files", verdicts in (None, files))
            verdicts = files
            check("divided pairs, %d shards, %s threads" % (shards, threads), merged("few", "out") == once)
    for ranks in (1, 2, 3) if MPI else ():
        clear("few")
        r = subprocess.run([*MPIRUN, str(ranks), GRAZE, "clash", "run", "few", "--json"], capture_output=True, timeout=300)
        check("divided pairs, %d ranks" % ranks, r.returncode == 0 and merged("few", "out") == once, r.stderr)
    chance, landed = random.Random(3), 0
    for turn in range(KILLS):
        clear("few")
        for _ in range(3):
            both = [start(GRAZE, "clash", "run", "few", "--threads", "1", "--shard", "%d/2" % (i + 1)) for i in range(2)]
            time.sleep(chance.uniform(0.01, 0.15))
            for p in both:
                p.kill()
                landed += p.wait() == -signal.SIGKILL
        code, _, err = run(["clash", "run", "few"])
        check("divided pairs after a kill", code == 0 and err == "" and merged("few", "out") == once, err)
    check("programs with slices were killed in time", landed >= KILLS, (landed, KILLS))
    name = sorted(n for n in os.listdir("few/results") if n.endswith(".slices"))[1]
    for verdict in [n for n in os.listdir("few/results") if n.startswith("split-")]:
        os.remove("few/results/" + verdict)
    flip("few/results/" + name, 40)
    code, _, err = run(["clash", "merge", "few", "--out", "none"])
    check("merge refuses damaged slices", code == 3 and "few/results/" + name in err, err)
    code, out, err = run(["clash", "run", "few", "--json"])
    j = json.loads(out)
    check("damaged slices are decided again", (code, j["damaged"]) == (0, 1) and "decided again: few/results/" + name in err, out + err)
    check("with the same results", merged("few", "out") == once)


def test_statuses_and_reports():
    shutil.copytree("once", "kept")
    ids = [json.loads(line)["id"] for line in open("kept/clash.json").readlines()[1:4]]
    run(["clash", "approve", ids[0], "--note", "as drawn", "--out", "kept"])
    run(["clash", "resolve", ids[1], "--out", "kept"])
    shutil.copytree("kept", "kept by plan")
    run(["clash", "m.obj", *OPTIONS, "--out", "kept", "--no-html", "--no-bcf"])
    code, out, err = run(["clash", "merge", "plan", "--out", "kept by plan", "--no-html", "--no-bcf"])
    check("statuses of the run before", code == 1 and "approved" in out and read("kept") == read("kept by plan"), err)
    run(["clash", "m.obj", *OPTIONS, "--out", "pages", "--thumbnails", "0"])
    run(["clash", "merge", "plan", "--out", "pages by plan", "--thumbnails", "0"])
    for name in ("report.html", "clash.bcf"):
        check("reports: " + name, open("pages/" + name, "rb").read() == open("pages by plan/" + name, "rb").read())


def test_two_runs_at_once():
    clear("plan")
    both = [start(GRAZE, "clash", "run", "plan", "--threads", "1") for _ in range(2)]
    check("both end", all(p.wait(120) == 0 for p in both))
    check("two runs on one plan", merged("plan", "out") == read("once"))
    check("no temporary file stays", all(n.endswith(".jsonl") for n in os.listdir("plan/results")))


def test_killed():
    chance, landed = random.Random(7), 0
    for turn in range(KILLS):
        way = ("shard", "ranks" if MPI else "shard", "plan")[turn % 3]
        shutil.rmtree("killed", ignore_errors=True)
        if way == "plan":
            p = start(GRAZE, "clash", "plan", "m.obj", *OPTIONS, "-o", "killed", "--chunks", "40")
            time.sleep(chance.uniform(0.01, 0.08))
            p.kill()
            landed += p.wait() == -signal.SIGKILL
        code, _, err = run(["clash", "plan", "m.obj", *OPTIONS, "-o", "killed", "--chunks", "40"])
        check("plan again", code == 0, err)
        for _ in range(3):
            if way == "ranks":
                p = start(*MPIRUN, "2", GRAZE, "clash", "run", "killed", "--threads", "1")
                end = time.time() + 5
                while len(ranks_of(p)) < 2 and time.time() < end:
                    time.sleep(0.005)
                time.sleep(chance.uniform(0.05, 0.5))
                ranks = ranks_of(p)
                if ranks:
                    os.kill(chance.choice(ranks), signal.SIGKILL)
                landed += end_of(p) != 0
            else:
                p = start(GRAZE, "clash", "run", "killed", "--threads", "1")
                time.sleep(chance.uniform(0.03, 0.4))
                p.kill()
                landed += p.wait() == -signal.SIGKILL
        command = [*MPIRUN, "2", GRAZE] if way == "ranks" else [GRAZE]
        r = subprocess.run([*command, "clash", "run", "killed", "--json"], capture_output=True, timeout=300)
        j = json.loads(r.stdout)
        check("the same command again", r.returncode == 0 and j["damaged"] == 0 and j["before"] + j["decided"] == j["chunks"], r.stderr)
        check("same bytes after a kill (%s)" % way, merged("killed", "out") == read("once"))
    check("programs were killed in time", landed >= KILLS, (landed, KILLS))


def test_damage():
    clear("plan")
    code, _, err = run(["clash", "merge", "plan", "--out", "none"])
    check("nothing is decided", code == 3 and re.search(r"plan: (\d+) of \1 chunks are not decided \(the first is chunk 0\)", err), err)
    run(["clash", "run", "plan"])
    whole = open(result_of("plan", 3), "rb").read()
    for at in (30, -20):
        flip(result_of("plan", 3), at)
        code, _, err = run(["clash", "merge", "plan", "--out", "none"])
        check("merge refuses a damaged result", code == 3 and "plan/results/000003.jsonl: line 1: " in err, err)
        code, out, err = run(["clash", "run", "plan", "--json"])
        j = json.loads(out)
        check("a damaged result is decided again", (code, j["damaged"], j["decided"]) == (0, 1, 1) and "decided again: plan/results/000003" in err, out + err)
        check("with the same bytes", open(result_of("plan", 3), "rb").read() == whole)
    run(["clash", "plan", "m.obj", "--clearance", "0.3", "-o", "other", "--chunks", "20"])
    run(["clash", "run", "other"])
    shutil.copy(result_of("other", 3), result_of("plan", 3))
    code, _, err = run(["clash", "merge", "plan", "--out", "none"])
    check("merge refuses the result of another plan", code == 3 and "not the id of this plan" in err, err)
    code, out, err = run(["clash", "run", "plan", "--json"])
    check("which is decided again", json.loads(out)["decided"] == 1 and "not the id of this plan" in err and merged("plan", "out") == read("once"), err)
    with open("note.json", "w") as f:
        json.dump({"graze_clash": 1, "models": [{"path": "m.obj"}], "exclude": [{"pair": ["m/no such part", "m/*"]}]}, f)
    code, out, err = run(["clash", "plan", "note.json", "-o", "noted"])
    check("a plan shows the notes of its job", code == 0 and 'note: exclude: "m/no such part", "m/*": no part matches "m/no such part"\n' in out, out + err)
    code, _, err = run(["clash", "plan", "m.obj", "--clearance", "0.3", "-o", "plan"])
    check("a folder with another plan", code == 3 and "plan: has another plan" in err, err)

    def refused(what, name, at, message, *args):
        shutil.rmtree("bad", ignore_errors=True)
        shutil.copytree("plan", "bad")
        clear("bad")
        flip("bad/" + name, at)
        code, _, err = run(["clash", "run", "bad", *args])
        check(what, code == 3 and message in err, err)
        if MPI:
            r = subprocess.run([*MPIRUN, "2", GRAZE, "clash", "run", "bad"], capture_output=True, timeout=60)
            check(what + " (ranks)", r.returncode == 3 and message.encode() in r.stderr, r.stderr)

    refused("damaged plan head", "plan.json", 60, "bad/plan.json: line 1: ")
    refused("damaged plan", "plan.json", -60, "bad/plan.json: line 1: id: is not the SHA-256")
    refused("damaged tree file", "parts.graze", os.path.getsize("plan/parts.graze") // 2, "bad/parts.graze: section ")
    refused("damaged boxes", "boxes.bin", 77, "bad/boxes.bin: ")
    refused("damaged pairs", "pairs.bin", 3, "bad/pairs.bin: chunk 0 (bytes 0 to ")
    shutil.copy("other/parts.graze", "bad/parts.graze")
    check("no plan", run(["clash", "run", "once"])[0] == 3 and "is no plan" in run(["clash", "merge", "once"])[2])


def test_no_pairs():
    balls("one.obj", 1, 3)
    run(["clash", "one.obj", "--out", "one", "--no-html", "--no-bcf"])
    check("plan without pairs", run(["clash", "plan", "one.obj", "-o", "empty"])[0] == 0)
    code, out, err = run(["clash", "run", "empty/", "--shard", "2/3"])
    check("run without pairs", code == 0 and out.startswith("empty: 0 chunks"), out + err)
    if MPI:
        r = subprocess.run([*MPIRUN, "2", GRAZE, "clash", "run", "empty"], capture_output=True, timeout=60)
        check("ranks without pairs", r.returncode == 0 and b"0 chunks" in r.stdout, r.stderr)
    check("merge without pairs", merged("empty", "out") == read("one"))


def test_usage():
    for args, code, message in (
        (["plan"], 2, "clash plan: needs a job"),
        (["run"], 2, "clash run: needs PLAN"),
        (["merge"], 2, "clash merge: needs PLAN"),
        (["merge", "plan", "other"], 2, "clash merge: needs PLAN"),
        (["run", "plan", "--shard", "0/2"], 2, '--shard is "0/2", must be I/N'),
        (["run", "plan", "--shard", "3/2"], 2, '--shard is "3/2", must be I/N'),
        (["run", "plan", "--shard", "1"], 2, '--shard is "1", must be I/N'),
        (["run", "plan", "--shard", "-1/2"], 2, "must be I/N"),
        (["run", "plan", "--deflection", "0.1"], 2, "options of the job belong to `graze clash plan`"),
        (["run", "plan", "--clearance", "2"], 2, "options of the job belong to `graze clash plan`"),
        (["merge", "plan", "--depth"], 2, "options of the job belong to `graze clash plan`"),
        (["merge", "plan", "--shard", "1/2"], 2, "--shard belongs to `graze clash run PLAN`"),
        (["plan", "m.obj", "--shard", "1/2"], 2, "--shard belongs to `graze clash run PLAN`"),
        (["plan", "m.obj", "--chunks", "0"], 2, "--chunks"),
        (["m.obj", "--chunks", "3"], 2, "--chunks belongs to `graze clash plan`"),
        (["m.obj", "--split", "3"], 2, "--split belongs to `graze clash plan`"),
        (["run", "plan", "--split", "3"], 2, "options of the job belong to `graze clash plan`"),
        (["m.obj", "--shard", "1/3"], 2, "--shard belongs to `graze clash run PLAN`"),
        (["plan", "nobody.obj", "-o", "nobody"], 3, "nobody.obj: "),
        (["run", "nobody"], 3, "nobody: is no plan"),
    ):
        found, _, err = run(["clash", *args])
        check("usage", found == code and message in err, (args, found, err))
    if MPI:
        env = {**os.environ, "OMPI_COMM_WORLD_SIZE": "2", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        r = subprocess.run([GRAZE, "clash", "run", "plan"], capture_output=True, env=env, timeout=60)
        check("another MPI", r.returncode == 4 and b"OMPI_COMM_WORLD_SIZE is 2, but MPI says that there is 1 rank" in r.stderr, r.stderr)
    shutil.copy(GRAZE, "alone")
    if not os.path.exists("/usr/local/libexec/graze/graze-clash-mpi"):
        r = subprocess.run(["./alone", "clash", "run", "plan"], capture_output=True, env={**os.environ, "PMI_RANK": "0"})
        check(
            "without the program of MPI",
            r.returncode == 4 and all(w in r.stderr for w in (b"PMI_RANK is set", b"libopenmpi-dev", b"--shard I/N")),
            r.stderr,
        )
        r = subprocess.run(["./alone", "clash", "run", "plan", "--shard", "1/1"], capture_output=True, env={**os.environ, "PMI_RANK": "0"})
        check("a shard needs no MPI", r.returncode == 0, r.stderr)


def test_dask():
    if subprocess.run([sys.executable, "-c", "import distributed"], stderr=subprocess.DEVNULL).returncode != 0:
        return
    clear("plan")
    r = subprocess.run([sys.executable, DASK, "plan", "--graze", GRAZE, "--shards", "5"], capture_output=True, timeout=120)
    check("dask", r.returncode == 0 and b"5 of 5 shares" in r.stderr and merged("plan", "out") == read("once"), r.stderr)
    r = subprocess.run([sys.executable, DASK, "nobody", "--graze", GRAZE, "--shards", "2"], capture_output=True, timeout=120)
    check("dask without a plan", r.returncode == 3 and b"nobody: is no plan" in r.stderr, r.stderr)
    r = subprocess.run([sys.executable, DASK, "plan", "--graze", "no-such-tool"], capture_output=True, timeout=120)
    check(
        "dask without the tool",
        r.returncode == 2 and r.stderr.startswith(b"graze.clash_dask: --graze is 'no-such-tool'") and r.stderr.count(b"\n") == 1,
        r.stderr,
    )


sys.exit(
    run_all(
        [
            test_shards_and_ranks,
            test_divided_pairs,
            test_statuses_and_reports,
            test_two_runs_at_once,
            test_killed,
            test_damage,
            test_no_pairs,
            test_usage,
            test_dask,
        ]
    )
)
