// Floats that are truncated to tf32 (rounded toward zero) need no instruction in front of a tensor
// core, which reads the upper 19 bits of a word and no others: the pass reads them as tf32 in the
// first place, and they may be copied directly to where the tensor core reads them.
//
//   mma (cast toward_zero (view_load : f32) : tf32)  ->  mma (view_load : tf32)
//
// All uses must be operands of tensor cores. A multiply-add would see the lower bits, and so would
// any other use of the elements: there the cast stays. A NaN whose upper bits are clear becomes an
// infinity; no operation makes such a NaN.
#include "plan/analysis/Matmuls.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_CUTOPERANDS
#include "plan/Passes.h.inc"

namespace {

bool isByTensorCore(tile::MmaOp multiply) { return instructionFor(multiply).isTensorCore(); }

bool isCut(tile::CastOp cast) {
  return cast.getRounding() == tile::Rounding::toward_zero &&
         isa<FloatTF32Type>(tile::elementType(cast.getType())) &&
         tile::elementType(cast.getX().getType()).isF32() &&
         becomesOperandsAlone(cast.getResult(), isByTensorCore);
}

// A read whose only uses are such truncations, and which has no elements of another type.
bool isReadForCuts(Operation *read) {
  auto load = dyn_cast<tile::LoadOp>(read);
  return (isa<tile::ViewLoadOp>(read) || (load && !load.getPadding())) && !read->use_empty() &&
         llvm::all_of(read->getUsers(), [](Operation *user) {
           auto cast = dyn_cast<tile::CastOp>(user);
           return cast && isCut(cast);
         });
}

struct CutOperands : impl::CutOperandsBase<CutOperands> {
  void runOnOperation() override {
    SmallVector<Operation *> reads;
    getOperation().walk([&](Operation *op) {
      if (isReadForCuts(op))
        reads.push_back(op);
    });
    for (Operation *read : reads) {
      Value tile = read->getResult(0);
      SmallVector<Operation *> casts(tile.getUsers());
      tile.setType(casts.front()->getResult(0).getType());
      for (Operation *cast : casts) {
        cast->getResult(0).replaceAllUsesWith(tile);
        cast->erase();
      }
    }
  }
};

} // namespace
} // namespace tessera::plan
