// How deep the K tile of a multiply is. The configuration decides it (kBytes of #tile.config, 0: as
// in the program), and three passes carry it out, each for a form of the program:
//
//   deeper, and threads transpose it for wgmma       shrink-k-tile    several iterations for one
//   less deep, and shared memory has room for more   unroll-along-k   one iteration for several
//   deeper, and shared memory has no room for it     subtile-k        several multiplies for one
//
// What is left to them are facts of a loop that each knows at its time alone: shrink-k-tile runs
// before blocks are coarsened, which looks at the tiles that it makes, and so before there is a
// configuration, and takes the best candidate's; whether operands are loaded ahead, as subtile-k
// wants them, is known after their multiply has an instruction.
#pragma once

#include "plan/Config.h"

#include "mlir/IR/BuiltinTypes.h"

namespace tessera::plan {

// The bytes of a row of an operand along `k`, the dimension that is summed over.
int64_t bytesAlongK(mlir::RankedTensorType operand, unsigned k);

// How many blocks an SM has room for, with the stages that a ring of copies should have.
int64_t blocksWithRing(mlir::Operation *op, int64_t bytesOfStage);

} // namespace tessera::plan
