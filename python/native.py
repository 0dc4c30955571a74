"""Builds the native part of the Python package: the library libgraze_c.so by CMake, and graze/_ffi.py, the declarations of its functions, from graze.h.

  native.py stage FOLDER      a package in FOLDER/graze, ready for PYTHONPATH: links to the sources, the library, _ffi.py
  native.py declarations FILE only _ffi.py; needs no compiled library

Needs a C preprocessor, CMake, a C++20 compiler and python3-cffi. Used by setup.py, by ./run python and by the tests. The environment variable CMAKE_ARGS has
further options for CMake."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

PYTHON = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(PYTHON)
OPTIONS = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=6", "-DGRAZE_WERROR=OFF"]
OPTIONS += ["-DGRAZE_TBB=OFF", "-DGRAZE_TOOLS=OFF", "-DGRAZE_VIEWER=OFF", "-DGRAZE_TESTS=OFF", "-DGRAZE_EXAMPLES=OFF", "-DGRAZE_BENCH=OFF"]
HELPERS = ("graze-import", "graze-import-step", "graze-import-ifc.mjs")  # that of STEP is built where OpenCASCADE is installed
OPTIONS += ["-DGRAZE_BUNDLE=ON"]  # few machines have minizip; Debian's packages that the build needs have the archives


def declarations(include=os.path.join(ROOT, "include")):
    """The declarations of graze.h as cffi reads them: preprocessed, without attributes and without bodies of functions."""
    with tempfile.TemporaryDirectory() as empty:
        for name in ("math.h", "stddef.h", "stdint.h"):  # cffi knows their types
            open(os.path.join(empty, name), "w").close()
        compiler = os.environ.get("CC", "cc").split()
        command = [*compiler, "-E", "-P", "-nostdinc", "-I", empty, "-I", include, os.path.join(include, "graze", "graze.h")]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    text = re.sub(r"__attribute__\(\(visibility\(\"default\"\)\)\)", "", text)
    return re.sub(r"static inline [^{;]*\{[^}]*\}", "", text)


def write_declarations(path):
    """Writes the module graze._ffi, which holds the parsed declarations, so that importing it parses nothing."""
    import cffi

    ffi = cffi.FFI()
    ffi.cdef(declarations())
    ffi.set_source("graze._ffi", None)
    ffi.emit_python_code(path)


def build_library(folder):
    """Builds the library in a folder of CMake's; returns the path of the file."""
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    cache = os.path.join(folder, "CMakeCache.txt")
    if os.path.exists(cache) and "CMAKE_HOME_DIRECTORY:INTERNAL=%s\n" % ROOT not in open(cache).read():
        shutil.rmtree(folder)  # made for another location
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, *generator, *OPTIONS, *shlex.split(os.environ.get("CMAKE_ARGS", ""))], check=True, stdout=sys.stderr)
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
    subprocess.run(["cmake", "--build", folder, "--target", "graze_c", "--parallel", jobs], check=True, stdout=sys.stderr)
    return os.path.realpath(os.path.join(folder, "libgraze_c.so"))


def copy_if_newer(source, target):
    if not os.path.exists(target) or os.stat(source).st_mtime_ns != os.stat(target).st_mtime_ns:
        shutil.copy2(source, target + ".new")
        os.replace(target + ".new", target)  # a process that has loaded the old file keeps it


def copy_library(package):
    """Puts the library, and the programs that its readers run, into a package: the library that GRAZE_LIBRARY names, else a new build."""
    library = os.environ.get("GRAZE_LIBRARY") or build_library(os.path.join(ROOT, "build", "python", "library"))
    copy_if_newer(library, os.path.join(package, "libgraze_c.so"))
    for name in HELPERS:
        helper = os.path.join(os.path.dirname(library), name)
        if os.path.exists(helper):
            copy_if_newer(helper, os.path.join(package, name))


def stage(folder):
    """Makes FOLDER/graze: the package as links to its sources, with _ffi.py and the library beside them."""
    package = os.path.join(folder, "graze")
    os.makedirs(package, exist_ok=True)
    source = os.path.join(PYTHON, "graze")
    for name in os.listdir(package):
        path = os.path.join(package, name)
        if os.path.islink(path) and not os.path.exists(path):
            os.remove(path)
    for name in sorted(os.listdir(source)):
        link = os.path.join(package, name)
        if name != "__pycache__" and not os.path.lexists(link):
            os.symlink(os.path.relpath(os.path.join(source, name), package), link)
    copy_library(package)
    write_declarations(os.path.join(package, "_ffi.py"))


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "stage":
        stage(os.path.abspath(arguments[1]))
    elif len(arguments) == 2 and arguments[0] == "declarations":
        write_declarations(arguments[1])
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
