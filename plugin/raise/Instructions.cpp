// Instructions without memory: arithmetic, comparisons, casts, structs, lanes of vectors; and the
// switch over all instructions.
#include "raise/Translator.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/Operator.h"

using namespace mlir;

namespace tessera::raising {

void Translator::translate(const llvm::Instruction &instruction) {
  if (isa<llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst>(instruction))
    return lanes(instruction);
  bool isVector = instruction.getType()->isVectorTy();
  bool forwards = isa<llvm::SelectInst, llvm::FreezeInst, llvm::LoadInst, llvm::CastInst,
                      llvm::CallInst, llvm::ExtractValueInst>(instruction);
  if (isVector && !forwards)
    return unsupported(instruction, Refusal::LaneArithmetic, {instruction.getOpcodeName()});
  llvm::TypeSwitch<const llvm::Instruction *>(&instruction)
      .Case([&](const llvm::BinaryOperator *op) { define(*op, binary(*op)); })
      .Case([&](const llvm::UnaryOperator *op) {
        define(*op, create<arith::NegFOp>(value(op->getOperand(0))));
      })
      .Case([&](const llvm::CmpInst *op) { define(*op, compare(*op)); })
      .Case([&](const llvm::CastInst *op) { define(*op, cast(*op)); })
      .Case([&](const llvm::SelectInst *op) { select(*op); })
      .Case([&](const llvm::FreezeInst *op) { define(*op, values(op->getOperand(0))); })
      .Case([&](const llvm::ExtractValueInst *op) { extractValue(*op); })
      .Case([&](const llvm::InsertValueInst *op) { insertValue(*op); })
      .Case([&](const llvm::AllocaInst *op) { allocate(*op); })
      .Case([&](const llvm::GetElementPtrInst *op) {
        define(*op, address(*llvm::cast<llvm::GEPOperator>(op)));
      })
      .Case([&](const llvm::LoadInst *op) {
        if (Value loaded = load(*op))
          define(*op, loaded);
      })
      .Case([&](const llvm::StoreInst *op) { store(*op); })
      .Case([&](const llvm::CallInst *op) { call(*op); })
      .Case<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(
          [&](const llvm::Instruction *op) { unsupported(*op, Refusal::Atomic); })
      .Default([&](const llvm::Instruction *op) {
        unexpected(*op, Twine("the instruction '") + op->getOpcodeName() + "'");
      });
}

namespace {

arith::IntegerOverflowFlags overflowFlags(const llvm::BinaryOperator &instruction) {
  auto flags = arith::IntegerOverflowFlags::none;
  if (isa<llvm::OverflowingBinaryOperator>(instruction)) {
    if (instruction.hasNoSignedWrap())
      flags = flags | arith::IntegerOverflowFlags::nsw;
    if (instruction.hasNoUnsignedWrap())
      flags = flags | arith::IntegerOverflowFlags::nuw;
  }
  return flags;
}

arith::FastMathFlags fastMathFlags(const llvm::Instruction &instruction) {
  using F = arith::FastMathFlags;
  llvm::FastMathFlags from = instruction.getFastMathFlags();
  std::pair<bool, F> flags[] = {
      {from.allowReassoc(), F::reassoc}, {from.noNaNs(), F::nnan},
      {from.noInfs(), F::ninf},          {from.noSignedZeros(), F::nsz},
      {from.allowReciprocal(), F::arcp}, {from.allowContract(), F::contract},
      {from.approxFunc(), F::afn}};
  F result = F::none;
  for (auto [isSet, flag] : flags)
    if (isSet)
      result = result | flag;
  return result;
}

} // namespace

Value Translator::binary(const llvm::BinaryOperator &instruction) {
  Value x = value(instruction.getOperand(0)), y = value(instruction.getOperand(1));
  using B = llvm::Instruction;
  switch (instruction.getOpcode()) {
  case B::Add: return create<arith::AddIOp>(x, y, overflowFlags(instruction));
  case B::Sub: return create<arith::SubIOp>(x, y, overflowFlags(instruction));
  case B::Mul: return create<arith::MulIOp>(x, y, overflowFlags(instruction));
  case B::Shl: return create<arith::ShLIOp>(x, y, overflowFlags(instruction));
  case B::UDiv: return create<arith::DivUIOp>(x, y);
  case B::SDiv: return create<arith::DivSIOp>(x, y);
  case B::URem: return create<arith::RemUIOp>(x, y);
  case B::SRem: return create<arith::RemSIOp>(x, y);
  case B::LShr: return create<arith::ShRUIOp>(x, y);
  case B::AShr: return create<arith::ShRSIOp>(x, y);
  case B::And: return create<arith::AndIOp>(x, y);
  case B::Or: return create<arith::OrIOp>(x, y);
  case B::Xor: return create<arith::XOrIOp>(x, y);
  case B::FAdd: return create<arith::AddFOp>(x, y, fastMathFlags(instruction));
  case B::FSub: return create<arith::SubFOp>(x, y, fastMathFlags(instruction));
  case B::FMul: return create<arith::MulFOp>(x, y, fastMathFlags(instruction));
  case B::FDiv: return create<arith::DivFOp>(x, y, fastMathFlags(instruction));
  case B::FRem: return create<arith::RemFOp>(x, y, fastMathFlags(instruction));
  default: llvm_unreachable("all binary operators are listed");
  }
}

namespace {

arith::CmpIPredicate integerPredicate(llvm::CmpInst::Predicate predicate) {
  using P = arith::CmpIPredicate;
  static constexpr P predicates[] = {P::eq,  P::ne,  P::ugt, P::uge, P::ult,
                                     P::ule, P::sgt, P::sge, P::slt, P::sle};
  return predicates[predicate - llvm::CmpInst::ICMP_EQ];
}

arith::CmpFPredicate floatPredicate(llvm::CmpInst::Predicate predicate) {
  using P = arith::CmpFPredicate;
  static constexpr P predicates[] = {P::AlwaysFalse, P::OEQ, P::OGT, P::OGE,       P::OLT, P::OLE,
                                     P::ONE,         P::ORD, P::UNO, P::UEQ,       P::UGT, P::UGE,
                                     P::ULT,         P::ULE, P::UNE, P::AlwaysTrue};
  return predicates[predicate];
}

} // namespace

// Pointers compare as integers.
Value Translator::compare(const llvm::CmpInst &instruction) {
  Value x = value(instruction.getOperand(0)), y = value(instruction.getOperand(1));
  if (isa<llvm::FCmpInst>(instruction))
    return create<arith::CmpFOp>(floatPredicate(instruction.getPredicate()), x, y);
  if (isa<LLVM::LLVMPointerType>(x.getType())) {
    x = toLane(builder, loc, x, builder.getI64Type());
    y = toLane(builder, loc, y, builder.getI64Type());
  }
  return create<arith::CmpIOp>(integerPredicate(instruction.getPredicate()), x, y);
}

Value Translator::cast(const llvm::CastInst &instruction) {
  const llvm::Value *source = instruction.getOperand(0);
  if (instruction.getType()->isVectorTy() || source->getType()->isVectorTy())
    return castVector(instruction);
  Value x = value(source);
  Type to = typeOf(&instruction);
  using C = llvm::Instruction;
  switch (instruction.getOpcode()) {
  case C::Trunc: return create<arith::TruncIOp>(to, x);
  case C::ZExt: return create<arith::ExtUIOp>(to, x);
  case C::SExt: return create<arith::ExtSIOp>(to, x);
  case C::FPTrunc: return x.getType() == to ? x : create<arith::TruncFOp>(to, x);
  case C::FPExt: return x.getType() == to ? x : create<arith::ExtFOp>(to, x);
  case C::FPToUI: return create<arith::FPToUIOp>(to, x);
  case C::FPToSI: return create<arith::FPToSIOp>(to, x);
  case C::UIToFP: return create<arith::UIToFPOp>(to, x);
  case C::SIToFP: return create<arith::SIToFPOp>(to, x);
  case C::PtrToInt:
  case C::PtrToAddr: return create<LLVM::PtrToIntOp>(to, x);
  case C::IntToPtr: return create<LLVM::IntToPtrOp>(to, x);
  case C::AddrSpaceCast: return x;
  case C::BitCast: return x.getType() == to ? x : create<arith::BitcastOp>(to, x);
  default: llvm_unreachable("all casts are listed");
  }
}

// Only a bit cast between lanes of one width keeps a tile a tile.
Value Translator::castVector(const llvm::CastInst &instruction) {
  Type to = typeOf(&instruction);
  Value cast = isa<llvm::BitCastInst>(instruction)
                   ? reinterpret(builder, loc, value(instruction.getOperand(0)), to)
                   : Value();
  if (cast)
    return cast;
  bug(instruction, Twine("a cast of the lanes of a tile (") + instruction.getOpcodeName() + ")");
  return create<ub::PoisonOp>(to);
}

void Translator::select(const llvm::SelectInst &instruction) {
  Value condition = value(instruction.getCondition());
  if (isa<RankedTensorType>(condition.getType()))
    return unexpected(instruction, "a selection by the lanes of a tile");
  SmallVector<Value> results;
  SmallVector<Type> types = typesOf(&instruction);
  if (types.size() == 1) {
    results = {create<arith::SelectOp>(condition, value(instruction.getTrueValue(), types[0]),
                                       value(instruction.getFalseValue(), types[0]))};
  } else {
    for (auto [x, y] :
         llvm::zip_equal(values(instruction.getTrueValue()), values(instruction.getFalseValue())))
      results.push_back(create<arith::SelectOp>(condition, x, y));
  }
  define(instruction, results);
}

namespace {

unsigned leafCount(llvm::Type *type) {
  if (!isa<llvm::StructType, llvm::ArrayType>(type))
    return 1;
  unsigned leaves = 0, count = isa<llvm::StructType>(type) ? type->getStructNumElements()
                                                           : type->getArrayNumElements();
  for (unsigned i = 0; i < count; ++i)
    leaves += leafCount(llvm::GetElementPtrInst::getTypeAtIndex(type, i));
  return leaves;
}

// The index of the first leaf of the member at `path`.
unsigned leafOffset(llvm::Type *type, ArrayRef<unsigned> path) {
  unsigned offset = 0;
  for (unsigned index : path) {
    for (unsigned i = 0; i < index; ++i)
      offset += leafCount(llvm::GetElementPtrInst::getTypeAtIndex(type, i));
    type = llvm::GetElementPtrInst::getTypeAtIndex(type, index);
  }
  return offset;
}

} // namespace

void Translator::extractValue(const llvm::ExtractValueInst &instruction) {
  SmallVector<Value> all = values(instruction.getAggregateOperand());
  unsigned offset =
      leafOffset(instruction.getAggregateOperand()->getType(), instruction.getIndices());
  define(instruction, ArrayRef<Value>(all).slice(offset, leafCount(instruction.getType())));
}

void Translator::insertValue(const llvm::InsertValueInst &instruction) {
  SmallVector<Value> all = values(instruction.getAggregateOperand());
  unsigned offset = leafOffset(instruction.getType(), instruction.getIndices());
  llvm::copy(values(instruction.getInsertedValueOperand()), all.begin() + offset);
  define(instruction, all);
}

// The only vector whose lanes have names is a one-element tile.
void Translator::lanes(const llvm::Instruction &instruction) {
  bool isInsert = isa<llvm::InsertElementInst>(instruction);
  auto *vector = dyn_cast<llvm::FixedVectorType>(isInsert ? instruction.getType()
                                                          : instruction.getOperand(0)->getType());
  if (isa<llvm::ShuffleVectorInst>(instruction) || vector->getNumElements() != 1)
    return unexpected(instruction, "a lane of a tile that is not in memory");
  const llvm::Value *source = instruction.getOperand(isInsert ? 1 : 0);
  Value x = value(source);
  if (!isInsert) {
    if (isa<RankedTensorType>(x.getType()))
      x = create<tile::ScalarOp>(tile::elementType(x.getType()), x);
    return define(instruction, toLane(builder, loc, x, typeOf(&instruction)));
  }
  Type type = typeOf(&instruction);
  x = fromLane(builder, loc, x, tile::elementType(type));
  define(instruction, isa<RankedTensorType>(type) ? Value(create<tile::SplatOp>(type, x)) : x);
}

} // namespace tessera::raising
