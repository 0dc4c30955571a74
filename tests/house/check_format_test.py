#!/usr/bin/env python3
"""check_format.py accepts a formatted tree and refuses any other; --fix repairs what a formatter can."""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
SCRIPT = os.path.join(ROOT, "tools", "check_format.py")


def run(root, *options):
    return subprocess.run([sys.executable, SCRIPT, *options, root], capture_output=True, text=True)


with tempfile.TemporaryDirectory() as root:
    os.makedirs(os.path.join(root, "src"))
    shutil.copy(os.path.join(ROOT, ".clang-format"), root)
    path = os.path.join(root, "src", "a.cpp")
    with open(path, "w") as f:
        f.write("int f( ) {return 1 ;}\n")
    r = run(root)
    if r.returncode == 77:
        print(r.stdout.strip())
        sys.exit(77)
    assert r.returncode == 1 and "a.cpp" in r.stdout, r.stdout
    assert run(root, "--fix").returncode == 0
    with open(path) as f:
        assert f.read() == "int f() { return 1; }\n"
    assert run(root).returncode == 0
    for name, content, complaint in (
        ("a.py", "x = ( 1 )\n", "a.py"),
        ("wide.sh", "echo " + "x" * 160 + "\n", "165 columns"),
        ("tab.js", "\tlet x;\n", "tab.js:1: a tab"),
        ("blank.css", "a { } \n", "trailing blanks"),
        ("end.sh", "echo", "newline"),
    ):
        path = os.path.join(root, "src", name)
        with open(path, "w") as f:
            f.write(content)
        r = run(root)
        assert r.returncode == 1 and complaint in r.stdout, (name, r.stdout)
        os.remove(path)
    assert run(root).returncode == 0
print("formatted, refused and mended")
