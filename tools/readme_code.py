#!/usr/bin/env python3
"""Extracts the first block of a text in a language, so that it can be compiled or run. Usage: readme_code.py README.md LANGUAGE [OUT]   (default: prints it)"""
import re
import sys

path, language = sys.argv[1:3]
with open(path, encoding="utf-8") as f:
    block = re.search(r"^```%s\n(.*?)^```" % re.escape(language), f.read(), re.S | re.M)
if not block:
    sys.exit("%s has no block of %s" % (path, language))
with open(sys.argv[3], "w", encoding="utf-8") if len(sys.argv) > 3 else sys.stdout as f:
    f.write(block.group(1))
