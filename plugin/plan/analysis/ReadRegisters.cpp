#include "plan/analysis/ReadRegisters.h"

#include "tile/TileDialect.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// As many are left for what is computed where two blocks of 256 threads share an SM.
constexpr int64_t registersOfKeptTiles = 64;

RankedTensorType typeOf(Operation *read) {
  return cast<RankedTensorType>(read->getResult(0).getType());
}

} // namespace

bool isTileRead(Operation *op) {
  if (!isa<tile::ViewLoadOp, tile::LoadOp>(op))
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type && type.getElementType().isIntOrFloat();
}

bool ReadRegisters::fit(int64_t times) const {
  constexpr int64_t elementsOfWarp = 256, maxWarps = 16, lanes = 32;
  int64_t bits = 0, largest = 0;
  for (Operation *read : reads) {
    RankedTensorType type = typeOf(read);
    bits += type.getNumElements() * std::max<int64_t>(tile::storageBits(type.getElementType()), 8);
    largest = std::max(largest, type.getNumElements());
  }
  const int64_t threads = lanes * std::clamp<int64_t>(largest / elementsOfWarp, 1, maxWarps);
  return times * bits / 32 <= registersOfKeptTiles * threads;
}

bool ReadRegisters::fitWith(Operation *read) const {
  ReadRegisters all = *this;
  all.add(read);
  return all.fit();
}

} // namespace tessera::plan
