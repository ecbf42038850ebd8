// explain: a plan's decisions about a kernel, in its programmer's terms.
//
// A remark is derived from the planned IR and from the facts that the plan itself uses
// (plan/analysis/Accesses.h, plan/analysis/Matmuls.h), so it matches the generated code. Its
// location is the line of the program; a remark with a remedy gives the line to write.
#pragma once

#include "support/FileLocation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace tessera::explain {

struct Remark {
  FileLocation location;
  llvm::StringRef topic; // kernel, memory, multiply, loop or exchange
  std::string text;
  std::string advice; // the code to write, after the text; or empty

  // "...; if it always is, write x = ct::assume_aligned<16>(x)"
  std::string message() const { return advice.empty() ? text : text + " " + advice; }
  // The same without the condition and the advice.
  std::string statement() const {
    return advice.empty() ? text : text.substr(0, text.rfind("; if "));
  }
};

// All remarks of a planned kernel, in the order of its operations. `name` is the kernel's in the
// program's spelling: "matmul<128, 128, 64>".
std::vector<Remark> remarksOf(mlir::func::FuncOp kernel, llvm::StringRef name);
// Only the first of them, about a block's share of an SM.
std::vector<Remark> kernelRemark(mlir::func::FuncOp kernel, llvm::StringRef name);

// ptxas's results for a kernel: registers and spilled bytes of a thread, blocks that fit an SM.
Remark registersRemark(const FileLocation &location, llvm::StringRef name, unsigned registers,
                       unsigned spilled, int64_t blocks);
// Entry points that read ptxas's report plan the kernel again, without what is named.
Remark plansAgainRemark(const FileLocation &location, llvm::StringRef name,
                        llvm::StringRef without);

} // namespace tessera::explain
