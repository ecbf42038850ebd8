// The rows of a kernel that are computed independently, in parts.
//
//   %x = view_load [%row] : 8x4096; %s = reduce %x along 1; ...; view_store [%row]
// becomes
//   for %part { %x = view_load [%row + %part] : 1x4096; ... }
//
// Each tile that has the rows is divided along one of its dimensions; the walk starts at tiles that
// are known to have them, and goes to all that is computed from these, and that they are computed
// from. Whatever combines rows makes the division impossible: a reduction or a scan along them, a
// transposed multiply whose K they are. All that the kernel writes must have the rows, since it is
// written once, and must be other memory than what it reads, since a part reads after another one
// has written.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::plan {

// Divides the rows of all chains of multiplies into as few parts as two warpgroups can hold. The
// loop over them, in which the whole kernel is; null where one part is enough, or the rows cannot
// be divided.
mlir::scf::ForOp divideRowsOfChains(mlir::func::FuncOp kernel);

// The same of rows that a kernel without multiplies reduces: parts of one row, or of tiles that
// have at most so many elements.
mlir::scf::ForOp divideRows(mlir::func::FuncOp kernel, int64_t elementsOfPart);

} // namespace tessera::plan
