#!/usr/bin/env bash
# Checks that all given programs print the same bytes, and not just a few. Usage: same_bytes.sh PROGRAM PROGRAM...
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
first=$folder/first
"$1" > "$first"
lines=$(wc -l < "$first")
[ "$lines" -gt 500 ] || { echo "$1 printed only $lines lines"; exit 1; }
for program in "${@:2}"; do
  "$program" > "$folder/other"
  if ! cmp -s "$first" "$folder/other"; then
    echo "$1 and $program print different bytes; the first lines that differ:"
    diff "$first" "$folder/other" | head -6 | cut -c1-400 || true
    exit 1
  fi
done
echo "$# programs, $lines lines each, the same bytes"
