// Products that write in each iteration, more than one result behind the loop, or one to which a
// tile is added, each beside its twin that does not: the pair should be planned alike and take the
// same time within 3 %, and what it moves.
//
//   write_forms [SIZE [ROUNDS]]   on a GPU: a line for each pair, its times and their ratio; the
//                                 results are checked first. SIZE: of the products, a multiple of
//                                 256, from 512 on; 4096. ROUNDS: of 20 launches, the best of which
//                                 counts; 7
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <cuda_tile.h>
#include <functional>
#include <vector>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;
using relaxed = ct::memory_order_relaxed_t;
using device = ct::thread_scope_device_t;

#define OPERANDS                                                                                   \
  const bf16 *__restrict__ a, const bf16 *__restrict__ b, float *__restrict__ c, unsigned m,       \
      unsigned n, unsigned k
#define VIEWS                                                                                      \
  a = ct::assume_aligned<16>(a);                                                                   \
  b = ct::assume_aligned<16>(b);                                                                   \
  c = ct::assume_aligned<16>(c);                                                                   \
  m = ct::assume_divisible<8>(m);                                                                  \
  n = ct::assume_divisible<8>(n);                                                                  \
  k = ct::assume_divisible<8>(k);                                                                  \
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, K>{}};          \
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<K, N>{}};          \
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};          \
  const int row = ct::bid().y, column = ct::bid().x, steps = (k + K - 1) / K;                      \
  const int block = row * ct::num_blocks().x + column;                                             \
  (void)block;                                                                                     \
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();

// How far each block is: one number, written again and again.
template <int M, int N, int K, bool Writes> __tile_global__ void progress(OPERANDS, int *d) {
  VIEWS
  for (int i = 0; i < steps; ++i) {
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
    if constexpr (Writes)
      d[block] = i + 1;
  }
  cs.store_masked(sum, row, column);
}

// A number of each block and iteration, as a residual that runs along.
template <int M, int N, int K, bool Writes> __tile_global__ void residual(OPERANDS, float *d) {
  VIEWS
  float left = 1;
  for (int i = 0; i < steps; ++i) {
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
    left = left * 0.5f + float(column);
    if constexpr (Writes)
      d[block * steps + i] = left;
  }
  cs.store_masked(sum, row, column);
}

// Iterations are counted by all blocks together.
template <int M, int N, int K, bool Writes>
__tile_global__ void histogram(OPERANDS, int *__restrict__ d) {
  VIEWS
  for (int i = 0; i < steps; ++i) {
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
    if constexpr (Writes)
      ct::atomic_add(d + (row + column + i) % 256, 1, relaxed{}, device{});
  }
  cs.store_masked(sum, row, column);
}

// Each block takes a ticket in each iteration, and notes it.
template <int M, int N, int K, bool Writes>
__tile_global__ void tickets(OPERANDS, int *__restrict__ d, int *__restrict__ counters) {
  VIEWS
  for (int i = 0; i < steps; ++i) {
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
    if constexpr (Writes)
      d[block * steps + i] = ct::atomic_add(counters + block % 64, 1, relaxed{}, device{});
  }
  cs.store_masked(sum, row, column);
}

// A row of 16 numbers of each block and iteration, through a view.
template <int M, int N, int K, bool Writes>
__tile_global__ void chunks(OPERANDS, float *__restrict__ d) {
  VIEWS
  auto rows = ct::partition_view{
      ct::tensor_span{d, ct::extents{int(ct::num_blocks().x * ct::num_blocks().y), steps * 16}},
      ct::shape<1, 16>{}};
  for (int i = 0; i < steps; ++i) {
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
    if constexpr (Writes)
      rows.store_masked(ct::full<ct::tile<float, ct::shape<1, 16>>>(float(column + i)), block, i);
  }
  cs.store_masked(sum, row, column);
}

// A row of blocks writes rows that depend on it alone.
template <int M, int N, int K, bool Writes>
__tile_global__ void rows_of_blocks(OPERANDS, float *__restrict__ d) {
  VIEWS
  auto lanes = ct::iota<ct::tile<int, ct::shape<32>>>();
  for (int i = 0; i < steps; ++i) {
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
    if constexpr (Writes)
      ct::store(d + (block * steps + i) * 32 + lanes, ct::element_cast<float>(lanes + i));
  }
  cs.store_masked(sum, row, column);
}

