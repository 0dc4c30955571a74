#!/usr/bin/env python3
"""The main job behind ./run: which of these real models touch, where, and how far apart are the others?

Fetches Debian's package libcgal-demo (it holds about 150 models; nothing is installed), unpacks it into out/models, runs `graze info` and
`graze check` on pairs of them at several poses, prints a table and writes out/report.md, pictures and pages. A second run does not fetch again.
The table and the report need only the tool without the viewer. If the whole tool is out of date, it is built before the pictures."""
import json
import math
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

import packages

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, "build", "release")
GRAZE = os.path.join(BUILD, "graze")
WITHOUT_VIEWER = os.path.join(BUILD, "graze_cli_without_viewer")  # answers as GRAZE does and is linked earlier
OUT = os.path.join(ROOT, "out")
MODELS = os.path.join(OUT, "models")
PACKAGE = "libcgal-demo"
ARCHIVE = "usr/share/doc/libcgal-dev/data.tar.gz"  # within the package
PREFIX = "data/meshes/"  # within the archive

BAD_INPUT, INTERNAL = 3, 4


def stop(code, text):
    print("main job: " + text, file=sys.stderr)
    sys.exit(code)


# ---- the models


def fetch():
    """Fills out/models atomically."""
    if os.path.isdir(MODELS):
        return
    advice = (
        "The models come from Debian's package %s. Get the file by `apt-get download %s` on a machine with a network, put it into the folder %s, and run this again;\n"
        "or check models of your own: ./run check A.obj B.obj" % (PACKAGE, PACKAGE, OUT)
    )
    os.makedirs(OUT, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=OUT, prefix=".fetch-") as folder:
        try:
            archive = os.path.join(packages.unpack(PACKAGE, 24, OUT, folder), ARCHIVE)
        except packages.Unavailable as reason:
            stop(BAD_INPUT, "%s\n%s" % (reason, advice))
        if not os.path.exists(archive):
            stop(BAD_INPUT, "the package %s does not hold %s." % (PACKAGE, ARCHIVE))
        models = os.path.join(folder, "models")
        os.makedirs(models)
        with tarfile.open(archive) as t:
            for member in t:
                if member.isfile() and member.name.lstrip("./").startswith(PREFIX) and "/" not in member.name.lstrip("./")[len(PREFIX) :]:
                    with t.extractfile(member) as source, open(os.path.join(models, os.path.basename(member.name)), "wb") as target:
                        shutil.copyfileobj(source, target)
        os.rename(models, MODELS)


# ---- the queries


def up_to_date():
    return call_build("is_up_to_date") == 0


def call_build(function):
    """Exit code of a function of tools/build.sh; its output goes to stderr."""
    script = 'root=$0; . "$root/tools/build.sh"; ' + function
    return subprocess.run(["bash", "-c", script, ROOT], stdout=sys.stderr, stdin=subprocess.DEVNULL).returncode


