// Graphs of kernels and empty nodes. A node's dependencies exist before it does, so the nodes run
// in the order in which they were made. Other nodes, and the capture of streams, are not supported
// here: their calls say so.
#include "last_error.h"
#include "launch.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

using tessera::host::note;

// A launch with its own copy of the arguments.
struct kernel_node {
  const void *entry;
  tessera::host::launch_configuration configuration;
  std::vector<std::vector<std::max_align_t>> arguments;

  cudaError_t run() {
    std::vector<void *> addresses;
    for (auto &argument : arguments)
      addresses.push_back(argument.data());
    addresses.push_back(nullptr);
    return tessera::host::launch_entry(entry, configuration, addresses.data());
  }
};

struct CUgraphNode_st {
  std::optional<kernel_node> kernel; // none: an empty node
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};
struct CUgraphExec_st {
  std::vector<std::pair<const CUgraphNode_st *, CUgraphNode_st>> nodes; // whose copy each is
};

namespace {

template <class Parameters>
cudaError_t read(const Parameters &p, std::optional<kernel_node> &kernel) {
  const auto *found = tessera::host::find_entry(p.func);
  if (!found)
    return note(cudaErrorInvalidDeviceFunction);
  if (p.extra)
    return note(cudaErrorNotSupported);
  if (!tessera::host::is_tile_launch(p.gridDim, p.blockDim))
    return note(cudaErrorInvalidConfiguration);
  kernel_node node{p.func, {p.gridDim, p.blockDim, p.sharedMemBytes, nullptr}, {}};
  for (size_t i = 0; found->parameter_sizes[i]; i++) {
    const size_t size = found->parameter_sizes[i], word = sizeof(std::max_align_t);
    node.arguments.emplace_back((size + word - 1) / word);
    std::memcpy(node.arguments.back().data(), p.kernelParams[i], size);
  }
  kernel = std::move(node);
  return cudaSuccess;
}

cudaError_t add(cudaGraphNode_t *result, cudaGraph_t graph, std::optional<kernel_node> kernel) {
  graph->nodes.push_back(std::make_unique<CUgraphNode_st>(CUgraphNode_st{std::move(kernel)}));
  *result = graph->nodes.back().get();
  return cudaSuccess;
}

CUgraphNode_st *copy_of(cudaGraphExec_t executable, cudaGraphNode_t node) {
  for (auto &[original, copy] : executable->nodes)
    if (original == node)
      return &copy;
  return nullptr;
}

} // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned) {
  *graph = new CUgraph_st;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *,
                                  size_t) {
  return add(node, graph, std::nullopt);
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *, size_t,
                                   const cudaKernelNodeParams *parameters) {
  std::optional<kernel_node> kernel;
  const cudaError_t error = read(*parameters, kernel);
  return error == cudaSuccess ? add(node, graph, std::move(kernel)) : error;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams *parameters) {
  return read(*parameters, node->kernel);
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams *parameters) {
  CUgraphNode_st *copy = copy_of(executable, node);
  return copy ? read(*parameters, copy->kernel) : note(cudaErrorInvalidValue);
}

#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *,
                             const cudaGraphEdgeData *, size_t, cudaGraphNodeParams *parameters) {
  std::optional<kernel_node> kernel;
  if (parameters->type == cudaGraphNodeTypeEmpty)
    return add(node, graph, std::nullopt);
  if (parameters->type != cudaGraphNodeTypeKernel)
    return note(cudaErrorNotSupported);
  const cudaError_t error = read(parameters->kernel, kernel);
  return error == cudaSuccess ? add(node, graph, std::move(kernel)) : error;
}
#endif

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long) {
  *executable = new CUgraphExec_st;
  for (const auto &node : graph->nodes)
    (*executable)->nodes.emplace_back(node.get(), *node);
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t) {
  for (auto &[original, node] : executable->nodes)
    if (node.kernel)
      if (const cudaError_t error = node.kernel->run(); error != cudaSuccess)
        return error;
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  return note(cudaErrorNotSupported);
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *graph) {
  *graph = nullptr;
  return note(cudaErrorNotSupported);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *status) {
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

} // extern "C"
