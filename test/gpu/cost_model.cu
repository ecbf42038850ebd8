// Measures the rates of plugin/target/Machines.def on the GPU at hand: what an SM does in a cycle,
// of multiply-adds, of bytes from the L2 cache and of bytes of shared memory, while all SMs do it.
//
//   nvcc -O3 -std=c++20 -gencode arch=compute_90a,code=sm_90a -I runtime/include
//   test/gpu/cost_model.cu -o cost_model
#include "product.h"

#include <tessera/host/tensor_maps.h>
#include <tessera/simt.cuh>

#include <algorithm>
#include <string>

using namespace tessera;
using product::check;

constexpr int iterations = 4096, warps_of_block = 8;

// Of the SM's clock.
__device__ long long now() { return clock64(); }

// What has gone by since `begin`, for the block.
__device__ void stop(long long begin, long long *cycles) {
  if (threadIdx.x == 0)
    cycles[blockIdx.x] = now() - begin;
}

TESSERA_DEVICE void clear_shared(int bytes) {
  for (int at = 16 * arch::thread_index(); at < bytes; at += 16 * static_cast<int>(blockDim.x))
    arch::store_shared<16>(shared_memory(), at, words<16>{});
  fence_shared();
  barrier();
}

// Rows of 128 bytes along K: a 128x256 accumulator of two warpgroups.
template <class T> struct operands {
  static constexpr int depth = 128 / sizeof(T),
                       log_depth = tessera::log2(static_cast<unsigned>(depth));
  using a = shared_tile<T, shape<128, depth>, panels<T, 7, log_depth>>;
  using b = shared_tile<T, shape<256, depth>, panels<T, 8, log_depth>>;
  static constexpr int bytes = 128 * (128 + 256);
};

template <class T, class Acc> __global__ void __launch_bounds__(32 * warps_of_block)
    of_warpgroups(long long *cycles, Acc *sink) {
  using accumulator_layout = layout<shape<128, 256>, registers<1, 2048, 8, 16, 32, 64, 128>,
                                    lanes<2, 4, 256, 512, 1024>, warps<4096, 8192, 16384>>;
  using F = operands<T>;
  clear_shared(F::bytes);
  auto accumulator = mma_begin(splat<accumulator_layout>(Acc(0)));
  const long long begin = now();
  for (int i = 0; i < iterations; ++i) {
    mma_start(shared_at<typename F::a>(0), transposed(shared_at<typename F::b>(128 * 128)),
              accumulator);
    mma_wait<1>();
  }
  mma_wait(accumulator);
  stop(begin, cycles);
  Acc all = 0;
  for (Acc x : accumulator.r)
    all += x;
  if (all != Acc(0))
    *sink = all;
}

// 64x64 elements of the accumulator of each warp, all operands in registers.
__global__ void __launch_bounds__(32 * warps_of_block) of_warps(long long *cycles, float *sink) {
  float accumulator[32][4] = {};
  unsigned a[4][4] = {}, b[8][2] = {};
  const long long begin = now();
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
    TESSERA_UNROLL
    for (int e = 0; e < 32; ++e)
      arch::mma_m16n8k16<bf16>(accumulator[e], a[e / 8], b[e % 8]);
  }
  float all = 0;
  for (const auto &four : accumulator)
    for (float x : four)
      all += x;
  if (all != 0)
    *sink = all;
  stop(begin, cycles);
}

// Boxes of 16 KB of one matrix that the cache holds, seven of eight stages ahead: all blocks read
// the same at a time, or each has its own.
using box = shared_tile<bf16, shape<128, 64>, panels<bf16, 7, 6>>;
constexpr int stages = 8, boxes = 1024, bytes_of_box = 128 * 128;

