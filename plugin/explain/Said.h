// The table of remarks in code.
#pragma once

#include "explain/Remarks.h"

#include "mlir/IR/Operation.h"

#include <set>
#include <string>
#include <tuple>

namespace tessera::explain {

enum class Id {
#define TESSERA_REMARK(id, topic, text, advice) id,
#include "explain/Remarks.def"
#undef TESSERA_REMARK
};

// Collects the remarks of one kernel, each once: code that is inlined many times is planned many
// times.
class Said {
public:
  // At the location of an op in the program.
  void operator()(mlir::Operation *op, Id id, llvm::ArrayRef<std::string> arguments);

  std::vector<Remark> take() { return std::move(remarks); }

private:
  std::vector<Remark> remarks;
  std::set<std::tuple<std::string, unsigned, unsigned, std::string>> known;
};

// The accesses of global memory; see Accesses.cpp.
void explainAccess(mlir::Operation *op, Said &say);

} // namespace tessera::explain
