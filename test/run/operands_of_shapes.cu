// Factors of a loop that reach the multiply in another shape than that in which they are read:
// without dimensions of one element, with several made one, out of a row of memory; copied ahead of
// their use where nothing but the multiply takes them, with boxes that their views cut.
#include "run.h"
#include <algorithm>
#include <cuda_bf16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

double element(std::size_t i) { return double(int(i * 7 % 13) - 6) / 8; }

// Attention over views of four dimensions: batch, head, position, width; or batch, position, head,
// width.
constexpr int width = 64, query_rows = 64, key_rows = 32;

template <bool ByPosition, class T, int Rows>
__tile__ auto tiles_of(T *p, int batches, int heads, int length) {
  if constexpr (ByPosition)
    return ct::partition_view{
        ct::tensor_span{p, ct::extents{batches, length, heads, ct::integral_constant<width>{}}},
        ct::shape<1, Rows, 1, width>{}};
  else
    return ct::partition_view{
        ct::tensor_span{p, ct::extents{batches, heads, length, ct::integral_constant<width>{}}},
        ct::shape<1, 1, Rows, width>{}};
}

template <bool ByPosition, class View>
__tile__ auto tile_of(View view, int batch, int head, int position) {
  if constexpr (ByPosition)
    return ct::permute(view.load_masked(batch, position, head, 0), ct::dimension_map<0, 2, 1, 3>{});
  else
    return view.load_masked(batch, head, position, 0);
}

template <bool ByPosition> __tile_global__ void attention(const __nv_bfloat16 *q,
                                                          const __nv_bfloat16 *k,
                                                          const __nv_bfloat16 *v, float *out,
                                                          int batches, int heads, int length) {
  using row = ct::tile<float, ct::shape<query_rows, 1>>;
  int batch = ct::bid().y, head = ct::bid().x;
  auto q_tiles = tiles_of<ByPosition, const __nv_bfloat16, query_rows>(q, batches, heads, length);
  auto k_tiles = tiles_of<ByPosition, const __nv_bfloat16, key_rows>(k, batches, heads, length);
  auto v_tiles = tiles_of<ByPosition, const __nv_bfloat16, key_rows>(v, batches, heads, length);
  auto q_tile = ct::reshape(tile_of<ByPosition>(q_tiles, batch, head, ct::bid().z),
                            ct::shape<query_rows, width>{});
  auto largest = ct::full<row>(-1e30f);
  auto total = ct::zeros<row>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<query_rows, width>>>();
  for (auto i : ct::irange(0, (length + key_rows - 1) / key_rows)) {
    auto k_tile =
        ct::permute(tile_of<ByPosition>(k_tiles, batch, head, i), ct::dimension_map<0, 1, 3, 2>{});
    auto score = ct::mma(q_tile, ct::reshape(k_tile, ct::shape<width, key_rows>{}),
                         ct::zeros<ct::tile<float, ct::shape<query_rows, key_rows>>>());
    auto position =
        ct::reshape(ct::iota<ct::tile<int, ct::shape<key_rows>>>(), ct::shape<1, key_rows>{}) +
        i * key_rows;
    score = ct::select(position < length, score,
                       ct::full<ct::tile<float, ct::shape<query_rows, key_rows>>>(-1e30f));
    auto next = ct::max(largest, ct::reduce_max<1>(score));
    auto p = ct::exp2(score - next);
    auto shrink = ct::exp2(largest - next);
    total = total * shrink + ct::sum<1>(p);
    auto v_tile =
        ct::reshape(tile_of<ByPosition>(v_tiles, batch, head, i), ct::shape<key_rows, width>{});
    sum = ct::mma(ct::element_cast<__nv_bfloat16>(p), v_tile, sum * shrink);
    largest = next;
  }
  auto out_tiles = tiles_of<false, float, query_rows>(out, batches, heads, length);
  out_tiles.store_masked(ct::reshape(sum / total, ct::shape<1, 1, query_rows, width>{}), batch,
                         head, ct::bid().z, 0);
}

