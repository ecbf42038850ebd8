// The registers that tiles take when they are kept from where they are read. Layouts and warps are
// not known yet: a thread is taken to hold eight elements of the largest tile, as blocks without a
// multiply are planned (pass choose-config).
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace tessera::plan {

// Is it a read of a tile of numbers from global memory, of a view or by pointers?
bool isTileRead(mlir::Operation *op);

class ReadRegisters {
public:
  // Counts a read once.
  void add(mlir::Operation *read) { reads.insert(read); }
  bool isEmpty() const { return reads.empty(); }
  // Do all of them fit the registers, `times` over?
  bool fit(int64_t times = 1) const;
  // The same with one more.
  bool fitWith(mlir::Operation *read) const;

private:
  llvm::SmallSetVector<mlir::Operation *, 8> reads;
};

} // namespace tessera::plan
