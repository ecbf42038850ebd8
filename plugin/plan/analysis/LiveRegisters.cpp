// The registers that live values of a kernel take, as a compiler of the generated code allocates
// them: a backward walk over the kernel with the set of values that are still read. These cost less
// than they seem:
//   constants                               are part of instructions
//   what few steps compute from scalars     indices and masks are computed where they are read; the
//                                           scalars are kept
//   a result whose operand is read no more  has the operand's registers, also after a branch
//   contiguous pointers of a thread         are the first of them and constants
//   a run of element-wise operations        goes element by element from what it reads to what it
//                                           leaves: intermediate values are never there as a tile
//   an element-wise operation               is done as late as its operands are kept anyway
// A scan costs as much as it seems: its results exist before its last operand is read. The walk
// does not know addresses and what one instruction needs besides its operands.
#include "plan/analysis/Occupancy.h"

#include "plan/analysis/Layouts.h"
#include "plan/analysis/AxisInfo.h"

#include "llvm/ADT/SetVector.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tile/Attributes.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

namespace {

bool isTile(Value v) { return isa<RankedTensorType>(v.getType()); }

int64_t registersOfTile(RankedTensorType type) {
  Type element = type.getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  int64_t elements = 1;
  for (uint32_t basis : toLinear(type).registers())
    elements *= basis ? 2 : 1; // without those that repeat an element
  return std::max<int64_t>(1, elements * bits / 32);
}

// The same registers under another name.
bool isRenaming(Operation *op) {
  auto layoutOf = [](Value tile) { return toLinear(cast<RankedTensorType>(tile.getType())); };
  if (auto convert = dyn_cast_or_null<tile::ConvertLayoutOp>(op))
    return layoutOf(convert.getX()).differsInRegistersOnly(layoutOf(convert.getResult()));
  return isa_and_present<tile::BroadcastOp, tile::ReshapeOp, tile::PermuteOp>(op);
}

// A division tests all of its operands before it branches; an approximate one is an instruction or
// two.
bool branches(Operation *op) {
  auto binary = dyn_cast<tile::BinaryOp>(op);
  return binary && binary.getKind() == tile::BinaryKind::div &&
         binary.getRounding() != tile::Rounding::approximate &&
         binary.getRounding() != tile::Rounding::full;
}

// Each element of the result depends on one element of each operand, without a branch in between.
bool isElementwise(Operation *op) {
  return isPure(op) && !branches(op) && !isa<tile::ScanOp>(op) && !tilesInOneLayout(op).empty();
}

// Consumes a tile element by element.
bool takesElements(Operation *op) {
  auto fold = dyn_cast<tile::FoldOp>(op);
  return (fold && !fold.getScan()) || isa<tile::ReduceOp, tile::SharedStoreOp, tile::StorePartsOp,
                                          tile::ViewStoreOp, tile::StoreOp>(op);
}

// The registers of a thread that each value of a kernel takes. Each op is visited once, in program
// order, so that a value that is used twice at every step, as in a chain of squares, is visited
// once.
class RegistersOfValues {
public:
  RegistersOfValues(func::FuncOp kernel, Reads reads)
      : reads(reads), hasProducerWarp(kernel->hasAttr(tile::warpSpecializedAttr)) {
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      unsigned steps = stepsFromScalars(op);
      for (Value result : op->getResults())
        if (steps <= limit)
          fromScalars[result] = steps;
    });
    kernel.walk([&](Block *block) { numberRuns(*block); });
    kernel.walk([&](Operation *op) {
      if ((isElementwise(op) || isMovable(op)) && isWithinRun(op))
        passing.insert(op);
    });
  }

  // Of a tile or scalar that is kept.
  int64_t operator[](Value value) {
    if (matchPattern(value, m_Constant()) || isa<tile::SharedType>(value.getType()))
      return 0;
    if (auto map = value.getDefiningOp<tile::MakeTensorMapOp>(); map && map.getGiven())
      return 0; // part of the parameters
    if (!isTile(value))
      return isUniform(value) ? 0 : 1;
    auto [known, isNew] = tileRegisters.try_emplace(value, 0);
    if (isNew)
      known->second = std::max<int64_t>(
          1, registersOfTile(cast<RankedTensorType>(value.getType())) / togetherIn(value));
    return known->second;
  }

  // Its operands are kept instead of it.
  bool isPassing(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && isTile(value) &&
           (isRenaming(op) || passing.contains(op) || fromScalars.contains(value));
  }

