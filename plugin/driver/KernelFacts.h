// What a host that loads an image of kernels wants to know of them.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <optional>
#include <string>

namespace tessera::driver {

// The product of a program's kernels. Program: with the host's code, which launches them. A host
// that has only the image loads the others. PTX cannot have more shared memory than compilers
// declare.
enum class Product { Program, Ptx, Cubin };

// A host's facts about a generated kernel.
struct KernelFacts {
  std::string symbol;
  unsigned threads;
  size_t sharedMemory; // bytes
};

// The static shared memory that an image's code declares for each of its kernels, in bytes; nothing
// if hosts give them dynamic memory.
std::optional<size_t> declaredSharedMemory(llvm::ArrayRef<KernelFacts> kernels, Product product);

} // namespace tessera::driver
