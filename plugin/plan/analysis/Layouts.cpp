// Conversions between layout attributes and LinearLayout.
#include "plan/analysis/Layouts.h"

#include "plan/Config.h"
#include "plan/analysis/Facts.h"
#include "plan/Plan.h"
#include "target/Limits.h"
#include "tile/Attributes.h"

#include "llvm/Support/MathExtras.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tessera::plan {

namespace {

bool isTile(Value v) { return v && isa<RankedTensorType>(v.getType()); }

} // namespace

LinearLayout toLinear(ArrayRef<int64_t> shape, tile::LayoutAttr layout) {
  auto bases = [](ArrayRef<int64_t> from) { return LinearLayout::Bases(from.begin(), from.end()); };
  return {shape, bases(layout.getRegisters()), bases(layout.getLanes()), bases(layout.getWarps())};
}

LinearLayout toLinear(RankedTensorType type) {
  return toLinear(type.getShape(), tile::layoutOf(type));
}

tile::LayoutAttr toAttr(MLIRContext *context, const LinearLayout &layout) {
  auto list = [](ArrayRef<uint32_t> from) {
    return SmallVector<int64_t>(from.begin(), from.end());
  };
  return tile::LayoutAttr::get(context, list(layout.registers()), list(layout.lanes()),
                               list(layout.warps()));
}

RankedTensorType withLayout(RankedTensorType type, const LinearLayout &layout) {
  return RankedTensorType::get(layout.shape(), type.getElementType(),
                               toAttr(type.getContext(), layout));
}

void setLayout(Value tile, const LinearLayout &layout) {
  tile.setType(withLayout(cast<RankedTensorType>(tile.getType()), layout));
  if (auto constant = tile.getDefiningOp<arith::ConstantOp>())
    constant.setValueAttr(
        cast<DenseElementsAttr>(constant.getValue()).reshape(cast<ShapedType>(tile.getType())));
}

LinearLayout layoutOfParts(tile::StorePartsOp store) {
  SmallVector<int64_t> accumulator(tile::shapeOf(store.getValue().getType()));
  if (store.getTransposed())
    std::swap(accumulator[0], accumulator[1]);
  auto layout = LinearLayout::warpgroupAccumulator(accumulator, configOf(store).getWarps());
  return store.getTransposed() ? layout.permuted({1, 0}) : layout;
}

bool isLayoutOfParts(const LinearLayout &layout, tile::StorePartsOp store) {
  constexpr size_t warpgroupBits = 2; // bits of a warp's number
  const LinearLayout wanted = layoutOfParts(store);
  const uint32_t mask = store.getMask();
  auto isInPart = [&](uint32_t basis) { return basis && !(basis & mask); };
  ArrayRef<uint32_t> warps = layout.warps(), wantedWarps = wanted.warps();
  return layout.shape() == wanted.shape() && warps.size() == wantedWarps.size() &&
         warps.drop_front(warpgroupBits) == wantedWarps.drop_front(warpgroupBits) &&
         llvm::all_of(layout.lanes(), isInPart) && llvm::all_of(warps, isInPart) &&
         layout.registerCount() == wanted.registerCount() && layout.coversTile();
}

std::optional<IndexBits> constantPart(tile::ExtractOp extract) {
  ArrayRef<int64_t> whole = tile::shapeOf(extract.getX().getType()),
                    part = tile::shapeOf(extract.getType());
  IndexBits bits{0, 0};
  uint32_t stride = 1;
  for (size_t dim = whole.size(); dim-- > 0; stride *= whole[dim]) {
    std::optional<int64_t> index = constantOf(extract.getIndex()[dim]);
    if (!index || *index < 0 || (*index + 1) * part[dim] > whole[dim])
      return std::nullopt;
    bits.mask |= (whole[dim] - part[dim]) * stride;
    bits.value |= *index * part[dim] * stride;
  }
  return bits;
}

std::optional<LinearLayout> warpgroupOperandOf(ArrayRef<int64_t> shape, Type element,
                                               int64_t warps) {
  constexpr int64_t rows = 64, bytesOfRow = 32; // of one instruction
  const int64_t bytes = bytesOf(element);
  const bool isOperand = warps >= 4 && shape.size() == 2 && shape[0] >= rows && bytes <= 4 &&
                         shape[1] * bytes >= bytesOfRow;
  return isOperand ? std::optional(LinearLayout::warpgroupOperand(shape, bytes, warps))
                   : std::nullopt;
}

