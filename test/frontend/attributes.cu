// Tile functions go from the text with all of their attributes, in whatever form and place.
// RUN: %tessera -o - %s | grep -v CHECK | FileCheck %s
// RUN: %tessera run -O0 --target=cpu %s
// RUN: %if long %{ %tessera run -O0 --target=emulate %s %}
#include <cuda_tile.h>
#include <cuda_runtime.h>

#define COLD __attribute__((cold))
#define NO_INLINE noinline
#define FUNCTION(name, value)                                                                      \
  __attribute__((cold)) [[nodiscard]] __tile__ int name(int x) { return x + value; }

// CHECK: {{^}}struct header
struct header {
  int n;
  int values[0];
};
// CHECK-NOT: {{__attribute__|\[\[|deprecated|COLD __tile__}}
// CHECK: COLD __tile_global__ void read(const header *h
__attribute__((noinline)) [[nodiscard]] __tile__ int at(const header *h, int i) {
  return h->values[i];
}
[[nodiscard]] __attribute__((NO_INLINE, deprecated("(]] \" no"))) __tile__ int two(int);
[[gnu::cold, nodiscard]] COLD static __tile__ int three(int x) { return x + 3; }
COLD __tile__ __attribute__((noinline)) int two(int x) { return x + 2; }
template <class T> [[gnu::noinline]] __attribute__((pure)) __tile__ T four(T x) { return x + 4; }
FUNCTION(five, 5)
struct functions {
  [[nodiscard]] COLD __tile__ static int six(int x) { return x + 6; }
};
COLD __tile_global__ void read(const header *h, int *o) {
  o[0] = at(h, 2) + three(h->n) + four(five(functions::six(0)));
}

int main() {
  int values[] = {10, 20, 30, 40}, *x, *o, result = 0;
  cudaMalloc((void **)&x, sizeof values);
  cudaMalloc((void **)&o, sizeof *o);
  cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice);
  read<<<1, 1>>>(reinterpret_cast<const header *>(x), o);
  cudaMemcpy(&result, o, sizeof result, cudaMemcpyDeviceToHost);
  return result != 40 + 13 + 15;
}
