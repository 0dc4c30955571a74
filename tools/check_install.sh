#!/usr/bin/env bash
# Installs graze into temporary folders, the first time by the lines of the README, and builds a user's project against each, by CMake and by pkg-config; all
# must print the same bytes. Needs build/release (./test builds it). Usage: check_install.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
say() { echo "== $SECONDS s: $*"; }
expect_text() {  # expect_text LOG TEXT: requires the text in the log, whatever the line breaks
  tr -s ' \n' ' ' < "$1" | grep -qF "$2" || { echo "not said: $2"; cat "$1"; exit 1; }
}
project=$root/tests/install/project
launcher=$(command -v ccache || true)

by_cmake() {  # by_cmake NAME PREFIX OPTION...
  cmake -G Ninja -S "$project" -B "$folder/$1" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$2" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" "${@:3}"
  ninja -C "$folder/$1"
}
by_pkg_config() {  # by_pkg_config NAME PREFIX PACKAGE SOURCE
  PKG_CONFIG_PATH=$(dirname "$(find "$2" -name graze.pc)") flags=""
  export PKG_CONFIG_PATH
  flags=$(pkg-config --cflags --libs "$3")
  say "g++ $flags"
  g++ -std=c++20 -O2 "$4" -o "$folder/$1" $flags
}

say "the lines of the README in a copy of the tree; what they install is then moved to another place"
mkdir "$folder/tree" "$folder/home"
(cd "$root" && git ls-files -z --cached --others --exclude-standard | tar -c --null -T -) | tar -x -C "$folder/tree"
# unoptimised: faster to build, and the bytes must be the same
unoptimised="-DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O0"
lines=$(python3 "$root/tools/readme_code.py" "$root/README.md" sh | sed "s/-DGRAZE_TESTS=OFF/& $unoptimised/")
[[ $lines == *"$unoptimised"* ]] || { echo "the lines of the README have no -DGRAZE_TESTS=OFF"; exit 1; }
[ -z "$launcher" ] || export CCACHE_DIR="${CCACHE_DIR:-$(ccache -k cache_dir)}"
(cd "$folder/tree" && HOME="$folder/home" bash -euxc "$lines")
mv "$folder/home/graze" "$folder/moved"
by_cmake with-io "$folder/moved" -DWITH_IO=ON
by_pkg_config pc-core "$folder/moved" graze "$root/tests/install/consumer.cpp"
by_pkg_config pc-reader "$folder/moved" graze-io "$project/reader.cpp"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > "$folder/one.obj"
for reader in "$folder/with-io/reader" "$folder/pc-reader"; do
  [ "$("$reader" "$folder/one.obj")" = 1 ] || { echo "$reader did not read one triangle"; exit 1; }
done
version=$("$folder/moved/bin/graze" --version)
packaged=$(PKG_CONFIG_PATH=$(dirname "$(find "$folder/moved" -name graze.pc)") pkg-config --modversion graze)
[ "$packaged" = "${version##* }" ] || { echo "the tool says '$version', graze.pc $packaged"; exit 1; }

say "linked with --gc-sections, a program holds only what it calls"
printf '%s\n' '#include <graze/query.hpp>' 'int main(int n, char**) {' \
  '  return graze::intersects(graze::Sphere{{0, 0, 1.0 * n}, 1}, graze::Polygon{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}});' '}' > "$folder/one_call.cpp"
for option in -Wl,--no-gc-sections -Wl,--gc-sections; do
  g++ -std=c++20 -O2 -s -I "$root/include" "$folder/one_call.cpp" "$root/build/release/libgraze.a" -lhwy -ltbb $option -o "$folder/one_call$option"
done
whole=$(stat -c %s "$folder/one_call-Wl,--no-gc-sections") called=$(stat -c %s "$folder/one_call-Wl,--gc-sections")
[ $((2 * called)) -lt "$whole" ] || { echo "one call takes $called bytes of $whole"; exit 1; }

