#include "plan/analysis/RowShifts.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tessera::plan {

void rotateColumns(tile::IotaOp iota, Value shift) {
  OpBuilder b(iota->getContext());
  b.setInsertionPointAfter(iota);
  auto type = cast<RankedTensorType>(iota.getType());
  auto element = cast<IntegerType>(type.getElementType());
  auto splat = [&](Value x) { return tile::SplatOp::create(b, iota.getLoc(), type, x); };
  auto number = [&](Type of, int64_t n) -> Value {
    return arith::ConstantOp::create(b, iota.getLoc(), b.getIntegerAttr(of, n));
  };
  Value by = arith::MaxSIOp::create(b, iota.getLoc(), shift, number(shift.getType(), 0));
  if (element.getWidth() > 32)
    by = arith::ExtSIOp::create(b, iota.getLoc(), element, by);
  else if (element.getWidth() < 32)
    by = arith::TruncIOp::create(b, iota.getLoc(), element, by);
  const APInt last(64, uint64_t(type.getNumElements() - 1));
  Value mask = arith::ConstantOp::create(b, iota.getLoc(),
                                         IntegerAttr::get(element, last.trunc(element.getWidth())));
  auto compute = [&](tile::BinaryKind kind, Value x, Value y) -> Value {
    return tile::BinaryOp::create(b, iota.getLoc(), kind, x, splat(y), tile::Rounding::nearest,
                                  /*flush=*/false, /*isUnsigned=*/false);
  };
  Value moved = compute(tile::BinaryKind::sub, iota, by);
  Value rotated = compute(tile::BinaryKind::bit_and, moved, mask);
  iota.getResult().replaceAllUsesExcept(rotated, moved.getDefiningOp());
}

namespace {

// What rotateColumns made of the number of a shift, from the number itself on.
void takeNumbersBack(Operation *made) {
  for (Operation *user : llvm::make_early_inc_range(made->getUsers())) {
    if (isa<arith::MaxSIOp, arith::ExtSIOp, arith::TruncIOp, tile::SplatOp>(user)) {
      takeNumbersBack(user);
      continue;
    }
    auto moved = dyn_cast<tile::BinaryOp>(user);
    auto iota = moved ? moved.getX().getDefiningOp<tile::IotaOp>() : tile::IotaOp();
    if (!iota || moved.getKind() != tile::BinaryKind::sub)
      continue;
    for (Operation *rotated : llvm::make_early_inc_range(moved->getUsers()))
      rotated->getResult(0).replaceAllUsesWith(iota.getResult());
  }
}

} // namespace

void takeRotationBack(tile::RowShiftOp shift) {
  for (Operation *user : llvm::make_early_inc_range(shift->getUsers()))
    llvm::TypeSwitch<Operation *>(user)
        .Case<tile::ViewLoadOp, tile::ViewStoreOp>([](auto access) {
          access.getShiftMutable().clear();
          access.removeRotationAttr();
        })
        .Case([](tile::RowShiftOp like) { takeRotationBack(like); })
        .Default([](Operation *number) {
          if (isa<arith::MaxSIOp>(number))
            takeNumbersBack(number);
        });
}

} // namespace tessera::plan
