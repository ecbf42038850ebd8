#include "driver/KernelFacts.h"

#include <algorithm>

namespace tessera::driver {

std::optional<size_t> declaredSharedMemory(llvm::ArrayRef<KernelFacts> kernels, Product product) {
  constexpr size_t least = 128, most = 48 << 10; // the compilers' limits
  size_t needed = least;
  for (const KernelFacts &kernel : kernels)
    needed = std::max(needed, kernel.sharedMemory);
  bool isPossible = product == Product::Cubin || (product == Product::Ptx && needed <= most);
  return isPossible ? std::optional(std::min(needed, most)) : std::nullopt;
}

} // namespace tessera::driver
