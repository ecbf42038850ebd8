// Facts, by walking up the definitions of a value.
#include "plan/analysis/Facts.h"
#include "plan/Plan.h"
#include "plan/analysis/Reach.h"
#include "tile/Attributes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tile/TileDialect.h"
#include <algorithm>

using namespace mlir;

namespace tessera::plan {

namespace {

constexpr int64_t limit = maxDivisor;

int64_t divisor(Value v, Reach reach);

int64_t divisorOfArgument(BlockArgument argument, Reach reach) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast_or_null<scf::WhileOp>(parent);
      loop && argument.getOwner() == loop.getAfterBody())
    return divisor(loop.getConditionOp().getArgs()[argument.getArgNumber()], reach);
  auto loop = dyn_cast_or_null<scf::ForOp>(parent);
  if (!loop || argument != loop.getInductionVar())
    return 1;
  return std::min(divisor(loop.getLowerBound(), reach), divisor(loop.getStep(), reach));
}

int64_t combine(tile::BinaryKind kind, Value x, Value y, Reach reach) {
  switch (kind) {
  case tile::BinaryKind::add:
  case tile::BinaryKind::sub:
  case tile::BinaryKind::min:
  case tile::BinaryKind::max: return std::min(divisor(x, reach), divisor(y, reach));
  case tile::BinaryKind::mul: return std::min(divisor(x, reach) * divisor(y, reach), limit);
  default: return 1;
  }
}

int64_t divisorOfAddress(LLVM::GEPOp gep, Reach reach) {
  const Type element = gep.getElemType();
  if (gep.getIndices().size() != 1 || !element.isIntOrFloat())
    return 1;
  auto index = *gep.getIndices().begin();
  const int64_t n = isa<Value>(index) ? divisor(cast<Value>(index), reach)
                                      : powerOfTwoIn(cast<IntegerAttr>(index).getInt());
  return std::min(divisor(gep.getBase(), reach),
                  std::min<int64_t>(n * tile::storageBits(element) / 8, limit));
}

int64_t divisor(Value v, Reach reach) {
  if (!reach.goesOn() || !isa<IntegerType, LLVM::LLVMPointerType>(v.getType()))
    return 1;
  APInt constant;
  if (matchPattern(v, m_ConstantInt(&constant)))
    return powerOfTwoIn(constant.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(v))
    return divisorOfArgument(argument, reach);
  return TypeSwitch<Operation *, int64_t>(v.getDefiningOp())
      .Case([&](tile::AssumeOp op) {
        const auto stated = op.getDivisible() ? op.getDivisible() : op.getAligned();
        return std::max(divisor(op.getX(), reach), powerOfTwoIn(stated.value_or(1)));
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::OrIOp, arith::MinSIOp, arith::MinUIOp,
            arith::MaxSIOp, arith::MaxUIOp>([&](auto op) {
        return std::min(divisor(op.getLhs(), reach), divisor(op.getRhs(), reach));
      })
      .Case([&](arith::AndIOp op) {
        return std::max(divisor(op.getLhs(), reach), divisor(op.getRhs(), reach));
      })
      .Case([&](arith::MulIOp op) {
        return std::min(divisor(op.getLhs(), reach) * divisor(op.getRhs(), reach), limit);
      })
      .Case([&](arith::ShLIOp op) -> int64_t {
        auto count = constantOf(op.getRhs());
        return count && *count < 20 ? std::min(divisor(op.getLhs(), reach) << *count, limit) : 1;
      })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
          [&](auto op) { return divisor(op.getIn(), reach); })
      .Case([&](arith::SelectOp op) {
        return std::min(divisor(op.getTrueValue(), reach), divisor(op.getFalseValue(), reach));
      })
      .Case([&](LLVM::GEPOp op) { return divisorOfAddress(op, reach); })
      .Case([&](tile::CastOp op) {
        return op.getType().isInteger(1) ? 1 : divisor(op.getX(), reach);
      })
      .Case([&](tile::BinaryOp op) { return combine(op.getKind(), op.getX(), op.getY(), reach); })
      .Default([](Operation *) { return 1; });
}

} // namespace

int64_t powerOfTwoIn(int64_t n) {
  return n == 0 ? limit : int64_t(std::min<uint64_t>(uint64_t(n) & -uint64_t(n), limit));
}

int64_t divisorOf(Value number) {
  int steps = stepsOfWalk;
  return divisor(number, Reach(steps));
}

