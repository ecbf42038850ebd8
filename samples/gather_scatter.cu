// gather_scatter: rows of floats by a list of row numbers, to[i, :] = from[rows[i], :] and
// to[rows[i], :] = from[i, :], through gather_scatter_view; then the same of single elements,
// through tiles of pointers. The list is a permutation, since two stores to one place would race.
//
//   gather_scatter [ROWS COLUMNS]
#include "arrays.h"

#include <numeric>

namespace ct = cuda::tiles;
using namespace sample;

/// How many rows and columns of a table a block moves, and how many single elements.
constexpr int height = 16, width = 128, tile = 1024;

/// A table in boxes of consecutive rows, or of rows that a list names.
template <class T> __tile__ auto table(T *data, unsigned rows, unsigned columns) {
  return ct::tensor_span{ct::assume_aligned<16>(data), ct::extents{rows, columns}};
}
template <class Span> __tile__ auto in_boxes(Span span) {
  return ct::partition_view{span, ct::shape<height, width>{}};
}
template <class Span> __tile__ auto by_list(Span span) {
  return ct::gather_scatter_view{span, ct::shape<height, width>{}, ct::integral_constant<0>{}};
}

/// The block's part of the list; a row that does not exist stands behind the table.
__tile__ inline auto part_of_list(const int *list, unsigned rows) {
  auto i = int(ct::bid().y) * height + places<height>();
  return ct::load_masked(list + i, i < int(rows), int(rows));
}

__tile_global__ void gather_rows(const float *__restrict__ from, const int *__restrict__ list,
                                 float *__restrict__ to, unsigned rows, unsigned columns) {
  const int i = ct::bid().y, j = ct::bid().x;
  auto chosen = by_list(table(from, rows, columns));
  in_boxes(table(to, rows, columns))
      .store_masked(chosen.load_masked(part_of_list(list, rows), j * width), i, j);
}

__tile_global__ void scatter_rows(const float *__restrict__ from, const int *__restrict__ list,
                                  float *__restrict__ to, unsigned rows, unsigned columns) {
  const int i = ct::bid().y, j = ct::bid().x;
  auto values = in_boxes(table(from, rows, columns)).load_masked(i, j);
  by_list(table(to, rows, columns)).store_masked(values, part_of_list(list, rows), j * width);
}

__tile_global__ void gather(const float *__restrict__ from, const int *__restrict__ list,
                            float *__restrict__ to, unsigned n) {
  auto exists = places<tile>() < int(n) - int(ct::bid().x) * tile;
  auto at = in_tiles<tile>(list, n).load_masked(ct::bid().x);
  in_tiles<tile>(to, n).store_masked(ct::load_masked(from + at, exists, 0.0f), ct::bid().x);
}

__tile_global__ void scatter(const float *__restrict__ from, const int *__restrict__ list,
                             float *__restrict__ to, unsigned n) {
  auto exists = places<tile>() < int(n) - int(ct::bid().x) * tile;
  auto at = in_tiles<tile>(list, n).load_masked(ct::bid().x);
  ct::store_masked(to + at, in_tiles<tile>(from, n).load_masked(ct::bid().x), exists);
}

/// A permutation of 0 ... n - 1.
std::vector<int> permutation(unsigned n, unsigned seed) {
  std::vector<int> list(n);
  std::iota(list.begin(), list.end(), 0);
  random_numbers random(seed);
  for (unsigned i = n; i > 1; --i)
    std::swap(list[i - 1], list[random.below(i)]);
  return list;
}

int main(int argc, char **argv) {
  const unsigned rows = size_argument(argc, argv, 1, 8192);
  const unsigned columns = size_argument(argc, argv, 2, 1024);
  const unsigned n = rows * columns;
  const auto from = random_vector<float>(n, 1);
  const auto list = permutation(rows, 2), places_of_all = permutation(n, 3);
  device_array<float> device_from(from), device_to(n);
  device_array<int> device_list(list), device_places(places_of_all);

  // Launches, and holds the result against that of `move(wanted)`.
  auto run = [&](const char *name, auto launch, auto move) {
    const double time = median_microseconds(launch);
    std::vector<float> wanted(n);
    move(wanted);
    expect_equal(name, device_to.to_host(), wanted);
    std::printf("%s %ux%u: %.1f us, %.1f GB/s\n", name, rows, columns, time,
                giga_per_second(2.0 * n * sizeof(float), time));
  };
  auto move_row = [&](std::vector<float> &to, unsigned row, unsigned source) {
    std::copy_n(&from[std::size_t{source} * columns], columns, &to[std::size_t{row} * columns]);
  };
  const dim3 boxes(tiles_of(columns, width), tiles_of(rows, height));
  run(
      "gather_rows",
      [&] {
        gather_rows<<<boxes, 1>>>(device_from.get(), device_list.get(), device_to.get(), rows,
                                  columns);
      },
      [&](auto &to) {
        for (unsigned row = 0; row < rows; ++row)
          move_row(to, row, list[row]);
      });
  run(
      "scatter_rows",
      [&] {
        scatter_rows<<<boxes, 1>>>(device_from.get(), device_list.get(), device_to.get(), rows,
                                   columns);
      },
      [&](auto &to) {
        for (unsigned row = 0; row < rows; ++row)
          move_row(to, list[row], row);
      });
  run(
      "gather",
      [&] {
        gather<<<tiles_of(n, tile), 1>>>(device_from.get(), device_places.get(), device_to.get(),
                                         n);
      },
      [&](auto &to) {
        for (unsigned i = 0; i < n; ++i)
          to[i] = from[places_of_all[i]];
      });
  run(
      "scatter",
      [&] {
        scatter<<<tiles_of(n, tile), 1>>>(device_from.get(), device_places.get(), device_to.get(),
                                          n);
      },
      [&](auto &to) {
        for (unsigned i = 0; i < n; ++i)
          to[places_of_all[i]] = from[i];
      });
}
