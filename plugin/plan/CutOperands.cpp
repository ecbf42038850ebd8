// Floats that are cut off to tf32 (rounded toward zero) need no instruction before a matrix unit,
// which reads the upper 19 bits of a word and no others: they are read as tf32 in the first place,
// and may be copied to where the unit reads them.
//
//   mma (cast toward_zero (view_load : f32) : tf32)  ->  mma (view_load : tf32)
//
// It is done where matrix units take all that becomes of the floats. A multiply-add would see the
// bits below. So would whoever looked at the elements: the cast stays where anything else uses it.
// A NaN of no bit above these becomes an infinity; no operation makes one.
#include "plan/MatrixUnits.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_CUTOPERANDS
#include "plan/Passes.h.inc"

namespace {

bool isByMatrixUnit(tile::MmaOp multiply) {
  return matrixUnitFor(productOf(multiply), targetOf(multiply)).kind != tile::MmaKind::fma;
}

bool isCut(tile::CastOp cast) {
  return cast.getRounding() == tile::Rounding::toward_zero &&
         isa<FloatTF32Type>(tile::elementType(cast.getType())) &&
         tile::elementType(cast.getX().getType()).isF32() &&
         becomesOperandsAlone(cast.getResult(), isByMatrixUnit);
}

// A read for cuts alone, which has no elements of another type.
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
