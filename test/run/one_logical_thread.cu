// A block is one logical thread: a load sees the block's own earlier stores, through views,
// pointers and scalars alike.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// Transposes a 32x32 matrix in place, twice through the same memory, and counts in a scalar beside
// it.
__tile_global__ void in_place(float *x, int *count, int turns) {
  auto view = ct::partition_view{ct::tensor_span{x, ct::shape<32, 32>{}}, ct::shape<32, 32>{}};
  for (int i = 0; i < turns; ++i) {
    view.store(ct::transpose(view.load(0, 0)) + 1.0f, 0, 0);
    count[0] = count[0] + 1;
  }
}

// Each step reads what the last one wrote, one element further.
__tile_global__ void shifted(int *x, int steps) {
  auto lane = ct::iota<ct::tile<int, ct::shape<64>>>();
  for (int i = 0; i < steps; ++i)
    ct::store(x + lane + (i + 1), ct::load(x + lane + i) + 1);
}

__tile_global__ void through_scalars(float *x, float *y) {
  auto lane = ct::iota<ct::tile<int, ct::shape<16>>>();
  ct::store(x + lane, ct::full<ct::tile<float, ct::shape<16>>>(3.0f));
  for (int i = 1; i < 16; ++i)
    x[i] = x[i - 1] + x[i];
  ct::store(y + lane, ct::load(x + (15 - lane)));
}

// Each step reads, back to front, what the last one wrote.
__tile_global__ void turned(int *x, int steps) {
  auto lane = ct::iota<ct::tile<int, ct::shape<64>>>();
  for (int i = 0; i < steps; ++i)
    ct::store(x + lane, ct::load(x + (63 - lane)) + 1);
}

// A box is stored, and read again behind a read of another one.
__tile_global__ void read_behind(float *x, float *y) {
  auto view = ct::partition_view{ct::tensor_span{x, ct::shape<64, 32>{}}, ct::shape<32, 32>{}};
  auto to = ct::partition_view{ct::tensor_span{y, ct::shape<32, 32>{}}, ct::shape<32, 32>{}};
  auto first = view.load(0, 0);
  view.store(first + 1.0f, 1, 0);
  to.store(ct::transpose(view.load(1, 0)) + first, 0, 0);
}

// One array by two names, neither of which is restricted: what one stores the other reads, back to
// front.
__tile_global__ void two_names(int *x, int *y) {
  auto lane = ct::iota<ct::tile<int, ct::shape<64>>>();
  ct::store(x + lane, lane * 3);
  ct::store(y + lane, ct::load(y + (63 - lane)) + 1);
}

// A name that is chosen when the kernel runs.
__tile_global__ void chosen(int *x, int *y, int which) {
  auto lane = ct::iota<ct::tile<int, ct::shape<64>>>();
  int *const z = which ? x : y;
  ct::store(x + lane, lane * 3);
  ct::store(z + lane, ct::load(z + (63 - lane)) + 1);
}

int main() {
  run::array<float> x(1024, [](auto i) { return i; });
  run::array<int> count(1);
  in_place<<<1, 1>>>(x, count, 3);
  run::expect("in_place", x, [](auto i) { return i % 32 * 32 + i / 32 + 3; });
  run::expect("count", count, [](auto) { return 3; });

  run::array<int> s(80, [](auto i) { return i * i % 17; });
  std::vector<int> wanted(s.host.get(), s.host.get() + 80);
  for (int i = 0; i < 16; ++i)
    for (int j = 63; j >= 0; --j)
      wanted[j + i + 1] = wanted[j + i] + 1;
  shifted<<<1, 1>>>(s, 16);
  run::expect("shifted", s, [&](auto i) { return wanted[i]; });

  run::array<float> a(16), b(16);
  through_scalars<<<1, 1>>>(a, b);
  run::expect("through_scalars", b, [](auto i) { return 3 * (16 - double(i)); });

  run::array<int> steps(64, [](auto i) { return i; });
  turned<<<1, 1>>>(steps, 5);
  run::expect("turned", steps, [](auto i) { return 63 - int(i) + 5; });

  run::array<float> rows(2048, [](auto i) { return i % 5; }), sums(1024);
  read_behind<<<1, 1>>>(rows, sums);
  run::expect("read_behind", sums, [](auto i) { return (i % 32 * 32 + i / 32) % 5 + 1 + i % 5; });

  run::array<int> one(64), other(64);
  two_names<<<1, 1>>>(one, one);
  run::expect("two_names", one, [](auto i) { return (63 - int(i)) * 3 + 1; });
  chosen<<<1, 1>>>(one, other, 1);
  run::expect("chosen", one, [](auto i) { return (63 - int(i)) * 3 + 1; });
  return run::finish();
}
