// A kernel that hosts of another language launch: by the C API (tessera/c_api.h), or from Python.
// The line
//
//   TESSERA_EXPORT_KERNEL(softmax, softmax<128>)
//
// at the end of a program gives the kernel a name, an identifier, in the shared library that
// `tessera build --extensions` makes of the program.
#pragma once

#include "../macros_begin.h"

#include "entry.h"

#include <cuda_runtime.h>
#include <utility>
#ifdef TESSERA_TARGET_CPU
#include "../host/failure.h"

#include <string>
#endif

namespace tessera::interop::exported {

inline const char *message(cudaError_t error) {
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}
// Of a launch. Where there is no GPU the kernel is done by now. Its failure is the caller's from
// here on: the next launch starts anew.
inline const char *failure() {
  const cudaError_t error = cudaGetLastError();
#ifdef TESSERA_TARGET_CPU
  static thread_local std::string said;
  said = ::tessera::host::failure_message();
  if (!said.empty()) {
    cudaDeviceReset();
    return said.c_str();
  }
#endif
  return message(error);
}
inline const char *wait(void *stream) {
  return message(cudaStreamSynchronize(cudaStream_t(stream)));
}
inline int device() {
  int number = 0;
  if (cudaGetDevice(&number) != cudaSuccess)
    cudaGetLastError();
  return number;
}
inline int device_of(const void *address) {
  cudaPointerAttributes attributes = {};
  if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) {
    cudaGetLastError();
    return no_device;
  }
  return attributes.type == cudaMemoryTypeDevice         ? attributes.device
         : attributes.type == cudaMemoryTypeUnregistered ? no_device
                                                         : every_device;
}
template <class... P> kernel_entry describe(void (*)(P...), const char *(*start)(const launch &)) {
  return {entry_version, sizeof...(P), parameters_of<P...>, start, wait, device, device_of};
}

} // namespace tessera::interop::exported

#include "../macros_end.h"

// The launch is in the program's own text, where the compiler sees it. Kernels are passed by
// function pointers, so that any way of writing one works; they are named where no name of ours
// hides one of the program's.
#define TESSERA_EXPORT_KERNEL(NAME, ...)                                                           \
  template <class... TesseraP, std::size_t... TesseraI> void tessera_run_##NAME(                   \
      void (*tessera_kernel)(TesseraP...), const ::tessera::interop::launch &tessera_given,        \
      std::index_sequence<TesseraI...>) {                                                          \
    tessera_kernel<<<dim3(tessera_given.grid[0], tessera_given.grid[1], tessera_given.grid[2]), 1, \
                     0, cudaStream_t(tessera_given.stream)>>>(                                     \
        *static_cast<std::remove_cv_t<TesseraP> *>(tessera_given.arguments[TesseraI])...);         \
  }                                                                                                \
  template <class... TesseraP> const char *tessera_start_##NAME(                                   \
      void (*tessera_kernel)(TesseraP...), const ::tessera::interop::launch &tessera_given) {      \
    tessera_run_##NAME(tessera_kernel, tessera_given, std::index_sequence_for<TesseraP...>());     \
    return ::tessera::interop::exported::failure();                                                \
  }                                                                                                \
  static const char *tessera_launch_##NAME(const ::tessera::interop::launch &tessera_given) {      \
    return tessera_start_##NAME(__VA_ARGS__, tessera_given);                                       \
  }                                                                                                \
  extern "C" __attribute__((visibility("default"))) const ::tessera::interop::kernel_entry *       \
  tessera_kernel_entry_##NAME() {                                                                  \
    static const auto tessera_made =                                                               \
        ::tessera::interop::exported::describe(__VA_ARGS__, tessera_launch_##NAME);                \
    return &tessera_made;                                                                          \
  }                                                                                                \
  static_assert(true)
