// Reductions and scans along a dimension. The region of one is called with (element, accumulator)
// for each operand; that of tile.fold has all elements before all accumulators. What is a known
// kind of reduction or scan is found by the canonical form of tile.fold.
#include "tileir/Kernel.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::tileir {

namespace {

// The constants of an op, of its operands' types. Null: one of them is of another type.
ArrayAttr identitiesOf(const Op &op, ArrayRef<MlirValue> tiles) {
  SmallVector<mlir::Attribute> identities;
  for (auto [identity, tile] : llvm::zip(op.attribute("identities").list, tiles)) {
    mlir::Type element = tile::elementType(tile.getType());
    const APInt bits = APInt(64, identity.number).trunc(element.getIntOrFloatBitWidth());
    if (auto type = dyn_cast<FloatType>(element); type && identity.tag == Attribute::Float)
      identities.push_back(FloatAttr::get(type, APFloat(type.getFloatSemantics(), bits)));
    else if (!type && (identity.tag == Attribute::Integer || identity.tag == Attribute::Boolean))
      identities.push_back(IntegerAttr::get(element, bits));
    else
      return {};
  }
  return ArrayAttr::get(tiles.front().getContext(), identities);
}

LogicalResult checkFold(Kernel &kernel, const Op &op) {
  const size_t tiles = op.operand("x").size();
  if (tiles == 0 || op.results.size() != tiles)
    return kernel.reject(op, "needs a result for each of its operands");
  if (op.attribute("identities").list.size() != tiles)
    return kernel.reject(op, "needs an identity for each of its operands");
  for (auto [x, result] : llvm::zip(op.operand("x"), op.results)) {
    if (!kernel.typeOf(x).isNumberTile() || !kernel.typeOf(result).isNumberTile() ||
        op.attribute("dim").number >= kernel.typeOf(x).shape.size())
      return kernel.reject(op, "folds along a dimension that the tile has not");
    if (kernel.typeOf(x).shape != kernel.operandType(op, "x").shape)
      return kernel.reject(op, "folds tiles of several shapes");
  }
  if (op.regions.size() != 1 || op.regions[0].arguments.size() != 2 * tiles ||
      op.regions[0].ops.back().opcode() != Opcode::Yield)
    return kernel.reject(op, "needs a region that takes an element and an accumulator of each "
                             "operand and yields accumulators");
  if (llvm::any_of(op.regions[0].ops, needsBranches))
    return kernel.refuse(op, "a '" + op.format->name +
                                 "' whose region has an endless loop, or leaves one early");
  return success();
}

using Values = SmallVector<MlirValue>;

// Translates the region in place, and gives what it yields.
std::optional<Values> combine(Kernel &kernel, const Op &op, ValueRange elements,
                              ValueRange accumulators) {
  const Block &region = op.regions[0];
  for (auto [i, element, accumulator] : llvm::enumerate(elements, accumulators)) {
    kernel.define(region.arguments[2 * i], element);
    kernel.define(region.arguments[2 * i + 1], accumulator);
  }
  Values yielded;
  Kernel::Exit end{Opcode::Yield, [&](const Op &, ArrayRef<Value> values) {
                     yielded = kernel.kept(values);
                     return success();
                   }};
  // Nothing in the region leaves what is around it.
  std::vector<Kernel::Exit> around = std::exchange(kernel.exits, {end});
  LogicalResult done = kernel.translateOps(region);
  kernel.exits = std::move(around);
  if (failed(done))
    return std::nullopt;
  if (ValueRange(yielded).getTypes() != elements.getTypes())
    return kernel.reject(op, "yields values of other types than its elements");
  return yielded;
}

LogicalResult checkArguments(Kernel &kernel, const Op &op, ArrayRef<MlirValue> tiles) {
  for (auto [i, tile] : llvm::enumerate(tiles))
    for (Value argument : ArrayRef(op.regions[0].arguments).slice(2 * i, 2))
      if (kernel.typeOf(kernel.typeOf(argument), op) != tile::elementType(tile.getType()))
        return kernel.reject(op, "has a region of other types than its operands");
  return success();
}

// Gives the results.
std::optional<Values> fold(Kernel &kernel, const Op &op, bool isScan) {
  if (failed(checkFold(kernel, op)))
    return std::nullopt;
  Values tiles = kernel.kept(op.operand("x"));
  if (failed(checkArguments(kernel, op, tiles)))
    return std::nullopt;
  ArrayAttr identities = identitiesOf(op, tiles);
  if (!identities)
    return kernel.reject(op, "has an identity of another type than its operand");
  std::optional<Values> yielded;
  const mlir::Location location = kernel.builder.getLoc();
  auto made = tile::FoldOp::create(
      kernel.builder, location, tiles, int64_t(op.attribute("dim").number), identities, isScan,
      isScan && op.flag("reverse"), [&](OpBuilder &, ValueRange elements, ValueRange accumulators) {
        yielded = combine(kernel, op, elements, accumulators);
        return yielded.value_or(Values(accumulators));
      });
  // Rounding each step of a sum to half or bf16 is slower, and less exact.
  made.setInFloat(llvm::any_of(tiles, [](MlirValue tile) {
    mlir::Type element = tile::elementType(tile.getType());
    return element.isF16() || element.isBF16();
  }));
  kernel.builder.setLoc(location);
  return yielded ? std::optional(Values(made.getResults())) : std::nullopt;
}

LogicalResult reduce(Kernel &kernel, const Op &op) {
  std::optional<Values> folded = fold(kernel, op, /*isScan=*/false);
  if (!folded)
    return failure();
  SmallVector<int64_t> dropped(ArrayRef<int64_t>(kernel.operandType(op, "x").shape));
  dropped.erase(dropped.begin() + ptrdiff_t(op.attribute("dim").number));
  for (auto [result, value] : llvm::zip(op.results, *folded)) {
    mlir::Type type = kernel.typeOf(kernel.typeOf(result), op);
    if (type != kernel.tileOf(tile::elementType(value.getType()), dropped))
      return kernel.reject(op, "has a result that lacks more than its dimension");
    kernel.define(result, kernel.reshaped(value, type));
  }
  return success();
}

LogicalResult scan(Kernel &kernel, const Op &op) {
  std::optional<Values> folded = fold(kernel, op, /*isScan=*/true);
  if (!folded)
    return failure();
  for (auto [result, value] : llvm::zip(op.results, *folded)) {
    if (kernel.typeOf(kernel.typeOf(result), op) != value.getType())
      return kernel.reject(op, "changes the type of its operand");
    kernel.define(result, value);
  }
  return success();
}

} // namespace

ArrayRef<HandlerRow> foldHandlers() {
  static const HandlerRow rows[] = {{Opcode::Reduce, reduce}, {Opcode::Scan, scan}};
  return rows;
}

} // namespace tessera::tileir
