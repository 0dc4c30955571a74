"""python -m graze.shims DIR: writes the packages `fcl` and `embreex` into a folder for a PYTHONPATH, so that code for python-fcl and embreex runs on graze."""
import os
import sys
from typing import Dict, List

FILES: Dict[str, str] = {
    "fcl/__init__.py": "from graze import __version__\nfrom graze.fcl import *\n",
    "fcl/fcl.py": "from graze.fcl import *\n",
    "embreex/__init__.py": "from graze import __version__\n",
    "embreex/rtcore_scene.py": "from graze.embreex import EmbreeScene\n",
    "embreex/mesh_construction.py": "from graze.embreex import TriangleMesh\n",
}


def write(folder: str) -> None:
    """Writes the packages, over those that are there."""
    for name, text in FILES.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write('"""Written by python -m graze.shims: names of another package, answered by graze."""\n' + text)


def main(arguments: List[str]) -> int:
    """The command line."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__)
        return 2
    write(arguments[0])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
