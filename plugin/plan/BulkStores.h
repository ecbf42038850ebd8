// Results that leave by bulk copies, part by part.
#pragma once

#include "tile/TileDialect.h"

namespace tessera::plan {

// A panel of the parts in which a store's value may leave while the next place's factors arrive:
// of the sum of a matrix unit of warpgroups, element by element, to a view of which a launch may
// make a map. 64 rows for each warpgroup and 128 bytes of each. Null: it does not leave so.
tile::SharedType storedPartOf(tile::ViewStoreOp store);

} // namespace tessera::plan
