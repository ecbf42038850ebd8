#include "plan/Occupancy.h"

#include "plan/Layouts.h"
#include "plan/Plan.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
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

// What each value of a kernel takes of a thread's registers. One walk from the kernel's start, so
// that a value that is used twice at every step, as in a chain of squares, is met once.
class RegistersOfValues {
public:
  explicit RegistersOfValues(func::FuncOp kernel) {
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      unsigned steps = stepsFromScalars(op);
      for (Value result : op->getResults())
        if (steps <= most)
          fromScalars[result] = steps;
    });
  }

  int64_t operator[](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return 1;
    auto [known, isNew] = ofTiles.try_emplace(value, 0);
    if (isNew && !fromScalars.contains(value))
      known->second = registersOfTile(type);
    return known->second;
  }

private:
  static constexpr unsigned most = 16; // steps: what takes more to compute is kept

  unsigned stepsFromScalars(Operation *op) const {
    if (!isPure(op) || op->getNumRegions())
      return most + 1;
    unsigned steps = 0;
    for (Value operand : op->getOperands()) {
      if (!isa<RankedTensorType>(operand.getType()))
        continue;
      auto known = fromScalars.find(operand);
      if (known == fromScalars.end())
        return most + 1;
      steps = std::max(steps, known->second);
    }
    return steps + 1;
  }

  DenseMap<Value, unsigned> fromScalars; // the steps that lead to a tile from scalars alone
  DenseMap<Value, int64_t> ofTiles;
};

// The values that are live at a place, walked from the end of a kernel to its start.
class LiveValues {
public:
  explicit LiveValues(RegistersOfValues &registersOf) : registersOf(&registersOf) {}

  void insert(Value value) {
    while (isa_and_present<tile::BroadcastOp, tile::ReshapeOp>(value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0); // the same registers
    if (values.insert(value).second)
      total += (*registersOf)[value];
  }
  void erase(Value value) {
    if (values.erase(value))
      total -= (*registersOf)[value];
  }
  int64_t registers() const { return total; }

private:
  RegistersOfValues *registersOf;
  llvm::SmallDenseSet<Value, 32> values;
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

int64_t multiplyRegisters(func::FuncOp kernel) {
  int64_t most = 0;
  kernel.walk([&](tile::SharedMmaOp op) {
    int64_t accumulator = toLinear(cast<RankedTensorType>(op.getType())).registerCount();
    most = std::max(most, op.getKind() == tile::MmaKind::wgmma ? accumulator : 2 * accumulator);
  });
  return most;
}

int64_t warpsOfAccumulator(int64_t elements) {
  constexpr int64_t mostOfOne = 64 * 128, warpsOfOne = 4;
  return elements > mostOfOne ? 2 * warpsOfOne : warpsOfOne;
}

int64_t liveRegisters(func::FuncOp kernel) {
  RegistersOfValues registersOf(kernel);
  return mostLive(kernel.front(), LiveValues(registersOf));
}

int64_t threadsOf(func::FuncOp kernel) {
  return 32 * kernel->getAttrOfType<IntegerAttr>(warpsAttr).getInt();
}

int64_t blocksOfSharedMemory(const GpuTarget &target, int64_t bytes) {
  constexpr int64_t kept = 1024; // by an SM for each block
  return bytes > target.sharedOfBlock ? 0 : target.sharedOfMultiprocessor / (bytes + kept);
}

int64_t blocksOfMultiprocessor(const GpuTarget &target, int64_t threads, int64_t sharedBytes,
                               int64_t registers) {
  int64_t blocks =
      std::min({blocksOfSharedMemory(target, sharedBytes), target.threadsOfMultiprocessor / threads,
                target.blocksOfMultiprocessor});
  constexpr int64_t unit = 8; // registers of a thread are given out by so many
  if (registers)
    blocks = std::min(blocks, registersOfMultiprocessor /
                                  (int64_t(llvm::alignTo(registers, unit)) * threads));
  return blocks;
}

int64_t hintedBlocks(func::FuncOp kernel) {
  auto hints = kernel->getAttrOfType<DenseI64ArrayAttr>(occupancyAttr);
  int64_t ofAll = 0, ofTarget = 0;
  for (int64_t i = 0; hints && i + 1 < hints.size(); i += 2)
    if (hints[i] == 0)
      ofAll = hints[i + 1];
    else if (hints[i] == int64_t(targetOf(kernel).number) * 10)
      ofTarget = hints[i + 1];
  return std::max<int64_t>(ofTarget ? ofTarget : ofAll, 0);
}

bool isTwoBlocksWorth(func::FuncOp kernel) {
  int64_t accumulator = accumulatorRegisters(kernel), multiply = multiplyRegisters(kernel);
  bool isOfWarpgroups = multiply < 2 * accumulator;
  int64_t needed = isOfWarpgroups ? std::max(multiply + registersBesidesMultiply,
                                             liveRegisters(kernel) + registersBesidesTiles)
                                  : multiply;
  return accumulator && needed * threadsOf(kernel) <= registersOfMultiprocessor / 2;
}

} // namespace tessera::plan
