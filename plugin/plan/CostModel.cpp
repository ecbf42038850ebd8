#include "plan/CostModel.h"

#include "plan/Layouts.h"
#include "plan/Occupancy.h"

namespace tessera::plan {

namespace {

// Of an SM, in a cycle. Tensor core: multiply-adds of 16 bits, twice as many of 8, half of 32; and
// the share that mma.sync reaches.
constexpr int64_t multiplyAddsOf16Bits = 2048, bytesFromCache = 64, bytesOfShared = 128;
constexpr int64_t percentOfWarps = 60;
constexpr int64_t rowsOfInstruction = 64, sideOfWarp = 64;

} // namespace

std::optional<MultiplyCost> costOf(const Product &product, const GpuTarget &target) {
  tile::MmaKind unit = matrixUnitFor(product, target).kind;
  if (unit == tile::MmaKind::fma)
    return std::nullopt;
  const int64_t m = product.m, n = product.n, bytes = bytesOf(product.a), a = m * product.k * bytes,
                b = n * product.k * bytes;
  int64_t reads = 0, cycles = m * n * product.k * bytes / 2 / multiplyAddsOf16Bits;
  if (unit == tile::MmaKind::wgmma) {
    // Each warpgroup reads its rows of A once, and all of B for each 64 of them; where two have to
    // share 64 rows they divide the columns.
    const int64_t groups = warpsOfAccumulator(m * n) / 4;
    const bool areColumnsDivided = m < rowsOfInstruction * groups;
    reads = (areColumnsDivided ? groups : 1) * a + m / rowsOfInstruction * b;
  } else {
    reads = llvm::divideCeil(n, sideOfWarp) * a + llvm::divideCeil(m, sideOfWarp) * b;
    cycles = cycles * 100 / percentOfWarps;
  }
  return MultiplyCost{cycles, (a + b) / bytesFromCache, (a + b + reads) / bytesOfShared};
}

} // namespace tessera::plan
