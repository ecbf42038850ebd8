// Launches as they may be written: of the address of an overloaded kernel, of kernels in objects,
// tables and template arguments, in pieces of macros, with digraphs and directives in between,
// beside text that looks like one.
#include "run.h"
#include <cuda_tile.h>

static int *place() {
  static run::array<int> one(1);
  return one;
}
static void want(int value) {
  int found = 0;
  run::require(cudaMemcpy(&found, place(), sizeof found, cudaMemcpyDeviceToHost));
  std::printf("%d\n", found);
  run::failures += found != value;
}

__tile_global__ void k(int *o) { *o = 1; }
__tile_global__ void k(int *o, int v) { *o = v; }
__tile_global__ void k(int *o, float v) { *o = int(v) + 10; }
template <class T> __tile_global__ void any(T *o) { *o = 2; }
template <class T> __tile_global__ void any(T *o, T v) { *o = v; }
__global__ void simt(int *o) { *o = 3; }
__global__ void simt(int *o, int v) { *o = v; }
__tile_global__ void alone(int *o) { *o = 4; }

void addresses() {
  (&k)<<<1, 1>>>(place(), 7);
  want(7);
  (&any)<<<1, 1>>>(place(), 8);
  want(8);
  (&any<int>)<<<1, 1>>>(place());
  want(2);
  (&simt)<<<1, 1>>>(place(), 6);
  want(6);
  (**&*alone)<<<1, 1>>>(place());
  want(4);
}

template <class T> struct box {
  T kernel;
};
template <class T> box(T) -> box<T>;
template <auto *K> void by_argument() {
  (*K)<<<1, 1>>>(place());
  (K)<<<1, 1>>>(place());
}
template <class... T> void each(T... v) { (k<<<1, 1>>>(place(), v), ...); }
void objects() {
  void (*overload)(int *, float) = k;
  (true ? overload : nullptr)<<<1, 1>>>(place(), 2);
  want(12);
  void (*table[])(int *) = {any, k};
  table[0]<<<1, 1>>>(place());
  want(2);
  box{alone}.kernel<<<1, 1>>>(place());
  want(4);
  auto [kernel] = box{table[1]};
  kernel<<<1, 1>>>(place());
  want(1);
  by_argument<alone>();
  want(4);
  each(1, 2, 9);
  want(9);
}

// clang-format off
#define OPEN <<<
#define CLOSE >>>
// clang-format on
#define ONE 1, 1
#define ALL(...) __VA_ARGS__
#define TWICE(...)                                                                                 \
  __VA_ARGS__;                                                                                     \
  __VA_ARGS__
void pieces() <%
  alone OPEN ONE CLOSE(place());
  want(4);
  k ALL(<<<1, 1>>>)(place(), ALL(5));
  want(5);
  TWICE(ALL(ALL(k<<<1, 1>>>(place(), 6))));
  want(6);
  int a<:1:> = <%0%>;
  k<<<
#pragma GCC diagnostic push
#line 90 "launch_spellings.cu"
      1, 1>>>
#pragma GCC diagnostic pop
      (place() + a<:0:>, 7);
  want(7);
  const char *text = R"(k<<<1, 1>>>(place()) " /* )";
  k<<<1, 1>>>(place(), int(text[1] - '<')); /* k<<<1, 1>>>(x) */ // k<<<1, 1>>>(x) \
  k<<<1, 1>>>(x)
  want(0);
%>

int main() {
  addresses();
  objects();
  pieces();
  return run::finish();
}
