// bf16 products at the shapes of language models, with the fastest of some tiles for each shape, as
// a program that tunes itself would take it, beside the fastest of cuBLAS's algorithms. Every
// result is compared with a plain kernel's. bench/shapes/compare.py runs this beside Triton.
//
//   tessera bench/shapes/main.cu -o shapes.simt.cu
//   nvcc -O3 -std=c++20 -gencode arch=compute_90a,code=sm_90a -Iruntime/include -Ibench/shapes \
//     shapes.simt.cu -lcublasLt -lcublas -o shapes
//   shapes [--all] MxNxK...       or experts:N:K for a mixture of 128; --all: a line for each tile
#include "kernels.h"
#include "library.h"
#include "timing.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <string>

namespace shapes {

bool is_verbose = false, is_all_right = true;

struct sizes {
  unsigned m, n, k;
};

unsigned ceil_div(unsigned a, unsigned b) { return (a + b - 1) / b; }

/// One thread per element.
__global__ void reference(const bf16 *a, const bf16 *b, float *c, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t i = blockIdx.y;
  if (j >= n)
    return;
  float sum = 0;
  for (int l = 0; l < k; ++l)
    sum += __bfloat162float(a[i * k + l]) * __bfloat162float(b[size_t(l) * n + j]);
  c[i * n + j] = sum;
}

__global__ void count_wrong(const bf16 *c, const float *expected, size_t count, float absolute,
                            unsigned *wrong) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x) {
    const float distance = fabsf(__bfloat162float(c[i]) - expected[i]);
    if (!(distance <= 0.005f * fabsf(expected[i]) + absolute))
      atomicAdd(wrong, 1u);
  }
}

/// absolute: what a result may be off by beside its own rounding.
bool is_right(const bf16 *c, const float *expected, size_t count, float absolute) {
  const array<unsigned> wrong(1);
  unsigned result = 0;
  check(cudaMemset(wrong, 0, sizeof(unsigned)));
  count_wrong<<<1024, 256>>>(c, expected, count, absolute, wrong);
  check(cudaMemcpy(&result, wrong, sizeof result, cudaMemcpyDeviceToHost));
  return result == 0;
}

/// A way to make C. launch(stream, copy of the operands).
struct way {
  std::string name;
  std::function<void(cudaStream_t, int)> launch;
};

/// The result and the operands' copies, whatever the product is.
struct outcome {
  bf16 *c;
  const float *expected;
  size_t count;
  int copies;
  float rounded; // what the library's results may be off by: it adds up parts of 16 bits
};

/// Median microseconds of the way, 0 if its result is wrong.
double try_way(const outcome &o, const way &w, float absolute) {
  check(cudaMemset(o.c, 255, o.count * sizeof(bf16)));
  w.launch(nullptr, 0);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  if (!is_right(o.c, o.expected, o.count, absolute)) {
    std::printf("WRONG: %s\n", w.name.c_str());
    is_all_right = false;
    return 0;
  }
  const double once = recorded(o.copies, w.launch).replay();
  return recorded(launches_for(once, o.copies), w.launch).median(3);
}

const way *fastest(const outcome &o, const std::vector<way> &ways, double operations,
                   float absolute) {
  const way *best = nullptr;
  double least = 0;
  for (const way &w : ways) {
    const double time = try_way(o, w, absolute);
    if (is_verbose && time != 0)
      std::printf("    %-32s %9.2f us %7.1f TFLOP/s\n", w.name.c_str(), time,
                  operations / time * 1e-6);
    if (time != 0 && (!best || time < least)) {
      best = &w;
      least = time;
    }
  }
  return best;
}

/// The fastest of each, once more in turns.
void race(const std::string &shape, const outcome &o, double operations,
          const std::vector<way> &ours, const std::vector<way> &theirs) {
  const way *const best[] = {fastest(o, ours, operations, 0.01f),
                             fastest(o, theirs, operations, o.rounded)};
  const char *const names[] = {"Tessera", "cuBLAS"};
  std::unique_ptr<recorded> work[2];
  std::vector<double> times[2];
  for (int i = 0; i < 2; ++i)
    if (best[i]) {
      const double once = recorded(o.copies, best[i]->launch).replay();
      work[i] = std::make_unique<recorded>(launches_for(once, o.copies), best[i]->launch);
    }
  for (int round = 0; round < 7; ++round)
    for (int i = 0; i < 2; ++i)
      if (work[i])
        times[i].push_back(work[i]->replay());
  for (int i = 0; i < 2; ++i)
    if (work[i]) {
      std::sort(times[i].begin(), times[i].end());
      const double time = times[i][times[i].size() / 2];
      std::printf("%-20s %-8s %9.2f us %7.1f TFLOP/s  %s\n", shape.c_str(), names[i], time,
                  operations / time * 1e-6, best[i]->name.c_str());
    }
  std::fflush(stdout);
}

int copies_for(size_t bytes) { return int(std::clamp<size_t>((size_t(200) << 20) / bytes, 1, 64)); }

