// The tile type of an LLVM vector.
//
// LLVM represents a tile as <N x lane>. Its type comes from the primitive that defines it; a phi,
// select or load takes that of its incoming values, else of its uses. Where two disagree, the
// translator reinterprets at the use.
#pragma once

#include "raise/Elements.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

namespace tessera::raising {

// The primitive that `value` calls, or null.
const frontend::Primitive *calledPrimitive(const frontend::TileProgram &program,
                                           const llvm::Value *value);

class TileTypes {
public:
  TileTypes(mlir::MLIRContext *context, const frontend::TileProgram &program,
            const llvm::Function &function);

  // The type of a vector; a vector that no primitive touches is a tile of rank 1.
  mlir::Type of(const llvm::Value *vector) const;
  mlir::MLIRContext *getContext() const { return context; }
  // A vector as a tile of rank 1.
  static mlir::Type plain(mlir::MLIRContext *context, const llvm::Type *vector);

private:
  void collectPrimitives(const frontend::TileProgram &program, const llvm::Function &function);
  bool spread(const llvm::Function &function, bool backwards);

  mlir::MLIRContext *context;
  llvm::DenseMap<const llvm::Value *, mlir::Type> types;   // settled
  llvm::DenseMap<const llvm::Value *, mlir::Type> demands; // the type that the first use requires
};

} // namespace tessera::raising
