#!/usr/bin/env python3
"""Checks that each source file includes the standard headers of the names that it uses. Usage: check_includes.py [--fix] [ROOT]

A file must include <vector> itself if it names std::vector, and so on for the names in NAMES. A .cpp may rely on the header of its own name. Names that
nearly every header provides (std::size_t, std::move) are not checked. --fix inserts the missing lines; clang-format sorts them. Prints one line per
violation; exit code 1 when there is one."""
import os
import re
import subprocess
import sys

TOPS = ("include", "src", "apps", "bench", "examples")
# Header: names in std, or a regular expression for the text after "std::".
NAMES = {
    "algorithm": "all_of|any_of|binary_search|clamp|copy|copy_n|count|count_if|equal|equal_range|fill|fill_n|find|find_if|for_each|is_sorted|lower_bound|max|"
    "max_element|min|min_element|minmax|none_of|nth_element|partition|pop_heap|push_heap|remove|remove_if|reverse|rotate|set_difference|set_union|sort|"
    "stable_sort|transform|unique|upper_bound",
    "array": "array",
    "atomic": "atomic|memory_order_\\w+",
    "bit": "bit_cast|bit_ceil|bit_floor|bit_width|countl_zero|countr_zero|endian|has_single_bit|popcount",
    "charconv": "from_chars|to_chars",
    "chrono": "chrono",
    "cmath": "ceil|fabs|floor|fma|isfinite|isnan|sqrt",
    "condition_variable": "condition_variable",
    "cstdint": "u?int(8|16|32|64)_t|uintptr_t",
    "cstdio": "FILE|fclose|fflush|fopen|fprintf|fputs|fread|fwrite|printf|snprintf",
    "cstdlib": "abort|exit|getenv|strtod|strtol",
    "cstring": "memchr|memcmp|memcpy|memmove|memset|strcmp|strerror|strlen",
    "deque": "deque",
    "exception": "exception|exception_ptr|current_exception|rethrow_exception",
    "filesystem": "filesystem",
    "fstream": "fstream|ifstream|ofstream",
    "functional": "function|greater|hash|less|reference_wrapper",
    "initializer_list": "initializer_list",
    "limits": "numeric_limits",
    "map": "map|multimap",
    "memory": "make_shared|make_unique|shared_ptr|unique_ptr|weak_ptr",
    "mutex": "lock_guard|mutex|once_flag|call_once|unique_lock|scoped_lock",
    "numeric": "accumulate|iota",
    "optional": "nullopt|optional",
    "set": "multiset|set",
    "span": "span",
    "sstream": "istringstream|ostringstream|stringstream",
    "stdexcept": "invalid_argument|logic_error|out_of_range|runtime_error",
    "string": "string|to_string",
    "string_view": "string_view",
    "thread": "thread",
    "tuple": "tie|tuple|make_tuple",
    "type_traits": "\\w+_v|is_same|conditional_t|decay_t|remove_\\w+_t|make_unsigned_t",
    "unordered_map": "unordered_map",
    "utility": "as_const|exchange|forward|index_sequence|make_index_sequence|pair|swap",
    "variant": "get_if|holds_alternative|monostate|variant|visit",
    "vector": "vector",
}
PATTERNS = {header: re.compile(r"\bstd::(?:%s)\b" % names) for header, names in NAMES.items()}
ALSO = {"string_view": {"string"}, "mutex": {"condition_variable"}, "exception": {"stdexcept"}, "type_traits": {"concepts", "variant", "tuple"}}


def standard_includes(text):
    return set(re.findall(r"^\s*#\s*include\s*<([a-z_]+)>", text, re.M))


def own_header(root, rel, text):
    """The text of the header that a .cpp implements, or ""."""
    stem = os.path.basename(rel)[:-4]
    for mark, inc in re.findall(r'^\s*#\s*include\s*([<"])([^">]+)[">]', text, re.M):
        if os.path.basename(inc) != stem + ".hpp":
            continue
        for folder in ("include", "src", "apps", "."):
            path = os.path.join(root, folder, inc)
            if os.path.exists(path):
                with open(path, encoding="utf-8") as f:
                    return f.read()
    return ""


def missing(root, rel, text):
    code = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', "", text, flags=re.S)
    have = standard_includes(text)
    if rel.endswith(".cpp"):
        have |= standard_includes(own_header(root, rel, text))
    for header, pattern in sorted(PATTERNS.items()):
        found = pattern.search(code)
        if found and header not in have and not ALSO.get(header, set()) & have:
            yield header, found.group(0)


def insert(text, headers):
    """Inserts include lines before the first standard include, or before the first include."""
    lines = text.split("\n")
    at = [i for i, l in enumerate(lines) if re.match(r"#include <[a-z_]+>", l)] or [i for i, l in enumerate(lines) if l.startswith("#include <")]
    new = ["#include <%s>" % h for h in headers]
    if at:
        lines[at[0] : at[0]] = new
    else:
        first = [i for i, l in enumerate(lines) if l.startswith(("#include", "#pragma once"))][0]
        after = first + 1
        lines[after:after] = ([] if lines[first].startswith("#pragma") else [""]) + new + ([""] if lines[after].strip() else [])
    return "\n".join(lines)


def main():
    arguments = [a for a in sys.argv[1:] if a != "--fix"]
    root = os.path.abspath(arguments[0] if arguments else os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    files = sorted(
        os.path.relpath(os.path.join(d, f), root)
        for top in TOPS
        for d, _, names in os.walk(os.path.join(root, top))
        for f in names
        if f.endswith((".cpp", ".hpp"))
    )
    if not files:
        print("check_includes: no source files under %s" % root)
        return 1
    breaches = 0
    for rel in files:
        with open(os.path.join(root, rel), encoding="utf-8") as f:
            text = f.read()
        found = list(missing(root, rel, text))
        breaches += len(found)
        for header, name in found:
            print("%s: uses %s without <%s>" % (rel, name, header))
        if found and "--fix" in sys.argv:
            with open(os.path.join(root, rel), "w", encoding="utf-8") as f:
                f.write(insert(text, [h for h, _ in found]))
            subprocess.run(["clang-format", "-i", os.path.join(root, rel)], check=True)
    print("%d files, %d breaches" % (len(files), breaches))
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
