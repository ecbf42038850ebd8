// emit: prints a planned kernel as SIMT CUDA C++. It makes no decisions: every choice is already an
// attribute or an op.
#pragma once

#include "emit/EmittedKernel.h"
#include "target/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

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

struct Options {
  const GpuTarget *target = &defaultGpuTarget();
  std::string sourceName; // for a kernel's comment, where its location does not say it
  bool isImage = false;   // kernels under their symbols, for hosts that load them themselves
  bool isListed = false;  // with listings, which take time
  // Kernels of the CPU: one thread computes a block, and tiles are whole. They are not planned, but
  // named.
  bool isWhole = false;
};

// The kernel's definition with its header comment, deterministic. Fills the listing, if given.
EmittedKernel emit(mlir::func::FuncOp kernel, const Options &options, Listing *listing = nullptr);

// The host function that lists the tiles of a launch (plan/tiling/TileGrid.h).
TileLister listTiles(mlir::func::FuncOp list, const Options &options);

// All kernels of a planned module, in its order, each with its listing, which is empty if none was
// requested.
struct Emission {
  std::vector<EmittedKernel> kernels;
  std::vector<Listing> listings;
};
Emission emitKernels(mlir::ModuleOp module, const Options &options);

} // namespace tessera::emit
