// CUB's side of bench/cub/compare.py: what the samples compute, timed as they time themselves, with
// the same data. Prints the lines that the sample would print.
//
//   peers SAMPLE ARGUMENTS...      sum, scan, histogram, segmented_sum, sort, top_k
#include "../../samples/sample.h"

#include <cstdint>
#include <cstring>
#include <cub/cub.cuh>

using namespace sample;

namespace {

/// Microseconds of a function of CUB, which is first asked how much memory it needs. `before` is
/// timed with it.
template <class Function> double microseconds_of(Function function, auto before) {
  std::size_t bytes = 0;
  require(function(nullptr, bytes), "CUB");
  device_array<char> memory(bytes + 1);
  return median_microseconds([&] {
    before();
    require(function(memory.get(), bytes), "CUB");
  });
}
template <class Function> double microseconds_of(Function function) {
  return microseconds_of(function, [] {});
}

void sum(unsigned n) {
  device_array<float> x(random_vector<float>(n, 1)), whole(1);
  const double time = microseconds_of([&](void *memory, std::size_t &bytes) {
    return cub::DeviceReduce::Sum(memory, bytes, x.get(), whole.get(), n);
  });
  for (const char *name : {"in two kernels", "by atomics"})
    std::printf("sum %u %s: %.1f us, %.1f GB/s\n", n, name, time, giga_per_second(4.0 * n, time));
}

template <class T> void scan_of(const char *type, const std::vector<T> &numbers) {
  const std::size_t n = numbers.size();
  device_array<T> x(numbers), y(n);
  const double time = microseconds_of([&](void *memory, std::size_t &bytes) {
    return cub::DeviceScan::InclusiveSum(memory, bytes, x.get(), y.get(), n);
  });
  std::printf("scan %zu %s: %.1f us, %.1f GB/s\n", n, type, time,
              giga_per_second(2.0 * n * sizeof(T), time));
}

void scan(unsigned n) {
  scan_of("floats", random_vector<float>(n, 1));
  random_numbers random(2);
  std::vector<int> numbers(n);
  for (int &number : numbers)
    number = static_cast<int>(random.below(8));
  scan_of("ints", numbers);
}

void histogram(unsigned n) {
  device_array<float> x(random_vector<float>(n, 1));
  for (int bins : {64, 256, 2048}) {
    device_array<unsigned> counts(bins);
    const double time = microseconds_of([&](void *memory, std::size_t &bytes) {
      return cub::DeviceHistogram::HistogramEven(memory, bytes, x.get(), counts.get(), bins + 1,
                                                 -1.0f, 1.0f, static_cast<int>(n));
    });
    std::printf("histogram %u in %d bins: %.1f us, %.1f GB/s\n", n, bins, time,
                giga_per_second(4.0 * n, time));
  }
}

void segmented_sum(unsigned segments, unsigned length) {
  const auto offsets = random_offsets(segments, length, 1); // as samples/segmented_sum.cu
  const auto n = static_cast<unsigned>(offsets[segments]);
  device_array<float> x(random_vector<float>(n + 1, 2)), y(segments);
  device_array<int> device_offsets(offsets);
  const double time = microseconds_of([&](void *memory, std::size_t &bytes) {
    return cub::DeviceSegmentedReduce::Sum(memory, bytes, x.get(), y.get(), segments,
                                           device_offsets.get(), device_offsets.get() + 1);
  });
  std::printf("segmented_sum %u segments, %u elements: %.1f us, %.1f GB/s\n", segments, n, time,
              giga_per_second(4.0 * n + 8.0 * segments, time));
}

/// Of the keys, and of rows of floats by their columns.
void sort(unsigned n, unsigned rows, unsigned columns) {
  random_numbers random(1);
  std::vector<unsigned> keys(n);
  for (unsigned &key : keys)
    key = random.below(0xffffffffu);
  device_array<unsigned> given(keys), one(n), other(n);
  cub::DoubleBuffer<unsigned> buffers(one.get(), other.get());
  const double time = microseconds_of(
      [&](void *memory, std::size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(memory, bytes, buffers, n);
      },
      [&] {
        buffers = cub::DoubleBuffer<unsigned>(one.get(), other.get());
        require(
            cudaMemcpyAsync(one.get(), given.get(), n * sizeof(unsigned), cudaMemcpyDeviceToDevice),
            "cudaMemcpyAsync");
      });
  std::printf("sort %u keys: %.1f us, %.3f Gkeys/s\n", n, time, giga_per_second(n, time));

  const std::size_t size = std::size_t{rows} * columns;
  device_array<float> x(random_vector<float>(size, 2)), y(size);
  std::vector<int> offsets(rows + 1);
  for (unsigned row = 0; row <= rows; ++row)
    offsets[row] = int(row * columns);
  device_array<int> starts(offsets);
  const double of_rows = microseconds_of([&](void *memory, std::size_t &bytes) {
    return cub::DeviceSegmentedSort::SortKeys(memory, bytes, x.get(), y.get(), int(size), int(rows),
                                              starts.get(), starts.get() + 1);
  });
  std::printf("sort %u rows of %u: %.1f us, %.3f Gkeys/s\n", rows, columns, of_rows,
              giga_per_second(double(size), of_rows));
}

/// CUB of CUDA 13.0 has no selection: rows are sorted as a whole.
void top_k(unsigned rows, unsigned columns, unsigned k) {
  const std::size_t size = std::size_t{rows} * columns;
  device_array<float> x(random_vector<float>(size, 1)), y(size);
  std::vector<int> offsets(rows + 1), places(size);
  for (unsigned row = 0; row <= rows; ++row)
    offsets[row] = int(row * columns);
  for (std::size_t i = 0; i < size; ++i)
    places[i] = int(i % columns);
  device_array<int> starts(offsets), of_x(places), of_y(size);
  const double time = microseconds_of([&](void *memory, std::size_t &bytes) {
    return cub::DeviceSegmentedSort::SortPairsDescending(memory, bytes, x.get(), y.get(),
                                                         of_x.get(), of_y.get(), int(size),
                                                         int(rows), starts.get(), starts.get() + 1);
  });
  std::printf("top_k %u of %ux%u: %.1f us, %.1f GB/s\n", k, rows, columns, time,
              giga_per_second(4.0 * double(size), time));
}

} // namespace

int main(int argc, char **argv) {
  auto is = [&](const char *name) { return argc > 1 && std::strcmp(argv[1], name) == 0; };
  auto size = [&](int position, unsigned fallback) {
    return size_argument(argc, argv, position + 1, fallback);
  };
  if (is("sum"))
    sum(size(1, 1 << 24));
  else if (is("scan"))
    scan(size(1, 1 << 24));
  else if (is("histogram"))
    histogram(size(1, 1 << 24));
  else if (is("segmented_sum"))
    segmented_sum(size(1, 65536), size(2, 100));
  else if (is("sort"))
    sort(size(1, 1 << 22), size(2, 4096), size(3, 256));
  else if (is("top_k"))
    top_k(size(1, 4096), size(2, 1024), size(3, 32));
  else
    return std::fprintf(stderr, "usage: peers SAMPLE ARGUMENTS...\n"), 2;
}
