// emit: prints a planned kernel as SIMT CUDA C++. It makes no decisions: every choice is already an
// attribute or an op.
#pragma once

#include "Pipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseMap.h"

namespace tessera::emit {

// A generated kernel line by line, without its #line directives.
struct Listing {
  struct Line {
    std::string text;
    // The ops printed on the line, its statement first: their locations are the program's lines for
    // it. None: it belongs to the whole kernel.
    llvm::SmallVector<mlir::Operation *, 2> ops;
  };
  std::vector<Line> lines;

  // The first line of each op that has one.
  llvm::DenseMap<mlir::Operation *, unsigned> lineOfOp() const;
};

// The kernel's definition with its header comment, deterministic. Fills the listing, if given.
EmittedKernel emit(mlir::func::FuncOp kernel, const PipelineOptions &options,
                   Listing *listing = nullptr);

// The host function that lists the tiles of a launch (plan/tiling/TileGrid.h).
TileLister listTiles(mlir::func::FuncOp list, const PipelineOptions &options);

} // namespace tessera::emit