private:
  // Beside a producer warp ptxas keeps what all threads have alike in uniform registers, which hold
  // no floats: consumers compute no addresses that differ by threads.
  bool isUniform(Value scalar) const {
    return hasProducerWarp && !isa<FloatType>(scalar.getType());
  }

  // How many contiguous pointers of a thread are kept as the first of them: where alignment must be
  // tested, the other path needs each pointer.
  int64_t togetherIn(Value tile) {
    auto type = cast<RankedTensorType>(tile.getType());
    if (!isa<LLVM::LLVMPointerType>(type.getElementType()) || !type.getRank())
      return 1;
    Run run = axisInfo.along(tile, type.getRank() - 1);
    int64_t together = std::min(run.whole, toLinear(type).contiguous());
    return run.step > 0 && axisInfo.areAligned(tile, run.step, together) ? together : 1;
  }

  static constexpr unsigned limit = 16; // steps: a longer computation is kept

  // A read that is made where that is better.
  bool isMovable(Operation *op) const {
    return isa<tile::SharedLoadOp>(op) || (reads == Reads::late && isa<tile::ViewLoadOp>(op));
  }

  unsigned stepsFromScalars(Operation *op) const {
    if (!isPure(op) || op->getNumRegions())
      return limit + 1;
    unsigned steps = 0;
    for (Value operand : op->getOperands()) {
      if (!isTile(operand))
        continue;
      auto known = fromScalars.find(operand);
      if (known == fromScalars.end())
        return limit + 1;
      steps = std::max(steps, known->second);
    }
    return steps + 1;
  }

  // A run consists of element-wise operations, with scalar computations and renamings in between,
  // and the op that ends it.
  void numberRuns(Block &block) {
    for (Operation &op : block) {
      runOf[&op] = runs;
      bool isOfScalars = stepsFromScalars(&op) <= limit && llvm::none_of(op.getOperands(), isTile);
      bool goesOn = isElementwise(&op) || isRenaming(&op) || isOfScalars || isMovable(&op);
      runs += !goesOn;
    }
    ++runs;
  }

  // All users of the result are in the op's run.
  bool isWithinRun(Operation *op) const {
    SmallVector<Value> names(op->getResults());
    while (!names.empty())
      for (Operation *user : names.pop_back_val().getUsers()) {
        if (user->getBlock() != op->getBlock() || runOf.lookup(user) != runOf.lookup(op))
          return false;
        if (isRenaming(user))
          names.push_back(user->getResult(0));
        else if (!isElementwise(user) && !takesElements(user))
          return false;
      }
    return true;
  }

  Reads reads;
  bool hasProducerWarp;
  DenseMap<Value, unsigned> fromScalars; // the steps that lead to a tile from scalars alone
  DenseMap<Value, int64_t> tileRegisters;
  AxisInfo axisInfo;
  DenseMap<Operation *, int64_t> runOf;
  llvm::SmallPtrSet<Operation *, 16> passing;
  int64_t runs = 0;
};

// The set of live values, walked from the end of a kernel to its start.
class LiveValues {
public:
  explicit LiveValues(RegistersOfValues &sizes) : sizes(&sizes) {}

  void insert(Value value) {
    SmallVector<Value> work = {value};
    while (!work.empty()) {
      Value next = work.pop_back_val();
      if (!values.insert(next).second)
        continue;
      if (sizes->isPassing(next))
        llvm::append_range(work, next.getDefiningOp()->getOperands());
      else
        total += (*sizes)[next];
    }
  }
  void erase(Value value) {
    if (values.erase(value) && !sizes->isPassing(value))
      total -= (*sizes)[value];
  }
  int64_t registers() const { return total; }
  // Of a value that need not be live.
  int64_t registersOf(Value value) const { return (*sizes)[value]; }

private:
  RegistersOfValues *sizes;
  llvm::SmallDenseSet<Value, 32> values;
  int64_t total = 0;
};

