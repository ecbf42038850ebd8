// What is defined, and comes near to what is not: no check speaks.
//
// RUN: %tessera run -O0 --target=emulate --check=bounds,nan %s 2>&1 | FileCheck %s
// RUN: %tessera run -O0 --target=cpu --check=bounds,nan %s 2>&1 | FileCheck %s
// CHECK-NOT: tessera check
// CHECK: 0 wrong
#include <cuda_tile.h>

#include <cmath>
#include <cstdio>

namespace ct = cuda::tiles;
using namespace ct::literals;

using eight = ct::shape<8>;
using floats = ct::tile<float, eight>;
using ints = ct::tile<int, eight>;

constexpr ct::memory_order_relaxed_t relaxed;
constexpr ct::thread_scope_device_t device;

// Paddings of every kind, also where nothing but one element is inside.
__tile_global__ void paddings(const float *a, float *b, int n) {
  ct::partition_view from{ct::tensor_span{a, ct::extents(n)}, eight{}};
  auto low = from.load_masked<ct::view_padding::negative_inf>(1);
  auto none = from.load_masked<ct::view_padding::nan>(1);
  auto most = ct::reduce_max<0>(low);
  ct::store(b + ct::iota<ints>(), most + ct::select(none == none, none, ct::zeros<floats>()));
}

// Pointers have no extents: a mask, and offsets below 0 that stay in the allocation.
__tile_global__ void pointers(float *b, int n) {
  auto back = ct::iota<ints>() * -1;
  auto x = ct::load(b + 15 + back);
  ct::store_masked(b + back, x, back > 0);
  ct::store_masked(b + 1000000000 + back, x, back + n > 1000);
  ct::atomic_add_masked(b + 16 + ct::iota<ints>(), x, ct::iota<ints>() < 4, relaxed, device);
  auto y = ct::load_masked(b - 100000 - back, back > 0, x);
  ct::store(b + 32 + ct::iota<ints>(), y);
}

// Nothing to do, no element, no block's share.
__tile_global__ void nothing(const float *a, float *b, int n) {
  ct::partition_view from{ct::tensor_span{a, ct::extents(n)}, eight{}};
  ct::partition_view to{ct::tensor_span{b, ct::extents(n)}, eight{}};
  for (auto i : ct::irange(0, (n + 7) / 8))
    to.store_masked(from.load_masked(i), i);
}

// The last tile of each kind of view, in 32 and in 64 bits, by indices of every type.
__tile_global__ void last(float *b, long long n) {
  using size = ct::extents<long long, ct::dynamic_extent>;
  ct::partition_view view{ct::tensor_span{b, size{n}}, eight{}};
  view.store_masked(view.load_masked((unsigned char)(n / 8)), short(n / 8));
  view.store_masked(view.load_masked(float(n / 8)), (unsigned long long)(n / 8));
  ct::strided_view overlapping{ct::tensor_span{b, ct::extents(int(n))}, eight{}, ct::strides{3_ic}};
  auto x = overlapping.load((int(n) - 8) / 3);
  overlapping.store_masked(x, (int(n) - 1) / 3);
  ct::gather_scatter_view picked{ct::tensor_span{b, ct::extents(int(n))}, eight{},
                                 ct::integral_constant<0>{}};
  auto twice = picked.load(ct::iota<ints>() / 2);
  picked.store_masked(twice, ct::iota<ints>() - 4 + int(n));
  ct::partition_view counts{ct::tensor_span{b, ct::extents(int(n))}, eight{}};
  counts.atomic_add(x, relaxed, device, int(n) / 8);
  counts.atomic_add_masked(x, relaxed, device, int(n) / 8);
}

// Parts, arrays, and assumptions that hold at their ends.
__tile_global__ void parts(float *b, int n, unsigned most, signed char least) {
  n = ct::assume_bounded<0, 64>(ct::assume_divisible<64>(n));
  most = ct::assume_divisible<1>(most);
  least = ct::assume_bounded_below<-128>(least);
  auto all = ct::reshape<ct::shape<4, 2>>(ct::load(b + ct::iota<ints>()));
  auto part = ct::extract(all, ct::shape<2, 1>{}, n / 64, least + 129);
  all = ct::insert(all, part, n / 64, 1);
  floats tiles[2] = {ct::zeros<floats>(), ct::ones<floats>()};
  for (int i = 0; i < 2; ++i)
    tiles[i] = tiles[1 - i] + tiles[i];
  floats *end = &tiles[2];
  ct::store(b + ct::iota<ints>(), tiles[0] + tiles[end - tiles - 1]);
}

// A NaN that was there, a quotient of 0 that no element divides by, numbers at their ends.
__tile_global__ void numbers(const float *a, float *b, int zero) {
  auto x = ct::load(b + ct::iota<ints>());
  auto bad = ct::load(b + 8 + ct::iota<ints>());
  auto far = x + 3.0e38f;
  auto divisor = ct::iota<ints>() + 1 + zero;
  auto whole = (ct::full<ints>(-2147483647) / divisor) % divisor;
  ct::store(b + ct::iota<ints>(), ct::min(bad + x, far) + ct::element_cast<float>(whole));
}

int main() {
  float *p;
  int wrong = 0;
  cudaMallocManaged(&p, 4096 * sizeof(float));
  auto start = [&] {
    for (int i = 0; i < 4096; ++i)
      p[i] = float(i % 32) + 1;
  };
  auto ends = [&](const char *name) {
    cudaError_t error = cudaDeviceSynchronize();
    if (error)
      std::printf("%s: %s\n", name, cudaGetErrorString(error));
    wrong += error != cudaSuccess;
  };
  start();
  paddings<<<1, 1>>>(p, p + 64, 9);
  ends("paddings");
  pointers<<<1, 1>>>(p + 64, 0);
  ends("pointers");
  nothing<<<3, 1>>>(p, p + 64, 0);
  nothing<<<1, 1>>>(p, p + 64, 9);
  ends("nothing");
  last<<<1, 1>>>(p, 19);
  ends("last");
  parts<<<1, 1>>>(p, 64, ~0u, -128);
  ends("parts");
  start();
  p[11] = NAN;
  numbers<<<1, 1>>>(p, p, 0);
  ends("numbers");
  std::printf("%d wrong\n", wrong);
}
