// The launch configuration on its way from a launch to the kernel: `k<<<grid, block, shared,
// stream>>>(args)` is rewritten to `(configure(grid, block, shared, stream), k(args))`.
//
// Configurations form a stack per thread, since the arguments of one launch may themselves launch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

namespace tessera::host {

struct launch_configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared_memory;
  cudaStream_t stream;
};

inline thread_local std::vector<launch_configuration> configured_launches;

inline void configure(dim3 grid, dim3 block = 1, std::size_t shared_memory = 0,
                      cudaStream_t stream = nullptr) {
  configured_launches.push_back({grid, block, shared_memory, stream});
}

// The configuration of the launch that called the running kernel entry. There is one.
inline launch_configuration take_configuration() {
  launch_configuration c = configured_launches.back();
  configured_launches.pop_back();
  return c;
}

// The launch that called the running kernel entry, once; null inside a block. Launch holds its
// configuration.
template <class Launch> Launch *take_pending() {
  if (configured_launches.empty())
    return nullptr;
  static thread_local Launch current;
  current.configuration = take_configuration();
  return &current;
}

// A tile kernel has no block size: what may be given is 1. The limits of a grid are CUDA's.
inline bool is_tile_launch(dim3 grid, dim3 block) {
  const bool one_thread = block.x == 1 && block.y == 1 && block.z == 1;
  return one_thread && grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.x <= 0x7fffffffu &&
         grid.y <= 0xffffu && grid.z <= 0xffffu;
}

} // namespace tessera::host
