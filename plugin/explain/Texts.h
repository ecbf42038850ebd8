// The table of remarks as code.
#pragma once

#include "Report.h"

#include "mlir/IR/Operation.h"

#include <set>
#include <string>
#include <tuple>

namespace tessera::explain {

enum class Remark {
#define TESSERA_REMARK(id, text) id,
#include "explain/Remarks.def"
#undef TESSERA_REMARK
};

// Says the remarks of one kernel, each once: what is inlined many times is decided many times.
class Remarks {
public:
  explicit Remarks(Reports &reports) : reports(reports) {}

  // At the place of an op in the program.
  void operator()(mlir::Operation *op, Remark id, llvm::ArrayRef<std::string> arguments);

private:
  Reports &reports;
  std::set<std::tuple<std::string, unsigned, unsigned, std::string>> said;
};

// The accesses of global memory; see Accesses.cpp.
void explainAccess(mlir::Operation *op, Remarks &remark);

} // namespace tessera::explain
