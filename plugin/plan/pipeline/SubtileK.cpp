// A multiply with a large K tile becomes multiplies of K subtiles, so that less memory holds as
// many stages of its ring, and a block leaves room for another.
//   for i { %x = view_load A(i); %y = view_load B(i); shared_mma of %x, %y and the accumulator }
//   ->  for i { of the first half: view_load, view_load, shared_mma; of the second half: ... }
// The order of additions stays. Both operands must be copied ahead, a stage of both has more than
// 128 bytes of K, and two blocks have no room for three stages. A box that starts below 0 is
// outside as a whole, and so must its parts be: it starts at a multiple of its extent.
#include "plan/analysis/Accesses.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/KTile.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Passes.h"
#include "plan/analysis/PipelinedLoads.h"
#include "plan/Plan.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SUBTILEK
#include "plan/Passes.h.inc"

namespace {

struct Operand {
  PipelinedLoad pipelined;
  unsigned k; // the dimension that is summed over

  RankedTensorType type() const {
    tile::ViewLoadOp load = pipelined.load;
    return cast<RankedTensorType>(load.getType());
  }
  // The read lies in shared memory in its own shape, and its parts are inside or outside as it is.
  bool hasParts() const {
    tile::SharedAllocOp buffer = pipelined.buffer;
    tile::ViewLoadOp load = pipelined.load;
    return cast<tile::SharedType>(buffer.getType()).getShape() == type().getShape() &&
           plan::hasParts(load, k);
  }
};

// Reads one of several parts along K, into a tile of its own.
Value partAlongK(OpBuilder &b, const Operand &operand, int64_t part, int64_t parts) {
  tile::ViewLoadOp load = operand.pipelined.load;
  Location loc = load.getLoc();
  Value read = readPart(b, load, operand.k, part, parts);
  ArrayRef<int64_t> shape = tile::shapeOf(read.getType());
  if (tile::CastOp rounding = operand.pipelined.rounding) {
    IRMapping map;
    map.map(rounding.getX(), read);
    read = b.clone(*rounding, map)->getResult(0);
    read.setType(RankedTensorType::get(shape, tile::elementType(rounding.getType())));
  }
  tile::SharedType shared = inPanels(shape, tile::elementType(read.getType()));
  Value buffer = tile::SharedAllocOp::create(b, loc, shared, 1, IntegerAttr());
  tile::SharedStoreOp::create(b, loc, read, buffer, ValueRange());
  return buffer;
}

void split(tile::SharedMmaOp op, const Operand &x, const Operand &y, int64_t parts) {
  OpBuilder b(op);
  Value accumulator = op.getC();
  for (int64_t part = 0; part < parts; ++part) {
    Value xPart = partAlongK(b, x, part, parts), yPart = partAlongK(b, y, part, parts);
    accumulator = tile::SharedMmaOp::create(
        b, op.getLoc(), op.getType(), op.getKind(), xPart, yPart, accumulator, op.getATransposed(),
        op.getBTransposed(), op.getAUnsigned(), op.getBUnsigned(), op.getPromotes());
  }
  op.replaceAllUsesWith(accumulator);
  op.erase();
  for (PipelinedLoad pipelined : {x.pipelined, y.pipelined}) {
    pipelined.store.erase();
    pipelined.buffer.erase();
  }
}

struct SubtileK : impl::SubtileKBase<SubtileK> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    eraseDead(kernel);
    if (!configOf(kernel).getKBytes())
      return;
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      run(kernel, loop);
    eraseDead(kernel);
  }

  static void run(func::FuncOp kernel, scf::ForOp loop) {
    SmallVector<PipelinedLoad> pipelinedLoads = findPipelinedLoads(loop);
    SmallVector<tile::SharedMmaOp> accumulator = accumulatorOfLoop(loop, pipelinedLoads);
    if (accumulator.size() != 1 || !accumulator.front().getInstruction().isAsync() ||
        accumulator.front().getA() == accumulator.front().getB() ||
        blocksWithRing(kernel, bytesOfStage(pipelinedLoads)) >= 2)
      return;
    tile::SharedMmaOp op = accumulator.front();
    Operand x{*pipelinedLoadInto(op.getA(), pipelinedLoads), op.getATransposed() ? 0u : 1u},
        y{*pipelinedLoadInto(op.getB(), pipelinedLoads), op.getBTransposed() ? 1u : 0u};
    if (!x.pipelined.load || !y.pipelined.load)
      return; // by pointers, which have no parts
    int64_t parts = bytesAlongK(x.type(), x.k) / configOf(kernel).getKBytes();
    if (parts > 1 && x.hasParts() && y.hasParts())
      split(op, x, y, parts);
  }
};

} // namespace
} // namespace tessera::plan
