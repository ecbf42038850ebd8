// embedding: rows of a table, chosen by number, and the gradient of the table, to whose rows those
// of all tokens with that number are added, by atomics. bf16 in memory, the gradient of the table
// f32. A block has 8 tokens and 256 columns.
//
//   embedding [TOKENS WIDTH ROWS]
#include "rows.h"

constexpr int tokens_of_block = 8, columns_of_block = 256;

/// The numbers of a block's tokens; those of tokens behind the end are 0.
__tile__ auto ids_of_block(const int *ids, unsigned tokens) {
  return ct::partition_view{ct::tensor_span{ids, ct::extents{tokens}}, ct::shape<tokens_of_block>{}}
      .load_masked(ct::bid().y);
}

template <class T> __tile__ auto vectors_of(T *p, unsigned tokens, unsigned width) {
  return ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(p), ct::extents{tokens, width}},
                            ct::shape<tokens_of_block, columns_of_block>{}};
}

template <int Divisor> __tile_global__ void embedding(const bf16 *__restrict__ table,
                                                      const int *__restrict__ ids,
                                                      bf16 *__restrict__ y, unsigned tokens,
                                                      unsigned width, unsigned rows) {
  width = ct::assume_divisible<Divisor>(width);
  auto vectors = ct::gather_scatter_view{
      ct::tensor_span{ct::assume_aligned<16>(table), ct::extents{rows, width}},
      ct::shape<tokens_of_block, columns_of_block>{}, ct::integral_constant<0>{}};
  auto chosen = vectors.load_masked(ids_of_block(ids, tokens), int(ct::bid().x) * columns_of_block);
  vectors_of(y, tokens, width).store_masked(chosen, ct::bid().y, ct::bid().x);
}

template <int Divisor> __tile_global__ void embedding_backward(const bf16 *__restrict__ dy,
                                                               const int *__restrict__ ids,
                                                               float *__restrict__ dtable,
                                                               unsigned tokens, unsigned width) {
  width = ct::assume_divisible<Divisor>(width);
  dtable = ct::assume_aligned<16>(dtable);
  auto change = vectors_of(dy, tokens, width).load_masked(ct::bid().y, ct::bid().x);
  auto row = ct::reshape(ids_of_block(ids, tokens), ct::shape<tokens_of_block, 1>{});
  auto token =
      ct::iota<ct::tile<int, ct::shape<tokens_of_block, 1>>>() + int(ct::bid().y) * tokens_of_block;
  auto column = ct::iota<ct::tile<int, ct::shape<1, columns_of_block>>>() +
                int(ct::bid().x) * columns_of_block;
  auto to = dtable + (ct::element_cast<long long>(row) * int(width) + column);
  ct::atomic_add_masked(to, ct::element_cast<float>(change),
                        token < int(tokens) && column < int(width), ct::memory_order_relaxed_t{},
                        ct::thread_scope_device_t{});
}

int main(int argc, char **argv) {
  const unsigned tokens = sample::size_argument(argc, argv, 1, 4096);
  const unsigned width = sample::size_argument(argc, argv, 2, 1024);
  const unsigned rows = sample::size_argument(argc, argv, 3, 1000);
  const std::size_t size = std::size_t{tokens} * width, size_of_table = std::size_t{rows} * width;

  const auto table = sample::random_vector<bf16>(size_of_table, 1),
             dy = sample::random_vector<bf16>(size, 2);
  sample::random_numbers random(3);
  std::vector<int> ids(tokens);
  for (int &id : ids)
    id = random.below(1 + random.below(rows)); // small numbers are more frequent
  sample::device_array<bf16> device_table(table), device_dy(dy), device_y(size);
  sample::device_array<int> device_ids(ids);
  sample::device_array<float> device_dtable(size_of_table);
  const dim3 grid((width + columns_of_block - 1) / columns_of_block,
                  (tokens + tokens_of_block - 1) / tokens_of_block);
  const double time = sample::median_microseconds([&] {
    sample::launch_by_divisor(width, [&]<int Divisor>() {
      embedding<Divisor>
          <<<grid, 1>>>(device_table.get(), device_ids.get(), device_y.get(), tokens, width, rows);
    });
  });
  const auto y = device_y.to_host();
  for (std::size_t token = 0; token < tokens; ++token)
    sample::expect_row(&y[token * width], token, width, 0, 0,
                       [&](auto i) { return double(table[std::size_t(ids[token]) * width + i]); });
  sample::report_rows("embedding", tokens, width, 2.0 * size * sizeof(bf16), time);

  const double time_back = sample::median_microseconds([&] {
    sample::require(cudaMemsetAsync(device_dtable.get(), 0, size_of_table * sizeof(float)),
                    "cudaMemsetAsync");
    sample::launch_by_divisor(width, [&]<int Divisor>() {
      embedding_backward<Divisor>
          <<<grid, 1>>>(device_dy.get(), device_ids.get(), device_dtable.get(), tokens, width);
    });
  });
  std::vector<double> wanted(size_of_table), sizes(size_of_table);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t at = std::size_t(ids[i / width]) * width + i % width;
    wanted[at] += double(dy[i]), sizes[at] += std::abs(double(dy[i]));
  }
  const auto dtable = device_dtable.to_host();
  for (std::size_t i = 0; i < size_of_table; ++i)
    sample::expect_near(dtable[i], wanted[i], 0, 1e-5 * sizes[i], i / width, i % width);
  // Each element is read, and added to one that is set to 0.
  sample::report_rows("embedding backward", tokens, width,
                      double(size) * (sizeof(bf16) + sizeof(float)) + size_of_table * sizeof(float),
                      time_back);
}
