// Why a kernel has no version for aligned views: the pass version-accesses decides by it, and
// remarks report it.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::plan {

enum class VersionObstacle {
  None,
  Proven,     // no access of a view is tested for alignment
  Reduces,    // nothing is reduced
  Multiplies, // something is multiplied
  Views,      // of more than one access the view is known only between tiles, or its start is not
              // known to be a multiple of a group
  Few,        // one access is tested
  Long,       // the text
};
VersionObstacle versionObstacle(mlir::func::FuncOp kernel);

} // namespace tessera::plan
