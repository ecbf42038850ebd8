#include "plan/Occupancy.h"

#include "plan/Layouts.h"
#include "plan/Plan.h"

#include "llvm/ADT/SetVector.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

namespace {

int64_t registersOfTile(RankedTensorType type) {
  Type element = type.getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  int64_t elements = 1;
  for (uint32_t basis : toLinear(type).registers())
    elements *= basis ? 2 : 1; // without those that repeat an element
  return std::max<int64_t>(1, elements * bits / 32);
}

// The values that are live at a place, walked from the end of a kernel to its start.
class LiveValues {
public:
  void insert(Value value) {
    while (isa_and_present<tile::BroadcastOp, tile::ReshapeOp>(value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0); // the same registers
    if (values.insert(value).second)
      total += registersOf(value);
  }
  void erase(Value value) {
    if (values.erase(value))
      total -= registersOf(value);
  }
  int64_t registers() const { return total; }

private:
  static bool isFromScalars(Value value, unsigned depth = 0) {
    constexpr unsigned most = 16; // of steps: what takes more is kept
    if (!isa<RankedTensorType>(value.getType()))
      return true;
    Operation *op = value.getDefiningOp();
    return op && depth < most && isPure(op) && !op->getNumRegions() &&
           !isa<tile::SharedLoadOp>(op) &&
           llvm::all_of(
               op->getOperands(), [&](Value operand) { return isFromScalars(operand, depth + 1); });
  }

  int64_t registersOf(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return 1;
    auto [known, isNew] = ofTiles.try_emplace(value, 0);
    if (isNew && !isFromScalars(value))
      known->second = registersOfTile(type);
    return known->second;
  }

  llvm::SmallDenseSet<Value, 32> values;
  DenseMap<Value, int64_t> ofTiles;
  int64_t total = 0;
};

// The most within a block, behind which `live` are.
int64_t mostLive(Block &block, LiveValues live) {
  int64_t most = live.registers();
  for (Operation &op : llvm::reverse(block)) {
    for (Value result : op.getResults())
      live.erase(result);
    // What a loop starts from is its blocks' argument within them.
    llvm::SetVector<Value> above;
    getUsedValuesDefinedAbove(op.getRegions(), above);
    for (Value value : above)
      live.insert(value);
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        most = std::max(most, mostLive(inner, live));
    for (Value operand : op.getOperands())
      live.insert(operand);
    most = std::max(most, live.registers());
  }
  return most;
}

} // namespace

int64_t accumulatorRegisters(func::FuncOp kernel) {
  int64_t most = 0;
  kernel.walk([&](tile::SharedMmaOp op) {
    most = std::max(most, toLinear(cast<RankedTensorType>(op.getType())).registerCount());
  });
  return most;
}

int64_t liveRegisters(func::FuncOp kernel) { return mostLive(kernel.front(), LiveValues()); }

int64_t threadsOf(func::FuncOp kernel) {
  return 32 * kernel->getAttrOfType<IntegerAttr>(warpsAttr).getInt();
}

int64_t blocksOfSharedMemory(const GpuTarget &target, int64_t bytes) {
  constexpr int64_t kept = 1024; // by an SM for each block
  return bytes > target.sharedOfBlock ? 0 : target.sharedOfMultiprocessor / (bytes + kept);
}

bool isTwoBlocksWorth(func::FuncOp kernel) {
  int64_t accumulator = accumulatorRegisters(kernel);
  return accumulator && 2 * accumulator * threadsOf(kernel) <= registersOfMultiprocessor / 2;
}

} // namespace tessera::plan
