#!/usr/bin/env python3
"""Benchmarks against peers: installs what is missing, builds the preset "bench", runs, prints the ratios, writes out/bench.json and its pictures (out/bench*.svg and .png).

    bench/run.py                    all rows on this machine (about forty minutes)
    bench/run.py --docs             also writes docs/benchmarks.md and its pictures
    bench/run.py --quick            fewer repetitions and items: only checks that everything runs
    bench/run.py --only pairs       one program: pairs, distances, contact, mesh, mesh-distance, tiers, broad, scene, sweep, mover, ccd, world, curves or cliffs (may be repeated)
    bench/run.py --models A.obj ... meshes; default: bunny and nefertiti of $GRAZE_SHARED/meshes, else a generated torus and sphere
    bench/run.py --from out/bench.json --docs     no measurement: tables and pictures from an earlier run
    bench/compare.py BASE.json HEAD.json          what changed between two runs

Each row is one process. Its contestants are interleaved in random order, and medians of thread CPU time are compared, so that other load has little effect."""
import argparse
import datetime
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import curves_report  # noqa: E402
import report  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, "build", "bench")
OUT = os.path.join(ROOT, "out")
PAIR_ROWS = [
    "sphere-sphere/plain",
    "sphere-sphere/touching",
    "sphere-sphere/hostile",
    "box-box/plain",
    "box-box/touching",
    "box-box/hostile",
    "capsule-capsule/plain",
    "sphere-triangle/plain",
    "triangle-triangle/plain",
    "triangle-triangle/touching",
    "triangle-triangle/hostile",
    "segment-box/plain",
    "sphere-box/plain",
    "sphere-capsule/plain",
    "box-capsule/plain",
]
CONTACT_ROWS = [
    *(ask + " boxes/" + kind for ask in ("penetration", "contacts", "manifold") for kind in ("plain", "resting")),
    *("penetration " + pair + "/plain" for pair in ("spheres", "sphere and box", "capsules", "capsule and box")),
    *("manifold " + pair + "/plain" for pair in ("spheres", "sphere and box", "capsules", "capsule and box")),
    *("penetration hulls/%d" % n for n in (8, 30, 100, 400)),
    *(ask + " hulls/%d" % n for ask in ("manifold", "manifold with a hint") for n in (8, 100)),
    *("%s shallow hulls/%d corners, %s deep" % (ask, n, deep) for ask in ("penetration", "manifold") for n in (8, 20, 40) for deep in (".01", ".001", ".0001")),
    *("penetration %s/%s" % (pair, kind) for pair in ("cylinders", "cylinder and box", "cone and box") for kind in ("plain", ".001 deep")),
]
PAIRS_AT_A_DISTANCE = [
    "sphere-sphere",
    "sphere-capsule",
    "capsule-capsule",
    "sphere-box",
    "sphere-triangle",
    "triangle-triangle",
    "box-capsule",
    "capsule-triangle",
    "box-triangle",
    "box-box",
    "cylinder-cylinder",
    "cylinder-box",
    "cone-box",
    "sphere-cylinder",
    "ellipsoid-ellipsoid",
    "ellipsoid-box",
]
PAIR_DISTANCE_ROWS = [
    "%s/%s" % (row, kind)
    for row in [p + " distance" for p in PAIRS_AT_A_DISTANCE]
    + ["%s %d" % (row, n) for row in ("hull distance", "hull distance with a hint") for n in (30, 100, 400)]
    + ["box-box distance with a hint"]
    for kind in ("apart", "near")
] + ["hull-hull %d/mixed" % n for n in (30, 100, 400)]
EXACTNESS_ROWS = ["exactness of %s/%s" % (pair, kind) for pair in ("sphere-sphere", "triangle-triangle", "segment-box") for kind in ("plain", "touching")]
MESH_ROWS = [
    ["build"],
    ["ray closest"],
    ["ray any"],
    ["ray one-sided"],
    ["ray brief"],
    ["ray all"],
    ["particles"],
    ["edge rays"],
    ["point distance"],
    ["sphere-mesh"],
    ["box-mesh"],
    ["capsule-mesh"],
    ["mesh-mesh r"],
    ["mesh-mesh b"],
    ["mesh-mesh x"],
    ["mesh-mesh y"],
    ["mesh-mesh n"],
    ["mesh-mesh c"],
    ["mesh-mesh d"],
    ["all pairs c"],
    ["distance n"],
]
SMALL_MODELS, SMALL_ROWS = ["cube", "ball"], ["build", "ray closest", "ray any", "ray brief", "edge rays", "point distance", "sphere-mesh", "box-mesh"]
BIG_ROWS = [
    ["build"],
    ["build fast"],
    ["ray closest", "ray any", "particles"],
    ["point distance", "sphere-mesh", "box-mesh", "capsule-mesh"],
    ["mesh-mesh r", "mesh-mesh b", "mesh-mesh x", "mesh-mesh y", "mesh-mesh n", "mesh-mesh c", "mesh-mesh d"],
    ["all pairs c", "distance n"],
]  # one process each, since peers take seconds to build their trees
MESH_DISTANCE_ROWS = [
    ["gap .001", "gap .03"],
    ["gap .1", "gap .3"],
    ["gap 1", "gap 3"],
    ["gap %s 2 threads" % gap for gap in (".001", ".03", ".1", ".3", "1", "3")],
    ["deep"],
    ["contains"],
    ["signed distance"],
    ["refit"],
]
BUILT = [
    "primitive_pairs_bench",
    "pair_distance_bench",
    "contact_bench",
    "mesh_bench",
    "distance_bench",
    "tiers_bench",
    "broad_phase_bench",
    "scene_bench",
    "sweep_bench",
    "mover_bench",
    "ccd_bench",
    "world_bench",
    "curves_bench",
    "cliffs_bench",
]
BROAD_PEERS = "Graze,FCL,Bullet"  # the older methods: see docs/broad_phase.md
PACKAGES = {"Embree": "libembree3-3", "FCL": "libfcl0.7", "Bullet": "libbullet3.24", "ODE": "libode8", "CGAL": "libcgal-dev"}


