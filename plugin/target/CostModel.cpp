#include "target/CostModel.h"

#include "target/RegisterBudgets.h"

#include "llvm/Support/MathExtras.h"

namespace tessera {

namespace {

// A warp of mma.sync has so many rows and columns of the accumulator, at best: it reads the
// operands of these.
constexpr int64_t sideOfWarp = 64;

} // namespace

int64_t warpgroupsOfAccumulator(int64_t elements) { return elements > elementsOfWarpgroup ? 2 : 1; }

std::optional<MatmulCost> costOf(const Matmul &matmul, const GpuTarget &target) {
  const MmaInstruction &instruction = selectMma(matmul, target).instruction;
  if (!instruction.isTensorCore())
    return std::nullopt;
  const MachineRates &rates = target.rates;
  const int64_t m = matmul.m, n = matmul.n, bytes = matmul.bytesOfElement(),
                a = m * matmul.k * bytes, b = n * matmul.k * bytes;
  int64_t reads = 0, cycles = m * n * matmul.k * bytes / 2 / rates.multiplyAdds;
  if (instruction.readsPanels()) {
    // Each warpgroup reads its rows of A once, and all of B for each instruction's rows; where two
    // have to share these rows they divide the columns.
    const int64_t groups = warpgroupsOfAccumulator(m * n);
    const bool areColumnsDivided = m < instruction.m * groups;
    reads = (areColumnsDivided ? groups : 1) * a + m / instruction.m * b;
  } else {
    reads = llvm::divideCeil(n, sideOfWarp) * a + llvm::divideCeil(m, sideOfWarp) * b;
    cycles = cycles * 100 / rates.percentOfMmaSync;
  }
  return MatmulCost{cycles, (a + b) / rates.bytesOfL2, (a + b + reads) / rates.bytesOfShared};
}

} // namespace tessera