// What a thread holds of the accumulator of one multiply is, in 16 bits, what it takes of the
// operand of the next: pairs along a row, eight rows below, the next eight columns.
bool feedsWarpgroups(const LinearLayout &a, Type element, const LinearLayout &c) {
  if (!isa<FloatType>(element) ||
      warpgroupOperandOf(a.shape(), element, int64_t(1) << a.warps().size()) != a ||
      c.shape().size() != 2 || a.shape()[0] != c.shape()[0] || a.warps().size() != c.warps().size())
    return false;
  for (auto [aBasis, cBasis] : llvm::zip_equal(a.warps(), c.warps()))
    if (aBasis % a.shape()[1] || aBasis / a.shape()[1] != cBasis / c.shape()[1])
      return false;
  return true;
}

tile::SharedType swizzledByChunks(RankedTensorType tensor) {
  int64_t bytes = bytesOf(tensor.getElementType()), perChunk = 16 / bytes,
          columns = tensor.getShape().back();
  auto unswizzled = tile::SharedType::get(tensor.getContext(), tensor.getShape(),
                                          tensor.getElementType(), 0, 0, 0);
  if (columns <= perChunk)
    return unswizzled;
  int64_t chunks = columns / perChunk, rows = tensor.getNumElements() / columns;
  int64_t bits = std::min<int64_t>(3, llvm::Log2_64(chunks)),
          shift = std::max<int64_t>(3, llvm::Log2_64(chunks));
  int64_t rowBitsInIndex = llvm::Log2_64(rows) + llvm::Log2_64(chunks) - shift;
  bits = std::min(bits, std::max<int64_t>(rowBitsInIndex, 0));
  if (!bits)
    return unswizzled;
  return tile::SharedType::get(tensor.getContext(), tensor.getShape(), tensor.getElementType(),
                               bits, llvm::Log2_64(perChunk), shift);
}

tile::SharedType inPanels(ArrayRef<int64_t> shape, Type element) {
  return tile::SharedType::get(element.getContext(), shape, element, 0, 0, 0, /*panels=*/true);
}

int64_t bytesOfTile(RankedTensorType type) {
  return type.getNumElements() * tile::storageBits(type.getElementType()) / 8;
}

int64_t bytesOf(tile::SharedType type) {
  return ShapedType::getNumElements(type.getShape()) * bytesOf(type.getElementType());
}

// Address bits determine the exchange of chunks: eight rows of a panel start where these bits are
// 0.
int64_t alignmentOf(tile::SharedType type) {
  if (!type.getPanels())
    return bytesOfLine;
  return rowsOfSwizzle *
         std::min(bytesOfPanel, type.getShape().back() * bytesOf(type.getElementType()));
}

scf::ForOp carryMore(scf::ForOp loop, ValueRange inits, const NewYieldValuesFn &yields) {
  IRRewriter rewriter(loop);
  auto locations = llvm::map_to_vector(loop.getBody()->getArguments(),
                                       [](BlockArgument argument) { return argument.getLoc(); });
  FailureOr<LoopLikeOpInterface> wider = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, yields);
  auto result =
      cast<scf::ForOp>(wider->getOperation()); // NOLINT(bugprone-unchecked-optional-access)
  for (auto [argument, location] : llvm::zip(result.getBody()->getArguments(), locations))
    argument.setLoc(location); // keeps source names
  return result;
}

void eraseDead(Operation *kernel) {
  kernel->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (op != kernel && isOpTriviallyDead(op))
      op->erase();
  });
}

void eraseUnusedCarried(func::FuncOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  (void)applyPatternsGreedily(kernel, std::move(patterns));
  eraseDead(kernel);
}

SmallVector<Value> tilesInOneLayout(Operation *op) {
  SmallVector<Value> values;
  if (!op->hasTrait<OpTrait::Elementwise>() && !op->hasTrait<tile::SameLayout>())
    return values;
  llvm::copy_if(op->getResults(), std::back_inserter(values), isTile);
  llvm::copy_if(op->getOperands(), std::back_inserter(values), isTile);
  return values;
}

SmallVector<Value> tilesOfArray(tile::LocalAllocOp array) {
  SmallVector<Value> loaded, stored;
  for (Operation *user : array->getUsers())
    if (auto load = dyn_cast<tile::LocalLoadOp>(user))
      loaded.push_back(load.getResult());
    else
      stored.push_back(cast<tile::LocalStoreOp>(user).getValue());
  loaded.append(stored);
  llvm::erase_if(loaded, [](Value v) { return !isTile(v); });
  return loaded;
}

} // namespace tessera::plan
