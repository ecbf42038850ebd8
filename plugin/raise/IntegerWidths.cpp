// Integers of widths that no C type has become the next wider ones; see Prepare.h.
//
// The wider value has zeros above the narrow one: operations that may set those bits are masked,
// and signed uses sign-extend first. Unknown instructions keep their type and are refused later.
#include "raise/Prepare.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tessera::raising {

namespace {

bool isOdd(const Type *type) {
  return type->isIntegerTy() && type->getIntegerBitWidth() < 64 &&
         !is_contained({1u, 8u, 16u, 32u}, type->getIntegerBitWidth());
}

bool isOdd(const Value *value) { return isOdd(value->getType()); }

Type *wider(Type *type) {
  if (!isOdd(type))
    return type;
  return IntegerType::get(type->getContext(),
                          std::max<unsigned>(8, PowerOf2Ceil(type->getIntegerBitWidth())));
}

class Widening {
public:
  explicit Widening(Function &function) : function(function), builder(function.getContext()) {}

  void run() {
    ReversePostOrderTraversal<Function *> order(&function);
    for (BasicBlock *block : order)
      for (Instruction &instruction : make_early_inc_range(*block))
        if (isOdd(&instruction) ||
            any_of(instruction.operands(), [](const Use &use) { return isOdd(use.get()); }))
          visit(instruction);
    for (PHINode *phi : phis)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        builder.SetInsertPoint(phi->getIncomingBlock(i)->getTerminator());
        cast<PHINode>(wide[phi])->addIncoming(unsignedValue(phi->getIncomingValue(i)),
                                              phi->getIncomingBlock(i));
      }
    eraseReplaced();
  }

private:
  // An odd-width value zero-extended, any other unchanged.
  Value *unsignedValue(Value *value) {
    if (!isOdd(value))
      return value;
    Type *type = wider(value->getType());
    if (isa<UndefValue>(value))
      return ConstantInt::get(type, 0);
    if (auto *number = dyn_cast<ConstantInt>(value))
      return ConstantInt::get(type, number->getZExtValue());
    Value *found = wide.lookup(value);
    return found ? found : builder.CreateZExt(value, type);
  }

  Value *signedValue(Value *value) {
    if (!isOdd(value))
      return value;
    Value *zeros = unsignedValue(value);
    unsigned above =
        zeros->getType()->getIntegerBitWidth() - value->getType()->getIntegerBitWidth();
    return builder.CreateAShr(builder.CreateShl(zeros, above), above);
  }

  Value *masked(Value *value, Type *narrow) {
    if (!isOdd(narrow))
      return value;
    return builder.CreateAnd(value, maskTrailingOnes<uint64_t>(narrow->getIntegerBitWidth()));
  }

  void visit(Instruction &instruction) {
    builder.SetInsertPoint(&instruction);
    if (auto *phi = dyn_cast<PHINode>(&instruction)) {
      phis.push_back(phi);
      replace(instruction, builder.CreatePHI(wider(phi->getType()), phi->getNumIncomingValues()));
    } else if (auto *choice = dyn_cast<SwitchInst>(&instruction)) {
      widenSwitch(*choice);
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      storePieces(*store);
    } else if (Value *value = widened(instruction)) {
      replace(instruction, value);
    }
  }

  void replace(Instruction &instruction, Value *value) {
    replaced.insert(&instruction);
    if (isOdd(&instruction))
      wide[&instruction] = value;
    else
      instruction.replaceAllUsesWith(value);
    if (!value->hasName() && !isa<Constant>(value))
      value->takeName(&instruction);
  }

  // The value that replaces an instruction; null if the instruction is unknown.
  Value *widened(Instruction &instruction) {
    if (auto *op = dyn_cast<BinaryOperator>(&instruction))
      return binary(*op);
    if (auto *compare = dyn_cast<ICmpInst>(&instruction)) {
      bool isSigned = compare->isSigned();
      return builder.CreateICmp(compare->getPredicate(), operand(*compare, 0, isSigned),
                                operand(*compare, 1, isSigned));
    }
    if (auto *select = dyn_cast<SelectInst>(&instruction))
      return builder.CreateSelect(select->getCondition(), unsignedValue(select->getTrueValue()),
                                  unsignedValue(select->getFalseValue()));
    if (auto *freeze = dyn_cast<FreezeInst>(&instruction))
      return builder.CreateFreeze(unsignedValue(freeze->getOperand(0)));
    if (auto *cast = dyn_cast<CastInst>(&instruction))
      return converted(*cast);
    if (auto *bound = dyn_cast<MinMaxIntrinsic>(&instruction)) {
      bool isSigned = bound->isSigned();
      return masked(builder.CreateBinaryIntrinsic(bound->getIntrinsicID(),
                                                  operand(*bound, 0, isSigned),
                                                  operand(*bound, 1, isSigned)),
                    bound->getType());
    }
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return loadPieces(*load);
    return nullptr;
  }

