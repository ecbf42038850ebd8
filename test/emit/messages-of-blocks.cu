// A message with tiles is several printfs, and is printed whole: no other block prints within it.
// RUN: %tessera run --target=emulate %s | sort | FileCheck %s
// RUN: %tessera --arch=sm_90a %s -o - | grep -v TEXT | FileCheck %s --check-prefix=TEXT
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// TEXT: begin_message();
// TEXT-NEXT: print_text("block %d, 100%%: ", block_index<0>());
// TEXT-NEXT: print_tile("%d", x);
// TEXT-NEXT: print_text(", half %.1f; ", {{.*}});
// TEXT-NEXT: print_tile("%x", x);
// TEXT-NEXT: print_text("\n");
// TEXT-NEXT: end_message();
__tile_global__ void message() {
  auto x = ct::iota<ct::tile<int, ct::shape<2, 4>>>() + 8 * int(ct::bid().x);
  printf("block %d, 100%%: %d, half %.1f; %x\n", ct::bid().x, x, ct::bid().x * 0.5, x);
}

// One printf is printed as a whole anyway.
// TEXT: if (thread_index() == 0) printf("block %d%%\n", block_index<0>());
__tile_global__ void scalars() { printf("block %d%%\n", ct::bid().x); }

// CHECK-DAG: block 0, 100%: {{\[\[}}0, 1, 2, 3], [4, 5, 6, 7{{\]\]}}, half 0.0; {{\[\[}}0, 1, 2, 3], [4, 5, 6, 7{{\]\]}}
// CHECK-DAG: block 0%
// CHECK-DAG: block 1, 100%: {{\[\[}}8, 9, 10, 11], [12, 13, 14, 15{{\]\]}}, half 0.5; {{\[\[}}8, 9, a, b], [c, d, e, f{{\]\]}}
// CHECK-DAG: block 2, 100%: {{\[\[}}16, 17, 18, 19], [20, 21, 22, 23{{\]\]}}, half 1.0; {{\[\[}}10, 11, 12, 13], [14, 15, 16, 17{{\]\]}}
int main() {
  message<<<3, 1>>>();
  scalars<<<1, 1>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
