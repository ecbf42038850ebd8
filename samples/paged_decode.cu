// paged_decode: as decode, with a cache of pages, which sequences get one after the other as they
// grow. A table has the pages of each sequence. A tile of keys is a box of a large page, and is
// gathered by pointers from small pages.
//
//   paged_decode [SEQUENCES KV_HEADS GROUP LENGTH DEPTH PAGE PARTS]
//     GROUP is 1 to 8 queries, DEPTH is 64 or 128, PAGE is 1, 16, 64 or 128 keys; sequences have up
//     to LENGTH keys. Without PARTS there are as many as fill the card; a part has at most 32 tiles
//     of keys.
#include "decode.h"

#include <string>

/// Tiles of keys that a part has at most, so that registers have room for the numbers of its pages.
constexpr unsigned most_tiles = 32;

/// Keys of a tile: a page or a part of one, or several small pages.
constexpr unsigned paged_tile_keys(unsigned page, unsigned depth) {
  return page < 64 ? tile_keys(depth) : std::min(tile_keys(depth), page);
}

/// Page: keys of a page. Queries: 8. Keys: of a tile, which has a part of a page or whole
/// small pages. k, v: [pages, Page, kv_heads, Depth]. table: [sequences, pages_per_sequence]; the
/// key i of a sequence is in its page table[sequence, i / Page]. decode_part has the rest.
template <int Page, int Queries, int Keys, int Depth>
__tile_global__ void paged_decode_parts(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                                        const bf16 *__restrict__ v, const int *__restrict__ table,
                                        const int *__restrict__ lengths, float *__restrict__ parts,
                                        float *__restrict__ logs, unsigned pages_per_sequence,
                                        unsigned kv_heads, unsigned group, float scale) {
  q = ct::assume_aligned<16>(q);
  k = ct::assume_aligned<16>(k);
  v = ct::assume_aligned<16>(v);
  parts = ct::assume_aligned<16>(parts);
  const unsigned kv_head = ct::bid().y, sequence = ct::bid().z;
  const int length = lengths[sequence];
  const int *pages = table + std::size_t{sequence} * pages_per_sequence;
  const std::size_t stride = std::size_t{kv_heads} * Depth;

  // Tiles of later iterations are copied ahead, and so their pages must be known ahead. A load of a
  // page number in the loop would wait for memory. So a tile has the numbers of all pages of the
  // part: a row for each tile of keys, or for each large page. A sum with one term selects a row.
  constexpr int per_row = Page < Keys ? Keys / Page : 1, row_keys = per_row * Page;
  using numbers = tile<int, most_tiles, per_row>;
  const int first = ct::bid().x * tiles_of_part<Keys>(length) * Keys / row_keys;
  auto row = ct::iota<tile<int, most_tiles, 1>>();
  auto index = ct::iota<numbers>() + first * per_row;
  auto table_part = ct::load_masked(pages + index, index < ct::ceildiv(length, Page), 0);
  auto pages_of = [&](int i) {
    auto is_row = row == i * Keys / row_keys - first;
    return ct::sum<0>(ct::select(is_row, table_part, ct::zeros<numbers>()));
  };

  auto tile_of = [&](const bf16 *cache, int i) {
    cache += kv_head * Depth;
    const int left = length - i * Keys;
    if constexpr (Page >= Keys) {
      const std::size_t first_key = std::size_t(int(pages_of(i))) * Page + i * Keys % Page;
      auto rows = ct::layout_strided_mapping{
          ct::extents{unsigned(left), ct::integral_constant<Depth>{}}, ct::strides{stride, 1_ic}};
      auto tiles = ct::partition_view{ct::tensor_span{cache + first_key * stride, rows},
                                      ct::shape<Keys, Depth>{}};
      return tiles.load_masked(0, 0);
    } else {
      auto start = ct::reshape(pages_of(i) * Page, ct::shape<per_row, 1>{});
      auto key = ct::reshape(start + ct::iota<tile<int, 1, Page>>(), ct::shape<Keys, 1>{});
      auto column = ct::element_cast<std::size_t>(ct::iota<tile<int, 1, Depth>>());
      return ct::load_masked(cache + (ct::element_cast<std::size_t>(key) * stride + column),
                             ct::iota<tile<int, Keys, 1>>() < left, bf16(0.0f));
    }
  };
  decode_part<Queries, Keys, Depth>([&](int i) { return tile_of(k, i); },
                                    [&](int i) { return tile_of(v, i); }, length, q, parts, logs,
                                    group, scale);
}

