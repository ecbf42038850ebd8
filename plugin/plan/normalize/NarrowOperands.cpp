// Operands that a program widens before it multiplies them are multiplied in the type that they
// had, by tensor cores. The products are the same numbers: that of two bf16 is exact in f32.
//
//   mma (cast (load : bf16) : f32), (permute (cast (load : bf16) : f32)), %sum : f32
//   ->  mma (load : bf16), (permute (load : bf16)), %sum : f32
//
// Where one operand alone was widened, the other is the sum of three bf16 tiles:
//
//   mma %x, (cast %y), %sum  ->  mma (term 0 of %x), %y, (mma (term 1 of %x), %y, (mma ...))
//
// A half is the sum of two; a half beside a float, or beside bf16, takes five products, or two.
//
// Each element of a widened operand must be a number of the narrow type: the result of a cast from
// a type that it holds, moved, broadcast or selected, or a constant. Numbers of narrower types
// (fp8, integers of 8 bits) are converted to the narrow type, exactly.
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "tile/SourceNames.h"
#include "tile/TileDialect.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_NARROWOPERANDS
#include "plan/Passes.h.inc"

namespace {

// Is each number of `type` a number of `narrow`, too?
bool holds(FloatType narrow, Type type, bool isUnsigned) {
  const llvm::fltSemantics &semantics = narrow.getFloatSemantics();
  if (auto number = dyn_cast<FloatType>(type))
    return APFloat::isRepresentableBy(number.getFloatSemantics(), semantics);
  auto integer = dyn_cast<IntegerType>(type);
  return integer &&
         integer.getWidth() <= APFloat::semanticsPrecision(semantics) + (isUnsigned ? 0 : 1);
}

bool holds(FloatType narrow, const APFloat &number) {
  APFloat copy = number;
  bool isInexact = false;
  copy.convert(narrow.getFloatSemantics(), APFloat::rmNearestTiesToEven, &isInexact);
  return !isInexact;
}

bool isExact(tile::CastOp cast) {
  auto type = dyn_cast<FloatType>(tile::elementType(cast.getType()));
  return type && holds(type, tile::elementType(cast.getX().getType()), cast.getFromUnsigned());
}

bool isNarrowConstant(Value tile, FloatType narrow) {
  DenseFPElementsAttr elements;
  FloatAttr number;
  if (matchPattern(tile, m_Constant(&elements)))
    return llvm::all_of(elements.getValues<APFloat>(),
                        [&](const APFloat &x) { return holds(narrow, x); });
  auto splat = tile.getDefiningOp<tile::SplatOp>();
  return splat && matchPattern(splat.getX(), m_Constant(&number)) &&
         holds(narrow, number.getValue());
}

bool isMovement(Operation *op) {
  return isa_and_present<tile::PermuteOp, tile::ReshapeOp, tile::BroadcastOp>(op);
}

// That of the multiply, with a name after the tile's.
Location locationOfTerm(int term, Location tile, Location multiply) {
  static constexpr StringRef suffixes[] = {"_high", "_middle", "_low"};
  std::optional<std::string> name = tile::sourceName(tile);
  return name ? NameLoc::get(StringAttr::get(tile.getContext(), *name + suffixes[term].str()),
                             multiply)
              : multiply;
}

// What the pass knows of tiles, each asked once, and those in a narrower type that it has made.
class Narrowed {
public:
  // Is each element of a float tile a number of `narrow` that the pass finds in that type?
  bool isNarrow(Value tile, FloatType narrow) {
    auto known = areNarrow.find({tile, narrow});
    if (known != areNarrow.end())
      return known->second;
    bool found = findNarrow(tile, narrow); // which may add to the map
    return areNarrow[{tile, narrow}] = found;
  }

  // Of a tile for which isNarrow() holds.
  Value in(FloatType narrow, Value tile) {
    Value &made = tiles[{tile, narrow}];
    if (!made) {
      Value found = make(narrow, tile); // which may add to `tiles`
      return tiles[{tile, narrow}] = found;
    }
    return made;
  }

  // Of a tile of f32: one of three tiles of bf16 whose sum it is.
  Value term(int term, Value tile, Location multiply) {
    Value &made = terms[{tile, term}];
    if (!made) {
      OpBuilder b(tile.getContext());
      b.setInsertionPointAfterValue(tile);
      Type type = tile::withElementType(tile.getType(), b.getBF16Type());
      made = tile::Bf16TermOp::create(b, locationOfTerm(term, tile.getLoc(), multiply), type, term,
                                      tile);
    }
    return made;
  }

private:
  llvm::DenseMap<std::pair<Value, Type>, Value> tiles;
  llvm::DenseMap<std::pair<Value, int>, Value> terms;
  llvm::DenseMap<std::pair<Value, Type>, bool> areNarrow;

  bool findNarrow(Value tile, FloatType narrow) {
    Operation *op = tile.getDefiningOp();
    if (auto cast = dyn_cast_or_null<tile::CastOp>(op))
      return isExact(cast) &&
             (holds(narrow, tile::elementType(cast.getX().getType()), cast.getFromUnsigned()) ||
              isNarrow(cast.getX(), narrow));
    if (auto select = dyn_cast_or_null<tile::SelectOp>(op))
      return isNarrow(select.getX(), narrow) && isNarrow(select.getY(), narrow);
    return isMovement(op) ? isNarrow(op->getOperand(0), narrow) : isNarrowConstant(tile, narrow);
  }

