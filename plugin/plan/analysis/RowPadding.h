// What tiles hold behind the last columns of their rows: the padding of masked loads, and what is
// computed of it. A pass that leaves such elements out must know what reductions make of them.
#pragma once

#include "tile/TileDialect.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tessera::plan {

// The length of which this one is a cast: the same number where it has up to 31 bits, as that of
// a tile has, and else both are longer than a tile, or the cast is shorter. What goes through
// narrower types is a length of its own: (signed char)200 is -56, and as a length 2^32 - 56.
mlir::Value lengthBehind(mlir::Value length);

// One number for all elements behind the end of a row.
struct PaddedWith {
  mlir::TypedAttr value; // a float or an integer
  // Or every element of the row is NaN, those of its columns as well: exp(x - max(x)) of one whose
  // maximum is -inf.
  bool orAllNaN = false;
};

// Of rows that end at one of `ends`, behind the last of these, in slots that no column is rotated
// into. Ends are lengths without casts.
class RowPadding {
public:
  explicit RowPadding(llvm::ArrayRef<mlir::Value> ends) : ends(ends.begin(), ends.end()) {}

  // Nothing if it is not known to be one number.
  std::optional<PaddedWith> of(mlir::Value tile);
  // What a reduction along the rows makes of elements that are all padding; null if not known.
  mlir::TypedAttr reduced(tile::ReduceOp reduce);

private:
  std::optional<PaddedWith> compute(mlir::Value tile);
  std::optional<PaddedWith> computeUnary(tile::UnaryOp op);
  std::optional<PaddedWith> computeBinary(tile::BinaryOp op);
  std::optional<PaddedWith> computeCast(tile::CastOp op);
  std::optional<PaddedWith> computeCompare(tile::CompareOp op);
  std::optional<PaddedWith> computeSelect(tile::SelectOp op);

  llvm::SmallVector<mlir::Value> ends;
  llvm::DenseMap<mlir::Value, std::optional<PaddedWith>> known;
};

} // namespace tessera::plan
