#!/usr/bin/env python3
"""check_includes.py finds names that are used without their header; --fix inserts it."""
import os
import shutil
import subprocess
import sys
import tempfile

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "check_includes.py")
FINE = {
    "include/graze/a.hpp": "#pragma once\n#include <vector>\nstd::vector<int> f();\n",
    "src/a.cpp": "#include <graze/a.hpp>\n\nstd::vector<int> f() { return {}; }\n",
    "src/b.cpp": '// std::vector in a comment\nconst char* g() { return "std::string"; }\n',
}
BREACHES = {
    "src/c.cpp": "#include <graze/a.hpp>\n\nstd::vector<int> g() { return f(); }\n",
    "include/graze/b.hpp": "#pragma once\nstd::uint32_t g();\n",
    "apps/d.cpp": "#include <vector>\n\nint h(std::vector<int>& v) { return *std::max_element(v.begin(), v.end()); }\n",
}


def run(files, *arguments):
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w") as f:
                f.write(text)
        r = subprocess.run([sys.executable, SCRIPT, *arguments, root], capture_output=True, text=True)
        again = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        return r.returncode, r.stdout, again.returncode


code, out, _ = run(FINE)
assert code == 0, "a tree without a breach was refused:\n" + out
for path, text in BREACHES.items():
    code, out, _ = run({**FINE, path: text})
    assert code == 1 and path in out, "%s was not found:\n%s" % (path, out)
    if shutil.which("clang-format"):
        code, out, again = run({**FINE, path: text}, "--fix")
        assert again == 0, "%s was not mended:\n%s" % (path, out)
print("%d kinds of breaches found" % len(BREACHES))
