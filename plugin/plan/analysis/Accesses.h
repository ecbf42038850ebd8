// What accesses of global memory through views have in common, and what a wide access lacks. The
// pass plan-accesses decides by it, and remarks report it.
#pragma once

#include "plan/analysis/Layouts.h"
#include "target/Limits.h"

#include <optional>

namespace tessera::plan {

// The part of a view that a load, a store or an asynchronous copy accesses.
struct Box {
  mlir::Value base;
  mlir::ValueRange extents, strides, starts;
  llvm::ArrayRef<int64_t> shape;
  mlir::Type element;
  std::optional<LinearLayout> layout; // of the tile in registers; a copy has none
  bool isContiguous;                  // memory is known to run along the last dimension
  tile::AccessAttr access;            // how it is made, or null

  int64_t bytes() const { return bytesOf(element); }
};

// Nothing if the op is no such access. After layouts.
std::optional<Box> boxOf(mlir::Operation *op);
// The same of a load that has no layout yet.
Box boxBeforeLayouts(tile::ViewLoadOp load);

// The read of a view whose elements, in their row-major order, are the tile: a reshape of the read
// at most. Null: there is none.
tile::ViewLoadOp readOf(mlir::Value tile);

// Are the parts of a read along a dimension inside or outside where it is as a whole? One that
// starts below 0 is outside, and so must its parts be.
bool hasParts(tile::ViewLoadOp load, unsigned dim);
// A read of one of its parts along a dimension.
tile::ViewLoadOp readPart(mlir::OpBuilder &b, tile::ViewLoadOp load, unsigned dim, int64_t part,
                          int64_t parts);
// A coordinate that is further by so much.
mlir::Value advanced(mlir::OpBuilder &b, mlir::Location loc, mlir::Value start, int64_t distance);

// The elements that a thread accesses at once.
int64_t vectorOf(const Box &box);

// A value that is not known to be a multiple of what groups of elements need.
struct Unproven {
  enum Kind { Base, Stride, Start, Extent } kind;
  mlir::Value value;
  int64_t dimension; // of the view; of a Base 0
  int64_t divisor;   // of a Base in bytes
};

// What is missing for every group of `vector` elements to be aligned, and inside the extents or
// outside as a whole: nothing where it is proven.
llvm::SmallVector<Unproven> unprovenOf(const Box &box, int64_t vector, tile::Bounds alongLast);

// Is the op a load or a store of a view, in groups of elements whose alignment is not proven?
// Generated code tests it at run time.
bool isGuarded(mlir::Operation *op);

// The same access, known to be aligned.
tile::AccessAttr aligned(tile::AccessAttr access);

// Whether all views of these planned accesses are aligned as each access requires; a view that
// several access in the same way is asked once. name: what generated code calls it, if anything.
mlir::Value allowsChunks(mlir::OpBuilder &b, llvm::ArrayRef<mlir::Operation *> accesses,
                         llvm::StringRef name = {});

} // namespace tessera::plan
