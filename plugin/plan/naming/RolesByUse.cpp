// A box says most of a number: a coordinate is called after the multiply that reads the box. A
// predicate that guards a copy, and what a loop carries on, have one role, too. All else may be
// several things at once, and is called after the first use: bounds of loops, extents and strides,
// stages of a ring. What is added to an address is a position, if it is nothing else.
#include "plan/naming/RolesByUse.h"

#include "tile/Attributes.h"
#include "tile/SourceNames.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::plan {

bool isCast(Operation *op) { return isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op); }

namespace {

// Is it the variable of a loop of the program, or of its prologue?
bool isLoopVariable(Value v) {
  scf::ForOp loop = scf::getForInductionVarOwner(v);
  return loop && !loop->hasAttr(tile::workTilesAttr);
}

} // namespace

// The loop variable plus a constant.
Value advancedVariable(Value v) {
  auto add = v.getDefiningOp<arith::AddIOp>();
  if (!add || !isLoopVariable(add.getLhs()) || !matchPattern(add.getRhs(), m_Constant()))
    return nullptr;
  return add.getLhs();
}

namespace {

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
      .Case([&](tile::ShiftRowsOp shift) {
        return nameByBox(v, shift.getStarts(), axesOf(shift.getShared()));
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

// Of a number that a loop counts to.
std::string nameOfBound(scf::ForOp loop) {
  return matchPattern(loop.getLowerBound(), m_Zero()) && matchPattern(loop.getStep(), m_One())
             ? "iterations"
             : "end";
}

std::optional<std::string> nameByLoop(scf::ForOp loop, Value v) {
  if (loop.getUpperBound() == v)
    return nameOfBound(loop);
  if (loop.getLowerBound() == v)
    return "begin";
  return loop.getStep() == v ? std::optional<std::string>("step") : std::nullopt;
}

// The stride of rows is the extent of columns, too.
template <class Access> std::optional<std::string> nameByView(Access access, Value v) {
  if (llvm::is_contained(access.getExtents(), v))
    return "extent";
  return llvm::is_contained(access.getStrides(), v) ? std::optional<std::string>("stride")
                                                    : std::nullopt;
}

// A name of which a value may have several.
std::optional<std::string> nameByWeakUse(OpOperand &use) {
  using Name = std::optional<std::string>;
  Value v = use.get();
  return llvm::TypeSwitch<Operation *, Name>(use.getOwner())
      .Case([&](scf::ForOp loop) { return nameByLoop(loop, v); })
      .Case<tile::ViewLoadOp, tile::ViewStoreOp, tile::CopyAsyncOp, tile::BulkStoreOp,
            tile::StorePartsOp, tile::MakeTensorMapOp>([&](auto op) { return nameByView(op, v); })
      .Case<tile::SharedSlotOp, tile::WaitGroupOp, tile::ProducerAcquireOp, tile::ConsumerReleaseOp,
            tile::TransposeStageOp>([](auto) { return Name("stage"); })
      .Case<tile::ExtractOp, tile::InsertOp, tile::LocalLoadOp, tile::LocalStoreOp>(
          [](auto) { return Name("position"); })
      .Default([](Operation *) { return std::nullopt; });
}

// The first name by a use, or else by a use of a conversion.
template <class NameOf> std::optional<std::string> nameThroughCasts(Value v, NameOf nameOf) {
  if (std::optional<std::string> name = firstName(v, nameOf))
    return name;
  return firstName(v, [&](OpOperand &use) {
    return isCast(use.getOwner()) ? nameThroughCasts(use.getOwner()->getResult(0), nameOf)
                                  : std::nullopt;
  });
}

} // namespace

RolesByUse::RolesByUse(func::FuncOp kernel) {
  SmallVector<Value> added;
  kernel.walk([&](Operation *op) {
    if (auto address = dyn_cast<LLVM::GEPOp>(op))
      llvm::append_range(added, address.getDynamicIndices());
    else if (auto pointers = dyn_cast<tile::OffsetOp>(op))
      added.push_back(pointers.getCount());
  });
  while (!added.empty()) {
    Value v = added.pop_back_val();
    if (!tile::elementType(v.getType()).isIntOrIndex() || !offsets.insert(v).second)
      continue;
    Operation *op = v.getDefiningOp();
    auto tiles = dyn_cast_or_null<tile::BinaryOp>(op);
    if (op && (isCast(op) ||
               isa<arith::AddIOp, arith::SubIOp, tile::SplatOp, tile::CastOp, tile::BroadcastOp,
                   tile::ReshapeOp>(op) ||
               (tiles && tiles.getKind() == tile::BinaryKind::add)))
      llvm::append_range(added, op->getOperands());
  }
}

std::optional<std::string> RolesByUse::of(Value scalar) const {
  if (!scalar.getType().isIntOrIndex())
    return std::nullopt;
  if (std::optional<std::string> name = nameThroughCasts(scalar, nameByUse))
    return name;
  if (Value variable = advancedVariable(scalar))
    return tile::sourceName(variable.getLoc()).value_or("i") + "_next";
  if (scalar.getType().isInteger(1))
    return std::nullopt;
  if (std::optional<std::string> name = nameThroughCasts(scalar, nameByWeakUse))
    return name;
  return offsets.contains(scalar) ? std::optional<std::string>("position") : std::nullopt;
}

} // namespace tessera::plan