say "manual page, completions, documents and examples"
for file in share/man/man1/graze.1 share/bash-completion/completions/graze share/zsh/site-functions/_graze \
            share/fish/vendor_completions.d/graze.fish share/doc/graze/README.md share/doc/graze/docs/accuracy.md \
            share/doc/graze/docs/picture.svg share/doc/graze/examples/objects.cpp share/doc/graze/examples/python/robot.py \
            share/doc/graze/examples/python/arm/arm.urdf share/doc/graze/scenes/rock.obj share/doc/graze/LICENSE; do
  [ -s "$folder/moved/$file" ] || { echo "$file was not installed"; exit 1; }
done
python3 - "$folder/moved/share/doc/graze" << 'END'
import glob, os, re, sys
dead = []
for page in glob.glob(os.path.join(sys.argv[1], "**", "*.md"), recursive=True):
    for target in re.findall(r"\]\(([^)#]*)(?:#[^)]*)?\)", open(page, encoding="utf-8").read()):
        if target and "://" not in target and not os.path.exists(os.path.join(os.path.dirname(page), target)):
            dead.append("%s: link to %s, which is not installed" % (os.path.relpath(page, sys.argv[1]), target))
sys.exit("\n".join(dead) or 0)
END
if strings -a "$folder"/moved/bin/* "$folder"/moved/libexec/graze/* "$folder"/moved/lib/*.so | grep -F "$folder/tree"; then
  echo "an installed program or library names the folder it was built in"; exit 1
fi
(cd "$folder" && "$folder/moved/bin/graze" simulate --list > "$folder/scenes.log") || { cat "$folder/scenes.log"; exit 1; }
expect_text "$folder/scenes.log" stones
[ "$("$folder/moved/bin/graze" man)" = "$(cat "$folder/moved/share/man/man1/graze.1")" ] || { echo "the manual page is not the tool's own"; exit 1; }
if command -v man > /dev/null; then
  warnings=$(MANWIDTH=100 man --warnings -l "$folder/moved/share/man/man1/graze.1" 2>&1 > /dev/null)
  [ -z "$warnings" ] || { echo "the manual page: $warnings"; exit 1; }
fi
cmake -G Ninja -S "$folder/moved/share/doc/graze/examples" -B "$folder/examples" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$folder/moved" \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher"
ninja -C "$folder/examples"

say "from a folder that is built in part nothing is installed"
cmake -G Ninja -S "$root" -B "$folder/partly" -DGRAZE_TESTS=OFF > /dev/null
if cmake --install "$folder/partly" --prefix "$folder/partly-installed" > "$folder/partly.log" 2>&1; then echo "an empty build was installed"; exit 1; fi
expect_text "$folder/partly.log" "is not built yet; first: cmake --build"
[ ! -e "$folder/partly-installed" ] || { echo "half of an empty build was installed"; exit 1; }

say "the programs of MPI without its headers, and a version of the compiler wrapper that does not work"
mkdir "$folder/no-headers"
printf '%s\n' '#!/bin/sh' 'case "$*" in *-show*) echo "g++ -I/nowhere/include -L/nowhere/lib -lmpi";; *) echo "mpi.h: no such file" >&2; exit 1;; esac' \
  > "$folder/no-headers/mpicxx"
chmod +x "$folder/no-headers/mpicxx"
cmake -G Ninja -S "$root" -B "$folder/no-mpi" -DGRAZE_TESTS=OFF -DGRAZE_MPI_WRAPPER="$folder/no-headers/mpicxx" > "$folder/no-mpi.log" 2>&1 ||
  { cat "$folder/no-mpi.log"; exit 1; }
expect_text "$folder/no-mpi.log" "without graze-clash-mpi; $folder/no-headers/mpicxx does not find mpi.h"

say "a component that does not exist"
mkdir "$folder/wrong"
printf 'cmake_minimum_required(VERSION 3.20)\nproject(wrong LANGUAGES CXX)\nfind_package(graze REQUIRED COMPONENTS wrong)\n' > "$folder/wrong/CMakeLists.txt"
if cmake -G Ninja -S "$folder/wrong" -B "$folder/wrong/build" -DCMAKE_PREFIX_PATH="$folder/moved" > "$folder/wrong.log" 2>&1; then
  echo "a component that does not exist was found"; exit 1
fi
expect_text "$folder/wrong.log" 'graze has no component "wrong"; there are io'

say "a program in C, by CMake and by pkg-config"
mkdir "$folder/c"
cp "$root/examples/c/first.c" "$folder/c"
printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' 'project(first LANGUAGES C)' 'find_package(graze REQUIRED COMPONENTS c)' \
  'add_executable(first first.c)' 'target_link_libraries(first PRIVATE graze::c)' > "$folder/c/CMakeLists.txt"
cmake -G Ninja -S "$folder/c" -B "$folder/c/build" -DCMAKE_PREFIX_PATH="$folder/moved"
ninja -C "$folder/c/build"
"$folder/c/build/first" | diff "$root/examples/expected/c_first.txt" -
(
  PKG_CONFIG_PATH=$(dirname "$(find "$folder/moved" -name graze-c.pc)")
  export PKG_CONFIG_PATH
  flags=$(pkg-config --cflags --libs graze-c)
  say "cc $flags"
  cc -std=c99 -pedantic -Wall -Wextra -Werror "$folder/c/first.c" -o "$folder/c/by-pkg-config" $flags
  LD_LIBRARY_PATH=$(dirname "$(find "$folder/moved" -name 'libgraze_c.so')") "$folder/c/by-pkg-config" | diff "$root/examples/expected/c_first.txt" -
)

say "the core alone, shared, without TBB, assimp and tools: as a subfolder of the user's build, and installed from there"
if cmake -G Ninja -S "$root" -B "$folder/conflict" -DGRAZE_IO=OFF -DGRAZE_TOOLS=ON > "$folder/conflict.log" 2>&1; then
  echo "tools without readers were not refused"; exit 1
fi
expect_text "$folder/conflict.log" "GRAZE_TOOLS=ON needs GRAZE_IO=ON and GRAZE_CLASH=ON"
cmake -G Ninja -S "$root" -B "$folder/core" -DGRAZE_IO=OFF -DGRAZE_TBB=OFF -DGRAZE_TESTS=OFF  # on its own: only configured
by_cmake subfolder "$folder/none" -DGRAZE_SOURCE="$root" -DBUILD_SHARED_LIBS=ON -DGRAZE_TBB=OFF -DGRAZE_INSTALL=ON -DCMAKE_UNITY_BUILD=ON $unoptimised
cmake --install "$folder/subfolder" --prefix "$folder/core-installed"
by_cmake with-core "$folder/core-installed"
library=$(find "$folder/core-installed" -name 'libgraze.so')
if ldd "$library" | grep -E 'tbb|assimp'; then echo "the core alone needs TBB or assimp"; exit 1; fi
if [ -e "$folder/core-installed/include/graze/io.hpp" ]; then echo "io.hpp was installed without the readers"; exit 1; fi
if cmake -G Ninja -S "$project" -B "$folder/refused" -DCMAKE_PREFIX_PATH="$folder/core-installed" -DWITH_IO=ON > "$folder/refused.log" 2>&1; then
  echo "component io was found where it is not installed"; exit 1
fi
expect_text "$folder/refused.log" "the component io (graze::io, the readers) is not installed"
by_pkg_config pc-shared "$folder/core-installed" graze "$root/tests/install/consumer.cpp"

say "the same bytes"
export LD_LIBRARY_PATH
LD_LIBRARY_PATH=$(dirname "$library")
bash "$root/tests/install/same_bytes.sh" "$root/build/release/tests/install/consumer" "$folder/with-io/consumer" "$folder/pc-core" \
  "$folder/with-core/consumer" "$folder/pc-shared" "$folder/subfolder/consumer"
