// Operations on tiles, as calls of the runtime.
#include "emit/CTypes.h"
#include "emit/KernelPrinter.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::emit {

namespace {

std::string modes(tile::Rounding rounding, bool flush) {
  if (rounding == tile::Rounding::nearest && !flush)
    return "";
  return "<rounding::" + tile::stringifyRounding(rounding).str() + ">";
}

std::string flushArgument(bool flush) { return flush ? ", flush_subnormals" : ""; }

// The spelling of a binary operation from tessera/ops.def.
struct BinarySpelling {
  StringRef symbol;
  bool differsUnsigned;
};

BinarySpelling spelling(tile::BinaryKind kind) {
  constexpr bool same = false, differs = true;
  switch (kind) {
#define TESSERA_BINARY(NAME, SYMBOL, SIGN)                                                         \
  case tile::BinaryKind::NAME: return {SYMBOL, SIGN};
#include "tessera/ops.def"
  }
  llvm_unreachable("all kinds are listed");
}

StringRef reduceFunctor(tile::ReduceKind kind, bool isUnsigned) {
  switch (kind) {
  case tile::ReduceKind::sum: return "sum";
  case tile::ReduceKind::prod: return "prod";
  case tile::ReduceKind::max:
  case tile::ReduceKind::argmax: return isUnsigned ? "maximum_unsigned" : "maximum";
  case tile::ReduceKind::min:
  case tile::ReduceKind::argmin: return isUnsigned ? "minimum_unsigned" : "minimum";
  case tile::ReduceKind::max_nan: return "maximum_nan";
  case tile::ReduceKind::min_nan: return "minimum_nan";
  case tile::ReduceKind::bit_and: return "bit_and";
  case tile::ReduceKind::bit_or: return "bit_or";
  case tile::ReduceKind::bit_xor: return "bit_xor";
  }
  llvm_unreachable("all kinds are listed");
}

// A signed or unsigned integer; a bool compares as such.
bool isNumber(Value v) {
  auto integer = dyn_cast<IntegerType>(tile::elementType(v.getType()));
  return integer && integer.getWidth() > 1;
}

// The functor of a reduction or scan, with its modes.
std::string combiner(tile::ReduceKind kind, bool isUnsigned, tile::Rounding rounding, bool flush) {
  std::string functor = reduceFunctor(kind, isUnsigned).str();
  if (rounding == tile::Rounding::nearest && !flush)
    return functor;
  return "modified<" + functor + ", rounding::" + tile::stringifyRounding(rounding).str() +
         (flush ? ", true>" : ">");
}

} // namespace

std::string KernelPrinter::unary(tile::UnaryOp op) {
  std::string x = use(op.getX());
  switch (op.getKind()) {
  case tile::UnaryKind::neg: return isTile(op.getX()) ? "-" + operand(op.getX()) : "neg(" + x + ")";
  case tile::UnaryKind::bit_not: {
    bool boolean = tile::elementType(op.getType()).isInteger(1);
    return asResult(op, (boolean ? "!" : "~") + operand(op.getX()));
  }
  case tile::UnaryKind::abs:
    if (op.getIsUnsigned())
      return x;
    [[fallthrough]];
  default:
    bool plain = op.getRounding() == tile::Rounding::full; // the default of exp and tanh
    return tile::stringifyUnaryKind(op.getKind()).str() +
           (plain ? "" : modes(op.getRounding(), op.getFlush())) + "(" + x +
           flushArgument(op.getFlush()) + ")";
  }
}

