// A value that the program has no name for gets one by its role, or else by its operation.
//
// It has a role by its use: a tile coordinate starts a box, a predicate guards a copy, a stage
// index is yielded for the next iteration. It has one by its definition where a loop's variable is
// advanced by the prefetch distance. What is called after another variable, as a tile after the
// array that it is read from, and what has no role is left to the printer, which also makes names
// unique.
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"
#include "tile/SourceNames.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_NAMEVALUES
#include "plan/Passes.h.inc"

namespace {

bool isCast(Operation *op) { return isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op); }

// Is it the variable of a loop of the program, or of its prologue?
bool isLoopVariable(Value v) {
  scf::ForOp loop = scf::getForInductionVarOwner(v);
  return loop && !loop->hasAttr(tile::workTilesAttr);
}

// The loop variable plus a constant: the same variable some iterations later.
Value advancedVariable(Value v) {
  auto add = v.getDefiningOp<arith::AddIOp>();
  if (!add || !isLoopVariable(add.getLhs()) || !matchPattern(add.getRhs(), m_Constant()))
    return nullptr;
  return add.getLhs();
}

// Is a coordinate computed from the variable of a later iteration?
bool isOfLaterIteration(Value coordinate, int steps = 8) {
  if (advancedVariable(coordinate))
    return true;
  Operation *op = coordinate.getDefiningOp();
  return op && steps > 0 && !isa<tile::BlockIndexOp>(op) && op->getNumRegions() == 0 &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return operand.getType().isIntOrIndex() && isOfLaterIteration(operand, steps - 1);
         });
}

// What the last two dimensions of an operand are to its multiply: "k", and the row or the column of
// the accumulator.
struct OperandAxes {
  StringRef first, second;
};

// Of a shared tile; nothing: it is no operand.
std::optional<OperandAxes> axesOfTile(Value tile) {
  for (Operation *user : tile.getUsers())
    if (auto multiply = dyn_cast<tile::SharedMmaOp>(user)) {
      OperandAxes a{"row", "k"}, b{"k", "column"};
      const bool isA = multiply.getA() == tile,
                 isTransposed = isA ? multiply.getATransposed() : multiply.getBTransposed();
      const OperandAxes axes = isA ? a : b;
      return isTransposed ? OperandAxes{axes.second, axes.first} : axes;
    }
  return std::nullopt;
}

// Of a shared tile, or of the tiles of a ring.
std::optional<OperandAxes> axesOf(Value shared) {
  auto filled = shared.getDefiningOp<tile::SharedSlotOp>();
  if (!filled)
    return axesOfTile(shared);
  for (Operation *user : filled.getRing().getUsers())
    if (auto slot = dyn_cast<tile::SharedSlotOp>(user))
      if (std::optional<OperandAxes> axes = axesOfTile(slot.getResult()))
        return axes;
  return std::nullopt;
}

// "row_start", "column_start", "k_next": dimension `dimension` of `rank` of a box.
std::string coordinateName(Value coordinate, size_t dimension, size_t rank,
                           const OperandAxes &axes) {
  std::string axis = rank == 1               ? "element"
                     : dimension + 1 == rank ? axes.second.str()
                     : dimension + 2 == rank ? axes.first.str()
                                             : "batch";
  return axis + (isOfLaterIteration(coordinate) ? "_next" : "_start");
}

std::optional<std::string> nameByBox(Value v, ValueRange starts,
                                     std::optional<OperandAxes> axes = std::nullopt) {
  for (auto [dimension, start] : llvm::enumerate(starts))
    if (start == v)
      return coordinateName(v, dimension, starts.size(),
                            axes.value_or(OperandAxes{"row", "column"}));
  return std::nullopt;
}

// "read_next": what a loop carries on under a name.
std::optional<std::string> nameByYield(scf::YieldOp yield, OpOperand &use) {
  auto loop = dyn_cast<scf::ForOp>(yield->getParentOp());
  if (!loop)
    return std::nullopt;
  std::optional<std::string> carried =
      tile::sourceName(loop.getRegionIterArg(use.getOperandNumber()).getLoc());
  return carried ? std::optional(*carried + "_next") : std::nullopt;
}

