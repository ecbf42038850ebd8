// MLIR's control flow structuring with the options of this compiler; see Structure.h.
#include "structure/Structure.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;

namespace tessera::structuring {

namespace {

class Structuring : public ControlFlowToSCFTransformation {
public:
  // A choice between two is an if, not a switch.
  void createCFGSwitchOp(Location loc, OpBuilder &builder, Value flag,
                         ArrayRef<unsigned> caseValues, BlockRange caseDestinations,
                         ArrayRef<ValueRange> caseArguments, Block *defaultDest,
                         ValueRange defaultArgs) override {
    if (caseValues.empty()) {
      cf::BranchOp::create(builder, loc, defaultDest, defaultArgs);
      return;
    }
    if (caseValues.size() > 1)
      return ControlFlowToSCFTransformation::createCFGSwitchOp(loc, builder, flag, caseValues,
                                                               caseDestinations, caseArguments,
                                                               defaultDest, defaultArgs);
    Value isCase = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, flag,
                                         getCFGSwitchValue(loc, builder, caseValues[0]));
    cf::CondBranchOp::create(builder, loc, isCase, caseDestinations[0], caseArguments[0],
                             defaultDest, defaultArgs);
  }

  // After an infinite loop within the body of a counted loop.
  FailureOr<Operation *> createUnreachableTerminator(Location loc, OpBuilder &builder,
                                                     Region &region) override {
    auto loop = dyn_cast<scf::ForOp>(region.getParentOp());
    if (!loop)
      return ControlFlowToSCFTransformation::createUnreachableTerminator(loc, builder, region);
    SmallVector<Value> poisons;
    for (Type type : loop.getResultTypes())
      poisons.push_back(ub::PoisonOp::create(builder, loc, type));
    return scf::YieldOp::create(builder, loc, poisons).getOperation();
  }
};

} // namespace

LogicalResult structure(Region &region) {
  Structuring structuring;
  DominanceInfo dominance(region.getParentOp());
  return transformCFGToSCF(region, structuring, dominance);
}

} // namespace tessera::structuring
