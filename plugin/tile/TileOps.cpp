// Folders of the tile ops; everything else about them is generated.
#include "tile/TileDialect.h"

using namespace mlir;
using namespace tessera::tile;

#define GET_OP_CLASSES
#include "tile/TileOps.cpp.inc"

// scalar(splat(x)) is x.
OpFoldResult ScalarOp::fold(FoldAdaptor) {
  if (auto splat = getX().getDefiningOp<SplatOp>())
    return splat.getX();
  return {};
}

// Casts, bit casts, reshapes and broadcasts to the type a value already has are that value.
OpFoldResult CastOp::fold(FoldAdaptor) { return getX().getType() == getType() ? getX() : Value(); }
OpFoldResult BitcastOp::fold(FoldAdaptor) { return getX().getType() == getType() ? getX() : Value(); }
OpFoldResult ReshapeOp::fold(FoldAdaptor) { return getX().getType() == getType() ? getX() : Value(); }
OpFoldResult BroadcastOp::fold(FoldAdaptor) { return getX().getType() == getType() ? getX() : Value(); }
