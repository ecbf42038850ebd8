// sort: rows of floats by a bitonic network, each in one tile; and n 32-bit keys by a radix sort.
// The radix sort counts all digits in one pass over the keys. Then each of four passes moves the
// keys by one digit of 8 bits, stably: a block sorts a tile by the digit, finds by decoupled
// look-back (look_back.h) how many keys of each digit precede it, and writes runs of equal digits.
//
//   sort [N [ROWS COLUMNS]]      up to 1024 columns
#include "look_back.h"
#include "ordered.h"

namespace ct = cuda::tiles;
using namespace sample;

constexpr int tile = 4096, digit_bits = 8, digits = 1 << digit_bits, passes = 32 / digit_bits;

template <class Keys> __tile__ auto digit_of(Keys keys, int shift) {
  return ct::element_cast<int>(keys >> shift & unsigned(digits - 1));
}

/// Counts of every digit of every pass: passes x digits.
__tile_global__ void count_digits(const unsigned *__restrict__ keys, unsigned *__restrict__ counts,
                                  unsigned n) {
  auto tiles = in_tiles<tile>(keys, n);
  auto all = places<passes * digits>();
  auto ones = ct::ones<ct::tile<unsigned, ct::shape<tile>>>();
  unsigned own[passes * digits];
  ct::store(own + all, ct::zeros<ct::tile<unsigned, ct::shape<passes * digits>>>());
  const int first = ct::bid().x, blocks = ct::num_blocks().x, end = (n + tile - 1) / tile;
  for (auto i : ct::irange(first, end, blocks)) {
    auto values = tiles.load_masked(i);
    auto exists = places<tile, unsigned>() < n - unsigned(i) * tile;
    for (int pass = 0; pass < passes; ++pass)
      ct::atomic_add_masked(own + (digit_of(values, pass * digit_bits) + pass * digits), ones,
                            exists, relaxed{}, in_block{});
  }
  ct::atomic_add(counts + all, ct::load(own + all), relaxed{}, on_device{});
}

/// Where the keys of each digit begin, in each pass.
__tile_global__ void start_digits(unsigned *counts) {
  auto span = ct::tensor_span{ct::assume_aligned<16>(counts), ct::shape<passes, digits>{}};
  auto all = ct::partition_view{span, ct::shape<passes, digits>{}};
  auto count = all.load(0, 0);
  all.store(ct::partial_sum<1>(count) - count, 0, 0);
}

/// One tile, sorted by the digit: two bits at a time. Four counts of 16 bits are scanned together.
template <class Keys> __tile__ Keys sorted_by_digit(Keys keys, unsigned *memory, int shift) {
  using four = unsigned long long;
  for (int bit = shift; bit < shift + digit_bits; bit += 2) {
    auto field = ct::element_cast<four>(keys >> bit & 3u) * 16ull;
    auto one = ct::ones<ct::tile<four, ct::shape<tile>>>() << field;
    const four whole = four(ct::sum<0>(one));
    const four starts = (whole << 16) + (whole << 32) + (whole << 48);
    auto place = ct::element_cast<int>((ct::partial_sum<0>(one) + starts) >> field & 0xffffull) - 1;
    ct::store(memory + place, keys);
    keys = ct::load(memory + places<tile>());
  }
  return keys;
}

/// Moves keys by the digit above `shift`; starts: where each digit begins.
__tile_global__ void move_by_digit(const unsigned *__restrict__ from, unsigned *__restrict__ to,
                                   const unsigned *__restrict__ starts, short_word *words,
                                   unsigned n, int shift) {
  const int t = next_tile(words);
  auto i = places<tile>();
  auto exists = ct::iota<ct::tile<unsigned, ct::shape<tile>>>() < n - unsigned(t) * tile;
  // Keys that do not exist stand last, behind those of the last digit.
  auto keys = ct::select(exists, in_tiles<tile>(from, n).load_masked(t),
                         ct::full<ct::tile<unsigned, ct::shape<tile>>>(~0u));

  unsigned of_digits[digits], of_keys[tile];
  auto digit = places<digits>();
  ct::store(of_digits + digit, ct::zeros<ct::tile<unsigned, ct::shape<digits>>>());
  ct::atomic_add_masked(of_digits + digit_of(keys, shift), ct::ones<decltype(keys)>(), exists,
                        relaxed{}, in_block{});
  auto count = ct::load(of_digits + digit);
  auto first_in_tile = ct::partial_sum<0>(count) - count;
  auto before = counts_before(words, t, count);
  ct::store(of_digits + digit, ct::load(starts + digit) + before - first_in_tile);

  keys = sorted_by_digit(keys, of_keys, shift);
  auto at = ct::load(of_digits + digit_of(keys, shift)) + ct::element_cast<unsigned>(i);
  ct::store_masked(to + at, keys, exists);
}