template <bool ByPosition>
void check_attention(const char *name, int batches, int heads, int length) {
  const std::size_t size = std::size_t(batches) * heads * length * width;
  run::array<__nv_bfloat16> q(size, element), k(size, [](auto i) { return element(i * 3 + 1); }),
      v(size, [](auto i) { return element(i * 5 + 2); });
  run::array<float> out(size);
  attention<ByPosition><<<dim3(heads, batches, (length + query_rows - 1) / query_rows), 1>>>(
      q.device, k.device, v.device, out.device, batches, heads, length);
  auto at = [&](int batch, int head, int position, int d) {
    return ByPosition ? ((std::size_t(batch) * length + position) * heads + head) * width + d
                      : ((std::size_t(batch) * heads + head) * length + position) * width + d;
  };
  std::vector<double> wanted(size);
  for (int batch = 0; batch < batches; ++batch)
    for (int head = 0; head < heads; ++head)
      for (int row = 0; row < length; ++row) {
        std::vector<double> score(length);
        double largest = -1e30, total = 0;
        for (int j = 0; j < length; ++j) {
          for (int d = 0; d < width; ++d)
            score[j] += element(at(batch, head, row, d)) * element(at(batch, head, j, d) * 3 + 1);
          largest = std::max(largest, score[j]);
        }
        for (double &s : score)
          total += s = std::exp2(s - largest);
        for (int d = 0; d < width; ++d) {
          double sum = 0;
          for (int j = 0; j < length; ++j)
            sum += score[j] * element(at(batch, head, j, d) * 5 + 2);
          wanted[((std::size_t(batch) * heads + head) * length + row) * width + d] = sum / total;
        }
      }
  run::expect(name, out, [&](auto i) { return wanted[i]; }, 2e-2);
}

// a: rows of a matrix as 4 boxes of 16 rows each, that the view cuts; b: 32 rows out of one row of
// memory; a second reader of what is read keeps it from being copied.
template <bool IsReadTwice> __tile_global__ void merged(const __half *a, const __half *b, float *c,
                                                        int groups, int rows, int depth) {
  auto a_tiles = ct::partition_view{ct::tensor_span{a, ct::extents{groups, rows, depth}},
                                    ct::shape<4, 16, 32>{}};
  auto b_tiles =
      ct::partition_view{ct::tensor_span{b, ct::extents{depth * 64}}, ct::shape<32 * 64>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (auto i : ct::irange(0, (depth + 31) / 32)) {
    auto x = ct::reshape(a_tiles.load_masked(0, 0, i), ct::shape<64, 32>{});
    auto y = ct::reshape(b_tiles.load_masked(i), ct::shape<32, 64>{});
    sum = ct::mma(x, y, sum);
    if constexpr (IsReadTwice)
      sum = sum + ct::element_cast<float>(ct::sum<1>(x));
  }
  ct::partition_view{ct::tensor_span{c, ct::shape<64, 64>{}}, ct::shape<64, 64>{}}.store(sum, 0, 0);
}

template <bool IsReadTwice> void check_merged(const char *name, int groups, int rows, int depth) {
  run::array<__half> a(groups * rows * depth + 1, element),
      b(depth * 64 + 1, [](auto i) { return element(i + 2); });
  run::array<float> c(64 * 64);
  merged<IsReadTwice><<<1, 1>>>(a.device, b.device, c.device, groups, rows, depth);
  run::expect(name, c, [&](auto i) {
    const int group = int(i / 64) / 16, row = int(i / 64) % 16;
    double sum = 0;
    for (int k = 0; group < groups && row < rows && k < depth; ++k)
      sum += element((group * rows + row) * depth + k) *
             (element(k * 64 + i % 64 + 2) + (IsReadTwice ? 1 : 0));
    return sum;
  });
}

int main() {
  check_attention<false>("heads before positions", 1, 2, 150);
  check_attention<false>("one block of keys", 2, 1, 17);
  check_attention<true>("positions before heads", 2, 3, 100);
  check_merged<false>("boxes of rows", 3, 13, 104);
  check_merged<false>("boxes of rows, none aligned", 4, 16, 37);
  check_merged<true>("read twice", 3, 13, 72);
  return run::finish();
}
