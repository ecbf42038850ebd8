// The memory of an address: a thread's own (local variables, structs passed by value) or that of
// all threads.
//
// It decides who stores: to local memory every thread, each to its copy, since all threads hold the
// same scalars; to other memory one thread. Loads and stores carry it as `tile.local`. An address
// may be in both.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace tessera::raising {

using Variables = llvm::SetVector<const llvm::AllocaInst *>;

class MemorySpaces {
public:
  // A set of spaces; empty for values that are not addresses.
  enum Space : unsigned { None = 0, Local = 1, Global = 2 };

  // blockMemory: local variables in memory of all threads (BlockMemory.h).
  MemorySpaces(const llvm::Function &function, const Variables &blockMemory);

  // The spaces that an address, or an integer made of one, may be in.
  unsigned of(const llvm::Value *value) const;
  bool mayBeLocal(const llvm::Value *value) const { return of(value) & Local; }
  // May pointers stored in local memory point to local memory?
  bool holdsLocal() const { return held & Local; }

private:
  bool isOwn(const llvm::Value *address) const;
  unsigned transfer(const llvm::Instruction &instruction) const;

  const Variables &blockMemory;
  llvm::DenseMap<const llvm::Value *, unsigned> spaces;
  unsigned held = None; // by pointers stored in local memory
};

} // namespace tessera::raising
