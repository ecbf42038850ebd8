// What one line of the program becomes is several lines of text, each of which compilers take for
// that line: reports of the emulator, debuggers and compute-sanitizer name the program's.
// RUN: %tessera %s -o - | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void copy(const float *p, float *q) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  // CHECK: {{^}}#line [[#@LINE+4]]
  // CHECK: = load<
  // CHECK: {{^}}#line [[#@LINE+2]]{{$}}
  // CHECK-NEXT: store<
  ct::store(q + i, ct::load(p + i));
}
