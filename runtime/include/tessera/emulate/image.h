// Kernels of images under the emulator, or on the CPU with whole tiles. A library of them is to the
// emulator's driver (runtime/src/driver) what a cubin is to NVIDIA's: of each kernel NAME it has
// NAME_tessera, the threads and the bytes of shared memory, NAME_parameters, their sizes and 0, and
// NAME_launch, which runs a grid.
#pragma once

#include "engine.h"

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#define TESSERA_IMAGE_BOUNDS(threads, blocks)
#define TESSERA_IMAGE_LAUNCH(threads, bytes) {threads, bytes}

// Behind the kernels, one for each. `name` is what messages call it.
#define TESSERA_IMAGE_ENTRY(kernel, name)                                                          \
  extern "C" const auto kernel##_parameters = ::tessera::emulate::sizes_of_parameters(&kernel);    \
  extern "C" bool kernel##_launch(unsigned x, unsigned y, unsigned z, void **arguments) {          \
    return ::tessera::emulate::run_of_image(&kernel, kernel##_tessera, dim3(x, y, z), arguments,   \
                                            name);                                                 \
  }

namespace tessera::emulate {

template <class... P>
constexpr std::array<unsigned, sizeof...(P) + 1> sizes_of_parameters(void (*)(P...)) {
  return {sizeof(P)..., 0};
}

template <class... P, std::size_t... I>
bool run_of_image(void (*kernel)(P...), const unsigned (&facts)[2], dim3 grid,
                  [[maybe_unused]] void **arguments, const char *name, std::index_sequence<I...>) {
  return run(
      grid, dim3(facts[0]), facts[1],
      [&] { kernel(*static_cast<std::remove_reference_t<P> *>(arguments[I])...); }, name);
}

// False: see run(). `arguments` holds addresses, as for cuLaunchKernel.
template <class... P> bool run_of_image(void (*kernel)(P...), const unsigned (&facts)[2], dim3 grid,
                                        void **arguments, const char *name) {
  return run_of_image(kernel, facts, grid, arguments, name, std::index_sequence_for<P...>());
}

} // namespace tessera::emulate
