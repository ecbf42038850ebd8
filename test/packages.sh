#!/usr/bin/env bash
# The Debian package (`cpack -G DEB` in build) and the archive of scripts/tarball.sh on bare
# machines: fresh folders of Debian 12 and, for the archive, of Ubuntu 24.04, without a compiler.
# Each is installed, compiles samples for the CPU, the emulator and, with the machine's clang-22 and
# the plugin, for a GPU, builds samples/cmake, and goes without leaving anything. CUDA's headers and
# ptxas are NVIDIA's wheels. Needs root, the registries of packages and 3 GB; takes minutes.
#
#   test/packages.sh FOLDER [PACKAGES [deb|archive]]
#
# FOLDER keeps the bare machines; PACKAGES has the packages (default: build/packages), of which both
# are tried unless one is named. Ends with 'N passed, N failed'.
set -euo pipefail
cd "$(dirname "$0")/.."
source test/bare_machine.sh
root=$(realpath -m "${1:?usage: test/packages.sh FOLDER [PACKAGES [deb|archive]]}")
kinds=${3:-deb archive}
packages=$(realpath "${2:-build/packages}")
version=$(sed -n 's/.*_VERSION_STRING "\(.*\)"/\1/p' runtime/include/tessera/version.h)
deb=$packages/tessera_$version-1_amd64.deb archive=$packages/tessera-$version-linux-x86_64.tar.xz
for file in "$deb" "$archive"; do
  [ -e "$file" ] || { echo "$file is missing: scripts/release.sh makes it" >&2 && exit 2; }
done
mapfile -t wheels < <(sed -n 's/^  "\(nvidia-.*\)",$/\1/p' pyproject.toml)

# A copy of a bare machine, with this tree's samples and the wheels of CUDA as $CUDA_HOME.
fresh_machine() { # SUITE
  make_machine "$root/$1" "$1" ca-certificates,python3,python3-venv
  leave_machine
  local copy=$root/$1-packages
  if mountpoint -q "$copy/proc"; then umount "$copy/dev" "$copy/proc"; fi
  rm -rf --one-file-system "$copy"
  mkdir "$copy"
  tar -C "$root/$1" --one-file-system --exclude=./trial --exclude=./root/.cache -c . |
    tar -C "$copy" -xp
  make_machine "$copy" "$1" ''
  trap leave_machine EXIT
  cp -r samples "$deb" "$archive" "$machine/trial/"
  if [ "$1" = bookworm ]; then # which has clang-22 with the updates alone
    cp /etc/apt/sources.list.d/debian.sources "$machine/etc/apt/sources.list.d/"
    rm -f "$machine/etc/apt/sources.list"
  fi
  inside "apt-get -q update && python3 -m venv wheels && wheels/bin/pip install -q ${wheels[*]@Q}" \
    >"$machine/trial/log" 2>&1
}

install() {
  inside "apt-get -q install -y --no-install-recommends $*" >>"$machine/trial/log" 2>&1
}

cuda='export CUDA_HOME=$(echo /trial/wheels/lib/python3*/site-packages/nvidia/cu13)'

# What both do in the same way: the programs, and samples on both targets of a host.
try_tools() { # WHAT SETTINGS SHARE
  check "$1: the version" "^tessera $version\$" "$2; tessera --version"
  check "$1: clangd" "clangd version 22" "$2; tessera-clangd --version"
  check "$1: tessera-nvcc" "nvcc for programs" "$2; tessera-nvcc --help"
  check "$1: a sample on the CPU" "^softmax" "$2; tessera run --target=cpu samples/softmax.cu"
  check "$1: a sample under the emulator" "^vector_add" \
    "$2; tessera run --target=emulate samples/vector_add.cu -- 1000"
  check "$1: a library for a GPU" "^made\$" \
    "$2; tessera build --target=gpu samples/softmax.cu -o x.so && echo made"
  check "$1: manuals and completions" "^4\$" "cd $3; ls man/man1/tessera.1* zsh/*/_tessera \
    bash-completion/completions/tessera fish/vendor_completions.d/tessera.fish | wc -l"
}