std::optional<std::string> nameByUse(OpOperand &use) {
  Value v = use.get();
  return llvm::TypeSwitch<Operation *, std::optional<std::string>>(use.getOwner())
      .Case([&](tile::CopyAsyncOp copy) -> std::optional<std::string> {
        if (copy.getWhen() == v)
          return "is_inside";
        return nameByBox(v, copy.getStarts(), axesOf(copy.getShared()));
      })
      .Case([&](tile::ViewLoadOp load) {
        std::optional<OperandAxes> axes;
        for (Operation *user : load->getUsers())
          if (auto store = dyn_cast<tile::SharedStoreOp>(user); store && !axes)
            axes = axesOf(store.getShared());
        return nameByBox(v, load.getStarts(), axes);
      })
      .Case<tile::ViewStoreOp, tile::BulkStoreOp, tile::StorePartsOp>(
          [&](auto op) { return nameByBox(v, op.getStarts()); })
      .Case([&](scf::YieldOp yield) { return nameByYield(yield, use); })
      .Default([](Operation *) { return std::nullopt; });
}

// Whether an op stands before another one in the generated code.
bool comesBefore(Operation *x, Operation *y) {
  for (Operation *outer = x; outer; outer = outer->getParentOp())
    if (Operation *other = outer->getBlock() ? outer->getBlock()->findAncestorOpInBlock(*y) : y)
      return outer == other ? outer == x && x != y : outer->isBeforeInBlock(other);
  return false;
}

// The first name that a value has by one of its uses, in the order of the code: the order of a use
// list has no meaning.
template <class NameOf> std::optional<std::string> firstName(Value v, NameOf nameOf) {
  OpOperand *first = nullptr;
  std::optional<std::string> name;
  for (OpOperand &use : v.getUses()) {
    Operation *user = use.getOwner();
    const bool isFirst =
        !first || (user == first->getOwner() ? use.getOperandNumber() < first->getOperandNumber()
                                             : comesBefore(user, first->getOwner()));
    if (std::optional<std::string> found = isFirst ? nameOf(use) : std::nullopt) {
      first = &use;
      name = found;
    }
  }
  return name;
}

// "row_start", "k_next", "is_inside", "read_next"; none where neither use nor definition has a
// role.
std::optional<std::string> roleOf(Value scalar) {
  if (!scalar.getType().isIntOrIndex())
    return std::nullopt;
  if (std::optional<std::string> name = firstName(scalar, nameByUse))
    return name;
  auto nameByCast = [](OpOperand &use) {
    return isCast(use.getOwner()) ? roleOf(use.getOwner()->getResult(0)) : std::nullopt;
  };
  if (std::optional<std::string> name = firstName(scalar, nameByCast))
    return name;
  if (Value variable = advancedVariable(scalar))
    return tile::sourceName(variable.getLoc()).value_or("i") + "_next";
  return std::nullopt;
}

std::optional<std::string> nameOf(Operation *op) {
  using Name = std::optional<std::string>;
  return llvm::TypeSwitch<Operation *, Name>(op)
      .Case([](tile::ReduceOp o) {
        const bool isPartial = cast<RankedTensorType>(o.getType()).getDimSize(o.getDim()) > 1;
        return Name((isPartial ? "partial_" : "") + tile::stringifyReduceKind(o.getKind()).str());
      })
      .Case([](tile::SharedLoadOp) { return "shared"; })
      .Case([](tile::SharedMmaOp o) { return o.getInFlight() ? "accumulator" : "product"; })
      .Case([](tile::CompareOp) { return "mask"; })
      .Case([](tile::OffsetOp) { return "pointers"; })
      .Case([](tile::SaveOp) { return "next"; })
      // Called after what they read, and as their text has it.
      .Case<tile::ViewLoadOp, tile::CastOp, tile::BitcastOp, LLVM::InlineAsmOp>(
          [](auto) { return std::nullopt; })
      .Default([](Operation *other) -> Name {
        if (Name role = roleOf(other->getResult(0)))
          return role;
        return isa<arith::CmpIOp>(other) ? Name("condition") : std::nullopt;
      });
}

struct NameValues : impl::NameValuesBase<NameValues> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (op->getNumResults() != 1 || op->getNumRegions() ||
          op->hasTrait<OpTrait::ConstantLike>() || tile::sourceName(op->getLoc()))
        return;
      if (std::optional<std::string> name = nameOf(op))
        op->setAttr(tile::nameAttr, StringAttr::get(op->getContext(), *name));
    });
  }
};

} // namespace
} // namespace tessera::plan
