// Which instruction multiplies, and where its factors lie.
//   mma %a, %b, %c  ->  shared_store of a and b into swizzled shared tiles, shared_mma KIND of these and %c
// A factor that was transposed on the way is stored as it was before and marked transposed: ldmatrix turns it round for free.
#include "plan/Passes.h"
#include "tile/TileDialect.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SELECTMATRIXUNITS
#include "plan/Passes.h.inc"

namespace {

bool is16Bit(Type t) { return t.isF16() || t.isBF16(); }

// m16n8k16 for half and bf16, m16n8k8 for tf32, plain multiply-add for everything else and for tiles below one instruction.
tile::MmaKind selectKind(tile::MmaOp op) {
  auto a = cast<RankedTensorType>(op.getA().getType()), b = cast<RankedTensorType>(op.getB().getType());
  auto c = cast<RankedTensorType>(op.getC().getType());
  if (c.getRank() != 2 || a.getElementType() != b.getElementType())
    return tile::MmaKind::fma;
  int64_t m = c.getDimSize(0), n = c.getDimSize(1), k = a.getDimSize(1);
  if (m < 16 || n < 8)
    return tile::MmaKind::fma;
  Type element = a.getElementType(), result = c.getElementType();
  if (is16Bit(element) && k >= 16 && (result.isF32() || (element.isF16() && result.isF16())))
    return tile::MmaKind::m16n8k16;
  if (isa<FloatTF32Type>(element) && k >= 8 && result.isF32())
    return tile::MmaKind::m16n8k8;
  return tile::MmaKind::fma;
}

// Rows are cut into chunks of 16 bytes, which ldmatrix reads eight rows at a time: row r's chunks are permuted by r (by r / 2, r / 4 where
// several rows share a line of 128 bytes), so that the same chunk of eight rows lies in different banks.
tile::SharedType operandType(RankedTensorType tensor, tile::MmaKind kind) {
  int64_t bytes = tile::storageBits(tensor.getElementType()) / 8, perChunk = 16 / bytes, columns = tensor.getShape().back();
  auto unswizzled = tile::SharedType::get(tensor.getContext(), tensor.getShape(), tensor.getElementType(), 0, 0, 0);
  if (kind == tile::MmaKind::fma || columns <= perChunk)
    return unswizzled;
  int64_t chunks = columns / perChunk, rows = tensor.getNumElements() / columns;
  int64_t bits = std::min<int64_t>(3, llvm::Log2_64(chunks)), shift = std::max<int64_t>(3, llvm::Log2_64(chunks));
  int64_t rowBitsInIndex = llvm::Log2_64(rows) + llvm::Log2_64(chunks) - shift;
  bits = std::min(bits, std::max<int64_t>(rowBitsInIndex, 0));
  if (!bits)
    return unswizzled;
  return tile::SharedType::get(tensor.getContext(), tensor.getShape(), tensor.getElementType(), bits, llvm::Log2_64(perChunk), shift);
}

struct Factor {
  Value shared;
  bool transposed = false;
};

Factor placeInShared(OpBuilder &b, Location loc, Value value, tile::MmaKind kind) {
  Factor factor;
  if (auto permute = value.getDefiningOp<tile::PermuteOp>(); permute && permute.getMap() == ArrayRef<int64_t>{1, 0}) {
    value = permute.getX();
    factor.transposed = true;
  }
  auto tensor = cast<RankedTensorType>(value.getType());
  factor.shared = tile::SharedAllocOp::create(b, loc, operandType(tensor, kind), 1, IntegerAttr());
  tile::SharedStoreOp::create(b, loc, value, factor.shared, ValueRange());
  return factor;
}

struct SelectMatrixUnits : impl::SelectMatrixUnitsBase<SelectMatrixUnits> {
  void runOnOperation() override {
    getOperation().walk([&](tile::MmaOp op) {
      OpBuilder b(op);
      tile::MmaKind kind = selectKind(op);
      Factor x = placeInShared(b, op.getLoc(), op.getA(), kind);
      Factor y = op.getB() == op.getA() && !x.transposed ? x : placeInShared(b, op.getLoc(), op.getB(), kind);
      auto mma = tile::SharedMmaOp::create(b, op.getLoc(), op.getType(), kind, x.shared, y.shared, op.getC(), x.transposed, y.transposed,
                                           op.getAUnsigned(), op.getBUnsigned());
      op.replaceAllUsesWith(mma.getResult());
      op.erase();
    });
  }
};

} // namespace
} // namespace tessera::plan
