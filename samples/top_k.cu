// top_k: the k largest numbers of each row of floats and their columns, the largest first; of
// equals the one of the lesser column. The k-th largest is found two bits at a time, by counting
// how many numbers reach each of three bounds; what is chosen is packed by one scan and sorted by a
// bitonic network.
//
//   top_k [ROWS COLUMNS K]      up to 16384 columns and 64 numbers
#include "ordered.h"

#include <numeric>

namespace ct = cuda::tiles;
using namespace sample;

constexpr int most = 64;

template <class Mask> __tile__ int count(Mask mask) {
  return int(ct::sum<0>(ct::element_cast<int>(mask)));
}

/// Width: a power of two that holds a row.
template <int Width> __tile_global__ void top_k(const float *__restrict__ x,
                                                float *__restrict__ values,
                                                int *__restrict__ columns_of_values, unsigned rows,
                                                unsigned columns, int k) {
  auto span = ct::tensor_span{ct::assume_aligned<16>(x), ct::extents{rows, columns}};
  const int row = ct::bid().x;
  auto numbers = ct::partition_view{span, ct::shape<1, Width>{}}
                     .template load_masked<ct::view_padding::negative_inf>(row, 0);
  auto keys = ordered_bits(ct::reshape(numbers, ct::shape<Width>{}));

  // The greatest bound that k numbers reach.
  unsigned bound = 0;
  for (int shift = 30; shift >= 0; shift -= 2) {
    const unsigned step = 1u << shift;
    const int one = count(keys >= bound + step), two = count(keys >= bound + 2 * step),
              three = count(keys >= bound + 3 * step);
    bound += step * (unsigned(one >= k) + unsigned(two >= k) + unsigned(three >= k));
  }

  // Numbers above the bound, then those that are equal to it: two counts in one scan. The padding
  // stands behind its equals.
  auto is_above = keys > bound, is_equal = keys == bound;
  auto both =
      ct::partial_sum<0>(ct::element_cast<int>(is_above) + (ct::element_cast<int>(is_equal) << 16));
  const int above = count(is_above);
  auto place = ct::select(is_above, both & 0xffff, above + (both >> 16)) - 1;
  auto is_chosen = is_above || (is_equal && place < k);

  using key = unsigned long long;
  auto column = ct::iota<ct::tile<unsigned, ct::shape<Width>>>();
  key chosen[most];
  auto i = places<most>();
  ct::store(chosen + i, ct::full<ct::tile<key, ct::shape<most>>>(~0ull));
  ct::store_masked(chosen + place,
                   ct::element_cast<key>(~keys) << 32 | ct::element_cast<key>(column), is_chosen);
  auto in_order = ct::reshape(sorted<most>(ct::reshape(ct::load(chosen + i), ct::shape<1, most>{})),
                              ct::shape<most>{});
  auto to = row * k + i;
  ct::store_masked(values + to, floats_of(~ct::element_cast<unsigned>(in_order >> 32)), i < k);
  ct::store_masked(columns_of_values + to, ct::element_cast<int>(in_order & 0xffffffffull), i < k);
}

/// Launches the narrowest instance that holds a row.
template <int Width = 1024> void launch_top_k(const float *x, float *values, int *places,
                                              unsigned rows, unsigned columns, int k) {
  if constexpr (Width < 16384)
    if (columns > Width)
      return launch_top_k<4 * Width>(x, values, places, rows, columns, k);
  top_k<Width><<<rows, 1>>>(x, values, places, rows, columns, k);
}

int main(int argc, char **argv) {
  const unsigned rows = size_argument(argc, argv, 1, 4096);
  const unsigned columns = size_argument(argc, argv, 2, 1024);
  const unsigned k = size_argument(argc, argv, 3, std::min(columns, 32u));
  if (columns > 16384 || k > most || k > columns)
    return std::fprintf(stderr, "error: top_k has rows of at most 16384 numbers, of which it finds "
                                "at most 64, and not more than there are\n"),
           1;
  // Few of many values, so that there are equals.
  auto x = random_vector<float>(std::size_t{rows} * columns, 1);
  for (float &value : x)
    value = std::round(value * 1000) / 8;
  device_array<float> device_x(x), values(std::size_t{rows} * k);
  device_array<int> columns_of_values(std::size_t{rows} * k);
  const double time = median_microseconds([&] {
    launch_top_k(device_x.get(), values.get(), columns_of_values.get(), rows, columns, int(k));
  });

  std::vector<float> wanted(std::size_t{rows} * k);
  std::vector<int> places(wanted.size()), order(columns);
  for (std::size_t row = 0; row < rows; ++row) {
    const float *numbers = &x[row * columns];
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](int a, int b) {
      return numbers[a] != numbers[b] ? numbers[a] > numbers[b] : a < b;
    });
    for (unsigned i = 0; i < k; ++i)
      places[row * k + i] = order[i], wanted[row * k + i] = numbers[order[i]];
  }
  expect_equal("value", values.to_host(), wanted);
  expect_equal("column of value", columns_of_values.to_host(), places);
  std::printf("top_k %u of %ux%u: %.1f us, %.1f GB/s\n", k, rows, columns, time,
              giga_per_second(double(x.size()) * sizeof(float), time));
}
