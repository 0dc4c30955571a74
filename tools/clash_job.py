#!/usr/bin/env python3
"""The job behind `./run clash` without arguments: which parts of a real engine overlap, touch or come too near?

Fetches Debian's package assimp-testmodels (nothing is installed) for its two-cylinder engine of 67 parts, or generates a plant where it cannot be had. Runs
`graze clash` twice, the second time with a part moved, to show how findings are followed from run to run. The results are in out/engine or out/plant."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import packages
import plant

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GRAZE = os.path.join(ROOT, "build", "release", "graze")
OUT = os.path.join(ROOT, "out")
PACKAGE = "assimp-testmodels"
ENGINE = "usr/share/assimp/models/glTF2/2CylinderEngine-glTF-Binary/2CylinderEngine.glb"  # within the package


def engine():
    """The path of the engine, fetched once. Raises packages.Unavailable."""
    path = os.path.join(OUT, "assembly", "engine.glb")
    if os.path.exists(path):
        return path
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=OUT, prefix=".fetch-") as folder:
        found = os.path.join(packages.unpack(PACKAGE, 21, OUT, folder), ENGINE)
        if not os.path.exists(found):
            raise packages.Unavailable("the package %s does not hold %s" % (PACKAGE, ENGINE))
        shutil.copyfile(found, path + ".new")
    os.replace(path + ".new", path)
    return path


def shown(path):
    return os.path.relpath(path, os.getcwd())


def clash(model, folder, options):
    command = ["clash", model, "--out", folder, *options]
    print("$ ./run " + " ".join(shown(w) if os.path.isabs(w) else w for w in command) + "\n", flush=True)
    r = subprocess.run([GRAZE, *command], stdin=subprocess.DEVNULL)
    if r.returncode not in (0, 1):
        sys.exit(r.returncode)
    with open(os.path.join(folder, "clash.json")) as f:
        next(f)
        return [json.loads(line) for line in f]


def main():
    os.makedirs(OUT, exist_ok=True)
    try:
        model, what, options = engine(), "engine", ["--unit", "mm", "--clearance", "0.5", "--min-penetration", "0.01", "--depth"]
        print("A two-cylinder engine as its parts left a CAD program: which of them overlap by more than 0.01 mm, touch, or come closer than 0.5 mm?\n")
    except packages.Unavailable as reason:
        print("clash: %s\nA plant is generated instead of a real engine." % reason, file=sys.stderr)
        what, options = "plant", ["--unit", "mm", "--clearance", "25", "--depth"]
        model = os.path.join(OUT, "assembly", "plant.glb")
        os.makedirs(os.path.dirname(model), exist_ok=True)
        plant.write(model)
    folder = os.path.join(OUT, what)
    found = clash(model, folder, options)
    print("\nWhere to look next:")
    print("  %-36s the findings with pictures, for a browser: filter, sort, group, turn each in 3D" % shown(folder + "/report.html"))
    print("  %-36s for BIM and CAD programs; clash.csv: a table; junit.xml: for a pipeline" % shown(folder + "/clash.bcf"))
    seen = next((c["id"] for c in found if c["status"] in ("new", "active")), None)
    if seen:
        print("  ./run clash approve %s --out %s --note 'as drawn'" % (seen, shown(folder)))
    print("  the first command again               what is new, what is gone, what was approved")
    print("  docs/clash.md                         job files, groups, exclusions, statuses, many machines")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)
