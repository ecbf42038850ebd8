// What the host's pass and the device's read otherwise (__CUDA_ARCH__): a function for both has the
// device's body in kernels, SIMT and tile, and the host's elsewhere, constants of the host among
// it; a kernel has the device's; what the device alone declares is there for kernels.
#include "run.h"

#include <cuda_tile.h>

#ifdef __CUDA_ARCH__
#define SIDE 1
#define ON_DEVICE 1
#else
#define SIDE 0
#endif

// A function for all, by a condition in it and by a macro.
__host__ __device__ __tile__ int direct() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__ >= 800 ? 1 : 2;
#else
  return 0;
#endif
}
constexpr __host__ __device__ __tile__ int by_macro(int x) { return x * 10 + SIDE; }
template <class T> __host__ __device__ __tile__ T of_template(T x) {
#if defined(ON_DEVICE)
  static_assert(sizeof(T) <= 8);
  x += 1;
#else
  x += 2;
#endif
  return x;
}
struct pair {
  int a, b;
  __host__ __device__ __tile__ explicit pair(int x) {
#ifdef __CUDA_ARCH__
    a = x, b = 1;
#else
    a = x, b = 2;
#endif
  }
  __host__ __device__ int sum() const {
#ifdef __CUDA_ARCH__
    goto end;
#else
    if (a < 0)
      goto end;
    return a + b + 100;
#endif
  end:
    return a + b;
  }
  template <int N> __host__ __device__ __tile__ int times() const { return N * (a + SIDE); }
};
// Functions of one side, or of each its own.
#ifdef __CUDA_ARCH__
__device__ __tile__ inline int of_device(int x) { return x + 1000; }
__host__ __device__ __tile__ inline int own(int device_name) { return of_device(device_name); }
#else
inline int of_host(int x) { return x + 2000; }
__host__ __device__ __tile__ inline int own(int host_name) { return of_host(host_name); }
#endif
__device__ __tile__ int device_only() {
#ifdef __CUDA_ARCH__
  return 5;
#else
  return 6;
#endif
}
#ifdef __CUDA_ARCH__
__constant__ const int table[3] = {1, 2, 3};
#else
static const int table[3] = {1, 2, 3};
#endif
__host__ __device__ int look(int i) { return table[i]; }

// What is written without __CUDA_ARCH__ differs by what it is made of; of #ifndef a part is left.
template <class T> struct box {
  T x;
  template <class U> __host__ __device__ T add(U u) const;
};
template <class T> template <class U> __host__ __device__ T box<T>::add(U u) const {
  auto inner = [&](T y) { return y + (SIDE ? u : -u); };
  return inner(x);
}
template <> template <> __host__ __device__ inline int box<int>::add(char) const { return SIDE; }
__host__ __device__ auto deduced(int x) { return x + SIDE; }
__host__ __device__ int half_hidden(int x) {
#ifndef __CUDA_ARCH__
  if (x)
    return 5;
  else
#endif
    return 6;
}

__tile_global__ void tiles(int *o) {
  o[0] = direct(), o[1] = by_macro(7), o[2] = of_template(10), o[3] = pair(3).b + 3;
  o[4] = pair(3).times<5>(), o[5] = own(1), o[6] = device_only();
#ifdef __CUDA_ARCH__
  o[7] = 1;
#else
  o[7] = 2;
#endif
}
struct functor {
  __host__ __device__ int operator()(int x) const noexcept {
#ifdef __CUDA_ARCH__
    return x + 1;
#endif
    return x + 2;
  }
};
template <class F> __global__ void simt(int *o, F f) {
  __shared__ int s[2];
  s[0] = 1;
  o[0] = direct(), o[1] = by_macro(7), o[2] = of_template(10), o[3] = pair(3).sum();
  o[4] = pair(3).times<5>(), o[5] = own(1), o[6] = device_only();
#ifdef __CUDA_ARCH__
  __shared__ int t[2];
  t[1] = s[0];
  o[7] = t[1];
#else
  o[7] = 2;
#endif
  o[8] = look(2);
  o[9] = f(3);
  o[10] = box<int>{5}.add(3), o[11] = box<int>{5}.add('c'), o[12] = deduced(4);
  o[13] = half_hidden(1);
}

int main() {
  run::array<int> a(10), b(14);
  tiles<<<1, 1>>>(a);
  simt<<<1, 1>>>(b, functor());
  const int wanted[] = {1, 71, 11, 4, 20, 1001, 5, 1, 3, 4, 8, 1, 5, 6};
  run::expect("tiles", a, [&](auto i) { return i < 8 ? wanted[i] : 0; });
  run::expect("simt", b, [&](auto i) { return wanted[i]; });
  constexpr int constant = by_macro(7);
  int host[] = {
      direct(),   constant,      of_template(10), pair(3).sum(),      pair(3).times<5>(),
      own(1),     functor()(3),  look(2),         box<int>{5}.add(3), box<int>{5}.add('c'),
      deduced(4), half_hidden(1)};
  const int hosts[] = {0, 70, 12, 105, 15, 2001, 5, 3, 2, 0, 4, 5};
  for (int i = 0; i < 12; ++i)
    if (host[i] != hosts[i])
      printf("host %d: %d\n", i, host[i]), run::failures++;
  return run::finish();
}
