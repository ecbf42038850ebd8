#include "plan/HostValues.h"

#include "plan/Plan.h"
#include "tile/Speculation.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tessera::plan {

bool isKnownToHost(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<func::FuncOp>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  if (auto field = dyn_cast<tile::FieldOp>(op))
    return field.getIndices().empty();
  if (isa<tile::GridSizeOp>(op)) // a parameter of such kernels
    return op->getParentOfType<func::FuncOp>()->hasAttr(mergedAttr);
  bool isArithmetic =
      isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
          arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::ShLIOp, arith::ShRSIOp,
          arith::ShRUIOp, arith::AndIOp, arith::OrIOp, arith::CmpIOp, arith::SelectOp,
          arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, tile::AssumeOp, LLVM::GEPOp>(op);
  return isArithmetic && tile::isSpeculatable(op) && llvm::all_of(op->getOperands(), isKnownToHost);
}

} // namespace tessera::plan
