// The functions of the CUDA runtime that take a kernel, for kernels that may be tile kernels: a
// program's calls are rewritten to these (plugin/frontend/edit/RuntimeCalls.def names them).
//
// For a tile kernel, the generated kernel, its threads and its shared memory replace the given
// ones; everything else goes to the runtime unchanged. A launch with a block size is refused, as by
// <<<>>>. Functions that would hand out the generated kernel itself, to be launched with one
// thread, are not supported.
#pragma once

#include "gpu.h"

#include <cuda_runtime.h>

#include <utility>

namespace tessera::host::calls {

// A kernel as callers name it: the function itself, or its address.
struct any_kernel {
  const void *address;

  any_kernel(const void *address) : address(address) {}
  template <class... P> any_kernel(void (*kernel)(P...))
      : address(reinterpret_cast<const void *>(kernel)) {}
  operator const void *() const { return address; }
};

// The facts of the kernel that a launch of `function` really runs; empty for other kernels.
struct launch_facts {
  const kernel_record *record;
  const launch_plan *plan;
  cudaError_t error;

  explicit launch_facts(any_kernel function)
      : record(find_kernel(function)), plan(nullptr), error(cudaSuccess) {
    if (record)
      plan = prepare(*record, error);
  }
};

inline cudaError_t cudaLaunchKernel(any_kernel function, dim3 grid, dim3 block, void **arguments,
                                    std::size_t shared_memory = 0, cudaStream_t stream = nullptr) {
  const kernel_record *k = find_kernel(function);
  if (!k)
    return ::cudaLaunchKernel(function.address, grid, block, arguments, shared_memory, stream);
  if (!is_tile_launch(grid, block))
    return refuse_launch(*k, arguments, stream);
  return launch_record(*k, grid, arguments, stream);
}

inline cudaError_t cudaLaunchCooperativeKernel(any_kernel function, dim3 grid, dim3 block,
                                               void **arguments, std::size_t shared_memory = 0,
                                               cudaStream_t stream = nullptr) {
  const launch_facts k(function);
  if (!k.record)
    return ::cudaLaunchCooperativeKernel(function.address, grid, block, arguments, shared_memory,
                                         stream);
  if (!k.plan)
    return k.error;
  plan_threads(grid, block, k.plan->threads);
  return ::cudaLaunchCooperativeKernel(k.record->kernel, grid, block,
                                       launch_arguments(k.plan, arguments).get(),
                                       k.plan->dynamic_shared_memory, stream);
}

// The configuration of a launch with a tile kernel's threads and shared memory.
inline cudaLaunchConfig_t planned(const cudaLaunchConfig_t &given, const launch_plan &plan) {
  cudaLaunchConfig_t c = given;
  plan_threads(c.gridDim, c.blockDim, plan.threads);
  c.dynamicSmemBytes = plan.dynamic_shared_memory;
  return c;
}

inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration, any_kernel function,
                                       void **arguments) {
  const launch_facts k(function);
  if (!k.record || !configuration)
    return ::cudaLaunchKernelExC(configuration, function.address, arguments);
  if (!k.plan)
    return k.error;
  const cudaLaunchConfig_t c = planned(*configuration, *k.plan);
  return ::cudaLaunchKernelExC(&c, k.record->kernel, launch_arguments(k.plan, arguments).get());
}

template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *configuration, void (*kernel)(P...),
                               A &&...arguments) {
  return [&](P... converted) {
    void *addresses[] = {(void *)&converted..., nullptr};
    return calls::cudaLaunchKernelExC(configuration, reinterpret_cast<const void *>(kernel),
                                      addresses);
  }(std::forward<A>(arguments)...);
}

// Callers see blocks of one thread without shared memory.
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, any_kernel function) {
  const kernel_record *k = find_kernel(function);
  const cudaError_t error = ::cudaFuncGetAttributes(attributes, k ? k->kernel : function.address);
  if (k && error == cudaSuccess)
    attributes->maxThreadsPerBlock = 1;
  return error;
}

// Callers cannot change a tile kernel's shared memory.
inline cudaError_t cudaFuncSetAttribute(any_kernel function, cudaFuncAttribute attribute,
                                        int value) {
  const kernel_record *k = find_kernel(function);
  if (k && attribute == cudaFuncAttributeMaxDynamicSharedMemorySize)
    return cudaSuccess;
  return ::cudaFuncSetAttribute(k ? k->kernel : function.address, attribute, value);
}

