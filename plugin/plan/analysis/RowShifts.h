// The number of the column in each slot of rows that are rotated in their tiles (pass rotate-rows),
// and how a version of a kernel whose rows are not rotated takes that back.
#pragma once

#include "tile/TileDialect.h"

namespace tessera::plan {

// Every use of the column numbers gets those of rows that are rotated by the shift, if it is not
// negative.
void rotateColumns(tile::IotaOp iota, mlir::Value shift);

// The rows of all accesses with this shift are not rotated, nor are columns numbered by it.
void takeRotationBack(tile::RowShiftOp shift);

} // namespace tessera::plan
