#!/usr/bin/env bash
# Installs the Debian packages that are missing: tools/setup.sh [build|view|test|viewtest|neon|python|fcl|mpi|dask|bench|step|ifc]... (default build).
# Writes to stderr only. Fast when there is nothing to do: returns at once if its stamp is newer than dpkg's records.
set -u
build="g++ cmake ninja-build git python3 libglm-dev libhwy-dev libtbb-dev libboost-dev libcli11-dev libfmt-dev libassimp-dev libexpat1-dev libminizip-dev \
libssl-dev"
view="pkg-config libimgui-dev libglfw3-dev libepoxy-dev libegl-dev libegl1 libgl1 libgl1-mesa-dri libegl-mesa0
  libpng-dev libwebp-dev libjs-three fonts-dejavu-core"
viewtest="xvfb xdotool chromium"
test="ccache nlohmann-json3-dev libgtest-dev librapidcheck-dev libcgal-dev libgmp-dev libmpfr-dev black clang clang-format-14
  clang-tidy llvm libclang-rt-14-dev pkg-config"
neon="g++-aarch64-linux-gnu"
python="python3-numpy python3-cffi python3-setuptools python3-wheel python3-build python3-pytest python3-mypy python3-venv"
fcl="libfcl-dev"
mpi="libopenmpi-dev openmpi-bin"
dask="python3-distributed"
bench="libbenchmark-dev libfcl-dev libccd-dev libembree-dev libbullet-dev libode-dev libeigen3-dev libcgal-dev libgmp-dev libmpfr-dev"
step="libocct-data-exchange-dev"
ifc=""
command -v node >/dev/null || ifc+=" nodejs"
command -v npm >/dev/null || ifc+=" npm"
web_ifc=0
wanted=$build
for group in "$@"; do
  case $group in
    build) ;;
    view) wanted+=" $view" ;;
    viewtest) wanted+=" $viewtest" ;;
    test) wanted+=" $test" ;;
    neon) wanted+=" $neon" ;;
    python) wanted+=" $python" ;;
    fcl) wanted+=" $fcl" ;;
    mpi) wanted+=" $mpi" ;;
    dask) wanted+=" $dask" ;;
    bench) wanted+=" $bench" ;;
    step) wanted+=" $step" ;;
    ifc) wanted+=" $ifc"; web_ifc=1 ;;
    *) echo "setup: unknown group '$group'; known: build view test viewtest neon python fcl mpi dask bench step ifc" >&2; exit 2 ;;
  esac
done

root=${BASH_SOURCE[0]%/*}/..

# Installs the packages of apps/import_ifc with npm into build/ifc, where graze-import-ifc.mjs looks for them, unless they are there.
install_web_ifc() {
  [ "$web_ifc" = 1 ] || return 0
  local wanted_packages=$root/apps/import_ifc/package.json into=$root/build/ifc
  if cmp -s "$wanted_packages" "$into/package.json" && [ -f "$into/node_modules/web-ifc/package.json" ]; then return 0; fi
  echo "setup: installing web-ifc with npm into build/ifc" >&2
  mkdir -p "$into"
  cp "$wanted_packages" "$into/package.json"
  if ! npm install --prefix "$into" --no-package-lock --no-audit --no-fund --ignore-scripts >&2 </dev/null; then
    rm -f "$into/package.json"
    echo "setup: npm could not install web-ifc; its messages stand above" >&2
    exit 4
  fi
}

stamp=$root/build/.setup
records=/var/lib/dpkg/status
if [ -f "$stamp" ] && [ "$stamp" -nt "$records" ]; then
  while IFS= read -r line; do [[ "$line " = "$wanted "* ]] && { install_web_ifc; exit 0; }; done < "$stamp"
fi

if ! command -v dpkg-query >/dev/null; then
  echo "setup: this is not Debian, so packages are not installed by this script. Needed (Debian's names): $wanted" >&2
  exit 0  # the build reports what is missing
fi
missing=""
for package in $wanted; do
  case $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) in
    installed) ;;
    *) missing+=" $package" ;;
  esac
done

if [ -n "$missing" ]; then
  echo "setup: installing$missing" >&2
  become=""
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
      printf 'setup: these packages are missing and neither root nor sudo without a password is available:%s\n' "$missing" >&2
      printf 'Run as root:  apt-get update && apt-get install%s\n' "$missing" >&2
      exit 4
    fi
    become="sudo -n"
  fi
  apt="$become env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3"
  $apt update >&2 </dev/null || echo "setup: apt-get update failed; going on with the package lists that are there" >&2
  if ! $apt install --no-install-recommends $missing >&2 </dev/null; then
    printf 'setup: apt-get could not install:%s\n' "$missing" >&2
    printf 'Its messages stand above. Without a network, install these packages by other means and run this again.\n' >&2
    exit 4
  fi
fi
mkdir -p "$root/build"
if [ -f "$stamp" ] && [ "$stamp" -nt "$records" ]; then echo "$wanted" >> "$stamp"; else echo "$wanted" > "$stamp"; fi
install_web_ifc
