// Attention as servers have it: sequences of different lengths behind one another, causal; one
// query against keys in pages, parts of the pages by different blocks, put together by a second
// kernel.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int width = 32; // of a head
template <class T, int M, int N> using tile = ct::tile<T, ct::shape<M, N>>;

// Largest score, sum of exponentials and weighted values of the keys seen so far.
template <int M, int N> struct online_softmax {
  tile<float, M, 1> largest, sum;
  tile<float, M, width> values;

  __tile__ online_softmax()
      : largest(ct::full<tile<float, M, 1>>(-1e30f)), sum(ct::zeros<tile<float, M, 1>>()),
        values(ct::zeros<tile<float, M, width>>()) {}

  __tile__ void add(tile<float, M, N> scores, tile<__half, N, width> v) {
    auto now = ct::max(largest, ct::reduce_max<1>(scores));
    auto p = ct::exp(scores - now);
    auto scale = ct::exp(largest - now);
    sum = sum * scale + ct::sum<1>(p);
    values = ct::mma(ct::element_cast<__half>(p), v, values * scale);
    largest = now;
  }
};

// q, k, v, o: [tokens, heads, width]; sequence b has the tokens from starts[b] to starts[b + 1].
template <int M, int N> __tile_global__ void
packed(const __half *q, const __half *k, const __half *v, float *o, const int *starts, int heads) {
  const int sequence = ct::bid().z, block = ct::bid().x;
  const int start = starts[sequence], length = starts[sequence + 1] - start;
  if (block * M >= length)
    return;
  const int stride = heads * width, base = start * stride + ct::bid().y * width;
  auto d = ct::iota<tile<int, 1, width>>();
  auto row = ct::iota<tile<int, M, 1>>() + block * M;
  auto zero = __half(0.0f);
  auto queries = ct::load_masked(q + base + (row * stride + d), row < length, zero);
  online_softmax<M, N> state;
  for (int first = 0; first < length && first < (block + 1) * M; first += N) {
    auto token = ct::iota<tile<int, N, 1>>() + first;
    auto at = token * stride + d;
    auto keys = ct::load_masked(k + base + at, token < length, zero);
    auto scores = ct::mma(queries, ct::transpose(keys), ct::zeros<tile<float, M, N>>()) * 0.25f;
    auto column = ct::reshape(token, ct::shape<1, N>{});
    auto low = ct::full<decltype(scores)>(-1e30f);
    state.add(ct::select(column <= row && column < length, scores, low),
              ct::load_masked(v + base + at, token < length, zero));
  }
  ct::store_masked(o + base + (row * stride + d), state.values / state.sum, row < length);
}

// The pages of sequence b are table[b, ...]; keys and values are [pages, Page, width]; one head of
// keys for G of queries.
template <int G, int Page>
__tile_global__ void decode(const __half *q, const __half *k, const __half *v, const int *table,
                            const int *lengths, float *values, float *largest, float *sums,
                            int pages_of_row, int parts) {
  const int part = ct::bid().x, sequence = ct::bid().y;
  const int length = lengths[sequence], pages = ct::ceildiv(length, Page);
  const int each = ct::ceildiv(pages, parts), end = ct::min(pages, (part + 1) * each);
  auto head = ct::iota<tile<int, G, 1>>() + sequence * G;
  auto d = ct::iota<tile<int, 1, width>>();
  auto token = ct::iota<tile<int, Page, 1>>();
  auto queries = ct::load(q + (head * width + d));
  online_softmax<G, Page> state;
  for (int i = part * each; i < end; ++i) {
    const int page = table[sequence * pages_of_row + i];
    auto at = (token + page * Page) * width + d;
    auto is_inside = token + i * Page < length;
    auto keys = ct::load_masked(k + at, is_inside, __half(0.0f));
    auto scores = ct::mma(queries, ct::permute(keys, ct::dimension_map<1, 0>{}),
                          ct::zeros<tile<float, G, Page>>());
    auto low = ct::full<decltype(scores)>(-INFINITY);
    state.add(ct::select(ct::reshape(is_inside, ct::shape<1, Page>{}), scores * 0.25f, low),
              ct::load_masked(v + at, is_inside, __half(0.0f)));
  }
  auto place = head * parts + part;
  ct::store(values + (place * width + d), state.values);
  ct::store(largest + place, state.largest);
  ct::store(sums + place, state.sum);
}

