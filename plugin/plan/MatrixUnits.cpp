// Which instruction multiplies two operands: wgmma by rules, mma.sync by a table
// (WarpInstructions.def); and the properties of a matmul that this needs.
#include "plan/MatrixUnits.h"

#include "plan/Layouts.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

namespace {

struct WarpInstruction {
  tile::MmaKind kind;
  bool (*takes)(Type), (*adds)(Type);
  int64_t depth;
  unsigned architecture;
};

bool isOf_f16(Type type) { return type.isF16(); }
bool isOf_bf16(Type type) { return type.isBF16(); }
bool isOf_f32(Type type) { return type.isF32(); }
bool isOf_tf32(Type type) { return isa<FloatTF32Type>(type); }
bool isOf_f8E4M3FN(Type type) { return isa<Float8E4M3FNType>(type); }
bool isOf_f8E5M2(Type type) { return isa<Float8E5M2Type>(type); }
bool isOf_i8(Type type) { return type.isInteger(8); }
bool isOf_i32(Type type) { return type.isInteger(32); }

constexpr WarpInstruction warpInstructions[] = {
#define WARP_INSTRUCTION(KIND, OPERANDS, ACCUMULATOR, K, ARCHITECTURE)                             \
  {tile::MmaKind::KIND, isOf_##OPERANDS, isOf_##ACCUMULATOR, K, ARCHITECTURE},
#include "plan/WarpInstructions.def"
};

constexpr int64_t rowsOfWarp = 16, columnsOfWarp = 8;

} // namespace

Product productOf(tile::MmaOp multiply) {
  auto typeOf = [](Value v) { return cast<RankedTensorType>(v.getType()); };
  auto isTransposed = [](Value operand) {
    auto permute = operand.getDefiningOp<tile::PermuteOp>();
    return permute && permute.getMap() == ArrayRef<int64_t>{1, 0};
  };
  RankedTensorType a = typeOf(multiply.getA()), b = typeOf(multiply.getB()),
                   c = typeOf(multiply.getC());
  ArrayRef<int64_t> accumulator = c.getShape().take_back(2);
  return {a.getElementType(),
          b.getElementType(),
          c.getElementType(),
          c.getRank(),
          accumulator[0],
          accumulator[1],
          a.getShape().back(),
          !isTransposed(multiply.getA()),
          isTransposed(multiply.getB()),
          multiply.getAUnsigned(),
          multiply.getBUnsigned()};
}

Product productOf(tile::SharedMmaOp multiply) {
  auto a = dyn_cast<tile::SharedType>(multiply.getA().getType());
  auto inRegisters = dyn_cast<RankedTensorType>(multiply.getA().getType());
  auto c = cast<RankedTensorType>(multiply.getType());
  ArrayRef<int64_t> operand = (a ? a.getShape() : inRegisters.getShape()).take_back(2),
                    accumulator = c.getShape().take_back(2);
  return {a ? a.getElementType() : inRegisters.getElementType(),
          multiply.getB().getType().getElementType(),
          c.getElementType(),
          c.getRank(),
          accumulator[0],
          accumulator[1],
          operand[multiply.getATransposed() ? 0 : 1],
          !multiply.getATransposed(),
          multiply.getBTransposed(),
          multiply.getAUnsigned(),
          multiply.getBUnsigned()};
}

bool becomesOperandsAlone(Value tile, function_ref<bool(tile::MmaOp)> isTaken) {
  return !tile.use_empty() && llvm::all_of(tile.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<tile::PermuteOp, tile::ReshapeOp>(user))
      return becomesOperandsAlone(user->getResult(0), isTaken);
    auto multiply = dyn_cast<tile::MmaOp>(user);
    return multiply && multiply.getC() != use.get() && isTaken(multiply);
  });
}

bool takesEitherOrder(Type element) { return element.isF16() || element.isBF16(); }

WarpgroupObstacle warpgroupObstacle(const Product &product) {
  constexpr int64_t rows = 64, bytesOfK = 32, bytesAcrossK = 128;
  constexpr int64_t maxOfTwoWarpgroups =
      int64_t(2) * 64 * 256; // elements of C: 128 registers of a thread
  Type type = product.a;
  bool eitherOrder = takesEitherOrder(type);
  bool addsFloats = eitherOrder || isa<FloatTF32Type, Float8E4M3FNType, Float8E5M2Type>(type);
  bool addsInts = type.isInteger(8) && product.isAUnsigned == product.isBUnsigned;
  if (product.rank != 2 || type != product.b || !(addsFloats || addsInts) ||
      !(addsFloats ? product.c.isF32() : product.c.isInteger(32)))
    return WarpgroupObstacle::Elements;
  if (product.m < rows)
    return WarpgroupObstacle::Rows;
  if (product.m * product.n > maxOfTwoWarpgroups)
    return WarpgroupObstacle::Large;
  bool fits = product.n >= 8 && product.k * bytesOf(type) >= bytesOfK &&
              (!eitherOrder || product.isAByK || product.m * bytesOf(type) >= bytesAcrossK) &&
              (!eitherOrder || product.isBByK || product.n * bytesOf(type) >= bytesAcrossK);
  return fits ? WarpgroupObstacle::None : WarpgroupObstacle::Narrow;
}

bool isOfWarps(tile::MmaKind kind) {
  return llvm::any_of(warpInstructions,
                      [&](const WarpInstruction &row) { return row.kind == kind; });
}

int64_t depthOf(tile::MmaKind kind, Type element) {
  if (kind == tile::MmaKind::wgmma)
    return 32 / bytesOf(element);
  for (const WarpInstruction &row : warpInstructions)
    if (row.kind == kind)
      return row.depth;
  return 1;
}

MatrixUnit matrixUnitFor(const Product &product, const GpuTarget &target) {
  if (target.has(GpuTarget::Wgmma) && warpgroupObstacle(product) == WarpgroupObstacle::None)
    return {tile::MmaKind::wgmma, MatrixUnit::None};
  auto fma = [](MatrixUnit::Obstacle obstacle) { return MatrixUnit{tile::MmaKind::fma, obstacle}; };
  if (product.rank != 2)
    return fma(MatrixUnit::Batches);
  if (product.a != product.b)
    return fma(MatrixUnit::TwoTypes);
  MatrixUnit::Obstacle obstacle = MatrixUnit::Operands;
  for (const WarpInstruction &row : warpInstructions) {
    if (!row.takes(product.a) || row.architecture > target.number)
      continue;
    obstacle = MatrixUnit::Accumulator;
    if (!row.adds(product.c))
      continue;
    if (product.m >= rowsOfWarp && product.n >= columnsOfWarp && product.k >= row.depth)
      return {row.kind, MatrixUnit::None};
    return {tile::MmaKind::fma, MatrixUnit::Small, row.depth};
  }
  return fma(obstacle);
}

LinearLayout accumulatorOf(tile::SharedMmaOp multiply, int64_t warps) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(multiply.getType()).getShape();
  if (multiply.getKind() == tile::MmaKind::wgmma)
    return LinearLayout::warpgroupAccumulator(shape, warps);
  LinearLayout::AtomOrder order;
  if (bytesOf(multiply.getB().getType().getElementType()) == 1) {
    order.pairsRows = multiply.getATransposed();
    order.pairsColumns = !multiply.getBTransposed() && shape.back() >= 2 * columnsOfWarp;
  }
  return LinearLayout::accumulator(shape, warps, order);
}

} // namespace tessera::plan
