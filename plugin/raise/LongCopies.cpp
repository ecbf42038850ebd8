// Copies and fills that are too long to expand, or whose length or value is known only at run time,
// become loops; see Prepare.h. LLVM builds the loops.
#include "raise/Prepare.h"

#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

using namespace llvm;

namespace tessera::raising {

namespace {

// As many bytes at a time as both sides are aligned to.
struct AlignedSteps : TargetTransformInfoImplBase {
  using TargetTransformInfoImplBase::TargetTransformInfoImplBase;
  explicit AlignedSteps(const DataLayout &layout) : TargetTransformInfoImplBase(layout) {}

  Type *getMemcpyLoopLoweringType(LLVMContext &context, Value *, unsigned, unsigned, Align source,
                                  Align destination, std::optional<uint32_t>) const override {
    constexpr uint64_t widest = 8;
    return Type::getIntNTy(context,
                           unsigned(8 * std::min({source.value(), destination.value(), widest})));
  }
};

void expand(MemIntrinsic &operation, const TargetTransformInfo &steps) {
  if (auto *copy = dyn_cast<MemCpyInst>(&operation))
    expandMemCpyAsLoop(copy, steps);
  else if (auto *move = dyn_cast<MemMoveInst>(&operation))
    expandMemMoveAsLoop(move, steps);
  else
    expandMemSetAsLoop(cast<MemSetInst>(&operation));
}

bool isLong(const MemIntrinsic &operation) {
  if (auto *fill = dyn_cast<MemSetInst>(&operation); fill && !isa<ConstantInt>(fill->getValue()))
    return true;
  auto *length = dyn_cast<ConstantInt>(operation.getLength());
  return !length || length->getZExtValue() > longestCopy;
}

// Address analysis may prove more alignment than the program states.
void alignAsKnown(MemIntrinsic &operation) {
  const DataLayout &layout = operation.getDataLayout();
  auto known = [&](Value *address, MaybeAlign said) {
    return std::max(said.valueOrOne(), getKnownAlignment(address, layout, &operation));
  };
  operation.setDestAlignment(known(operation.getRawDest(), operation.getDestAlign()));
  if (auto *copy = dyn_cast<MemTransferInst>(&operation))
    copy->setSourceAlignment(known(copy->getRawSource(), copy->getSourceAlign()));
}

} // namespace

void expandLongCopies(Function &function) {
  SmallVector<MemIntrinsic *> operations;
  for (Instruction &instruction : instructions(function))
    if (auto *operation = dyn_cast<MemIntrinsic>(&instruction)) {
      alignAsKnown(*operation);
      if (isLong(*operation))
        operations.push_back(operation);
    }
  if (operations.empty())
    return;
  TargetTransformInfo steps(std::make_unique<AlignedSteps>(function.getDataLayout()));
  for (MemIntrinsic *operation : operations) {
    DebugLoc location = operation->getDebugLoc();
    expand(*operation, steps);
    operation->eraseFromParent();
    for (Instruction &instruction : instructions(function))
      if (!instruction.getDebugLoc() && !isa<AllocaInst, PHINode>(instruction))
        instruction.setDebugLoc(location);
  }
}

} // namespace tessera::raising
