#!/usr/bin/env bash
# Makes a Debian 12 machine able to build and run Tessera, and builds it: Debian packages, a CUDA
# toolkit (headers, ptxas, cudart) from PyPI wheels where there is none, configure, compile. Does
# only what is missing, so a second run takes seconds.
#
# Run alone, or sourced by samples/run.sh and test/run.sh, which read $build. TESSERA_PRESET names a
# preset of CMakePresets.json (default: release). Needs root or sudo for the packages only.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=${TESSERA_PRESET:-release}
case $preset in
release | ci) build=build ;;
*) build=build-$preset ;;
esac

packages=(
  clang-22 clang-format-22 clang-tidy-22 clang-tools-22 clangd-22 lld-22 llvm-22-dev llvm-22-tools
  libclang-22-dev libmlir-22-dev mlir-22-tools libclang-rt-22-dev
  liblld-22-dev libc++-22-dev libunwind-22-dev libzstd-dev
  g++ gdb cmake ninja-build ccache git
  libgtest-dev libgmock-dev libdlpack-dev libboost-context-dev libmpfr-dev zlib1g-dev zstd
  python3 python3-venv python3-dev nodejs ca-certificates
)
# CUDA 13.0 in parts. Clang includes one header of curand whenever it compiles CUDA.
wheels=(
  'nvidia-cuda-runtime==13.0.*' 'nvidia-cuda-nvcc==13.0.*' 'nvidia-cuda-crt==13.0.*'
  'nvidia-cuda-cccl==13.0.*' 'nvidia-nvvm==13.0.*'
  'nvidia-curand==10.4.0.*' 'nvidia-cuda-profiler-api==13.0.*'
)

# What the Python package is built and tested with.
python_packages=(nanobind scikit-build-core numpy pytest)

say() { echo "== $*"; }

# logged NAME COMMAND...: keeps the output in the build folder, and shows it when the command fails.
logged() {
  local log=$build/$1.log
  shift
  mkdir -p "$build"
  if ! "$@" >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    say "failed: $* (full output in $log)" >&2
    return 1
  fi
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system: expecting these packages or their like: ${packages[*]}"
    return
  fi
  local missing=() package
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}\n' "$package" 2>/dev/null | grep -q 'ok installed' ||
      missing+=("$package")
  done
  if [ ${#missing[@]} = 0 ]; then
    say "Debian packages: all there"
    return
  fi
  say "installing ${missing[*]}"
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
  logged apt-update as_root "${apt[@]}" update
  logged apt-install as_root "${apt[@]}" install -y --no-install-recommends "${missing[@]}"
}

has_toolkit() {
  [ -e "$1/include/curand_mtgp32_kernel.h" ] && [ -x "$1/bin/ptxas" ] &&
    [ -e "$1/nvvm/libdevice/libdevice.10.bc" ]
}

# Prints the folder of the machine's toolkit, if there is one.
machine_toolkit() {
  local candidate nvcc
  nvcc=$(command -v nvcc || true)
  if [ -n "$nvcc" ]; then nvcc=$(dirname "$(dirname "$(readlink -f "$nvcc")")"); fi
  for candidate in "${CUDA_HOME:-}" "${CUDA_PATH:-}" "$nvcc" /usr/local/cuda; do
    if [ -n "$candidate" ] && has_toolkit "$candidate"; then
      echo "$candidate"
      return
    fi
  done
}

# The wheels unpack into one folder in the shape of a toolkit, but for two names that linkers
# expect.
install_wheels() {
  say "CUDA toolkit: none here; taking ${wheels[*]} from PyPI"
  rm -rf "$build/cuda" "$build/cuda-wheels"
  logged venv python3 -m venv "$build/cuda-wheels"
  logged wheels "$build/cuda-wheels/bin/pip" install --disable-pip-version-check "${wheels[@]}"
  local root
  root=$(echo "$PWD/$build"/cuda-wheels/lib/python3*/site-packages/nvidia/cu13)
  ln -sfn lib "$root/lib64"
  ln -sfn libcudart.so.13 "$root/lib/libcudart.so"
  ln -sfn "$root" "$build/cuda"
  echo "${wheels[*]}" >"$build/cuda-wheels/list"
}

has_wheels() {
  [ "$(cat "$build/cuda-wheels/list" 2>/dev/null)" = "${wheels[*]}" ] && has_toolkit "$build/cuda"
}

find_toolkit() {
  cuda=$(machine_toolkit)
  if [ -z "$cuda" ]; then
    has_wheels || install_wheels
    cuda=$PWD/$build/cuda
  fi
  say "CUDA toolkit: $cuda"
}

install_python() {
  "$build/python/bin/python" -c 'import nanobind, numpy, pytest, scikit_build_core' 2>/dev/null &&
    return
  say "Python: taking ${python_packages[*]} from PyPI"
  rm -rf "$build/python"
  logged python python3 -m venv "$build/python"
  logged python-packages "$build/python/bin/pip" install --disable-pip-version-check \
    "${python_packages[@]}"
}

configure() {
  say "configuring in $build"
  logged configure cmake --preset "$preset" -DTESSERA_CUDA_PATH="$cuda"
}

# A compile job of Clang's or MLIR's headers takes up to 2 GiB.
job_count() {
  local memory
  memory=$(awk '/MemAvailable/ { print int($2 / 2097152) }' /proc/meminfo)
  echo $(($(nproc) < memory ? $(nproc) : memory > 0 ? memory : 1))
}

install_packages
find_toolkit
install_python
configure
say "building with $(job_count) jobs (the first time takes a while)"
ninja -C "$build" -j"$(job_count)"
