// From a module of bytecode to tile IR with branches: one func.func per entry, as raise leaves a
// kernel of CUDA Tile C++, with the attributes that the plan and the printer read. What lies behind
// is common to all front ends: structuring::finish, then compileRaised.
//
// Tokens vanish: program order satisfies the order that they state. What they say of aliasing is
// kept as tile.restrict (Provenance.h). Views vanish, too: their parts are operands of each access.
#pragma once

#include "support/Report.h"
#include "target/Target.h"
#include "tileir/Module.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>

namespace tessera::tileir {

// `target`: selects the hints of entries.
Result<mlir::OwningOpRef<mlir::ModuleOp>> translate(const Module &module,
                                                    mlir::MLIRContext &context,
                                                    const GpuTarget &target, Reports &reports);

// What the source calls the entries, by their symbols.
std::map<std::string, std::string, std::less<>> namesOfEntries(const Module &module);

} // namespace tessera::tileir
