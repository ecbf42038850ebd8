// Kernels that only the namespaces of their arguments find. The text is for nvcc alone: Clang does
// not find SIMT kernels by arguments.
#include "run.h"
#include <cuda_tile.h>

namespace first {
enum value : int { one = 1 };
struct pair {
  int a, b;
};
__tile_global__ void kernel(int *o, value x) { o[0] = x; }
template <class T> __tile_global__ void of_type(int *o, T x) { o[1] = x + 10; }
template <int N, class T> __tile_global__ void of_number(int *o, T x) { o[2] = x + N; }
__tile_global__ void of_pointer(int *o, const pair *p) { o[3] = p->a + p->b; }
inline namespace version {
__tile_global__ void inlined(int *o, value x) { o[4] = x + 20; }
} // namespace version
__global__ void simt(int *o, value x) { o[5] = x + 30; }
} // namespace first

namespace second {
enum value : int { two = 2 };
__tile_global__ void kernel(int *o, value x) { o[0] = x + 100; }
} // namespace second

#define LAUNCH(name, ...) name<<<1, 1>>>(__VA_ARGS__)

template <class T> void launch(int *o, T x) { kernel<<<1, 1>>>(o, x); }
template <class T> void launch_templates(int *o, T x) {
  of_type<<<1, 1>>>(o, x);
  of_number<3><<<1, 1>>>(o, x);
}

struct launcher {
  void operator()(int *o) const { LAUNCH(kernel, o, first::one); }
};

int main() {
  run::array<int> out(6);
  run::array<first::pair> pairs(1, [](auto) { return first::pair{3, 4}; });
  launch(out, first::one);
  launch_templates(out, first::one);
  of_pointer<<<1, 1>>>(out, static_cast<const first::pair *>(pairs.device));
  inlined<<<1, 1>>>(out, first::one);
  simt<<<1, 1>>>(out, first::one);
  const int of_first[] = {1, 11, 4, 7, 21, 31}, of_second[] = {102, 11, 4, 7, 21, 31};
  run::expect("first", out, [&](auto i) { return of_first[i]; }, 0.0);
  launch(out, second::two);
  run::expect("second", out, [&](auto i) { return of_second[i]; }, 0.0);
  launcher{}(out);
  run::expect("first again", out, [&](auto i) { return i ? of_second[i] : 1; }, 0.0);
  return run::finish();
}