bool startsAtChunk(ValueRange coordinates, Type element) {
  return divisorOf(coordinates.back()) * tile::storageBits(element) / 8 % 16 == 0;
}

bool isZero(Value v) {
  while (isa_and_present<tile::SplatOp, tile::BroadcastOp, tile::ReshapeOp, tile::CastOp>(
      v.getDefiningOp()))
    v = v.getDefiningOp()->getOperand(0);
  return matchPattern(v, m_PosZeroFloat()) || matchPattern(v, m_Zero());
}

std::optional<int64_t> constantOf(Value integer) {
  APInt constant;
  if (matchPattern(integer, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

// Each thread's own: a local variable, a struct that is a parameter.
static bool isLocalMemory(Value base) {
  if (auto argument = dyn_cast<BlockArgument>(base))
    if (auto kernel = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()))
      return bool(kernel.getArgAttr(argument.getArgNumber(), tile::byvalAttr));
  return isa_and_present<LLVM::AllocaOp, tile::LocalAllocOp>(base.getDefiningOp());
}

// Memory of the block that its kernel allocates: no pointer from elsewhere has its address.
static bool isBlockMemory(Value base) {
  return base.getDefiningOp<tile::BlockMemoryOp>() != nullptr;
}

// The pointers that an op computes this one from, or that branches and loops choose it from; none
// where it is a base, or unknown.
static SmallVector<Value, 2> pointersBehind(Value pointer) {
  auto argument = dyn_cast<BlockArgument>(pointer);
  Operation *op = argument ? argument.getOwner()->getParentOp() : pointer.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (!argument)
      argument = loop.getTiedLoopRegionIterArg(cast<OpResult>(pointer));
    return {loop.getTiedLoopInit(argument)->get(), loop.getTiedLoopYieldedValue(argument)->get()};
  }
  if (argument)
    return {};
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(pointer).getResultNumber();
    return {branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)};
  }
  return TypeSwitch<Operation *, SmallVector<Value, 2>>(op)
      .Case([](tile::AssumeOp o) { return SmallVector<Value, 2>{o.getX()}; })
      .Case([](LLVM::IntToPtrOp o) {
        return isBlockMemory(o.getArg()) ? SmallVector<Value, 2>{o.getArg()}
                                         : SmallVector<Value, 2>();
      })
      .Case([](LLVM::GEPOp o) { return SmallVector<Value, 2>{o.getBase()}; })
      .Case([](tile::OffsetOp o) { return SmallVector<Value, 2>{o.getPointers()}; })
      .Case([](arith::SelectOp o) {
        return SmallVector<Value, 2>{o.getTrueValue(), o.getFalseValue()};
      })
      .Case<tile::SplatOp, tile::BroadcastOp, tile::ReshapeOp, tile::PermuteOp,
            tile::ConvertLayoutOp, tile::SaveOp>(
          [](auto o) { return SmallVector<Value, 2>{o.getX()}; })
      .Default([](Operation *) { return SmallVector<Value, 2>(); });
}

static bool isBase(Value pointer) {
  Operation *op = pointer.getDefiningOp();
  return op ? isLocalMemory(pointer) || isBlockMemory(pointer) || isa<tile::FieldOp>(op)
            : isa<func::FuncOp>(pointer.getParentBlock()->getParentOp());
}

Value baseOf(Value pointer) {
  constexpr size_t limit = 96; // of chains of additions to a pointer
  llvm::SmallSetVector<Value, 8> all;
  all.insert(pointer);
  Value base;
  for (size_t i = 0; i < all.size(); ++i) {
    SmallVector<Value, 2> behind = pointersBehind(all[i]);
    all.insert(behind.begin(), behind.end());
    if (all.size() > limit)
      return {};
    if (!behind.empty())
      continue;
    if (!isBase(all[i]) || (base && base != all[i]))
      return {};
    base = all[i];
  }
  return base;
}

bool mayAlias(Value x, Value y) {
  if (!x || !y || x == y)
    return true;
  if (isLocalMemory(x) || isLocalMemory(y) || isBlockMemory(x) || isBlockMemory(y))
    return false;
  auto isRestrict = [](Value v) {
    auto argument = dyn_cast<BlockArgument>(v);
    if (!argument)
      return false; // a field
    auto kernel = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    return bool(kernel.getArgAttr(argument.getArgNumber(), tile::restrictAttr));
  };
  return !isRestrict(x) && !isRestrict(y);
}

