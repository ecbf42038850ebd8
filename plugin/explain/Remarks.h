// explain: what a plan decided about a kernel, in the words of its programmer.
//
// A remark is read off the planned IR and the facts that the plan itself asks (plan/Facts.h), so it
// says what is emitted. Its place is the line of the program; what can be acted on says the line to
// write.
#pragma once

#include "Report.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::explain {

// All remarks of a planned kernel, in the order of its operations.
void explain(mlir::func::FuncOp kernel, Reports &reports);

} // namespace tessera::explain
