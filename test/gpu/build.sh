#!/usr/bin/env bash
# Builds what test/gpu/run.sh needs, on a machine with Clang and no GPU: every sample by both routes
# (the plugin; tessera and nvcc), every program of test/run by the plugin. Everything is linked
# statically but for glibc, so the folder can be carried to a machine with a driver.
#
#   test/gpu/build.sh [FOLDER]      default: build-gpu; TESSERA_BUILD names the build folder,
# TESSERA_ARCH the GPU (sm_90a)
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-build-gpu}
build=${TESSERA_BUILD:-build}
arch=${TESSERA_ARCH:-sm_90a}
cuda=$(sed -n 's/^TESSERA_CUDA_PATH:[A-Z]*=//p' "$build/CMakeCache.txt")
mkdir -p "$folder"/{plugin,nvcc,run}

by_plugin() {
  clang++-22 -O3 -std=c++20 -x cuda --cuda-gpu-arch="$arch" --cuda-path="$cuda" \
    -Wno-unknown-cuda-version -fplugin="$build/lib/libtessera.so" -Iruntime/include "$1" -o "$2" \
    -L"$cuda/lib64" -lcudart_static -ldl -lrt -lpthread -static-libstdc++ -static-libgcc
}

by_nvcc() {
  local number=${arch#sm_}
  "$build/bin/tessera" --arch="$arch" "$1" -o "$2.simt.cu"
  "$cuda/bin/nvcc" -O3 -std=c++20 -gencode "arch=compute_$number,code=$arch" -Iruntime/include \
    -Isamples "$2.simt.cu" -o "$2" -Xcompiler -static-libstdc++,-static-libgcc
}

# attempt NAME COMMAND...: says what fails and goes on.
failed=0
attempt() {
  echo "== $1"
  shift
  "$@" || { echo "FAILED: $*" && failed=$((failed + 1)); }
}

for source in samples/*.cu; do
  name=$(basename "$source" .cu)
  attempt "$name by the plugin" by_plugin "$source" "$folder/plugin/$name"
  attempt "$name by nvcc" by_nvcc "$source" "$folder/nvcc/$name"
done
for source in test/run/*.cu; do
  name=$(basename "$source" .cu)
  attempt "run/$name" by_plugin "$source" "$folder/run/$name"
done
du -sh "$folder"
[ "$failed" = 0 ]
