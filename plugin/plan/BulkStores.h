// Results that leave by bulk copies, part by part.
#pragma once

#include "tile/TileDialect.h"

namespace tessera::plan {

// The parts in which a store's value may leave while the next place's operands arrive.
struct StoredPart {
  tile::SharedType panel;
  bool isTransposed; // the sum is: warpgroups have columns of the value
};
constexpr int64_t panelsOfParts = 2; // that they take in turn, those of all stores of their shape

// Those of the sum of a matrix unit of warpgroups, or of some of its columns, element by element,
// perhaps transposed, to a view of which a launch may make a map. A warpgroup has 64 rows of the
// sum and 128 bytes of each in a panel; of one transposed, as many bytes. Nothing: it does not
// leave so.
std::optional<StoredPart> storedPartOf(tile::ViewStoreOp store);

// Is as much stored as the sum of a matrix unit of which it is computed, or some of its columns
// that leave so?
bool isOfSum(tile::ViewStoreOp store);

} // namespace tessera::plan
