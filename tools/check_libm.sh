#!/usr/bin/env bash
# The library must call no function of libm but sqrt, since the last bits of the others differ between systems. Usage: check_libm.sh LIBRARY...
# Compares the undefined symbols of each library with the names that this system's libm exports.
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: check_libm.sh LIBRARY..." >&2; exit 2; }
libm=$(ldconfig -p 2>/dev/null | awk '$1 == "libm.so.6" && !seen++ {print $NF}')  # reads all input: with pipefail, an early exit would fail occasionally
[ -n "$libm" ] || libm=$(g++ -print-file-name=libm.so.6)
[ -e "$libm" ] || { echo "check_libm: libm.so.6 not found" >&2; exit 2; }
names=$(mktemp)
trap 'rm -f "$names"' EXIT
allowed='sqrtf?|fe(getround|setround|getenv|setenv|holdexcept|updateenv|clearexcept|raiseexcept|testexcept|getexceptflag|setexceptflag|getmode|setmode)'
nm -D --defined-only "$libm" | awk '$2 ~ /[TWi]/ {sub(/@.*/, "", $3); print $3}' | grep -vxE "$allowed" | sort -u > "$names"
[ "$(wc -l < "$names")" -gt 100 ] || { echo "check_libm: could not read the names in $libm" >&2; exit 2; }
bad=0
for library in "$@"; do
  flags=""
  case $library in *.so*) flags=-D ;; esac
  symbols=$(nm $flags --undefined-only -A "$library" | awk '{n = $NF; sub(/@.*/, "", n); print n, $1}' | sort -u)
  [ -n "$symbols" ] || { echo "check_libm: $library has no undefined symbols at all: not a library of ours?" >&2; exit 2; }
  if calls=$(join "$names" <(sort -k1,1 <<< "$symbols")) && [ -n "$calls" ]; then
    echo "$library calls libm:"
    awk '{print "  " $1 " in " $2}' <<< "$calls"
    bad=1
  fi
done
[ $bad = 0 ] && echo "$# libraries, no call of libm but sqrt"
exit $bad
