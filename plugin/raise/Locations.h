// Source locations and source names of values.
//
// A location is the innermost one in the user's files: code inlined from the tile header or from
// CUDA's number headers counts as the line that called it. A value held by a variable of the user
// has the location `loc("name"(file:line:column))`.
#pragma once

#include "frontend/Program.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

namespace tessera::raising {

class Locations {
public:
  Locations(mlir::MLIRContext *context, const llvm::Function &function,
            const frontend::Kernel &kernel);

  // Of the kernel itself.
  mlir::Location kernel() const;
  // Of a value or an effect, named if a variable holds the value.
  mlir::Location of(const llvm::Value &value) const;
  mlir::Location of(const llvm::Argument &argument, llvm::StringRef name) const;
  FileLocation source(const llvm::Value &value) const;
  // For inlined code, the calls around it, the innermost first.
  static std::vector<FileLocation> callers(const llvm::Value &value);

private:
  struct Name {
    llvm::StringRef text;
    unsigned depth; // of inlining: the outermost variable names a value
  };
  void collectNames(const llvm::Function &function);

  mlir::MLIRContext *context;
  FileLocation kernelLocation;
  llvm::DenseMap<const llvm::Value *, Name> names;
};

} // namespace tessera::raising
