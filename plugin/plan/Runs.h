// How the elements of a tile of integers or pointers follow one another along its last dimension:
// which pointers lie side by side in memory, so that one instruction accesses what they point to.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace tessera::plan {

// Aligned groups of `length` elements along a dimension, in which each is `step` more than the one
// before (of pointers in bytes; 0: all are equal). Powers of two.
struct Run {
  int64_t length = 1;
  int64_t step = 0;
  // Divides the first element of every group.
  int64_t divisor = 1;
  // How many operations on the way may break a group at one place: an index that wraps round, a
  // remainder. One is seen by the distance between the first element and the last.
  int breaks = 0;
  // Aligned groups of so many are never broken; at most `length`.
  int64_t whole = 1;
  // Whether integers were worked out that may not fit: they break groups once they are read in more
  // bits.
  bool mayWrap = false;
};

// The runs of a kernel's tiles, found by walking up what defines them. For one state of the kernel.
class Runs {
public:
  Run along(mlir::Value tile, unsigned dimension);
  // How many elements of `bytes` each lie side by side along the last dimension of a tile of
  // pointers: 1 where nothing is known.
  int64_t neighbours(mlir::Value pointers, int64_t bytes);
  // Whether groups of `vector` of them are known to be aligned to what they hold together.
  bool areAligned(mlir::Value pointers, int64_t bytes, int64_t vector);
  // Whether groups of `vector` elements along the last dimension are known to be one value each.
  bool areEqual(mlir::Value tile, int64_t vector);

private:
  Run find(mlir::Value tile, unsigned dimension);
  Run carried(mlir::BlockArgument argument, unsigned dimension);

  llvm::DenseMap<std::pair<mlir::Value, unsigned>, Run> known;
};

} // namespace tessera::plan