// Split-K: blocks along z add up what they have by atomics.
template <int M, int N, int K, bool Writes> __tile_global__ void split_k(OPERANDS) {
  VIEWS
  const int part = ct::bid().z, each = steps / int(ct::num_blocks().z);
  for (int i = part * each; i < (part + 1) * each; ++i)
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  if constexpr (Writes)
    cs.atomic_add_masked(sum, relaxed{}, device{}, row, column);
  else
    cs.store_masked(sum, row, column);
}

// Two results: as it is, and as bf16.
template <int M, int N, int K, bool Writes>
__tile_global__ void two_results(OPERANDS, bf16 *__restrict__ d) {
  VIEWS
  auto ds = ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(d), ct::extents{m, n}},
                               ct::shape<M, N>{}};
  for (int i = 0; i < steps; ++i)
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  cs.store_masked(sum, row, column);
  if constexpr (Writes)
    ds.store_masked(ct::element_cast<bf16>(sum), row, column);
}

// What is added behind the loop is a tile of another tensor.
template <int M, int N, int K, bool Writes>
__tile_global__ void added_tile(OPERANDS, const float *__restrict__ d) {
  VIEWS
  auto ds = ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(d), ct::extents{m, n}},
                               ct::shape<M, N>{}};
  for (int i = 0; i < steps; ++i)
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  if constexpr (Writes)
    cs.store_masked(sum + ds.load_masked(row, column), row, column);
  else
    cs.store_masked(sum, row, column);
}

// The result, and the largest number of each row of a tile.
template <int M, int N, int K, bool Writes>
__tile_global__ void statistics(OPERANDS, float *__restrict__ d) {
  VIEWS
  auto ds = ct::partition_view{ct::tensor_span{d, ct::extents{m, n / N}}, ct::shape<M, 1>{}};
  for (int i = 0; i < steps; ++i)
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  cs.store_masked(sum, row, column);
  if constexpr (Writes)
    ds.store_masked(ct::reduce_max<1>(sum), row, column);
}

// The result leaves by a tile of pointers.
template <int M, int N, int K, bool Writes> __tile_global__ void scattered(OPERANDS) {
  VIEWS
  for (int i = 0; i < steps; ++i)
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  if constexpr (Writes) {
    auto rows = ct::iota<ct::tile<int, ct::shape<M, 1>>>() + row * M;
    auto columns = ct::iota<ct::tile<int, ct::shape<1, N>>>() + column * N;
    ct::store_masked(c + (rows * int(n) + columns), sum, rows < int(m) && columns < int(n));
  } else {
    cs.store_masked(sum, row, column);
  }
}

// Linear attention: a chunk of the result is stored while the state grows.
template <bool Writes>
__tile_global__ void linear_attention(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                                      const bf16 *__restrict__ v, bf16 *__restrict__ out,
                                      float *__restrict__ last, int length) {
  constexpr int T = 64, D = 64;
  const int head = ct::bid().x, turns = length / T;
  auto view = [&]<class P>(P *x) {
    return ct::partition_view{
        ct::tensor_span{ct::assume_aligned<16>(x),
                        ct::extents{int(ct::num_blocks().x) * length, ct::integral_constant<D>{}}},
        ct::shape<T, D>{}};
  };
  auto qs = view(q), ks = view(k), vs = view(v);
  auto outs = view(out);
  using square = ct::tile<float, ct::shape<T, D>>;
  auto state = ct::zeros<square>(), all = ct::zeros<square>();
  for (int i = 0; i < turns; ++i) {
    const int at = head * turns + i;
    auto key = ks.load_masked(at, 0), value = vs.load_masked(at, 0);
    auto query = qs.load_masked(at, 0);
    auto chunk = ct::mma(query, ct::element_cast<bf16>(state), ct::zeros<square>());
    if constexpr (Writes)
      outs.store_masked(ct::element_cast<bf16>(chunk), at, 0);
    else
      all = all + chunk;
    state = ct::mma(ct::transpose(key), value, state);
  }
  auto lasts = ct::partition_view{
      ct::tensor_span{last, ct::extents{int(ct::num_blocks().x) * T, D}}, ct::shape<T, D>{}};
  lasts.store_masked(Writes ? state : all, head, 0);
}

