// A kernel that reads rows through views of unknown alignment tests each access at run time, and
// has a second way to make it: element by element, or by the aligned groups around it. Neither is
// slow where all is aligned, but both stand in the same code: what threads hold meanwhile, and the
// second way's addresses, take registers of which several blocks of an SM could have been made. So
// a kernel is asked once for all of its accesses, and has a version in which all are known to be
// aligned:
//
//   %x = view_load ... {aligned = false}; ...; view_store ... {aligned = false}
// becomes
//   %c = allows_chunks x; %d = allows_chunks y
//   scf.if (%c and %d) { %x = view_load ... {aligned = true}; ...; view_store ... {aligned = true} }
//   else { %x = view_load ... {aligned = false}; ...; view_store ... {aligned = false} }
//
// bf16 on an H200, GB/s of layer_norm whose arrays are not known to be aligned, with a version and
// without: rows of 4096 3317 and 3852, of 8192 2717 and 3736, of 16384 2176 and 3519
// (bench/results/2026-11-30-rows-by-warps-h200.txt). The pass plan-occupancy bounds the registers
// to what the aligned version needs.
//
// Only kernels that reduce, and whose views are known before they compute with tiles: another one
// holds no tile while it waits for the next.
#include "plan/analysis/Accesses.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/RowShifts.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"
#include "tile/Sources.h"
#include "tile/Speculation.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_VERSIONACCESSES
#include "plan/Passes.h.inc"

namespace {

// One of a kernel's accesses asks nothing that the other does not.
constexpr size_t fewestAccesses = 2;
// The text of a kernel is printed twice.
constexpr int64_t maxOps = 512;

void setAligned(Operation *op) {
  llvm::TypeSwitch<Operation *>(op).Case<tile::ViewLoadOp, tile::ViewStoreOp>(
      [](auto it) { it.setAccessAttr(aligned(it.getAccessAttr())); });
}

class Versions {
public:
  explicit Versions(func::FuncOp kernel) : kernel(kernel), body(kernel.getBody().front()) {}

  bool find() {
    int64_t ops = 0;
    bool reduces = false, multiplies = false;
    kernel.walk([&](Operation *op) {
      ++ops;
      reduces |= isa<tile::ReduceOp>(op);
      multiplies |= isa<tile::SharedMmaOp>(op);
      if (isGuarded(op))
        guarded.push_back(op);
    });
    return reduces && !multiplies && ops <= maxOps && guarded.size() >= fewestAccesses;
  }

  void rewrite() {
    Operation *first = moveScalarsUp();
    OpBuilder b(first);
    Location loc = first->getLoc();
    Value isAligned = allowsChunks(b, guarded, "is_aligned");
    auto versions = scf::IfOp::create(b, loc, isAligned, /*withElseRegion=*/true);
    kernel->setAttr(tile::versionsAttr, b.getUnitAttr());
    versions->setAttr(tile::byAlignmentAttr, b.getUnitAttr());
    OpBuilder then = versions.getThenBodyBuilder();
    IRMapping map;
    SmallVector<Operation *> ops;
    for (Operation &op : llvm::make_range(Block::iterator(first), std::prev(body.end())))
      ops.push_back(&op);
    Operation *end = versions.elseBlock()->getTerminator();
    SmallVector<Operation *> copies;
    for (Operation *op : ops) {
      copies.push_back(then.clone(*op, map));
      op->moveBefore(end);
    }
    for (auto [op, copy] : llvm::zip(ops, copies))
      align(op, copy);
    eraseDead(kernel);
  }

private:
  // Of an op and its copy in the version for aligned views: the accesses there are aligned, and
  // their rows not rotated.
  void align(Operation *op, Operation *copy) {
    SmallVector<Operation *> copies;
    copy->walk([&](Operation *inner) { copies.push_back(inner); });
    const auto *next = copies.begin();
    op->walk([&](Operation *inner) {
      if (llvm::is_contained(guarded, inner))
        setAligned(*next);
      else if (isShiftOfGuarded(inner))
        takeRotationBack(cast<tile::RowShiftOp>(*next));
      ++next;
    });
  }

  bool isShiftOfGuarded(Operation *op) const {
    return isa<tile::RowShiftOp>(op) && llvm::any_of(op->getUsers(), [&](Operation *user) {
             return llvm::is_contained(guarded, user);
           });
  }

  // Is alignment all that the access lacks, and can it be asked before the kernel's tiles are
  // computed?
  bool isGuarded(Operation *op) {
    if (!isa<tile::ViewLoadOp, tile::ViewStoreOp>(op))
      return false;
    std::optional<Box> box = boxOf(op);
    if (!box || !box->isContiguous || !box->access || box->access.getAligned() ||
        box->access.getVector() < 2)
      return false;
    const tile::AccessAttr access = box->access;
    const bool startsAtChunk =
        llvm::none_of(unprovenOf(*box, access.getVector(), access.getBounds().back()),
                      [](const Unproven &unproven) { return unproven.kind == Unproven::Start; });
    SmallVector<Value> view = {box->base};
    llvm::append_range(view, box->extents);
    llvm::append_range(view, box->strides);
    return startsAtChunk && tile::areAllRight(view, [&](Value value) -> std::optional<bool> {
             Operation *from = value.getDefiningOp();
             if (!from)
               return value.getParentBlock() == &body;
             return from->getBlock() == &body && isHoisted(from) ? std::nullopt
                                                                 : std::optional(false);
           });
  }

  // May the op stand before both versions? Each has its own shared memory, whose lifetime ends with
  // it, and only one asks how far rows are shifted.
  static bool isHoisted(Operation *op) {
    const bool hasTile = llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>) ||
                         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>);
    return !hasTile && !op->getNumRegions() && !isa<tile::SharedAllocOp, tile::RowShiftOp>(op) &&
           tile::isSpeculatable(op);
  }

  // Moves what both versions share in front of them; returns the first op of a version.
  Operation *moveScalarsUp() {
    Operation *first = nullptr;
    llvm::SmallPtrSet<Operation *, 32> inVersions;
    for (Operation &op : llvm::make_early_inc_range(body.without_terminator())) {
      const bool isShared = isHoisted(&op) && llvm::none_of(op.getOperands(), [&](Value operand) {
                              return inVersions.contains(operand.getDefiningOp());
                            });
      if (!isShared) {
        inVersions.insert(&op);
        first = first ? first : &op;
      } else if (first) {
        op.moveBefore(first);
      }
    }
    return first;
  }

  func::FuncOp kernel;
  Block &body;
  SmallVector<Operation *> guarded;
};

struct VersionAccesses : impl::VersionAccessesBase<VersionAccesses> {
  void runOnOperation() override {
    if (Versions versions(getOperation()); versions.find())
      versions.rewrite();
  }
};

} // namespace
} // namespace tessera::plan