/// The operands of a product, and the ways to make it.
class product {
public:
  explicit product(sizes s)
      : s(s), copies(copies_for(2 * (a_size() + b_size() + c_size()))),
        a(copies * aligned(a_size())), b(copies * aligned(b_size())), c(copies * aligned(c_size())),
        expected(c_size()), sums(sums_size), library(s.m, s.n, s.k) {
    fill(a, 1);
    fill(b, 2);
    reference<<<dim3(ceil_div(s.n, 256), s.m), 256>>>(a, b, expected, s.n, s.k);
    for (size_t i = 0; i < library.algorithms(); ++i)
      theirs.push_back({"algorithm " + std::to_string(i), [this, i](cudaStream_t stream, int copy) {
                          const size_t at = copy % copies;
                          library.launch(i, stream, a + at * aligned(a_size()),
                                         b + at * aligned(b_size()), c + at * aligned(c_size()));
                        }});
    if (s.n % 8 == 0 && s.k % 8 == 0)
      add_all<8>();
    else
      add_all<1>();
  }

  void run() const {
    char shape[64];
    std::snprintf(shape, sizeof shape, "%ux%ux%u", s.m, s.n, s.k);
    race(shape, {c, expected, c_size(), int(copies), 0.01f * std::sqrt(float(s.k))},
         2.0 * s.m * s.n * s.k, ours, theirs);
  }

private:
  size_t a_size() const { return size_t(s.m) * s.k; }
  size_t b_size() const { return size_t(s.k) * s.n; }
  size_t c_size() const { return size_t(s.m) * s.n; }

  /// Copies begin at multiples of 256 bytes.
  static size_t aligned(size_t count) { return (count + 127) / 128 * 128; }

  template <class Launch> void add(std::string name, Launch launch) {
    ours.push_back({std::move(name), [this, launch](cudaStream_t stream, int copy) {
                      const size_t at = copy % copies;
                      launch(stream, a + at * aligned(a_size()), b + at * aligned(b_size()),
                             c + at * aligned(c_size()));
                    }});
  }

  template <int M, int N, int K, int Divisor> void add_plain() {
    if (!is_sensible(M, N))
      return;
    add(name_of("plain", M, N, K),
        [s = s](cudaStream_t stream, const bf16 *a, const bf16 *b, bf16 *c) {
          plain<M, N, K, Divisor>
              <<<dim3(ceil_div(s.n, N), ceil_div(s.m, M)), 1, 0, stream>>>(a, b, c, s.m, s.n, s.k);
        });
  }

  template <int M, int N, int K, int Divisor> void add_alone() {
    if (!is_sensible(M, N) || ceil_div(s.n, N) * ceil_div(s.m, M) > 2 * processors())
      return;
    add(name_of("alone", M, N, K),
        [s = s](cudaStream_t stream, const bf16 *a, const bf16 *b, bf16 *c) {
          alone<M, N, K, Divisor>
              <<<dim3(ceil_div(s.n, N), ceil_div(s.m, M)), 1, 0, stream>>>(a, b, c, s.m, s.n, s.k);
        });
  }

  template <int M, int N, int K, int Divisor> void add_persistent() {
    const unsigned tiles = ceil_div(s.n, N) * ceil_div(s.m, M);
    const unsigned blocks = processors() * (M * N > 128 * 128 ? 1 : 2);
    if (!is_sensible(M, N) || tiles <= blocks)
      return;
    add(name_of("persistent", M, N, K),
        [s = s, blocks](cudaStream_t stream, const bf16 *a, const bf16 *b, bf16 *c) {
          persistent<M, N, K, Divisor><<<blocks, 1, 0, stream>>>(a, b, c, s.m, s.n, s.k);
        });
  }

  template <int M, int N, int K, int Divisor> void add_split() {
    for (unsigned parts : parts_for(M, N, K))
      add(name_of("split", M, N, K) + " of " + std::to_string(parts),
          [s = s, parts, sums = static_cast<float *>(sums)](auto stream, auto *a, auto *b,
                                                            auto *c) {
            const dim3 grid(ceil_div(s.n, N), ceil_div(s.m, M), parts);
            split<M, N, K, Divisor><<<grid, 1, 0, stream>>>(a, b, sums, s.m, s.n, s.k);
            add_up<Divisor>(stream, sums, c, s.m * s.n, parts);
          });
  }

  template <int M, int N, int K, int Divisor> void add_split_alone() {
    for (unsigned parts : parts_for(M, N, K))
      if (ceil_div(s.n, N) * ceil_div(s.m, M) * parts <= 2 * processors())
        add(name_of("split alone", M, N, K) + " of " + std::to_string(parts),
            [s = s, parts, sums = static_cast<float *>(sums)](cudaStream_t stream, const bf16 *a,
                                                              const bf16 *b, bf16 *c) {
              const dim3 grid(ceil_div(s.n, N), ceil_div(s.m, M), parts);
              split_alone<M, N, K, Divisor><<<grid, 1, 0, stream>>>(a, b, sums, s.m, s.n, s.k);
              add_up<Divisor>(stream, sums, c, s.m * s.n, parts);
            });
  }

