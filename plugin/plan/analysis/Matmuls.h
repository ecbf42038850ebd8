// The matmuls of ops, and the layouts of their accumulators.
#pragma once

#include "layout/LinearLayout.h"
#include "target/Limits.h"
#include "target/Matmul.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::plan {

// Of a multiply; a transposed operand lies in shared memory as it was before the transpose.
Matmul matmulOf(tile::MmaOp multiply);
// The same once its operands lie in shared memory, or operand A in registers.
Matmul matmulOf(tile::SharedMmaOp multiply);

// How much of K a tensor core sums precisely enough: what NVIDIA's compiler leaves to it. Sums of
// fp8 are promoted once for as much (promoted_mma_start).
constexpr int64_t kOfPromotion = 128;

// The instruction that pass select-mma-instructions will choose for a multiply.
const MmaInstruction &instructionFor(tile::MmaOp multiply);

// Is there a multiply in the kernel for which `test` holds?
template <class Test> bool hasMultiply(mlir::func::FuncOp kernel, Test test) {
  return kernel
      .walk([&](tile::SharedMmaOp op) {
        return test(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

inline bool hasMultiply(mlir::func::FuncOp kernel) {
  return hasMultiply(kernel, [](tile::SharedMmaOp) { return true; });
}

// The same before pass select-mma-instructions.
inline bool hasMma(mlir::func::FuncOp kernel) {
  return kernel.walk([](tile::MmaOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
}

// Whether all uses of a tile, in its own or another shape, are operands of multiplies for which
// `isTaken` holds.
bool becomesOperandsAlone(mlir::Value tile, llvm::function_ref<bool(tile::MmaOp)> isTaken);

// The layout of the accumulator of a tensor core multiply. ldmatrix transposes bytes in pairs, so
// that operands of bytes that lie across K are neighbouring rows, or columns, of the accumulator.
LinearLayout accumulatorOf(tile::SharedMmaOp multiply, int64_t warps);

} // namespace tessera::plan
