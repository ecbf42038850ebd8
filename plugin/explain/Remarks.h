// explain: what a plan decided about a kernel, in the words of its programmer.
//
// A remark is read off the planned IR and the facts that the plan itself asks (plan/Accesses.h,
// plan/MatrixUnits.h), so it says what is emitted. Its place is the line of the program; what can
// be acted on says the line to write.
#pragma once

#include "frontend/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace tessera::explain {

struct Remark {
  frontend::Location place;
  llvm::StringRef topic; // kernel, memory, multiply, loop or exchange
  std::string text;
  std::string advice; // what to write, as code, behind the text; or empty

  // "...; if it always is, write x = ct::assume_aligned<16>(x)"
  std::string message() const { return advice.empty() ? text : text + " " + advice; }
};

// All remarks of a planned kernel, in the order of its operations. The name is the kernel's as the
// program spells it: "matmul<128, 128, 64>".
std::vector<Remark> remarksOf(mlir::func::FuncOp kernel, llvm::StringRef name);
// The first of them alone, which says what a block has of an SM.
std::vector<Remark> kernelRemark(mlir::func::FuncOp kernel, llvm::StringRef name);

// What ptxas made of a kernel: registers and spilled bytes of a thread, blocks that fit an SM.
Remark registersRemark(const frontend::Location &place, llvm::StringRef name, unsigned registers,
                       unsigned spilled, int64_t blocks);
// That doors that read ptxas's report plan it once more, without what is named.
Remark plansAgainRemark(const frontend::Location &place, llvm::StringRef name,
                        llvm::StringRef without);

} // namespace tessera::explain
