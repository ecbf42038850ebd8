// The layout of each tile of a kernel: a fixed point over the layout preferences of its ops.
//
// A tensor core instruction requires its accumulator's layout, which nothing overrides; it and
// other multiplies propagate theirs. Scans prefer runs of their dimension, and memory accesses of
// more elements than the block has threads prefer contiguous elements in a thread. Element-wise
// ops, loops and branches tie their tiles together, shape ops carry a layout over to another shape.
// A stronger preference overrides a weaker one; among equals the larger tile's wins, then the
// first. A tile without preferences gets the plain blocked layout.
//
// Ties are preferences: where a tile comes back in another layout than it had (a loop that
// transposes a tile that it carries), both keep theirs, and a conversion goes in between. Only
// values whose types the IR holds equal share one choice (`oneOf`).
#pragma once

#include "layout/LinearLayout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

// The representative of all values whose types must be equal: a loop's result is what its body
// receives, and all tiles read from an array of tiles have one layout.
mlir::Value oneOf(mlir::Value tile);

class LayoutInference {
public:
  LayoutInference(mlir::func::FuncOp kernel, int64_t warps);
  // The layout of a tile; every tile of the kernel has one.
  const LinearLayout &layoutOf(mlir::Value tile) const { return choices.at(oneOf(tile)).layout; }
  // The layout that suits memory accesses of a tile of this shape best.
  LinearLayout preferred(llvm::ArrayRef<int64_t> shape) const;
  // The layout that suits a scan along `dim` best.
  LinearLayout runs(llvm::ArrayRef<int64_t> shape, unsigned dim) const;

private:
  enum Strength { Default, Memory, Along, Fixed };
  struct Choice {
    Strength strength;
    int64_t weight; // elements of the tile that the preference came from
    LinearLayout layout;
    bool isRequired = false; // by the op that defines the tile: others may not change it
  };

  int64_t vectorOf(llvm::ArrayRef<int64_t> shape) const;
  void seed();
  void propagate();
  void visit(mlir::Operation *op);
  void visitLoop(mlir::scf::ForOp loop);
  void visitLoop(mlir::scf::WhileOp loop);
  void tie(llvm::ArrayRef<mlir::Value> values);
  void requireOfUnit(tile::SharedMmaOp mma, const LinearLayout &layout);
  void preferForTransposed(mlir::Value shared);
  void preferForFirst(tile::SharedMmaOp mma);
  void require(mlir::Value tile, const LinearLayout &layout);
  void prefer(mlir::Value tile, Strength strength, int64_t weight, const LinearLayout &layout);
  void carry(mlir::Value from, mlir::Value to,
             llvm::function_ref<std::optional<LinearLayout>(const LinearLayout &)> map);

  mlir::func::FuncOp kernel;
  int64_t warps;
  llvm::DenseMap<mlir::Value, Choice> choices;
  std::map<llvm::SmallVector<int64_t>, int64_t> vectors; // by shape: elements of the widest access
  bool changed = false;
};

} // namespace tessera::plan
