// An iteration with a K tile of more than 128 bytes, of an operand that threads transpose on the
// way to wgmma, becomes several iterations of 128 bytes each. A K tile is then one ring stage of
// the best depth, registers hold an operand of it, and blocks can be coarsened (pass
// coarsen-blocks), as for a program whose K tile is 128 bytes.
//
//   for %i = 0 to %n { mma (view_load A : MxK at %i * K), (view_load B : KxN at %i * K), %accumulator }
//   ->  for %j = 0 to %n * 2 { the same of half boxes, at %j * (K / 2) }
//
// The order of additions stays. The pass takes loops of one multiply and nothing else, whose boxes
// start along K at the iteration's number times their extent, so that the boxes of the parts lie
// side by side, and whose number of iterations cannot wrap. Operands that go straight from memory
// to the tensor core keep their depth: a ring takes them in parts (pass subtile-k).
#include "plan/analysis/Facts.h"
#include "plan/analysis/KTile.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/MatmulForms.h"
#include "plan/analysis/Matmuls.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

#include <limits>

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SHRINKKTILE
#include "plan/Passes.h.inc"

namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

class Division {
public:
  explicit Division(scf::ForOp loop) : loop(loop) {}

  bool isPossible() {
    auto multiplies = llvm::to_vector(loop.getBody()->getOps<tile::MmaOp>());
    if (multiplies.size() != 1 || loop.getNumRegionIterArgs() != 1)
      return false;
    multiply = multiplies.front();
    RankedTensorType a = typeOf(multiply.getA());
    if (a.getRank() != 2)
      return false;
    parts = bytesAlongK(a, 1) / bestKBytes;
    return parts > 1 && isAccumulatorAlone() && isTransposed() && add(multiply.getA(), 1) &&
           add(multiply.getB(), 0) && doesNothingElse() && isCounted();
  }

  void run() {
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    auto constant = [&](Value like, int64_t n) -> Value {
      return arith::ConstantOp::create(b, loc, b.getIntegerAttr(like.getType(), n));
    };
    Value upper = loop.getUpperBound();
    loop.setUpperBound(b.createOrFold<arith::MulIOp>(loc, upper, constant(upper, parts)));
    for (auto [op, k] : tiles) {
      RankedTensorType type = typeOf(op->getResult(0));
      SmallVector<int64_t> shape(type.getShape());
      shape[k] /= parts;
      op->getResult(0).setType(RankedTensorType::get(shape, type.getElementType()));
      auto load = dyn_cast<tile::ViewLoadOp>(op);
      if (!load)
        continue;
      b.setInsertionPoint(load);
      Value iteration = loop.getInductionVar();
      load.getStartsMutable()[k].set(
          arith::MulIOp::create(b, load.getLoc(), iteration, constant(iteration, shape[k])));
    }
    eraseDead(loop);
  }

private:
  // The multiply is the only use of the accumulator that the loop carries.
  bool isAccumulatorAlone() {
    return multiply.getC() == loop.getRegionIterArg(0) && loopOfAccumulator(multiply) == loop;
  }

  // wgmma takes these elements along K only, and not both operands lie so. Too large an accumulator
  // for it will be split; on targets without wgmma, too, a K tile of 128 bytes leaves room for a
  // ring there.
  bool isTransposed() {
    return !takesEitherOrder(typeOf(multiply.getA()).getElementType()) &&
           (instructionFor(multiply).readsPanels() ||
            warpgroupObstacle(matmulOf(multiply)) == MmaObstacle::Large) &&
           !(contiguousDimension(multiply.getA()) == 1U &&
             contiguousDimension(multiply.getB()) == 0U);
  }

  // Follows an operand up to its read; false if it is not a plain matrix of a view.
  bool add(Value tile, unsigned k) {
    Operation *op = tile.getDefiningOp();
    if (!op || op->getBlock() != loop.getBody() || typeOf(tile).getRank() != 2 || !tile.hasOneUse())
      return false;
    tiles.emplace_back(op, k);
    if (auto load = dyn_cast<tile::ViewLoadOp>(op))
      return isAtIteration(load, k);
    if (auto permute = dyn_cast<tile::PermuteOp>(op))
      return add(permute.getX(), permute.getMap()[k]);
    auto cast = dyn_cast<tile::CastOp>(op);
    return cast && add(cast.getX(), k);
  }

  // Does the box start at the iteration's number times its extent along K, and at loop invariants
  // elsewhere?
  bool isAtIteration(tile::ViewLoadOp load, unsigned k) {
    for (auto [dim, start] : llvm::enumerate(load.getStarts()))
      if (dim != k && !loop.isDefinedOutsideOfLoop(start))
        return false;
    auto product = load.getStarts()[k].getDefiningOp<arith::MulIOp>();
    return product && product.getLhs() == loop.getInductionVar() &&
           constantOf(product.getRhs()) == typeOf(load.getResult()).getDimSize(k);
  }

  // Except the computation of addresses.
  bool doesNothingElse() {
    return llvm::all_of(loop.getBody()->without_terminator(), [&](Operation &op) {
      bool isOfTiles = &op == multiply || llvm::is_contained(llvm::make_first_range(tiles), &op);
      return isOfTiles || (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
    });
  }

  bool isCounted() {
    const int64_t limit = std::numeric_limits<int32_t>::max() / parts,
                  minimum = loop.getUnsignedCmp() ? 0 : -limit;
    const Range iterations = rangeOf(loop.getUpperBound());
    return getConstantIntValue(loop.getLowerBound()) == 0 &&
           getConstantIntValue(loop.getStep()) == 1 && iterations.low >= minimum &&
           iterations.high <= limit;
  }

  scf::ForOp loop;
  tile::MmaOp multiply;
  int64_t parts = 1;
  SmallVector<std::pair<Operation *, unsigned>> tiles; // with the dimension that is summed over
};

struct ShrinkKTile : impl::ShrinkKTileBase<ShrinkKTile> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (Division division(loop); division.isPossible())
        division.run();
  }
};

} // namespace
} // namespace tessera::plan
