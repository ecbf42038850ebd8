// `tessera run --verify` runs a program on the CPU, under the emulator and on a GPU if there is
// one, and compares what each launch writes, on the same memory: the launches behind one that
// differs do not differ for that.
// RUN: %tessera run -O0 --verify %s 2> %t.right | FileCheck %s --check-prefix=OUTPUT
// RUN: FileCheck %s --check-prefix=RIGHT --input-file=%t.right
// OUTPUT: 12 of 12
// OUTPUT-NOT: of
// RIGHT: tessera: verify: the emulator agrees with the CPU: 3 launches compared, {{[0-9]+}} elements, a sample of the blocks of 1 launch, at most {{[0-2]}}.0 ulps apart, 0 reports
//
// A barrier that the plan is told to forget is a race, at its line; the exit status says so.
// RUN: env TESSERA_VERIFY=0 sh -c '%tessera run -O0 --verify --forget-barrier=1 %s 2> %t.race; test $? = 86'
// RUN: FileCheck %s --check-prefix=RACE --input-file=%t.race
// RUN: FileCheck %s --check-prefix=FOUND --input-file=%t.race
// FOUND: tessera: verify: the emulator does not agree with the CPU: 3 launches compared, {{.*}}differences in 1 launch, {{[0-9]+}} reports
//
// Two launches that compute other things: the first tile that differs, at the line that stores it.
// RUN: sh -c '%tessera run -O0 --verify -DWRONG --verify-report=%t.json %s -- 2> %t.wrong; test $? = 86'
// RUN: FileCheck %s --check-prefix=WRONG --input-file=%t.wrong
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// JSON: "kind": "difference"
// JSON: "line": "{{.*}}verify.cu:[[#]]"
//
// Nothing is to be compared with the CPU but other targets.
// RUN: not %tessera run --verify --target=cpu %s 2>&1 | FileCheck %s --check-prefix=NEEDLESS
// NEEDLESS: tessera: --verify compares other targets with the CPU; leave --target=cpu out
// RUN: %if long %{ sh -c '%tessera run -O0 --verify -DOTHER_STATUS %s 2>&1; test $? = 86' | FileCheck %s --check-prefix=STATUS %}
// STATUS: tessera: verify: the program ends with the status 0 on the CPU, and with 3 on the emulator
// RUN: %if long %{ sh -c '%tessera run -O0 --verify -DOTHER_KERNEL %s 2>&1; test $? = 86' | FileCheck %s --check-prefix=OTHER %}
// OTHER: tessera: verify: launch 3 is of scale, on the CPU of sums: nothing is compared from here on [emulator]
// RUN: %if long %{ %tessera run -O0 --verify -DNO_LAUNCH %s 2>&1 | FileCheck %s --check-prefix=NOTHING %}
// NOTHING: tessera: verify: this machine has no GPU: the CPU and the emulator are compared
// NOTHING: tessera: verify: the program has launched no tile kernel
//
// The text for a GPU links with its part of the comparison. It is not run: there is no GPU here.
// RUN: %if long %{ %tessera %s -o %t.gpu.cu %}
// RUN: %if long %{ clang++-22 -w -Wno-error=c++11-narrowing -std=c++20 -x cuda --offload-arch=sm_90a --cuda-path=%cuda -iquote %S -isystem %build/include -isystem %cuda/include/cccl -DTESSERA_VERIFY_LAUNCHES=1 %t.gpu.cu -o %t.gpu -L%cuda/lib64 -l:libcudart.so.13 -x none %build/lib/libtessera_verify.a -Wl,--wrap=cudaMalloc,--wrap=cudaMallocManaged,--wrap=cudaMallocAsync,--wrap=cudaMallocHost,--wrap=cudaFree,--wrap=cudaFreeAsync,--wrap=cudaFreeHost %}
#include <cuda_tile.h>
#include <cstdio>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void transpose(const float *from, float *to) {
  auto square = ct::shape{64_ic, 64_ic};
  auto rows = ct::partition_view{ct::tensor_span{from, ct::extents{64, 64}}, square};
  auto columns = ct::partition_view{ct::tensor_span{to, ct::extents{64, 64}}, square};
  columns.store(ct::transpose(rows.load(0, 0)), 0, 0);
// RACE: race in shared memory: kernel transpose, block (0, 0, 0): {{.*}} barrier between them [{{.*}}verify.cu:[[# @LINE - 1]];
// RACE: verify.cu:[[# @LINE - 2]]: verify: launch 1 of transpose differs from the CPU: the tile that block (0, 0, 0) writes here has
}
__tile_global__ void scale(const float *from, float *to, float factor) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  ct::store(to + i, ct::load(from + i) * factor);
// WRONG: verify.cu:[[# @LINE - 1]]: verify: launch 2 of scale differs from the CPU: the tile that block (0, 0, 0) writes here has 3 at element 1 of argument 2 (float32), on the CPU 2, {{[0-9.e+]+}} ulps; 63 of 64 elements differ [emulator]
// WRONG: tessera: verify: the emulator does not agree with the CPU: 3 launches compared, {{[0-9]+}} elements, a sample of the blocks of 1 launch, differences in 1 launch, 0 reports
}
// Its blocks are sampled: there are 100.
__tile_global__ void sums(const float *from, float *to) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto block = ct::iota<ct::tile<int, ct::shape<1>>>() + int(ct::bid().x);
  auto row = ct::exp(ct::load(from + i) * 0.01f);
  ct::store(to + block, ct::sum(row, 0_ic));
}

// Another program under the emulator.
#if defined(WRONG) && defined(TESSERA_EMULATE)
constexpr float factor = 3;
#else
constexpr float factor = 2;
#endif
#if defined(OTHER_KERNEL) && defined(TESSERA_EMULATE)
constexpr bool launches_more = true;
#else
constexpr bool launches_more = false;
#endif

int main() {
#ifdef NO_LAUNCH
  return 0;
#endif
  constexpr int size = 64 * 64;
  float *from, *to;
  cudaMallocManaged(&from, size * sizeof *from);
  cudaMallocManaged(&to, size * sizeof *to);
  for (int i = 0; i < size; ++i)
    from[i] = i % 64;
  transpose<<<1, 1>>>(from, to);
  scale<<<1, 1>>>(from, to, factor);
  cudaDeviceSynchronize();
  std::printf("%g of 12\n", to[6]);
  if (launches_more)
    scale<<<1, 1>>>(from, to, factor);
  sums<<<100, 1>>>(from, to);
#if defined(OTHER_STATUS) && defined(TESSERA_EMULATE)
  return 3;
#endif
  return cudaDeviceSynchronize() != cudaSuccess;
}