/// The keys of `keys`, sorted; overwrites `other`, which has as many. Of `words`, words_of_sort(n).
unsigned long long words_of_sort(unsigned n) { return 1 + 1ull * digits * tiles_of(n, tile); }

void sort_keys(unsigned *keys, unsigned *other, unsigned *counts, short_word *words, unsigned n) {
  clear(counts, passes * digits);
  count_digits<<<resident_blocks(tiles_of(n, tile)), 1>>>(keys, counts, n);
  start_digits<<<1, 1>>>(counts);
  for (int pass = 0; pass < passes; ++pass) {
    clear(words, words_of_sort(n));
    move_by_digit<<<tiles_of(n, tile), 1>>>(keys, other, counts + pass * digits, words, n,
                                            pass * digit_bits);
    std::swap(keys, other);
  }
}

void run_keys(unsigned n) {
  random_numbers random(1);
  std::vector<unsigned> keys(n);
  for (unsigned &key : keys)
    key = random.below(0xffffffffu);
  device_array<unsigned> given(keys), device_keys(n), other(n), counts(passes * digits);
  device_array<short_word> words(words_of_sort(n));
  const double time = median_microseconds([&] {
    require(cudaMemcpyAsync(device_keys.get(), given.get(), n * sizeof(unsigned),
                            cudaMemcpyDeviceToDevice),
            "cudaMemcpyAsync");
    sort_keys(device_keys.get(), other.get(), counts.get(), words.get(), n);
  });
  std::sort(keys.begin(), keys.end());
  expect_equal("key", device_keys.to_host(), keys);
  std::printf("sort %u keys: %.1f us, %.3f Gkeys/s\n", n, time, giga_per_second(n, time));
}

/// Width: a power of two that holds a row.
template <int Width> __tile_global__ void
sort_rows(const float *__restrict__ x, float *__restrict__ y, unsigned rows, unsigned columns) {
  auto extents = ct::extents{rows, columns};
  auto whole_row = ct::shape<1, Width>{};
  auto from = ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(x), extents}, whole_row};
  auto to = ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(y), extents}, whole_row};
  const int row = ct::bid().x;
  to.store_masked(sorted<Width>(from.template load_masked<ct::view_padding::positive_inf>(row, 0)),
                  row, 0);
}

template <int Width = 64>
void launch_sort_rows(const float *x, float *y, unsigned rows, unsigned columns) {
  if constexpr (Width < 1024)
    if (columns > Width)
      return launch_sort_rows<4 * Width>(x, y, rows, columns);
  sort_rows<Width><<<rows, 1>>>(x, y, rows, columns);
}

void run_rows(unsigned rows, unsigned columns) {
  auto x = random_vector<float>(std::size_t{rows} * columns, 2);
  device_array<float> device_x(x), device_y(x.size());
  const double time =
      median_microseconds([&] { launch_sort_rows(device_x.get(), device_y.get(), rows, columns); });
  for (std::size_t row = 0; row < rows; ++row)
    std::sort(x.begin() + row * columns, x.begin() + (row + 1) * columns);
  expect_equal("number", device_y.to_host(), x);
  std::printf("sort %u rows of %u: %.1f us, %.3f Gkeys/s\n", rows, columns, time,
              giga_per_second(double(x.size()), time));
}

int main(int argc, char **argv) {
  const unsigned n = size_argument(argc, argv, 1, 1 << 22);
  if (n >= 1u << 30)
    return std::fprintf(stderr, "error: sort counts fewer than 2^30 keys\n"), 1;
  const unsigned rows = size_argument(argc, argv, 2, 4096);
  const unsigned columns = size_argument(argc, argv, 3, 256);
  if (columns > 1024)
    return std::fprintf(stderr, "error: sort holds a row in one tile: at most 1024 columns\n"), 1;
  run_keys(n);
  run_rows(rows, columns);
}
