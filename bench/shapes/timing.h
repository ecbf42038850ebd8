// How bench/shapes times: many launches as one graph, so that nobody waits for a host, whose
// operands rotate among enough copies that the L2 cache does not have them.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace shapes {

inline void check(cudaError_t e) {
  if (e == cudaSuccess)
    return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
  std::exit(1);
}

template <class T> class array {
public:
  explicit array(size_t count) : count(count) { check(cudaMalloc(&p, count * sizeof(T))); }
  array(const array &) = delete;
  ~array() { cudaFree(p); }
  operator T *() const { return p; }
  size_t size() const { return count; }

private:
  size_t count;
  T *p = nullptr;
};

/// Numbers in [-1, 1), of 8 bits as product.h has them: a hash of their place.
__global__ void fill(__nv_bfloat16 *p, size_t count, unsigned seed) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x) {
    unsigned x = unsigned(i) * 2654435761u + unsigned(i >> 32) * 40503u + seed;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    p[i] = __nv_bfloat16(int((x ^ x >> 16) & 255) / 128.0f - 1.0f);
  }
}

inline void fill(const array<__nv_bfloat16> &a, unsigned seed) {
  fill<<<1024, 256>>>(a, a.size(), seed);
}

/// Launches of a piece of work, recorded once: launch(stream, number), number from 0 up.
class recorded {
public:
  template <class Launch> recorded(int launches, Launch launch) : launches(launches) {
    cudaStream_t stream;
    cudaGraph_t graph;
    check(cudaStreamCreate(&stream));
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < launches; ++i)
      launch(stream, i);
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiate(&graph_, graph, 0));
    check(cudaGraphDestroy(graph));
    check(cudaStreamDestroy(stream));
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
  }
  recorded(const recorded &) = delete;
  ~recorded() {
    cudaGraphExecDestroy(graph_);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }

  /// Microseconds of a launch, in one replay.
  double replay() const {
    float milliseconds = 0;
    check(cudaEventRecord(begin));
    check(cudaGraphLaunch(graph_, nullptr));
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    return 1e3 * milliseconds / launches;
  }
  double median(int replays) const {
    std::vector<double> times;
    for (int i = 0; i < replays; ++i)
      times.push_back(replay());
    std::sort(times.begin(), times.end());
    return times[replays / 2];
  }

private:
  int launches;
  cudaGraphExec_t graph_;
  cudaEvent_t begin, end;
};

/// How often work of about `microseconds` is recorded to take some milliseconds, a multiple of
/// `copies`.
inline int launches_for(double microseconds, int copies) {
  const int wanted = int(std::clamp(4000.0 / microseconds, 1.0, 400.0));
  return (wanted + copies - 1) / copies * copies;
}

} // namespace shapes
