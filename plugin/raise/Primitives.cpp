// The table of primitives, and a small builder for each that is about shapes, the grid or
// assumptions; see Primitives.h. ElementPrimitives.h and MemoryPrimitives.h have the others.
#include "raise/Primitives.h"
#include "raise/ElementPrimitives.h"
#include "raise/MemoryPrimitives.h"

using namespace mlir;
using tessera::frontend::Primitive;
using tessera::frontend::TemplateArgument;

namespace tessera::raising {

using namespace primitive;

namespace {

// ---- scalars in and out ----

Value scalarOrSplat(const Call &call, Value element, Type type) {
  return isTile(type) ? Value(call.create<tile::SplatOp>(type, element)) : element;
}

Value splat(const Call &call) {
  Type type = call.type("R");
  return scalarOrSplat(call, fromLane(call.builder, call.loc, call[0], tile::elementType(type)),
                       type);
}

Value scalar(const Call &call) {
  Value element = call[0];
  if (isTile(element.getType()))
    element = call.create<tile::ScalarOp>(tile::elementType(element.getType()), element);
  return toLane(call.builder, call.loc, element, call.scalarResult);
}

Value iota(const Call &call) {
  Type type = call.type("R");
  if (isTile(type))
    return call.create<tile::IotaOp>(type);
  return arith::ConstantOp::create(call.builder, call.loc,
                                   cast<TypedAttr>(call.builder.getZeroAttr(type)));
}

// Returns the tile itself: the printf that takes it prints a tile.
Value printed(const Call &call) { return call[0]; }
// ---- shape ----

Value reshape(const Call &call) {
  return reinterpret(call.builder, call.loc, call[0], call.type("R"));
}

// Dimensions align on the right: a lower rank gets leading dimensions of 1 first.
Value broadcast(const Call &call) {
  Type type = call.type("R");
  Value x = call[0];
  if (x.getType() == type)
    return x;
  auto from = dyn_cast<RankedTensorType>(x.getType());
  if (!from)
    return scalarOrSplat(call, x, type);
  auto to = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(to.getRank() - from.getRank(), 1);
  llvm::append_range(shape, from.getShape());
  x = reinterpret(call.builder, call.loc, x, RankedTensorType::get(shape, from.getElementType()));
  return x.getType() == type ? x : call.create<tile::BroadcastOp>(type, x);
}

Value permute(const Call &call) {
  ArrayRef<int64_t> map = call.dimensions("map");
  if (llvm::equal(map, llvm::seq<int64_t>(0, map.size())))
    return call[0];
  return call.create<tile::PermuteOp>(call.type("R"), call[0], map);
}

Value cat(const Call &call) {
  return call.create<tile::CatOp>(call.type("R"), call[0], call[1], call.integer("dim"));
}

Value extract(const Call &call) {
  if (!isTile(call[0].getType()))
    return call[0];
  return call.create<tile::ExtractOp>(call.type("R"), call[0], call.operands.drop_front());
}

Value insert(const Call &call) {
  if (!isTile(call[0].getType()))
    return call[1];
  return call.create<tile::InsertOp>(call.type("A"), call[1], call[0], call.operands.drop_front(2));
}

// ---- along a dimension, and matrix multiply ----

Value reduce(const Call &call) {
  return call.create<tile::ReduceOp>(call.type("R"), call.mode<tile::ReduceKind>("op"), call[0],
                                     call.integer("dim"), call.rounding(), call.flush(),
                                     call.isUnsigned("A"), Value());
}

Value scan(const Call &call) {
  return call.create<tile::ScanOp>(call.type("R"), call.mode<tile::ReduceKind>("op"), call[0],
                                   call.integer("dim"), call.integer("backward") != 0,
                                   call.rounding(), call.flush(), /*withinWarps=*/false);
}

Value foldArgument(const Call &call) {
  return call.create<tile::FoldArgumentOp>(call.type("R"), call[0], call.integer("index"),
                                           call.integer("accumulator") != 0);
}

// Tiles, then as many scalars.
Value foldResult(const Call &call) {
  SmallVector<Type> tiles = call.pack();
  SmallVector<Value> x, combined;
  for (auto [i, type] : llvm::enumerate(tiles)) {
    x.push_back(reinterpret(call.builder, call.loc, call[i], type));
    combined.push_back(
        reinterpret(call.builder, call.loc, call[tiles.size() + i], tile::elementType(type)));
  }
  return call.create<tile::FoldResultOp>(call.type("R"), x, combined, call.integer("dim"),
                                         call.integer("index"), call.integer("scan") != 0,
                                         call.integer("backward") != 0);
}

Value mma(const Call &call) {
  return call.create<tile::MmaOp>(call.type("R"), call[0], call[1], call[2], call.isUnsigned("A"),
                                  call.isUnsigned("B"));
}
// ---- the grid and assumptions ----

Value bid(const Call &call) {
  return call.create<tile::BlockIndexOp>(call.builder.getI32Type(), call.integer("axis"),
                                         /*swizzled=*/false);
}
Value numBlocks(const Call &call) {
  return call.create<tile::GridSizeOp>(call.builder.getI32Type(), call.integer("axis"));
}

Value assume(const Call &call, StringRef fact, StringRef argument) {
  auto op = call.create<tile::AssumeOp>(call.scalarResult, call[0], IntegerAttr(), IntegerAttr(),
                                        IntegerAttr(), IntegerAttr());
  op->setAttr(fact, call.builder.getI64IntegerAttr(call.integer(argument)));
  return op;
}
// Only checks, which print the number, need its sign.
Value assumeOfInteger(const Call &call, StringRef fact, StringRef argument) {
  Value x = assume(call, fact, argument);
  if (call.keepsPromises() && call.isUnsigned("T"))
    x.getDefiningOp()->setAttr(tile::unsignedAssumptionAttr, call.builder.getUnitAttr());
  return x;
}
Value assumeAligned(const Call &call) { return assume(call, "aligned", "n"); }
Value assumeDivisible(const Call &call) { return assumeOfInteger(call, "divisible", "n"); }
Value assumeBounded(const Call &call) {
  Value x = assumeOfInteger(call, "low", "low");
  x.getDefiningOp()->setAttr("high", call.builder.getI64IntegerAttr(call.integer("high")));
  return x;
}

constexpr Row rows[] = {
    {"splat", "R", "lane", "R", splat},
    {"scalar", "A", "A", "scalar", scalar},
    {"iota", "R", "", "R", iota},
    {"printed", "A", "A", "scalar", printed},
    {"unary", "op round sub R", "R", "R", unary},
    {"binary", "op round sub R", "R R", "R", binary},
    {"fma", "round sub R", "R R R", "R", fma},
    {"compare", "op R A", "A A", "R", compare},
    {"classify", "op R A", "A", "R", classify},
    {"select", "R M", "M R R", "R", select},
    {"cast", "R A round", "A", "R", castElements},
    {"bitcast", "R A", "A", "R", bitcast},
    {"reshape", "R A", "A", "R", reshape},
    {"broadcast", "R A", "A", "R", broadcast},
    {"permute", "R A map", "A", "R", permute},
    {"cat", "R A dim", "A A", "R", cat},
    {"extract", "R A *", "A *", "R", extract},
    {"insert", "A B *", "A B *", "A", insert},
    {"reduce", "op dim round sub R A", "A", "R", reduce},
    {"scan", "op dim backward round sub R", "R", "R", scan},
    {"fold_argument", "index accumulator R A", "A", "R", foldArgument},
    {"fold_result", "index dim scan backward R *", "*", "R", foldResult},
    {"mma", "R A B", "A B R", "R", mma},
    {"offset", "P A", "P A", "P", offset},
    {"difference", "R P", "P P", "R", difference},
    {"inside", "P M", "P M", "P", inside},
    {"load", "R P", "P", "R", load},
    {"load_masked", "R P M", "P M R", "R", loadMasked},
    {"store", "P A", "P A", "", store},
    {"store_masked", "P A M", "P A M", "", storeMasked},
    {"atomic_load", "order scope R P M", "P M", "R", atomicLoad},
    {"atomic_store", "order scope P A M", "P A M", "", atomicStore},
    {"atomic_rmw", "op order scope R P M", "P R M", "R", atomicRmw},
    {"atomic_compare_exchange", "order scope R P M", "P R R M", "R", atomicCompareExchange},
    {"view_load", "R E padding masked extents strides *", "raw *", "R", viewLoad},
    {"view_store", "A E masked extents strides *", "A raw *", "", viewStore},
    {"bid", "axis", "", "scalar", bid},
    {"num_blocks", "axis", "", "scalar", numBlocks},
    {"assume_aligned", "n T", "raw", "scalar", assumeAligned},
    {"assume_divisible", "n T", "raw", "scalar", assumeDivisible},
    {"assume_bounded", "low high T", "raw", "scalar", assumeBounded},
};

SmallVector<StringRef> words(StringRef text) {
  SmallVector<StringRef> list;
  text.split(list, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return list;
}

const Row *findRow(StringRef name) {
  const Row *row =
      llvm::find_if(rows, [&](const Row &candidate) { return candidate.name == name; });
  return row == std::end(rows) ? nullptr : row;
}

// Position of a template parameter, or -1 for words that are no parameter.
int parameterIndex(const Row &row, StringRef name) {
  SmallVector<StringRef> list = words(row.parameters);
  auto found = llvm::find(list, name);
  return found == list.end() || name == "*" ? -1 : found - list.begin();
}

Type tileOf(MLIRContext *context, const Primitive &primitive, const Row &row, StringRef word) {
  int index = parameterIndex(row, word);
  return index < 0 ? Type() : tileType(context, primitive.arguments[index].tile);
}

} // namespace

const TemplateArgument &primitive::Call::argument(StringRef name) const {
  return primitive.arguments[parameterIndex(row, name)];
}

SmallVector<Type> primitive::Call::pack() const {
  SmallVector<Type> tiles;
  for (const TemplateArgument &argument :
       ArrayRef(primitive.arguments).drop_front(words(row.parameters).size() - 1))
    if (argument.kind == TemplateArgument::Tile)
      tiles.push_back(tileType(builder.getContext(), argument.tile));
  return tiles;
}

bool isKnown(const Primitive &primitive) {
  const Row *row = findRow(primitive.name);
  if (!row)
    return false;
  SmallVector<StringRef> parameters = words(row->parameters);
  if (!parameters.empty() && parameters.back() == "*")
    parameters.pop_back();
  return primitive.arguments.size() >= parameters.size();
}

Type operandTile(MLIRContext *context, const Primitive &primitive, unsigned index) {
  const Row *row = findRow(primitive.name);
  SmallVector<StringRef> operands = words(row->operands);
  return index < operands.size() ? tileOf(context, primitive, *row, operands[index]) : Type();
}

Type resultTile(MLIRContext *context, const Primitive &primitive) {
  const Row *row = findRow(primitive.name);
  return tileOf(context, primitive, *row, row->result);
}

Value buildPrimitive(OpBuilder &builder, Location loc, const Primitive &primitive,
                     ArrayRef<Value> operands, Type scalarResult) {
  const Row &row = *findRow(primitive.name);
  return row.build(Call(builder, loc, row, primitive, operands, scalarResult));
}

} // namespace tessera::raising
