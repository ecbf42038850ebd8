// Which values have no variable in generated code: they are expressions in the statements that use
// them.
//
// A value that costs nothing is expanded at each use, like a parameter. Any other is inlined where
// it is pure and has one use in its block, unless the program has a name for it, a tile of its kind
// is easier to follow by a variable, or the expression would be long. An expression is as long as
// it has operations and names: the text's letters do not count, so that names decide nothing but
// names. Literals need no mark.
#include "plan/naming/InlinedValues.h"

#include "plan/Passes.h"
#include "tile/Attributes.h"
#include "tile/SourceNames.h"
#include "tile/TileDialect.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_INLINEVALUES
#include "plan/Passes.h.inc"

namespace {

// The operations and names of the longest expression that is written in place.
constexpr unsigned maxLength = 9;

bool isTile(Value v) { return isa<RankedTensorType>(v.getType()); }

// Only the last name of the same registers counts.
bool isRelabelledAgain(Operation *op) {
  constexpr auto isRelabelling = llvm::IsaPred<tile::ReshapeOp, tile::PermuteOp>;
  if (!isRelabelling(op) || !op->hasOneUse())
    return false;
  Operation *user = *op->user_begin();
  return isRelabelling(user) && user->getBlock() == op->getBlock();
}

// A cast that the plan has before a loop ends the life of what it is made of, which is wider as a
// rule.
bool isBehindLoop(Operation *first, Operation *user) {
  for (Operation *op = first->getNextNode(); op != user; op = op->getNextNode())
    if (isa<LoopLikeOpInterface>(op))
      return true;
  return false;
}

bool isEasierToReadInline(Operation *op) {
  if (tile::sourceName(op->getLoc()) && !isa<tile::SplatOp>(op))
    return false;
  return !isTile(op->getResult(0)) ||
         (op->hasTrait<tile::PrintedInPlace>() &&
          !(isa<tile::CastOp>(op) && isBehindLoop(op, *op->user_begin())));
}

struct InlineValues : impl::InlineValuesBase<InlineValues> {
  void runOnOperation() override {
    auto mark = UnitAttr::get(&getContext());
    llvm::DenseMap<Value, unsigned> lengths; // of expressions that are written in place
    getOperation().walk([&](Operation *op) {
      if (isExpanded(op)) {
        op->setAttr(tile::expandedAttr, mark);
        return;
      }
      if (!canInline(op) || !isEasierToReadInline(op))
        return;
      // Of an op with many operands most are a view's, which has one name.
      unsigned length = 1, names = 0;
      for (Value operand : op->getOperands())
        if (auto written = lengths.find(operand); written != lengths.end())
          length += written->second;
        else
          ++names;
      length += std::min(names, 3u);
      if (length > maxLength)
        return;
      op->setAttr(tile::inlinedAttr, mark);
      lengths.insert({op->getResult(0), length});
    });
  }
};

} // namespace

bool isExpanded(Operation *op) {
  if (auto index = dyn_cast<tile::BlockIndexOp>(op))
    return !index.getSwizzled() && !index.getWorkTile();
  if (auto field = dyn_cast<tile::FieldOp>(op))
    return field.getIndices().empty();
  // Each use of a warpgroup's number shows compilers anew that all lanes agree: of one that they
  // keep they compute descriptors ahead of loops, in vectors.
  return isa<tile::GridSizeOp, tile::AssumeOp, tile::FirstWorkTileOp, tile::WorkTileCountOp,
             tile::WorkTileStepOp, tile::WarpgroupIndexOp>(op) ||
         isRelabelledAgain(op);
}

bool canInline(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() || op->hasTrait<OpTrait::ConstantLike>() ||
      !op->hasOneUse() || !isMemoryEffectFree(op))
    return false;
  const Type type = op->getResult(0).getType();
  if (!isTile(op->getResult(0)) && !type.isIntOrIndexOrFloat() && !isa<LLVM::LLVMPointerType>(type))
    return false;
  Operation *user = *op->user_begin();
  // Assignments of a terminator read variables alone; what a fold's region returns is an argument.
  const bool isReturned = isa<tile::YieldOp>(user) && !type.isInteger(1);
  return user->getBlock() == op->getBlock() &&
         (!user->hasTrait<OpTrait::IsTerminator>() || isReturned);
}

} // namespace tessera::plan
