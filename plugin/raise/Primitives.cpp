// The table of primitives, and a small builder for each; see Primitives.h.
//
// Operations on rank-0 tiles are scalar operations: the exact ones become arith, so that later
// stages recognise index arithmetic; those that the tile dialect defines itself (roundings, math
// functions, NaN rules) stay tile operations on scalars.
#include "raise/Primitives.h"
#include "tile/Attributes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using tessera::frontend::Primitive;
using tessera::frontend::TemplateArgument;
using tessera::frontend::TileType;

namespace tessera::raising {

namespace {

struct Row;

// A call while its operation is built.
class Call {
public:
  Call(OpBuilder &builder, Location loc, const Row &row, const Primitive &primitive,
       ArrayRef<Value> operands, Type scalarResult)
      : builder(builder), loc(loc), operands(operands), scalarResult(scalarResult), row(row),
        primitive(primitive) {}

  const TemplateArgument &argument(StringRef name) const;
  int64_t integer(StringRef name) const { return argument(name).integer; }
  template <class Enum> Enum mode(StringRef name) const { return static_cast<Enum>(integer(name)); }
  ArrayRef<int64_t> dimensions(StringRef name) const { return argument(name).dimensions; }
  const TileType &tile(StringRef name) const { return argument(name).tile; }
  Type type(StringRef name) const { return tileType(builder.getContext(), tile(name)); }
  bool isUnsigned(StringRef name) const { return raising::isUnsigned(tile(name).element.kind); }
  Type pointee(StringRef name) const {
    return pointeeType(builder.getContext(), tile(name).element);
  }
  tile::Rounding rounding() const { return mode<tile::Rounding>("round"); }
  bool flush() const { return integer("sub") != 0; }
  Value operator[](unsigned i) const { return operands[i]; }

  template <class Op, class... Args> Op create(Args &&...args) const {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }

  bool keepsPromises() const {
    Operation *parent = builder.getInsertionBlock()->getParentOp();
    auto module = parent->getParentOfType<ModuleOp>();
    return module && module->hasAttr(tile::promisesAttr);
  }

