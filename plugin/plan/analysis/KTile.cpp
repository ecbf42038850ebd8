#include "plan/analysis/KTile.h"

#include "plan/Plan.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Occupancy.h"
#include "plan/analysis/PipelinedLoads.h"

using namespace mlir;

namespace tessera::plan {

int64_t bytesAlongK(RankedTensorType operand, unsigned k) {
  return operand.getDimSize(k) * bytesOf(operand.getElementType());
}

int64_t blocksWithRing(Operation *op, int64_t bytesOfStage) {
  return blocksOfSharedMemory(targetOf(op), wantedStages * bytesOfStage);
}

} // namespace tessera::plan
