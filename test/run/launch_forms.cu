// Every form of a launch, of tile kernels and of SIMT kernels beside them: configurations of one
// to four values, streams, pointers and templates, cudaLaunchKernel and its like, captured and
// explicit graphs, and what may be asked of a kernel. A block of more than one thread is refused.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void add(int *p, int n) { p[ct::bid().x] += n; }
template <class T, int N> __tile_global__ void add_constant(T *p) { p[ct::bid().x] += T(N); }
__global__ void simt(int *p, int n) { p[blockIdx.x * blockDim.x + threadIdx.x] += n; }
template <class T> __global__ void simt_template(T *p, T n) { p[threadIdx.x] += n; }

template <class K, class... A> void launch(K kernel, A... arguments) {
  kernel<<<4, 1>>>(arguments...);
}
template <auto Kernel, class... A> void launch_constant(A... arguments) {
  Kernel<<<4, 1>>>(arguments...);
}
template <class T> void launch_deduced(T *pointer, T n) { simt_template<<<1, 4>>>(pointer, n); }

using run::require;

int *p;
void expect_value(const char *what, long got, long wanted) {
  std::printf("%s: %ld\n", what, got);
  if (got != wanted)
    std::printf("wrong, should be %ld\n", wanted), ++run::failures;
}
void expect(const char *what, int wanted) {
  int values[5] = {};
  require(cudaDeviceSynchronize());
  require(cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost));
  require(cudaMemset(p, 0, sizeof values));
  expect_value(what, values[0], wanted);
  expect_value(what, values[3], wanted);
  expect_value(what, values[4], 0);
}
// As the same launch of a kernel without tiles that has no blocks.
void refused(const char *what, cudaError_t error, cudaError_t of_simt) {
  expect_value(what, error == of_simt && error != cudaSuccess, true);
  (void)cudaGetLastError();
}

void configurations(cudaStream_t stream) {
  const dim3 grid(4);
  dim3 block;
  block.x = 1;
  unsigned long blocks = 4;
  int threads = 1;
  add<<<4>>>(p, 1), add<<<4, 1>>>(p, 1), add<<<4, 1, 0>>>(p, 1),
      add<<<4u, dim3(1), 0, stream>>>(p, 1);
  add<<<dim3(4, 1), dim3(1, 1, 1)>>>(p, 1), add<<<grid, block>>>(p, 1),
      add<<<blocks, threads>>>(p, 1);
  add<<<4, 1, 0, cudaStreamLegacy>>>(p, 1), add<<<4, 1, 0, cudaStreamPerThread>>>(p, 1);
  expect("configurations", 9);
  auto pointer = add;
  pointer<<<4, 1>>>(p, 1), (*pointer)<<<4, 1>>>(p, 1), (threads ? add : pointer)<<<4, 1>>>(p, 1);
  for (void (*kernel)(int *, int) : {add, simt})
    kernel<<<4, 1>>>(p, 1);
  launch(add, p, 1), launch(&add_constant<int, 1>, p), launch_constant<add_constant<int, 1>>(p);
  launch(simt, p, 1), launch_constant<simt>(p, 1), launch_deduced(p, 1);
  expect("pointers", 11);
  threads = 2;
  add<<<4, threads>>>(p, 1);
  const cudaError_t block_size = cudaGetLastError();
  add<<<0, 1>>>(p, 1);
  const cudaError_t no_blocks = cudaGetLastError();
  simt<<<0, 1>>>(p, 1);
  const cudaError_t of_simt = cudaGetLastError();
  refused("<<<4, 2>>>", block_size, of_simt);
  refused("<<<0, 1>>>", no_blocks, of_simt);
  // CUDA 13.0 on an H100 gives the second where its runtime is a shared library.
  expect_value("<<<0, 1>>>",
               of_simt == cudaErrorInvalidConfiguration || of_simt == cudaErrorInvalidValue, true);
  expect("refused", 0);
}