  Value *operand(Instruction &instruction, unsigned i, bool isSigned) {
    Value *value = instruction.getOperand(i);
    return isSigned ? signedValue(value) : unsignedValue(value);
  }

  Value *binary(BinaryOperator &op) {
    auto opcode = op.getOpcode();
    bool isDivision = is_contained({Instruction::SDiv, Instruction::SRem}, opcode);
    Value *x = operand(op, 0, isDivision || opcode == Instruction::AShr);
    Value *y = operand(op, 1, isDivision);
    return masked(builder.CreateBinOp(opcode, x, y), op.getType());
  }

  Value *converted(CastInst &cast) {
    Value *from = cast.getOperand(0);
    Type *to = cast.getType();
    switch (cast.getOpcode()) {
    case Instruction::Trunc:
    case Instruction::ZExt:
      return masked(builder.CreateZExtOrTrunc(unsignedValue(from), wider(to)), to);
    case Instruction::SExt:
      return masked(builder.CreateSExtOrTrunc(signedValue(from), wider(to)), to);
    case Instruction::SIToFP: return builder.CreateSIToFP(signedValue(from), to);
    case Instruction::UIToFP: return builder.CreateUIToFP(unsignedValue(from), to);
    case Instruction::FPToSI: return masked(builder.CreateFPToSI(from, wider(to)), to);
    case Instruction::FPToUI: return masked(builder.CreateFPToUI(from, wider(to)), to);
    default: return nullptr;
    }
  }

  void widenSwitch(SwitchInst &choice) {
    Value *condition = unsignedValue(choice.getCondition());
    for (auto entry : choice.cases())
      entry.setValue(cast<ConstantInt>(unsignedValue(entry.getCaseValue())));
    choice.setCondition(condition);
  }

  // Calls `piece(bits, offset in bits, address)` for the parts in which memory is accessed.
  template <class Piece> void forPieces(Type *type, Value *address, Align alignment, Piece piece) {
    unsigned bits = type->getIntegerBitWidth();
    for (unsigned at = 0, size = 8 * std::min<unsigned>(alignment.value(), 4); at < bits;
         at += size) {
      while (at + size > bits)
        size /= 2;
      piece(size, at,
            at ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), address, at / 8)
               : address);
    }
  }

  static bool isWholeBytes(Type *type) { return type->getIntegerBitWidth() % 8 == 0; }

  Value *loadPieces(LoadInst &load) {
    Type *type = load.getType();
    if (!isOdd(type) || !load.isSimple() || !isWholeBytes(type))
      return nullptr;
    Value *value = ConstantInt::get(wider(type), 0);
    forPieces(type, load.getPointerOperand(), load.getAlign(),
              [&](unsigned bits, unsigned at, Value *address) {
                Value *part = builder.CreateAlignedLoad(builder.getIntNTy(bits), address,
                                                        commonAlignment(load.getAlign(), at / 8));
                part = builder.CreateShl(builder.CreateZExt(part, wider(type)), at);
                value = builder.CreateOr(value, part);
              });
    return value;
  }

  void storePieces(StoreInst &store) {
    Type *type = store.getValueOperand()->getType();
    if (!store.isSimple() || !isWholeBytes(type))
      return;
    Value *value = unsignedValue(store.getValueOperand());
    forPieces(
        type, store.getPointerOperand(), store.getAlign(),
        [&](unsigned bits, unsigned at, Value *address) {
          Value *part = builder.CreateTrunc(builder.CreateLShr(value, at), builder.getIntNTy(bits));
          builder.CreateAlignedStore(part, address, commonAlignment(store.getAlign(), at / 8));
        });
    replaced.insert(&store);
  }

  void eraseReplaced() {
    for (Instruction *old : replaced) {
      Value *value = wide.lookup(old);
      if (!value)
        continue;
      builder.SetInsertPoint(old->getParent(), old->getIterator());
      if (isa<PHINode>(old))
        builder.SetInsertPoint(old->getParent(), old->getParent()->getFirstInsertionPt());
      Value *narrow = nullptr; // for unknown users
      for (Use &use : make_early_inc_range(old->uses()))
        if (!replaced.contains(cast<Instruction>(use.getUser()))) {
          if (!narrow)
            narrow = builder.CreateTrunc(value, old->getType());
          use.set(narrow);
        }
    }
    for (Instruction *old : replaced)
      old->dropAllReferences();
    for (Instruction *old : replaced)
      old->eraseFromParent();
  }

  Function &function;
  IRBuilder<> builder;
  DenseMap<Value *, Value *> wide; // by the odd-width value
  SmallVector<PHINode *> phis;
  SetVector<Instruction *> replaced;
};

} // namespace

void widenOddIntegers(Function &function) { Widening(function).run(); }

} // namespace tessera::raising
