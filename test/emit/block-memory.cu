// A local array under tiles of pointers lies in shared memory, and its accesses are called so; one
// whose address is stored lies on the heap.
// RUN: %tessera %s -o - | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using relaxed = ct::memory_order_relaxed_t;

// CHECK-LABEL: {{^}}// counts, from
// CHECK-SAME: 128 bytes of shared memory
// CHECK: const int64 locals = shared_block_memory();
// CHECK: store_in_block(
// CHECK: barrier();
// CHECK: atomic_in_block<atomic::add>(
// CHECK: barrier();
// CHECK: load_in_block(
// CHECK-NOT: barrier();
// CHECK: atomic_rmw<atomic::add, order::relaxed, scope::device>(
// CHECK-NOT: free_block_memory
// CHECK: }
__tile_global__ void counts(const int *x, int *all) {
  int own[32];
  auto bin = ct::iota<ct::tile<int, ct::shape<32>>>();
  ct::store(own + bin, ct::zeros<ct::tile<int, ct::shape<32>>>());
  auto value = ct::load(x + ct::iota<ct::tile<int, ct::shape<256>>>());
  ct::atomic_add(own + value, ct::ones<ct::tile<int, ct::shape<256>>>(), relaxed{},
                 ct::thread_scope_block_t{});
  ct::atomic_add(all + bin, ct::load(own + bin), relaxed{}, ct::thread_scope_device_t{});
}

// CHECK-LABEL: {{^}}// kept, from
// CHECK: = block_memory(144);
// CHECK: free_block_memory(
__tile_global__ void kept(const int *x, int *all, int i) {
  int own[2][16];
  int *rows[2] = {own[0], own[1]};
  auto bin = ct::iota<ct::tile<int, ct::shape<16>>>();
  ct::store(rows[i] + bin, ct::load(x + bin));
  ct::store(all + bin, ct::load(own[0] + bin));
}