std::string KernelPrinter::binary(tile::BinaryOp op) {
  using Kind = tile::BinaryKind;
  Kind kind = op.getKind();
  std::string m = modes(op.getRounding(), op.getFlush());
  std::string name = tile::stringifyBinaryKind(kind).str();
  bool tiles = isTile(op.getResult()), integral = !isFloat(op.getResult());
  bool boolean = tile::elementType(op.getType()).isInteger(1);
  if (op->hasAttr(tile::usuallyOneAttr))
    return call("rescale", {op.getX(), op.getY()});
  auto [symbol, differsUnsigned] = spelling(kind);
  // bool is an unsigned number of one bit; the runtime computes it as such.
  if (differsUnsigned && integral && op.getIsUnsigned() && !boolean)
    return call(name + "_unsigned", {op.getX(), op.getY()});
  if (!symbol.empty() && m.empty() && tiles)
    return infix(op.getX(), symbol, op.getY());
  // The runtime has functors of these names, and no functions.
  if (llvm::is_contained({Kind::bit_and, Kind::bit_or, Kind::bit_xor}, kind))
    return asResult(op, infix(op.getX(), symbol, op.getY()));
  return name + m + "(" + use(op.getX()) + ", " + use(op.getY()) + flushArgument(op.getFlush()) +
         ")";
}

std::string KernelPrinter::castText(tile::CastOp op) {
  Type from = tile::elementType(op.getX().getType()), to = tile::elementType(op.getType());
  bool fromUnsigned = op.getFromUnsigned() && isa<IntegerType>(from) && !from.isInteger(1);
  bool toUnsigned =
      op.getToUnsigned() && isa<IntegerType>(to) && isa<FloatType>(from) && !to.isInteger(1);
  std::string name = fromUnsigned ? "cast_unsigned" : toUnsigned ? "cast_to_unsigned" : "cast";
  std::string rounding = op.getRounding() == tile::Rounding::nearest
                             ? ""
                             : ", rounding::" + tile::stringifyRounding(op.getRounding()).str();
  return name + "<" + elementName(to) + rounding + ">(" + use(op.getX()) + ")";
}

// In memory a pointer is a char pointer, whatever its pointee at its uses.
std::string KernelPrinter::loadedResult(Value result, const std::string &load) {
  return isPointer(result) ? pointerResult(result, load, Type()) : load;
}

std::optional<std::string> KernelPrinter::tileExpression(Operation *op) {
  return llvm::TypeSwitch<Operation *, Expression>(op)
      .Case<tile::SplatOp, tile::IotaOp, tile::ScalarOp, tile::UnaryOp, tile::BinaryOp, tile::FmaOp,
            tile::CompareOp, tile::ClassifyOp, tile::SelectOp, tile::CastOp, tile::Bf16TermOp,
            tile::BitcastOp, tile::ReshapeOp, tile::PermuteOp, tile::CatOp, tile::ExtractOp,
            tile::InsertOp, tile::MmaOp, tile::BroadcastOp, tile::ConvertLayoutOp, tile::PartOp,
            tile::JoinOp, tile::SharedLoadPartOp, tile::ReduceOp, tile::ScanCarryOp, tile::ScanOp,
            tile::OffsetOp, tile::DifferenceOp, tile::LoadOp, tile::ViewLoadOp, tile::AtomicRmwOp,
            tile::AtomicCompareExchangeOp, tile::AtomicLoadOp, tile::SharedLoadOp,
            tile::SharedMmaOp, tile::TensorMapExistsOp, tile::MmaBeginOp, tile::AllowsChunksOp,
            tile::RowShiftOp, tile::LocalLoadOp, tile::BlockMemoryOp, tile::FirstWorkTileOp,
            tile::WorkTileStepOp, tile::WorkTileCountOp, tile::ScheduledWorkTileOp,
            tile::BlockIndexOp, tile::GridSizeOp, tile::LaunchedWarpsOp, tile::WarpgroupIndexOp,
            tile::AssumeOp, ub::PoisonOp, arith::ConstantOp>([&](auto o) { return express(o); })
      .Default([](Operation *) { return std::nullopt; });
}

std::string KernelPrinter::choice(Value v, Value like) {
  return isPointer(v) ? assignable(v, like) : use(v);
}

KernelPrinter::Expression KernelPrinter::express(tile::SplatOp o) {
  std::string x = isa<LLVM::LLVMPointerType>(o.getX().getType()) ? pointer(o.getX(), pointers.of(o))
                                                                 : use(o.getX());
  return "splat<" + layoutOf(o.getResult()) + ">(" + x + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::IotaOp o) {
  return "iota<" + elementName(tile::elementType(o.getType())) + ", " + layoutOf(o.getResult()) +
         ">()";
}

