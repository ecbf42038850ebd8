// What `tessera run --verify` asks of a program (TESSERA_VERIFY_LAUNCHES): each launch runs on the
// memory that the CPU's launch of the same number began with, and is compared with it. How is in
// runtime/src/verify.
#pragma once

#include "../interop/entry.h"

#include <cuda_runtime_api.h>

#include <functional>
#include <span>
#include <type_traits>
#include <vector>

namespace tessera::host {

// What an argument points to: an address and the type of the elements there.
struct verified_elements {
  const void *address;
  unsigned argument;   // from 1
  unsigned code, bits; // DLPack's; 0 bits: an unknown type
};

// Collects what the arguments of this thread's next launch point to, also from within structs.
class verified_arguments {
public:
  template <class... P> explicit verified_arguments(const P &...arguments) {
    (add(arguments), ...);
    note(all);
  }

private:
  static void note(const std::vector<verified_elements> &all);

  // By value: __restrict__ is not a part of the type.
  template <class P> void add(P argument) {
    ++number;
    see(argument);
  }
  template <class P> void see(P argument) {
    if constexpr (std::is_pointer_v<P>) {
      constexpr interop::parameter type = interop::described<P>::make();
      all.push_back({(const void *)argument, number, type.type.code, type.type.bits});
    }
#ifdef __clang__
    else if constexpr (std::is_class_v<P>)
      __builtin_dump_struct(&argument, member{*this});
#endif
  }
  // The compiler names each member of a struct: a format, strings, and the value.
  struct member {
    verified_arguments &of;
    template <class... T> void operator()(const char *, T... texts_and_value) const {
      (see(texts_and_value), ...);
    }
    void see(const char *) const {}
    template <class T> void see(T value) const {
      if constexpr (std::is_pointer_v<T>)
        of.see(value);
    }
  };

  unsigned number = 0;
  std::vector<verified_elements> all;
};

// Are only some blocks of a grid run? Then it is the program's own kernel, as its blocks are the
// CPU's.
bool is_sampled(dim3 grid);

using sampled_launch = std::function<cudaError_t(std::span<const std::size_t> only)>;

// Runs a launch and compares what it did. `kernel`: the generated one. `grid`: of the program's own
// kernel, of which `run` runs those blocks alone, where there are any; null: another kernel runs.
cudaError_t follow(const char *name, const void *kernel, const dim3 *grid,
                   const sampled_launch &run);

} // namespace tessera::host
