#!/usr/bin/env bash
# Installs graze into temporary places and builds a user's project against each, by CMake and by pkg-config; all must print the same bytes.
# Needs build/release (./test builds it). Usage: check_install.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
jobs=$(nproc)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
say() { echo "== $*"; }
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

say "everything, installed and then moved to another place"
cmake --install "$root/build/release" --prefix "$folder/first"
mv "$folder/first" "$folder/moved"
by_cmake with-io "$folder/moved" -DWITH_IO=ON
by_pkg_config pc-core "$folder/moved" graze "$root/tests/install/consumer.cpp"
by_pkg_config pc-reader "$folder/moved" graze-io "$project/reader.cpp"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > "$folder/one.obj"
for reader in "$folder/with-io/reader" "$folder/pc-reader"; do
  [ "$("$reader" "$folder/one.obj")" = 1 ] || { echo "$reader did not read one triangle"; exit 1; }
done
version=$("$folder/moved/bin/graze" --version)
[ "$(PKG_CONFIG_PATH=$(dirname "$(find "$folder/moved" -name graze.pc)") pkg-config --modversion graze)" = "${version##* }" ] || { echo "the tool says '$version', graze.pc another version"; exit 1; }

say "the core alone, shared, without TBB, assimp and tools"
cmake -G Ninja -S "$root" -B "$folder/core" -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O0 -DBUILD_SHARED_LIBS=ON -DGRAZE_IO=OFF -DGRAZE_TOOLS=OFF -DGRAZE_TBB=OFF -DGRAZE_TESTS=OFF
ninja -j"$jobs" -C "$folder/core"
cmake --install "$folder/core" --prefix "$folder/core-installed"
by_cmake with-core "$folder/core-installed"
library=$(find "$folder/core-installed" -name 'libgraze.so')
if ldd "$library" | grep -E 'tbb|assimp'; then echo "the core alone needs TBB or assimp"; exit 1; fi
if [ -e "$folder/core-installed/include/graze/io.hpp" ]; then echo "io.hpp was installed without the readers"; exit 1; fi
if cmake -G Ninja -S "$project" -B "$folder/refused" -DCMAKE_PREFIX_PATH="$folder/core-installed" -DWITH_IO=ON > "$folder/refused.log" 2>&1; then
  echo "component io was found where it is not installed"; exit 1
fi
by_pkg_config pc-shared "$folder/core-installed" graze "$root/tests/install/consumer.cpp"

say "as a subfolder of the user's build"
by_cmake subfolder "$folder/none" -DGRAZE_SOURCE="$root" -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O0  # unoptimised: quicker, and the bytes must be the same

say "the same bytes"
LD_LIBRARY_PATH=$(dirname "$library") bash "$root/tests/install/same_bytes.sh" "$root/build/release/tests/install/consumer" "$folder/with-io/consumer" "$folder/pc-core" \
  "$folder/with-core/consumer" "$folder/pc-shared" "$folder/subfolder/consumer"
