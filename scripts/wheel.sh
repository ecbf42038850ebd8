#!/usr/bin/env bash
# Makes the wheel that needs no compiler, one for Python 3.9 to 3.13, where
# scripts/setup.sh has run:
#
#   scripts/wheel.sh [FOLDER]      into build/wheels unless a folder is named
#
# The bundle (plugin/bundle) is what it contains, and compiles the extension module for each Python:
# the module reads Python's objects directly, which the stable ABI does not allow.
# docs/internals/releasing.md has the rest.
set -euo pipefail
folder=$(realpath -m "${1:-$(dirname "$0")/../build/wheels}")
cd "$(dirname "$0")/.."
build=$PWD/build
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
platform=manylinux_$(cached TESSERA_OLDEST_GLIBC | tr . _)_x86_64
cuda=$(cached TESSERA_CUDA_PATH)

# Headers of the Pythons that Debian 12 does not have. Packages of these releases do not change, but
# for 3.13's: its row is another one after an update of Debian 13.
# shellcheck disable=SC2016
debian=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)/pool/main/p
ubuntu=http://archive.ubuntu.com/ubuntu/pool/main/p
headers=(
  "3.9 $debian/python3.9/libpython3.9-dev_3.9.2-1_amd64.deb
   3a2172f6d926cf2e98a1a2e24f5aecdc3bcd56fa7c6d9f7a3fc4892f67377d5f"
  "3.10 $ubuntu/python3.10/libpython3.10-dev_3.10.4-3_amd64.deb
   89246f12cdfb1fac7675bc94d5cc8b9c72320f152e855197668305c73c8588ec"
  "3.12 $ubuntu/python3.12/libpython3.12-dev_3.12.3-1_amd64.deb
   f5924a06298ae0689128498276d3a555e02615a4ecfa8f4417d679a097586f35"
  "3.13 $debian/python3.13/libpython3.13-dev_3.13.5-2+deb13u5_amd64.deb
   4bd7b17ffbeb367ce1fef8b6ff02536a25f29fc07372d1bdd3ed1e1faa5b9409"
)

# Prints the folder of one row's headers, which is filled once.
fetch_headers() { # VERSION ADDRESS SHA256
  local place=$build/bundle-python/$1 package=$build/bundle-python/$1.deb
  if [ ! -e "$place" ]; then
    mkdir -p "$build/bundle-python"
    python3 -c 'import sys, urllib.request as web; web.urlretrieve(*sys.argv[1:])' "$2" "$package"
    echo "$3  $package" | sha256sum --check --quiet >&2
    dpkg-deb -x "$package" "$place.part"
    touch "$place.part/usr/include/crypt.h" # Python.h includes it, and another package has it
    mv "$place.part" "$place"
  fi
  echo "$place/usr/include"
}

nanobind=$build/bundle-python/nanobind # the last versions that take Python 3.9
module() { # VERSION HEADERS
  "$build/bundle/bin/clang++" -std=c++20 -O3 -DNDEBUG -DNB_COMPACT_ASSERTIONS -fPIC -shared \
    -fvisibility=hidden -fno-strict-aliasing -s -I runtime/include \
    -isystem "$2/python$1" -isystem "$nanobind/include" -isystem "$nanobind/ext/robin_map/include" \
    -isystem "$cuda/include" -idirafter "$2" -L "$build/bundle-c" \
    "$nanobind/src/nb_combined.cpp" python/src/*.cpp \
    -o "$build/bundle/_tessera.cpython-${1/./}-x86_64-linux-gnu.so"
}

ninja -C "$build" bundle
[ -e "$nanobind" ] || "$build/python/bin/pip" install -q --disable-pip-version-check --no-deps \
  --target "$build/bundle-python" 'nanobind==2.*'
module 3.11 /usr/include
for row in "${headers[@]}"; do
  read -r version address digest <<<"${row//$'\n'/ }"
  place=$(fetch_headers "$version" "$address" "$digest")
  module "$version" "$place"
done

{
  cat "$build"/bundle-python/nanobind-*.dist-info/licenses/LICENSE
  sed -n '1,/\*\//p' "$nanobind/ext/robin_map/include/tsl/robin_map.h"
} >"$build/bundle/licenses/nanobind.txt"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH # the time of each file of the wheel
rm -rf "$build/wheel-of-bundle"
"$build/python/bin/python" -m pip wheel . --no-build-isolation --no-deps -q -w "$folder" \
  "-Cbuild-dir=$build/wheel-of-bundle" "-Ccmake.define.TESSERA_BUNDLE=$build/bundle" \
  "-Cwheel.tags=py3-none-$platform"
ls -l "$folder"/tessera_tile-*"$platform.whl"
