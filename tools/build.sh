# To be sourced (requires $root): builds the tool and the Python package, and checks whether the tool is up to date for `./run`.
# Every build of build/release goes through with_build_lock, so that concurrent calls wait for each other.

graze_binary=$root/build/release/graze
graze_stamp=$root/build/release/.up-to-date

# Debian's record of installed packages: what is newer than a configuration may have brought a reader, MPI or the viewer.
installed_packages=/var/lib/dpkg/status

# No source of the tool changed after the last good build (by change time, so that copies with old dates count, too), and no package was installed.
is_up_to_date() {
  [ -x "$graze_binary" ] && [ -f "$graze_stamp" ] && [ "$(<"$graze_stamp")" = "$root" ] && ! [ "$installed_packages" -nt "$graze_stamp" ] &&
    [ -z "$(cd "$root" && find include src apps cmake CMakeLists.txt CMakePresets.json -newercm "$graze_stamp" -print -quit 2>&1)" ]
}

with_build_lock() {
  mkdir -p "$root/build"
  exec 9>"$root/build/.lock"
  flock 9
  "$@"
  local code=$?
  exec 9>&-
  return $code
}

# configure PRESET [OPTION...]: recreates a build folder that was made for another location (a moved or copied tree).
configure() {
  local preset=$1 cache=$root/build/$1/CMakeCache.txt
  shift
  if [ -f "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
    rm -rf "${root:?}/build/$preset"
  fi
  (cd "$root" && cmake --preset "$preset" "$@")
}

# configure_tool: makes the build folder of the tool, unless it is there; configures it again, with its own options, when packages were installed since.
configure_tool() {
  local folder=$root/build/release
  if [ ! -f "$folder/build.ninja" ] || ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    configure release -DGRAZE_TESTS=OFF || return
  elif [ "$installed_packages" -nt "$folder/build.ninja" ]; then
    cmake "$folder" && touch "$folder/build.ninja" || return
  fi
}

# build_without_viewer: the tool without the viewer, for the first report.
build_without_viewer() {
  configure_tool && ninja -C "$root/build/release" graze_cli_without_viewer
}

# build_tool: configures if needed, builds the tool and notes that it is up to date.
build_tool() {
  is_up_to_date && return 0
  local folder=$root/build/release
  configure_tool || return
  local started=$folder/.started
  echo "$root" > "$started" && touch -d '1 second ago' "$started"
  ninja -C "$folder" graze_cli || return
  mv "$started" "$graze_stamp"
}

# build_python: the Python package in build/python, for PYTHONPATH, when a source of it or of the library changed.
build_python() {
  local stamp=$root/build/python/.up-to-date
  local sources="include src cmake CMakeLists.txt python/native.py python/graze"
  if [ -f "$stamp" ] && [ "$(<"$stamp")" = "$root" ] &&
    [ -z "$(cd "$root" && find $sources -newercm "$stamp" -not -path '*__pycache__*' -print -quit 2>&1)" ]; then
    return 0
  fi
  mkdir -p "$root/build/python"
  local started=$root/build/python/.started
  echo "$root" > "$started" && touch -d '1 second ago' "$started"
  /usr/bin/python3 "$root/python/native.py" stage "$root/build/python" || return
  mv "$started" "$stamp"
}
