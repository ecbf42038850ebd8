// A kernel for hosts of another language: the description of its parameters as data, and a launch
// that takes arguments by address. The program that instantiates the kernel contains the launch;
// this is the contract with the host that has loaded the program.
#pragma once

#include "../macros_begin.h"

#include "array_descriptor.h"
#include "element_type.h"

namespace tessera::interop {

inline constexpr unsigned entry_version = 3;

enum class parameter_kind : std::uint8_t {
  number,  // of the table types.def; an enum is its underlying number
  pointer, // to elements of the type, or of no known type (bits 0)
  array,   // cuda::interoperable_array_descriptor
  record   // a struct, a tuple or a vector: known by its size and alignment
};

struct parameter {
  parameter_kind kind;
  element_type type;             // of the number, or of elements
  bool is_const;                 // of elements: they are only read
  std::uint32_t size, alignment; // of the parameter, in bytes
  std::uint32_t element_size, element_alignment;
  std::uint32_t rank; // of an array
};

struct launch {
  const unsigned *grid; // three extents
  void *stream;         // cudaStream_t
  void *const *arguments;
};

inline constexpr int every_device = -1; // managed memory, or registered memory of the host
inline constexpr int no_device = -2;    // memory unknown to CUDA

struct kernel_entry {
  unsigned version; // entry_version
  unsigned count;
  const parameter *parameters;
  const char *(*run)(const launch &); // null, or CUDA's error message
  // Of the kernel's CUDA runtime: waits for the work in a stream; the device of this thread's
  // launches; the device of an address, or one of the numbers above.
  const char *(*wait)(void *stream);
  int (*device)();
  int (*device_of)(const void *address);
};

template <class E> constexpr std::uint32_t size_of() {
  if constexpr (std::is_void_v<E>)
    return 1;
  else
    return sizeof(E);
}
template <class E> constexpr std::uint32_t alignment_of() {
  if constexpr (std::is_void_v<E>)
    return 1;
  else
    return alignof(E);
}

template <class P> struct described {
  static constexpr parameter make() {
    if constexpr (std::is_enum_v<P>)
      return described<std::underlying_type_t<P>>::make();
    else
      return {element_type_of<P>.bits ? parameter_kind::number : parameter_kind::record,
              element_type_of<P>,
              false,
              sizeof(P),
              alignof(P),
              0,
              0,
              0};
  }
};
template <class E> struct described<E *> {
  static constexpr parameter make() {
    return {parameter_kind::pointer,
            element_type_of<std::remove_cv_t<E>>,
            std::is_const_v<E>,
            sizeof(E *),
            alignof(E *),
            size_of<E>(),
            alignment_of<E>(),
            0};
  }
};
template <class E, std::uint64_t N> struct described<cuda::interoperable_array_descriptor<E, N>> {
  static constexpr parameter make() {
    using array = cuda::interoperable_array_descriptor<E, N>;
    return {parameter_kind::array,
            element_type_of<std::remove_cv_t<E>>,
            std::is_const_v<E>,
            sizeof(array),
            alignof(array),
            sizeof(E),
            alignof(E),
            N};
  }
};

// One for each parameter; a kernel without parameters has one empty entry, which is not counted.
template <class... P> inline constexpr parameter parameters_of[sizeof...(P) + 1] = {
    described<std::remove_cv_t<P>>::make()..., {}};

} // namespace tessera::interop

#include "../macros_end.h"
