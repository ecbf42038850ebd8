// A release atomic published without a barrier: beside __restrict__ other warps' stores came later.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

// What the first warp stores is there at once; the others first follow a chain through memory.
__tile_global__ void hand_over(int *__restrict__ data, const int *__restrict__ chain, int steps,
                               int *__restrict__ flag, int *__restrict__ out) {
  using lanes = ct::tile<int, ct::shape<1024>>;
  auto lane = ct::iota<lanes>();
  if (ct::bid().x == 0) {
    auto at = lane * 4096, slow = lane & 508;
    for (int i = 0; i < steps; ++i)
      at = ct::load_masked(chain + at, slow >= 128, 0);
    ct::store(data + lane, (at & 0) + 1);
    ct::atomic_store(flag, 1, ct::memory_order_release_t{}, ct::thread_scope_device_t{});
  } else {
    while (ct::atomic_load(flag, ct::memory_order_acquire_t{}, ct::thread_scope_device_t{}) == 0)
      ;
    out[0] = int(ct::sum(ct::load(data + lane), 0_ic));
  }
}

int main() {
  run::array<int> data(1024), flag(1), out(1);
  run::array<int> chain(1 << 22, [](auto i) { return (i * 40503 + 4097) & ((1 << 22) - 1); });
  hand_over<<<2, 1>>>(data, chain, 50, flag, out);
  run::expect("sum", out, [](auto) { return 1024; });
  return run::finish();
}