def say(text):
    print(text, file=sys.stderr, flush=True)


def shell(command, **more):
    return subprocess.run(command, stdin=subprocess.DEVNULL, **more)


def build(jobs):
    if shell(["bash", os.path.join(ROOT, "tools", "setup.sh"), "build", "bench"], stdout=sys.stderr).returncode:
        sys.exit(4)
    cache = os.path.join(BUILD, "CMakeCache.txt")
    if os.path.exists(cache) and "CMAKE_HOME_DIRECTORY:INTERNAL=%s\n" % ROOT not in open(cache).read():
        shutil.rmtree(BUILD)
    for command in (["cmake", "--preset", "bench"], ["ninja", "-C", BUILD, "-j", str(jobs), *BUILT]):
        done = shell(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            say(done.stdout[-4000:] + done.stderr[-4000:])
            say("bench: the build failed; see the output above")
            sys.exit(4)


def measure(program, arguments, repetitions, min_time):
    """All repetitions of one process, as {name: {"rates": [...], "wrong": n}}."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.json")
        command = [
            os.path.join(BUILD, "bench", program),
            *arguments,
            "--benchmark_out=" + out,
            "--benchmark_out_format=json",
            "--benchmark_enable_random_interleaving=true",
            "--benchmark_repetitions=%d" % repetitions,
            "--benchmark_min_time=%g" % min_time,
        ]
        done = shell(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            say("bench: %s %s ended with %d: %s" % (program, " ".join(arguments), done.returncode, done.stderr))
            sys.exit(4)
        with open(out) as f:
            runs = json.load(f)["benchmarks"]
    found = {}
    for r in runs:
        if r["run_type"] != "iteration":
            continue
        name = "/".join(
            part
            for part in r["run_name"].split("/")
            if part not in ("process_time", "real_time") and not part.startswith("repeats:") and not part.startswith("min_time:")
        )
        at = found.setdefault(name, {"rates": []})
        at["rates"].append(r["items_per_second"])
        for key in ("wrong", "error", "integers"):
            if key in r:
                at[key] = r[key]
    return found


def rows_of(found, program):
    """[{"row", "input", "program", "contestants": {peer: {"rate", "spread", "wrong"/"error"}}}], in the order of measurement."""
    rows = {}
    for name, m in found.items():
        row, kind, peer = name.split("/")
        rates = sorted(m.pop("rates"))
        quarters = statistics.quantiles(rates, n=4) if len(rates) > 2 else [rates[0], rates[-1], rates[-1]]
        median = statistics.median(rates)
        m.update(rate=median, spread=(quarters[2] - quarters[0]) / median)
        rows.setdefault((row, kind), {"row": row, "input": kind, "program": program, "contestants": {}})["contestants"][peer] = m
    return list(rows.values())


def machine():
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    info = {"cpu": cpu, "cores": os.cpu_count(), "date": datetime.date.today().isoformat()}
    flags = next((line for line in open("/proc/cpuinfo") if line.startswith("flags")), "").split()
    info["simd"] = "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else "SSE4" if "sse4_2" in flags else "none known"
    family = {
        key: next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith(key)), "")
        for key in ("cpu family", "model\t", "stepping")
    }
    info["cpu_family"] = "family %s model %s stepping %s" % tuple(family.values())
    info["compiler"] = shell(["g++", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    head = shell(["git", "-C", ROOT, "log", "-1", "--format=%h"], capture_output=True, text=True)
    info["commit"] = head.stdout.strip() if head.returncode == 0 else "unknown"
    trees = shell(["git", "-C", ROOT, "rev-parse", "HEAD:src", "HEAD:include", "HEAD:bench"], capture_output=True, text=True)
    info["sources"] = trees.stdout.split() if trees.returncode == 0 else []
    info["peers"] = {}
    for name, package in PACKAGES.items():
        version = shell(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True).stdout
        info["peers"][name] = re.sub(r"^\d+:|[+~-].*$", "", version) or "unknown"
    info["load"] = [os.getloadavg()[0]] * 2
    return info


def write(path, result):
    with open(path, "w") as f:
        json.dump(result, f, indent=1)
        f.write("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--docs", action="store_true", help="write docs/benchmarks.md and its pictures")
    parser.add_argument("--quick", action="store_true", help="only to see that everything runs")
    parser.add_argument("--only", action="append", choices=list(MEASURES), help="one program")
    parser.add_argument("--models", nargs="+", default=[], help="meshes")
    parser.add_argument("--subdivide", type=int, default=0, help="cut each triangle in four so often")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="of the build")
    parser.add_argument("--from", dest="earlier", help="tables and pictures of an earlier bench.json")
    parser.add_argument("--add", action="store_true", help="keep what an earlier run wrote of programs that are not run now")
    parser.add_argument("--out", default=os.path.join(OUT, "bench.json"))
    o = parser.parse_args()

    if o.earlier:
        with open(o.earlier) as f:
            result = json.load(f)
    else:
        build(o.jobs)
        os.makedirs(os.path.dirname(os.path.abspath(o.out)), exist_ok=True)
        result = started(o)
        run(o, result, lambda: write(o.out, result))
    print(report.table(result))
    pictures = report.pictures(result)
    prefixes = [os.path.splitext(o.out)[0]] + ([os.path.join(ROOT, "docs", "benchmarks")] if o.docs else [])
    for prefix in prefixes:
        for name, picture in pictures.items():
            with open(prefix + name + ".svg", "w") as f:
                f.write(picture)
    if shutil.which("rsvg-convert"):
        for name in pictures:
            shell(["rsvg-convert", prefixes[0] + name + ".svg", "-o", prefixes[0] + name + ".png"])
    if o.docs:
        with open(os.path.join(ROOT, "docs", "benchmarks.md"), "w") as f:
            f.write(report.document(result))


def timing(o):
    """How often each contestant is repeated, and for how long (seconds)."""
    return (3, 0.001) if o.quick else (o.repetitions, 0.05)


def models_of(o):
    if o.models:
        return o.models
    shared = os.path.join(os.environ.get("GRAZE_SHARED", os.path.join(ROOT, "..", "shared")), "meshes")
    return [p for p in (os.path.join(shared, n) for n in ("stanford-bunny.obj", "nefertiti.obj")) if os.path.exists(p)] or ["torus", "sphere"]


def rows_of_pairs(o, program, label, rows, pairs):
    found = []
    for row in rows:
        say("%s: %s" % (label, row))
        found += rows_of(measure(program, ["--rows=" + row, "--pairs=%d" % pairs], *timing(o)), label)
    return found


def measure_pairs(o, result):
    result["pairs"] = 5000 if o.quick else 200000
    result["rows"] += rows_of_pairs(o, "primitive_pairs_bench", "pairs", PAIR_ROWS, result["pairs"])
    result["exactness"] = rows_of_pairs(o, "primitive_pairs_bench", "exactness", EXACTNESS_ROWS, result["pairs"])


def measure_distances(o, result):
    result["rows"] += rows_of_pairs(o, "pair_distance_bench", "distances", PAIR_DISTANCE_ROWS, 2000 if o.quick else 200000)


def measure_contact(o, result):
    result["rows"] += rows_of_pairs(o, "contact_bench", "contact", CONTACT_ROWS, 200 if o.quick else 2000)


def measure_mesh(o, result):
    repetitions, min_time = timing(o)
    models = models_of(o)
    size = ["--rays=2000", "--points=500", "--poses=4"] if o.quick else []
    for rows in MESH_ROWS:
        for model in models:
            say("mesh: %s, %s" % (", ".join(rows), os.path.basename(model)))
            found = measure("mesh_bench", [model, "--rows=" + ",".join(rows), "--subdivide=%d" % o.subdivide, *size], repetitions, min_time)
            result["rows"] += rows_of(found, "mesh")
    for model in SMALL_MODELS:
        say("mesh: %s, %s" % (", ".join(SMALL_ROWS), model))
        rows_of_model = measure("mesh_bench", [model, "--rows=" + ",".join(SMALL_ROWS), *size], repetitions, min_time)
        result["rows"] += rows_of(rows_of_model, "mesh")
    for rows in [] if o.quick else BIG_ROWS:
        say("mesh: %s, %s of %d times as many triangles" % (", ".join(rows), os.path.basename(models[0]), 4 ** (o.subdivide + 2)))
        rows_of_builds = ["--rows=build", "--benchmark_filter=^%s/" % rows[0]] if rows[0].startswith("build") else ["--rows=" + ",".join(rows)]
        found = measure("mesh_bench", [models[0], *rows_of_builds, "--subdivide=%d" % (o.subdivide + 2), "--poses=12"], min(repetitions, 3), min_time)
        result["rows"] += rows_of(found, "mesh")


def measure_mesh_distance(o, result):
    repetitions, min_time = timing(o)
    for size in ["2000"] if o.quick else ["13000", "269000"]:
        for rows in MESH_DISTANCE_ROWS:
            say("distance: %s, %s triangles" % (", ".join(rows), size))
            arguments = ["torus:" + size, "sphere:" + size, "--rows=" + ",".join(rows), *(["--poses=4", "--points=500"] if o.quick else [])]
            result["rows"] += rows_of(measure("distance_bench", arguments, min(repetitions, 5), min_time), "distance")


def measure_broad(o, result):
    repetitions, min_time = timing(o)
    for size in ["2000"] if o.quick else ["10000", "100000", "1000000"]:
        say("broad phase: %s boxes" % size)
        found = measure("broad_phase_bench", ["--boxes=" + size, "--peers=" + BROAD_PEERS], min(repetitions, 5), min_time)
        result["rows"] += rows_of({"broad phase " + name: m for name, m in found.items()}, "broad")


def measure_scene(o, result):
    repetitions, min_time = timing(o)
    for rows in ["move", "robot", "postures", "bodies", "casts", "meshes", "broad"]:
        say("scenes: " + rows)
        found = measure("scene_bench", ["--rows=" + rows, *(["--quick"] if o.quick else [])], min(repetitions, 5), min_time)
        result["rows"] += rows_of(found, "scene")


def measure_tiers(o, result):
    repetitions, _ = timing(o)
    say("tiers")
    result["tiers"] = own("tiers_bench", ["--repetitions=%d" % repetitions, *(["--count=2000"] if o.quick else [])])


def measure_sweep(o, result):
    repetitions, _ = timing(o)
    models = models_of(o)
    size = ["--sweeps=200", "--meshes=1"] if o.quick else []
    for model in models:
        say("sweeps: " + os.path.basename(model))
        result["sweeps"] += own("sweep_bench", [model, "--subdivide=%d" % o.subdivide, "--repetitions=%d" % min(repetitions, 5), *size])
    rows = "sphere sweep,capsule sweep,box sweep,upright box sweep,oriented box sweep,hull sweep".split(",")
    result["sweeps"] += own(
        "sweep_bench",
        [
            "torus 13k",
            "--rows=" + ",".join("%s %s" % (row, way) for row in rows for way in ("long", "short")),
            "--repetitions=%d" % min(repetitions, 5),
            *size,
        ],
    )
    walls = "--rows=box sweep long,upright box sweep long,box sweep short,upright box sweep short"
    result["sweeps"] += own("sweep_bench", ["walls 13k", walls, "--repetitions=%d" % min(repetitions, 5), *size])
    if not o.quick:
        result["sweeps"] += own(
            "sweep_bench",
            [models[0], "--subdivide=%d" % (o.subdivide + 2), "--rows=sphere sweep long,sphere sweep short", "--repetitions=%d" % min(repetitions, 3)],
        )


def measure_mover(o, result):
    repetitions, _ = timing(o)
    say("mover")
    result["rows"] += own("mover_bench", ["--repetitions=%d" % min(repetitions, 5), *(["--moves=50"] if o.quick else [])])


def measure_ccd(o, result):
    say("ccd")
    result["ccd"] = own("ccd_bench", [])


def measure_world(o, result):
    repetitions, _ = timing(o)
    models = models_of(o)
    say("world")
    size = ["--particles=1000,2000", "--steps=2"] if o.quick else ["--subdivide=2", "--particles=1000,3000,10000,30000,100000,300000,1000000"]
    result["world"] = own("world_bench", [models[0], *size, "--repetitions=%d" % min(repetitions, 5)])


def measure_curves(o, result):
    repetitions, _ = timing(o)
    say("curves")
    result["curves"] = own("curves_bench", ["--repetitions=%d" % min(repetitions, 3), *(["--largest=4000"] if o.quick else [])])


def measure_cliffs(o, result):
    say("maps of time")
    result["cliffs"] = own("cliffs_bench", ["--pairs=2", "--largest=300"] if o.quick else [])


MEASURES = {
    "pairs": measure_pairs,
    "distances": measure_distances,
    "contact": measure_contact,
    "mesh": measure_mesh,
    "mesh-distance": measure_mesh_distance,
    "broad": measure_broad,
    "scene": measure_scene,
    "tiers": measure_tiers,
    "sweep": measure_sweep,
    "mover": measure_mover,
    "ccd": measure_ccd,
    "world": measure_world,
    "curves": measure_curves,
    "cliffs": measure_cliffs,
}


def started(o):
    """What the measurement is added to: nothing, or with --add an earlier run of the same library under the same conditions."""
    fresh = {"machine": machine(), "repetitions": timing(o)[0], "rows": [], "tiers": [], "sweeps": [], "ccd": []}
    if not o.add or not os.path.exists(o.out):
        return fresh
    with open(o.out) as f:
        earlier = json.load(f)
    same = [(key, earlier["machine"].get(key), fresh["machine"][key]) for key in ("cpu", "cpu_family", "simd", "compiler", "peers", "sources")]
    for key, before, now in same + [("repetitions", earlier["repetitions"], fresh["repetitions"])]:
        if before != now:
            say("bench: --add: %s was measured with another value of %s: %s, now %s" % (o.out, key, before, now))
            sys.exit(2)
    return earlier


def run(o, result, save):
    """Measures the programs and calls save() after each, so that a later one that fails loses nothing."""
    for name in o.only or MEASURES:
        found = {"rows": [], "sweeps": []}
        MEASURES[name](o, found)
        measured = {(r["row"], r["input"]) for r in found["rows"]}
        found["rows"] = [r for r in result["rows"] if (r["row"], r["input"]) not in measured] + found["rows"]
        result.update({key: value for key, value in found.items() if value})
        load = result["machine"]["load"]
        load[1] = max(load[1], os.getloadavg()[0]) if o.add else os.getloadavg()[0]
        save()


def own(program, arguments):
    """Rows of a program without peers."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "own.json")
        done = shell([os.path.join(BUILD, "bench", program), "--json=" + out, *arguments], stdout=subprocess.DEVNULL)
        if done.returncode:
            say("bench: %s ended with %d" % (program, done.returncode))
            sys.exit(4)
        with open(out) as f:
            return json.load(f)


if __name__ == "__main__":
    main()