def graze(*arguments, tool=GRAZE):
    """(answer, seconds) of a command with --json; found or not, both are good."""
    start = time.perf_counter()
    r = subprocess.run([tool, *arguments, "--json"], capture_output=True, text=True, cwd=MODELS, stdin=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    if r.returncode not in (0, 1):
        stop(r.returncode if r.returncode in (2, BAD_INPUT) else INTERNAL, "graze %s ended with %d: %s" % (" ".join(arguments), r.returncode, r.stderr.strip()))
    return json.loads(r.stdout), seconds


def number(x):
    return repr(float(x))


def moved(x, y, z):
    return ",".join(map(number, (x, y, z)))


def turned(quaternion, x=0, y=0, z=0):
    return ",".join(map(number, (*quaternion, x, y, z)))


def cases(info):
    """(purpose, A, B, description of B's pose, the pose)."""
    part = info["couplingdown.off"]
    height = part["max"][2] - part["min"][2]  # puts the copy's lowest point at the part's highest point, unless a sum is rounded
    quarter_x = (1, 1, 0, 0)
    third = (1, 1, 1, 1)
    yield "two animals come closer", "refined_elephant.off", "bunny00.off", "x + 1", moved(1, 0, 0)
    yield "", "refined_elephant.off", "bunny00.off", "x + 0.75", moved(0.75, 0, 0)
    yield "", "refined_elephant.off", "bunny00.off", "x + 0.625", moved(0.625, 0, 0)
    yield "", "refined_elephant.off", "bunny00.off", "x + 0.5", moved(0.5, 0, 0)
    yield "a coarse model and its refinement", "elephant.off", "refined_elephant.off", "as they are", None
    yield "a part in its box", "cheese-box.off", "cheese.off", "as they are", None
    yield "", "fandisk-box.off", "fandisk.off", "as they are", None
    yield "", "fandisk-box.off", "fandisk.off", "x + 0.125", moved(0.125, 0, 0)
    yield "", "fandisk-box.off", "fandisk.off", "x + 0.25", moved(0.25, 0, 0)
    yield "a part on its copy, touching", "couplingdown.off", "couplingdown.off", "z + its height", moved(0, 0, height)
    yield "", "couplingdown.off", "couplingdown.off", "one ulp higher", moved(0, 0, math.nextafter(height, math.inf))
    yield "cube on cube: one face", "cube.off", "cube.off", "x + 2", moved(2, 0, 0)
    yield "cube on cube: one corner", "cube.off", "cube.off", "(2, 2, 2)", moved(2, 2, 2)
    yield "a wheel and itself, turned", "turbine.off", "turbine.off", "quarter turn", turned(quarter_x)
    yield "", "turbine.off", "turbine.off", "the same place", None
    yield "", "rotor.off", "rotor.off", "third turn", turned(third)
    yield "two knots", "knot1.off", "knot2.off", "as they are", None
    yield "", "knot1.off", "knot2.off", "z + 0.5", moved(0, 0, 0.5)
    yield "one model, two formats", "pig.off", "pig.stl", "as they are", None
    yield "figures of other scales", "armadillo.off", "mannequin-devil.off", "x + 70", moved(70, 0, 0)
    yield "", "armadillo.off", "ChineseDragon-10kv.off", "z + 980", moved(0, 0, 980)
    yield "a small cube in a large figure", "armadillo.off", "small_cube.off", "as they are", None
    yield "an open terrain and a sphere", "three_peaks.off", "sphere.off", "z + 12", moved(0, 0, 12)


PICTURES = os.path.join(OUT, "pictures")
SHOWN = {
    ("refined_elephant.off", "bunny00.off", "x + 1"): "animals-apart",
    ("refined_elephant.off", "bunny00.off", "x + 0.75"): "animals-touch",
    ("knot1.off", "knot2.off", "as they are"): "knots",
    ("couplingdown.off", "couplingdown.off", "z + its height"): "part-on-part",
    ("armadillo.off", "ChineseDragon-10kv.off", "z + 980"): "figures",
}


def draw(rows):
    """Pictures and pages of some of the pairs, and the gallery of demonstrations; returns their paths, or the reason why there are none."""
    r = subprocess.run([GRAZE, "gallery", os.path.join(OUT, "gallery")], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if r.returncode:
        return [], r.stderr.strip()
    os.makedirs(PICTURES, exist_ok=True)
    made = []
    for what, a, b, words, pose in rows:
        name = SHOWN.get((a, b, words))
        if name:
            path = os.path.join(PICTURES, name)
            graze(
                "check",
                a,
                b,
                *(["--pose-b=" + pose] if pose else []),
                "--picture",
                path + ".png",
                "--html",
                path + ".html",
                "--up",
                "y" if name in ("animals-apart", "animals-touch", "figures") else "z"
            )
            made.append(path)
    return made, ""


VERDICTS = {
    "apart": "apart",
    "touching": "TOUCH",
    "crossing": "CROSS",  # surfaces of which one bounds no solid
    "touching_or_crossing": "MEET",
    "overlapping": "OVERLAP",
    "a_in_b": "A in B",
    "b_in_a": "B in A",
    "part_of_a_in_b": "part of A in B",
    "part_of_b_in_a": "part of B in A",
    "identical": "IDENTICAL",
}


def short(x):
    return "%.6g" % x


def place(answer):
    """The place of contact: the centre of the region of all common points, or the nearest point on A."""
    if "region_min" in answer:
        return "(%s)" % ", ".join(short((a + b) / 2) for a, b in zip(answer["region_min"], answer["region_max"]))
    return "(%s)" % ", ".join(map(short, answer["witness_a"])) if "witness_a" in answer else ""


def main():
    begin = time.perf_counter()
    fetch()
    fetched = time.perf_counter()
    complete = up_to_date()
    tool = GRAZE if complete else WITHOUT_VIEWER
    probe = {name: graze("info", name, tool=tool)[0] for name in ("couplingdown.off",)}
    rows = list(cases(probe))

    print("Do these models touch? Every yes or no below is exact; touching counts.\n")
    line = "{:34} {:22} {:22} {:15} {:>15} {:>8} {:>11}  {:30} {:>6}"
    print(line.format("", "A", "B", "B placed", "answer", "pairs", "distance", "where", "s"))
    table, total, found = [], 0.0, 0
    for what, a, b, words, pose in rows:
        answer, seconds = graze("check", a, b, *(["--pose-b=" + pose] if pose else []), tool=tool)
        total += seconds
        found += bool(answer["hit"])
        verdict = VERDICTS[answer["verdict"]]
        distance = short(answer["distance"]) if "distance" in answer else ""
        cells = (what, a, b, words, verdict, "{:,}".format(answer["pairs"]) if answer["pairs"] else "", distance, place(answer), "%.2f" % seconds)
        table.append((cells, pose))
        print(line.format(*cells).rstrip(), flush=True)

    models = sorted({r[1] for r in rows} | {r[2] for r in rows})
    facts, slow = [], 0.0
    for name in models:
        i, seconds = graze("info", name, tool=tool)
        slow += seconds
        facts.append((name, i))
    solids = sum(i["solid"] for _, i in facts)
    crossing = [(n, i["self_intersections"]["count"]) for n, i in facts if i["self_intersections"]["count"]]
    print("\n%d pairs, %d of them touch or hold one another; %.1f s for the pairs, each with reading and building both models." % (len(rows), found, total))
    print(
        "%d models, %d bound a solid, %d cross themselves%s; %.1f s for that."
        % (
            len(facts),
            solids,
            len(crossing),
            " (%s)" % ", ".join("%s: %d pairs" % c for c in crossing[:3]) + (" and others" if len(crossing) > 3 else "") if crossing else "",
            slow,
        )
    )
    write_report(table, facts, total)
    if not complete:
        print("The table is in out/report.md. Compiling the viewer for the pictures ...", flush=True)
        if call_build("with_build_lock build_tool"):
            stop(INTERNAL, "the viewer could not be built; the compiler's messages are above")
    start = time.perf_counter()
    pictures, without = draw(rows)
    if not without:
        drawn = [f for f in os.listdir(os.path.join(OUT, "gallery")) if f.endswith(".png")]
        scenes = [f for f in drawn if f.startswith("scene-")]
        print(
            "%d demonstrations, %d scenes, %d pairs drawn; %.1f s for that."
            % (len(drawn) - len(scenes), len(scenes), len(pictures), time.perf_counter() - start)
        )
    first = next(((c, p) for c, p in table if c[4] == "TOUCH" and p), None)
    print("\nWhere to look next:")
    print("  out/report.md                the table above, and what is known about each model")
    if without:
        print("  no pictures: " + without)
    else:
        print("  out/gallery/index.html       all demonstrations and scenes; alive: ./run view")
        for path in pictures:
            print("  %-28s and %s.html, to turn about in a browser" % (os.path.relpath(path, ROOT) + ".png", os.path.basename(path)))
    print("  out/models                   %d models to try" % len(os.listdir(MODELS)))
    if first:
        here = os.path.relpath(MODELS, os.getcwd())
        print("  ./run check %s/%s %s/%s --pose-b=%s" % (here, first[0][1], here, first[0][2], first[1]))
        print("  ./run info %s/%s" % (here, first[0][1]))
    print("  ./run shapes                 what is promised for each pair of shapes;  ./run --help: all commands")
    print("%.1f s in all%s" % (time.perf_counter() - begin, ", %.1f s of them for fetching" % (fetched - begin) if fetched - begin > 0.5 else ""))


def write_report(table, facts, total):
    lines = [
        "# What touches what",
        "",
        "Written by `./run`. Every yes or no is exact; touching counts. Times are for a whole `graze check`, reading and building included.",
        "",
        "| | A | B | B placed | answer | triangle pairs | distance | where | s |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    lines += ["| " + " | ".join(cells) + " |" for cells, _ in table]
    lines += [
        "",
        "The answer is that on the solids where both models bound one; CROSS is said of surfaces that bound none. `where` is the middle of the box that holds "
        "all common points, or the point of A nearest to B.",
        "",
        "%d pairs in %.1f s." % (len(table), total),
        "",
        "## Again, one by one",
        "",
        "```",
    ]
    lines += ["./run check out/models/%s out/models/%s%s" % (c[1], c[2], " --pose-b=" + pose if pose else "") for c, pose in table]
    lines += [
        "```",
        "",
        "## The models",
        "",
        "| model | triangles | bounds a solid | pieces | border edges | without area | self-intersections | size |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, i in facts:
        size = " x ".join(short(b - a) for a, b in zip(i["min"], i["max"])) if i["min"] else "no triangles"
        lines.append(
            "| %s | %d | %s | %d | %d | %d | %d | %s |"
            % (
                name,
                i["triangles"],
                "yes" if i["solid"] else "no",
                i["components"],
                i["border_edges"]["count"],
                i["degenerate"]["count"],
                i["self_intersections"]["count"],
                size,
            )
        )
    lines += ["", "The models are from Debian's package `%s` (the data folder of CGAL's examples)." % PACKAGE, ""]
    path = os.path.join(OUT, "report.md")
    with open(path + ".new", "w") as f:
        f.write("\n".join(lines))
    os.replace(path + ".new", path)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)