template <int Parts> __tile_global__ void combine(const float *values, const float *largest,
                                                  const float *sums, float *o, int parts) {
  const int head = ct::bid().x;
  auto part = ct::iota<tile<int, Parts, 1>>();
  auto d = ct::iota<tile<int, 1, width>>();
  auto m = ct::load_masked(largest + head * parts + part, part < parts, -1e30f);
  auto scale = ct::exp(m - ct::reduce_max<0>(m));
  auto sum = ct::load_masked(sums + head * parts + part, part < parts, 0.0f) * scale;
  auto x = ct::load_masked(values + head * parts * width + (part * width + d), part < parts, 0.0f);
  ct::store(o + head * width + d, ct::sum<0>(x * scale) / ct::sum<0>(sum));
}

// One query against n keys, of which `at` gives the rows.
template <class At> std::vector<double> attend(const run::array<__half> &q, std::size_t query,
                                               const run::array<__half> &k,
                                               const run::array<__half> &v, int n, At at) {
  std::vector<double> result(width);
  double sum = 0;
  for (int j = 0; j < n; ++j) {
    double score = 0;
    for (int d = 0; d < width; ++d)
      score += q[query + d] * k[at(j) + d];
    sum += std::exp(score / 4);
    for (int d = 0; d < width; ++d)
      result[d] += std::exp(score / 4) * v[at(j) + d];
  }
  for (double &x : result)
    x /= sum;
  return result;
}

double input(std::size_t i) { return std::sin(0.7 * double(i) + double(i % 13)); }

void check_packed() {
  constexpr int heads = 2, tokens = 60, stride = heads * width;
  run::array<int> starts(4, [](auto i) { return std::vector{0, 37, 38, tokens}[i]; });
  run::array<__half> q(tokens * stride, [](auto i) { return input(i); }),
      k(tokens * stride, [](auto i) { return input(i + 11); }),
      v(tokens * stride, [](auto i) { return input(i + 29); });
  run::array<float> o(tokens * stride);
  packed<16, 32><<<dim3(3, heads, 3), 1>>>(q, k, v, o, starts, heads);
  std::vector<double> wanted;
  for (int t = 0; t < tokens; ++t)
    for (int h = 0; h < heads; ++h) {
      const int start = t < 37 ? 0 : t < 38 ? 37 : 38;
      for (double x : attend(q, t * stride + h * width, k, v, t - start + 1,
                             [&](int j) { return (start + j) * stride + h * width; }))
        wanted.push_back(x);
    }
  run::expect("packed", o, [&](auto i) { return wanted[i]; }, 2e-3);
}

void check_pages() {
  constexpr int heads = 8, page = 16, sequences = 2, pages = 5, parts = 3;
  const int lengths[sequences] = {70, 19};
  run::array<int> table(sequences * pages, [](auto i) { return (i * 3 + 2) % 10; }),
      device_lengths(sequences, [&](auto i) { return lengths[i]; });
  run::array<__half> q(sequences * heads * width, [](auto i) { return input(i); }),
      k(sequences * pages * page * width, [](auto i) { return input(i + 17); }),
      v(sequences * pages * page * width, [](auto i) { return input(i + 3); });
  constexpr int rows = sequences * heads;
  run::array<float> values(rows * parts * width), largest(rows * parts), sums(rows * parts),
      o(rows * width);
  decode<heads, page><<<dim3(parts, sequences), 1>>>(q, k, v, table, device_lengths, values,
                                                     largest, sums, pages, parts);
  combine<4><<<rows, 1>>>(values, largest, sums, o, parts);
  std::vector<double> wanted;
  for (int row = 0; row < rows; ++row) {
    const int b = row / heads;
    for (double x : attend(q, row * width, k, v, lengths[b], [&](int j) {
           return (int(table[b * pages + j / page]) * page + j % page) * width;
         }))
      wanted.push_back(x);
  }
  run::expect("pages", o, [&](auto i) { return wanted[i]; }, 2e-3);
}

int main() {
  check_packed();
  check_pages();
  return run::finish();
}
