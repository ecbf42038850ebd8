// Which instruction multiplies two operands, and what excludes a better one.
#pragma once

#include "Target.h"
#include "layout/LinearLayout.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

// Of a row of a panel in shared memory: the best depth of a K tile, and the width in which results
// leave.
constexpr int64_t bytesOfPanel = 128;

// C (M, N) += A (M, K) * B (K, N), of element types.
struct Product {
  mlir::Type a, b, c;
  int64_t rank, m, n, k; // a rank above 2 has batches
  // Whether rows of a, and of b, run along K in shared memory.
  bool isAByK = true, isBByK = false;
  bool isAUnsigned = false, isBUnsigned = false;
};

// Of a multiply; a transposed operand lies in shared memory as it was before the transpose.
Product productOf(tile::MmaOp multiply);
// The same once its operands lie in shared memory, or operand A in registers.
Product productOf(tile::SharedMmaOp multiply);

// Whether all uses of a tile, in its own or another shape, are operands of multiplies for which
// `isTaken` holds.
bool becomesOperandsAlone(mlir::Value tile, llvm::function_ref<bool(tile::MmaOp)> isTaken);

struct MatrixUnit {
  // Why plain multiply-add: batches, operands of two types, a tile smaller than one instruction,
  // operands or an accumulator that no instruction takes.
  enum Obstacle { None, Batches, TwoTypes, Small, Operands, Accumulator };

  tile::MmaKind kind;
  Obstacle obstacle;
  int64_t least = 0; // of K, where the tile is smaller than one instruction
};

// wgmma where the target has it, for tiles that it takes: half, bf16, tf32 and elements of 8 bits,
// accumulated in floats or ints; 64 rows of C or more, 32 bytes of K or more, and at most as many
// elements of C as two warpgroups hold. Else what WarpInstructions.def has for the elements, plain
// multiply-add for everything else and for tiles smaller than one instruction.
MatrixUnit matrixUnitFor(const Product &product, const GpuTarget &target);

// An instruction of a warp: a row of WarpInstructions.def.
bool isOfWarps(tile::MmaKind kind);
// The minimum K of one instruction.
int64_t depthOf(tile::MmaKind kind, mlir::Type element);

// The layout of the accumulator of a tensor core multiply. ldmatrix transposes bytes in pairs, so
// that operands of bytes that lie across K are neighbouring rows, or columns, of the accumulator.
LinearLayout accumulatorOf(tile::SharedMmaOp multiply, int64_t warps);

// wgmma takes elements of 16 bits in either order of memory; rows of other elements run along K, or
// are transposed on the way to shared memory.
bool takesEitherOrder(mlir::Type element);

// Why not wgmma, where the target has it and another instruction was chosen.
enum class WarpgroupObstacle { None, Rows, Elements, Large, Narrow };
WarpgroupObstacle warpgroupObstacle(const Product &product);

} // namespace tessera::plan
