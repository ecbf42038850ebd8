// A value that the program has no name for gets one by its role, or else by its operation.
//
// It has a role by its uses (RolesByUse.h), or by its definition: a test is called by what it asks
// (PredicateNames.h), a loop's variable that is advanced is that of a later iteration. What is
// called after another variable, as a tile after the array that it is read from, and what has no
// role is left to the printer, which also makes names unique.
#include "plan/Passes.h"
#include "plan/naming/PredicateNames.h"
#include "plan/naming/RolesByUse.h"
#include "tile/Attributes.h"
#include "tile/SourceNames.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_NAMEVALUES
#include "plan/Passes.h.inc"

namespace {

using Name = std::optional<std::string>;

bool isSplatOfConstant(Value v) {
  auto splat = v.getDefiningOp<tile::SplatOp>();
  return splat && matchPattern(splat.getX(), m_Constant());
}

// What the tiles of all blocks cover along a dimension.
bool isOfGridSize(arith::MulIOp product) {
  Value size = product.getLhs();
  while (Operation *op = size.getDefiningOp()) {
    if (!isCast(op))
      return isa<tile::GridSizeOp>(op);
    size = op->getOperand(0);
  }
  return false;
}

bool isMask(Value v) { return tile::elementType(v.getType()).isInteger(1); }

// Of an integer whose uses say nothing.
Name nameOfInteger(Operation *op) {
  if (isa<LLVM::LoadOp>(op)) // called after what it reads
    return std::nullopt;
  if (Name predicate = predicateName(op))
    return predicate;
  if (op->getResult(0).getType().isInteger(1))
    return "condition";
  return llvm::TypeSwitch<Operation *, Name>(op)
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>([](auto) { return "tiles"; })
      .Case<arith::RemSIOp, arith::RemUIOp>([](auto) { return "remainder"; })
      .Case<arith::MinSIOp, arith::MinUIOp>([](auto) { return "smaller"; })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([](auto) { return "larger"; })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, arith::OrIOp, arith::XOrIOp,
            arith::AndIOp>([](auto) { return "bits"; })
      .Case([](arith::MulIOp product) {
        return isOfGridSize(product) ? Name("covered") : std::nullopt;
      })
      .Case([](tile::BlockIndexOp index) { return std::string("block_") + "xyz"[index.getAxis()]; })
      .Default([](Operation *) { return std::nullopt; });
}

// Of a tile, and of a float.
Name nameOfTile(Operation *op) {
  return llvm::TypeSwitch<Operation *, Name>(op)
      .Case([](tile::ReduceOp o) {
        const bool isPartial = cast<RankedTensorType>(o.getType()).getDimSize(o.getDim()) > 1;
        return Name((isPartial ? "partial_" : "") + tile::stringifyReduceKind(o.getKind()).str());
      })
      .Case<tile::ScanOp, tile::ScanCarryOp>(
          [](auto o) { return Name("prefix_" + tile::stringifyReduceKind(o.getKind()).str()); })
      .Case([](tile::SharedLoadOp) { return "shared"; })
      .Case([](tile::SharedMmaOp o) { return o.getInFlight() ? "accumulator" : "product"; })
      .Case([](tile::SaveOp) { return "next"; })
      .Case([](tile::IotaOp) { return "indices"; })
      .Case([](tile::UnaryOp o) { return Name(tile::stringifyUnaryKind(o.getKind()).str()); })
      .Case([](tile::BinaryOp o) {
        const bool isMax = o.getKind() == tile::BinaryKind::max;
        return isMax                                  ? Name("larger")
               : o.getKind() == tile::BinaryKind::min ? Name("smaller")
                                                      : Name();
      })
      .Case([](tile::SelectOp o) {
        return Name(matchPattern(o.getY(), m_Constant()) || isSplatOfConstant(o.getY())
                        ? "masked"
                        : "selected");
      })
      .Default([](Operation *) { return std::nullopt; });
}

Name nameOf(Operation *op, const RolesByUse &roles) {
  // Called after what they read, and as their text has it.
  if (isa<tile::ViewLoadOp, tile::LoadOp, tile::CastOp, tile::BitcastOp, LLVM::InlineAsmOp>(op))
    return std::nullopt;
  if (isa<tile::AtomicRmwOp, tile::AtomicCompareExchangeOp>(op))
    return "old";
  Value result = op->getResult(0);
  if (result.getType().isIntOrIndex()) {
    Name role = roles.of(result);
    return role ? role : nameOfInteger(op);
  }
  if (isa<RankedTensorType>(result.getType()) && isMask(result) && !isa<tile::ReduceOp>(op))
    return "mask";
  return nameOfTile(op);
}

struct NameValues : impl::NameValuesBase<NameValues> {
  void runOnOperation() override {
    const RolesByUse roles(getOperation());
    getOperation().walk([&](Operation *op) {
      if (op->getNumResults() != 1 || op->getNumRegions() ||
          op->hasTrait<OpTrait::ConstantLike>() || tile::sourceName(op->getLoc()))
        return;
      if (Name name = nameOf(op, roles))
        op->setAttr(tile::nameAttr, StringAttr::get(op->getContext(), *name));
    });
  }
};

} // namespace
} // namespace tessera::plan
