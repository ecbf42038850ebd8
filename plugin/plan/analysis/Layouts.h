// The bridge between layouts as attributes of tile types and LinearLayout, which answers all
// questions about them.
#pragma once

#include "layout/LinearLayout.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::plan {

LinearLayout toLinear(mlir::RankedTensorType type); // type must have a layout
LinearLayout toLinear(llvm::ArrayRef<int64_t> shape, tile::LayoutAttr layout);
tile::LayoutAttr toAttr(mlir::MLIRContext *context, const LinearLayout &layout);
// `type` with this layout and its shape.
mlir::RankedTensorType withLayout(mlir::RankedTensorType type, const LinearLayout &layout);
// Gives a tile this layout, the value of a constant with it.
void setLayout(mlir::Value tile, const LinearLayout &layout);
// The layout in which wgmma by so many warps takes an operand A (M, K) from registers; nothing
// where it takes none of that shape, or of elements of that width.
std::optional<LinearLayout> warpgroupOperandOf(llvm::ArrayRef<int64_t> shape, mlir::Type element,
                                               int64_t warps);
// Whether threads that hold an operand A (M, K) of these elements in layout `a` hold what wgmma
// into c (M, N) takes from registers: floats of at most 32 bits, each warp its own rows, all of K.
bool feedsWarpgroups(const LinearLayout &a, mlir::Type element, const LinearLayout &c);
// In shared memory rows are cut into chunks of 16 bytes, which ldmatrix reads eight rows at a time:
// row r's chunks are permuted by r (by r / 2, r / 4 where several rows share a line of 128 bytes),
// so that the same chunk of eight rows lies in different banks.
tile::SharedType swizzledByChunks(mlir::RankedTensorType tensor);
// In panels, as tensor maps fill and wgmma reads them.
tile::SharedType inPanels(llvm::ArrayRef<int64_t> shape, mlir::Type element);
inline int64_t bytesOf(mlir::Type element) { return tile::storageBits(element) / 8; }
int64_t bytesOf(tile::SharedType type); // one stage
int64_t bytesOfTile(mlir::RankedTensorType type);
int64_t alignmentOf(tile::SharedType type); // of its offset, bytes

// The layout in which a store in parts takes its tile: that of the accumulator of a kernel's
// warpgroups.
LinearLayout layoutOfParts(tile::StorePartsOp store);
// Or one in which each warpgroup has the same elements, and threads whole parts of theirs.
bool isLayoutOfParts(const LinearLayout &layout, tile::StorePartsOp store);

// The part of a tile where the bits `mask` of the row-major index have the value `value`.
struct IndexBits {
  uint32_t mask, value;
};
// The part that an extract takes if its indices are constants within the tile.
std::optional<IndexBits> constantPart(tile::ExtractOp extract);

// Returns the loop with more carried values: they begin as `inits`, and `yields`, which gets the
// new arguments, computes their next values. The values that the loop already carried stay.
mlir::scf::ForOp carryMore(mlir::scf::ForOp loop, mlir::ValueRange inits,
                           const mlir::NewYieldValuesFn &yields);

// Erases ops without uses and side effects. A pass leaves none behind, and one that counts uses
// calls this first.
void eraseDead(mlir::Operation *kernel);

// Drops what loops carry and nothing uses, and then dead ops.
void eraseUnusedCarried(mlir::func::FuncOp kernel);

// Tiles that an op computes in one layout, result first; empty if the op is not of that kind.
llvm::SmallVector<mlir::Value> tilesInOneLayout(mlir::Operation *op);
// The tiles that are loaded from and stored to an array of tiles, in this order; all of one layout.
llvm::SmallVector<mlir::Value> tilesOfArray(tile::LocalAllocOp array);

} // namespace tessera::plan
