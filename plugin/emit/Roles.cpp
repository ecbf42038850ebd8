// A value has a role by its use: a tile coordinate starts a box, a predicate guards a copy, a stage
// index is yielded for the next iteration. It has one by its definition where a loop's variable is
// advanced by the prefetch distance.
#include "emit/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"
#include "tile/SourceNames.h"
#include "tile/TileDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::emit {

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

// How a coordinate follows from a loop.
enum class Along { nothing, iteration, nextIteration };

Along alongLoop(Value coordinate, int steps = 8) {
  if (advancedVariable(coordinate))
    return Along::nextIteration;
  if (isLoopVariable(coordinate))
    return Along::iteration;
  Operation *op = coordinate.getDefiningOp();
  if (!op || steps == 0 || isa<tile::BlockIndexOp>(op) || op->getNumRegions() != 0)
    return Along::nothing;
  Along result = Along::nothing;
  for (Value operand : op->getOperands())
    if (operand.getType().isIntOrIndex())
      result = std::max(result, alongLoop(operand, steps - 1));
  return result;
}

bool feedsMultiply(Value shared) {
  if (auto slot = shared.getDefiningOp<tile::SharedSlotOp>())
    shared = slot.getRing();
  return llvm::any_of(shared.getUsers(), [](Operation *user) {
    auto slot = dyn_cast<tile::SharedSlotOp>(user);
    return isa<tile::SharedMmaOp>(user) ||
           (slot && llvm::any_of(slot->getUsers(), llvm::IsaPred<tile::SharedMmaOp>));
  });
}

// "row_start", "column_start", "k_next": dimension `dimension` of `rank` of a box.
std::string coordinateName(Value coordinate, size_t dimension, size_t rank, bool isOperand) {
  Along along = alongLoop(coordinate);
  std::string axis = isOperand && along != Along::nothing ? "k"
                     : rank == 1                          ? "element"
                     : dimension + 1 == rank              ? "column"
                     : dimension + 2 == rank              ? "row"
                                                          : "batch";
  return axis + (along == Along::nextIteration ? "_next" : "_start");
}

std::optional<std::string> nameByBox(Value v, ValueRange starts, bool isOperand) {
  for (auto [dimension, start] : llvm::enumerate(starts))
    if (start == v)
      return coordinateName(v, dimension, starts.size(), isOperand);
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
        return nameByBox(v, copy.getStarts(), feedsMultiply(copy.getShared()));
      })
      .Case<tile::ViewLoadOp, tile::ViewStoreOp, tile::BulkStoreOp, tile::StorePartsOp>(
          [&](auto op) { return nameByBox(v, op.getStarts(), /*isOperand=*/false); })
      .Case([&](scf::YieldOp yield) { return nameByYield(yield, use); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace

std::optional<std::string> roleOf(Value scalar) {
  if (!scalar.getType().isIntOrIndex())
    return std::nullopt;
  for (OpOperand &use : scalar.getUses())
    if (std::optional<std::string> name = nameByUse(use))
      return name;
  for (Operation *user : scalar.getUsers())
    if (isCast(user))
      if (std::optional<std::string> name = roleOf(user->getResult(0)))
        return name;
  if (Value variable = advancedVariable(scalar))
    return tile::sourceName(variable.getLoc()).value_or("i") + "_next";
  return std::nullopt;
}

} // namespace tessera::emit
