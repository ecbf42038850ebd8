// Ways to name and launch a kernel: templates, functors, packs, extern "C", a kernel as template
// argument, cudaLaunchKernel, <<<grid>>>.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

struct square {
  template <class T> __tile__ auto operator()(T x) const { return x * x; }
};
struct add {
  template <class T> __tile__ auto operator()(T x, T y) const { return x + y; }
};

template <int N, class F, class T, class... In>
__tile_global__ void transform(T *out, const In *...in) {
  auto lane = ct::iota<ct::tile<int, ct::shape<N>>>() + int(ct::bid().x) * N;
  ct::store(out + lane, F{}(ct::load(in + lane)...));
}

extern "C" __tile_global__ void plus_one(float *x) {
  auto lane = ct::iota<ct::tile<int, ct::shape<32>>>() + int(ct::bid().x) * 32;
  ct::store(x + lane, ct::load(x + lane) + 1.0f);
}

namespace {
template <bool Negate> __tile_global__ void scale(float *x, float by) {
  auto lane = ct::iota<ct::tile<int, ct::shape<32>>>() + int(ct::bid().x) * 32;
  if constexpr (Negate)
    by = -by;
  ct::store(x + lane, ct::load(x + lane) * by);
}
} // namespace

template <auto Kernel, class... Args> void launch(int grid, cudaStream_t stream, Args... args) {
  Kernel<<<grid, 1, 0, stream>>>(args...);
}

int main() {
  run::array<float> x(128, [](auto i) { return run::small(i); }), y(128), z(128);
  transform<32, square><<<4, 1>>>((float *)y, (const float *)x);
  transform<64, add><<<2>>>((float *)z, (const float *)x, (const float *)y);
  run::expect("square", y, [&](auto i) { return x[i] * x[i]; });
  run::expect("add", z, [&](auto i) { return x[i] + x[i] * x[i]; });

  cudaStream_t stream;
  run::require(cudaStreamCreate(&stream));
  float *pointer = z, by = 3;
  launch<plus_one>(4, stream, pointer);
  launch<scale<true>>(4, stream, pointer, by);
  void *arguments[] = {&pointer, &by};
  run::require(
      cudaLaunchKernel((const void *)scale<false>, dim3(4), dim3(1), arguments, 0, stream));
  run::require(cudaStreamSynchronize(stream));
  run::expect("sequence", z, [&](auto i) { return (x[i] + x[i] * x[i] + 1) * -3 * 3; });
  run::require(cudaStreamDestroy(stream));
  return run::finish();
}
