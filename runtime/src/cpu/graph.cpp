// Graphs of kernels, copies, fills, host functions and empty nodes. A node's dependencies exist
// before it does, so the nodes run in the order of their creation.
#include "graph.h"
#include "last_error.h"

#include <tessera/host/capture.h>

#include <algorithm>
#include <cstring>

using tessera::host::kernel_node;
using tessera::host::note;

void **kernel_node::find_arguments() {
  addresses.clear();
  for (auto &argument : arguments)
    addresses.push_back(argument.data());
  addresses.push_back(nullptr);
  return addresses.data();
}

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
  if (!found->is_simt && !tessera::host::is_tile_launch(p.gridDim, p.blockDim))
    return note(cudaErrorInvalidConfiguration);
  kernel_node node{p.func, {p.gridDim, p.blockDim, p.sharedMemBytes, nullptr}, {}, {}};
  for (size_t i = 0; found->parameter_sizes[i]; i++) {
    const size_t size = found->parameter_sizes[i], word = sizeof(std::max_align_t);
    node.arguments.emplace_back((size + word - 1) / word);
    std::memcpy(node.arguments.back().data(), p.kernelParams[i], size);
  }
  kernel = std::move(node);
  return cudaSuccess;
}

cudaError_t add(cudaGraphNode_t *result, cudaGraph_t graph, std::optional<kernel_node> kernel,
                std::function<cudaError_t()> operation = nullptr) {
  graph->nodes.push_back(
      std::make_unique<CUgraphNode_st>(CUgraphNode_st{std::move(kernel), std::move(operation)}));
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
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *, size_t, void *to, const void *from,
                                     size_t count, cudaMemcpyKind kind) {
  return add(node, graph, std::nullopt, [=] { return cudaMemcpy(to, from, count, kind); });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *,
                                 size_t, const cudaHostNodeParams *parameters) {
  return add(node, graph, std::nullopt, [p = *parameters] {
    p.fn(p.userData);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  const size_t room = *count;
  *count = graph->nodes.size();
  for (size_t i = 0; nodes && i < room && i < graph->nodes.size(); i++)
    nodes[i] = graph->nodes[i].get();
  return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *parameters) {
  if (!node->kernel)
    return note(cudaErrorInvalidValue); // or captured: then its arguments are unknown
  kernel_node &k = *node->kernel;
  *parameters = {};
  parameters->func = const_cast<void *>(k.entry);
  parameters->gridDim = k.configuration.grid;
  parameters->blockDim = k.configuration.block;
  parameters->sharedMemBytes = static_cast<unsigned>(k.configuration.shared_memory);
  parameters->kernelParams = k.find_arguments();
  return cudaSuccess;
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
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return tessera::host::run_in(stream, [=] {
    for (auto &[original, node] : executable->nodes) {
      cudaError_t error = cudaSuccess;
      if (node.kernel)
        error = tessera::host::launch_entry(node.kernel->entry, node.kernel->configuration,
                                            node.kernel->find_arguments());
      else if (node.operation)
        error = node.operation();
      if (error != cudaSuccess)
        return error;
    }
    return cudaSuccess;
  });
}

} // extern "C"
