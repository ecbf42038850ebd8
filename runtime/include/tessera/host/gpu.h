// Tile kernels on a GPU: the choice of a plan for a device, registrations, launches.
//
// The plan matches the code that the driver chose for the device, not the device: PTX for
// compute_80 that is compiled on a GPU of a later architecture is still the code planned for sm_80.
// The runtime reports the virtual architecture of the chosen code; the same number selects the
// sections of the generated code (#if __CUDA_ARCH__).
#pragma once

#include "kernel.h"

namespace tessera::host {

using gpu_registry = kernel_registry<kernel_record>;

// The record of an entry, or null.
inline const kernel_record *find_kernel(const void *entry) {
  return gpu_registry::instance().find(entry);
}

// The entry of a generated kernel, or null; `coarsened`: the coarsened plan if the kernel runs in
// place of the entry's own.
inline const void *find_entry_of(const void *kernel, const coarsened_plan *&coarsened) {
  coarsened = nullptr;
  return gpu_registry::instance().find_entry([&](const kernel_record &record) {
    for (unsigned i = 0; i < record.plan_count; i++)
      if (kernel && record.plans[i].coarsened.kernel == kernel)
        coarsened = &record.plans[i].coarsened;
    return coarsened || record.kernel == kernel;
  });
}

template <class F, F Entry> class kernel_registration {
public:
  // The kernel takes by address what the entry takes by reference.
  template <class Kernel>
  kernel_registration(Kernel *kernel, const char *name, std::initializer_list<launch_plan> plans)
      : record{reinterpret_cast<const void *>(kernel), name, {}, 0, {}} {
    for (const launch_plan &plan : plans)
      record.plans[record.plan_count++] = plan;
    fill_slot<F, Entry>(&record);
    gpu_registry::instance().add(entry(), &record);
  }
  ~kernel_registration() { gpu_registry::instance().remove(entry(), &record); }
  kernel_registration(const kernel_registration &) = delete;
  kernel_registration &operator=(const kernel_registration &) = delete;

private:
  static const void *entry() { return reinterpret_cast<const void *>(Entry); }

  kernel_record record;
};

// The plan of the code that the current device runs, after raising the kernel's shared memory
// limit. Null after an error, which the runtime records.
inline const launch_plan *choose_plan(const kernel_record &k, cudaError_t &error) {
  constexpr unsigned without_asking = 48 << 10;
  cudaFuncAttributes attributes;
  error = cudaFuncGetAttributes(&attributes, k.kernel);
  if (error != cudaSuccess)
    return nullptr;
  const launch_plan *plan = nullptr;
  for (unsigned i = 0; i < k.plan_count; i++)
    if (k.plans[i].arch <= static_cast<unsigned>(attributes.ptxVersion))
      plan = &k.plans[i];
  // The image contains its number of threads; a mismatch, as in a library of mixed parts, is
  // refused.
  if (!plan || static_cast<unsigned>(attributes.maxThreadsPerBlock) != plan->threads) {
    error = cudaErrorInvalidKernelImage;
    return nullptr;
  }
  auto allow = [&](const void *kernel, unsigned bytes) {
    if (error == cudaSuccess && kernel && bytes > without_asking)
      error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes));
  };
  allow(k.kernel, plan->dynamic_shared_memory);
  allow(plan->coarsened.kernel, plan->coarsened.dynamic_shared_memory);
  return error == cudaSuccess ? plan : nullptr;
}

// The same, computed once per device. multiprocessors: of the device, if recorded, else 0.
inline const launch_plan *prepare(const kernel_record &k, cudaError_t &error,
                                  unsigned *multiprocessors = nullptr) {
  int device = 0;
  error = cudaGetDevice(&device);
  if (error != cudaSuccess)
    return nullptr;
  if (device >= kernel_record::device_count)
    return choose_plan(k, error);
  const launch_plan *plan = __atomic_load_n(&k.prepared[device], __ATOMIC_ACQUIRE);
  if (!plan && (plan = choose_plan(k, error))) {
    int count = 0;
    error = cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess)
      return nullptr;
    __atomic_store_n(&k.multiprocessors[device], static_cast<unsigned>(count), __ATOMIC_RELAXED);
    __atomic_store_n(&k.prepared[device], plan, __ATOMIC_RELEASE);
  }
  if (plan && multiprocessors)
    *multiprocessors = __atomic_load_n(&k.multiprocessors[device], __ATOMIC_RELAXED);
  return plan;
}

