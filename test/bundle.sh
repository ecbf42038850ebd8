#!/usr/bin/env bash
# The bundle that scripts/wheel.sh packs (plugin/bundle), where this machine's Clang 22, compilers
# and headers are hidden behind empty folders: what it needs of a machine, a program that it makes,
# and a sample on each target. test/bare_wheel.sh has whole systems.
#
#   test/bundle.sh [BUILD]      makes BUILD/bundle; ends with 'N passed, N failed'
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build}")
if [ "${2-}" != hidden ]; then
  # As scripts/release.sh sets the time.
  if ! SOURCE_DATE_EPOCH=1 ninja -C "$build" bundle >"$build/bundle.log" 2>&1; then
    tail -n 30 "$build/bundle.log"
    exit 1
  fi
  as=() # who is not root is in a namespace of their own
  [ "$(id -u)" = 0 ] || as=(--map-root-user)
  exec unshare "${as[@]}" --mount bash "test/$(basename "$0")" "$build" hidden
fi
for folder in /usr/include /usr/lib/gcc /usr/lib/llvm-22 /usr/share/debootstrap; do
  [ ! -d $folder ] || mount -t tmpfs none $folder
done

bundle=$build/bundle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TESSERA_CACHE_DIR=$work/cache
CUDA_HOME=$(readlink -f "$build/cuda") # the machine may have no other
export CUDA_HOME
passed=0 failed=0

check() { # WHAT PATTERN COMMAND...
  local said
  said=$("${@:3}" 2>&1 || true)
  if grep -qE "$2" <<<"$said"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAILED: %s\n%s\n' "$1" "$said"
  fi
}

# The newer one of the oldest C library and that which a file asks for; the libraries that it needs.
oldest=GLIBC_$(sed -n 's/^TESSERA_OLDEST_GLIBC:STRING=//p' "$build/CMakeCache.txt")
newest() {
  { echo "$oldest" && objdump -T "$1"; } | grep -o 'GLIBC_2[.0-9]*' | sort -V | tail -n 1
}
needed() { objdump -p "$1" | sed -n 's/ *NEEDED *//p' | sort | xargs; }
for file in bin/tessera lib/libtessera_launch.so lib/tessera-emulate/libcuda.so.1; do
  check "$file needs no newer C library" "^$oldest\$" newest "$bundle/$file"
  check "$file needs the C library alone" \
    '^((ld-linux-x86-64|lib(c|m|dl|pthread))\.so\.[0-9] ?)+$' needed "$bundle/$file"
done

check "the plugin needs no newer C library" "^$oldest\$" newest "$bundle/lib/libtessera.so"

check "no compiler is left here" "not found|No such file" clang++-22 --version

# What a program's start, end, libraries and threads need of it.
cat >"$work/program.cpp" <<'END'
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
struct Whole {
  Whole() { std::puts("constructed"); }
  ~Whole() { std::puts("destroyed"); }
} whole;
int main(int count, char **words) {
  std::atexit([] { std::puts("at exit"); });
  int seen = 0;
  std::thread([&] { seen = count; }).join();
  try {
    throw std::runtime_error(words[1]);
  } catch (std::exception &thrown) {
    std::printf("%s %d %g\n", thrown.what(), seen, double(_Float16(std::sqrt(double(count)))));
  }
}
END
program() {
  "$bundle/bin/clang++" "$@" "$work/program.cpp" -o "$work/program" &&
    "$work/program" x y z | xargs
}
check "a program" "^constructed x 4 2 at exit destroyed$" program -O2
check "a program that is not position-independent" "^constructed x 4 2 at exit destroyed$" \
  program -O0 -no-pie

tessera() { "$bundle/bin/tessera" "$@"; }
check "a sample on the CPU" "^vector_add" tessera run --target=cpu samples/vector_add.cu -- 1000
check "a sample under the emulator" "^vector_add" \
  tessera run --target=emulate samples/vector_add.cu -- 1000
library() {
  tessera build --target=gpu samples/vector_add.cu -o "$work/x.so" && nm -D "$work/x.so"
}
check "a library for a GPU" "__cudaRegisterFatBinary" library

# The first program for a GPU gets the headers that the bundle has precompiled: it makes none, and
# is the same. With other headers of CUDA, and where nothing can be kept, these are read.
forms() { # BUNDLE CACHE: how many forms of the bundle are in the cache, if the program is the same
  rm -rf "$2"
  TESSERA_CACHE_DIR=$2 "$1/bin/tessera" build --target=gpu samples/vector_add.cu -o "$work/y.so" &&
    cmp "$work/x.so" "$work/y.so" &&
    { grep -lE 'roots-[0-9a-f]{32}-+/(tessera|cuda)/' "$2"/*.pch || true; } 2>"$work/none" | wc -l
}
TESSERA_CACHE_DIR= tessera build --target=gpu samples/vector_add.cu -o "$work/x.so"
check "precompiled headers" "^2$" forms "$bundle" "$work/fresh"
check "they are taken once" "^2$" forms "$bundle" "$work/fresh"
cp -r "$bundle" "$work/moved bundle"
check "in a folder that was moved" "^2$" forms "$work/moved bundle" "$work/fresh cache"
check "nowhere to keep them" "^0$" forms "$bundle" /dev/null/cache
cp -rsL "$CUDA_HOME" "$work/cuda"
header=$work/cuda/include/cuda_fp16.h
cp --remove-destination "$(readlink -f "$header")" "$header"
sed -i '1s/^/ /' "$header"
other_cuda() { # whose folder is in the library
  export CUDA_HOME=$work/cuda
  TESSERA_CACHE_DIR= tessera build --target=gpu samples/vector_add.cu -o "$work/x.so"
  forms "$bundle" "$work/fresh"
}
check "other headers of CUDA" "^0$" other_cuda

cat >"$work/fails.cu" <<'END'
#include <cuda_tile.h>
__tile_global__ void fails(int *x) { int *outside = x + 100000000; *outside = 1; }
int main() {
  int *x;
  cudaMallocManaged(&x, 4);
  fails<<<1, 1>>>(x);
  return cudaDeviceSynchronize();
}
END
check "lines in reports" "fails.cu:2" tessera run --target=emulate --check=bounds "$work/fails.cu"
check "clangd" "clangd version 22" "$bundle/bin/tessera-clangd" --version
check "tileiras" "tileiras" "$bundle/libexec/tileiras" --help
check "tessera-nvcc" "nvcc for programs" "$bundle/bin/tessera-nvcc" --help

bill() {
  touch "$work/x-linux-x86_64.tar.xz"
  python3 scripts/sbom.py "$work/bill.json" "$work/x-linux-x86_64.tar.xz" && cat "$work/bill.json"
}
check "the bill of materials, with all licenses" '"Boost.Context"' bill
bash scripts/release.sh --help >"$work/help"
check "the script of releases" "^  --twice " cat "$work/help"
check "an option that it does not know" "no option; --help" bash scripts/release.sh --thrice
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