/// Arrays on the device; see the kernels.
struct arrays {
  const bf16 *q, *k, *v;
  const int *table, *lengths;
  float *parts, *logs;
  bf16 *out;
};

template <int Page, int Depth>
void launch_paged_decode(const problem &p, const arrays &a, unsigned splits) {
  const float scale = 1.44269504f / std::sqrt(float(Depth));
  paged_decode_parts<Page, 8, paged_tile_keys(Page, Depth), Depth>
      <<<dim3(splits, p.kv_heads, p.sequences), 1>>>(a.q, a.k, a.v, a.table, a.lengths, a.parts,
                                                     a.logs, (p.capacity - 1) / Page + 1,
                                                     p.kv_heads, p.group, scale);
  combine_parts<Depth><<<p.queries(), 1>>>(a.parts, a.logs, a.out, splits);
}

template <int Page> void launch_paged_decode(const problem &p, const arrays &a, unsigned splits) {
  if (p.depth == 64)
    launch_paged_decode<Page, 64>(p, a, splits);
  else
    launch_paged_decode<Page, 128>(p, a, splits);
}

void launch_paged_decode(unsigned page, const problem &p, const arrays &a, unsigned splits) {
  switch (page) {
  case 1: return launch_paged_decode<1>(p, a, splits);
  case 16: return launch_paged_decode<16>(p, a, splits);
  case 64: return launch_paged_decode<64>(p, a, splits);
  case 128: return launch_paged_decode<128>(p, a, splits);
  }
}

int main(int argc, char **argv) {
  const problem p(argc, argv, 8);
  const unsigned page = sample::size_argument(argc, argv, 6, 16);
  if (page != 1 && page != 16 && page != 64 && page != 128)
    return std::fprintf(stderr, "error: pages have 1, 16, 64 or 128 keys\n"), 1;

  const unsigned tiles = (p.capacity - 1) / paged_tile_keys(page, p.depth) + 1;
  const unsigned splits = std::max(sample::size_argument(argc, argv, 7, parts_that_fill(p)),
                                   (tiles - 1) / most_tiles + 1);

  // All pages in random order.
  const std::size_t pages_per_sequence = (p.capacity - 1) / page + 1;
  std::vector<int> table(p.sequences * pages_per_sequence);
  sample::random_numbers random(5);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::size_t other = random.below(i + 1);
    table[i] = table[other];
    table[other] = i;
  }
  auto token = [&](std::size_t sequence, std::size_t key) {
    return std::size_t(table[sequence * pages_per_sequence + key / page]) * page + key % page;
  };

  const std::size_t row = p.token_size(), size = row * page * table.size();
  const auto q = sample::random_vector<bf16>(p.queries() * p.depth, 1);
  auto k = sample::random_vector<bf16>(size, 2), v = sample::random_vector<bf16>(size, 3);
  // What follows the last key of a sequence must not count.
  for (std::size_t i = 0; i < p.sequences; ++i)
    for (std::size_t key = p.lengths[i]; key < pages_per_sequence * page; ++key)
      for (auto *cache : {&k, &v})
        std::fill_n(cache->begin() + token(i, key) * row, row, bf16(NAN));

  sample::device_array<bf16> device_q(q), device_k(k), device_v(v), device_out(q.size());
  sample::device_array<int> device_table(table), device_lengths(p.lengths);
  sample::device_array<float> parts(q.size() * splits), logs(p.queries() * splits);
  const arrays a{device_q.get(),       device_k.get(), device_v.get(), device_table.get(),
                 device_lengths.get(), parts.get(),    logs.get(),     device_out.get()};
  const double time = sample::median_microseconds([&] { launch_paged_decode(page, p, a, splits); });

  check(p, q, k, v, device_out.to_host(), token);
  report(("paged_decode, pages of " + std::to_string(page) + ",").c_str(), p, splits, time);
}
