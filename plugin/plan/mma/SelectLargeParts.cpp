// An op that would put a whole tile into shared memory, where a block's does not hold it, becomes
// selects among tiles of the result's size; it then takes only registers, or the parts in which
// conversions go.
//   cat %x, %y          ->  select of x and y, each repeated along the dimension
//   insert %p, %x[%i]   ->  select of p, repeated, where the part is, and x
//   extract %x[%i]      ->  for each bit of %i a select of two halves, which lie at constant indices
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SELECTLARGEPARTS
#include "plan/Passes.h.inc"

namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

class Selecting {
public:
  Selecting(Operation *op) : b(op), loc(op->getLoc()) {}

  Value cat(tile::CatOp op) {
    int64_t dim = op.getDim();
    ArrayRef<int64_t> part = typeOf(op.getX()).getShape();
    SmallVector<int64_t> single(part), twice(part), flags(part.size() + 1, 1);
    single.insert(single.begin() + dim, 1);
    twice.insert(twice.begin() + dim, 2);
    flags[dim] = 2;
    ArrayRef<int64_t> whole = typeOf(op.getResult()).getShape();
    auto repeat = [&](Value v) { return reshape(broadcast(reshape(v, single), twice), whole); };
    Value isSecond = reshape(broadcast(reshape(isIndex(2, constant(1)), flags), twice), whole);
    return tile::SelectOp::create(b, loc, isSecond, repeat(op.getY()), repeat(op.getX()));
  }

  Value insert(tile::InsertOp op) {
    ArrayRef<int64_t> whole = typeOf(op.getX()).getShape(), part = typeOf(op.getPart()).getShape();
    // Dimensions in pairs: the part, and the index within it.
    SmallVector<int64_t> counts, single, pairs;
    for (auto [extent, size] : llvm::zip_equal(whole, part)) {
      counts.append({extent / size, 1});
      single.append({1, size});
      pairs.append({extent / size, size});
    }
    Value isHere;
    for (auto [d, index] : llvm::enumerate(op.getIndex())) {
      SmallVector<int64_t> flags(counts.size(), 1);
      flags[2 * d] = counts[2 * d];
      Value along = broadcast(reshape(isIndex(flags[2 * d], index), flags), counts);
      isHere =
          isHere
              ? Value(tile::BinaryOp::create(b, loc, along.getType(), tile::BinaryKind::bit_and,
                                             isHere, along, tile::Rounding::nearest, false, true))
              : along;
    }
    Value mask = reshape(broadcast(isHere, pairs), whole);
    Value repeated = reshape(broadcast(reshape(op.getPart(), single), pairs), whole);
    return tile::SelectOp::create(b, loc, mask, repeated, op.getX());
  }

  Value extract(tile::ExtractOp op) {
    Value x = op.getX();
    ArrayRef<int64_t> part = typeOf(op.getResult()).getShape();
    for (auto [d, index] : llvm::enumerate(op.getIndex()))
      for (int64_t half = typeOf(x).getDimSize(d) / part[d] / 2; half > 0; half /= 2) {
        Value bit = arith::AndIOp::create(b, loc, index, constant(half));
        Value isUpper = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bit, constant(0));
        Value upper = halfOf(x, d, 1), lower = halfOf(x, d, 0);
        auto mask = RankedTensorType::get(typeOf(upper).getShape(), b.getI1Type());
        x = tile::SelectOp::create(b, loc, tile::SplatOp::create(b, loc, mask, isUpper), upper,
                                   lower);
      }
    return x;
  }

private:
  Value constant(int64_t n) { return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(n)); }

  Value reshape(Value v, ArrayRef<int64_t> shape) {
    return b.createOrFold<tile::ReshapeOp>(
        loc, RankedTensorType::get(shape, typeOf(v).getElementType()), v);
  }
  Value broadcast(Value v, ArrayRef<int64_t> shape) {
    return b.createOrFold<tile::BroadcastOp>(
        loc, RankedTensorType::get(shape, typeOf(v).getElementType()), v);
  }

  // A tile of `count` flags, of which the one at the index is true.
  Value isIndex(int64_t count, Value index) {
    auto type = RankedTensorType::get(count, b.getI32Type());
    return tile::CompareOp::create(b, loc, RankedTensorType::get(count, b.getI1Type()),
                                   tile::CompareKind::eq, tile::IotaOp::create(b, loc, type),
                                   tile::SplatOp::create(b, loc, type, index), false);
  }

  Value halfOf(Value x, int64_t dim, int64_t which) {
    SmallVector<int64_t> shape(typeOf(x).getShape());
    shape[dim] /= 2;
    SmallVector<Value> index;
    for (size_t d = 0; d < shape.size(); ++d)
      index.push_back(constant(d == static_cast<size_t>(dim) ? which : 0));
    return tile::ExtractOp::create(b, loc, RankedTensorType::get(shape, typeOf(x).getElementType()),
                                   x, index);
  }

  OpBuilder b;
  Location loc;
};

struct SelectLargeParts : impl::SelectLargePartsBase<SelectLargeParts> {
  void runOnOperation() override {
    int64_t limit = targetOf(getOperation()).sharedOfBlock;
    auto isLarge = [&](Value v) {
      return typeOf(v).getNumElements() * bytesOf(typeOf(v).getElementType()) > limit;
    };
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      Value chosen;
      if (auto cat = dyn_cast<tile::CatOp>(op); cat && isLarge(cat.getResult()))
        chosen = Selecting(op).cat(cat);
      else if (auto insert = dyn_cast<tile::InsertOp>(op); insert && isLarge(insert.getX()))
        chosen = Selecting(op).insert(insert);
      else if (auto extract = dyn_cast<tile::ExtractOp>(op);
               extract && !constantPart(extract) && isLarge(extract.getX()))
        chosen = Selecting(op).extract(extract);
      if (!chosen)
        continue;
      op->getResult(0).replaceAllUsesWith(chosen);
      op->erase();
    }
  }
};

} // namespace
} // namespace tessera::plan
