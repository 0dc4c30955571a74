#!/usr/bin/env python3
"""The documents are true: the support matrix equals the tool's output; links and named files exist; CONTRIBUTING.md lists and docs/architecture.md draws the
layers of tools/check_layers.py; docs/architecture.md names functions that are in the files next to them; in docs/heritage.md functions compile, tests exist
and commands run; the commands of README.md run as printed."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True
import check_layers  # noqa: E402

GRAZE = os.environ.get("GRAZE", os.path.join(ROOT, "build/release/graze"))
wrong = []


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


matrix = subprocess.run([GRAZE, "shapes", "--markdown"], capture_output=True, text=True)
if matrix.returncode or not os.path.exists(os.path.join(ROOT, "docs/support-matrix.md")) or matrix.stdout != read("docs/support-matrix.md"):
    wrong.append("docs/support-matrix.md is not what `graze shapes --markdown` prints; write it again: ./run shapes --markdown > docs/support-matrix.md")

documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + [
    os.path.relpath(p, ROOT) for p in glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True)
]
for name in documents:
    text = read(name)
    for target in re.findall(r"\]\(([^)#]*)(?:#[^)]*)?\)", text):
        if target and "://" not in target and not os.path.exists(os.path.join(ROOT, os.path.dirname(name), target)):
            wrong.append("%s: link to %s, which does not exist" % (name, target))
    for path in re.findall(r"`((?:src|include|tests|tools|docs|apps|cmake)/[A-Za-z0-9_./-]+)`", text):
        if not os.path.exists(os.path.join(ROOT, path)) and "NAME" not in path and "A_B" not in path:
            wrong.append("%s: names %s, which does not exist" % (name, path))

# ---- CONTRIBUTING.md: its table of layers


def floor(room):
    """The rooms of src/convex and src/clash are a floor each: the documents state their order in words."""
    return room.split("/")[0] if room.startswith(("convex/", "clash/")) else room


LAYERS = {}
for room, others in check_layers.ALLOWED.items():
    LAYERS.setdefault(floor(room), set()).update(floor(x) for x in others)


def check_table(text):
    rows = dict(re.findall(r"(?m)^\| `src/([\w/]+)` \|.*\| ([^|]+) \|$", text))
    layers = LAYERS

    def allowed(room):
        """What the row allows: `sweep` are all rooms in it, "X and below" is X and all that X may include, `pairs` has its details with it."""
        if rows[room] == "`include/graze` only":
            return set()
        found = set() if room in ("platform", "math") else {"platform", "math"}
        for item in [] if rows[room] == "no other layer" else rows[room].split(", "):
            name, below, without = re.match(r"([\w/]*)( and below)?(?: \(not ([\w/]+)\))?", item).groups()
            named = {name} if name in rows else {x for x in rows if x.startswith(name + "/")}
            found |= named or {item}  # no room: a difference
            found |= {"pairs/detail"} - {without} if name == "pairs" else set()
            found = found.union(*(allowed(x) for x in named if below))
        return found

    for layer in sorted(set(rows) | set(layers) - {"pairs/detail"}):
        if layer not in rows or layer not in layers:
            yield "src/%s is in only one of the table and tools/check_layers.py" % layer
        elif (allowed(layer) ^ layers[layer]) - {layer, layer + "/detail"}:
            yield "the table lets src/%s include %s, tools/check_layers.py %s" % (layer, sorted(allowed(layer)), sorted(layers[layer]))


wrong += ["CONTRIBUTING.md: %s" % w for w in check_table(read("CONTRIBUTING.md"))]

# ---- docs/architecture.md: the layers of its diagram; functions are in a file that the same paragraph, item or row names


def texts_of(path):
    """The text of a file, or of all files below a folder."""
    full = os.path.join(ROOT, path)
    files = [full] if os.path.isfile(full) else glob.glob(os.path.join(full, "**", "*.*pp"), recursive=True)
    return "".join(read(os.path.relpath(p, ROOT)) for p in files)


def has_word(word, text):
    return re.search(r"\b%s\b" % re.escape(word), text) is not None


def check_architecture(text):
    diagrams = re.findall(r"(?ms)^```mermaid\n(.*?)^```", text)
    places = {
        "screw": "sweep/screw",
        "ccd": "sweep/ccd",
        "linear": "sweep/linear",
        "meshqueries": "mesh/queries",
        "mesharrangement": "mesh/arrangement",
        "kernels": "mesh/kernels",
    }
    below = {}
    for upper, lower in re.findall(r"(?m)^ *(\w+)(?:\[[^\]]*\])? --> (\w+)", diagrams[0]):
        below.setdefault(places.get(upper, upper), set()).add(places.get(lower, lower))

    def reached(layer):
        found, more = set(), {layer}
        while more:
            found |= more
            more = set().union(*(below.get(x, set()) for x in more)) - found
        return found

    for layer, allowed in LAYERS.items():
        if layer == "pairs/detail":  # one with src/pairs
            continue
        drawn = reached(layer) | ({"pairs/detail"} if "pairs" in reached(layer) else set())
        narrower = layer in ("io", "sim", "heritage", "c", "fcl")
        if allowed - drawn - {layer} or (not narrower and drawn - allowed - {layer}):
            yield "the diagram lets src/%s include %s, tools/check_layers.py %s" % (layer, sorted(drawn - {layer}), sorted(allowed - {layer}))

    sources = texts_of("src") + texts_of("include")
    for diagram in diagrams[1:]:
        for word in set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b|\b[A-Z][a-z]+[A-Z]\w*", diagram)):
            if not has_word(word, sources):
                yield "a diagram names %s, which is not in the sources" % word

    prose = re.sub(r"(?ms)^```.*?^```", "", text)
    for block in re.split(r"\n\n+|\n(?=\d+\. |- |\| )", prose):
        names = quoted_names(block)
        files = [p for p in re.findall(r"`((?:src|include|tools)/[\w./-]+)`", block) if os.path.exists(os.path.join(ROOT, p))]
        text_here = "".join(map(texts_of, files)) or sources
        for name in names:
            for word in re.findall(r"[A-Za-z_]\w*", name):
                if not has_word(word, text_here):
                    yield "names `%s`, which is not in %s" % (name, ", ".join(files) or "the sources")


def quoted_names(block):
    """Names of functions, types and members in backticks: `name`, `Type::name`, `name(types)`."""
    return [n for n in re.findall(r"`([^`]+)`", block) if re.fullmatch(r"[A-Za-z_][\w:]*(?:\([\w, ]*\))?", n) and n != "bool"]


wrong += ["docs/architecture.md: %s" % w for w in check_architecture(read("docs/architecture.md"))]

# ---- docs/glossary.md: in order, every name in backticks is in the sources, and `X` in `FILE` is in that file

glossary = read("docs/glossary.md")
terms = [line.split("|")[1].strip() for line in glossary.split("\n## ")[0].splitlines() if line.startswith("| ") and not line.startswith("| term |")]
for above, below in zip(terms, terms[1:]):
    if re.sub(r"\W", "", above).lower() > re.sub(r"\W", "", below).lower():
        wrong.append("docs/glossary.md: %s stands before %s" % (above, below))
everything = "".join(map(texts_of, ("src", "include", "apps", "tools", "bench")))
for name in quoted_names(glossary):
    for word in re.findall(r"[A-Za-z_]\w*", name):
        if not has_word(word, everything):
            wrong.append("docs/glossary.md: names `%s`, which is not in the sources" % name)
for names, place in re.findall(r"((?:`[^`\n]+` and )*`[^`\n]+`) in `((?:src|include|apps|tools|bench)/[\w./-]+)`", glossary):
    for word in re.findall(r"[A-Za-z_]\w*", " ".join(quoted_names(names))):
        if not has_word(word, texts_of(place)):
            wrong.append("docs/glossary.md: names `%s` in %s, which does not have it" % (word, place))

# ---- the table of docs/heritage.md: functions, tests, commands

heritage = read("docs/heritage.md")
rows = []
for line in heritage.splitlines():
    cells = [c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line)[1:-1]]
    if len(cells) == 5 and re.fullmatch(r"[KSUP]\d+", cells[0]):
        rows.append(cells)
    elif line.startswith("| ") and not line.startswith("| row |"):
        wrong.append("docs/heritage.md: not a row of five cells: %s" % line[:80])
want = ["%s%d" % (text, i) for text, count in (("K", 14), ("S", 9), ("U", 10), ("P", 10)) for i in range(1, count + 1)]
if list(dict.fromkeys(r[0] for r in rows)) != want:
    wrong.append("docs/heritage.md does not have the rows K1 to K14, S1 to S9, U1 to U10, P1 to P10 in this order")


def quoted(text):
    return re.findall(r"`([^`]+)`", text)


sources = "".join(read(os.path.relpath(p, ROOT)) for p in glob.glob(os.path.join(ROOT, "tests/**/*.cpp"), recursive=True))
suites = set(re.findall(r"TEST(?:_F|_P)?\((\w+),", sources))
named = set()
for name, _, functions, tests, _ in rows:
    for test in quoted(tests):
        if not test.startswith("tests/"):  # files were checked above
            named.add(test)
            if test not in suites:
                wrong.append("docs/heritage.md, %s: there is no test %s" % (name, test))
    if name != "P10" and "Heritage" + name not in quoted(tests):
        wrong.append("docs/heritage.md, %s: does not name the test Heritage%s" % (name, name))
    if not quoted(functions) and name != "P10":
        wrong.append("docs/heritage.md, %s: names no function" % name)
wrong += ["docs/heritage.md does not name the test %s" % t for t in sorted(suites - named) if re.fullmatch(r"Heritage[KSUP]\d+", t)]


def expression(function):
    """A C++ expression that is valid only when there is such a function, member or type; arguments by their types."""
    call = re.fullmatch(r"([\w:]+)\(([\w, ]+)\)", function)
    if call:
        return "%s(%s)" % (call.group(1), ", ".join("value<%s>()" % t.strip() for t in call.group(2).split(",")))
    if "::" in function:
        owner, member = function.split("::")
        static = {"from_center": "Vec3(), Vec3()", "from_corner": "Vec3(), Vec3()"}
        arguments = {
            "corner": "Corner()",
            "center": "",
            "step": "double()",
            "position": "BodyId()",
            "add_emitter": "Point(), std::size_t(), Emitter()",
            "shoot": "Ray()",
            "move": "Vec3()",
            "pairs": "",
            "raycast": "value<Ray>()",
            "triangle_boxes": "",
            "triangle_spheres": "",
        }
        if member in static:
            return "%s(%s)" % (function, static[member])
        return "value<%s>().%s%s" % (owner, member, "(%s)" % arguments[member] if member in arguments else "")
    return "sizeof(%s)" % function if function[0].isupper() else "&%s" % function


checks = []
for name, _, functions, _, _ in rows:
    for function in quoted(functions):
        checks.append("  (void)sizeof(%s);  // %s: %s" % (expression(function), name, function))
program = "#include <graze/graze.hpp>\n" + "".join(
    "#include <graze/heritage/%s>\n" % os.path.basename(h) for h in sorted(glob.glob(os.path.join(ROOT, "include/graze/heritage/*.hpp")))
)
program += "using namespace graze;\ntemplate <class T> T& value();\nvoid check() {\n" + "\n".join(checks) + "\n}\n"
compiler = shutil.which("g++") or shutil.which("c++")
if compiler:
    r = subprocess.run(
        [compiler, "-std=c++20", "-fsyntax-only", "-I" + os.path.join(ROOT, "include"), "-x", "c++", "-"], input=program, capture_output=True, text=True
    )
    if r.returncode:
        lines = program.splitlines()
        bad = sorted({int(n) for n in re.findall(r"<stdin>:(\d+):\d+: error", r.stderr)})
        wrong += ["docs/heritage.md: not so:%s" % lines[n - 1].split("//")[1] for n in bad] or [r.stderr[:500]]

# ---- commands: runs those of README's blocks and of the table as printed, in an empty folder with `run` and scenes/

without_display = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
help_of_query = subprocess.run([GRAZE, "query", "--help"], capture_output=True, text=True).stdout
commands = [(name + ": ", c) for name, _, _, _, see in rows for c in quoted(see) if "./run" in c]
for block in [text for label, text in re.findall(r"(?ms)^```(\w*)\n(.*?)^```", read("README.md")) if not label]:
    commands += [("README.md: ", line.split(" #")[0].strip()) for line in block.splitlines() if line.startswith("./") or "./run" in line]
for name, _, _, _, see in rows:
    if "`./run heritage %s`" % name not in see:
        wrong.append("docs/heritage.md, %s: does not name ./run heritage %s" % (name, name))
    for op in re.findall(r"op `([\w-]+)`", see):
        if '"op":"%s"' % op not in help_of_query:
            wrong.append("docs/heritage.md, %s: graze query has no op %s" % (name, op))

ran = 0
with tempfile.TemporaryDirectory() as folder:
    os.symlink(os.path.join(ROOT, "scenes"), os.path.join(folder, "scenes"))
    with open(os.path.join(folder, "run"), "w") as f:
        f.write('#!/bin/sh\nexec "%s" "$@"\n' % GRAZE)
    os.chmod(os.path.join(folder, "run"), 0o755)

    def shell(command):
        return subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=folder, env=without_display, stdin=subprocess.DEVNULL, timeout=120)

    for where, command in dict((c, (w, c)) for w, c in commands).values():
        if command in ("./run", "./run clash", "./test", "./run query"):  # tested by other steps; a query needs a line
            continue
        ran += 1
        view = re.match(r"\./run view(?: --demo (?P<demo>[\w-]+)(?: --preset (?P<preset>[\w-]+))?| (?P<scene>\w+))?$", command)
        if view:  # without a display the window reports that; render draws the same picture
            r = shell(command)
            if r.returncode != 4 or "display" not in r.stderr.lower() and "built without the viewer" not in r.stderr:
                wrong.append("%s%s: without a display: exit code %d, %s" % (where, command, r.returncode, r.stderr[:300]))
            if view.group("demo") or view.group("scene"):
                drawn = command.replace("./run view", "./run render") + " -o picture.png --size 64x64"
                r = shell(drawn)
                if r.returncode and not (r.returncode == 4 and "built without the viewer" in r.stderr):
                    wrong.append("%s%s: exit code %d, %s" % (where, drawn, r.returncode, r.stderr[:300]))
            continue
        r = shell(command)
        found = re.search(r"\./run (check|clash|sweep|cast) ", command)
        if r.returncode not in ((0, 1) if found else (0,)) and not (r.returncode == 4 and "built without the viewer" in r.stderr):
            wrong.append("%s%s: exit code %d, %s" % (where, command, r.returncode, r.stderr[:300]))
        elif not r.stdout and not r.stderr and " -o " not in command:
            wrong.append("%s%s prints nothing" % (where, command))

print("\n".join(wrong) or "%d documents, %d rows of the texts, %d functions, %d commands" % (len(documents), len(rows), len(checks), ran))
sys.exit(1 if wrong else 0)
