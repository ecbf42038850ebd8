// Constants of the host that tile code copies, of arrays, too, and those that are template
// arguments.
#include "run.h"

#include <cuda_tile.h>

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

int main() {
  run::array<float> out(6);
  k<weights{10, {11, 12}}><<<1, 1>>>(out, 1);
  const float wanted[] = {3, 13, 120, 21, 15, 35};
  run::expect("copies", out, [&](std::size_t i) { return wanted[i]; });
  return run::finish();
}