KernelPrinter::Expression KernelPrinter::express(tile::ScalarOp o) {
  return "scalar(" + use(o.getX()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::UnaryOp o) { return unary(o); }

KernelPrinter::Expression KernelPrinter::express(tile::BinaryOp o) { return binary(o); }

KernelPrinter::Expression KernelPrinter::express(tile::FmaOp o) {
  return "fma" + modes(o.getRounding(), o.getFlush()) + "(" + use(o.getX()) + ", " + use(o.getY()) +
         ", " + use(o.getZ()) + flushArgument(o.getFlush()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::CompareOp o) {
  static constexpr StringRef symbols[] = {"==", "!=", "<", "<=", ">", ">="};
  bool equality = o.getKind() == tile::CompareKind::eq || o.getKind() == tile::CompareKind::ne;
  Type element = tile::elementType(o.getX().getType());
  bool boolean = element.isInteger(1);
  if (isa<LLVM::LLVMPointerType>(element))
    return pointer(o.getX(), Pointee{}) + " " + symbols[int(o.getKind())].str() + " " +
           pointer(o.getY(), Pointee{});
  if (o.getIsUnsigned() && !equality && isa<IntegerType>(element) && !boolean)
    return call(tile::stringifyCompareKind(o.getKind()).str() + "_unsigned", {o.getX(), o.getY()});
  return infix(o.getX(), symbols[int(o.getKind())], o.getY());
}

KernelPrinter::Expression KernelPrinter::express(tile::ClassifyOp o) {
  return call(tile::stringifyClassifyKind(o.getKind()), {o.getX()});
}

KernelPrinter::Expression KernelPrinter::express(tile::SelectOp o) {
  return "select(" + use(o.getMask()) + ", " + choice(o.getX(), o) + ", " + choice(o.getY(), o) +
         ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::CastOp o) { return castText(o); }

KernelPrinter::Expression KernelPrinter::express(tile::Bf16TermOp o) {
  return "bf16_term<" + std::to_string(o.getTerm()) + ">(" + use(o.getX()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::BitcastOp o) {
  Type to = tile::elementType(o.getType());
  std::string name =
      isa<LLVM::LLVMPointerType>(to) ? pointers.of(o.getResult()).pointer() : elementName(to);
  return "bitcast<" + name + ">(" + use(o.getX()) + ")";
}

// Of names for the same registers only the last one counts.
std::string KernelPrinter::relabelled(Operation *op, Value x) {
  if (op->hasAttr(tile::expandedAttr) && !options.isWhole)
    return use(x);
  return "relabel<" + layoutOf(op->getResult(0)) + ">(" + use(x) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::ReshapeOp o) {
  return relabelled(o, o.getX());
}

// Of fragments it changes names alone; of whole tiles elements move.
KernelPrinter::Expression KernelPrinter::express(tile::PermuteOp o) {
  if (!options.isWhole)
    return relabelled(o, o.getX());
  std::string map;
  for (int64_t dim : o.getMap())
    map += ", " + std::to_string(dim);
  return "permute<" + layoutOf(o.getResult()) + map + ">(" + use(o.getX()) + ")";
}

// These are operations on whole tiles alone: the plan replaces them.
KernelPrinter::Expression KernelPrinter::express(tile::CatOp o) {
  if (!options.isWhole)
    return std::nullopt;
  return "cat<" + layoutOf(o.getResult()) + ", " + std::to_string(o.getDim()) + ">(" +
         choice(o.getX(), o) + ", " + choice(o.getY(), o) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::ExtractOp o) {
  if (!options.isWhole)
    return std::nullopt;
  return call("extract<" + layoutOf(o.getResult()) + ">", o->getOperands());
}

KernelPrinter::Expression KernelPrinter::express(tile::InsertOp o) {
  if (!options.isWhole)
    return std::nullopt;
  std::string index;
  for (Value i : o.getIndex())
    index += ", " + use(i);
  return "insert(" + choice(o.getX(), o) + ", " + choice(o.getPart(), o) + index + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::MmaOp o) {
  if (!options.isWhole)
    return std::nullopt;
  auto name = [](bool isUnsigned) { return isUnsigned ? "true" : "false"; };
  const std::string signs =
      o.getAUnsigned() || o.getBUnsigned()
          ? std::string("<") + name(o.getAUnsigned()) + ", " + name(o.getBUnsigned()) + ">"
          : "";
  return call("mma" + signs, {o.getA(), o.getB(), o.getC()});
}

KernelPrinter::Expression KernelPrinter::express(tile::BroadcastOp o) {
  return "broadcast<" + layoutOf(o.getResult()) + ">(" + use(o.getX()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::ConvertLayoutOp o) {
  return "convert<" + layoutOf(o.getResult()) + ">(" + use(o.getX()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::PartOp o) {
  return "part<" + layoutOf(o.getResult()) + ", " + std::to_string(o.getMask()) + ", " +
         std::to_string(o.getValue()) + ">(" + use(o.getX()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::JoinOp o) {
  return "join<" + layoutOf(o.getResult()) + ">(" + use(o.getX()) + ", " + use(o.getY()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::ReduceOp o) {
  bool arg = o.getKind() == tile::ReduceKind::argmax || o.getKind() == tile::ReduceKind::argmin;
  return std::string(arg ? "argreduce<" : "reduce<") +
         combiner(o.getKind(), o.getIsUnsigned() && isNumber(o.getX()), o.getRounding(),
                  o.getFlush()) +
         ", " + std::to_string(o.getDim()) + ", " + layoutOf(o.getResult()) + ">(" + use(o.getX()) +
         (o.getIndices() ? ", " + use(o.getIndices()) : "") + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::ScanCarryOp o) {
  return "scan_carry<" + combiner(o.getKind(), false, o.getRounding(), o.getFlush()) + ", " +
         std::to_string(o.getDim()) + ", " + (o.getBackward() ? "true" : "false") + ">(" +
         use(o.getX()) + ", " + use(o.getTotals()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::ScanOp o) {
  return "scan<" + combiner(o.getKind(), false, o.getRounding(), o.getFlush()) + ", " +
         std::to_string(o.getDim()) + ", " + (o.getBackward() ? "true" : "false") + ">(" +
         use(o.getX()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::OffsetOp o) {
  std::string count = use(o.getCount());
  bool narrow = tile::elementType(o.getCount().getType()).getIntOrFloatBitWidth() < 64;
  if (narrow && o.getIsUnsigned())
    count =
        isTile(o.getCount()) ? "cast_unsigned<long long>(" + count + ")" : use(o.getCount(), true);
  Pointee step{o.getPointee(), pointers.of(o).isConst};
  return pointerResult(o, "offset(" + pointer(o.getPointers(), step) + ", " + count + ")",
                       step.element);
}

KernelPrinter::Expression KernelPrinter::express(tile::DifferenceOp o) {
  return "difference(" + pointer(o.getX(), o.getPointee()) + ", " +
         pointer(o.getY(), o.getPointee()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::SharedMmaOp o) {
  return multiplication(o, o.startsFromZero() ? std::string() : use(o.getC()));
}

// accumulator: none of a product that is not in flight and adds to nothing.
std::string KernelPrinter::multiplication(tile::SharedMmaOp o, const std::string &accumulator) {
  auto operand = [&](Value v, bool transposed) {
    return transposed ? "transposed(" + sharedTile(v) + ")" : sharedTile(v);
  };
  const MmaInstruction &instruction = o.getInstruction();
  std::string name = o.getPromotes() ? "promoted_" : "";
  name += o.getInFlight() ? "mma_start" : instruction.function.str();
  name += o.startsFromZero() ? "_from_zero" : "";
  SmallVector<std::string, 2> parameters;
  if (accumulator.empty())
    parameters.push_back(layoutOf(o.getResult()));
  if (instruction.hasOneSign()) {
    if (o.getAUnsigned())
      parameters.push_back("true");
  } else if (!o.getInFlight() && (o.getAUnsigned() || o.getBUnsigned())) { // else implied by C
    for (bool isUnsigned : {o.getAUnsigned(), o.getBUnsigned()})
      parameters.push_back(isUnsigned ? "true" : "false");
  }
  if (!parameters.empty())
    name += "<" + llvm::join(parameters, ", ") + ">";
  std::string a = o.hasAInRegisters() ? use(o.getA()) : operand(o.getA(), o.getATransposed());
  return name + "(" + a + ", " + operand(o.getB(), o.getBTransposed()) +
         (accumulator.empty() ? "" : ", " + accumulator) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::MmaBeginOp o) {
  tile::SharedMmaOp multiply = o.getMultiply();
  if (multiply.getInstruction().isAsync())
    return "mma_begin(" + use(o.getX()) + ")";
  Type element = multiply.getB().getType().getElementType();
  auto nameOf = [&](bool isUnsigned) {
    return isUnsigned ? "unsigned char" : elementName(element);
  };
  std::string elements = nameOf(multiply.getAUnsigned());
  if (multiply.getAUnsigned() != multiply.getBUnsigned())
    elements += ", " + nameOf(multiply.getBUnsigned());
  return "delay_last_step<" + elements + ">(" + use(o.getX()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::FirstWorkTileOp /*op*/) {
  return "block_index<0>()";
}

KernelPrinter::Expression KernelPrinter::express(tile::WorkTileStepOp /*op*/) {
  return "grid_size<0>()";
}

KernelPrinter::Expression KernelPrinter::express(tile::WorkTileCountOp /*op*/) {
  return "work_tile_count" + workTiles() + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::ScheduledWorkTileOp o) {
  return "scheduled_work_tile" +
         workTiles(std::to_string(o.getAxis()) +
                   (o.getLongestFirst() ? ", longest::first, " : ", longest::last, ")) +
         ", " + use(o.getLinearIndex()) + ")";
}

KernelPrinter::Expression KernelPrinter::express(tile::BlockIndexOp o) {
  if (o.getWorkTile())
    return (o.getSwizzled() ? "swizzled_block_at" : "block_at") +
           workTiles(std::to_string(o.getAxis()) + ", ") + ", " + use(o.getWorkTile()) + ")";
  return (o.getSwizzled() ? "swizzled_block_index<" : "block_index<") +
         std::to_string(o.getAxis()) + ">()";
}

KernelPrinter::Expression KernelPrinter::express(tile::GridSizeOp o) {
  if (isCoarsened())
    return "int(" + coarsened + ".blocks." + "xyz"[o.getAxis()] + ")";
  return "grid_size<" + std::to_string(o.getAxis()) + ">()";
}

KernelPrinter::Expression KernelPrinter::express(tile::LaunchedWarpsOp /*op*/) {
  return "launched_warps()";
}

KernelPrinter::Expression KernelPrinter::express(tile::WarpgroupIndexOp /*op*/) {
  return "warpgroup_index()";
}

KernelPrinter::Expression KernelPrinter::express(tile::AssumeOp o) {
  return isPointer(o) ? assignable(o.getX(), o) : use(o.getX(), isUnsigned(o));
}

KernelPrinter::Expression KernelPrinter::express(ub::PoisonOp o) {
  return isTile(o.getResult()) ? Expression(variableType(o.getResult()) + "{}") : std::nullopt;
}

KernelPrinter::Expression KernelPrinter::express(arith::ConstantOp o) {
  if (auto dense = dyn_cast<DenseElementsAttr>(o.getValue()); dense && dense.isSplat())
    return "splat<" + layoutOf(o.getResult()) + ">((" + elementName(dense.getElementType()) + ")" +
           literal(dense.getSplatValue<TypedAttr>()) + ")";
  return isTile(o.getResult()) ? std::nullopt : Expression(literal(cast<TypedAttr>(o.getValue())));
}

} // namespace tessera::emit
