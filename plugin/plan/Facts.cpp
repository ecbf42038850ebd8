// Facts by walking up the definitions of a value.
#include "plan/Facts.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "tile/TileDialect.h"
#include <algorithm>

using namespace mlir;

namespace tessera::plan {

namespace {

constexpr int64_t most = 1 << 20;
// Deep enough for address arithmetic, shallow enough to stay cheap on any input.
constexpr int maxDepth = 24;

int64_t powerOfTwoDivisor(int64_t n) {
  return n == 0 ? most : int64_t(std::min<uint64_t>(uint64_t(n) & -uint64_t(n), most));
}

int64_t divisor(Value v, int depth);

int64_t divisorOfArgument(BlockArgument argument, int depth) {
  auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument != loop.getInductionVar())
    return 1;
  return std::min(divisor(loop.getLowerBound(), depth), divisor(loop.getStep(), depth));
}

int64_t combine(tile::BinaryKind kind, Value x, Value y, int depth) {
  switch (kind) {
  case tile::BinaryKind::add:
  case tile::BinaryKind::sub:
  case tile::BinaryKind::min:
  case tile::BinaryKind::max: return std::min(divisor(x, depth), divisor(y, depth));
  case tile::BinaryKind::mul: return std::min(divisor(x, depth) * divisor(y, depth), most);
  default: return 1;
  }
}

int64_t divisor(Value v, int depth) {
  if (++depth > maxDepth || !isa<IntegerType>(v.getType()))
    return 1;
  APInt constant;
  if (matchPattern(v, m_ConstantInt(&constant)))
    return powerOfTwoDivisor(constant.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(v))
    return divisorOfArgument(argument, depth);
  return TypeSwitch<Operation *, int64_t>(v.getDefiningOp())
      .Case([&](tile::AssumeOp op) {
        return std::max(divisor(op.getX(), depth),
                        powerOfTwoDivisor(op.getDivisible().value_or(1)));
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::OrIOp, arith::MinSIOp, arith::MinUIOp,
            arith::MaxSIOp, arith::MaxUIOp>([&](auto op) {
        return std::min(divisor(op.getLhs(), depth), divisor(op.getRhs(), depth));
      })
      .Case([&](arith::AndIOp op) {
        return std::max(divisor(op.getLhs(), depth), divisor(op.getRhs(), depth));
      })
      .Case([&](arith::MulIOp op) {
        return std::min(divisor(op.getLhs(), depth) * divisor(op.getRhs(), depth), most);
      })
      .Case([&](arith::ShLIOp op) -> int64_t {
        auto count = constantOf(op.getRhs());
        return count && *count < 20 ? std::min(divisor(op.getLhs(), depth) << *count, most) : 1;
      })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
          [&](auto op) { return divisor(op.getIn(), depth); })
      .Case([&](arith::SelectOp op) {
        return std::min(divisor(op.getTrueValue(), depth), divisor(op.getFalseValue(), depth));
      })
      .Case([&](tile::CastOp op) {
        return op.getType().isInteger(1) ? 1 : divisor(op.getX(), depth);
      })
      .Case([&](tile::BinaryOp op) { return combine(op.getKind(), op.getX(), op.getY(), depth); })
      .Default([](Operation *) { return 1; });
}

int64_t alignment(Value v, int depth) {
  if (++depth > maxDepth)
    return 1;
  Operation *op = v.getDefiningOp();
  if (!op)
    return 1;
  return TypeSwitch<Operation *, int64_t>(op)
      .Case([&](tile::AssumeOp assume) {
        return std::max(alignment(assume.getX(), depth),
                        powerOfTwoDivisor(assume.getAligned().value_or(1)));
      })
      .Case([&](LLVM::GEPOp gep) -> int64_t {
        if (gep.getIndices().size() != 1)
          return 1;
        Type element = gep.getElemType();
        if (!element.isIntOrFloat())
          return 1;
        auto index = *gep.getIndices().begin();
        int64_t n = isa<Value>(index) ? divisor(cast<Value>(index), depth)
                                      : powerOfTwoDivisor(cast<IntegerAttr>(index).getInt());
        return std::min(alignment(gep.getBase(), depth),
                        std::min<int64_t>(n * tile::storageBits(element) / 8, most));
      })
      .Case([&](arith::SelectOp select) {
        return std::min(alignment(select.getTrueValue(), depth),
                        alignment(select.getFalseValue(), depth));
      })
      .Default([](Operation *) { return 1; });
}

} // namespace

int64_t divisorOf(Value integer) { return divisor(integer, 0); }

int64_t alignmentOf(Value pointer) { return alignment(pointer, 0); }

std::optional<int64_t> constantOf(Value integer) {
  APInt constant;
  if (matchPattern(integer, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

Value baseOf(Value pointer) {
  for (int depth = 0; depth < 4 * maxDepth; ++depth) {
    Operation *op = pointer.getDefiningOp();
    if (!op)
      return isa<func::FuncOp>(pointer.getParentBlock()->getParentOp()) ? pointer : Value();
    Value next = TypeSwitch<Operation *, Value>(op)
                     .Case([](tile::AssumeOp o) { return o.getX(); })
                     .Case([](LLVM::GEPOp o) { return o.getBase(); })
                     .Case([](tile::OffsetOp o) { return o.getPointers(); })
                     .Case<tile::SplatOp, tile::BroadcastOp, tile::ReshapeOp, tile::PermuteOp,
                           tile::ConvertLayoutOp>([](auto o) { return o.getX(); })
                     .Default([](Operation *) { return Value(); });
    if (!next)
      return isa<LLVM::AllocaOp>(op) ? pointer : Value();
    pointer = next;
  }
  return {};
}

bool mayAlias(Value x, Value y) {
  if (!x || !y || x == y)
    return true;
  if (x.getDefiningOp<LLVM::AllocaOp>() || y.getDefiningOp<LLVM::AllocaOp>())
    return false;
  auto isRestrict = [](Value v) {
    auto argument = cast<BlockArgument>(v);
    auto kernel = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    return bool(kernel.getArgAttr(argument.getArgNumber(), "tile.restrict"));
  };
  return !isRestrict(x) && !isRestrict(y);
}

} // namespace tessera::plan