inline cudaError_t cudaFuncSetCacheConfig(any_kernel function, cudaFuncCache configuration) {
  const kernel_record *k = find_kernel(function);
  return ::cudaFuncSetCacheConfig(k ? k->kernel : function.address, configuration);
}

inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, any_kernel function, int threads, std::size_t shared_memory, unsigned flags) {
  const launch_facts k(function);
  if (!k.record)
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function.address,
                                                                    threads, shared_memory, flags);
  if (!k.plan)
    return k.error;
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, k.record->kernel, threads == 1 ? static_cast<int>(k.plan->threads) : 0,
      k.plan->dynamic_shared_memory, flags);
}

inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, any_kernel function,
                                                                 int threads,
                                                                 std::size_t shared_memory) {
  return calls::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, function, threads, shared_memory, cudaOccupancyDefault);
}

// The smallest grid that fills the device, of blocks of one thread.
inline cudaError_t fill_device(int *grid, int *block, const void *function) {
  int device = 0, multiprocessors = 0, blocks = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = calls::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 1, 0);
  *grid = multiprocessors * blocks;
  *block = 1;
  return error;
}

template <class F, class... Rest>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F function, Rest... rest) {
  const void *address = (const void *)function;
  return find_kernel(address)
             ? fill_device(grid, block, address)
             : ::cudaOccupancyMaxPotentialBlockSize(grid, block, function, rest...);
}
template <class F, class... Rest> cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, F function, Rest... rest) {
  const void *address = (const void *)function;
  return find_kernel(address)
             ? fill_device(grid, block, address)
             : ::cudaOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, rest...);
}
template <class F, class... Rest> cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, F function, Rest... rest) {
  const void *address = (const void *)function;
  return find_kernel(address)
             ? fill_device(grid, block, address)
             : ::cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, function, rest...);
}
template <class F, class... Rest>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid, int *block,
                                                                    F function, Rest... rest) {
  const void *address = (const void *)function;
  return find_kernel(address) ? fill_device(grid, block, address)
                              : ::cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
                                    grid, block, function, rest...);
}

inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t *bytes,
                                                             any_kernel function, int blocks,
                                                             int threads) {
  const launch_facts k(function);
  if (!k.record)
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function.address, blocks, threads);
  if (!k.plan)
    return k.error;
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, k.record->kernel, blocks,
                                                     static_cast<int>(k.plan->threads));
}

inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, any_kernel function,
                                                        const cudaLaunchConfig_t *configuration) {
  const launch_facts k(function);
  if (!k.record || !configuration)
    return ::cudaOccupancyMaxPotentialClusterSize(size, function.address, configuration);
  if (!k.plan)
    return k.error;
  const cudaLaunchConfig_t c = planned(*configuration, *k.plan);
  return ::cudaOccupancyMaxPotentialClusterSize(size, k.record->kernel, &c);
}

inline cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, any_kernel function,
                                                  const cudaLaunchConfig_t *configuration) {
  const launch_facts k(function);
  if (!k.record || !configuration)
    return ::cudaOccupancyMaxActiveClusters(clusters, function.address, configuration);
  if (!k.plan)
    return k.error;
  const cudaLaunchConfig_t c = planned(*configuration, *k.plan);
  return ::cudaOccupancyMaxActiveClusters(clusters, k.record->kernel, &c);
}

// The parameters of a graph node, with a tile kernel's own ones substituted. `Parameters` names its
// members as cudaKernelNodeParams does. A kernel that takes tensor maps takes its arguments one by
// one.
template <class Parameters> struct planned_node {
  const launch_facts k;
  const launch_arguments arguments;
  Parameters parameters;
  cudaError_t error;

  explicit planned_node(const Parameters &given)
      : k(reinterpret_cast<const void *>(given.func)), arguments(k.plan, given.kernelParams),
        parameters(given), error(k.error) {
    if (!k.plan)
      return;
    if (k.plan->maps.make && !given.kernelParams)
      error = cudaErrorNotSupported;
    parameters.func = const_cast<void *>(k.record->kernel);
    plan_threads(parameters.gridDim, parameters.blockDim, k.plan->threads);
    parameters.sharedMemBytes = k.plan->dynamic_shared_memory;
    parameters.kernelParams = arguments.get();
  }
};

