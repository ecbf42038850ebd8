// Blocks that end in `unreachable` join the other successor of their predecessor; see Prepare.h.
#include "raise/Prepare.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace tessera::raising {

namespace {

bool endsUnreachable(const BasicBlock *block) {
  return isa<UnreachableInst>(block->getTerminator());
}

// The successor of `from` other than `dead`; null if there is none.
BasicBlock *alternative(BasicBlock &from, const BasicBlock &dead) {
  for (BasicBlock *successor : successors(&from))
    if (successor != &dead && !endsUnreachable(successor))
      return successor;
  return nullptr;
}

// A copy of `block` for its predecessor `from` alone.
BasicBlock &ownCopy(BasicBlock &block, BasicBlock &from) {
  ValueToValueMapTy map;
  BasicBlock *copy = CloneBasicBlock(&block, map, "", block.getParent());
  for (PHINode &phi : block.phis()) {
    map[&phi] = phi.getIncomingValueForBlock(&from);
    cast<PHINode>(copy->begin())->eraseFromParent();
  }
  for (Instruction &instruction : *copy)
    RemapInstruction(&instruction, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  for (PHINode &phi : block.phis())
    phi.removeIncomingValue(&from, /*DeletePHIIfEmpty=*/false);
  from.getTerminator()->replaceSuccessorWith(&block, copy);
  return *copy;
}

void joinWith(BasicBlock &block, BasicBlock &from, BasicBlock &next) {
  block.getTerminator()->eraseFromParent();
  BranchInst::Create(&next, &block)->setDebugLoc(from.getTerminator()->getDebugLoc());
  for (PHINode &phi : next.phis())
    phi.addIncoming(phi.getIncomingValueForBlock(&from), &block);
}

} // namespace

void letTrapsFallThrough(Function &function) {
  SmallVector<BasicBlock *> dead;
  for (BasicBlock &block : function)
    if (endsUnreachable(&block) && !block.isEntryBlock())
      dead.push_back(&block);
  for (BasicBlock *block : dead)
    for (BasicBlock *from : SmallVector<BasicBlock *>(predecessors(block)))
      if (BasicBlock *next = alternative(*from, *block);
          next && llvm::is_contained(successors(from), block))
        joinWith(ownCopy(*block, *from), *from, *next);
  removeUnreachableBlocks(function);
}

} // namespace tessera::raising
