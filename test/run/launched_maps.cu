// options: --extensions
// Products whose factors come by maps that the launch makes: of arguments, of fields of a struct,
// of sums and products of them; bases and rows that allow no bulk copies, nothing along K, views
// that move from block to block. Launched in every way, in graphs with other arguments, and by
// several threads at a time.
#include "run.h"

#include <cuda_tile.h>

#include <array>
#include <thread>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;
using namespace ct::literals;

constexpr int size = 128, depth = 64;

template <class A, class B> __tile__ auto product(A a, B b, int row, int column, int steps) {
  auto sum = ct::zeros<ct::tile<float, ct::shape<size, size>>>();
  for (int i = 0; i < steps; ++i)
    sum = ct::mma(a.load_masked(row, i), b.load_masked(i, column), sum);
  return sum;
}
template <class T> __tile__ auto view(T *base, int rows, int columns) {
  return ct::tensor_span{base, ct::extents{rows, columns}};
}

__tile_global__ void plain(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ c, int m, int n, int k) {
  auto as = ct::partition_view{view(a, m, k), ct::shape<size, depth>{}};
  auto bs = ct::partition_view{view(b, k, n), ct::shape<depth, size>{}};
  ct::partition_view{view(c, m, n), ct::shape<size, size>{}}.store_masked(
      product(as, bs, ct::bid().y, ct::bid().x, ct::ceildiv(k, depth)), ct::bid().y, ct::bid().x);
}

struct sizes {
  short m;
  unsigned char half_of_n;
  long long k;
  struct {
    unsigned rows, columns; // where the factors begin
  } from;
};

/// Views of parts: bases and extents are computed of arguments, their types are of all widths.
__tile_global__ void parts(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ c, sizes s, unsigned short more) {
  const int m = s.m, n = 2 * s.half_of_n, k = int(s.k) - more;
  auto rows = ct::layout_strided_mapping{ct::extents{m, k}, ct::strides{int(s.k), 1_ic}};
  auto columns = ct::layout_strided_mapping{ct::extents{k, n}, ct::strides{n, 1_ic}};
  auto as = ct::partition_view{ct::tensor_span{a + s.from.columns, rows}, ct::shape<size, depth>{}};
  auto bs =
      ct::partition_view{ct::tensor_span{b + s.from.rows * n, columns}, ct::shape<depth, size>{}};
  ct::partition_view{view(c, m, n), ct::shape<size, size>{}}.store_masked(
      product(as, bs, ct::bid().y, ct::bid().x, ct::ceildiv(k, depth)), ct::bid().y, ct::bid().x);
}

/// Views that begin elsewhere in each block: maps are made in the kernel, if any.
__tile_global__ void batched(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                             float *__restrict__ c, int m, int n, int k) {
  const long long at = ct::bid().z;
  auto as = ct::partition_view{view(a + at * m * k, m, k), ct::shape<size, depth>{}};
  auto bs = ct::partition_view{view(b + at * k * n, k, n), ct::shape<depth, size>{}};
  ct::partition_view{view(c + at * m * n, m, n), ct::shape<size, size>{}}.store_masked(
      product(as, bs, ct::bid().y, ct::bid().x, ct::ceildiv(k, depth)), ct::bid().y, ct::bid().x);
}

/// Two products one after the other; the second reads the first one's factors the other way round.
__tile_global__ void both(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                          float *__restrict__ c, int n) {
  auto as = ct::partition_view{view(a, n, n), ct::shape<size, depth>{}};
  auto bs = ct::partition_view{view(b, n, n), ct::shape<depth, size>{}};
  auto first = product(as, bs, ct::bid().y, ct::bid().x, ct::ceildiv(n, depth));
  auto again = ct::partition_view{view(b, n, n), ct::shape<size, depth>{}};
  auto other = ct::partition_view{view(a, n, n), ct::shape<depth, size>{}};
  auto second = product(again, other, ct::bid().y, ct::bid().x, ct::ceildiv(n, depth));
  ct::partition_view{view(c, n, n), ct::shape<size, size>{}}.store_masked(first - second,
                                                                          ct::bid().y, ct::bid().x);
}

double element(std::size_t i) { return int(i * 7 % 11) - 5; }

double at(int row, int column, int n, int k, int stride, int from = 0, int begin = 0) {
  double sum = 0;
  for (int i = 0; i < k; ++i)
    sum += element(from + std::size_t(row) * stride + i) *
           element(begin + std::size_t(i) * n + column);
  return sum;
}

dim3 grid(int m, int n) { return dim3((n + size - 1) / size, (m + size - 1) / size); }