namespace {

bool isLocal(Value pointer) {
  Value base = pointer ? baseOf(pointer) : Value();
  return base && isLocalMemory(base);
}

bool isStrong(Operation *op) {
  return TypeSwitch<Operation *, bool>(op)
      .Case<tile::AtomicRmwOp, tile::AtomicCompareExchangeOp, tile::AtomicLoadOp,
            tile::AtomicStoreOp>(
          [](auto atomic) { return atomic.getOrder() != tile::MemoryOrder::relaxed; })
      .Default([](Operation *) { return false; });
}

} // namespace

bool runsBeforeLast(tile::ViewLoadOp load) {
  ArrayRef<int64_t> strides = load.getStaticStrides();
  return strides.size() >= 2 && strides.back() != 1 && strides[strides.size() - 2] == 1;
}

bool isElementwise(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() && isa<tile::TileDialect>(op->getDialect()) &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

Operation *loopAround(Operation *op) {
  auto loop = op->getParentOfType<LoopLikeOpInterface>();
  return loop && !loop->hasAttr(tile::workTilesAttr) ? loop.getOperation() : nullptr;
}

bool isOrderSeen(func::FuncOp kernel) {
  WalkResult walk = kernel.getBody().walk([](Operation *op) {
    bool isSeen = isa<tile::AtomicLoadOp, tile::AtomicStoreOp, tile::AtomicCompareExchangeOp>(op) ||
                  (isa<tile::AtomicRmwOp>(op) && !op->use_empty()) || globalEffectsOf(op).orders;
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      isSeen |= load.getVolatile_();
    return isSeen ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

Value addressOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<tile::ViewLoadOp, tile::ViewStoreOp, tile::CopyAsyncOp, tile::BulkStoreOp,
            tile::StorePartsOp>([](auto o) { return o.getBase(); })
      .Case<tile::LoadOp, tile::StoreOp, tile::AtomicRmwOp, tile::AtomicCompareExchangeOp,
            tile::AtomicStoreOp, tile::AtomicLoadOp, tile::GatherAsyncOp>(
          [](auto o) { return o.getPointers(); })
      .Case<LLVM::LoadOp, LLVM::StoreOp>([](auto o) { return o.getAddr(); })
      .Default([](Operation *) { return Value(); });
}

GlobalEffects globalEffectsOf(Operation *op) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || op->hasTrait<OpTrait::IsTerminator>())
    return {};
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return {true, true, true};
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  GlobalEffects result;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    SideEffects::Resource *resource = effect.getResource();
    bool isGlobal = isa<tile::GlobalMemory>(resource),
         isAnything = isa<SideEffects::DefaultResource>(resource);
    if ((!isGlobal && !isAnything) || isLocal(effect.getValue()))
      continue;
    // A volatile access must be made as often as it is written, but does not order others.
    if (isa<LLVM::LoadOp, LLVM::StoreOp>(op) && !effect.getValue())
      continue;
    result.reads |= isa<MemoryEffects::Read>(effect.getEffect());
    result.writes |= isa<MemoryEffects::Write>(effect.getEffect());
    // An effect on no particular value: what it reads and writes is unknown.
    result.orders |=
        isAnything && !effect.getValue() && !isa<MemoryEffects::Allocate>(effect.getEffect());
  }
  result.orders |= isStrong(op);
  return result;
}

std::optional<GlobalAccesses> globalAccessesOf(func::FuncOp kernel) {
  GlobalAccesses accesses;
  const bool areKnown = !kernel.getBody()
                             .walk([&](Operation *op) {
                               const GlobalEffects effects = globalEffectsOf(op);
                               const bool isAccess = effects.reads || effects.writes,
                                          isSeen = !isAccess && !op->getNumRegions() &&
                                                   !isMemoryEffectFree(op) &&
                                                   !op->hasTrait<OpTrait::IsTerminator>();
                               if (effects.orders || isSeen || (isAccess && !addressOf(op)))
                                 return WalkResult::interrupt();
                               if (isAccess)
                                 (effects.writes ? accesses.writes : accesses.reads).push_back(op);
                               return WalkResult::advance();
                             })
                             .wasInterrupted();
  return areKnown ? std::optional(accesses) : std::nullopt;
}

bool isReadIn(func::FuncOp kernel, Value base, function_ref<bool(Operation *)> isLeftOut) {
  return kernel
      .walk([&](Operation *op) {
        Value address = addressOf(op);
        bool reads = op != kernel && globalEffectsOf(op).reads && !(isLeftOut && isLeftOut(op)) &&
                     mayAlias(address ? baseOf(address) : Value(), baseOf(base));
        return reads ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace tessera::plan