// Is a plan's coarsened kernel, which has fewer blocks, faster? Compares the time of the
// multiprocessors, each with its share of the blocks. Blocks of parts are faster in any case.
inline bool is_coarsened_faster(const coarsened_plan &plan, dim3 blocks, unsigned multiprocessors) {
  if (plan.parts > 1)
    return true;
  auto cycles = [&](dim3 grid, unsigned long long each) {
    const unsigned long long count = 1ull * grid.x * grid.y * grid.z;
    return (count + multiprocessors - 1) / multiprocessors * each;
  };
  const unsigned long long own = cycles(plan.grid_of(blocks), plan.cycles),
                           other = cycles(blocks, plan.cycles_of_other);
  // A persistent kernel without coarsening starts the next work tile's copies earlier.
  return own < other || (plan.is_persistent && own == other);
}

// The blocks that a plan's coarsened kernel processes; none if the other kernel runs. A launch with
// fewer blocks than multiprocessors leaves some to other launches; a grid that is too large must be
// refused.
inline dim3 blocks_to_coarsen(const coarsened_plan &plan, dim3 launched, void **arguments,
                              unsigned multiprocessors) {
  const dim3 none(0, 0, 0);
  constexpr unsigned most = 65535; // along y and z
  const bool fills =
                 plan.parts > 1 || 1ull * launched.x * launched.y * launched.z >= multiprocessors,
             may_be = launched.y <= most && launched.z <= most;
  if (!plan.kernel || !multiprocessors || !fills || !may_be)
    return none;
  const dim3 blocks = plan.blocks_of(launched, arguments);
  return is_coarsened_faster(plan, blocks, multiprocessors) && plan.can_take(blocks) ? blocks
                                                                                     : none;
}

// Converts the program's grid and block to those of the generated kernel. A launch with a block
// size or an empty grid becomes one without blocks, which the runtime refuses as an invalid
// configuration, as it does for kernels without tiles.
inline void plan_threads(dim3 &grid, dim3 &block, unsigned threads) {
  if (!is_tile_launch(grid, block))
    grid = dim3(0);
  block = dim3(threads);
}

// Such a launch; the runtime records the error.
inline cudaError_t refuse_launch(const kernel_record &k, void **arguments, cudaStream_t stream) {
  cudaError_t error;
  const launch_plan *plan = prepare(k, error);
  const launch_arguments all(plan, arguments);
  return cudaLaunchKernel(k.kernel, dim3(0), dim3(plan ? plan->threads : 1), all.get(), 0, stream);
}

inline cudaError_t launch_planned(const kernel_record &k, dim3 grid, void **arguments,
                                  cudaStream_t stream) {
  cudaError_t error;
  unsigned multiprocessors = 0;
  const launch_plan *plan = prepare(k, error, &multiprocessors);
  if (!plan) {
    // Recorded for cudaGetLastError if the runtime has not done so.
    if (error == cudaErrorInvalidKernelImage)
      cudaLaunchKernel(nullptr, grid, 1, arguments, 0, stream);
    return error;
  }
  const coarsened_plan &other = plan->coarsened;
  if (const dim3 blocks = blocks_to_coarsen(other, grid, arguments, multiprocessors); blocks.x) {
    const launch_arguments all(other, {blocks, grid}, arguments);
    if (all.has_required_tensor_maps())
      return cudaLaunchKernel(other.kernel, other.launch_of(blocks, multiprocessors),
                              threads_of(other, all.get()), all.get(), other.dynamic_shared_memory,
                              stream);
  }
  return cudaLaunchKernel(k.kernel, grid, threads_of(*plan, arguments),
                          launch_arguments(plan, arguments).get(), plan->dynamic_shared_memory,
                          stream);
}

inline cudaError_t launch_record(const kernel_record &k, dim3 grid, void **arguments,
                                 cudaStream_t stream) {
#ifdef TESSERA_VERIFY_LAUNCHES
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(stream, &status);
  if (status == cudaStreamCaptureStatusNone)
    return follow(k.name, k.kernel, &grid, [&](std::span<const std::size_t>) {
      const cudaError_t error = launch_planned(k, grid, arguments, stream);
      return error == cudaSuccess ? cudaDeviceSynchronize() : error;
    });
#endif
  return launch_planned(k, grid, arguments, stream);
}

} // namespace tessera::host
