#!/usr/bin/env python3
"""Compiles each public header alone, as the only include of a file, with options that users may have. Usage: check_headers.py [COMPILER]

Compiles each header twice: with warnings as errors; and with -ffast-math and the GLM macros that change the layout and the members of its vectors."""
import concurrent.futures
import glob
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WAYS = {
    "plain": ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"],
    "user's macros": [
        "-Wall",
        "-Werror",
        "-ffast-math",
        "-march=native",
        "-DGLM_FORCE_DEFAULT_ALIGNED_GENTYPES",
        "-DGLM_FORCE_INTRINSICS",
        "-DGLM_FORCE_SWIZZLE",
        "-DGLM_FORCE_EXPLICIT_CTOR",
        "-DGLM_FORCE_QUAT_DATA_WXYZ",
        "-DGLM_FORCE_RADIANS",
    ],
    "refused": ["-DGLM_FORCE_SIZE_T_LENGTH"],
}


def compile_alone(compiler, header, way):
    text = '#include <%s>\n#include <%s>\nint main() {}\n' % (header, header)
    command = [compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", "-I", os.path.join(ROOT, "include"), *WAYS[way], "-"]
    r = subprocess.run(command, input=text, capture_output=True, text=True)
    return header, way, r.returncode, r.stderr


def main():
    compiler = sys.argv[1] if len(sys.argv) > 1 else "g++"
    if not shutil.which(compiler):
        print("check_headers: no compiler '%s'" % compiler)
        return 1
    include = os.path.join(ROOT, "include")
    headers = sorted(os.path.relpath(h, include) for h in glob.glob(os.path.join(include, "graze", "**", "*.hpp"), recursive=True))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for header, way, code, err in pool.map(lambda job: compile_alone(compiler, *job), [(h, w) for h in headers for w in ("plain", "user's macros")]):
            if code:
                failed += 1
                print("%s does not compile alone (%s):\n%s" % (header, way, err[:2000]))
    _, _, code, err = compile_alone(compiler, "graze/vec.hpp", "refused")
    if not code or "GLM_FORCE_SIZE_T_LENGTH" not in err:
        failed += 1
        print("GLM_FORCE_SIZE_T_LENGTH changes the types in all signatures and must be refused with a message")
    print("%d headers, %d ways, %d failures" % (len(headers), 2, failed))
    return 1 if failed or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
