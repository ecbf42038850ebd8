// Boxes of one view that a loop's induction variable keeps apart, as in a loop that replaces the
// tiles of a tensor in place.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

inline mlir::Type elementOf(tile::ViewLoadOp load) { return tile::elementType(load.getType()); }
inline mlir::Type elementOf(tile::ViewStoreOp store) {
  return tile::elementType(store.getValue().getType());
}

// Do two accesses use one view: the same base, elements, extents and strides?
template <class Access> bool haveOneView(Access access, tile::ViewStoreOp store) {
  return elementOf(access) == elementOf(store) && access.getBase() == store.getBase() &&
         access.getExtents() == store.getExtents() && access.getStrides() == store.getStrides() &&
         access.getStaticExtents() == store.getStaticExtents() &&
         access.getStaticStrides() == store.getStaticStrides();
}

// Do they access the same box of one view?
inline bool haveOneBox(tile::ViewLoadOp load, tile::ViewStoreOp store) {
  return haveOneView(load, store) && load.getStarts() == store.getStarts() &&
         tile::shapeOf(load.getType()) == tile::shapeOf(store.getValue().getType());
}

// Do all elements of the store's view have addresses of their own?
bool hasOwnAddresses(tile::ViewStoreOp store);

// Is the box that is read in an iteration disjoint from all boxes stored before it, in this
// iteration and in all earlier ones? Then the read may move ahead of these stores.
bool areApartAhead(tile::ViewLoadOp load, tile::ViewStoreOp store, mlir::scf::ForOp loop);

// Are the boxes of two stores disjoint, wherever the first one begins?
bool areApart(tile::ViewStoreOp store, tile::ViewStoreOp other);

// Is the box of one store in an iteration disjoint from the other store's boxes in every iteration,
// and from its own in the others?
bool areApartInIterations(tile::ViewStoreOp store, tile::ViewStoreOp other, mlir::scf::ForOp loop);

} // namespace tessera::plan
