// Boxes of one view that a loop's variable keeps apart, as those of a loop that replaces a tensor's
// tiles by others, in place.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

inline mlir::Type elementOf(tile::ViewLoadOp load) { return tile::elementType(load.getType()); }
inline mlir::Type elementOf(tile::ViewStoreOp store) {
  return tile::elementType(store.getValue().getType());
}

// Do two accesses go through one view: the same base, elements, extents and strides?
template <class Access> bool haveOneView(Access access, tile::ViewStoreOp store) {
  return elementOf(access) == elementOf(store) && access.getBase() == store.getBase() &&
         access.getExtents() == store.getExtents() && access.getStrides() == store.getStrides() &&
         access.getStaticExtents() == store.getStaticExtents() &&
         access.getStaticStrides() == store.getStaticStrides();
}

// Do they access one box of it?
inline bool haveOneBox(tile::ViewLoadOp load, tile::ViewStoreOp store) {
  return haveOneView(load, store) && load.getStarts() == store.getStarts() &&
         tile::shapeOf(load.getType()) == tile::shapeOf(store.getValue().getType());
}

// Has the box that is read in an iteration no element of those that are stored before it, in this
// iteration and in all earlier ones? What is read may be read ahead of these stores then.
bool areApartAhead(tile::ViewLoadOp load, tile::ViewStoreOp store, mlir::scf::ForOp loop);

// Have the boxes that two stores write no element in common, wherever the first one begins?
bool areApart(tile::ViewStoreOp store, tile::ViewStoreOp other);

// Has the box that the one store writes in an iteration no element of those that the other one
// writes in any, or of its own in others?
bool areApartInTurns(tile::ViewStoreOp store, tile::ViewStoreOp other, mlir::scf::ForOp loop);

} // namespace tessera::plan