// As in Mamba: a chunk's output is the scores within it and what the state adds, by decays.
template <bool Writes>
__tile_global__ void chunk_scan(const bf16 *__restrict__ c, const bf16 *__restrict__ b,
                                const bf16 *__restrict__ x, const float *__restrict__ decay,
                                float *__restrict__ y, float *__restrict__ last, int length) {
  constexpr int T = 64, D = 64;
  const int head = ct::bid().x, turns = length / T;
  auto view = [&]<class P>(P *p) {
    return ct::partition_view{
        ct::tensor_span{ct::assume_aligned<16>(p),
                        ct::extents{int(ct::num_blocks().x) * length, ct::integral_constant<D>{}}},
        ct::shape<T, D>{}};
  };
  auto cs = view(c), bs = view(b), xs = view(x);
  auto ys = view(y);
  using square = ct::tile<float, ct::shape<T, D>>;
  auto state = ct::zeros<square>(), all = ct::zeros<square>();
  auto rows = ct::iota<ct::tile<int, ct::shape<T, 1>>>();
  auto columns = ct::iota<ct::tile<int, ct::shape<1, T>>>();
  for (int i = 0; i < turns; ++i) {
    const int at = head * turns + i;
    const float by = decay[at];
    auto in = bs.load_masked(at, 0), values = xs.load_masked(at, 0), out = cs.load_masked(at, 0);
    auto scores = ct::mma(out, ct::transpose(in), ct::zeros<square>());
    scores = ct::select(rows >= columns, scores, ct::zeros<square>());
    auto chunk = ct::mma(ct::element_cast<bf16>(scores), values, ct::zeros<square>());
    chunk = chunk + by * ct::mma(out, ct::element_cast<bf16>(state), ct::zeros<square>());
    if constexpr (Writes)
      ys.store_masked(chunk, at, 0);
    else
      all = all + chunk;
    state = ct::mma(ct::transpose(in), values, state * by);
  }
  auto lasts = ct::partition_view{
      ct::tensor_span{last, ct::extents{int(ct::num_blocks().x) * T, D}}, ct::shape<T, D>{}};
  lasts.store_masked(Writes ? state : all, head, 0);
}

