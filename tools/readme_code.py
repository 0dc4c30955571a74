#!/usr/bin/env python3
"""Extracts the first ```cpp block of a text, so that it can be compiled. Usage: readme_code.py README.md OUT.cpp"""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    block = re.search(r"^```cpp\n(.*?)^```", f.read(), re.S | re.M)
if not block:
    sys.exit("%s has no ```cpp block" % sys.argv[1])
with open(sys.argv[2], "w", encoding="utf-8") as f:
    f.write("// Made by tools/readme_code.py from %s.\n%s" % (sys.argv[1].split("/")[-1], block.group(1)))
