#!/usr/bin/env bash
# ./run as other programs use it: from any folder, with piped input, exit codes returned, fast, several at the same time, nothing extra on stdout.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() { echo "run_test: $*"; exit 1; }
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > "one model.obj"
question='{"id":1,"op":"intersect","a":{"type":"mesh","path":"one model.obj"},"b":{"type":"point","point":[0.25,0.25,0]}}'
answer='{"id":1,"hit":true}'

"$root/run" --version > /dev/null  # from here on everything is up to date
[ "$(echo "$question" | "$root/run" query 2>stderr)" = "$answer" ] || fail "a piped question from another folder: $(echo "$question" | "$root/run" query 2>&1)"
[ ! -s stderr ] || fail "speaks on stderr though nothing was built: $(cat stderr)"
ln -s "$root/run" link
[ "$(echo "$question" | ./link query)" = "$answer" ] || fail "through a symbolic link"

expect() {  # expect CODE ARGS...
  local code=0
  "$root/run" "${@:2}" > stdout 2> stderr < /dev/null || code=$?
  [ "$code" = "$1" ] || fail "'${*:2}' ends with $code, not $1: $(cat stderr)"
}
expect 1 check "one model.obj" "one model.obj"
expect 0 check "one model.obj" "one model.obj" --pose-b 0,0,1
expect 0 info "one model.obj"
expect 2 check "one model.obj"
expect 2 no-such-command
expect 3 info "no such model.obj"
grep -q 'no such model.obj' stderr || fail "the message does not name the file: $(cat stderr)"
printf 'v 0 0 0\nv 1 0 nan\nf 1 2 9\n' > bad.obj
expect 3 info bad.obj
grep -q 'bad.obj' stderr || fail "the message does not name the file: $(cat stderr)"
[ ! -s stdout ] || fail "an error spoke on stdout"

for i in 1 2 3 4; do (echo "$question" | "$root/run" query > "answer$i") & done
wait
for i in 1 2 3 4; do [ "$(cat "answer$i")" = "$answer" ] || fail "one of four at the same time"; done

best=999999999999
for _ in 1 2 3 4 5; do
  start=$(date +%s%N)
  "$root/run" --version > /dev/null
  took=$(($(date +%s%N) - start))
  [ $took -lt $best ] && best=$took
done
[ $best -lt 200000000 ] || fail "takes $((best / 1000000)) ms when nothing is out of date, at most 200"
echo "all well; $((best / 1000000)) ms when nothing is out of date"