int main() {
  using run::require;
  constexpr int most = 200;
  run::array<bf16> x(2 * most * most, element),
      y(2 * most * most, [](std::size_t i) { return element(i); });

  // Extents at and beside multiples of 8, bases that are aligned and not, and no K at all.
  for (auto [m, n, k, shift] : {std::array{128, 128, 64, 0},
                                {136, 200, 72, 0},
                                {129, 160, 70, 0},
                                {64, 131, 88, 0},
                                {128, 136, 128, 8},
                                {128, 136, 128, 1},
                                {16, 16, 0, 0}}) {
    run::array<float> c(m * n);
    plain<<<grid(m, n), 1>>>(x + shift, y + shift, c, m, n, k);
    run::expect("plain", c, [&, m = m, n = n, k = k, shift = shift](int i) {
      return at(i / n, i % n, n, k, k, shift, shift);
    });
  }
  for (int columns : {0, 3, 8})
    for (int rows : {0, 2}) {
      const int m = 130, n = 136, k = 96, more = 16;
      run::array<float> c(m * n);
      parts<<<grid(m, n), 1>>>(
          x, y, c, sizes{short(m), n / 2, k, {unsigned(rows), unsigned(columns)}}, more);
      run::expect("parts", c,
                  [&](int i) { return at(i / n, i % n, n, k - more, k, columns, rows * n); });
    }
  {
    const int m = 40, n = 72, k = 80;
    run::array<float> c(3 * m * n);
    batched<<<dim3(1, 1, 3), 1>>>(x, y, c, m, n, k);
    run::expect("batched", c, [&](int i) {
      const int z = i / (m * n), e = i % (m * n);
      return at(e / n, e % n, n, k, k, z * m * k, z * k * n);
    });
  }
  {
    const int n = 136;
    run::array<float> c(n * n);
    both<<<grid(n, n), 1>>>(x, y + 8, c, n);
    run::expect("both", c, [&](int i) {
      return at(i / n, i % n, n, n, n, 0, 8) - at(i / n, i % n, n, n, n, 8, 0);
    });
  }

  // The calls of the runtime, which take arguments by their addresses.
  int m = 130, n = 136, k = 72;
  run::array<float> c(m * n), d(m * n);
  const bf16 *a = x, *b = y;
  float *to = c;
  void *arguments[] = {&a, &b, &to, &m, &n, &k};
  auto check = [&](const char *what, run::array<float> &result, int shift, int depth) {
    run::expect(what, result, [&](int i) { return at(i / n, i % n, n, depth, depth, shift, 0); });
    require(cudaMemset(result, 0, result.size * sizeof(float)));
  };
  cudaStream_t stream;
  require(cudaStreamCreate(&stream));
  require(cudaLaunchKernel(plain, grid(m, n), 1, arguments, 0, stream));
  check("cudaLaunchKernel", c, 0, 72);
  cudaLaunchConfig_t how = {};
  how.gridDim = grid(m, n), how.blockDim = 1, how.stream = stream;
  require(cudaLaunchKernelEx(&how, plain, a + 8, b, to, m, n, k));
  check("cudaLaunchKernelEx", c, 8, 72);
  require(cudaLaunchKernelExC(&how, (void *)plain, arguments));
  check("cudaLaunchKernelExC", c, 0, 72);
  require(cudaLaunchCooperativeKernel(plain, grid(m, n), dim3(1), arguments, 0, stream));
  check("cudaLaunchCooperativeKernel", c, 0, 72);
  how.blockDim = 128;
  if (cudaLaunchKernelExC(&how, (void *)plain, arguments) == cudaSuccess ||
      cudaLaunchKernel(plain, grid(m, n), 2, arguments) == cudaSuccess)
    std::printf("wrong: a block of threads is launched\n"), ++run::failures;
  (void)cudaGetLastError();

  cudaGraph_t graph;
  cudaGraphExec_t executable;
  require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 2; ++i) // what is captured keeps its own maps
    plain<<<grid(m, n), 1, 0, stream>>>(x + 16 * i, y, i ? d : c, m, n, i ? 64 : 72);
  require(cudaStreamEndCapture(stream, &graph));
  require(cudaGraphInstantiate(&executable, graph, 0));
  require(cudaGraphLaunch(executable, stream));
  require(cudaStreamSynchronize(stream));
  check("captured first", c, 0, 72);
  check("captured second", d, 16, 64);
  require(cudaGraphExecDestroy(executable)), require(cudaGraphDestroy(graph));

  cudaGraphNode_t node;
  cudaKernelNodeParams parameters = {};
  parameters.func = (void *)plain;
  parameters.gridDim = grid(m, n), parameters.blockDim = 1, parameters.kernelParams = arguments;
  require(cudaGraphCreate(&graph, 0));
  require(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  require(cudaGraphInstantiate(&executable, graph, 0));
  require(cudaGraphLaunch(executable, stream));
  require(cudaStreamSynchronize(stream));
  check("node", c, 0, 72);
  a = x + 24, k = 64;
  require(cudaGraphExecKernelNodeSetParams(executable, node, &parameters));
  require(cudaGraphLaunch(executable, stream));
  require(cudaStreamSynchronize(stream));
  check("changed node", c, 24, 64);
  require(cudaGraphExecDestroy(executable)), require(cudaGraphDestroy(graph));

  std::vector<std::thread> threads;
  run::array<float> results[3] = {run::array<float>(m * n), run::array<float>(m * n),
                                  run::array<float>(m * n)};
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 3; ++i)
        plain<<<grid(m, n), 1, 0, cudaStreamPerThread>>>(x + 8 * t, y, results[t], m, n,
                                                         64 + 8 * t);
      require(cudaStreamSynchronize(cudaStreamPerThread));
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int t = 0; t < 3; ++t)
    check("thread", results[t], 8 * t, 64 + 8 * t);
  require(cudaStreamDestroy(stream));
  return run::finish();
}
