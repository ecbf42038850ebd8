// Attention of sequences whose starts and lengths are in memory: no launch knows their views, so a
// kernel makes its tensor maps itself, and its producer warp reads the lengths. Blocks beyond the
// end of a sequence return at once, and read nothing that stands behind that. Sequences of no key
// and of one, of odd lengths; lengths that the kernel writes itself keep it as it was.
#include "attention.h"
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

template <int Rows, int D, class T> __tile__ auto rows_of(T *p, int start, int length) {
  p = ct::assume_aligned<16>(p) + static_cast<long long>(start) * D;
  return ct::partition_view{ct::tensor_span{p, ct::extents{length, ct::integral_constant<D>{}}},
                            ct::shape<Rows, D>{}};
}

// starts: [sequences + 1]. scales: of a sequence's scores, read behind the return; 1 / scales of
// empty sequences would divide by zero. own: [sequences, blocks], where a block that ReadsOwn
// writes its length, and reads it through `copy`; it does not return early.
template <int M, int N, int D, bool ReadsOwn>
__tile_global__ void packed(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                            const bf16 *__restrict__ v, bf16 *__restrict__ out,
                            const int *__restrict__ starts, const int *__restrict__ scales,
                            int *__restrict__ visited, int *own, const int *copy) {
  const int sequence = ct::bid().y, block = ct::bid().x;
  const int start = starts[sequence], place = sequence * int(ct::num_blocks().x) + block;
  int length = starts[sequence + 1] - start;
  if constexpr (ReadsOwn) {
    own[place] = length;
    length = copy[place];
  }
  if constexpr (!ReadsOwn)
    if (block * M >= length)
      return;
  const int scale = 64 / (ReadsOwn ? ct::max(scales[sequence], 1) : scales[sequence]);
  auto query = rows_of<M, D>(q, start, length).load_masked(block, 0);
  auto k_tiles = rows_of<N, D>(k, start, length), v_tiles = rows_of<N, D>(v, start, length);
  auto weight = ct::zeros<ct::tile<float, ct::shape<M, 1>>>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  auto key = ct::iota<ct::tile<int, ct::shape<1, N>>>();
  using scores = ct::tile<float, ct::shape<M, N>>;
  for (int i = 0; i < (length + N - 1) / N; ++i) {
    auto s = ct::mma(query, ct::transpose(k_tiles.load_masked(i, 0)), ct::zeros<scores>());
    auto p = ct::exp2(s * (float(scale) / 64));
    p = ct::select(ct::broadcast<ct::shape<M, N>>(key + i * N < length), p, ct::zeros<scores>());
    weight = weight + ct::sum<1>(p);
    sum = ct::mma(ct::element_cast<bf16>(p), v_tiles.load_masked(i, 0), sum);
  }
  rows_of<M, D>(out, start, length)
      .store_masked(ct::element_cast<bf16>(sum * (1.0f / weight)), block, 0);
  visited[place] = start;
}

template <int M, int N, int D, bool ReadsOwn> void test(const char *name) {
  const std::vector<int> lengths = {300, 0, 1, 128, 517, 0}, scale = {1, 0, 2, 4, 8, 0};
  const int sequences = int(lengths.size()), blocks = (517 + M - 1) / M;
  std::vector<int> first = {0};
  for (int length : lengths)
    first.push_back(first.back() + length);
  const std::size_t elements = std::size_t(first[sequences]) * D;
  auto number = [](std::size_t i) { return run::small(i) / 4; };
  const run::array<bf16> q(elements, [&](auto i) { return number(i); }),
      k(elements, [&](auto i) { return number(i + 5); }),
      v(elements, [&](auto i) { return number(i + 11); });
  run::array<bf16> out(elements);
  run::array<int> starts(first.size(), [&](auto i) { return first[i]; }),
      scales(scale.size(), [&](auto i) { return scale[i]; }),
      visited(std::size_t(sequences) * blocks, [](auto) { return -1; }), own(visited.size);
  packed<M, N, D, ReadsOwn>
      <<<dim3(blocks, sequences), 1>>>(q, k, v, out, starts, scales, visited, own, own);
  std::vector<double> wanted(elements);
  for (int b = 0; b < sequences; ++b)
    run::attention_of_head<D>(wanted, q, k, v, std::size_t(first[b]) * D, lengths[b],
                              lengths[b] ? (64 / scale[b]) / 64.0 : 0, /*sees_all=*/true,
                              [](int) { return 0; });
  run::expect(name, out, [&](auto i) { return wanted[i]; }, run::tolerance<bf16> * 4);
  run::expect("  blocks that have rows", visited, [&](auto i) {
    const int b = int(i) / blocks, block = int(i) % blocks;
    return ReadsOwn || block * M < lengths[b] ? first[b] : -1;
  });
}

int main() {
  test<128, 128, 128, false>("packed");
  test<128, 64, 128, false>("packed, small blocks of keys");
  test<128, 128, 64, false>("packed, short rows");
  test<128, 128, 128, true>("packed, lengths that the kernel writes");
  return run::finish();
}
