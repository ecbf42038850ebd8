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

std::string atomicName(tile::AtomicKind kind, bool isUnsigned) {
  std::string name = tile::stringifyAtomicKind(kind).str();
  bool ordered = kind == tile::AtomicKind::max || kind == tile::AtomicKind::min;
  return "atomic::" + name + (ordered && isUnsigned ? "_unsigned" : "");
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
  auto [symbol, differsUnsigned] = spelling(kind);
  // bool is an unsigned number of one bit; the runtime computes it as such.
  if (differsUnsigned && integral && op.getIsUnsigned() && !boolean)
    return call(name + "_unsigned", {op.getX(), op.getY()});
  if (!symbol.empty() && m.empty() && tiles)
    return infix(op.getX(), symbol, op.getY());
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
  bool isPointer = isa<LLVM::LLVMPointerType>(tile::elementType(result.getType()));
  return isPointer ? pointerResult(result, load, Type()) : load;
}

std::optional<std::string> KernelPrinter::tileExpression(Operation *op) {
  using Text = std::optional<std::string>;
  auto ordered = [&](tile::MemoryOrder order, tile::Scope scope) {
    return "order::" + tile::stringifyMemoryOrder(order).str() +
           ", scope::" + tile::stringifyScope(scope).str();
  };
  auto masked = [&](Value pointers, Value mask) {
    return isTile(pointers) || !matchPattern(mask, m_One()) ? ", " + use(mask) : std::string();
  };
  auto isPointer = [](Value v) {
    return isa<LLVM::LLVMPointerType>(tile::elementType(v.getType()));
  };
  auto padding = [&](Value v) -> std::string {
    std::string text = isPointer(v) ? pointer(v, Pointee{}) : use(v);
    return isPrimary(text) ? text : "(" + text + ")";
  };
  auto chosen = [&](Value v, Value like) { return isPointer(v) ? assignable(v, like) : use(v); };
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](tile::SplatOp o) -> Text {
        std::string x = isa<LLVM::LLVMPointerType>(o.getX().getType())
                            ? pointer(o.getX(), pointers.of(o))
                            : use(o.getX());
        return "splat<" + layoutOf(o.getResult()) + ">(" + x + ")";
      })
      .Case([&](tile::IotaOp o) -> Text {
        return "iota<" + elementName(tile::elementType(o.getType())) + ", " +
               layoutOf(o.getResult()) + ">()";
      })
      .Case([&](tile::ScalarOp o) -> Text { return "scalar(" + use(o.getX()) + ")"; })
      .Case([&](tile::UnaryOp o) -> Text { return unary(o); })
      .Case([&](tile::BinaryOp o) -> Text { return binary(o); })
      .Case([&](tile::FmaOp o) -> Text {
        return "fma" + modes(o.getRounding(), o.getFlush()) + "(" + use(o.getX()) + ", " +
               use(o.getY()) + ", " + use(o.getZ()) + flushArgument(o.getFlush()) + ")";
      })
      .Case([&](tile::CompareOp o) -> Text {
        static constexpr StringRef symbols[] = {"==", "!=", "<", "<=", ">", ">="};
        bool equality =
            o.getKind() == tile::CompareKind::eq || o.getKind() == tile::CompareKind::ne;
        Type element = tile::elementType(o.getX().getType());
        bool boolean = element.isInteger(1);
        if (isa<LLVM::LLVMPointerType>(element))
          return pointer(o.getX(), Pointee{}) + " " + symbols[int(o.getKind())].str() + " " +
                 pointer(o.getY(), Pointee{});
        if (o.getIsUnsigned() && !equality && isa<IntegerType>(element) && !boolean)
          return call(tile::stringifyCompareKind(o.getKind()).str() + "_unsigned",
                      {o.getX(), o.getY()});
        return infix(o.getX(), symbols[int(o.getKind())], o.getY());
      })
      .Case([&](tile::ClassifyOp o) -> Text {
        return call(tile::stringifyClassifyKind(o.getKind()), {o.getX()});
      })
      .Case([&](tile::SelectOp o) -> Text {
        return "select(" + use(o.getMask()) + ", " + chosen(o.getX(), o) + ", " +
               chosen(o.getY(), o) + ")";
      })
      .Case([&](tile::CastOp o) -> Text { return castText(o); })
      .Case([&](tile::BitcastOp o) -> Text {
        Type to = tile::elementType(o.getType());
        std::string name =
            isa<LLVM::LLVMPointerType>(to) ? pointers.of(o.getResult()).pointer() : elementName(to);
        return "bitcast<" + name + ">(" + use(o.getX()) + ")";
      })
      .Case<tile::ReshapeOp, tile::PermuteOp>([&](auto o) -> Text {
        return "relabel<" + layoutOf(o.getResult()) + ">(" + use(o.getX()) + ")";
      })
      .Case([&](tile::BroadcastOp o) -> Text {
        return "broadcast<" + layoutOf(o.getResult()) + ">(" + use(o.getX()) + ")";
      })
      .Case([&](tile::ConvertLayoutOp o) -> Text {
        return "convert<" + layoutOf(o.getResult()) + ">(" + use(o.getX()) + ")";
      })
      .Case([&](tile::PartOp o) -> Text {
        return "part<" + layoutOf(o.getResult()) + ", " + std::to_string(o.getMask()) + ", " +
               std::to_string(o.getValue()) + ">(" + use(o.getX()) + ")";
      })
      .Case([&](tile::SharedLoadPartOp o) -> Text {
        return "load_shared_part<" + std::to_string(o.getMask()) + ", " +
               std::to_string(o.getValue()) + ">(" + sharedTile(o.getShared()) + ", " +
               use(o.getInto()) + ")";
      })
      .Case([&](tile::ReduceOp o) -> Text {
        bool arg =
            o.getKind() == tile::ReduceKind::argmax || o.getKind() == tile::ReduceKind::argmin;
        return std::string(arg ? "argreduce<" : "reduce<") +
               combiner(o.getKind(), o.getIsUnsigned() && isNumber(o.getX()), o.getRounding(),
                        o.getFlush()) +
               ", " + std::to_string(o.getDim()) + ", " + layoutOf(o.getResult()) + ">(" +
               use(o.getX()) + (o.getIndices() ? ", " + use(o.getIndices()) : "") + ")";
      })
      .Case([&](tile::ScanCarryOp o) -> Text {
        return "scan_carry<" + combiner(o.getKind(), false, o.getRounding(), o.getFlush()) + ", " +
               std::to_string(o.getDim()) + ", " + (o.getBackward() ? "true" : "false") + ">(" +
               use(o.getX()) + ", " + use(o.getTotals()) + ")";
      })
      .Case([&](tile::ScanOp o) -> Text {
        return "scan<" + combiner(o.getKind(), false, o.getRounding(), o.getFlush()) + ", " +
               std::to_string(o.getDim()) + ", " + (o.getBackward() ? "true" : "false") + ">(" +
               use(o.getX()) + ")";
      })
      .Case([&](tile::OffsetOp o) -> Text {
        std::string count = use(o.getCount());
        bool narrow = tile::elementType(o.getCount().getType()).getIntOrFloatBitWidth() < 64;
        if (narrow && o.getIsUnsigned())
          count = isTile(o.getCount()) ? "cast_unsigned<long long>(" + count + ")"
                                       : use(o.getCount(), true);
        Pointee step{o.getPointee(), pointers.of(o).isConst};
        return pointerResult(o, "offset(" + pointer(o.getPointers(), step) + ", " + count + ")",
                             step.element);
      })
      .Case([&](tile::DifferenceOp o) -> Text {
        return "difference(" + pointer(o.getX(), o.getPointee()) + ", " +
               pointer(o.getY(), o.getPointee()) + ")";
      })
      .Case([&](tile::LoadOp o) -> Text {
        std::string from =
            pointer(o.getPointers(), tile::elementType(o.getType()), !isTile(o.getPointers()));
        std::string load;
        if (isTile(o.getPointers())) {
          std::string rest = o.getMask() ? ", " + use(o.getMask()) + ", " + padding(o.getPadding())
                                         : std::string();
          load = "load" + runName(o.getAccess()) + "(" + from + rest + ")";
        } else {
          load = "load(" + from + ")";
          if (o.getMask())
            load = operand(o.getMask()) + " ? " + load + " : " + padding(o.getPadding());
        }
        return loadedResult(o, load);
      })
      .Case([&](tile::ViewLoadOp o) -> Text {
        Type element = tile::elementType(o.getType());
        std::string padding;
        static constexpr StringRef floats[] = {"0.0f", "-0.0f", "INFINITY", "-INFINITY", "NAN"};
        if (isa<FloatType>(element) && o.getPadding() != tile::Padding::zero)
          padding =
              ", cast<" + elementName(element) + ">(" + floats[int(o.getPadding())].str() + ")";
        std::string from = viewOf(o.getBase(), o.getExtents(), o.getStrides(), element, true);
        return loadedResult(o, "load<" + layoutOf(o.getResult()) + ", " +
                                   accessName(*o.getAccess()) + ">(" + from + ", " +
                                   box(o.getStarts()) + padding + ")");
      })
      .Case([&](tile::AtomicRmwOp o) -> Text {
        return "atomic_rmw<" + atomicName(o.getKind(), o.getIsUnsigned()) + ", " +
               ordered(o.getOrder(), o.getScope()) + ">(" +
               pointer(o.getPointers(), tile::elementType(o.getValue().getType())) + ", " +
               use(o.getValue()) + masked(o.getPointers(), o.getMask()) + ")";
      })
      .Case([&](tile::AtomicCompareExchangeOp o) -> Text {
        return "atomic_compare_exchange<" + ordered(o.getOrder(), o.getScope()) + ">(" +
               pointer(o.getPointers(), tile::elementType(o.getDesired().getType())) + ", " +
               use(o.getExpected()) + ", " + use(o.getDesired()) +
               masked(o.getPointers(), o.getMask()) + ")";
      })
      .Case([&](tile::AtomicLoadOp o) -> Text {
        std::string load = "atomic_load<" + ordered(o.getOrder(), o.getScope()) + ">(" +
                           pointer(o.getPointers(), tile::elementType(o.getType())) +
                           (isTile(o.getPointers()) ? ", " + use(o.getMask()) : "") + ")";
        bool conditional = !isTile(o.getPointers()) && !matchPattern(o.getMask(), m_One());
        if (!conditional)
          return load;
        std::string none = elementName(o.getType());
        return operand(o.getMask()) + " ? " + load + " : " +
               (isa<IntegerType>(o.getType()) ? "(" + none + ")0" : none + "()");
      })
      .Case([&](tile::SharedLoadOp o) -> Text {
        if (o.getStarts().empty())
          return "load_shared<" + layoutOf(o.getResult()) + ">(" + sharedTile(o.getShared()) + ")";
        return "load_shared_box<" + layoutOf(o.getResult()) + ">(" + sharedTile(o.getShared()) +
               ", " + box(o.getStarts()) + ")";
      })
      .Case([&](tile::SharedMmaOp o) -> Text {
        auto operand = [&](Value v, bool transposed) {
          return transposed ? "transposed(" + sharedTile(v) + ")" : sharedTile(v);
        };
        const MmaInstruction &instruction = o.getInstruction();
        std::string name = o.getInFlight() ? "mma_start" : instruction.function.str();
        if (instruction.hasOneSign())
          name += o.getAUnsigned() ? "<true>" : "";
        else if (!o.getInFlight() && (o.getAUnsigned() || o.getBUnsigned())) // else implied by C
          name += std::string("<") + (o.getAUnsigned() ? "true" : "false") + ", " +
                  (o.getBUnsigned() ? "true" : "false") + ">";
        std::string a = o.hasAInRegisters() ? use(o.getA()) : operand(o.getA(), o.getATransposed());
        return name + "(" + a + ", " + operand(o.getB(), o.getBTransposed()) + ", " +
               use(o.getC()) + ")";
      })
      .Case([&](tile::TensorMapExistsOp o) -> Text {
        return "has_tensor_map(" + text[o.getMap()] + ")";
      })
      .Case([&](tile::MmaBeginOp o) -> Text {
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
      })
      .Case([&](tile::AllowsChunksOp o) -> Text {
        return "allows_chunks<" + accessName(o.getAccess()) + ">(" +
               viewOf(o.getBase(), o.getExtents(), o.getStrides(), o.getElement(), true) + ")";
      })
      .Case([&](tile::LocalLoadOp o) -> Text {
        return operand(o.getArray()) + "[" + use(o.getIndex()) + "]";
      })
      .Case([&](tile::BlockMemoryOp o) -> Text {
        return "block_memory(" + std::to_string(o.getBytes()) + ")";
      })
      .Case([&](tile::FirstWorkTileOp) -> Text { return "block_index<0>()"; })
      .Case([&](tile::WorkTileStepOp) -> Text { return "grid_size<0>()"; })
      .Case([&](tile::WorkTileCountOp) -> Text { return "work_tile_count" + workTiles() + ")"; })
      .Case([&](tile::BlockIndexOp o) -> Text {
        if (o.getWorkTile())
          return (o.getSwizzled() ? "swizzled_block_at" : "block_at") +
                 workTiles(std::to_string(o.getAxis()) + ", ") + ", " + use(o.getWorkTile()) + ")";
        return (o.getSwizzled() ? "swizzled_block_index<" : "block_index<") +
               std::to_string(o.getAxis()) + ">()";
      })
      .Case([&](tile::GridSizeOp o) -> Text {
        if (isCoarsened())
          return "int(" + coarsened + ".blocks." + "xyz"[o.getAxis()] + ")";
        return "grid_size<" + std::to_string(o.getAxis()) + ">()";
      })
      .Case([&](tile::AssumeOp o) -> Text {
        return isPointer(o) ? assignable(o.getX(), o) : use(o.getX(), isUnsigned(o));
      })
      .Case([&](ub::PoisonOp o) -> Text {
        return isTile(o.getResult()) ? Text(variableType(o.getResult()) + "{}") : std::nullopt;
      })
      .Case([&](arith::ConstantOp o) -> Text {
        if (auto dense = dyn_cast<DenseElementsAttr>(o.getValue()); dense && dense.isSplat())
          return "splat<" + layoutOf(o.getResult()) + ">((" + elementName(dense.getElementType()) +
                 ")" + literal(dense.getSplatValue<TypedAttr>()) + ")";
        return isTile(o.getResult()) ? std::nullopt : Text(literal(cast<TypedAttr>(o.getValue())));
      })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tessera::emit
