// Near what warnings are about, and meant: tiles that a branch, an earlier iteration or a function
// writes first, results that somebody may have, boxes that are inside or behind a condition.
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using F8 = ct::tile<float, ct::shape<8>>;

__tile__ void set(F8 &x) { x = ct::zeros<F8>(); }
__tile__ bool starts(int i, F8 &x) {
  if (i == 0)
    set(x);
  return i == 0;
}
struct Pair {
  F8 first, second;
};

__tile_global__ void written(float *p, int n) {
  auto at = p + ct::iota<ct::tile<int, ct::shape<8>>>();
  F8 first, chosen, cased, later, set_by, by_reference, by_address, of_lambda, unread, copied;
  for (int i = 0; i < n; ++i)
    if (i == 0)
      first = ct::load(at);
    else
      first = first + ct::load(at + i);
  if (n > 1)
    chosen = first;
  if (n > 1)
    first = chosen;
  switch (n) {
  case 0: cased = first; break;
  default: cased = -first;
  }
  for (int i = 0; i < n; ++i) {
    if (i > 0)
      first = first + later;
    later = first;
  }
  set(set_by);
  if (!starts(n, by_reference))
    by_reference = set_by + cased;
  F8 *address = &by_address;
  *address = first;
  auto fill = [&] { of_lambda = first; };
  fill();
  (void)unread;
  auto like = ct::zeros<decltype(unread)>();
  static_assert(sizeof(unread) > 0);
  F8 value{}, array[2];
  array[0] = value;
  Pair pair;
  pair.first = like;
  do {
    copied = pair.first;
  } while (n-- > 0);
  while (true) {
    if (n > 3)
      break;
    F8 inner;
    inner = first;
    first = inner + inner;
    ++n;
  }
  ct::store(at, first + by_reference + by_address + of_lambda + array[0] + copied);
}

#define EXP(x) ct::exp(x)
#define UNUSED(x) (void)(x)
template <class F> __tile__ void run(F f) { f(); }
__tile_global__ void used(float *p, int *q, int n) {
  auto x = ct::full<F8>(1.0f);
  (void)ct::exp(x);
  EXP(x);
  UNUSED(x + x);
  run([&] { return x * x; });
  ct::atomic_add(q, 1, ct::memory_order_acq_rel_t{});
  ct::atomic_add(q, 1, ct::memory_order_release_t{});
  ct::atomic_xchg(q, 1, ct::memory_order_relaxed_t{});
  while (ct::atomic_load(q, ct::memory_order_acquire_t{}) != 1)
    ;
  auto numbers = ct::irange(0, n);
  auto number = numbers.begin();
  number++;
  if (false)
    ct::exp(x);
  static_assert(requires { x + x; } && sizeof(x * x) > 0 && noexcept(x - x));
  ct::store(p + *number, static_cast<float>(({
              x = x + x;
              ct::sum<0>(x);
            })));
}

template <int I> __tile_global__ void boxes(float *p, int i) {
  ct::tensor_span span{p, ct::extents<int, 64, ct::dynamic_extent>{i}};
  ct::partition_view view{span, ct::shape<16, 16>{}};
  auto x = view.load(3, 1000);
  if (I < 4)
    x = view.load(I, 0);
  if constexpr (I < 4)
    x = view.load(I, 1);
  I < 4 ? view.store(x, I, 0) : view.store(x, 0, 0);
  ct::partition_view ragged{ct::tensor_span{p, ct::extents<int, 60>{}}, ct::shape<16>{}};
  ragged.store_masked(ragged.load_masked(3), 3);
  ct::strided_view strided{ct::tensor_span{p, ct::extents<int, 60>{}}, ct::shape<16>{},
                           ct::strides<int, 4>{}};
  strided.store(strided.load(11), 0);
}
template __tile_global__ void boxes<7>(float *, int);
