// `tessera build` and `run` read ptxas's report, too, which Clang hands on: a kernel that spills is
// planned once more with less. Here a script stands before ptxas and says that it spills where a
// warp of its own makes the copies.
// REQUIRES: nvcc
// RUN: rm -rf %t && mkdir -p %t/bin && cd %t
// RUN: bash -c 'ln -s %cuda/include %cuda/lib* %cuda/nvvm . && ln -s %cuda/bin/fatbinary bin'
// RUN: cp %S/Inputs/spilling-ptxas bin/ptxas && chmod +x bin/ptxas
// RUN: env PTXAS=%cuda/bin/ptxas %tessera build --target=gpu --cuda-path=%t %s -o %t/x.so 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=ptxas
// CHECK: plan-again.cu:[[#@LINE+10]]:22: remark: kernel 'product' for sm_90a: ptxas spills 480 bytes per thread; planned again without specialize (a producer warp fills a ring for persistent blocks): no spill
// RUN: not grep -q setmaxnreg last.ptx && ls x.so
// RUN: %if long %{ env PTXAS=%cuda/bin/ptxas TESSERA_PLAN_WITHOUT=specialize %tessera build \
// RUN:   --target=gpu --cuda-path=%t %s -o %t/x.so > out 2>&1 && count 0 < out %}
// RUN: %if long %{ env PTXAS=%cuda/bin/ptxas %tessera explain --registers --cuda-path=%t %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EXPLAIN %}
// EXPLAIN: product, 2 x 1 blocks at a time: ptxas allocates {{[0-9]+}} registers per thread and spills 480 bytes; registers allow 1 per SM
// EXPLAIN-NEXT: remark: product, 2 x 1 blocks at a time: tessera build, tessera run and tessera-nvcc also plan the kernel without specialize (a producer warp fills a ring for persistent blocks), and keep the better plan; clang++ -fplugin compiles this plan
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void product(const __half *__restrict__ a, const __half *__restrict__ b,
                             __half *__restrict__ c, int n) {
  auto rows = ct::partition_view{ct::tensor_span{a, ct::extents{n, n}}, ct::shape<128, 64>{}};
  auto columns = ct::partition_view{ct::tensor_span{b, ct::extents{n, n}}, ct::shape<64, 128>{}};
  auto out = ct::partition_view{ct::tensor_span{c, ct::extents{n, n}}, ct::shape<128, 128>{}};
  const int x = ct::bid().x, y = ct::bid().y;
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (int i = 0; i < (n + 63) / 64; ++i)
    sum = ct::mma(rows.load_masked(y, i), columns.load_masked(i, x), sum);
  out.store_masked(ct::element_cast<__half>(sum), y, x);
}