inline cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies, std::size_t count,
                                          const cudaKernelNodeParams *parameters) {
  const planned_node p(*parameters);
  return p.error == cudaSuccess
             ? ::cudaGraphAddKernelNode(node, graph, dependencies, count, &p.parameters)
             : p.error;
}

// Callers see the entry, and blocks of one thread.
inline cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                                cudaKernelNodeParams *parameters) {
  const cudaError_t error = ::cudaGraphKernelNodeGetParams(node, parameters);
  if (error != cudaSuccess)
    return error;
  const coarsened_plan *coarsened;
  if (const void *entry = find_entry_of(parameters->func, coarsened)) {
    if (coarsened)
      parameters->gridDim =
          static_cast<const coarsened_grid *>(parameters->kernelParams[coarsened->parameters])
              ->launched;
    parameters->func = const_cast<void *>(entry);
    parameters->blockDim = dim3(1);
    parameters->sharedMemBytes = 0;
  }
  return cudaSuccess;
}

inline cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                const cudaKernelNodeParams *parameters) {
  const planned_node p(*parameters);
  return p.error == cudaSuccess ? ::cudaGraphKernelNodeSetParams(node, &p.parameters) : p.error;
}

inline cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                                    const cudaKernelNodeParams *parameters) {
  const planned_node p(*parameters);
  return p.error == cudaSuccess ? ::cudaGraphExecKernelNodeSetParams(graph, node, &p.parameters)
                                : p.error;
}

#if CUDART_VERSION >= 12040

template <> struct planned_node<cudaGraphNodeParams> {
  using kernel_parameters = decltype(cudaGraphNodeParams::kernel);

  const planned_node<kernel_parameters> kernel;
  cudaGraphNodeParams parameters;
  cudaError_t error;

  explicit planned_node(const cudaGraphNodeParams &given)
      : kernel(given.type == cudaGraphNodeTypeKernel ? given.kernel : kernel_parameters()),
        parameters(given), error(kernel.error) {
    if (given.type == cudaGraphNodeTypeKernel)
      parameters.kernel = kernel.parameters;
  }
};

#if CUDART_VERSION >= 13000
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies,
                                    const cudaGraphEdgeData *edges, std::size_t count,
                                    cudaGraphNodeParams *parameters) {
  planned_node p(*parameters);
  return p.error == cudaSuccess
             ? ::cudaGraphAddNode(node, graph, dependencies, edges, count, &p.parameters)
             : p.error;
}
#else
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies, std::size_t count,
                                    cudaGraphNodeParams *parameters) {
  planned_node p(*parameters);
  return p.error == cudaSuccess
             ? ::cudaGraphAddNode(node, graph, dependencies, count, &p.parameters)
             : p.error;
}
#endif

inline cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *parameters) {
  planned_node p(*parameters);
  return p.error == cudaSuccess ? ::cudaGraphNodeSetParams(node, &p.parameters) : p.error;
}

inline cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                              cudaGraphNodeParams *parameters) {
  planned_node p(*parameters);
  return p.error == cudaSuccess ? ::cudaGraphExecNodeSetParams(graph, node, &p.parameters)
                                : p.error;
}

inline cudaError_t cudaFuncGetName(const char **name, any_kernel function) {
  const kernel_record *k = find_kernel(function);
  return ::cudaFuncGetName(name, k ? k->kernel : function.address);
}

inline cudaError_t cudaFuncGetParamInfo(any_kernel function, std::size_t parameter,
                                        std::size_t *offset, std::size_t *size) {
  const kernel_record *k = find_kernel(function);
  return ::cudaFuncGetParamInfo(k ? k->kernel : function.address, parameter, offset, size);
}

inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t *result, any_kernel function) {
  return find_kernel(function) ? cudaErrorNotSupported
                               : ::cudaGetFuncBySymbol(result, function.address);
}

inline cudaError_t cudaGetKernel(cudaKernel_t *result, any_kernel function) {
  return find_kernel(function) ? cudaErrorNotSupported : ::cudaGetKernel(result, function.address);
}

#endif

} // namespace tessera::host::calls