  Value make(FloatType narrow, Value tile) {
    Operation *op = tile.getDefiningOp();
    OpBuilder b(op);
    b.setInsertionPointAfter(op);
    Type type = tile::withElementType(tile.getType(), narrow);
    if (auto cast = dyn_cast<tile::CastOp>(op)) {
      Value x = cast.getX();
      if (x.getType() == type)
        return x;
      if (!holds(narrow, tile::elementType(x.getType()), cast.getFromUnsigned()))
        return in(narrow, x);
      return tile::CastOp::create(b, op->getLoc(), type, x, tile::Rounding::nearest,
                                  cast.getFromUnsigned(), /*toUnsigned=*/false);
    }
    if (auto select = dyn_cast<tile::SelectOp>(op)) {
      Value x = in(narrow, select.getX()), y = in(narrow, select.getY());
      return tile::SelectOp::create(b, op->getLoc(), type, select.getMask(), x, y);
    }
    if (auto splat = dyn_cast<tile::SplatOp>(op)) {
      FloatAttr number;
      matchPattern(splat.getX(), m_Constant(&number));
      Value x = arith::ConstantOp::create(
          b, op->getLoc(), FloatAttr::get(narrow, number.getValue().convertToDouble()));
      return tile::SplatOp::create(b, op->getLoc(), type, x);
    }
    if (!isMovement(op))
      return tile::CastOp::create(b, op->getLoc(), type, tile, tile::Rounding::nearest, false,
                                  false);
    Value moved = in(narrow, op->getOperand(0));
    Operation *copy = b.clone(*op);
    copy->setOperand(0, moved);
    copy->getResult(0).setType(cast<RankedTensorType>(type));
    return copy->getResult(0);
  }
};

// Terms of an operand are computed in registers. With tiles of which a thread has more than 64
// elements, a product by terms is slower than by fused multiply-adds: decoding of 64x512 halves on
// an H200 takes 2 to 11 times as long.
bool fitsRegisters(Value tile) {
  constexpr int64_t most = 16384;
  return cast<RankedTensorType>(tile.getType()).getNumElements() <= most;
}

bool isByTensorCore(tile::MmaOp multiply, FloatType narrow) {
  Matmul matmul = matmulOf(multiply);
  matmul.a = matmul.b = narrow;
  return selectMma(matmul, targetOf(multiply)).instruction.isTensorCore();
}

// The multiply with other operands and another accumulator.
Value inType(tile::MmaOp multiply, Value a, Value b, Value sum) {
  OpBuilder builder(multiply);
  return tile::MmaOp::create(builder, multiply.getLoc(), multiply.getType(), a, b, sum,
                             /*aUnsigned=*/false, /*bUnsigned=*/false, /*fastAccumulation=*/false);
}

struct NarrowOperands : impl::NarrowOperandsBase<NarrowOperands> {
  void runOnOperation() override {
    if (!policyOf(getOperation()).narrow)
      return;
    SmallVector<tile::MmaOp> multiplies;
    getOperation().walk([&](tile::MmaOp op) {
      Type wide = tile::elementType(op.getA().getType());
      if (wide.isF32() || isa<FloatTF32Type>(wide))
        multiplies.push_back(op);
    });
    Narrowed narrowed;
    for (tile::MmaOp multiply : multiplies)
      if (Value product = narrow(multiply, narrowed)) {
        multiply.replaceAllUsesWith(product);
        multiply.erase();
      }
    eraseDead(getOperation());
  }

  // The same product by tensor cores of 16-bit elements, or null.
  Value narrow(tile::MmaOp multiply, Narrowed &narrowed) {
    FloatType half = Float16Type::get(&getContext()), bfloat = BFloat16Type::get(&getContext());
    Value a = multiply.getA(), b = multiply.getB();
    for (FloatType type : {half, bfloat})
      if (narrowed.isNarrow(a, type) && narrowed.isNarrow(b, type) &&
          isByTensorCore(multiply, type))
        return inType(multiply, narrowed.in(type, a), narrowed.in(type, b), multiply.getC());
    if (!tile::elementType(a.getType()).isF32() || !isByTensorCore(multiply, bfloat))
      return {};
    auto termsOf = [&](Value x) {
      return narrowed.isNarrow(x, bfloat) ? 1 : narrowed.isNarrow(x, half) ? 2 : 3;
    };
    const int termsOfA = termsOf(a), termsOfB = termsOf(b);
    if (termsOfA + termsOfB > 5 || (termsOfA > 1 && !fitsRegisters(a)) ||
        (termsOfB > 1 && !fitsRegisters(b)))
      return {};
    auto term = [&](int index, int count, Value x) {
      return count == 1 ? narrowed.in(bfloat, x) : narrowed.term(index, x, multiply.getLoc());
    };
    // The smallest products first, whose sum loses the fewest bits. Those of terms whose numbers
    // add up to more than 2 are below the last bit of the largest.
    Value sum = multiply.getC();
    for (int both : {2, 1, 0})
      for (int ofA = 0; ofA <= both; ++ofA)
        if (int ofB = both - ofA; ofA < termsOfA && ofB < termsOfB)
          sum = inType(multiply, term(ofA, termsOfA, a), term(ofB, termsOfB, b), sum);
    return sum;
  }
};

} // namespace
} // namespace tessera::plan
