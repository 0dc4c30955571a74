#!/usr/bin/env bash
# check.sh PROGRAM EXPECTED: the program ends with 0 and prints exactly the expected text.
set -u -o pipefail
"$1" | diff "$2" -
