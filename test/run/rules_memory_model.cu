// The memory model: what is atomic, with whom, and that a kernel's accesses come one after another.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, size_t... D> using tile = ct::tile<E, ct::shape<D...>>;
using relaxed = ct::memory_order_relaxed_t;
using block = ct::thread_scope_block_t;

// [tile:memory_model] [tile:tile_threads] A block is one thread, but for the operations of one
// call, which may be of several: with atomics to one place one of them is the last.
__tile_global__ void example(int *place, int *out) {
  int &x = *place;
  auto ptrs = ct::full<tile<int *, 4>>(&x);
  ct::atomic_store(ptrs, ct::iota<tile<int, 4>>(), relaxed{}, block{});
  out[0] = 0 <= x && x <= 3;
  // [tile:atomic_objects] Every one of the additions counts.
  x = 0;
  auto old = ct::atomic_add(ptrs, ct::full<tile<int, 4>>(1), relaxed{}, block{});
  out[1] = x;
  out[2] = int(ct::sum<0>(old)); // of 0, 1, 2, 3 in some order
}
// [tile:memory_operation] Reads and writes through glvalues and those of calls come in the order of
// the program.
__tile_global__ void in_order(int *p, int *out) {
  auto at = ct::iota<tile<int, 8>>();
  p[3] = 10;
  auto x = ct::load(p + at);
  ct::store(p + at, x + 1);
  int three = p[3];
  p[3] = 20;
  auto y = ct::load(p + at);
  ct::atomic_add(p + at, y, relaxed{});
  out[0] = three + 100 * p[3];
  ct::store(out + 1 + at, ct::load(p + at));
}
// [tile:memory_order] [tile:relaxed_memory_order] [tile:release_memory_order]
// [tile:acquire_memory_order] [tile:acquire_release_memory_order] Loads take relaxed and acquire,
// stores relaxed and release, both together any of them.
template <class O>
concept loads = requires(int *p, O o) { ct::atomic_load(p, o); } && ct::read_memory_order<O::value>;
template <class O>
concept stores =
    requires(int *p, O o) { ct::atomic_store(p, 1, o); } && ct::write_memory_order<O::value>;
template <class O>
concept adds = requires(int *p, O o) { ct::atomic_add(p, 1, o); };
using acquire = ct::memory_order_acquire_t;
using release = ct::memory_order_release_t;
using both = ct::memory_order_acq_rel_t;
static_assert(loads<relaxed> && loads<acquire> && !loads<release> && !loads<both>);
static_assert(stores<relaxed> && stores<release> && !stores<acquire> && !stores<both>);
static_assert(adds<relaxed> && adds<acquire> && adds<release> && adds<both>);

// [tile:thread_scope] [tile:tile_block_scope] [tile:device_scope] [tile:system_scope]
// [tile:default_thread_scope] The system, where none is given.
static_assert(ct::default_thread_scope() == ct::thread_scope::system);
// [tile:strongly_scoped_operations] [tile:synchronizes_with] [tile:data_races] Blocks that count
// with atomics of the device; who comes last sees what all have written.
__tile_global__ void last_one_sums(int *parts, int *count, int *out) {
  auto at = ct::iota<tile<int, 16>>();
  ct::store(parts + ct::bid().x * 16 + at, at + int(ct::bid().x));
  int before = ct::atomic_add(count, 1, both{}, ct::thread_scope_device_t{});
  if (before != int(ct::num_blocks().x) - 1)
    return;
  int sum = 0;
  for (int i = 0; i < int(ct::num_blocks().x); ++i)
    sum += int(ct::sum<0>(ct::load(parts + i * 16 + at)));
  out[0] = sum;
}

int main() {
  run::array<int> place(1), three(3), p(8, [](int i) { return i; }), out(9), parts(16 * 24),
      count(1), sum(1);
  example<<<1, 1>>>(place, three);
  run::expect("example", three, [](int i) { return i == 0 ? 1 : i == 1 ? 4 : 6; });
  in_order<<<1, 1>>>(p, out);
  run::expect("in order", out, [](int i) { return i == 0 ? 4011 : i == 4 ? 40 : 2 * i; });
  last_one_sums<<<24, 1>>>(parts, count, sum);
  run::expect("last one sums", sum, [](int) { return 24 * 120 + 16 * 276; });
  return run::finish();
}