// The operations of a block from last to first, each as late as a compiler may place it at no cost:
// an element-wise one follows the other readers of its tiles, if its result is not read before.
SmallVector<Operation *> fromLast(Block &block) {
  DenseMap<Operation *, unsigned> position; // even; the position after an operation is the next odd
                                            // number
  for (Operation &op : block) {
    const unsigned next = 2 * position.size();
    position[&op] = next;
  }
  const unsigned end = 2 * position.size();
  // The positions at which a value is read, except by one operation.
  auto readsOf = [&](Value value, Operation *but) {
    SmallVector<unsigned> at;
    for (Operation *user : value.getUsers())
      if (Operation *own = block.findAncestorOpInBlock(*user); own && own != but)
        at.push_back(position.lookup(own));
    return at;
  };
  SmallVector<Operation *> order;
  for (Operation &op : llvm::reverse(block)) {
    order.push_back(&op);
    if (op.getNumResults() != 1 || !isElementwise(&op))
      continue;
    unsigned latest = end;
    for (unsigned at : readsOf(op.getResult(0), nullptr))
      latest = std::min(latest, at - 1);
    for (Value operand : op.getOperands())
      if (isTile(operand) && !isa_and_present<tile::SplatOp>(operand.getDefiningOp())) {
        unsigned last = 0;
        for (unsigned at : readsOf(operand, &op))
          last = std::max(last, at + 1);
        latest = std::min(latest, last);
      }
    if (latest < end)
      position[&op] = std::max(position[&op], latest);
  }
  llvm::stable_sort(order, [&](Operation *x, Operation *y) { return position[x] > position[y]; });
  return order;
}

// What a scan keeps beside its results: one total of the neighbours that a thread has in registers,
// which are known along the last dimension.
int64_t registersOfTotals(Operation *scan, const LiveValues &live) {
  const int64_t dim = isa<tile::ScanOp>(scan) ? int64_t(cast<tile::ScanOp>(scan).getDim())
                                              : int64_t(cast<tile::FoldOp>(scan).getDim());
  int64_t totals = 0;
  for (Value result : scan->getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    const int64_t neighbours = dim == type.getRank() - 1 ? toLinear(type).contiguous() : 1;
    totals += live.registersOf(result) / neighbours;
  }
  return totals;
}

// The maximum within a block after which the values in `live` are live.
int64_t maxLive(Block &block, LiveValues live) {
  int64_t maximum = live.registers();
  for (Operation *each : fromLast(block)) {
    Operation &op = *each;
    auto fold = dyn_cast<tile::FoldOp>(op);
    if (isa<tile::ScanOp>(op) || (fold && fold.getScan()))
      maximum = std::max(maximum, live.registers() + registersOfTotals(&op, live));
    for (Value result : op.getResults())
      live.erase(result);
    // A loop reads its inputs again; its initial values are its blocks' arguments inside. A branch
    // may end the life of what it reads.
    if (op.getNumRegions()) {
      llvm::SetVector<Value> above;
      getUsedValuesDefinedAbove(op.getRegions(), above);
      LiveValues behind = live;
      for (Value value : above)
        live.insert(value);
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          maximum = std::max(maximum, maxLive(inner, isa<LoopLikeOpInterface>(op) ? live : behind));
    }
    for (Value operand : op.getOperands())
      live.insert(operand);
    maximum = std::max(maximum, live.registers());
  }
  return maximum;
}

} // namespace

int64_t liveRegisters(func::FuncOp kernel, Reads reads) {
  RegistersOfValues registersOf(kernel, reads);
  return maxLive(kernel.front(), LiveValues(registersOf));
}

} // namespace tessera::plan