template <class T> struct array {
  T *data = nullptr;
  std::size_t size;
  explicit array(std::size_t size) : size(size) {
    if (cudaMalloc(&data, size * sizeof(T)) != cudaSuccess)
      std::abort();
    cudaMemset(data, 0, size * sizeof(T));
  }
  array(std::size_t size, const std::function<float(std::size_t)> &of) : array(size) {
    std::vector<T> values(size);
    for (std::size_t i = 0; i < size; ++i)
      values[i] = T(of(i));
    cudaMemcpy(data, values.data(), size * sizeof(T), cudaMemcpyHostToDevice);
  }
  array(const array &) = delete;
  ~array() { cudaFree(data); }
  operator T *() const { return data; }
  std::vector<T> host() const {
    std::vector<T> values(size);
    cudaMemcpy(values.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }
};

int failures = 0, rounds = 7;

void expect(bool holds, const char *form, const char *what) {
  failures += !holds;
  if (!holds)
    std::printf("%s: %s: wrong\n", form, what);
}

// Of one launch in a row of many.
float microseconds(const std::function<void()> &launch) {
  constexpr int times = 20;
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  float best = 1e30f;
  for (int round = 0; round < rounds; ++round) {
    cudaEventRecord(begin);
    for (int i = 0; i < times; ++i)
      launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float elapsed = 0;
    cudaEventElapsedTime(&elapsed, begin, end);
    best = std::min(best, elapsed * 1000 / times);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return best;
}

void compare(const char *form, const std::function<void()> &without,
             const std::function<void()> &with) {
  expect(cudaDeviceSynchronize() == cudaSuccess, form, cudaGetErrorString(cudaGetLastError()));
  if (rounds == 0)
    return;
  const float plain = microseconds(without), writing = microseconds(with);
  std::printf("%-28s %9.1f us without, %9.1f us with: %.3f\n", form, plain, writing,
              writing / plain);
}

struct product {
  int size;
  array<bf16> a, b;
  array<float> c;

  explicit product(int size)
      : size(size), a(std::size_t(size) * size, [](std::size_t i) { return float(i % 5) - 2; }),
        b(std::size_t(size) * size, [](std::size_t i) { return float(i % 7) - 3; }),
        c(std::size_t(size) * size) {}
  float element(std::size_t row, std::size_t column) const {
    const std::size_t n = size;
    float sum = 0;
    for (std::size_t k = 0; k < n; ++k)
      sum += (float((row * n + k) % 5) - 2) * (float((k * n + column) % 7) - 3);
    return sum;
  }
  // A few of the elements.
  void check(const char *form) const {
    std::vector<float> result = c.host();
    const std::size_t n = size;
    bool is_right = true;
    for (std::size_t i = 0; i < 97; ++i) {
      const std::size_t row = i * 131 % n, column = i * 2741 % n;
      is_right &= result[row * n + column] == element(row, column);
    }
    expect(is_right, form, "product");
    cudaMemset(c, 0, result.size() * sizeof(float));
  }
};

template <int M, int N, int K> void compare_products(product &p) {
  const int size = p.size, steps = size / K;
  const dim3 grid(size / N, size / M);
  const int blocks = int(grid.x * grid.y);
  auto name = [&](const char *form) {
    static char text[64];
    std::snprintf(text, sizeof text, "%s %dx%dx%d", form, M, N, K);
    return text;
  };
  auto pair = [&](const char *form, auto without, auto with, auto check, auto... more) {
    with<<<grid, 1>>>(p.a, p.b, p.c, size, size, size, more...);
    p.check(form);
    check();
    compare(
        name(form), [&] { without<<<grid, 1>>>(p.a, p.b, p.c, size, size, size, more...); },
        [&] { with<<<grid, 1>>>(p.a, p.b, p.c, size, size, size, more...); });
  };
  {
    array<int> d(blocks);
    pair(
        "progress", progress<M, N, K, false>, progress<M, N, K, true>,
        [&] {
          for (int x : d.host())
            expect(x == steps, "progress", "numbers");
        },
        (int *)d);
  }
  {
    array<float> d(std::size_t(blocks) * steps);
    pair(
        "residual", residual<M, N, K, false>, residual<M, N, K, true>,
        [&] {
          std::vector<float> result = d.host();
          for (int block = 0; block < blocks; ++block) {
            float left = 1;
            for (int i = 0; i < steps; ++i) {
              left = left * 0.5f + float(block % int(grid.x));
              expect(result[std::size_t(block) * steps + i] == left, "residual", "numbers");
            }
          }
        },
        (float *)d);
  }
  {
    array<int> d(256);
    pair(
        "histogram", histogram<M, N, K, false>, histogram<M, N, K, true>,
        [&] {
          long all = 0;
          for (int x : d.host())
            all += x;
          expect(all == long(blocks) * steps, "histogram", "counts");
        },
        (int *)d);
  }
  {
    array<int> d(std::size_t(blocks) * steps), counters(64);
    pair(
        "tickets", tickets<M, N, K, false>, tickets<M, N, K, true>,
        [&] {
          long all = 0;
          for (int x : d.host())
            all += x;
          long wanted = 0;
          for (int x : counters.host())
            wanted += long(x) * (x - 1) / 2;
          expect(all == wanted, "tickets", "numbers");
        },
        (int *)d, (int *)counters);
  }
  {
    array<float> d(std::size_t(blocks) * steps * 32);
    pair(
        "chunks", chunks<M, N, K, false>, chunks<M, N, K, true>,
        [&] {
          std::vector<float> result = d.host();
          for (int i = 0; i < blocks * steps * 16; ++i)
            expect(result[i] == float(i / 16 / steps % int(grid.x) + i / 16 % steps), "chunks",
                   "rows");
        },
        (float *)d);
    pair(
        "rows", rows_of_blocks<M, N, K, false>, rows_of_blocks<M, N, K, true>,
        [&] {
          std::vector<float> result = d.host();
          for (int i = 0; i < blocks * steps * 32; ++i)
            expect(result[i] == float(i % 32 + i / 32 % steps), "rows", "rows");
        },
        (float *)d);
  }
  {
    array<bf16> d(std::size_t(size) * size);
    pair(
        "two results", two_results<M, N, K, false>, two_results<M, N, K, true>,
        [&] {
          std::vector<bf16> result = d.host();
          for (int row = 0; row < size; row += 37)
            expect(float(result[std::size_t(row) * size + row]) == float(bf16(p.element(row, row))),
                   "two results", "second");
        },
        (bf16 *)d);
  }
  {
    const std::size_t n = size;
    array<float> d(n * n, [](std::size_t i) { return float(i % 11); });
    auto launch = [&](auto kernel) {
      kernel<<<grid, 1>>>(p.a, p.b, p.c, size, size, size, (const float *)(float *)d);
    };
    launch(added_tile<M, N, K, true>);
    std::vector<float> result = p.c.host();
    for (std::size_t i = 0; i < n * n; i += n * 29 + 17)
      expect(result[i] == p.element(i / n, i % n) + float(i % 11), "added tile", "sum");
    compare(
        name("added tile"), [&] { launch(added_tile<M, N, K, false>); },
        [&] { launch(added_tile<M, N, K, true>); });
  }
  {
    array<float> d(std::size_t(size) * grid.x);
    pair(
        "statistics", statistics<M, N, K, false>, statistics<M, N, K, true>,
        [&] {
          std::vector<float> result = d.host();
          for (int row = 0; row < size; row += 211) {
            float top = p.element(row, N);
            for (int column = N; column < 2 * N; ++column)
              top = std::max(top, p.element(row, column));
            expect(result[std::size_t(row) * grid.x + 1] == top, "statistics", "largest");
          }
        },
        (float *)d);
  }
  pair("scattered", scattered<M, N, K, false>, scattered<M, N, K, true>, [] {});
  {
    const dim3 parts(grid.x, grid.y, 4);
    cudaMemset(p.c, 0, sizeof(float) * size * size); // what is added to
    split_k<M, N, K, true><<<parts, 1>>>(p.a, p.b, p.c, size, size, size);
    p.check("split-K");
    compare(
        name("split-K"),
        [&] { split_k<M, N, K, false><<<parts, 1>>>(p.a, p.b, p.c, size, size, size); },
        [&] { split_k<M, N, K, true><<<parts, 1>>>(p.a, p.b, p.c, size, size, size); });
  }
}

void compare_scans() {
  constexpr int heads = 128, length = 4096, T = 64;
  const std::size_t elements = std::size_t(heads) * length * T;
  auto small = [](std::size_t i) { return float(i % 3) - 1; };
  array<bf16> q(elements, small), k(elements, small), v(elements, small), out(elements);
  array<float> y(elements), last(std::size_t(heads) * T * T),
      decay(heads * length / T, [](std::size_t) { return 0.5f; });
  compare(
      "linear attention",
      [&] { linear_attention<false><<<heads, 1>>>(q, k, v, out, last, length); },
      [&] { linear_attention<true><<<heads, 1>>>(q, k, v, out, last, length); });
  compare(
      "chunk scan", [&] { chunk_scan<false><<<heads, 1>>>(q, k, v, decay, y, last, length); },
      [&] { chunk_scan<true><<<heads, 1>>>(q, k, v, decay, y, last, length); });
}

int main(int count, char **words) {
  product p(count > 1 ? std::atoi(words[1]) : 4096);
  if (count > 2)
    rounds = std::atoi(words[2]);
  compare_products<128, 128, 64>(p);
  compare_products<128, 256, 64>(p);
  compare_products<64, 64, 64>(p);
  compare_products<128, 128, 32>(p);
  compare_scans();
  return failures != 0;
}