  OpBuilder &builder;
  Location loc;
  ArrayRef<Value> operands;
  Type scalarResult;

private:
  const Row &row;
  const Primitive &primitive;
};

// `parameters` names the template parameters; a last "*" is an unused pack. `operands` names the
// tile parameter of each operand: "R" a tile of type R, "lane" or "raw" a scalar, "*" any number of
// scalars. `result`: "R", "scalar" or "" (nothing).
struct Row {
  StringLiteral name, parameters, operands, result;
  Value (*build)(const Call &);
};

bool isTile(Type type) { return isa<RankedTensorType>(type); }

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

// ---- element by element ----

Value unary(const Call &call) {
  return call.create<tile::UnaryOp>(call.type("R"), call.mode<tile::UnaryKind>("op"), call[0],
                                    call.rounding(), call.flush(), call.isUnsigned("R"));
}

// The exact integer operations of arith; null if there is none.
Value scalarIntegerBinary(const Call &call, tile::BinaryKind kind, bool isUnsigned) {
  Value x = call[0], y = call[1];
  bool isBool = x.getType().isInteger(1); // C++ would add two of them as int
  if (isBool && (kind == tile::BinaryKind::add || kind == tile::BinaryKind::sub))
    return call.create<arith::XOrIOp>(x, y);
  if (isBool && kind == tile::BinaryKind::mul)
    return call.create<arith::AndIOp>(x, y);
  switch (kind) {
  case tile::BinaryKind::add: return call.create<arith::AddIOp>(x, y);
  case tile::BinaryKind::sub: return call.create<arith::SubIOp>(x, y);
  case tile::BinaryKind::mul: return call.create<arith::MulIOp>(x, y);
  case tile::BinaryKind::div:
    return isUnsigned ? Value(call.create<arith::DivUIOp>(x, y))
                      : call.create<arith::DivSIOp>(x, y);
  case tile::BinaryKind::rem:
    return isUnsigned ? Value(call.create<arith::RemUIOp>(x, y))
                      : call.create<arith::RemSIOp>(x, y);
  case tile::BinaryKind::min:
    return isUnsigned ? Value(call.create<arith::MinUIOp>(x, y))
                      : call.create<arith::MinSIOp>(x, y);
  case tile::BinaryKind::max:
    return isUnsigned ? Value(call.create<arith::MaxUIOp>(x, y))
                      : call.create<arith::MaxSIOp>(x, y);
  case tile::BinaryKind::bit_and: return call.create<arith::AndIOp>(x, y);
  case tile::BinaryKind::bit_or: return call.create<arith::OrIOp>(x, y);
  case tile::BinaryKind::bit_xor: return call.create<arith::XOrIOp>(x, y);
  default: return {};
  }
}

Value scalarFloatBinary(const Call &call, tile::BinaryKind kind) {
  Value x = call[0], y = call[1];
  if (!x.getType().isF32() && !x.getType().isF64())
    return {};
  switch (kind) {
  case tile::BinaryKind::add: return call.create<arith::AddFOp>(x, y);
  case tile::BinaryKind::sub: return call.create<arith::SubFOp>(x, y);
  case tile::BinaryKind::mul: return call.create<arith::MulFOp>(x, y);
  case tile::BinaryKind::div: return call.create<arith::DivFOp>(x, y);
  default: return {};
  }
}

Value binary(const Call &call) {
  Type type = call.type("R");
  auto kind = call.mode<tile::BinaryKind>("op");
  bool isUnsigned = call.isUnsigned("R");
  Value exact;
  if (type.isInteger())
    exact = scalarIntegerBinary(call, kind, isUnsigned);
  else if (isa<FloatType>(type) && call.rounding() == tile::Rounding::nearest && !call.flush())
    exact = scalarFloatBinary(call, kind);
  if (exact)
    return exact;
  return call.create<tile::BinaryOp>(type, kind, call[0], call[1], call.rounding(), call.flush(),
                                     isUnsigned);
}

Value fma(const Call &call) {
  return call.create<tile::FmaOp>(call.type("R"), call[0], call[1], call[2], call.rounding(),
                                  call.flush());
}

arith::CmpIPredicate integerPredicate(tile::CompareKind kind, bool isUnsigned) {
  using P = arith::CmpIPredicate;
  switch (kind) {
  case tile::CompareKind::eq: return P::eq;
  case tile::CompareKind::ne: return P::ne;
  case tile::CompareKind::lt: return isUnsigned ? P::ult : P::slt;
  case tile::CompareKind::le: return isUnsigned ? P::ule : P::sle;
  case tile::CompareKind::gt: return isUnsigned ? P::ugt : P::sgt;
  case tile::CompareKind::ge: return isUnsigned ? P::uge : P::sge;
  }
  return P::eq;
}

Value compare(const Call &call) {
  auto kind = call.mode<tile::CompareKind>("op");
  bool isUnsigned = call.isUnsigned("A");
  if (call[0].getType().isInteger())
    return call.create<arith::CmpIOp>(integerPredicate(kind, isUnsigned), call[0], call[1]);
  return call.create<tile::CompareOp>(call.type("R"), kind, call[0], call[1], isUnsigned);
}

Value classify(const Call &call) {
  return call.create<tile::ClassifyOp>(call.type("R"), call.mode<tile::ClassifyKind>("op"),
                                       call[0]);
}

Value select(const Call &call) {
  if (!isTile(call[1].getType()))
    return call.create<arith::SelectOp>(call[0], call[1], call[2]);
  return call.create<tile::SelectOp>(call[0], call[1], call[2]);
}

Value integerCast(const Call &call, Value x, IntegerType to) {
  unsigned from = x.getType().getIntOrFloatBitWidth();
  if (to.getWidth() == from)
    return x;
  if (to.getWidth() == 1) {
    Value zero = call.create<arith::ConstantOp>(call.builder.getIntegerAttr(x.getType(), 0));
    return call.create<arith::CmpIOp>(arith::CmpIPredicate::ne, x, zero);
  }
  if (to.getWidth() < from)
    return call.create<arith::TruncIOp>(to, x);
  if (call.isUnsigned("A"))
    return call.create<arith::ExtUIOp>(to, x);
  return call.create<arith::ExtSIOp>(to, x);
}

Value castElements(const Call &call) {
  Type from = call[0].getType(), to = call.type("R");
  if (from.isInteger() && to.isInteger())
    return integerCast(call, call[0], cast<IntegerType>(to));
  if (from == to)
    return call[0];
  return call.create<tile::CastOp>(to, call[0], call.rounding(), call.isUnsigned("A"),
                                   call.isUnsigned("R"));
}

Value bitcast(const Call &call) {
  return reinterpret(call.builder, call.loc, call[0], call.type("R"));
}

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

Value mma(const Call &call) {
  return call.create<tile::MmaOp>(call.type("R"), call[0], call[1], call[2], call.isUnsigned("A"),
                                  call.isUnsigned("B"));
}

// ---- tiles of pointers ----

// A single pointer is offset by an LLVM address computation, whose index is signed.
Value offsetScalar(const Call &call) {
  Value count = call[1];
  if (call.isUnsigned("A") && count.getType().getIntOrFloatBitWidth() < 64)
    count = call.create<arith::ExtUIOp>(call.builder.getI64Type(), count);
  return call.create<LLVM::GEPOp>(call[0].getType(), call.pointee("P"), call[0],
                                  ArrayRef<LLVM::GEPArg>{count});
}

Value offset(const Call &call) {
  if (!isTile(call[0].getType()))
    return offsetScalar(call);
  return call.create<tile::OffsetOp>(call.type("P"), call[0], call[1], call.pointee("P"),
                                     call.isUnsigned("A"));
}

Value difference(const Call &call) {
  return call.create<tile::DifferenceOp>(call.type("R"), call[0], call[1], call.pointee("P"));
}

Value inside(const Call &call) {
  return call.keepsPromises() ? call.create<tile::InsideOp>(call.type("P"), call[0], call[1])
                              : call[0];
}

Value load(const Call &call) {
  return call.create<tile::LoadOp>(call.type("R"), call[0], Value(), Value());
}
Value loadMasked(const Call &call) {
  return call.create<tile::LoadOp>(call.type("R"), call[0], call[1], call[2]);
}

Value store(const Call &call) {
  call.create<tile::StoreOp>(call[1], call[0], Value());
  return {};
}
Value storeMasked(const Call &call) {
  call.create<tile::StoreOp>(call[1], call[0], call[2]);
  return {};
}

Value atomicLoad(const Call &call) {
  return call.create<tile::AtomicLoadOp>(call.type("R"), call[0], call[1],
                                         call.mode<tile::MemoryOrder>("order"),
                                         call.mode<tile::Scope>("scope"));
}
Value atomicStore(const Call &call) {
  call.create<tile::AtomicStoreOp>(call[1], call[0], call[2], call.mode<tile::MemoryOrder>("order"),
                                   call.mode<tile::Scope>("scope"));
  return {};
}
Value atomicRmw(const Call &call) {
  return call.create<tile::AtomicRmwOp>(call.type("R"), call.mode<tile::AtomicKind>("op"), call[0],
                                        call[1], call[2], call.mode<tile::MemoryOrder>("order"),
                                        call.mode<tile::Scope>("scope"), call.isUnsigned("R"));
}
Value atomicCompareExchange(const Call &call) {
  return call.create<tile::AtomicCompareExchangeOp>(call.type("R"), call[0], call[1], call[2],
                                                    call[3], call.mode<tile::MemoryOrder>("order"),
                                                    call.mode<tile::Scope>("scope"));
}

// ---- views ----

// The run-time operands of a view: rank extents, rank strides, rank starts.
struct Box {
  ValueRange extents, strides, starts;
};
Box box(ArrayRef<Value> operands) {
  size_t rank = operands.size() / 3;
  return {operands.take_front(rank), operands.slice(rank, rank), operands.take_back(rank)};
}

// Accesses without a mask respect the extents, too; only checks read the mark.
void markUnmasked(const Call &call, Operation *access) {
  if (call.keepsPromises() && !call.integer("masked"))
    access->setAttr(tile::unmaskedAttr, call.builder.getUnitAttr());
}

Value viewLoad(const Call &call) {
  Type type = call.type("R");
  if (!isTile(type))
    return call.create<tile::LoadOp>(type, call[0], Value(), Value());
  auto [extents, strides, starts] = box(call.operands.drop_front());
  auto load = call.create<tile::ViewLoadOp>(type, call[0], extents, strides, starts,
                                            call.dimensions("extents"), call.dimensions("strides"),
                                            call.mode<tile::Padding>("padding"), tile::AccessAttr(),
                                            tile::WaitReasonAttr());
  return markUnmasked(call, load), load;
}

Value viewStore(const Call &call) {
  if (!isTile(call[0].getType())) {
    call.create<tile::StoreOp>(call[0], call[1], Value());
    return {};
  }
  auto [extents, strides, starts] = box(call.operands.drop_front(2));
  markUnmasked(call, call.create<tile::ViewStoreOp>(
                         call[0], call[1], extents, strides, starts, call.dimensions("extents"),
                         call.dimensions("strides"), tile::AccessAttr()));
  return {};
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

const TemplateArgument &Call::argument(StringRef name) const {
  return primitive.arguments[parameterIndex(row, name)];
}

} // namespace

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
