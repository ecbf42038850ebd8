// AxisInfo: contiguity, divisibility and constancy of tiles of integers or pointers along a
// dimension. It finds pointers that are contiguous in memory, so that one instruction accesses what
// they point to.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace tessera::plan {

// Aligned groups of `length` elements along a dimension, in which each element is `step` more than
// the one before (of pointers in bytes; 0: all are equal). Powers of two.
struct Run {
  int64_t length = 1;
  int64_t step = 0;
  // Divides the first element of every group.
  int64_t divisor = 1;
  // How many operations on the way may break a group at one point: an index that wraps around, a
  // remainder. One break shows in the distance between the first element and the last.
  int breaks = 0;
  // Aligned groups of this length are never broken; at most `length`.
  int64_t whole = 1;
  // Whether integers were computed that may not fit their type: they break groups once they are
  // extended to more bits.
  bool mayWrap = false;
};

// The runs of a kernel's tiles, found by walking up their definitions. Valid for one state of the
// kernel.
class AxisInfo {
public:
  Run along(mlir::Value tile, unsigned dimension);
  // How many elements of `bytes` each are contiguous along the last dimension of a tile of
  // pointers: 1 where nothing is known.
  int64_t neighbours(mlir::Value pointers, int64_t bytes);
  // Whether groups of `vector` pointers are known to be aligned to the bytes of the whole group.
  bool areAligned(mlir::Value pointers, int64_t bytes, int64_t vector);
  // Whether all elements of each group of `vector` along the last dimension are known to be equal.
  bool areEqual(mlir::Value tile, int64_t vector);

private:
  Run find(mlir::Value tile, unsigned dimension);
  Run carried(mlir::BlockArgument argument, unsigned dimension);

  llvm::DenseMap<std::pair<mlir::Value, unsigned>, Run> known;
};

} // namespace tessera::plan
