#!/usr/bin/env python3
"""Checks that each function of include/ that returns a value is [[nodiscard]]. Usage: check_nodiscard.py [ROOT]

Operators and constructors are free of it. So are functions that are called for their effect, whose answer a caller may leave: CHANGES lists them, and a name that
no header declares any more is a breach too. Prints one line for each breach; exit code 1 when there is one."""
import glob
import os
import re
import sys

CHANGES = {
    "BroadPhase::insert",  # the id of what was added, here and below
    "Scene::add",
    "World::add_fixed",
    "World::add_moving",
    "World::add_emitter",
    "Mover::move",
    "Mover::settle",
    "intersecting_triangles",  # hands its pairs to PairOptions::visit
    "self_intersections",
}
BLANKED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|^[ \t]*#[^\n]*', re.S | re.M)
SCOPE = re.compile(r"(?:^|[\s>])(?:namespace|class|struct|union)\s+(?:alignas\([^)]*\)\s*)?([\w:]*)[^()]*$|^\s*namespace\s*$")
ACCESS = re.compile(r"^\s*(?:public|private|protected)\s*:(?!:)")


def declarations(text):
    """(line, scopes, declaration) of whatever ends with ; or a body, in namespaces and classes. Bodies, enumerators and initialisers are skipped."""
    text = BLANKED.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
    scopes, start, parens, at = [], 0, 0, 0
    while at < len(text):
        c = text[at]
        parens += (c == "(") - (c == ")")
        if parens == 0 and c == ":" and ACCESS.match(text[start : at + 1]) and text[at + 1 : at + 2] != ":":
            start = at + 1
        elif parens == 0 and c == ";":
            yield text.count("\n", 0, at) + 1, list(scopes), text[start:at]
            start = at + 1
        elif parens == 0 and c == "{":
            scope = SCOPE.search(text[start:at])
            if scope:
                scopes.append(scope.group(1) or "")
                start = at + 1
            else:
                line, depth = text.count("\n", 0, at) + 1, 1
                while depth:
                    at += 1
                    depth += (text[at] == "{") - (text[at] == "}")
                yield line, list(scopes), text[start:at]
                if not re.match(r"\s*[;,)]", text[at + 1 :]):  # an initialiser's declaration goes on
                    start = at + 1
        elif parens == 0 and c == "}":
            scopes = scopes[:-1]
            start = at + 1
        at += 1


def function_name(declaration, scopes):
    """The name of the function that the text declares and that returns a value, or None."""
    text = re.sub(r"\[\[\w+\]\]", " ", declaration).strip()
    while re.match(r"template\s*<", text):
        end, depth = text.index("<"), 0
        for end in range(end, len(text)):
            depth += (text[end] == "<") - (text[end] == ">")
            if depth == 0:
                break
        text = text[end + 1 :].strip()
    text = re.sub(r"^requires\s+[\w:]+\s*(<[^;{}()]*?>)?\s+(?=[\w:])", "", text)
    head = re.match(r"(?P<type>[\w:<>,*&\s]*?[\s*&>])(?P<name>\w+)\s*\(", text)
    if not head or re.search(r"\b(operator|using|typedef|friend|static_assert|return|concept|requires|explicit)\b", head.group(0)) or "=" in head.group(0):
        return None
    words = head.group("type").split()
    kept = [w for w in words if w not in ("inline", "static", "constexpr", "virtual", "extern", "const", "noexcept")]
    if not kept or kept == ["void"] or head.group("name") in scopes:
        return None
    return "::".join([s.removeprefix("graze::") for s in scopes if s not in ("", "graze")] + [head.group("name")])


def main():
    root = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    headers = sorted(glob.glob(os.path.join(root, "include", "**", "*.hpp"), recursive=True))
    breaches, functions, free = [], 0, set()
    for header in headers:
        rel = os.path.relpath(header, root)
        with open(header, encoding="utf-8") as f:
            text = f.read()
        for line, scopes, declaration in declarations(text):
            name = function_name(declaration, scopes)
            if name is None:
                continue
            functions += 1
            if name in CHANGES:
                free.add(name)
            elif "[[nodiscard]]" not in declaration:
                breaches.append("%s:%d: %s returns a value and is not [[nodiscard]]" % (rel, line, name))
    if len(sys.argv) == 1:
        breaches += ["tools/check_nodiscard.py: no header declares %s" % name for name in sorted(CHANGES - free)]
    print("\n".join(breaches + ["%d headers, %d functions, %d breaches" % (len(headers), functions, len(breaches))]))
    return 1 if breaches or not functions else 0


if __name__ == "__main__":
    sys.exit(main())
