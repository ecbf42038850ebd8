// A row that begins anywhere in memory is accessed in whole lines of 128 bytes by lanes that each
// take one element of 4 bytes, side by side: whatever its alignment. Chunks of 16 bytes need the
// aligned groups around them, or rows that are rotated in their tiles. So in the version of a
// kernel for views of any alignment, threads hold single elements:
//
//   %x = view_load ... {access<4, aligned = false>} : tensor<1x128xf32, <[1, 2], [4, 8, ...]>>
// becomes
//   %x = view_load ... {access<1, aligned = true>} : tensor<1x128xf32, <[32, 64], [1, 2, ...]>>
//
// All tiles that are computed from each other change alike, so that nothing is converted. What a
// warp holds stays the same, and the threads that have what a reduction leaves. Tiles stay as they
// are where an op among them names registers (a part, a join), scans, or takes tiles of pointers;
// and where elements of 1 or 2 bytes are accessed among them: single ones would be too many
// accesses.
//
// On an H200 Triton, whose threads hold single elements of such rows, had 3489 GB/s of softmax with
// 4097 columns of float, rotated rows 2586 (bench/results/2026-11-30-rows-by-warps-h200.txt).
#include "plan/analysis/Accesses.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/RowShifts.h"
#include "plan/analysis/TileClosure.h"
#include "plan/Passes.h"
#include "tile/Attributes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_COALESCEROWS
#include "plan/Passes.h.inc"

namespace {

constexpr int64_t minBytes = 4; // of an element

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// The tiles of a region that are computed from each other.
class Rows final : public TileClosure {
public:
  Rows(Region &region, Value tile, LinearLayout::Run run) : region(region), run(run) { add(tile); }

  // Should they be striped? After follow().
  bool gain() const {
    return llvm::all_of(accesses, [&](Operation *op) { return isWide(op) && ownsShift(op); });
  }

  void rewrite() {
    for (Operation *op : accesses) {
      llvm::TypeSwitch<Operation *>(op).Case<tile::ViewLoadOp, tile::ViewStoreOp>([&](auto access) {
        if (auto shift = access.getShift()
                             ? access.getShift().template getDefiningOp<tile::RowShiftOp>()
                             : tile::RowShiftOp())
          takeRotationBack(shift);
        const tile::AccessAttr was = access.getAccessAttr();
        access.setAccessAttr(tile::AccessAttr::get(op->getContext(), /*vector=*/1, was.getAlong(),
                                                   /*aligned=*/true, was.getBounds()));
      });
    }
    for (Value tile : tiles)
      setLayout(tile, toLinear(typeOf(tile)).striped(run));
  }

private:
  // Elements that are not too small, of the run.
  bool isWide(Operation *op) const {
    std::optional<Box> box = boxOf(op);
    return box && box->access && box->bytes() >= minBytes && box->layout &&
           box->layout->run() == run;
  }

  // Do all accesses by which rows are rotated like this one's belong here?
  bool ownsShift(Operation *op) const {
    Value shift = isa<tile::ViewLoadOp>(op) ? cast<tile::ViewLoadOp>(op).getShift()
                                            : cast<tile::ViewStoreOp>(op).getShift();
    return !shift || (shift.getDefiningOp<tile::RowShiftOp>() &&
                      llvm::all_of(shift.getUsers(), [&](Operation *user) {
                        return !isa<tile::RowShiftOp>(user) &&
                               (!isa<tile::ViewLoadOp, tile::ViewStoreOp>(user) || endsAt(user));
                      }));
  }

  bool add(Value tile) override {
    if (!region.isAncestor(tile.getParentRegion()))
      return false;
    ArrayRef<int64_t> shape = typeOf(tile).getShape();
    const bool hasRuns = !shape.empty() && shape.back() >= int64_t(1)
                                                               << (run.neighbours + run.lanes);
    return hasRuns && (tiles.insert(tile), true);
  }

  bool addChosen(scf::IfOp branch, unsigned result) {
    return addAll({branch.getResult(result), branch.thenYield().getOperand(result),
                   branch.elseYield().getOperand(result)});
  }

  bool followMaker(Operation *maker, Value tile) override {
    return llvm::TypeSwitch<Operation *, bool>(maker)
        .Case<tile::SplatOp, tile::IotaOp, tile::SharedLoadOp>([](auto) { return true; })
        .Case(
            [](arith::ConstantOp constant) { return isa<DenseElementsAttr>(constant.getValue()); })
        .Case([&](tile::ReduceOp reduce) { return addAll(reduce->getOperands()); })
        .Case([&](scf::IfOp branch) {
          return addChosen(branch, cast<OpResult>(tile).getResultNumber());
        })
        .Default([&](Operation *) { return TileClosure::followMaker(maker, tile); });
  }

  bool followUser(OpOperand &use) override {
    Operation *user = use.getOwner();
    if (isa<tile::SharedStoreOp>(user))
      return true;
    if (auto reduce = dyn_cast<tile::ReduceOp>(user)) {
      const bool isAlongRow = int64_t(reduce.getDim()) == typeOf(use.get()).getRank() - 1;
      return addAll(reduce->getOperands()) && (isAlongRow || add(reduce.getResult()));
    }
    if (auto branch = dyn_cast<scf::IfOp>(user->getParentOp()); branch && isa<scf::YieldOp>(user))
      return addChosen(branch, use.getOperandNumber());
    return TileClosure::followUser(use);
  }

  Region &region;
  LinearLayout::Run run;
};

void coalesce(Region &region) {
  SmallVector<Operation *> guarded;
  region.walk([&](Operation *op) {
    if (isGuarded(op))
      guarded.push_back(op);
  });
  for (Operation *op : guarded) {
    if (!isGuarded(op))
      continue; // it was among the tiles of one before it
    Value tile =
        isa<tile::ViewLoadOp>(op) ? op->getResult(0) : cast<tile::ViewStoreOp>(op).getValue();
    const LinearLayout::Run run = toLinear(typeOf(tile)).run();
    const int64_t bytes = bytesOf(typeOf(tile).getElementType()) << run.lanes;
    if (bytes < bytesOfLine)
      continue;
    if (Rows rows(region, tile, run); rows.follow() && rows.gain())
      rows.rewrite();
  }
}

struct CoalesceRows : impl::CoalesceRowsBase<CoalesceRows> {
  void runOnOperation() override {
    getOperation().walk([](scf::IfOp versions) {
      if (versions->hasAttr(tile::byAlignmentAttr))
        coalesce(versions.getElseRegion());
    });
    eraseDead(getOperation());
  }
};

} // namespace
} // namespace tessera::plan
