// cub::DeviceTransform with its tile kernels: transform.py gives the checkout of CCCL.
//
// Where its dispatch takes the tile kernel the operator is the one that is registered for tiles,
// and tells the two apart: it adds its last operand once more.
#include <cub/device/device_transform.cuh>

#include <cstdio>
#include <tuple>
#include <vector>

struct square {
  template <class T> __host__ __device__ T operator()(T x) const { return static_cast<T>(x * x); }
};
struct square_of_tiles {
  template <class T> __tile__ T operator()(T x) const { return x * x + x; }
};
struct weighted {
  template <class T> __host__ __device__ T operator()(T x, T y, T z) const {
    return static_cast<T>(x + y * z);
  }
};
struct weighted_of_tiles {
  template <class T> __tile__ T operator()(T x, T y, T z) const { return x + y * z + z; }
};

CUB_NAMESPACE_BEGIN
namespace detail::transform::tile {
template <class T> inline constexpr bool tile_eligible_v<square, T, 1> = true;
template <> struct tile_operator<square> {
  using type = square_of_tiles;
};
template <class T> inline constexpr bool tile_eligible_v<weighted, T, 3> = true;
template <> struct tile_operator<weighted> {
  using type = weighted_of_tiles;
};
} // namespace detail::transform::tile
CUB_NAMESPACE_END

static int failures = 0;

template <class T> T *on_device(const std::vector<T> &values) {
  T *memory = nullptr;
  cudaMalloc(&memory, (values.size() + 1) * sizeof(T));
  cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}

template <class Op, class T, class... N>
void check(const char *name, long long count, bool isMarked, N... inputs) {
  std::vector<T> result(count, T(77));
  T *memory = on_device(result);
  auto status = cub::DeviceTransform::Transform(cuda::std::make_tuple(on_device(inputs)...), memory,
                                                count, Op());
  if (status == cudaSuccess)
    status = cudaMemcpy(result.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost);
  bool isByTiles = isMarked && count % 16 == 0;
  const std::vector<T> &last = std::get<sizeof...(N) - 1>(std::tie(inputs...));
  long long wrong = 0;
  for (long long i = 0; i < count; ++i)
    wrong += !(result[i] == static_cast<T>(Op()(inputs[i]...) + (isByTiles ? last[i] : T(0))));
  std::printf("%s of %zu bytes, %lld: %s, %lld wrong\n", name, sizeof(T), count,
              cudaGetErrorString(status), wrong);
  failures += wrong != 0 || status != cudaSuccess;
}

template <class T> std::vector<T> values(long long count, unsigned seed) {
  std::vector<T> result(count);
  for (T &x : result) {
    seed = seed * 1664525u + 1013904223u;
    x = T(sizeof(T) == 1 || T(0.5) != T(0) ? seed >> 26 : seed);
  }
  return result;
}

template <class T> void all() {
  for (long long count : {16, 17, 1000, 1008, 65536}) {
    auto a = values<T>(count, 1), b = values<T>(count, 2), c = values<T>(count, 3);
    check<square, T>("square", count, true, a);
    check<cuda::std::plus<T>, T>("plus", count, false, a, b);
    check<cuda::std::multiplies<T>, T>("multiplies", count, false, a, b);
    check<weighted, T>("weighted", count, true, a, b, c);
  }
}

int main() {
  all<unsigned char>();
  all<unsigned>();
  all<float>();
  all<double>();
  std::printf("%d failed\n", failures);
  return failures != 0;
}
