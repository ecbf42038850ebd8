// Kernels of one name in unnamed, named and inline namespaces in one another, and parameters
// that are
// called as their kernels.
#include "run.h"
#include <cuda_tile.h>

__tile_global__ void f(int *o, char) { *o = 1; }
namespace {
__tile_global__ void f(int *o) { *o = 2; }
namespace x {
__tile_global__ void f(int *o) { *o = 3; }
void launch_inner(int *o) { f<<<1, 1>>>(o); }
inline namespace w {
__tile_global__ void f(int *o, float) { *o = 4; }
} // namespace w
} // namespace x
namespace y {
namespace {
__tile_global__ void f(int *o) { *o = 5; }
void launch_inner(int *o) { f<<<1, 1>>>(o); }
} // namespace
} // namespace y
namespace z {
inline namespace i {
__tile_global__ void f(int *f) { *f = 6; }
} // namespace i
} // namespace z
template <class T> __tile_global__ void t(T *t) { *t = 7; }
} // namespace
namespace again {
namespace {
__tile_global__ void f(int *o) { *o = 8; }
namespace again {
__tile_global__ void f(int *f) { *f = 9; }
} // namespace again
} // namespace
} // namespace again
namespace n {
namespace {
inline namespace v {
__tile_global__ void k(int *k) { *k = 10; }
} // namespace v
} // namespace
} // namespace n
namespace m {
inline namespace w {
namespace {
__tile_global__ void k(int *k) { *k = 11; }
} // namespace
} // namespace w
} // namespace m

int main() {
  run::array<int> out(12);
  int *o = out;
  f<<<1, 1>>>(o + 1, 'c');
  f<<<1, 1>>>(o + 2);
  x::launch_inner(o + 3);
  x::f<<<1, 1>>>(o + 4, 1.0f);
  y::launch_inner(o + 5);
  z::f<<<1, 1>>>(o + 6);
  t<<<1, 1>>>(o + 7);
  again::f<<<1, 1>>>(o + 8);
  void (*pointer)(int *) = again::again::f;
  pointer<<<1, 1>>>(o + 9);
  n::k<<<1, 1>>>(o + 10);
  m::k<<<1, 1>>>(o + 11);
  run::expect("kernels", out, [](auto i) { return double(i); });
  return run::finish();
}
