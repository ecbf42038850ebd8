#include "plan/analysis/Reductions.h"

#include "tile/TileDialect.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tessera::plan {

bool isCombined(Value tile) {
  llvm::SmallSetVector<Value, 16> made;
  made.insert(tile);
  for (size_t i = 0; i < made.size(); ++i)
    for (Operation *user : made[i].getUsers()) {
      const bool isCarried = user->getNumRegions() || user->hasTrait<OpTrait::IsTerminator>();
      if (isCarried || isa<tile::ReduceOp, tile::ScanOp, tile::FoldOp>(user))
        return true;
      made.insert(user->result_begin(), user->result_end());
    }
  return false;
}

} // namespace tessera::plan
