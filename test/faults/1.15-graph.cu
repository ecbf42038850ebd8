// Launches through a graph: text that does not compile, no launch on the CPU.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void add(int *x, int n) { x[0] += n; }

int main() {
  run::array<int> x(1);
  int *pointer = x, n = 5;
  void *arguments[] = {&pointer, &n};
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t node;
  cudaKernelNodeParams parameters{};
  parameters.func = (void *)add;
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  run::require(cudaGraphCreate(&graph, 0));
  run::require(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  run::require(cudaGraphInstantiate(&executable, graph, 0));
  run::require(cudaGraphLaunch(executable, 0));
  run::require(cudaGraphLaunch(executable, 0));
  run::expect("x", x, [](auto) { return 10; });
  return run::finish();
}
