// TileGym's matmul at six tiles of bf16, launched: its hints are for another architecture, or for
// none, and so change nothing.
//
//   tessera -I TILEGYM/src/tilegym/ops/tilecpp test/gpu/gym_products.cu -o gym_products.simt.cu
//   nvcc -O3 -std=c++20 -gencode arch=compute_90a,code=sm_90a -I runtime/include -I test/gpu \
//     gym_products.simt.cu -o gym_products
//
// Without hints: the same with a copy of matmul.cuh whose lines `[[ using cutile :` to `]]` are
// left out.
#include "matmul.cuh"
#include "product.h"

#include <string>

using product::bf16;

constexpr int size = 4096;

template <int M, int N, int K, int Occupancy> bool run() {
  const std::string name = std::to_string(M) + "x" + std::to_string(N) + "x" + std::to_string(K) +
                           ", occupancy " + std::to_string(Occupancy);
  return product::run<bf16, bf16>(
      name.c_str(), size, size, size, false, [&](const bf16 *a, const bf16 *b, bf16 *c) {
        matmul_kernel<bf16, size, size, size, M, N, K, 8, size / K, false, false, 1, Occupancy>
            <<<(size / M) * (size / N), 1>>>(a, b, c);
      });
}

int main() {
  bool right = run<64, 64, 64, 1>() & run<64, 128, 64, 1>() & run<128, 64, 64, 1>();
  right &= run<128, 128, 64, 1>() & run<128, 256, 64, 1>() & run<256, 128, 64, 1>();
  right &= run<128, 128, 64, 2>();
  return right ? 0 : 1;
}
