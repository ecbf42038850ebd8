// CCCL's transform of tiles by the dispatch of tiles alone: transform.py gives the checkout.
//
// Without a GPU the text is read by a compiler of C++, which does not take the SIMT kernels beside
// it. On a CPU a kernel has the host's body, where NV_IF_TARGET takes nothing: there it takes what
// the GPU has.
#include <cub/config.cuh>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <nv/target>
#ifdef TESSERA_TARGET_CPU
#undef NV_IF_TARGET
#define NV_IF_TARGET(condition, ...) TAKEN(__VA_ARGS__)
#define TAKEN(code, ...) CODE code
#define CODE(...) __VA_ARGS__
#endif
#include <cub/device/dispatch/dispatch_transform_tile.cuh>

#include <cstdio>
#include <vector>

// An operator of elements, and the one of tiles that CCCL takes for it: what is not tile code alone
// may not call operations of tiles.
struct square {
  template <class T> __host__ __device__ T operator()(T x) const { return static_cast<T>(x * x); }
};
struct square_of_tiles {
  template <class T> __tile__ T operator()(T x) const { return x * x; }
};
struct weighted {
  template <class T> __host__ __device__ T operator()(T x, T y, T z) const {
    return static_cast<T>(x + y * z);
  }
};
struct weighted_of_tiles {
  template <class T> __tile__ T operator()(T x, T y, T z) const { return x + y * z; }
};

CUB_NAMESPACE_BEGIN
namespace detail::transform::tile {
template <> struct tile_operator<square> {
  using type = square_of_tiles;
};
template <> struct tile_operator<weighted> {
  using type = weighted_of_tiles;
};
} // namespace detail::transform::tile
CUB_NAMESPACE_END

static int failures = 0;

template <class T> T *on_device(const std::vector<T> &values) {
  T *memory = nullptr;
  cudaMalloc(&memory, values.size() * sizeof(T));
  cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}

template <class Op, class T, class... N>
void check(const char *name, long long count, N... inputs) {
  std::vector<T> result(count, T(77));
  T *memory = on_device(result);
  auto status = cub::detail::transform::tile::dispatch<Op>(
      cuda::std::make_tuple(on_device(inputs)...), memory, count, cudaStream_t(0));
  if (status == cudaSuccess)
    status = cudaMemcpy(result.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost);
  long long wrong = 0;
  for (long long i = 0; i < count; ++i)
    wrong += !(result[i] == Op()(inputs[i]...));
  std::printf("%s of %zu bytes, %lld: %s, %lld wrong\n", name, sizeof(T), count,
              cudaGetErrorString(status), wrong);
  failures += wrong != 0 || status != cudaSuccess;
}

template <class T> std::vector<T> values(long long count, unsigned seed) {
  std::vector<T> result(count);
  for (T &x : result) {
    seed = seed * 1664525u + 1013904223u;
    // Whole numbers, so that products of floats are exact.
    x = T(sizeof(T) == 1 || T(0.5) != T(0) ? seed >> 26 : seed);
  }
  return result;
}

template <class T> void all() {
  for (long long count : {16, 32, 128, 1008, 4096, 65536}) {
    auto a = values<T>(count, 1), b = values<T>(count, 2), c = values<T>(count, 3);
    check<square, T>("square", count, a);
    check<cuda::std::plus<T>, T>("plus", count, a, b);
    check<cuda::std::multiplies<T>, T>("multiplies", count, a, b);
    check<weighted, T>("weighted", count, a, b, c);
  }
}

int main() {
  all<unsigned char>();
  all<unsigned short>();
  all<unsigned>();
  all<unsigned long long>();
  all<float>();
  all<double>();
  std::printf("%d failed\n", failures);
  return failures != 0;
}
