// Reductions and scans along a dimension. The region of one is called with (element, accumulator)
// for each operand. A region that is one known operation becomes a kind of tile.reduce or
// tile.scan; others are refused.
#include "tileir/Kernel.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::tileir {

namespace {

using tile::ReduceKind;

struct KnownFold {
  ReduceKind kind;
  bool isUnsigned = false, flush = false;
  tile::Rounding rounding = tile::Rounding::nearest;
};

// Truth values are integers of one bit, of which a signed true is the least.
std::optional<ReduceKind> kindOf(const Op &op, bool isTruth) {
  bool isUnsigned = false, isNaN = false;
  for (auto [format, value] : llvm::zip(op.format->attributes, op.attributes)) {
    isUnsigned |= format.name == "signedness" && value.number == 0;
    isNaN |= format.name == "nan" && value.number;
  }
  bool isSignedTruth = isTruth && !isUnsigned;
  switch (op.opcode()) {
  case Opcode::AddF: return ReduceKind::sum;
  case Opcode::AddI: return isTruth ? ReduceKind::bit_xor : ReduceKind::sum;
  case Opcode::MulF: return ReduceKind::prod;
  case Opcode::MulI: return isTruth ? ReduceKind::bit_and : ReduceKind::prod;
  case Opcode::MaxF: return isNaN ? ReduceKind::max_nan : ReduceKind::max;
  case Opcode::MinF: return isNaN ? ReduceKind::min_nan : ReduceKind::min;
  case Opcode::MaxI:
    return isSignedTruth ? ReduceKind::bit_and : isTruth ? ReduceKind::bit_or : ReduceKind::max;
  case Opcode::MinI:
    return isSignedTruth ? ReduceKind::bit_or : isTruth ? ReduceKind::bit_and : ReduceKind::min;
  case Opcode::AndI: return ReduceKind::bit_and;
  case Opcode::OrI: return ReduceKind::bit_or;
  case Opcode::XOrI: return ReduceKind::bit_xor;
  default: return std::nullopt;
  }
}

// A region of one operation on the element and the accumulator, which commutes.
std::optional<KnownFold> knownFold(Kernel &kernel, const Op &op) {
  if (op.operand("x").size() != 1 || op.regions.size() != 1)
    return std::nullopt;
  const Block &region = op.regions[0];
  if (region.ops.size() != 2 || region.arguments.size() != 2)
    return std::nullopt;
  const Op &step = region.ops[0], &end = region.ops[1];
  SmallVector<Value> operands;
  for (const std::vector<Value> &values : step.operands)
    llvm::append_range(operands, values);
  llvm::sort(operands);
  if (end.opcode() != Opcode::Yield || end.operand("x") != ArrayRef(step.results) ||
      ArrayRef<Value>(operands) != ArrayRef(region.arguments))
    return std::nullopt;
  bool isTruth = kernel.operandType(op, "x").elementOf() == Element::I1;
  std::optional<ReduceKind> kind = kindOf(step, isTruth);
  if (!kind)
    return std::nullopt;
  KnownFold fold{*kind};
  for (const AttributeFormat &attribute : step.format->attributes) {
    if (attribute.name == "ftz")
      fold.flush = step.flag("ftz");
    if (attribute.name == "signedness")
      fold.isUnsigned = step.word<Signedness>("signedness") == Signedness::Unsigned;
    if (attribute.name == "rounding") {
      std::optional<tile::Rounding> rounding = roundingOf(step);
      if (!rounding)
        return std::nullopt;
      fold.rounding = *rounding;
    }
  }
  return fold;
}

// Where a region is no known operation. The operation of tile IR that has a region takes it from
// here: its operands are op.operand("x"), its identities op.attribute("identities").list, its
// region op.regions[0], which may use values from outside of it.
LogicalResult generalFold(Kernel &kernel, const Op &op) {
  return kernel.refuse(op, "a '" + op.format->name + "' of " + Twine(op.operand("x").size()) +
                               " operands whose region is not a single addition, multiplication, "
                               "minimum, maximum or bitwise operation");
}

LogicalResult checkDimension(Kernel &kernel, const Op &op) {
  if (op.operand("x").empty() || op.results.size() != op.operand("x").size())
    return kernel.reject(op, "needs a result for each of its operands");
  for (auto [x, result] : llvm::zip(op.operand("x"), op.results))
    if (!kernel.typeOf(x).isNumberTile() || !kernel.typeOf(result).isNumberTile() ||
        op.attribute("dim").number >= kernel.typeOf(x).shape.size())
      return kernel.reject(op, "folds along a dimension that the tile has not");
  return success();
}

LogicalResult reduce(Kernel &kernel, const Op &op) {
  if (failed(checkDimension(kernel, op)))
    return failure();
  std::optional<KnownFold> fold = knownFold(kernel, op);
  if (!fold)
    return generalFold(kernel, op);
  const Type &type = kernel.operandType(op, "x");
  mlir::Type result = kernel.typeOf(kernel.resultOf(op), op);
  if (!result)
    return failure();
  auto dim = int64_t(op.attribute("dim").number);
  SmallVector<int64_t> shape(ArrayRef<int64_t>(type.shape)), dropped(shape);
  shape[size_t(dim)] = 1;
  dropped.erase(dropped.begin() + dim);
  MlirValue x = kernel.operand(op, "x");
  mlir::Type kept = kernel.tileOf(tile::elementType(x.getType()), shape);
  if (result != kernel.tileOf(tile::elementType(x.getType()), dropped))
    return kernel.reject(op, "has a result that lacks more than its dimension");
  MlirValue folded =
      tile::ReduceOp::create(kernel.builder, kept, fold->kind, x, uint64_t(dim), fold->rounding,
                             fold->flush, fold->isUnsigned, /*indices=*/MlirValue());
  kernel.define(op, kernel.reshaped(folded, result));
  return success();
}

LogicalResult scan(Kernel &kernel, const Op &op) {
  if (failed(checkDimension(kernel, op)))
    return failure();
  std::optional<KnownFold> fold = knownFold(kernel, op);
  if (!fold || (fold->kind != ReduceKind::sum && fold->kind != ReduceKind::prod))
    return generalFold(kernel, op);
  MlirValue x = kernel.operand(op, "x");
  if (kernel.typeOf(kernel.resultOf(op), op) != x.getType())
    return kernel.reject(op, "changes the type of its operand");
  kernel.define(op, tile::ScanOp::create(kernel.builder, x.getType(), fold->kind, x,
                                         op.attribute("dim").number,
                                         /*backward=*/op.flag("reverse"), fold->rounding,
                                         fold->flush, /*withinWarps=*/false));
  return success();
}

} // namespace

ArrayRef<HandlerRow> foldHandlers() {
  static const HandlerRow rows[] = {{Opcode::Reduce, reduce}, {Opcode::Scan, scan}};
  return rows;
}

} // namespace tessera::tileir
