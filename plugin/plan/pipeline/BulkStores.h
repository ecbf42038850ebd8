// Results that leave by bulk copies, part by part.
#pragma once

#include "tile/TileDialect.h"

namespace tessera::plan {

// The parts in which a store's value may leave while the next work tile's operands arrive.
struct StoredPart {
  tile::SharedType panel;
  bool isTransposed; // the accumulator is: warpgroups have columns of the value
};
constexpr int64_t panelsOfParts = 2; // that all stores of one shape take in turn

// The parts of a store of a wgmma accumulator, or of some of its columns, computed element-wise,
// perhaps transposed, to a view whose tensor map a launch may make. A warpgroup has 64 rows of the
// accumulator and 128 bytes of each in a panel; of a transposed one, as many bytes. Nothing: the
// value does not leave this way.
std::optional<StoredPart> storedPartOf(tile::ViewStoreOp store);

// Whether the store has as many elements as the tensor core accumulator that it is computed from,
// or some of its columns that leave in parts.
bool isOfAccumulator(tile::ViewStoreOp store);

} // namespace tessera::plan
