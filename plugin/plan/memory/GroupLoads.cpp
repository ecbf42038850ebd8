// Groups loads of global memory, so that no op that waits for one load stands in front of the next.
//   a = view_load; x = cast a; b = view_load  ->  a = view_load; b = view_load; x = cast a
// Compilers of the generated code do this by themselves within straight-line code. But a load whose
// alignment or bounds are tested at run time is a branch, and no compiler moves loads across it:
// the latencies would add up. Loads move up past pure ops, and past stores to arrays that do not
// alias theirs as long as registers last; the order of other memory accesses stays.
#include "layout/LinearLayout.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/Passes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_GROUPLOADS
#include "plan/Passes.h.inc"

namespace {

bool isPassed(Operation *op) { return isPure(op) && !op->getNumRegions(); }

// The ops of `passed` that the load needs, in order; nothing if these are more than some scalars: a
// load that waits for a tile, or for a long computation, is not worth moving.
std::optional<SetVector<Operation *>> neededBy(Operation *load,
                                               const SetVector<Operation *> &passed) {
  constexpr size_t limit = 128;
  llvm::SmallPtrSet<Operation *, 16> needed;
  SmallVector<Operation *> work = {load};
  while (!work.empty())
    for (Value operand : work.pop_back_val()->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (!op || !passed.contains(op) || !needed.insert(op).second)
        continue;
      if (isa<TensorType>(operand.getType()) || needed.size() > limit)
        return std::nullopt;
      work.push_back(op);
    }
  SetVector<Operation *> ordered;
  for (Operation *op : passed)
    if (needed.contains(op))
      ordered.insert(op);
  return ordered;
}

// What loads that moved past stores may take together, of a thread.
constexpr int64_t registersPastStores = 32;

int64_t registersOf(tile::ViewLoadOp load) {
  auto type = cast<RankedTensorType>(load.getType());
  return llvm::divideCeil(toLinear(type).registerCount() * bytesOf(type.getElementType()), 4);
}

bool mayPass(tile::ViewLoadOp load, ArrayRef<tile::ViewStoreOp> stores, int64_t registers) {
  return stores.empty() || (registers + registersOf(load) <= registersPastStores &&
                            llvm::none_of(stores, [&](tile::ViewStoreOp store) {
                              return mayAlias(baseOf(load.getBase()), baseOf(store.getBase()));
                            }));
}

struct GroupLoads : impl::GroupLoadsBase<GroupLoads> {
  void runOnOperation() override {
    getOperation().walk([](Block *block) {
      Operation *last = nullptr; // the previous load, and the ops since that may be passed
      SetVector<Operation *> passed;
      SmallVector<tile::ViewStoreOp> stores; // since that load
      int64_t registers = 0;                 // of loads that moved past stores
      for (Operation &op : llvm::make_early_inc_range(*block)) {
        if (auto load = dyn_cast<tile::ViewLoadOp>(op)) {
          auto needed =
              last && mayPass(load, stores, registers) ? neededBy(load, passed) : std::nullopt;
          if (needed) {
            if (!stores.empty())
              registers += registersOf(load);
            for (Operation *earlier : *needed) {
              earlier->moveAfter(last);
              last = earlier;
            }
            load->moveAfter(last);
            passed.remove_if([&](Operation *earlier) { return needed->contains(earlier); });
          } else {
            passed.clear();
            stores.clear();
            registers = 0;
          }
          last = load;
        } else if (isPassed(&op)) {
          passed.insert(&op);
        } else if (auto store = dyn_cast<tile::ViewStoreOp>(op)) {
          stores.push_back(store);
        } else {
          last = nullptr;
          passed.clear();
          stores.clear();
          registers = 0;
        }
      }
    });
  }
};

} // namespace
} // namespace tessera::plan
