#!/usr/bin/env bash
# check.sh PROGRAM EXPECTED: checks that the program exits with 0 and prints exactly the text of the file EXPECTED.
set -u -o pipefail
"$1" | diff "$2" -