__global__ void __launch_bounds__(32) of_cache(long long *cycles, const bf16 *a, bool is_common,
                                               const __grid_constant__ tensor_maps<1> maps) {
  const view<const bf16, 2> v{a, {boxes * 128, 64}, {64, 1}};
  const auto map = get_required_tensor_map<0, 0>(maps);
  auto barriers = init_barriers<stages, 1>(stages * bytes_of_box, map);
  auto start = [&](int i) {
    const int blocks = static_cast<int>(gridDim.x), own = static_cast<int>(blockIdx.x);
    const int at = (is_common ? i : i * blocks + own) % boxes;
    copy_async(shared_slot<box>(0, i % stages), v, {at * 128, 0}, map, barriers, i % stages);
  };
  const long long begin = now();
  for (int i = 0; i < iterations; ++i) {
    start(i);
    if (i >= stages - 1)
      consumer_wait(barriers, (i + 1) % stages);
  }
  stop(begin, cycles);
  for (int i = 1; i < stages; ++i)
    consumer_wait(barriers, (iterations + i) % stages);
}

__global__ void __launch_bounds__(1024) of_shared(long long *cycles, unsigned *sink) {
  constexpr int bytes = 16 * 1024;
  clear_shared(bytes);
  unsigned all = 0;
  int at = 16 * arch::thread_index();
  const long long begin = now();
#pragma unroll 8
  for (int i = 0; i < iterations; ++i) {
    const auto x = arch::load_shared<16>(shared_memory(), at);
    all |= x.w[0] | x.w[1] | x.w[2] | x.w[3];
    at = (at + static_cast<int>(x.w[0]) + 16 * 32) % bytes;
  }
  barrier();
  stop(begin, cycles);
  if (all != 0)
    *sink = all;
}

// Prints what a block did in a cycle: the median of all SMs.
template <class Kernel, class... Arguments>
void measure(const std::string &what, double work, double in_model, Kernel kernel, int threads,
             int shared_bytes, long long *cycles, Arguments... arguments) {
  int device = 0, blocks = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device));
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  for (int run = 0; run < 2; ++run)
    kernel<<<blocks, threads, shared_bytes>>>(cycles, arguments...);
  check(cudaDeviceSynchronize());
  std::vector<long long> all(blocks);
  check(cudaMemcpy(all.data(), cycles, blocks * sizeof(long long), cudaMemcpyDeviceToHost));
  std::nth_element(all.begin(), all.begin() + blocks / 2, all.end());
  std::printf("%-44s %7.1f  in the model %6.0f\n", what.c_str(), work / double(all[blocks / 2]),
              in_model);
}

int main() {
  // One block alone on its SM.
  constexpr int alone = 120 * 1024;
  product::array<long long> cycles(1024);
  product::array<float> sink(1);
  product::array<bf16> matrix(std::vector<bf16>(boxes * 128 * 64));
  auto multiply_adds = [](int depth) { return 128.0 * 256 * depth * iterations; };
  measure("multiply-adds by wgmma: 16 bits", multiply_adds(64), 2048, of_warpgroups<bf16, float>,
          256, alone, cycles, (float *)sink);
  measure("of 8 bits", multiply_adds(128), 4096, of_warpgroups<fp8_e4m3, float>, 256, alone, cycles,
          (float *)sink);
  measure("of integers of 8 bits", multiply_adds(128), 4096, of_warpgroups<signed char, int>, 256,
          alone, cycles, (int *)(float *)sink);
  measure("of tf32", multiply_adds(32), 1024, of_warpgroups<tf32, float>, 256, alone, cycles,
          (float *)sink);
  measure("by mma.sync: 16 bits", 64.0 * 64 * 16 * warps_of_block * iterations, 0.6 * 2048,
          of_warps, 256, alone, cycles, (float *)sink);
  tensor_maps<1> maps{};
  host::encode_tensor_map<0, box>(maps, view<const bf16, 2>{matrix, {boxes * 128, 64}, {64, 1}});
  const double bytes = double(iterations - stages + 1) * bytes_of_box;
  for (bool is_common : {true, false})
    measure(is_common ? "bytes from the L2 cache: the same for all" : "of its own for each", bytes,
            64, of_cache, 32, stages * bytes_of_box + 128, cycles, (const bf16 *)matrix, is_common,
            maps);
  measure("bytes of shared memory", 16.0 * 1024 * iterations, 128, of_shared, 1024, alone, cycles,
          (unsigned *)(float *)sink);
}
