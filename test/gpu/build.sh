#!/usr/bin/env bash
# Builds what test/gpu/run.sh needs, on a machine with Clang and no GPU: every sample by both routes
# (the plugin; tessera and nvcc), every program of test/run by the plugin; and compiles every text
# that the tests' programs give by nvcc. Everything is linked statically but for glibc, so the
# folder can be carried to a machine with a driver.
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
  local extensions=()
  if grep -q '^// options:.*--extensions' "$1"; then extensions=(-DTESSERA_EXTENSIONS); fi
  clang++-22 -O3 -std=c++20 -x cuda --cuda-gpu-arch="$arch" --cuda-path="$cuda" \
    -Wno-unknown-cuda-version -fplugin="$build/lib/libtessera.so" "${extensions[@]}" \
    -Iruntime/include "$1" -o "$2" \
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
  if grep -q '^// targets:' "$source" && ! grep -q '^// targets:.*gpu' "$source"; then continue; fi
  attempt "run/$name" by_plugin "$source" "$folder/run/$name"
done

# The launches of test/gpu/loading, and a program for several architectures: by both routes.
libraries_of_cuda=(-L"$cuda/lib64" -lcudart -Wl,-rpath,"$cuda/lib64" -ldl -lpthread)
loading_by_plugin() {
  clang++-22 -O2 -std=c++20 -x cuda --cuda-gpu-arch="$arch" --cuda-path="$cuda" \
    -Wno-unknown-cuda-version -fplugin="$build/lib/libtessera.so" -Iruntime/include \
    "test/gpu/loading/$1.cu" -o "$folder/loading/plugin-$1" "${@:2}" "${libraries_of_cuda[@]}"
}
loading_by_nvcc() {
  local words=() word
  for word in "${@:2}"; do
    case $word in -shared) words+=("$word") ;; *) words+=("-Xcompiler=$word") ;; esac
  done
  "$build/bin/tessera" --arch="$arch" "test/gpu/loading/$1.cu" -o "$folder/loading/$1.simt.cu"
  "$cuda/bin/nvcc" -O2 -std=c++20 -gencode "arch=compute_${arch#sm_},code=$arch" -cudart shared \
    -Iruntime/include "$folder/loading/$1.simt.cu" -o "$folder/loading/nvcc-$1" \
    "${words[@]}" -ldl
}
mkdir -p "$folder/loading" "$folder/architectures"
attempt "loading by the plugin" loading_by_plugin main -rdynamic
attempt "its library" loading_by_plugin library -shared -fPIC
attempt "loading by nvcc" loading_by_nvcc main -rdynamic
attempt "its library by nvcc" loading_by_nvcc library -shared -fPIC

# several NAME CODE...: samples/matmul.cu translated for sm_80 and sm_90a, compiled as nvcc is told.
several() {
  local name=$1
  shift
  "$build/bin/tessera" --arch=sm_80,sm_90a samples/matmul.cu \
    -o "$folder/architectures/$name.simt.cu"
  "$cuda/bin/nvcc" -O3 -std=c++20 "$@" -Iruntime/include -Isamples \
    "$folder/architectures/$name.simt.cu" -o "$folder/architectures/$name"
}
attempt "fat binary" several fat -gencode arch=compute_80,code=sm_80 \
  -gencode arch=compute_90a,code=sm_90a
attempt "PTX for compute_80 alone" several ptx80 -gencode arch=compute_80,code=compute_80
attempt "fat binary by the plugin" clang++-22 -O3 -std=c++20 -x cuda --cuda-gpu-arch=sm_80 \
  --cuda-gpu-arch=sm_90a --cuda-path="$cuda" -Wno-unknown-cuda-version \
  -fplugin="$build/lib/libtessera.so" -Iruntime/include samples/matmul.cu \
  -o "$folder/architectures/plugin" -L"$cuda/lib64" -lcudart_static -ldl -lrt -lpthread

# test/gpu/images: a cubin for hosts that launch with block 1, PTX that says how it is launched, and
# a host that loads them.
mkdir -p "$folder/images"
attempt "a cubin" "$build/bin/tessera-nvcc" --tilecubin --tile-only -arch="$arch" \
  test/gpu/images/kernels.cu -o "$folder/images/kernels.cubin"
attempt "PTX" "$build/bin/tessera-nvcc" --ptx -arch="$arch" test/gpu/images/kernels.cu \
  -o "$folder/images/kernels.ptx"
attempt "a host of images" g++ -std=c++17 -O2 -Iruntime/include -I"$cuda/include" \
  test/gpu/images/main.cpp -o "$folder/images/main" -L"$cuda/lib64/stubs" -lcuda \
  -static-libstdc++ -static-libgcc

# test/gpu/mixed: SIMT and tile files that are compiled apart.
mkdir -p "$folder/mixed"
for unit in one two simt main; do
  attempt "mixed/$unit" "$build/bin/tessera-nvcc" -dc -arch="$arch" "test/gpu/mixed/$unit.cu" \
    -o "$folder/mixed/$unit.o"
done
attempt "a mixed program" "$build/bin/tessera-nvcc" -arch="$arch" "$folder"/mixed/*.o \
  -o "$folder/mixed/program" -Xcompiler -static-libstdc++,-static-libgcc
attempt "CUB's program" python3 bench/cub/compare.py "$folder" --build-only \
  --nvcc "$cuda/bin/nvcc" --arch "$arch"
attempt "every emitted text by nvcc" python3 test/emitted.py --tessera "$build/bin/tessera" \
  --arch "$arch" --nvcc "$cuda/bin/nvcc"
du -sh "$folder"
[ "$failed" = 0 ]
