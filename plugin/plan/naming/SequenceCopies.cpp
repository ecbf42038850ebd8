// scf.yield gives a loop's variables their next values at the same time, generated code one after
// the other.
//
// A value that an earlier assignment would overwrite is saved in front of the yield. Two tiles that
// swap while wgmma may read one of them cannot be moved: their loop is marked, and generated code
// has two iterations of it between which the variables swap names. A tile that is computed where
// nothing reads its variable any more is computed into that variable, which saves the registers of
// a second one. The printer obeys the marks.
#include "plan/Passes.h"
#include "plan/naming/CarriedVariables.h"
#include "tile/Attributes.h"
#include "tile/SourceNames.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SEQUENCECOPIES
#include "plan/Passes.h.inc"

namespace {

void sequence(scf::ForOp loop) {
  OpBuilder builder(loop.getBody()->getTerminator());
  if (std::optional<SwappedPair> pair = swappedTiles(loop))
    loop->setAttr(tile::swappedAttr, builder.getDenseI64ArrayAttr({pair->first, pair->second}));
  for (OpOperand *next : overwrittenOperands(loop)) {
    // The name in the loop's location is that of its result.
    FileLineColLoc location = tile::sourceLocation(loop.getLoc());
    auto save = tile::SaveOp::create(
        builder, location ? Location(location) : builder.getUnknownLoc(), next->get());
    next->set(save);
  }
  for (Operation &op : loop.getBody()->without_terminator())
    if (canComputeInPlace(&op))
      op.setAttr(tile::inPlaceAttr, builder.getUnitAttr());
}

struct SequenceCopies : impl::SequenceCopiesBase<SequenceCopies> {
  void runOnOperation() override { getOperation().walk(sequence); }
};

} // namespace
} // namespace tessera::plan
