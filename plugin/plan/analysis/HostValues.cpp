#include "plan/analysis/HostValues.h"

#include "plan/Plan.h"
#include "tile/Attributes.h"
#include "tile/Sources.h"
#include "tile/Speculation.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tessera::plan {

namespace {

bool isArithmetic(Operation *op) {
  return isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
             arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::ShLIOp, arith::ShRSIOp,
             arith::ShRUIOp, arith::AndIOp, arith::OrIOp, arith::CmpIOp, arith::SelectOp,
             arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, tile::AssumeOp>(op);
}

} // namespace

bool isKnownToHost(Value value) {
  return tile::areAllRight(value, [](Value v) -> std::optional<bool> {
    if (auto argument = dyn_cast<BlockArgument>(v))
      return isa<func::FuncOp>(argument.getOwner()->getParentOp());
    Operation *op = v.getDefiningOp();
    if (auto field = dyn_cast<tile::FieldOp>(op))
      return field.getIndices().empty();
    if (isa<tile::GridSizeOp>(op)) // a parameter of coarsened kernels
      return op->getParentOfType<func::FuncOp>()->hasAttr(tile::coarseningAttr);
    bool mayBe = (isArithmetic(op) || isa<LLVM::GEPOp>(op)) && tile::isSpeculatable(op);
    return mayBe ? std::nullopt : std::optional(false);
  });
}

bool isListable(Operation *op) {
  if (auto field = dyn_cast<tile::FieldOp>(op))
    return field.getIndices().empty();
  bool isNumber = llvm::all_of(op->getResultTypes(), [](Type t) { return isa<IntegerType>(t); });
  if (auto binary = dyn_cast<tile::BinaryOp>(op))
    return isNumber && op->getResult(0).getType().getIntOrFloatBitWidth() >= 32 &&
           (binary.getKind() == tile::BinaryKind::ceildiv ||
            binary.getKind() == tile::BinaryKind::floordiv ||
            binary.getKind() == tile::BinaryKind::min || binary.getKind() == tile::BinaryKind::max);
  return isNumber && (isArithmetic(op) ||
                      isa<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(op));
}

} // namespace tessera::plan
