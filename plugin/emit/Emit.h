// emit: prints a planned kernel as SIMT CUDA C++. It decides nothing: every choice is an attribute
// or an op by now.
#pragma once

#include "Pipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseMap.h"

namespace tessera::emit {

// An emitted kernel line by line, without its #line directives.
struct Listing {
  struct Line {
    std::string text;
    // The ops that the line is made of, its statement first: their locations are the lines of the
    // program that belong to it. None: it belongs to the whole kernel.
    llvm::SmallVector<mlir::Operation *, 2> ops;
  };
  std::vector<Line> lines;

  // The first line of each op that has one.
  llvm::DenseMap<mlir::Operation *, unsigned> lineOfOp() const;
};

// The kernel's definition with its header comment. Text is the same for the same input. Where a
// listing is given it is filled.
EmittedKernel emit(mlir::func::FuncOp kernel, const PipelineOptions &options,
                   Listing *listing = nullptr);

// The function of host code that lists the tiles of a launch (plan/TileGrid.h).
TileLister listTiles(mlir::func::FuncOp list, const PipelineOptions &options);

} // namespace tessera::emit
