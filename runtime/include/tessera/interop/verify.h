// A program that launches one kernel with arguments of a file, for kernel.verify of Python: it is
// run by `tessera run --verify`. The line
//
//   TESSERA_VERIFY_KERNEL(softmax<128>)
//
// is its main(). The file has the grid, three numbers; the number of parameters; and for each the
// bytes of its value and those of its array, each behind their number. Where there is an array, its
// address in memory of the device becomes the first member of the value. Numbers have 8 bytes.
#pragma once

#include "../macros_begin.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::interop {

class arguments_of_file {
public:
  explicit arguments_of_file(const char *name) : file(std::fopen(name, "rb")) {
    for (unsigned &extent : grid)
      extent = unsigned(number());
    values.resize(number());
    for (auto &value : values) {
      value = bytes();
      const std::vector<char> array = bytes();
      void *address = nullptr;
      if (array.empty())
        continue;
      is_good &= cudaMalloc(&address, array.size()) == cudaSuccess &&
                 cudaMemcpy(address, array.data(), array.size(), cudaMemcpyDefault) == cudaSuccess;
      std::memcpy(value.data(), &address, sizeof address);
    }
    if (file)
      std::fclose(file);
  }

  template <class P> P get(std::size_t i) {
    std::remove_cv_t<P> value;
    std::memcpy(static_cast<void *>(&value), values[i].data(), sizeof value);
    return value;
  }

  unsigned grid[3] = {};
  std::vector<std::vector<char>> values;
  bool is_good = true;

private:
  std::uint64_t number() {
    std::uint64_t read = 0;
    is_good &= file && std::fread(&read, sizeof read, 1, file) == 1;
    return is_good ? read : 0;
  }
  std::vector<char> bytes() {
    std::vector<char> read(number());
    is_good &= std::fread(read.data(), 1, read.size(), file) == read.size();
    return read;
  }

  std::FILE *file;
};

} // namespace tessera::interop

#include "../macros_end.h"

#define TESSERA_VERIFY_KERNEL(...)                                                                 \
  template <class... TesseraP, std::size_t... TesseraI> void tessera_launch_once(                  \
      void (*tessera_kernel)(TesseraP...), ::tessera::interop::arguments_of_file &tessera_given,   \
      std::index_sequence<TesseraI...>) {                                                          \
    const unsigned *tessera_grid = tessera_given.grid;                                             \
    tessera_kernel<<<dim3(tessera_grid[0], tessera_grid[1], tessera_grid[2]), 1>>>(                \
        tessera_given.get<TesseraP>(TesseraI)...);                                                 \
  }                                                                                                \
  template <class... TesseraP>                                                                     \
  int tessera_launch_with(void (*tessera_kernel)(TesseraP...), const char *tessera_file) {         \
    ::tessera::interop::arguments_of_file tessera_given(tessera_file);                             \
    if (!tessera_given.is_good || tessera_given.values.size() != sizeof...(TesseraP)) {            \
      std::fprintf(stderr, "tessera: cannot read the arguments in '%s'\n", tessera_file);          \
      return 2;                                                                                    \
    }                                                                                              \
    tessera_launch_once(tessera_kernel, tessera_given, std::index_sequence_for<TesseraP...>());    \
    const cudaError_t tessera_error = cudaDeviceSynchronize();                                     \
    if (tessera_error != cudaSuccess)                                                              \
      std::fprintf(stderr, "tessera: the launch failed: %s\n", cudaGetErrorString(tessera_error)); \
    return tessera_error != cudaSuccess;                                                           \
  }                                                                                                \
  int main(int, char **tessera_words) {                                                            \
    return tessera_launch_with(__VA_ARGS__, tessera_words[1]);                                     \
  }                                                                                                \
  static_assert(true)
