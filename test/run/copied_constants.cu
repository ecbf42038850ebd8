// Constants of the host that tile code copies, of arrays, too, and those that are template
// arguments. And infinities of eight bits, which no conversion gives.
#include "run.h"

#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

struct weights {
  int count;
  float values[2];
};
constexpr weights table{1, {2, 3}};
constexpr weights tables[2] = {{4, {5, 6}}, {7, {8, 9}}};

struct holder {
  static constexpr weights member{13, {14, 15}};
};
template <int N> constexpr weights of{N, {16, 17}};

template <weights W> __tile_global__ void k(float *out, int i) {
  weights assigned;
  assigned = table;
  weights element = tables[1], argument = W;
  auto [count, values] = W;
  out[0] = assigned.values[i];
  out[1] = element.values[i] + tables[0].count;
  out[2] = argument.values[i] * W.count;
  out[3] = count + values[1 - i];
  assigned = holder::member;
  out[4] = assigned.values[i];
  assigned = of<18>;
  out[5] = assigned.values[i] + assigned.count;
}

template <unsigned char Code> __tile_global__ void code(float *out) {
  using codes = ct::tile<__nv_fp8_e5m2, ct::shape<16>>;
  auto all = ct::full<codes>(__builtin_bit_cast(__nv_fp8_e5m2, Code));
  ct::store(out + ct::iota<ct::tile<int, ct::shape<16>>>(), ct::element_cast<float>(all));
}

int main() {
  run::array<float> out(6);
  k<weights{10, {11, 12}}><<<1, 1>>>(out, 1);
  const float wanted[] = {3, 13, 120, 21, 15, 35};
  run::expect("copies", out, [&](std::size_t i) { return wanted[i]; });

  run::array<float> infinities(16), negative(16);
  code<0x7c><<<1, 1>>>(infinities);
  code<0xfc><<<1, 1>>>(negative);
  run::expect("infinity", infinities, [](std::size_t) { return INFINITY; });
  run::expect("negative infinity", negative, [](std::size_t) { return -INFINITY; });
  return run::finish();
}
