#!/usr/bin/env python3
"""Checks that all kernels compile for 64-bit ARM (NEON) without warnings: passes the commands of build/release to the cross compiler. Runs nothing."""
import concurrent.futures, json, os, shlex, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main():
    if subprocess.run(["bash", os.path.join(ROOT, "tools/setup.sh"), "build", "neon"]).returncode != 0:
        return 1
    entries = json.loads(subprocess.run(["ninja", "-C", os.path.join(ROOT, "build/release"), "-t", "compdb"], stdout=subprocess.PIPE, check=True).stdout)
    kernels = {e["file"]: e for e in entries if e["file"].endswith("_kernels.cpp")}
    if len(kernels) < 10:
        print("check_neon: only %d kernels in build/release" % len(kernels), file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as headers:
        for library in ("glm", "hwy"):  # the rest of /usr/include belongs to this machine
            os.symlink(os.path.join("/usr/include", library), os.path.join(headers, library))

        def compile_one(e):
            options = [a for a in shlex.split(e["command"]) if a.startswith(("-D", "-I", "-f", "-W", "-std"))]
            command = ["aarch64-linux-gnu-g++", "-O1", "-fsyntax-only", "-I" + headers] + options + [e["file"]]
            return subprocess.run(command, cwd=e["directory"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            bad = 0
            for file, done in zip(kernels, pool.map(compile_one, kernels.values())):
                print("%s %s" % ("ok    " if done.returncode == 0 else "FAILED", os.path.relpath(file, ROOT)))
                sys.stdout.write(done.stdout)
                bad += done.returncode != 0
    print("%d kernels for NEON, %d failed" % (len(kernels), bad))
    return 1 if bad else 0


sys.exit(main())
