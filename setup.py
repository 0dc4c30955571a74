"""Builds the Python package: setuptools calls CMake for libgraze_c.so and writes graze/_ffi.py from graze.h (python/native.py). See docs/python.md."""
import os
import re
import sys

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

ROOT = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(ROOT, "python"))
import native  # noqa: E402

try:
    from wheel.bdist_wheel import bdist_wheel
except ImportError:  # part of setuptools since version 70
    from setuptools.command.bdist_wheel import bdist_wheel


class Build(build_py):
    """Adds the native part to the package."""

    def run(self):
        super().run()
        package = os.path.join(self.build_lib, "graze")
        os.makedirs(package, exist_ok=True)
        native.copy_library(package)
        native.write_declarations(os.path.join(package, "_ffi.py"))


class Wheel(bdist_wheel):
    """One wheel for every Python 3: the library does not use its interface."""

    def get_tag(self):
        return ("py3", "none") + super().get_tag()[2:]


class Binary(Distribution):
    """A package with a compiled part."""

    def has_ext_modules(self):
        return True


with open(os.path.join(ROOT, "CMakeLists.txt")) as f:
    VERSION = re.search(r"project\(graze VERSION ([0-9.]+)", f.read()).group(1)

setup(
    name="graze",
    version=VERSION,
    description="Exact collision queries on meshes and shapes, as NumPy arrays",
    package_dir={"": "python"},
    packages=["graze"],
    package_data={"graze": ["py.typed"]},
    python_requires=">=3.8",
    install_requires=["cffi", "numpy>=1.21"],
    cmdclass={"build_py": Build, "bdist_wheel": Wheel},
    distclass=Binary,
    zip_safe=False,
)