  template <int N, int K, int Divisor> void add_row() {
    if (s.m != 1)
      return;
    for (unsigned parts : parts_for(1, N, K))
      add(name_of("row", 1, N, K) + " of " + std::to_string(parts),
          [s = s, parts, sums = static_cast<float *>(sums)](auto stream, auto *a, auto *b,
                                                            auto *c) {
            row<N, K, Divisor>
                <<<dim3(ceil_div(s.n, N), 1, parts), 1, 0, stream>>>(a, b, sums, s.n, s.k);
            add_up<Divisor>(stream, sums, c, s.n, parts);
          });
  }

  template <int Divisor>
  static void add_up(cudaStream_t stream, float *sums, bf16 *c, unsigned count, unsigned parts) {
    sum_of_parts<Divisor><<<ceil_div(count, 1024), 1, 0, stream>>>(sums, c, count, parts);
  }

  template <int Divisor> void add_all() {
    add_plain<128, 256, 64, Divisor>();
    add_plain<128, 128, 64, Divisor>();
    add_plain<64, 128, 64, Divisor>();
    add_plain<64, 64, 64, Divisor>();
    add_persistent<128, 128, 64, Divisor>();
    add_split<64, 64, 64, Divisor>();
    add_split<128, 128, 64, Divisor>();
    if constexpr (Divisor == 1) {
      add_plain<128, 128, 32, Divisor>();
    } else {
      add_alone<128, 128, 64, Divisor>();
      add_alone<64, 128, 64, Divisor>();
      add_alone<128, 64, 64, Divisor>();
      add_alone<64, 64, 64, Divisor>();
      add_split_alone<128, 128, 64, Divisor>();
      add_split_alone<64, 128, 64, Divisor>();
      add_split_alone<64, 64, 64, Divisor>();
      add_split<32, 64, 128, Divisor>();
      add_plain<256, 128, 64, Divisor>();
      add_plain<64, 256, 64, Divisor>();
      add_plain<128, 64, 64, Divisor>();
      add_plain<64, 128, 128, Divisor>();
      add_persistent<128, 256, 64, Divisor>();
      add_persistent<256, 128, 64, Divisor>();
      add_split<128, 256, 64, Divisor>();
      add_split<64, 128, 64, Divisor>();
      add_split<64, 128, 128, Divisor>();
      add_split<64, 64, 128, Divisor>();
      add_split<16, 64, 128, Divisor>();
      add_split<16, 128, 64, Divisor>();
      add_row<64, 64, Divisor>();
      add_row<128, 32, Divisor>();
      add_row<256, 32, Divisor>();
    }
  }

  static unsigned processors() {
    int count = 0;
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
    return count;
  }
  static std::string name_of(const char *kind, int m, int n, int k) {
    char name[64];
    std::snprintf(name, sizeof name, "%dx%dx%d %s", m, n, k, kind);
    return name;
  }
  /// Neither a grid of many thousand small tiles nor tiles that are mostly empty.
  bool is_sensible(unsigned m, unsigned n) const {
    const size_t tiles = size_t(ceil_div(s.m, m)) * ceil_div(s.n, n);
    return (m <= 64 || m < 2 * s.m) && (tiles <= 8 * 1024 || m * n >= 128 * 128);
  }
  /// The numbers of parts with which a grid has half a wave of blocks to some waves.
  std::vector<unsigned> parts_for(unsigned m, unsigned n, unsigned k) const {
    std::vector<unsigned> result;
    const size_t tiles = size_t(ceil_div(s.m, m)) * ceil_div(s.n, n);
    const unsigned steps = ceil_div(s.k, k);
    for (unsigned parts : {2, 3, 4, 6, 8, 12, 16, 24, 32}) {
      const bool is_used = ceil_div(steps, ceil_div(steps, parts)) == parts;
      if (is_used && (m <= 64 || m < 2 * s.m) && (m > 32 || s.m <= m) && steps / parts >= 2 &&
          tiles * parts >= 60 && tiles * parts <= 800 && parts * c_size() <= sums_size)
        result.push_back(parts);
    }
    return result;
  }

  static constexpr size_t sums_size = size_t(1) << 26;
  sizes s;
  size_t copies;
  array<bf16> a, b, c;
  array<float> expected, sums;
  library_product library;
  std::vector<way> ours, theirs;
};

} // namespace shapes

#include "experts.h"

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    unsigned m = 0, n = 0, k = 0;
    if (std::strcmp(argv[i], "--all") == 0)
      shapes::is_verbose = true;
    else if (std::sscanf(argv[i], "%ux%ux%u", &m, &n, &k) == 3)
      shapes::product({m, n, k}).run();
    else if (std::sscanf(argv[i], "experts:%u:%u", &n, &k) == 2 && n % 8 == 0 && k % 8 == 0)
      shapes::experts(n, k).run();
    else
      return std::fprintf(stderr, "error: '%s' is neither MxNxK nor experts:N:K\n", argv[i]), 1;
  }
  return shapes::is_all_right ? 0 : 1;
}
