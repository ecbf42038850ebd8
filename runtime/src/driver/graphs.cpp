// Graphs, with which programs measure kernels: those of the CUDA runtime without a GPU, whose nodes
// run in the order of their creation. Memory that a node allocates is there at once.
#include "driver.h"

#include "../cpu/graph.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace tessera::driver {
namespace {

CUresult add(CUgraphNode *node, CUgraph graph, std::function<CUresult()> operation) {
  graph->nodes.push_back(std::make_unique<CUgraphNode_st>(
      CUgraphNode_st{std::nullopt, [operation = std::move(operation)] {
                       return static_cast<cudaError_t>(operation());
                     }}));
  *node = graph->nodes.back().get();
  return CUDA_SUCCESS;
}

// A launch's own copies of its arguments.
class arguments_of_node {
public:
  arguments_of_node(const unsigned *sizes, void *const *given) {
    constexpr std::size_t word = sizeof(std::max_align_t);
    for (std::size_t i = 0; sizes[i]; ++i) {
      values.emplace_back((sizes[i] + word - 1) / word);
      std::memcpy(values.back().data(), given[i], sizes[i]);
    }
  }
  std::vector<void *> addresses() {
    std::vector<void *> all;
    all.reserve(values.size());
    for (auto &value : values)
      all.push_back(value.data());
    return all;
  }

private:
  std::vector<std::vector<std::max_align_t>> values;
};

} // namespace
} // namespace tessera::driver

using namespace tessera::driver;

extern "C" {

CUresult cuGraphCreate(CUgraph *graph, unsigned flags) {
  return result(cudaGraphCreate(graph, flags));
}
CUresult cuGraphDestroy(CUgraph graph) { return result(cudaGraphDestroy(graph)); }

CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *, size_t,
                                   CUevent event) {
  return add(node, graph, [=] { return cuEventRecord(event, nullptr); });
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *, size_t,
                              const CUDA_KERNEL_NODE_PARAMS *p) {
  const CUfunction function = p->func ? p->func : reinterpret_cast<CUfunction>(p->kern);
  const CUlaunchConfig how{p->gridDimX,  p->gridDimY,       p->gridDimZ, p->blockDimX, p->blockDimY,
                           p->blockDimZ, p->sharedMemBytes, nullptr,     nullptr,      0};
  arguments_of_node copies(kernel_of(function).parameters, p->kernelParams);
  return add(node, graph,
             [=]() mutable { return launch(how, function, copies.addresses().data()); });
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *, size_t,
                                CUDA_MEM_ALLOC_NODE_PARAMS *parameters) {
  if (const CUresult error = cuMemAlloc(&parameters->dptr, parameters->bytesize))
    return error;
  return add(node, graph, [] { return CUDA_SUCCESS; });
}
CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *, size_t,
                               CUdeviceptr memory) {
  return add(node, graph, [=] { return cuMemFree(memory); });
}

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *, size_t,
                              const CUDA_MEMSET_NODE_PARAMS *parameters, CUcontext) {
  if (parameters->elementSize != 1 || parameters->height != 1)
    return failed(CUDA_ERROR_NOT_SUPPORTED, "the emulator's driver fills rows of bytes alone");
  return add(node, graph, [p = *parameters] {
    std::memset(std::bit_cast<void *>(p.dst), static_cast<int>(p.value), p.width);
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph,
                                     unsigned long long flags) {
  return result(cudaGraphInstantiate(executable, graph, flags));
}
CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return result(cudaGraphExecDestroy(executable));
}
CUresult cuGraphLaunch(CUgraphExec executable, CUstream) {
  return result(cudaGraphLaunch(executable, nullptr));
}

} // extern "C"
