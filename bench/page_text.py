"""The prose of docs/benchmarks.md: Markdown texts in bench/page, with values filled in by string.Template."""
import os
import string

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")


def fill(name, **values):
    """Returns the text of bench/page/NAME.md with its values filled in."""
    with open(os.path.join(FOLDER, name + ".md"), encoding="utf-8") as f:
        return string.Template(f.read().strip("\n")).substitute(values)