try_plugin() { # WHAT TREE
  check "$1: clang++-22 -fplugin" "^compiled\$" "$cuda; clang++-22 -x cuda -std=c++20 \
    --cuda-path=\$CUDA_HOME --cuda-gpu-arch=sm_90a -Wno-unknown-cuda-version \
    -fplugin=$2/lib/libtessera.so -I$2/include -c samples/vector_add.cu -o x.o && echo compiled"
  check "$1: clang++-22 -fplugin sees mistakes" "error: .*narrow to float" "$cuda; printf '%s\n' \
    '#include <cuda_tile.h>' 'using tile = cuda::tiles::tile<float, cuda::tiles::shape<256>>;' \
    '__tile__ tile twice(tile x) { return 2.0 * x; }' >broken.cu; clang++-22 -x cuda -std=c++20 \
    --cuda-path=\$CUDA_HOME --cuda-gpu-arch=sm_90a -Wno-unknown-cuda-version -fsyntax-only \
    -fplugin=$2/lib/libtessera.so -I$2/include broken.cu"
}

try_cmake() { # WHAT OPTIONS
  install cmake ninja-build
  check "$1: a project of CMake" "^saxpy: 0 of 1000 wrong\$" "$cuda; rm -rf cmake
    { cmake -G Ninja -S samples/cmake -B cmake -DTESSERA_TARGET=cpu \
      -DTESSERA_CUDA_PATH=\$CUDA_HOME $2 && cmake --build cmake; } >cmake.log 2>&1 || cat cmake.log
    ./cmake/saxpy"
}

try_deb() { # SUITE
  # All packages and files but those that are made by each installation.
  local all='dpkg --get-selections | sort; find / -xdev -regextype egrep -regex
    "/(trial|proc|dev|tmp|root/.cache|var/(cache|log|lib/(apt|dpkg)))" -prune -o -print | sort'
  all=${all//$'\n'/}
  install clang-22 clang-tools-22 lld-22 clangd-22 llvm-22 libboost-context-dev
  inside "$all" >"$machine/trial/before"
  check "deb, $1: apt-get install" "^installed\$" \
    "apt-get -q install -y --no-install-recommends ./${deb##*/} >>log 2>&1 && echo installed"
  try_tools "deb, $1" "$cuda" /usr/share
  try_plugin "deb, $1" /usr/lib/tessera
  check "deb, $1: apt-get autoremove" "^removed\$" \
    "apt-get -q autoremove --purge -y tessera >>log 2>&1 && echo removed"
  inside "$all" >"$machine/trial/after"
  check "deb, $1: nothing is left" "^0\$" "diff before after; echo \$?"
  inside "apt-get -q install -y --no-install-recommends ./${deb##*/}" >>"$machine/trial/log" 2>&1
  try_cmake "deb, $1" -DCMAKE_CXX_COMPILER=clang++-22
  inside "apt-get -q purge -y tessera" >>"$machine/trial/log" 2>&1
}

try_archive() { # SUITE
  local place=/opt/some/place tree
  tree=$place/tessera-$version
  inside "mkdir -p $place && tar -C $place -xJf ${archive##*/}"
  try_tools "archive, $1" "$cuda; PATH=$tree/bin:\$PATH" "$tree/share"
  check "archive, $1: its compiler is not on PATH" "^none\$" "PATH=$tree/bin:\$PATH
    for name in clang++ ld.lld; do command -v \$name && exit; done; echo none"
  try_cmake "archive, $1" \
    "-DCMAKE_CXX_COMPILER=$tree/lib/tessera/bin/clang++ -DCMAKE_PREFIX_PATH=$tree"
}

ls -l "$deb" "$archive"
if [[ $kinds =~ archive ]]; then
  fresh_machine noble
  install xz-utils
  try_archive noble
  leave_machine
  fresh_machine bookworm
  install xz-utils
  try_archive bookworm
  install clang-22 libmlir-22
  try_plugin "archive, bookworm" "/opt/some/place/tessera-$version/lib/tessera"
  leave_machine
fi
if [[ $kinds =~ deb ]]; then
  fresh_machine bookworm
  try_deb bookworm
  leave_machine
fi
trap - EXIT
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
