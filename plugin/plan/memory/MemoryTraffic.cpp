#include "plan/memory/MemoryTraffic.h"

#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Plan.h"
#include "plan/pipeline/PlannedLoops.h"
#include "tile/Attributes.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::plan {

namespace {

struct Bytes {
  int64_t read = 0, written = 0;

  Bytes &operator+=(const Bytes &other) {
    read += other.read;
    written += other.written;
    return *this;
  }
};

// Nothing of a scalar.
int64_t bytesOfAccess(Value tile) {
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  return type && type.getElementType().isIntOrFloat() ? bytesOfTile(type) : 0;
}

// Not of an array that the kernel declares, which has the block's shared memory or L2.
bool isOfGlobalMemory(Operation *access) {
  Operation *from = baseOf(addressOf(access)).getDefiningOp();
  return !isa_and_present<tile::BlockMemoryOp, tile::LocalAllocOp, tile::SharedAllocOp>(from);
}

int64_t bytesOfShared(Value shared) { return bytesOf(cast<tile::SharedType>(shared.getType())); }

class Traffic {
public:
  // What the block moves outside of loops, each of which is noted with what an iteration moves. Of
  // two branches it takes the one that reads more.
  Bytes of(Block &block) {
    Bytes bytes;
    for (Operation &op : block) {
      if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
        noteLoop(loop);
        continue;
      }
      Bytes most;
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          if (const Bytes branch = of(inner);
              branch.read + branch.written > most.read + most.written)
            most = branch;
      bytes += most;
      bytes += ofAccess(op);
    }
    return bytes;
  }

  Operation *loop = nullptr; // that reads most
  Bytes ofIteration;

private:
  static Bytes ofAccess(Operation &op) {
    return llvm::TypeSwitch<Operation *, Bytes>(&op)
        .Case<tile::ViewLoadOp, tile::LoadOp>([](auto load) {
          return Bytes{isOfGlobalMemory(load) ? bytesOfAccess(load.getResult()) : 0, 0};
        })
        .Case<tile::CopyAsyncOp, tile::GatherAsyncOp>(
            [](auto copy) { return Bytes{bytesOfShared(copy.getShared()), 0}; })
        .Case<tile::ViewStoreOp, tile::StoreOp>([](auto store) {
          return Bytes{0, isOfGlobalMemory(store) ? bytesOfAccess(store.getValue()) : 0};
        })
        .Case<tile::BulkStoreOp>(
            [](auto store) { return Bytes{0, bytesOfShared(store.getShared())}; })
        .Default(Bytes());
  }

  void noteLoop(LoopLikeOpInterface op) {
    if (op->hasAttr(tile::prologueAttr))
      return;
    Bytes bytes;
    for (Region *region : op.getLoopRegions())
      for (Block &inner : *region)
        bytes += of(inner);
    if (bytes.read > ofIteration.read) {
      loop = op;
      ofIteration = bytes;
    }
  }
};

int64_t residentBlocks(func::FuncOp kernel) {
  auto numberOf = [&](StringRef name) {
    auto number = kernel->getAttrOfType<IntegerAttr>(name);
    return number ? number.getInt() : 0;
  };
  const int64_t registers = std::min(numberOf(tile::registersAttr), registersOfThread),
                byRegisters = blocksOfMultiprocessor(targetOf(kernel), threadsOf(kernel),
                                                     sharedBytesOf(kernel), registers);
  return std::max({int64_t(1), byRegisters, numberOf(tile::minBlocksAttr)});
}

} // namespace

std::optional<MemoryTraffic> memoryTrafficOf(func::FuncOp kernel) {
  if (hasMultiply(kernel))
    return std::nullopt;
  Traffic traffic;
  const Bytes straight = traffic.of(kernel.front());
  const bool isOfIteration = traffic.ofIteration.read >= straight.read && traffic.loop;
  const Bytes bytes = isOfIteration ? traffic.ofIteration : straight;
  if (!bytes.read)
    return std::nullopt;
  auto loop = dyn_cast_if_present<scf::ForOp>(isOfIteration ? traffic.loop : nullptr);
  const std::optional<PlannedRing> ring = loop ? ringOf(loop) : std::nullopt;
  const int64_t blocks = residentBlocks(kernel),
                inFlight = blocks * (ring ? ring->ahead * ring->bytes : bytes.read),
                percent = 100 * inFlight / targetOf(kernel).rates.bytesInFlight;
  return MemoryTraffic{isOfIteration, bytes.read, bytes.written,
                       blocks,        inFlight,   std::min<int64_t>(percent, 100)};
}

} // namespace tessera::plan
