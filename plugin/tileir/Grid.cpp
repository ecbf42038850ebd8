// The grid, and what a kernel says: printf and assert.
#include "support/PrintfFormat.h"
#include "tile/SourceNames.h"
#include "tileir/Kernel.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::tileir {

namespace {

template <class TileOp> MlirValue coordinate(Kernel &kernel, int64_t axis) {
  if constexpr (std::is_same_v<TileOp, tile::BlockIndexOp>)
    return TileOp::create(kernel.builder, kernel.builder.getI32Type(), axis, /*swizzled=*/false);
  else
    return TileOp::create(kernel.builder, kernel.builder.getI32Type(), uint64_t(axis));
}

template <class TileOp> LogicalResult ofGrid(Kernel &kernel, const Op &op) {
  for (auto [axis, result] : llvm::enumerate(op.results)) {
    if (kernel.typeOf(kernel.typeOf(result), op) != kernel.builder.getI32Type())
      return kernel.reject(op, "gives something that is no i32");
    kernel.define(result, coordinate<TileOp>(kernel, int64_t(axis)));
  }
  return success();
}

// ---- printing ----

// As C passes it to printf. An integer has no sign: the conversion says how it is read.
MlirValue promoted(Kernel &kernel, Value printed, char conversion) {
  MlirValue value = kernel.value(printed);
  mlir::Type element = tile::elementType(value.getType());
  bool isUnsigned = element.isInteger(1) || StringRef("ouxX").contains(conversion);
  if (isUnsigned && kernel.typeOf(printed).isNibbleTile())
    value = kernel.lowNibble(value);
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 64 && !element.isF32())
    return kernel.cast(value, kernel.builder.getF32Type());
  if (isa<IntegerType>(element) && element.getIntOrFloatBitWidth() < 32)
    return kernel.cast(value, kernel.builder.getI32Type(), isUnsigned);
  return value;
}

LogicalResult print(Kernel &kernel, const Op &op) {
  ArrayRef<Value> printed = op.operand("x");
  StringRef format = op.attribute("format").text;
  SmallVector<MlirValue> values;
  size_t conversions = 0;
  for (const PrintfPiece &piece : piecesOfFormat(format)) {
    if (piece.isConversion && conversions < printed.size())
      values.push_back(promoted(kernel, printed[conversions], piece.text.back()));
    conversions += piece.isConversion;
  }
  if (conversions != printed.size())
    return kernel.reject(op, "has " + Twine(conversions) + " conversions for " +
                                 Twine(printed.size()) + " values");
  tile::PrintOp::create(kernel.builder, format, values);
  return success();
}

// "x.py:12: Assertion `text' failed.", as the C library has it.
std::string messageOfAssertion(Kernel &kernel, StringRef text) {
  FileLineColLoc at = tile::sourceLocation(kernel.builder.getLoc());
  std::string location =
      at ? (at.getFilename().getValue() + ":" + Twine(at.getLine())).str() : std::string("kernel");
  return location + ": Assertion `" + (text.empty() ? "condition" : text.str()) + "' failed.";
}

LogicalResult assertAll(Kernel &kernel, const Op &op) {
  const Type &type = kernel.operandType(op, "condition");
  MlirValue condition = kernel.operand(op, "condition");
  if (type.elementOf() != Element::I1)
    return kernel.reject(op, "needs truth values");
  if (!type.shape.empty()) {
    mlir::Type truth = kernel.builder.getI1Type();
    int64_t count = ShapedType::getNumElements(type.shape);
    condition = kernel.reshaped(condition, RankedTensorType::get({count}, truth));
    condition = tile::ReduceOp::create(
        kernel.builder, RankedTensorType::get({1}, truth), tile::ReduceKind::bit_and, condition,
        /*dim=*/uint64_t(0), tile::Rounding::nearest, /*flush=*/false, /*isUnsigned=*/false,
        /*indices=*/MlirValue());
    condition = kernel.reshaped(condition, truth);
  }
  auto failed = scf::IfOp::create(kernel.builder, kernel.complement(condition));
  OpBuilder::InsertionGuard guard(kernel.builder);
  kernel.builder.setInsertionPointToStart(failed.thenBlock());
  tile::TrapOp::create(kernel.builder, messageOfAssertion(kernel, op.attribute("message").text));
  return success();
}

// Without them a kernel that is launched early starts when the one before it has ended.
LogicalResult dependentLaunch(Kernel &, const Op &) { return success(); }

} // namespace

ArrayRef<HandlerRow> gridHandlers() {
  static const HandlerRow rows[] = {
      {Opcode::GetTileBlockId, ofGrid<tile::BlockIndexOp>},
      {Opcode::GetNumTileBlocks, ofGrid<tile::GridSizeOp>},
      {Opcode::PrintTko, print},
      {Opcode::Assert, assertAll},
      {Opcode::GdcWaitTko, dependentLaunch},
      {Opcode::GdcLaunchDependentsTko, dependentLaunch},
  };
  return rows;
}

} // namespace tessera::tileir
