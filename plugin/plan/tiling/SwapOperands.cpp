// wgmma takes elements of 32 bits along K only. A matmul whose operand B alone must be transposed
// for that becomes the transposed matmul with both operands transposed and exchanged: the operand
// to transpose is then A, which may come from registers, and threads fill those from rows and from
// columns alike.
//
//   for { %c = mma (view_load A : MxK), (view_load B : KxN), %accumulator : MxN } store %c
//   ->  for { %d = mma (permute B), (permute A), %accumulator' : NxM } store (permute %d)
//
// The threads that multiply with B read it from its stage once and do not store it again. The
// tensor core reads A from its stage. Exchanging the dimensions of the accumulator costs nothing:
// it only relabels its layout.
//
// So does the order of its rows. A thread takes rows r and r + 8 of the operand, which are columns
// of B: here they are neighbours, read as one. And a warp takes four rows of B, of each eight such
// pairs. Neighbouring pairs would lie in two chunks of 16 bytes, and the exchange of a panel's
// chunks would put those of every second row into the same banks: so half of the pairs are 16
// columns further on.
//
// The accumulators must be carried by a loop that has no other use of them; there may be several
// multiplies.
#include "plan/analysis/MatmulForms.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SWAPOPERANDS
#include "plan/Passes.h.inc"

namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

Value exchanged(OpBuilder &b, Location loc, Value x) {
  RankedTensorType type = typeOf(x);
  ArrayRef<int64_t> shape = type.getShape();
  return b.createOrFold<tile::PermuteOp>(
      loc, RankedTensorType::get({shape[1], shape[0]}, type.getElementType()), x,
      ArrayRef<int64_t>{1, 0});
}

// The permutation of row dimensions after row indices are split into their five lowest bits,
// highest first, behind one dimension of all others: the order in which threads take them, named by
// their order in memory.
constexpr int64_t asThreadsTakeRows[] = {0, 2, 5, 3, 1, 4, 6};

Value withRows(OpBuilder &b, Location loc, Value x, ArrayRef<int64_t> order) {
  RankedTensorType type = typeOf(x);
  auto bitsType = RankedTensorType::get(
      {type.getDimSize(0) / 32, 2, 2, 2, 2, 2, type.getDimSize(1)}, type.getElementType());
  Value bits = b.createOrFold<tile::ReshapeOp>(loc, bitsType, x),
        other = b.createOrFold<tile::PermuteOp>(loc, bitsType, bits, order);
  return b.createOrFold<tile::ReshapeOp>(loc, type, other);
}

void swap(tile::MmaOp multiply) {
  scf::ForOp loop = loopOfAccumulator(multiply);
  auto carried = cast<BlockArgument>(multiply.getC());
  Location loc = multiply.getLoc();
  OpBuilder b(loop);
  OpOperand *init = loop.getTiedLoopInit(carried);
  init->set(withRows(b, loc, exchanged(b, loc, init->get()), asThreadsTakeRows));
  OpResult result = loop.getTiedLoopResult(carried);
  Type type = init->get().getType();
  carried.setType(type);
  result.setType(type);
  b.setInsertionPoint(multiply);
  // Not the accumulator's name, which the multiply has.
  Location operandLoc = NameLoc::get(b.getStringAttr("operand_t"), loc);
  Value first =
            withRows(b, operandLoc, exchanged(b, operandLoc, multiply.getB()), asThreadsTakeRows),
        second = exchanged(b, operandLoc, multiply.getA());
  auto swapped = tile::MmaOp::create(b, loc, type, first, second, carried, multiply.getBUnsigned(),
                                     multiply.getAUnsigned(), multiply.getFastAccumulation());
  loop.getTiedLoopYieldedValue(carried)->set(swapped);
  multiply.erase();
  b.setInsertionPointAfter(loop);
  Value back =
      exchanged(b, loc, withRows(b, loc, result, invertPermutationVector(asThreadsTakeRows)));
  result.replaceAllUsesExcept(back, loop->getNextNode());
}

struct SwapOperands : impl::SwapOperandsBase<SwapOperands> {
  void runOnOperation() override {
    SmallVector<tile::MmaOp> multiplies;
    getOperation().walk([&](tile::MmaOp op) { multiplies.push_back(op); });
    for (tile::MmaOp multiply : multiplies)
      if (isComputedTransposed(multiply))
        swap(multiply);
  }
};

} // namespace

} // namespace tessera::plan
