// Atomics that order: what a tile block stores before a release, all of it, another block reads
// after its acquire, through whichever pointer and by whichever thread; boxes wholly outside a view
// read as its padding.
#include "run.h"
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Block 0 fills data and raises the flag, block 1 waits for it and adds the data up.
__tile_global__ void hand_over(float *__restrict__ data, int *__restrict__ flag,
                               float *__restrict__ out) {
  ct::tensor_span span{data, ct::extents{1024_ic}};
  ct::partition_view view{span, ct::shape{1024_ic}};
  if (ct::bid().x == 0) {
    view.store(ct::element_cast<float>(ct::iota<ct::tile<int, ct::shape<1024>>>()), 0);
    ct::atomic_store(flag, 1, ct::memory_order_release_t{}, ct::thread_scope_device_t{});
  } else {
    while (ct::atomic_load(flag, ct::memory_order_acquire_t{}, ct::thread_scope_device_t{}) == 0)
      ;
    out[0] = float(ct::sum(view.load(0), 0_ic));
  }
}

// The same a chunk at a time, for a product: what is acquired in a turn is not read before.
using bf16 = __nv_bfloat16;
__tile_global__ void hand_over_chunks(bf16 *x, const bf16 *__restrict__ w, int *__restrict__ flag,
                                      float *__restrict__ out, int count) {
  auto xs =
      ct::partition_view{ct::tensor_span{x, ct::extents{64 * count, 64_ic}}, ct::shape<64, 64>{}};
  if (ct::bid().x == 0) {
    for (int i = 0; i < count; ++i) {
      xs.store_masked(ct::full<ct::tile<bf16, ct::shape<64, 64>>>(bf16(float(i + 1))), i, 0);
      ct::atomic_store(flag, i + 1, ct::memory_order_release_t{}, ct::thread_scope_device_t{});
    }
    return;
  }
  auto ws = ct::partition_view{ct::tensor_span{w, ct::shape<64, 64>{}}, ct::shape<64, 64>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (int i = 0; i < count; ++i) {
    while (ct::atomic_load(flag, ct::memory_order_acquire_t{}, ct::thread_scope_device_t{}) <= i)
      ;
    sum = ct::mma(xs.load_masked(i, 0), ws.load(0, 0), sum);
  }
  ct::partition_view{ct::tensor_span{out, ct::shape<64, 64>{}}, ct::shape<64, 64>{}}.store(sum, 0,
                                                                                           0);
}

// The last block to come adds up what all have left.
__tile_global__ void last_one_adds(const float *__restrict__ in, float *__restrict__ partial,
                                   int *__restrict__ arrived, float *__restrict__ out) {
  ct::partition_view view{ct::tensor_span{in, ct::extents{4_ic, 256_ic}}, ct::shape{1_ic, 256_ic}};
  partial[ct::bid().x] = float(ct::sum(ct::sum(view.load(ct::bid().x, 0), 1_ic), 0_ic));
  int before =
      ct::atomic_add(arrived, 1, ct::memory_order_acq_rel_t{}, ct::thread_scope_device_t{});
  if (before != 3)
    return;
  float sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += partial[i];
  out[0] = sum;
}

// One thread has what an atomic gives: tiles that are made of it need it in all threads, though a
// single number, to which they are reduced, is stored.
__tile_global__ void through_tiles(int *numbers) {
  int *own = numbers + ct::bid().x * 8;
  auto some = ct::full<ct::tile<int, ct::shape<8>>>(
      ct::atomic_load(own, ct::memory_order_acquire_t{}, ct::thread_scope_device_t{}));
  own[1] = int(ct::reduce_min<0>(some + 1));
  auto more = ct::full<ct::tile<int, ct::shape<64>>>(
      ct::atomic_add(own + 2, 1, ct::memory_order_relaxed_t{}));
  own[3] = int(ct::sum<0>(more));
  own[4] =
      ct::atomic_add(own, 5, ct::memory_order_relaxed_t{}) * 2; // this the first thread needs alone
}

// The row before the first, and the one behind the last.
__tile_global__ void neighbours(const float *in, float *out, int rows) {
  ct::partition_view view{ct::tensor_span{in, ct::extents{rows, 128_ic}}, ct::shape{1_ic, 128_ic}};
  ct::partition_view to{ct::tensor_span{out, ct::extents{rows, 128_ic}}, ct::shape{1_ic, 128_ic}};
  int row = ct::bid().x;
  to.store(view.load_masked(row - 1, 0) + view.load_masked(row + 1, 0), row, 0);
}

int main() {
  run::array<float> data(1024), sum(1);
  run::array<int> flag(1);
  hand_over<<<2, 1>>>(data, flag, sum);
  run::expect("hand_over", sum, [](auto) { return 1023 * 512; });

  run::array<bf16> chunks(5 * 64 * 64), one(64 * 64, [](auto i) { return i / 64 == i % 64; });
  run::array<int> ready(1);
  run::array<float> added(64 * 64);
  hand_over_chunks<<<2, 1>>>(chunks, one, ready, added, 5);
  run::expect("hand_over_chunks", added, [](auto) { return 15; });

  run::array<float> in(1024, [](auto i) { return run::small(i); }), partial(4), total(1);
  run::array<int> arrived(1);
  last_one_adds<<<4, 1>>>(in, partial, arrived, total);
  run::expect("last_one_adds", total, [&](auto) {
    double all = 0;
    for (int i = 0; i < 1024; ++i)
      all += in[i];
    return all;
  });

  run::array<int> numbers(16, [](auto i) { return i + 3; });
  through_tiles<<<2, 1>>>(numbers);
  run::expect("through tiles", numbers, [](auto i) {
    const int first = int(i) / 8 * 8,
              wanted[] = {3 + first + 5, 4 + first, 6 + first, 64 * (5 + first), 2 * (3 + first)};
    return i % 8 < 5 ? wanted[i % 8] : int(i) + 3;
  });

  run::array<float> rows(512, [](auto i) { return run::small(i); }), sums(512);
  neighbours<<<4, 1>>>(rows, sums, 4);
  run::expect("neighbours", sums, [&](auto i) {
    return (i < 128 ? 0 : rows[i - 128]) + (i + 128 < 512 ? rows[i + 128] : 0);
  });
  return run::finish();
}
