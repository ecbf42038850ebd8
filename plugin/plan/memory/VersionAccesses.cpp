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
// holds no tile while it waits for the next. Where all of this stands in a branch, as behind a test
// of the row's number, the versions do, too.
#include "plan/memory/VersionAccesses.h"
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
  explicit Versions(func::FuncOp kernel) : kernel(kernel), body(&kernel.getBody().front()) {}

  VersionObstacle find() {
    int64_t ops = 0;
    bool multiplies = false;
    SmallVector<Operation *> guarded, reductions;
    kernel.walk([&](Operation *op) {
      ++ops;
      multiplies |= isa<tile::SharedMmaOp>(op);
      if (isa<tile::ReduceOp>(op))
        reductions.push_back(op);
      else if (isGuarded(op))
        guarded.push_back(op);
    });
    if (guarded.empty())
      return VersionObstacle::Proven;
    if (multiplies)
      return VersionObstacle::Multiplies;
    if (reductions.empty())
      return VersionObstacle::Reduces;
    if (guarded.size() < fewestAccesses)
      return VersionObstacle::Few;
    body = innermostOf(llvm::to_vector(llvm::concat<Operation *>(guarded, reductions)));
    llvm::copy_if(guarded, std::back_inserter(asked),
                  [&](Operation *op) { return isAskedBefore(op); });
    if (asked.size() < fewestAccesses)
      return VersionObstacle::Views;
    return ops > maxOps ? VersionObstacle::Long : VersionObstacle::None;
  }

  void rewrite() {
    Operation *first = moveScalarsUp();
    OpBuilder b(first);
    Location loc = first->getLoc();
    SmallVector<Operation *> ops;
    for (Operation &op : llvm::make_range(Block::iterator(first), std::prev(body->end())))
      ops.push_back(&op);
    SmallVector<OpOperand *> results; // what the branch around the versions gets from them
    for (OpOperand &operand : body->getTerminator()->getOpOperands())
      if (llvm::is_contained(ops, operand.get().getDefiningOp()))
        results.push_back(&operand);
    auto values = llvm::map_to_vector(results, [](OpOperand *operand) { return operand->get(); });
    Value isAligned = allowsChunks(b, asked, "is_aligned");
    auto versions = scf::IfOp::create(b, loc, TypeRange(ValueRange(values)), isAligned,
                                      /*addThenBlock=*/true, /*addElseBlock=*/true);
    kernel->setAttr(tile::versionsAttr, b.getUnitAttr());
    versions->setAttr(tile::byAlignmentAttr, b.getUnitAttr());
    auto yields = [&](Block &block, ValueRange of) {
      OpBuilder end = OpBuilder::atBlockEnd(&block);
      return scf::YieldOp::create(end, loc, of);
    };
    IRMapping map;
    OpBuilder then = OpBuilder::atBlockEnd(versions.thenBlock());
    SmallVector<Operation *> copies;
    for (Operation *op : ops) {
      copies.push_back(then.clone(*op, map));
      op->moveBefore(versions.elseBlock(), versions.elseBlock()->end());
    }
    yields(*versions.thenBlock(),
           llvm::map_to_vector(values, [&](Value value) { return map.lookup(value); }));
    yields(*versions.elseBlock(), values);
    for (auto [operand, result] : llvm::zip(results, versions.getResults()))
      operand->set(result);
    for (auto [op, copy] : llvm::zip(ops, copies))
      align(op, copy);
    eraseDead(kernel);
  }

private:
  // The block that has all of the ops, in branches of it or loops, as far inside of branches as
  // there is one.
  Block *innermostOf(ArrayRef<Operation *> ops) const {
    Block *block = ops.front()->getBlock();
    auto hasAll = [&] {
      return llvm::all_of(ops, [&](Operation *op) { return block->findAncestorOpInBlock(*op); });
    };
    auto isInLoop = [&] {
      for (Operation *around = block->getParentOp(); around != kernel;
           around = around->getParentOp())
        if (!isa<scf::IfOp>(around))
          return true;
      return false;
    };
    while (!hasAll() || isInLoop())
      block = block->getParentOp()->getBlock();
    return block;
  }

  // Of an op and its copy in the version for aligned views: the accesses there are aligned, and
  // their rows not rotated.
  void align(Operation *op, Operation *copy) {
    SmallVector<Operation *> copies;
    copy->walk([&](Operation *inner) { copies.push_back(inner); });
    const auto *next = copies.begin();
    op->walk([&](Operation *inner) {
      if (llvm::is_contained(asked, inner))
        setAligned(*next);
      else if (isShiftOfAsked(inner))
        takeRotationBack(cast<tile::RowShiftOp>(*next));
      ++next;
    });
  }

  bool isShiftOfAsked(Operation *op) const {
    return isa<tile::RowShiftOp>(op) && llvm::any_of(op->getUsers(), [&](Operation *user) {
             return llvm::is_contained(asked, user);
           });
  }

  // Is alignment all that the access lacks, and can it be asked before the tiles of the versions
  // are computed?
  bool isAskedBefore(Operation *op) const {
    const Box box = *boxOf(op); // NOLINT(bugprone-unchecked-optional-access)
    const tile::AccessAttr access = box.access;
    const bool startsAtChunk =
        llvm::none_of(unprovenOf(box, access.getVector(), access.getBounds().back()),
                      [](const Unproven &unproven) { return unproven.kind == Unproven::Start; });
    return box.isContiguous && startsAtChunk &&
           tile::areAllRight(viewOf(box), [&](Value value) -> std::optional<bool> {
             Operation *from = value.getDefiningOp();
             if (isKnownAround(value))
               return true;
             return from && isHoisted(from) ? std::nullopt : std::optional(false);
           });
  }

  static SmallVector<Value> viewOf(const Box &box) {
    SmallVector<Value> view = {box.base};
    llvm::append_range(view, box.extents);
    llvm::append_range(view, box.strides);
    return view;
  }

  // Is the value known in front of the block of the versions? It is used in there.
  bool isKnownAround(Value value) const {
    Block *block = value.getParentBlock();
    const bool isAround = block == body ? !value.getDefiningOp()
                                        : block->findAncestorOpInBlock(body->front()) != nullptr;
    return isAround;
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
    for (Operation &op : llvm::make_early_inc_range(body->without_terminator())) {
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
    for (Operation *op : asked)
      for (Value value : viewOf(*boxOf(op))) // NOLINT(bugprone-unchecked-optional-access)
        moveUp(value, first);
    return first;
  }

  // Of a view that is made in a branch or a loop of the versions.
  void moveUp(Value value, Operation *first) {
    Operation *op = value.getDefiningOp();
    if (isKnownAround(value) || !op || op->getBlock() == body)
      return;
    for (Value operand : op->getOperands())
      moveUp(operand, first);
    op->moveBefore(first);
  }

  func::FuncOp kernel;
  Block *body;                    // what it has is versioned
  SmallVector<Operation *> asked; // the accesses whose alignment a version takes as proven
};

struct VersionAccesses : impl::VersionAccessesBase<VersionAccesses> {
  void runOnOperation() override {
    if (Versions versions(getOperation()); versions.find() == VersionObstacle::None)
      versions.rewrite();
  }
};

} // namespace

VersionObstacle versionObstacle(func::FuncOp kernel) { return Versions(kernel).find(); }

} // namespace tessera::plan
