// Views and their accesses. A view is its parts, in the translator; an access repeats them. One
// that is atomic, ordered or indexed becomes an access by pointers, with a mask for what is inside.
#include "tileir/Memory.h"

#include "tile/Attributes.h"
#include "tile/Views.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tessera::tileir {

namespace {

using tile::BinaryKind;
using tile::CompareKind;

// ---- making views ----

// The extents or strides of a view: constants, or the operands in their order.
LogicalResult fill(Kernel &kernel, const Op &op, ArrayRef<int64_t> numbers, StringRef operands,
                   SmallVectorImpl<MlirValue> &values, SmallVectorImpl<int64_t> &statics) {
  ArrayRef<Value> given = op.operand(operands);
  for (int64_t number : numbers) {
    if (number != dynamic) {
      bool isNarrow = number <= INT32_MAX;
      values.push_back(kernel.constant(
          isNarrow ? kernel.builder.getI32Type() : kernel.builder.getI64Type(), number));
      statics.push_back(number);
      continue;
    }
    if (given.empty() || !kernel.typeOf(given.front()).isNumberTile() ||
        !isa<IntegerType>(kernel.value(given.front()).getType()))
      return kernel.reject(op,
                           "needs an integer for each of its " + operands + " that is not known");
    values.push_back(kernel.value(given.front()));
    statics.push_back(-1);
    given = given.drop_front();
  }
  return given.empty() ? success() : kernel.reject(op, "has operands without a dimension");
}

LogicalResult makeTensorView(Kernel &kernel, const Op &op) {
  if (op.results.size() != 1 || kernel.resultOf(op).kind != Type::TensorView ||
      !kernel.operandType(op, "base").isPointerTile() ||
      !kernel.operandType(op, "base").shape.empty())
    return kernel.reject(op, "needs a pointer, and gives a view");
  const Type &type = kernel.resultOf(op);
  View view;
  view.base = kernel.operand(op, "base");
  if (failed(fill(kernel, op, type.shape, "shape", view.extents, view.staticExtents)) ||
      failed(fill(kernel, op, type.strides, "strides", view.strides, view.staticStrides)))
    return failure();
  kernel.views[op.results[0]] = std::move(view);
  return success();
}

LogicalResult makeView(Kernel &kernel, const Op &op) {
  const Type &type = kernel.resultOf(op);
  if (!type.isView() || type.kind == Type::TensorView ||
      &kernel.operandType(op, "tensor") != type.inner)
    return kernel.reject(op, "gives no view of its operand");
  kernel.views[op.results[0]] = kernel.views.lookup(op.operand("tensor")[0]);
  return success();
}

// ---- what an access addresses ----

// The view of an access, with its index: one for each dimension of the tile.
struct Box {
  const View &view;
  const Type &type;
  SmallVector<int64_t, 4> map; // dimension k of the tile is dimension map[k] of the tensor
  ArrayRef<int64_t> steps;     // elements from one index to the next
  ArrayRef<Value> index;
  mlir::Type element;
};

std::optional<Box> boxOf(Kernel &kernel, const Op &op) {
  Value value = op.operand("view")[0];
  auto view = kernel.views.find(value);
  const Type &type = kernel.typeOf(value);
  if (view == kernel.views.end() || type.kind == Type::TensorView)
    return kernel.reject(op, "needs a view with tiles");
  mlir::Type element = kernel.elementOf(*type.inner->inner, op);
  if (!element)
    return std::nullopt;
  Box box{view->second, type, type.dimMap, type.steps, op.operand("index"), element};
  if (box.map.empty())
    llvm::append_range(box.map, llvm::seq<int64_t>(0, int64_t(type.shape.size())));
  if (box.steps.empty())
    box.steps = type.shape;
  if (box.index.size() != box.map.size())
    return kernel.reject(op, "has " + Twine(box.index.size()) + " indices for " +
                                 Twine(box.map.size()) + " dimensions");
  for (auto [k, index] : llvm::enumerate(box.index)) {
    const Type &indexType = kernel.typeOf(index);
    bool isIndexed = type.sparse == k;
    if (!indexType.isNumberTile() || !isInteger(indexType.elementOf()) ||
        ArrayRef<int64_t>(indexType.shape) !=
            (isIndexed ? ArrayRef(type.shape).slice(k, 1) : ArrayRef<int64_t>()))
      return kernel.reject(op, "has an index of another type than its view asks for");
  }
  return box;
}

// A value in i64, where an extent of the view is.
MlirValue widened(Kernel &kernel, MlirValue value, mlir::Type like) {
  bool isWide = like.isInteger(64) && !value.getType().isInteger(64);
  return isWide ? arith::ExtSIOp::create(kernel.builder, like, value).getResult() : value;
}

// Where the box starts in each dimension of the tensor, in elements.
SmallVector<MlirValue> startsOf(Kernel &kernel, const Box &box) {
  SmallVector<MlirValue> starts(box.map.size());
  for (auto [k, d] : llvm::enumerate(box.map)) {
    MlirValue index =
        widened(kernel, kernel.value(box.index[k]), box.view.extents[size_t(d)].getType());
    MlirValue step = kernel.constant(index.getType(), box.steps[k]);
    starts[size_t(d)] = arith::MulIOp::create(kernel.builder, index, step);
  }
  return starts;
}

// One coordinate in a dimension of the tile for each of its elements there, in i64.
MlirValue coordinatesOf(Kernel &kernel, const Box &box, size_t k) {
  mlir::Type wide = kernel.builder.getI64Type();
  MlirValue index = kernel.value(box.index[k]);
  if (!tile::elementType(index.getType()).isInteger(64))
    index = kernel.cast(index, wide);
  if (box.type.sparse == k)
    return index;
  if (!box.type.sparse) // those of a gather_scatter_view count elements
    index = arith::MulIOp::create(kernel.builder, index, kernel.constant(wide, box.steps[k]));
  int64_t extent = box.type.shape[k];
  auto line = RankedTensorType::get({extent}, kernel.builder.getI32Type());
  MlirValue within = tile::IotaOp::create(kernel.builder, line);
  return kernel.binary(BinaryKind::add, kernel.cast(within, wide),
                       kernel.splat(index, ArrayRef<int64_t>{extent}));
}

// The address of each element of the tile, and whether it is inside of the tensor.
Access accessOf(Kernel &kernel, const Box &box) {
  mlir::Type wide = kernel.builder.getI64Type();
  ArrayRef<int64_t> shape = box.type.shape;
  MlirValue offset, inside;
  for (auto [k, d] : llvm::enumerate(box.map)) {
    MlirValue coordinates = coordinatesOf(kernel, box, k);
    auto scalar = [&](MlirValue x) {
      if (!x.getType().isInteger(64))
        x = arith::ExtUIOp::create(kernel.builder, wide, x);
      return kernel.splat(x, shape.slice(k, 1));
    };
    // Unsigned: a negative coordinate is outside, too.
    MlirValue isHere = kernel.compare(CompareKind::lt, coordinates,
                                      scalar(box.view.extents[size_t(d)]), /*isUnsigned=*/true);
    MlirValue part =
        kernel.binary(BinaryKind::mul, coordinates, scalar(box.view.strides[size_t(d)]));
    auto spread = [&](MlirValue line) {
      return tile::alongAllOthers(kernel.builder, kernel.builder.getLoc(), line, k, shape);
    };
    part = spread(part), isHere = spread(isHere);
    offset = offset ? kernel.binary(BinaryKind::add, offset, part) : part;
    inside = inside ? kernel.binary(BinaryKind::bit_and, inside, isHere) : isHere;
  }
  if (!offset) // of rank 0
    return {box.view.base, {}};
  MlirValue pointers = tile::OffsetOp::create(kernel.builder, kernel.splat(box.view.base, shape),
                                              offset, box.element);
  return {pointers, inside};
}

// ---- accesses ----

tile::Padding paddingOf(const Type &view) {
  switch (view.padding.value_or(Padding::Zero)) {
  case Padding::Zero: return tile::Padding::zero;
  case Padding::NegativeZero: return tile::Padding::negative_zero;
  case Padding::NaN: return tile::Padding::nan;
  case Padding::PositiveInf: return tile::Padding::positive_inf;
  case Padding::NegativeInf: break;
  }
  return tile::Padding::negative_inf;
}

MlirValue paddingValue(Kernel &kernel, const Type &view, mlir::Type type) {
  if (!isa<FloatType>(tile::elementType(type)))
    return kernel.constant(type, 0);
  FloatAttr number = tile::numberOf(paddingOf(view), cast<FloatType>(tile::elementType(type)));
  return kernel.splat(arith::ConstantOp::create(kernel.builder, number), tile::shapeOf(type));
}

// By a box of the view, without pointers.
bool isPlain(const Op &op, const Box &box) {
  return isWeak(op) && !box.type.sparse && !box.type.shape.empty();
}

// The shape of the box in the tensor's order, and the map that leads back to the tile's.
SmallVector<int64_t> shapeInTensor(const Box &box) {
  SmallVector<int64_t> shape(box.map.size());
  for (auto [k, d] : llvm::enumerate(box.map))
    shape[size_t(d)] = box.type.shape[k];
  return shape;
}

MlirValue permuted(Kernel &kernel, MlirValue tile, ArrayRef<int64_t> map) {
  if (llvm::is_sorted(map))
    return tile;
  SmallVector<int64_t> shape;
  for (int64_t d : map)
    shape.push_back(tile::shapeOf(tile.getType())[size_t(d)]);
  mlir::Type type = kernel.tileOf(tile::elementType(tile.getType()), shape);
  return tile::PermuteOp::create(kernel.builder, type, tile, map);
}

// The producer promises that the whole tile is inside.
void markUnmasked(Kernel &kernel, const Op &op, Operation *access) {
  const Attribute &inside = op.attribute("inbounds");
  if (!inside.numbers.empty() && llvm::all_of(inside.numbers, [](int64_t n) { return n != 0; }))
    access->setAttr(tile::unmaskedAttr, kernel.builder.getUnitAttr());
}

LogicalResult loadView(Kernel &kernel, const Op &op) {
  std::optional<Box> box = boxOf(kernel, op);
  if (!box)
    return failure();
  mlir::Type type = kernel.tileOf(box->element, box->type.shape);
  if (op.results.empty() || kernel.typeOf(kernel.resultOf(op), op) != type)
    return kernel.reject(op, "has a result of another type than its view");
  if (!isPlain(op, *box)) {
    kernel.define(
        op, load(kernel, op, accessOf(kernel, *box), type, paddingValue(kernel, box->type, type)));
    return success();
  }
  SmallVector<MlirValue> starts = startsOf(kernel, *box);
  const View &view = box->view;
  auto loaded = tile::ViewLoadOp::create(
      kernel.builder, kernel.tileOf(box->element, shapeInTensor(*box)), view.base, view.extents,
      view.strides, starts, view.staticExtents, view.staticStrides, paddingOf(box->type),
      tile::AccessAttr(), tile::WaitReasonAttr());
  markUnmasked(kernel, op, loaded);
  kernel.define(op, permuted(kernel, loaded, box->map));
  return success();
}

LogicalResult storeView(Kernel &kernel, const Op &op) {
  std::optional<Box> box = boxOf(kernel, op);
  if (!box)
    return failure();
  MlirValue value = kernel.operand(op, "x");
  if (value.getType() != kernel.tileOf(box->element, box->type.shape))
    return kernel.reject(op, "stores a tile of another type than its view's");
  if (!isPlain(op, *box)) {
    store(kernel, op, accessOf(kernel, *box), value);
    return success();
  }
  SmallVector<int64_t> back(box->map.size());
  for (auto [k, d] : llvm::enumerate(box->map))
    back[size_t(d)] = int64_t(k);
  SmallVector<MlirValue> starts = startsOf(kernel, *box);
  const View &view = box->view;
  auto stored = tile::ViewStoreOp::create(kernel.builder, permuted(kernel, value, back), view.base,
                                          view.extents, view.strides, starts, view.staticExtents,
                                          view.staticStrides, tile::AccessAttr());
  markUnmasked(kernel, op, stored);
  return success();
}

LogicalResult reduceIntoView(Kernel &kernel, const Op &op) {
  std::optional<Box> box = boxOf(kernel, op);
  if (!box)
    return failure();
  MlirValue value = kernel.operand(op, "x");
  if (value.getType() != kernel.tileOf(box->element, box->type.shape))
    return kernel.reject(op, "reduces a tile of another type than its view's");
  return success(atomicRmw(kernel, op, accessOf(kernel, *box), value).has_value());
}

// ---- extents ----

LogicalResult defineExtents(Kernel &kernel, const Op &op, ArrayRef<MlirValue> extents) {
  if (op.results.size() != extents.size())
    return kernel.reject(op, "needs a result for each of " + Twine(extents.size()) + " dimensions");
  for (auto [result, extent] : llvm::zip(op.results, extents)) {
    mlir::Type type = kernel.typeOf(kernel.typeOf(result), op);
    if (!type)
      return failure();
    if (!isa<IntegerType>(type))
      return kernel.reject(op, "gives something that is no integer");
    MlirValue value = extent;
    if (value.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
      value = arith::ExtUIOp::create(kernel.builder, type, value);
    else if (value.getType() != type)
      value = arith::TruncIOp::create(kernel.builder, type, value);
    kernel.define(result, value);
  }
  return success();
}

LogicalResult tensorShape(Kernel &kernel, const Op &op) {
  return defineExtents(kernel, op, kernel.views.lookup(op.operand("view")[0]).extents);
}

// How many tiles lie in each dimension, the last one in part.
LogicalResult indexSpaceShape(Kernel &kernel, const Op &op) {
  const View view = kernel.views.lookup(op.operand("view")[0]);
  const Type &type = kernel.operandType(op, "view");
  SmallVector<MlirValue> counts;
  ArrayRef<int64_t> steps = type.steps.empty() ? ArrayRef(type.shape) : ArrayRef(type.steps);
  if (type.kind == Type::TensorView)
    return kernel.reject(op, "needs a view with tiles");
  for (size_t k = 0; k < type.shape.size(); ++k) {
    MlirValue extent = view.extents[type.dimMap.empty() ? k : size_t(type.dimMap[k])];
    mlir::Type integer = extent.getType();
    MlirValue more =
        arith::AddIOp::create(kernel.builder, extent, kernel.constant(integer, steps[k] - 1));
    counts.push_back(
        arith::DivUIOp::create(kernel.builder, more, kernel.constant(integer, steps[k])));
  }
  return defineExtents(kernel, op, counts);
}

} // namespace

ArrayRef<HandlerRow> viewHandlers() {
  static const HandlerRow rows[] = {
      {Opcode::MakeTensorView, makeTensorView},
      {Opcode::MakePartitionView, makeView},
      {Opcode::MakeStridedView, makeView},
      {Opcode::MakeGatherScatterView, makeView},
      {Opcode::LoadViewTko, loadView},
      {Opcode::StoreViewTko, storeView},
      {Opcode::AtomicRedViewTko, reduceIntoView},
      {Opcode::GetTensorShape, tensorShape},
      {Opcode::GetIndexSpaceShape, indexSpaceShape},
  };
  return rows;
}

} // namespace tessera::tileir