void calls(cudaStream_t stream) {
  int n = 1;
  void *arguments[] = {&p, &n};
  require(cudaLaunchKernel(add, 4, 1, arguments));
  require(cudaLaunchKernel((void *)add_constant<int, 1>, 4, 1, arguments, 0, stream));
  require(cudaLaunchKernel(simt, 2, 2, arguments));
  require(cudaLaunchKernel((const void *)simt_template<int>, 1, 4, arguments, 0, stream));
  require(cudaLaunchCooperativeKernel(add, dim3(4), dim3(1), arguments, 0, stream));
  expect("cudaLaunchKernel", 5);
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributePriority;
  cudaLaunchConfig_t c = {};
  c.gridDim = 4, c.blockDim = 1, c.stream = stream;
  c.attrs = attributes, c.numAttrs = 2;
  require(cudaLaunchKernelEx(&c, add, p, 1));
  require(cudaLaunchKernelEx(&c, add_constant<int, 1>, p));
  require(cudaLaunchKernelExC(&c, (void *)add, arguments));
  c.gridDim = 2, c.blockDim = 2;
  require(cudaLaunchKernelEx(&c, simt, p, 1));
  require(cudaLaunchKernelExC(&c, (void *)simt, arguments));
  expect("cudaLaunchKernelEx", 5);
  cudaLaunchConfig_t none = c;
  none.gridDim = 0, none.blockDim = 1;
  const cudaError_t of_simt_ex = cudaLaunchKernelEx(&none, simt, p, 1);
  const cudaError_t of_simt = cudaLaunchKernel(simt, 0, 1, arguments);
  refused("cudaLaunchKernelEx", cudaLaunchKernelEx(&c, add, p, 1), of_simt_ex);
  refused("cudaLaunchKernelEx", cudaLaunchKernelEx(&none, add, p, 1), of_simt_ex);
  refused("cudaLaunchKernelExC", cudaLaunchKernelExC(&c, (void *)add, arguments), of_simt_ex);
  refused("cudaLaunchKernel", cudaLaunchKernel(add, 4, 32, arguments), of_simt);
  refused("cudaLaunchKernel", cudaLaunchKernel(add, 0, 1, arguments), of_simt);
  refused("cudaLaunchCooperativeKernel", cudaLaunchCooperativeKernel(add, 0, 1, arguments),
          cudaLaunchCooperativeKernel(simt, 0, 1, arguments));
  expect("refused", 0);
}

void captured(cudaStream_t stream) {
  cudaStream_t other;
  cudaEvent_t fork, join;
  require(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  require(cudaEventCreate(&fork)), require(cudaEventCreate(&join));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 2; ++i)
    add<<<4, 1, 0, stream>>>(p, i + 1);
  add_constant<int, 3><<<4, 1, 0, stream>>>(p);
  require(cudaEventRecord(fork, stream)), require(cudaStreamWaitEvent(other, fork, 0));
  simt<<<2, 2, 0, other>>>(p, 4);
  require(cudaEventRecord(join, other)), require(cudaStreamWaitEvent(stream, join, 0));
  require(cudaStreamEndCapture(stream, &graph));
  expect("nothing runs while it is captured", 0);
  require(cudaGraphInstantiate(&executable, graph, 0));
  require(cudaGraphLaunch(executable, stream)), require(cudaGraphLaunch(executable, stream));
  expect("captured", 20);
  require(cudaGraphExecDestroy(executable)), require(cudaGraphDestroy(graph));
  require(cudaEventDestroy(fork)), require(cudaEventDestroy(join));
  require(cudaStreamDestroy(other));
}

void explicit_nodes(cudaStream_t stream) {
  int n = 1;
  void *arguments[] = {&p, &n};
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t first, second;
  require(cudaGraphCreate(&graph, 0));
  cudaKernelNodeParams node = {};
  node.func = (void *)add, node.gridDim = 4, node.blockDim = 1, node.kernelParams = arguments;
  require(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &node));
  node.func = (void *)simt, node.gridDim = 2, node.blockDim = 2;
  require(cudaGraphAddKernelNode(&second, graph, &first, 1, &node));
  require(cudaGraphKernelNodeGetParams(first, &node));
  expect_value("node's kernel", node.func == (void *)add, true);
  expect_value("node's block", int(node.blockDim.x), 1);
  require(cudaGraphInstantiate(&executable, graph, 0));
  require(cudaGraphLaunch(executable, stream));
  expect("nodes", 2);
  n = 20, node.kernelParams = arguments;
  require(cudaGraphExecKernelNodeSetParams(executable, first, &node));
  require(cudaGraphLaunch(executable, stream));
  expect("changed node", 21);
  require(cudaGraphExecDestroy(executable)), require(cudaGraphDestroy(graph));
}

void questions() {
  cudaFuncAttributes attributes;
  require(cudaFuncGetAttributes(&attributes, add));
  expect_value("threads of a block", attributes.maxThreadsPerBlock, 1);
  require(cudaFuncGetAttributes(&attributes, (const void *)simt));
  expect_value("threads of a SIMT block", attributes.maxThreadsPerBlock, 1024);
  int blocks = 0, grid = 0, block = 0;
  require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 1, 0));
  expect_value("occupancy", blocks > 0, true);
  require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, simt, 64, 0));
  require(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_constant<int, 1>));
  expect_value("block", block, 1);
  expect_value("grid", grid > 0, true);
  std::size_t bytes;
  require(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, add, 1, 1));
  require(cudaFuncSetAttribute(add, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  require(cudaFuncSetCacheConfig(add, cudaFuncCachePreferL1));
}

int main() {
  cudaStream_t stream;
  require(cudaStreamCreate(&stream));
  require(cudaMalloc(&p, 5 * sizeof(int)));
  require(cudaMemset(p, 0, 5 * sizeof(int)));
  configurations(stream);
  calls(stream);
  captured(stream);
  explicit_nodes(stream);
  questions();
  require(cudaStreamDestroy(stream));
  require(cudaFree(p));
  return run::finish();
}
