// A volatile access of global memory is made each time, and all threads of a block see the same
// value; of a local variable it is an ordinary one.
#include "run.h"
#include <cuda_tile.h>

__tile_global__ void answer(volatile int *flag, volatile float *x, int *o) {
  while (*flag == 0) {
  }
  o[0] = *flag + 1;
  *flag = 5;
  o[1] = *flag;
  volatile int local = 3;
  local = local + 1;
  o[2] = local;
  *x = *x + 0.5f;
}

int main() {
  run::array<int> flag(1, [](auto) { return 1; }), o(3);
  run::array<float> x(1, [](auto) { return 2; });
  answer<<<1, 1>>>(flag.device, x.device, o);
  const int wanted[] = {2, 5, 4};
  run::expect("o", o, [&](auto i) { return wanted[i]; });
  run::expect("flag", flag, [](auto) { return 5; });
  run::expect("x", x, [](auto) { return 2.5; });
  return run::finish();
}
