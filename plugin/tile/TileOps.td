// The operations of the tile dialect: a sentence and an example each.
#ifndef TESSERA_TILE_OPS_TD
#define TESSERA_TILE_OPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "TileDialect.td"
include "TileInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"

def Tile_GlobalMemory : Resource<"::tessera::tile::GlobalMemory">;
def Tile_SharedMemory : Resource<"::tessera::tile::SharedMemory">;
def Tile_Output : Resource<"::tessera::tile::Output">;

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

// Each element of the results depends on the elements of the operands at its coordinates.
class Tile_Elementwise<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, traits#[Pure, Elementwise]>;

// A pointer to global memory, spelled !llvm.ptr.
def Tile_Pointer : Type<LLVM_AnyPointer.predicate, "pointer", "::mlir::LLVM::LLVMPointerType">,
                   BuildableType<"::mlir::LLVM::LLVMPointerType::get($_builder.getContext())">;

// A tile or, for rank 0, a scalar.
def Tile_Value
    : AnyTypeOf<[AnyRankedTensor, AnyInteger, AnyFloat, LLVM_AnyPointer], "tile or scalar">;
def Tile_Tensor : AnyTypeOf<[AnyRankedTensor], "tile">;
def Tile_Pointers : AnyTypeOf<[AnyRankedTensor, LLVM_AnyPointer], "pointer or tile of pointers">;

// ---- Values -----------------------------------------------------------------------------------

def Tile_SplatOp : Tile_Op<"splat", [Tile_PrintedInPlace, Pure]> {
  let summary = "a tile with every element x";
  let description = "Example: `%t = tile.splat %x : f32 -> tensor<64xf32>`";
  let arguments = (ins AnyType:$x);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
}
def Tile_FieldOp : Tile_Op<"field", [Pure]> {
  let summary = "a scalar field of a struct that is a kernel parameter";
  let description = [{
    path: its C++ name after the parameter, with # for each index; after `as` its C++ type. A
    pointer's pointee is in pointee and isConst, as for a parameter.
    Example: `%n = tile.field %a ".shape[#]"[%i] as "long" : (i64) -> i64`
  }];
  let arguments = (ins Tile_Pointer:$object, Variadic<AnyInteger>:$indices, StrAttr:$path,
      StrAttr:$spelling, OptionalAttr<TypeAttr>:$pointee, UnitAttr:$isConst, UnitAttr:$isUnsigned);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$object $path (`[` $indices^ `]`)? `as` $spelling attr-dict `:` "
                       "functional-type($indices, $result)";
  let hasVerifier = 1;
}
def Tile_ScalarOp : Tile_Op<"scalar", [Pure]> {
  let summary = "the element of a one-element tile";
  let description = "Example: `%x = tile.scalar %t : tensor<1x1xf32> -> f32`";
  let arguments = (ins Tile_Tensor:$x);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Tile_IotaOp : Tile_Op<"iota", [Tile_PrintedInPlace, Pure]> {
  let summary = "0, 1, ... in row-major order";
  let description = "Example: `%i = tile.iota : tensor<64xi32>`";
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def Tile_UnaryOp
    : Tile_Elementwise<"unary", [SameOperandsAndResultType, Tile_Computes, Tile_PrintedInPlace]> {
  let summary = "an operation on every element";
  let description = "Example: `%y = tile.unary exp2 %x : tensor<64xf32>`";
  let arguments = (ins Tile_UnaryKindAttr:$kind, Tile_Value:$x,
      DefaultValuedAttr<Tile_RoundingAttr, "::tessera::tile::Rounding::nearest">:$rounding,
      UnitAttr:$flush, UnitAttr:$isUnsigned);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$kind $x attr-dict `:` type($result)";
}
def Tile_BinaryOp
    : Tile_Elementwise<"binary", [SameOperandsAndResultType, Tile_Computes, Tile_PrintedInPlace]> {
  let summary = "an operation on every pair of elements";
  let description = "Example: `%z = tile.binary add %x, %y : tensor<64xf32>`. isUnsigned: integers "
                    "are read as unsigned.";
  let arguments = (ins Tile_BinaryKindAttr:$kind, Tile_Value:$x, Tile_Value:$y,
      DefaultValuedAttr<Tile_RoundingAttr, "::tessera::tile::Rounding::nearest">:$rounding,
      UnitAttr:$flush, UnitAttr:$isUnsigned);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$kind $x `,` $y attr-dict `:` type($result)";
  let hasCanonicalizeMethod = 1;
}
def Tile_FmaOp : Tile_Elementwise<"fma", [SameOperandsAndResultType, Tile_Computes]> {
  let summary = "x * y + z with one rounding";
  let description = "Example: `%r = tile.fma %x, %y, %z : tensor<64xf32>`";
  let arguments = (ins Tile_Value:$x, Tile_Value:$y, Tile_Value:$z,
      DefaultValuedAttr<Tile_RoundingAttr, "::tessera::tile::Rounding::nearest">:$rounding,
      UnitAttr:$flush);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$x `,` $y `,` $z attr-dict `:` type($result)";
}
def Tile_CompareOp : Tile_Elementwise<"compare", [SameTypeOperands, Tile_PrintedInPlace]> {
  let summary = "compares every pair of elements; floats: ordered, but ne is true for NaN";
  let description = "Example: `%m = tile.compare lt %x, %y : tensor<64xf32> -> tensor<64xi1>`";
  let arguments = (ins Tile_CompareKindAttr:$kind, Tile_Value:$x, Tile_Value:$y,
      UnitAttr:$isUnsigned);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$kind $x `,` $y attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
}
def Tile_ClassifyOp : Tile_Elementwise<"classify"> {
  let summary = "tests every element";
  let description = "Example: `%m = tile.classify isnan %x : tensor<64xf32> -> tensor<64xi1>`";
  let arguments = (ins Tile_ClassifyKindAttr:$kind, Tile_Value:$x);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$kind $x attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
}
def Tile_SelectOp : Tile_Elementwise<"select", [AllTypesMatch<["x", "y", "result"]>]> {
  let summary = "x where the mask is true, else y";
  let description = "Example: `%r = tile.select %m, %x, %y : tensor<64xi1>, tensor<64xf32>`";
  let arguments = (ins Tile_Value:$mask, Tile_Value:$x, Tile_Value:$y);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$mask `,` $x `,` $y attr-dict `:` type($mask) `,` type($result)";
  let hasVerifier = 1;
}
def Tile_CastOp : Tile_Elementwise<"cast", [Tile_Computes, Tile_PrintedInPlace]> {
  let summary = "converts every element to another number type";
  let description = [{
    To i1 it is a test for non-zero. fromUnsigned: the source is an unsigned integer (always so for
    i1); toUnsigned: the result is.
    Example: `%y = tile.cast %x : tensor<64xf32> -> tensor<64xbf16>`
  }];
  let arguments = (ins Tile_Value:$x,
      DefaultValuedAttr<Tile_RoundingAttr, "::tessera::tile::Rounding::nearest">:$rounding,
      UnitAttr:$fromUnsigned, UnitAttr:$toUnsigned);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}
def Tile_Bf16TermOp : Tile_Elementwise<"bf16_term", [Tile_Computes]> {
  let summary = "one of three bf16 numbers whose sum is a float";
  let description = [{
    Term 0 has the upper bits of the element, term 2 the lower ones. No term of a finite number
    of at least 2^-69 is 0.
    Example: `%high = tile.bf16_term 0 of %x : tensor<64xf32> -> tensor<64xbf16>`
  }];
  let arguments = (ins I32Attr:$term, Tile_Value:$x);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$term `of` $x attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
}
def Tile_BitcastOp : Tile_Elementwise<"bitcast"> {
  let summary = "reads the bits of every element as another type of the same width; also pointers "
                "and i1 with i8";
  let description = "Example: `%y = tile.bitcast %x : tensor<64xf32> -> tensor<64xi32>`";
  let arguments = (ins Tile_Value:$x);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

// ---- Shape ------------------------------------------------------------------------------------

def Tile_ReshapeOp
    : Tile_Op<"reshape", [DeclareOpInterfaceMethods<Tile_LayoutTransfer, ["resultLayout",
                                                                          "operandLayout"]>,
                          Tile_PrintedInPlace, Pure]> {
  let summary = "the same elements in row-major order under another shape";
  let description = "Example: `%y = tile.reshape %x : tensor<64xf32> -> tensor<8x8xf32>`";
  let arguments = (ins Tile_Tensor:$x);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Tile_BroadcastOp
    : Tile_Op<"broadcast", [DeclareOpInterfaceMethods<Tile_LayoutTransfer, ["operandLayout"]>,
                            Tile_PrintedInPlace, Pure]> {
  let summary = "repeats dimensions of extent 1; ranks are equal";
  let description = "Example: `%y = tile.broadcast %x : tensor<64x1xf32> -> tensor<64x32xf32>`";
  let arguments = (ins Tile_Tensor:$x);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Tile_PermuteOp
    : Tile_Op<"permute", [DeclareOpInterfaceMethods<Tile_LayoutTransfer, ["resultLayout",
                                                                          "operandLayout"]>,
                          Tile_PrintedInPlace, Pure]> {
  let summary = "dimension k of the result is dimension map[k] of x";
  let description =
      "Example: `%y = tile.permute %x [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>`";
  let arguments = (ins Tile_Tensor:$x, DenseI64ArrayAttr:$map);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$x $map attr-dict `:` type($x) `->` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}
def Tile_CatOp : Tile_Op<"cat", [Pure]> {
  let summary = "x, then y, along a dimension";
  let description = "Example: `%z = tile.cat %x, %y along 1 : tensor<8x4xf32> -> tensor<8x8xf32>`";
  let arguments = (ins Tile_Tensor:$x, Tile_Tensor:$y, I64Attr:$dim);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat =
      "$x `,` $y `along` $dim attr-dict `:` type($x) `,` type($y) `->` type($result)";
  let hasVerifier = 1;
}
def Tile_ExtractOp : Tile_Op<"extract", [Pure]> {
  let summary = "the part of x at an index, in units of the result's shape";
  let description = "Example: `%y = tile.extract %x[%i, %j] : tensor<8x8xf32> -> tensor<4x4xf32>`";
  let arguments = (ins Tile_Tensor:$x, Variadic<I32>:$index);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$x `[` $index `]` attr-dict `:` type($x) `->` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}
def Tile_InsertOp : Tile_Op<"insert", [Pure]> {
  let summary = "x with the part at an index, in units of the part's shape, replaced";
  let description = "Example: `%y = tile.insert %part, %x[%i, %j] : tensor<4x4xf32>, "
                    "tensor<8x8xf32> -> tensor<8x8xf32>`";
  let arguments = (ins Tile_Tensor:$part, Tile_Tensor:$x, Variadic<I32>:$index);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat =
      "$part `,` $x `[` $index `]` attr-dict `:` type($part) `,` type($x) `->` type($result)";
  let hasVerifier = 1;
}

// ---- Along a dimension ------------------------------------------------------------------------

def Tile_ReduceOp
    : Tile_Op<"reduce", [DeclareOpInterfaceMethods<Tile_LayoutTransfer, ["resultLayout"]>,
                         Tile_Computes, Pure]> {
  let summary =
      "folds a dimension to extent 1, or to as many partial results as the result type says";
  let description = [{
    indices: what an argument reduction returns for each element instead of its own coordinate.
    Example: `%s = tile.reduce sum %x along 1 : tensor<64x32xf32> -> tensor<64x1xf32>`
  }];
  let arguments = (ins Tile_ReduceKindAttr:$kind, Tile_Tensor:$x, I64Attr:$dim,
      DefaultValuedAttr<Tile_RoundingAttr, "::tessera::tile::Rounding::nearest">:$rounding,
      UnitAttr:$flush, UnitAttr:$isUnsigned, Optional<Tile_Tensor>:$indices);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$kind $x (`at` $indices^)? `along` $dim attr-dict `:` type($x) "
                       "(`,` type($indices)^)? `->` type($result)";
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}
def Tile_ScanOp
    : Tile_Op<"scan", [Tile_Computes, Tile_SameLayout, Pure, SameOperandsAndResultType]> {
  let summary = "inclusive prefix sums or products along a dimension";
  let description = [{
    withinWarps: scans only the run that each warp holds along the dimension; scan_carry continues
    over the warps.
    Example: `%s = tile.scan sum %x along 0 : tensor<64xf32>`
  }];
  let arguments = (ins Tile_ReduceKindAttr:$kind, Tile_Tensor:$x, I64Attr:$dim, UnitAttr:$backward,
      DefaultValuedAttr<Tile_RoundingAttr, "::tessera::tile::Rounding::nearest">:$rounding,
      UnitAttr:$flush, UnitAttr:$withinWarps);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$kind $x `along` $dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def Tile_ScanCarryOp : Tile_Op<"scan_carry", [Pure, AllTypesMatch<["x", "result"]>]> {
  let summary = "x, scanned within warps, plus the totals of the preceding warps";
  let description = "Example: `%s = tile.scan_carry sum %x, %totals along 0 : tensor<64xf32, #l>, "
                    "tensor<4xf32, #t>`: every thread holds all totals.";
  let arguments = (ins Tile_ReduceKindAttr:$kind, Tile_Tensor:$x, Tile_Tensor:$totals, I64Attr:$dim,
      UnitAttr:$backward,
      DefaultValuedAttr<Tile_RoundingAttr, "::tessera::tile::Rounding::nearest">:$rounding,
      UnitAttr:$flush);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat =
      "$kind $x `,` $totals `along` $dim attr-dict `:` type($result) `,` type($totals)";
  let hasVerifier = 1;
}

// Ops with a region that combines two neighbours.
class Tile_FoldBase<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, traits#[SingleBlock, RecursivelySpeculatable, RecursiveMemoryEffects]> {
  let regions = (region SizedRegion<1>:$combine);
  code foldClass = [{
    // The arguments of the region, one of each per tile.
    ::mlir::Block::BlockArgListType getElements() {
      return getCombine().getArguments().take_front(getX().size());
    }
    ::mlir::Block::BlockArgListType getAccumulators() {
      return getCombine().getArguments().drop_front(getX().size());
    }
    // The values of the region that become the accumulators.
    ::mlir::OperandRange getCombined() {
      return getCombine().front().getTerminator()->getOperands();
    }
  }];
  let extraClassDeclaration = foldClass;
}
def Tile_FoldOp
    : Tile_FoldBase<"fold"> {
  let summary = "a reduction or scan of n tiles at once along a dimension, by the operation of the "
                "region";
  let description = [{
    The region takes n elements, then n accumulators, and yields n accumulators. An accumulator is
    the combination of neighbours that precede the element: of lower coordinates or, with
    `backward`, of higher ones. The operation is associative: partial results are combined in any
    grouping, but in the order of coordinates, unless it is `commutative`. The grouping is the same
    in each run of a kernel. The region computes scalars, without memory, and may read scalars from
    outside.

    identities: one constant for each tile which the operation leaves the other side as it is with,
    where they are known. Nothing depends on them. A reduction has extent 1 along the dimension, or
    as many partial results as the result types say. scan: results of the operands' shape, the
    inclusive scan. withinWarps as of tile.scan; fold_carry continues over the warps. inFloat: sums
    and products of half and bf16 may be kept in float, as tile.reduce and tile.scan do it.

    Example: the largest element and its index.
    `%m:2 = tile.fold %x, %i along 1 : (tensor<64x32xf32>, tensor<64x32xi32>) ->
    (tensor<64x1xf32>, tensor<64x1xi32>) {
    ^bb0(%element: f32, %index: i32, %largest: f32, %first: i32):
      %c = tile.compare gt %element, %largest : f32 -> i1
      %0 = tile.select %c, %element, %largest : i1, f32
      %1 = tile.select %c, %index, %first : i1, i32
      tile.yield %0, %1 : f32, i32
    }`
  }];
  let arguments = (ins Variadic<Tile_Tensor>:$x, I64Attr:$dim, OptionalAttr<ArrayAttr>:$identities,
      UnitAttr:$scan, UnitAttr:$backward, UnitAttr:$commutative, UnitAttr:$withinWarps,
      UnitAttr:$inFloat);
  let results = (outs Variadic<Tile_Tensor>);
  // combine(builder, elements, accumulators) makes the body of the region and returns what it
  // yields. The result types follow from x, without a layout.
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$x, "int64_t":$dim,
      "::mlir::ArrayAttr":$identities, "bool":$scan, "bool":$backward,
      "::llvm::function_ref<::llvm::SmallVector<::mlir::Value>(::mlir::OpBuilder &, "
      "::mlir::ValueRange, ::mlir::ValueRange)>":$combine)>];
  let assemblyFormat = "(`scan` $scan^)? $x `along` $dim (`from` $identities^)? attr-dict `:` "
                       "functional-type($x, results) $combine";
  let extraClassDeclaration = foldClass # [{
    // Does it combine neighbours only, in their order?
    bool isInOrder() { return getScan() || !getCommutative(); }
  }];
  let hasCanonicalizeMethod = 1;
  let hasRegionVerifier = 1;
  let hasVerifier = 1;
}
def Tile_FoldCarryOp : Tile_FoldBase<"fold_carry", [SameVariadicOperandSize]> {
  let summary = "tiles that are scanned within warps, combined with the totals of the preceding "
                "warps";
  let description = [{
    The region is that of the scan. Every thread holds all totals.
    Example: `%s = tile.fold_carry %x after %totals along 0 : (tensor<64xf32, #l>,
    tensor<4xf32, #t>) -> tensor<64xf32, #l> { ... }`
  }];
  let arguments = (ins Variadic<Tile_Tensor>:$x, Variadic<Tile_Tensor>:$totals, I64Attr:$dim,
      UnitAttr:$backward);
  let results = (outs Variadic<Tile_Tensor>);
  let assemblyFormat = "$x `after` $totals `along` $dim attr-dict `:` functional-type(operands, "
                       "results) $combine";
  let hasRegionVerifier = 1;
  let hasVerifier = 1;
}
def Tile_YieldOp
    : Tile_Op<"yield", [Pure, Terminator, ParentOneOf<["FoldOp", "FoldCarryOp"]>]> {
  let summary = "what the region of a fold makes of an element and an accumulator of each tile";
  let description = "Example: `tile.yield %0, %1 : f32, i32`";
  let arguments = (ins Variadic<Tile_Value>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

// Of raise: a function of the program is inlined between the two, and becomes the region of a fold.
def Tile_FoldArgumentOp : Tile_Op<"fold_argument", [Pure]> {
  let summary = "what a function takes of tile number `index` of a fold: an element, or an "
                "accumulator";
  let description = "Example: `%e = tile.fold_argument %x number 0 : tensor<64xf32> -> f32`";
  let arguments = (ins Tile_Tensor:$x, I64Attr:$index, UnitAttr:$accumulator);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$x `number` $index attr-dict `:` type($x) `->` type($result)";
}
def Tile_FoldResultOp : Tile_Op<"fold_result", [Pure, SameVariadicOperandSize]> {
  let summary = "result number `index` of a fold of the tiles, whose function computes these "
                "values of its arguments";
  let description = [{
    Example: `%s = tile.fold_result %x by %v along 0 number 0 : (tensor<64xf32>, f32) ->
    tensor<1xf32>`
  }];
  let arguments = (ins Variadic<Tile_Tensor>:$x, Variadic<Tile_Value>:$combined, I64Attr:$dim,
      I64Attr:$index, UnitAttr:$scan, UnitAttr:$backward);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$x `by` $combined `along` $dim `number` $index attr-dict `:` "
                       "functional-type(operands, $result)";
}

// ---- Matrix multiply --------------------------------------------------------------------------

def Tile_MmaOp : Tile_Op<"mma", [Tile_Computes, Pure, AllTypesMatch<["c", "result"]>]> {
  let summary =
      "a * b + c: (M,K) x (K,N), also with a leading batch dimension, which may be 1 in a or b";
  let description = "fastAccumulation: sums of fp8 may have fewer bits than a float. Example: "
                    "`%d = tile.mma %a, %b, %c : tensor<64x32xbf16>, tensor<32x64xbf16>, "
                    "tensor<64x64xf32>`";
  let arguments = (ins Tile_Tensor:$a, Tile_Tensor:$b, Tile_Tensor:$c, UnitAttr:$aUnsigned,
      UnitAttr:$bUnsigned, UnitAttr:$fastAccumulation);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$a `,` $b `,` $c attr-dict `:` type($a) `,` type($b) `,` type($c)";
  let hasVerifier = 1;
}

// ---- Memory through pointers ------------------------------------------------------------------

def Tile_OffsetOp : Tile_Elementwise<"offset", [AllTypesMatch<["pointers", "result"]>]> {
  let summary = "pointers moved by n elements of `pointee`";
  let description = "Example: `%q = tile.offset %p, %n of f32 : tensor<64x!llvm.ptr>, "
                    "tensor<64xi32>`. isUnsigned: n is zero-extended.";
  let arguments = (ins Tile_Pointers:$pointers, Tile_Value:$count, TypeAttr:$pointee,
      UnitAttr:$isUnsigned);
  let results = (outs Tile_Pointers:$result);
  let assemblyFormat =
      "$pointers `,` $count `of` $pointee attr-dict `:` type($result) `,` type($count)";
  let hasVerifier = 1;
}
def Tile_DifferenceOp : Tile_Elementwise<"difference", [SameTypeOperands]> {
  let summary = "how many elements of `pointee` lie between two pointers";
  let description =
      "Example: `%n = tile.difference %p, %q of f32 : tensor<64x!llvm.ptr> -> tensor<64xi64>`";
  let arguments = (ins Tile_Pointers:$x, Tile_Pointers:$y, TypeAttr:$pointee);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$x `,` $y `of` $pointee attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
}
def Tile_LoadOp : Tile_Op<"load", [Tile_SameLayout, AttrSizedOperandSegments,
                                   MemoryEffects<[MemRead<Tile_GlobalMemory>]>]> {
  let summary = "reads one element per pointer; where the mask is false there is no access and the "
                "result is the padding";
  let description = [{
    access: how many pointers are contiguous, as the plan finds it; what is not proven is tested.
    waits: why the loop does not copy this operand of its multiply ahead.
    Example: `%x = tile.load %p : tensor<64x!llvm.ptr> -> tensor<64xf32>`
  }];
  let arguments = (ins Tile_Pointers:$pointers, Optional<Tile_Value>:$mask,
      Optional<Tile_Value>:$padding, OptionalAttr<Tile_RunAttr>:$access,
      OptionalAttr<Tile_WaitReasonAttr>:$waits);
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$pointers,
                                CArg<"::mlir::Value", "{}">:$mask,
                                CArg<"::mlir::Value", "{}">:$padding),
                            [{
    build($_builder, $_state, type, pointers, mask, padding, RunAttr(), WaitReasonAttr());
  }]>];
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$pointers (`,` $mask^ `,` $padding)? attr-dict `:` type($pointers) (`,` "
                       "type($mask)^ `,` type($padding))? `->` type($result)";
  let hasVerifier = 1;
}
def Tile_StoreOp
    : Tile_Op<"store", [Tile_SameLayout, MemoryEffects<[MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "writes one element per pointer where the mask is true";
  let description = "Example: `tile.store %x, %p : tensor<64xf32>, tensor<64x!llvm.ptr>`; access "
                    "as of load.";
  let arguments = (ins Tile_Value:$value, Tile_Pointers:$pointers, Optional<Tile_Value>:$mask,
      OptionalAttr<Tile_RunAttr>:$access);
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$pointers,
                                CArg<"::mlir::Value", "{}">:$mask),
                            [{
    build($_builder, $_state, value, pointers, mask, RunAttr());
  }]>];
  let assemblyFormat = "$value `,` $pointers (`,` $mask^)? attr-dict `:` type($value) `,` "
                       "type($pointers) (`,` type($mask)^)?";
  let hasVerifier = 1;
}
def Tile_AtomicRmwOp : Tile_Op<"atomic_rmw", [Tile_SameLayout, AllTypesMatch<["value", "result"]>,
                                              MemoryEffects<[MemRead<Tile_GlobalMemory>,
                                                             MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "an atomic read-modify-write per pointer where the mask is true; returns the old "
                "values";
  let description = "Example: `%old = tile.atomic_rmw add %p, %x, %m relaxed device : "
                    "tensor<64x!llvm.ptr>, tensor<64xi32>, tensor<64xi1>`";
  let arguments = (ins Tile_AtomicKindAttr:$kind, Tile_Pointers:$pointers, Tile_Value:$value,
      Tile_Value:$mask, Tile_MemoryOrderAttr:$order, Tile_ScopeAttr:$scope, UnitAttr:$isUnsigned);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$kind $pointers `,` $value `,` $mask $order $scope attr-dict `:` "
                       "type($pointers) `,` type($value) `,` type($mask)";
  let hasVerifier = 1;
}
def Tile_AtomicCompareExchangeOp
    : Tile_Op<"atomic_compare_exchange",
              [Tile_SameLayout, AllTypesMatch<["expected", "desired", "result"]>,
               MemoryEffects<[MemRead<Tile_GlobalMemory>, MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "writes `desired` where memory holds `expected` and the mask is true; returns the "
                "old values, `expected` where masked off";
  let description =
      "Example: `%old = tile.atomic_compare_exchange %p, %e, %d, %m relaxed device : ...`";
  let arguments = (ins Tile_Pointers:$pointers, Tile_Value:$expected, Tile_Value:$desired,
      Tile_Value:$mask, Tile_MemoryOrderAttr:$order, Tile_ScopeAttr:$scope);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$pointers `,` $expected `,` $desired `,` $mask $order $scope attr-dict `:` "
                       "type($pointers) `,` type($result) `,` type($mask)";
  let hasVerifier = 1;
}
def Tile_AtomicLoadOp
    : Tile_Op<"atomic_load", [Tile_SameLayout, MemoryEffects<[MemRead<Tile_GlobalMemory>,
                                                              MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "an atomic read per pointer where the mask is true; it orders other accesses, "
                "hence its write effect";
  let description = "Example: `%x = tile.atomic_load %p, %m acquire device : tensor<64x!llvm.ptr>, "
                    "tensor<64xi1> -> tensor<64xi32>`";
  let arguments = (ins Tile_Pointers:$pointers, Tile_Value:$mask, Tile_MemoryOrderAttr:$order,
      Tile_ScopeAttr:$scope);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$pointers `,` $mask $order $scope attr-dict `:` type($pointers) `,` "
                       "type($mask) `->` type($result)";
  let hasVerifier = 1;
}
def Tile_AtomicStoreOp
    : Tile_Op<"atomic_store", [Tile_SameLayout, MemoryEffects<[MemRead<Tile_GlobalMemory>,
                                                               MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "an atomic write per pointer where the mask is true";
  let description = "Example: `tile.atomic_store %x, %p, %m release device : tensor<64xi32>, "
                    "tensor<64x!llvm.ptr>, tensor<64xi1>`";
  let arguments = (ins Tile_Value:$value, Tile_Pointers:$pointers, Tile_Value:$mask,
      Tile_MemoryOrderAttr:$order, Tile_ScopeAttr:$scope);
  let assemblyFormat = "$value `,` $pointers `,` $mask $order $scope attr-dict `:` type($value) "
                       "`,` type($pointers) `,` type($mask)";
  let hasVerifier = 1;
}

// ---- Memory through views ---------------------------------------------------------------------

def Tile_ViewLoadOp : Tile_Op<"view_load", [AttrSizedOperandSegments,
                                            MemoryEffects<[MemRead<Tile_GlobalMemory>]>]> {
  let summary = "the box of the result's shape that starts at `starts` of a strided tensor; "
                "elements outside the extents read as the padding";
  let description = [{
    extents, strides, starts: one unsigned integer (i32 or i64) per dimension, in elements;
    staticExtents and staticStrides repeat what is known (-1: not). waits as of load. shift: rows
    are rotated in the tile, slot j holding column j - shift, as rotation says; -1: they are not.
    Example: `%x = tile.view_load %p extents(%m, %k) strides(%k, %one) starts(%i, %j) padding zero :
    (i32, i32) (i64, i64) (i32, i32) -> tensor<128x64xbf16>`
  }];
  let arguments = (ins Tile_Pointer:$base, Variadic<AnyInteger>:$extents,
      Variadic<AnyInteger>:$strides, Variadic<AnyInteger>:$starts, Optional<I32>:$shift,
      DenseI64ArrayAttr:$staticExtents, DenseI64ArrayAttr:$staticStrides, Tile_PaddingAttr:$padding,
      OptionalAttr<Tile_AccessAttr>:$access, OptionalAttr<Tile_WaitReasonAttr>:$waits,
      OptionalAttr<Tile_RotationAttr>:$rotation);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = [{
    $base `extents` `(` $extents `)` `strides` `(` $strides `)` `starts` `(` $starts `)`
    (`shift` $shift^)? `padding` $padding attr-dict
    `:` `(` type($extents) `)` `(` type($strides) `)` `(` type($starts) `)` `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$base,
      "::mlir::ValueRange":$extents, "::mlir::ValueRange":$strides, "::mlir::ValueRange":$starts,
      "::llvm::ArrayRef<int64_t>":$staticExtents, "::llvm::ArrayRef<int64_t>":$staticStrides,
      "::tessera::tile::Padding":$padding, "::tessera::tile::AccessAttr":$access,
      "::tessera::tile::WaitReasonAttr":$waits), [{
    build($_builder, $_state, type, base, extents, strides, starts, /*shift=*/::mlir::Value(),
          staticExtents, staticStrides, padding, access, waits, /*rotation=*/{});
  }]>];
  let hasVerifier = 1;
}
def Tile_ViewStoreOp : Tile_Op<"view_store", [AttrSizedOperandSegments,
                                              MemoryEffects<[MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "writes a tile to the box that starts at `starts` of a strided tensor; elements "
                "outside the extents are dropped";
  let description = "Example: `tile.view_store %x, %p extents(%m, %n) strides(%n, %one) starts(%i, "
                    "%j) : tensor<128x64xbf16> (i32, i32) (i64, i64) (i32, i32)`; shift as of "
                    "view_load";
  let arguments = (ins Tile_Tensor:$value, Tile_Pointer:$base, Variadic<AnyInteger>:$extents,
      Variadic<AnyInteger>:$strides, Variadic<AnyInteger>:$starts, Optional<I32>:$shift,
      DenseI64ArrayAttr:$staticExtents, DenseI64ArrayAttr:$staticStrides,
      OptionalAttr<Tile_AccessAttr>:$access, OptionalAttr<Tile_RotationAttr>:$rotation);
  let assemblyFormat = [{
    $value `,` $base `extents` `(` $extents `)` `strides` `(` $strides `)` `starts` `(` $starts `)`
    (`shift` $shift^)? attr-dict
    `:` type($value) `(` type($extents) `)` `(` type($strides) `)` `(` type($starts) `)`
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$base,
      "::mlir::ValueRange":$extents, "::mlir::ValueRange":$strides, "::mlir::ValueRange":$starts,
      "::llvm::ArrayRef<int64_t>":$staticExtents, "::llvm::ArrayRef<int64_t>":$staticStrides,
      "::tessera::tile::AccessAttr":$access), [{
    build($_builder, $_state, value, base, extents, strides, starts, /*shift=*/::mlir::Value(),
          staticExtents, staticStrides, access, /*rotation=*/{});
  }]>];
  let hasVerifier = 1;
}
def Tile_RowShiftOp : Tile_Op<"row_shift", [Pure, AttrSizedOperandSegments]> {
  let summary = "by how many elements the first row of a box begins after a multiple of `multiple` "
                "elements in memory; -1 where boxes at such multiples are aligned";
  let description = [{
    like: the shift of another row; the result is the same if this row has it modulo the multiple,
    else -1. written: the rows are written.
    Example: `%s = tile.row_shift %p of bf16 extents(%m, %n) strides(%n, %one) starts(%i, %j) by 8 :
    (i32, i32) (i64, i64) (i32, i32)`
  }];
  let arguments = (ins Tile_Pointer:$base, TypeAttr:$element, Variadic<AnyInteger>:$extents,
      Variadic<AnyInteger>:$strides, Variadic<AnyInteger>:$starts, Optional<I32>:$like,
      I64Attr:$multiple, UnitAttr:$written);
  let results = (outs I32:$result);
  let assemblyFormat = [{
    $base `of` $element `extents` `(` $extents `)` `strides` `(` $strides `)` `starts` `(` $starts
    `)` `by` $multiple (`like` $like^)? attr-dict
    `:` `(` type($extents) `)` `(` type($strides) `)` `(` type($starts) `)`
  }];
}

// ---- Tiles in local memory: arrays of tiles with a run-time index ------------------------------

def Tile_LocalAllocOp : Tile_Op<"local_alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "an uninitialized array of tiles of one type";
  let description = "Example: `%p = tile.local_alloc 4 of tensor<64xf32> : !llvm.ptr`";
  let arguments = (ins I64Attr:$count, TypeAttr:$tile);
  let results = (outs Tile_Pointer:$result);
  let assemblyFormat = "$count `of` $tile attr-dict `:` type($result)";
}
def Tile_LocalLoadOp : Tile_Op<"local_load", []> {
  let summary = "reads one tile of an array";
  let description = "Example: `%x = tile.local_load %p[%i] : i64 -> tensor<64xf32>`";
  let arguments = (ins Arg<Tile_Pointer, "", [MemRead]>:$array, AnyInteger:$index);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$array `[` $index `]` attr-dict `:` type($index) `->` type($result)";
}
def Tile_LocalStoreOp : Tile_Op<"local_store", []> {
  let summary = "writes one tile of an array";
  let description = "Example: `tile.local_store %x, %p[%i] : tensor<64xf32>, i64`";
  let arguments = (ins Tile_Value:$value, Arg<Tile_Pointer, "", [MemWrite]>:$array,
      AnyInteger:$index);
  let assemblyFormat =
      "$value `,` $array `[` $index `]` attr-dict `:` type($value) `,` type($index)";
}

// ---- The grid, assumptions, output ------------------------------------------------------------

def Tile_BlockIndexOp : Tile_Op<"block_index", [Pure]> {
  let summary = "index of this tile block in the grid";
  let description = [{
    swizzled: with a threadblock swizzle, blocks take the grid in groups of rows; all of a kernel
    are, or none. workTile: of the tile block that this work tile stands for.
    Example: `%x = tile.block_index 0`, `%x = tile.block_index 0 of %work_tile`
  }];
  let arguments = (ins I64Attr:$axis, UnitAttr:$swizzled, Optional<I32>:$workTile);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis (`of` $workTile^)? attr-dict";
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "int64_t":$axis, "bool":$swizzled), [{
    build($_builder, $_state, type, axis, swizzled, ::mlir::Value());
  }]>];
}
// A persistent kernel has one block per SM, and each does the work of one tile block after the
// other: these are its work tiles, numbers below a count.
def Tile_FirstWorkTileOp : Tile_Op<"first_work_tile", [Pure]> {
  let summary = "the first work tile of this block";
  let description = "Example: `%first = tile.first_work_tile`";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}
def Tile_WorkTileCountOp : Tile_Op<"work_tile_count", [Pure]> {
  let summary = "how many work tiles the grid has";
  let description = "Example: `%n = tile.work_tile_count`";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}
def Tile_WorkTileStepOp : Tile_Op<"work_tile_step", [Pure]> {
  let summary = "the distance between a block's work tiles: the number of blocks that run";
  let description = "Example: `%step = tile.work_tile_step`";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}
def Tile_ScheduledWorkTileOp : Tile_Op<"scheduled_work_tile", [Pure]> {
  let summary = "the work tile that a linear index of the tile scheduler stands for, where work "
                "tiles take different times along an axis of the grid";
  let description = [{
    longestFirst: the work tile at 0 of the axis takes longest, not the last one.
    Example: `%work_tile = tile.scheduled_work_tile %linear_index axis 0 longestFirst`
  }];
  let arguments = (ins I32:$linearIndex, I64Attr:$axis, UnitAttr:$longestFirst);
  let results = (outs I32:$result);
  let assemblyFormat = "$linearIndex `axis` $axis (`longestFirst` $longestFirst^)? attr-dict";
}
def Tile_GridSizeOp : Tile_Op<"grid_size", [Pure]> {
  let summary = "number of tile blocks of the grid";
  let description = "Example: `%n = tile.grid_size 0`";
  let arguments = (ins I64Attr:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict";
}
def Tile_ExitIfOp : Tile_Op<"exit_if", [MemoryEffects<[MemWrite<Tile_Output>]>]> {
  let summary = "the end of a block where a condition holds that all of its threads have alike";
  let description = [{
    No copy is in flight then, and no thread waits for another one.
    Example: `tile.exit_if %is_outside`
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}
def Tile_LaunchedWarpsOp : Tile_Op<"launched_warps", [Pure]> {
  let summary = "number of warps of this block, of which a launch leaves out those without columns";
  let description = [{
    A launch has a warp for each `perWarp` columns, one at least and all of the plan at most. Where
    rows may be rotated in their tiles, columns end up to multiple - 1 slots later, unless all of
    `aligned` are multiples of `multiple`, and pointers of 16 bytes. Launches that the generated
    host code does not make have all warps.
    Example: `%w = tile.launched_warps %columns by 1024 aligned(%p, %stride) to 8 : i32, (!llvm.ptr,
    i32)`
  }];
  let arguments = (ins AnyInteger:$columns, I64Attr:$perWarp, Variadic<AnyType>:$aligned,
      DefaultValuedAttr<I64Attr, "1">:$multiple);
  let results = (outs I32:$result);
  let assemblyFormat = [{
    $columns `by` $perWarp (`aligned` `(` $aligned^ `)` `to` $multiple)? attr-dict
    `:` type($columns) (`,` `(` type($aligned)^ `)`)?
  }];
}
def Tile_WarpgroupIndexOp : Tile_Op<"warpgroup_index", [Pure]> {
  let summary = "the warpgroup of this thread in its block";
  let description = [{
    Only where each consumer warpgroup is a tile block of its own (tile.warpgroup_blocks).
    Example: `%w = tile.warpgroup_index`
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}
def Tile_ListTileOp : Tile_Op<"list_tile", [MemoryEffects<[MemWrite<Tile_Output>]>]> {
  let summary = "reports to a launch a tile that a block computes: its coordinates along x, y and "
                "z";
  let description = [{
    In functions that become host code, see plan/tiling/TileGrid.h.
    Example: `tile.list_tile(%column, %row) : i32, i32`
  }];
  let arguments = (ins Variadic<AnyInteger>:$coordinates);
  let assemblyFormat = "`(` $coordinates `)` attr-dict (`:` type($coordinates)^)?";
}
def Tile_AssumeOp : Tile_Op<"assume", [Tile_SameLayout, Pure, SameOperandsAndResultType]> {
  let summary = "x, with a fact that the programmer guarantees";
  let description = [{
    aligned: a pointer is a multiple of that many bytes; divisible: an integer is a multiple; low,
    high: inclusive bounds.
    Example: `%q = tile.assume %p {aligned = 16 : i64} : !llvm.ptr`
  }];
  let arguments = (ins AnyType:$x, OptionalAttr<I64Attr>:$aligned, OptionalAttr<I64Attr>:$divisible,
      OptionalAttr<I64Attr>:$low, OptionalAttr<I64Attr>:$high);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}
def Tile_BlockMemoryOp : Tile_Op<"block_memory", [MemoryEffects<[MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "allocates global memory for local variables of the block that several threads "
                "access; the first thread has the address, as it has the result of an atomic";
  let description = "Example: `%address = tile.block_memory 512`";
  let arguments = (ins I64Attr:$bytes);
  let results = (outs I64:$result);
  let assemblyFormat = "$bytes attr-dict";
}
def Tile_FreeBlockMemoryOp
    : Tile_Op<"free_block_memory", [MemoryEffects<[MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "frees block memory, which no thread of the block accesses any more";
  let description = "Example: `tile.free_block_memory %address`";
  let arguments = (ins I64:$address);
  let assemblyFormat = "$address attr-dict";
}
def Tile_PrintOp : Tile_Op<"print", [MemoryEffects<[MemWrite<Tile_Output>]>]> {
  let summary = "printf, once per block: a message with scalars and tiles";
  let description = "Example: `tile.print \"%d: %d\\n\"(%i, %t) : i32, tensor<4xi32>`. The "
                    "conversion of a tile stands for each of its elements; values without a "
                    "conversion are not printed. No message of another block is printed within "
                    "this one.";
  let arguments = (ins StrAttr:$format, Variadic<AnyType>:$values);
  let assemblyFormat = "$format `(` $values `)` attr-dict (`:` type($values)^)?";
}
def Tile_TrapOp : Tile_Op<"trap", [MemoryEffects<[MemWrite<Tile_Output>]>]> {
  let summary = "stops the program with an error: a failed assert, __trap";
  let description = "Example: `tile.trap \"x > 0\"`";
  let arguments = (ins StrAttr:$message);
  let assemblyFormat = "$message attr-dict";
}

// ---- Checks: in kernels that are built with --check, and in no others -------------------------

def Tile_InsideOp : Tile_Op<"inside", [Pure, AllTypesMatch<["pointers", "result"]>]> {
  let summary = "pointers to elements of a view, which the programmer guarantees to be inside the "
                "view; the mask is true for those inside";
  let description = "Example: `%q = tile.inside %p, %m : tensor<64x!llvm.ptr>, tensor<64xi1>`. The "
                    "pass check-bounds replaces it by the pointers.";
  let arguments = (ins Tile_Pointers:$pointers, Tile_Value:$mask);
  let results = (outs Tile_Pointers:$result);
  let assemblyFormat = "$pointers `,` $mask attr-dict `:` type($pointers) `,` type($mask)";
  let hasVerifier = 1;
}
def Tile_CheckOp : Tile_Op<"check", [MemoryEffects<[MemWrite<Tile_Output>]>]> {
  let summary = "stops the program with a message unless `holds` is true, for all elements of a "
                "tile; the message says for which element it is false";
  let description = "Example: `tile.check %inside, \"box at %lld of %lld\"(%i, %n) : i1, i64, "
                    "i64`: the values are those of a printf.";
  let arguments = (ins Tile_Value:$holds, StrAttr:$message, Variadic<I64>:$values);
  let assemblyFormat =
      "$holds `,` $message `(` $values `)` attr-dict `:` type($holds) (`,` type($values)^)?";
  let hasVerifier = 1;
}

// ---- Decisions of the plan --------------------------------------------------------------------

def Tile_ConvertLayoutOp : Tile_Op<"convert_layout", [Pure]> {
  let summary = "the same tile in another layout";
  let description = "Example: `%y = tile.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, "
                    "#b>`. Only between the passes assign-layouts and lower-to-shared, or where "
                    "registers alone suffice.";
  let arguments = (ins Tile_Tensor:$x);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
}
def Tile_PartOp : Tile_Op<"part", [Pure]> {
  let summary = "the elements whose index bits `mask` have the value `value`, as a smaller tile; "
                "the bits lie in registers";
  let description = "Example: `%y = tile.part %x of 32 at 0 : tensor<8x8xf32, #a> -> "
                    "tensor<4x8xf32, #b>`: the rows 0 to 3.";
  let arguments = (ins Tile_Tensor:$x, I64Attr:$mask, I64Attr:$value);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$x `of` $mask `at` $value attr-dict `:` type($x) `->` type($result)";
}
def Tile_JoinOp : Tile_Op<"join", [Pure, SameTypeOperands]> {
  let summary = "a tile of two parts, each in a thread's registers as before: the elements whose "
                "index bit `bit` is 0 are those of `x`, the others those of `y`";
  let description = "The bit is the basis of the last register. Example: `%z = tile.join %x, %y at "
                    "1 : tensor<8x1xf32, #a> -> tensor<8x2xf32, #b>`: two columns.";
  let arguments = (ins Tile_Tensor:$x, Tile_Tensor:$y, I64Attr:$bit);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$x `,` $y `at` $bit attr-dict `:` type($x) `->` type($result)";
}
def Tile_SharedAllocOp : Tile_Op<"shared_alloc", [MemoryEffects<[MemAlloc<Tile_SharedMemory>]>]> {
  let summary = "a tile, or a ring of tiles, in shared memory; the pass lower-to-shared sets its "
                "byte offset";
  let description = "Example: `%r = tile.shared_alloc stages 3 {offset = 0 : i64} : "
                    "!tile.shared<128x64xbf16, 3, 3, 3>`";
  let arguments = (ins DefaultValuedAttr<I64Attr, "1">:$stages, OptionalAttr<I64Attr>:$offset);
  let results = (outs Tile_SharedType:$result);
  let assemblyFormat = "(`stages` $stages^)? attr-dict `:` type($result)";
}
def Tile_SharedSlotOp : Tile_Op<"shared_slot", [Pure, AllTypesMatch<["ring", "result"]>]> {
  let summary = "one tile of a ring";
  let description = "Example: `%s = tile.shared_slot %r[%i] : !tile.shared<128x64xbf16, 3, 3, 3>`";
  let arguments = (ins Tile_SharedType:$ring, AnyInteger:$index);
  let results = (outs Tile_SharedType:$result);
  let assemblyFormat = "$ring `[` $index `:` type($index) `]` attr-dict `:` type($result)";
}
def Tile_SharedStoreOp : Tile_Op<"shared_store", [DeclareOpInterfaceMethods<Tile_SharedAccess>,
                                                  AttrSizedOperandSegments]> {
  let summary = "writes a tile to shared memory, or to the box of it that starts at `starts`";
  let description = [{
    count: the warps of this block hold so many elements along the last dimension; the others are
    written as `padding`.
    Example: `tile.shared_store %x, %s : tensor<64xf32, #a>, !tile.shared<64xf32, 0, 0, 0>`
  }];
  let arguments = (ins Tile_Tensor:$value,
      Arg<Tile_SharedType, "", [MemWrite<Tile_SharedMemory>]>:$shared, Variadic<I32>:$starts,
      Optional<I32>:$count, OptionalAttr<TypedAttrInterface>:$padding);
  let assemblyFormat = "$value `,` $shared (`[` $starts^ `]`)? (`first` $count^ `else` $padding)? "
                       "attr-dict `:` type($value) `,` type($shared)";
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$shared,
      "::mlir::ValueRange":$starts), [{
    build($_builder, $_state, value, shared, starts, /*count=*/::mlir::Value(), /*padding=*/{});
  }]>];
  let hasVerifier = 1;
}
def Tile_SharedLoadOp : Tile_Op<"shared_load", [DeclareOpInterfaceMethods<Tile_SharedAccess>, ]> {
  let summary = "reads a tile from shared memory, or from the box of it that starts at `starts`";
  let description =
      "Example: `%x = tile.shared_load %s : !tile.shared<64xf32, 0, 0, 0> -> tensor<64xf32, #b>`";
  let arguments = (ins Arg<Tile_SharedType, "", [MemRead<Tile_SharedMemory>]>:$shared,
      Variadic<I32>:$starts);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$shared (`[` $starts^ `]`)? attr-dict `:` type($shared) `->` type($result)";
  let hasVerifier = 1;
}
def Tile_SharedLoadPartOp
    : Tile_Op<"shared_load_part", [DeclareOpInterfaceMethods<Tile_SharedAccess>,
                                   AllTypesMatch<["into", "result"]>]> {
  let summary = "a tile whose elements with index bits `mask` equal to `value` come from shared "
                "memory, which holds just those";
  let description = "Example: `%z = tile.shared_load_part %s, %y of 32 at 0 : "
                    "!tile.shared<4x8xf32, 0, 0, 0>, tensor<8x8xf32, #a>`";
  let arguments = (ins Arg<Tile_SharedType, "", [MemRead<Tile_SharedMemory>]>:$shared,
      Tile_Tensor:$into, I64Attr:$mask, I64Attr:$value);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat =
      "$shared `,` $into `of` $mask `at` $value attr-dict `:` type($shared) `,` type($result)";
}
def Tile_SharedMmaOp : Tile_Op<"shared_mma", [DeclareOpInterfaceMethods<Tile_SharedAccess>,
                                              AllTypesMatch<["c", "result"]>]> {
  let summary = "mma with operands in shared memory, where a transposed operand has its dimensions "
                "exchanged. wgmma reads panels, through the asynchronous proxy, and may "
                "have a in registers";
  let description = "inFlight: a loop carries its accumulator from mma_begin to mma_finish, or the "
                    "iteration of a wgmma has its mma_finish. wgmma "
                    "is only started, and mma_wait says when its operands have been read; mma.sync "
                    "has read them, and the next iteration multiplies the last K step. promotes: "
                    "the products of at most 128 of K are summed apart, and added to the "
                    "accumulator as floats; the multiply is then complete, in flight or not. a in "
                    "registers has floats and the layout of the accumulator's rows. Example: `%d = "
                    "tile.shared_mma m16n8k16 %a, %b, %c : !tile.shared<...>, !tile.shared<...>, "
                    "tensor<128x128xf32, #acc>`";
  let arguments = (ins Tile_MmaKindAttr:$kind,
      Arg<AnyTypeOf<[Tile_SharedType, Tile_Tensor]>, "", [MemRead<Tile_SharedMemory>]>:$a,
      Arg<Tile_SharedType, "", [MemRead<Tile_SharedMemory>]>:$b, Tile_Tensor:$c,
      UnitAttr:$aTransposed, UnitAttr:$bTransposed, UnitAttr:$aUnsigned, UnitAttr:$bUnsigned,
      UnitAttr:$promotes, UnitAttr:$inFlight);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$kind $a `,` $b `,` $c attr-dict `:` type($a) `,` type($b) `,` type($c)";
  let extraClassDeclaration = [{
    bool hasAInRegisters() { return ::mlir::isa<::mlir::RankedTensorType>(getA().getType()); }
    const ::tessera::MmaInstruction &getInstruction() {
      return ::tessera::instructionOf(getKind());
    }
    // In flight, it adds to the registers of its accumulator, which nothing else reads: that is
    // carried by the loop, or comes from the multiply before it.
    bool addsInPlace();
    // A wgmma whose C is 0: it ignores what its accumulator's registers hold.
    bool startsFromZero();
    // Of wgmma in flight: the wait after it in its iteration, before another multiply; or null.
    ::tessera::tile::MmaWaitOp getWait();
  }];
  let hasVerifier = 1;
}
def Tile_MmaBeginOp : Tile_Op<"mma_begin", [Tile_PrintedInPlace, Pure, SameOperandsAndResultType]> {
  let summary = "x, as the initial accumulator of multiplies that are left in flight";
  let description = "Example: `%s = tile.mma_begin %zero : tensor<128x256xf32, #acc>`";
  let arguments = (ins Tile_Tensor:$x);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
  let extraClassDeclaration = [{
    // The first multiply of an iteration of the loop.
    ::tessera::tile::SharedMmaOp getMultiply();
  }];
}
def Tile_MmaWaitOp
    : Tile_Op<
          "mma_wait", [MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let summary = "waits until at most `pending` multiplies of this warpgroup are still in flight";
  let description = "Example: `tile.mma_wait 1`";
  let arguments = (ins I64Attr:$pending);
  let assemblyFormat = "$pending attr-dict";
}
def Tile_MmaFinishOp
    : Tile_Op<"mma_finish", [DeclareOpInterfaceMethods<Tile_SharedAccess, ["getSharedAccesses"]>,
                             SameOperandsAndResultType,
                             MemoryEffects<[MemRead<Tile_SharedMemory>,
                                            MemWrite<Tile_SharedMemory>]>]> {
  let summary = "waits until at most `pending` multiplies of this warpgroup are still in flight, "
                "none of them into this accumulator, and returns it";
  let description = "Example: `%d = tile.mma_finish %s : tensor<128x256xf32, #acc>`";
  let arguments = (ins Tile_Tensor:$x, DefaultValuedAttr<I64Attr, "0">:$pending);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = "$x (`pending` $pending^)? attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$x), [{
    build($_builder, $_state, x.getType(), x, 0);
  }]>];
  let extraClassDeclaration = [{
    // The last multiply into the accumulator: of an iteration of the loop that carries it, or of
    // this iteration.
    ::tessera::tile::SharedMmaOp getMultiply();
  }];
}
def Tile_MmaDoneOp
    : Tile_Op<
          "mma_done", [MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let summary = "marks the end of the multiplies that read these operands from registers; until "
                "here the registers must keep their values";
  let description = "Example: `tile.mma_done %a : tensor<128x32xtf32, #rows>`";
  let arguments = (ins Variadic<Tile_Tensor>:$operands);
  let assemblyFormat = "$operands attr-dict `:` type($operands)";
}
def Tile_SaveOp : Tile_Op<"save", [Tile_SameLayout, Pure, SameOperandsAndResultType]> {
  let summary = "x, read before the variable that has it is given the loop's next value";
  let description = "Example: `%next = tile.save %carried : tensor<128x32xf32, #rows>`";
  let arguments = (ins AnyType:$x);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}
def Tile_CopyAsyncOp : Tile_Op<"copy_async", [DeclareOpInterfaceMethods<Tile_SharedAccess>,
                                              AttrSizedOperandSegments]> {
  let summary = "starts a copy of a box of a view to shared memory; the wait_group for its group "
                "completes it";
  let description = [{
    Where `when` is false nothing is copied (the group stays empty). box: the shape of what is
    copied, where it is not the tile's: the same elements in row-major order. With a tensor map it
    is a bulk copy, if the view allows one when the kernel runs, and arrives at the full barrier of
    its slot. Without one, but at a ring's barriers, it is a row that the ring's producer warp
    copies in bulk, or element by element where it begins between 16 bytes or is cut. With ends, 16
    bytes for each row of the box, or for each 512 bytes of longer rows, these may be at any
    address: shift_rows moves them to their offsets. rounds: memory has floats,
    which the tensor map rounds to the nearest tf32; without one round_copied does. straight: each
    chunk is predicated on `when`, without a branch.
    Example: `tile.copy_async %s, %p extents(%m, %k) strides(%k, %one) starts(%i, %j) when %c : ...`
  }];
  let arguments = (ins Arg<Tile_SharedType, "", [MemWrite<Tile_SharedMemory>]>:$shared,
      Arg<Tile_Pointer, "", [MemRead<Tile_GlobalMemory>]>:$base, Variadic<AnyInteger>:$extents,
      Variadic<AnyInteger>:$strides, Variadic<AnyInteger>:$starts, Optional<I1>:$when,
      Optional<Tile_TensorMap>:$map, Optional<Tile_Barriers>:$barriers,
      Arg<Optional<Tile_SharedType>, "", [MemWrite<Tile_SharedMemory>]>:$ends,
      OptionalAttr<DenseI64ArrayAttr>:$box, UnitAttr:$rounds, Tile_AccessAttr:$access,
      UnitAttr:$straight);
  let assemblyFormat = [{
    $shared `,` $base `extents` `(` $extents `)` `strides` `(` $strides `)` `starts` `(` $starts
    `)` (`when` $when^)? (`by` $map^)? (`at` $barriers^)? (`ends` $ends^ `:` type($ends))? attr-dict
    `:` type($shared) `(` type($extents) `)` `(` type($strides) `)` `(` type($starts) `)`
  }];
  let extraClassDeclaration = [{
    // The shape of what is copied.
    ::llvm::ArrayRef<int64_t> getBoxShape() {
      return getBox() ? *getBox() : getShared().getType().getShape();
    }
    // Is it a row that a producer warp copies without a tensor map?
    bool isRowOfProducer() { return getBarriers() && !getMap(); }
  }];
  let hasVerifier = 1;
}
def Tile_AllowsChunksOp : Tile_Op<"allows_chunks", [Pure, AttrSizedOperandSegments]> {
  let summary = "whether a view of elements is aligned as an access of it requires: its base, and "
                "the strides and the last extent that would shift a chunk";
  let description = "Starts are not tested. Example: `%c = tile.allows_chunks %p of bf16 "
                    "extents(%m, %k) strides(%k, %one) ... : (i32, i32) (i32, i32)`";
  let arguments = (ins Tile_Pointer:$base, TypeAttr:$element, Variadic<AnyInteger>:$extents,
      Variadic<AnyInteger>:$strides, Tile_AccessAttr:$access);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $base `of` $element `extents` `(` $extents `)` `strides` `(` $strides `)` attr-dict
    `:` `(` type($extents) `)` `(` type($strides) `)`
  }];
}
def Tile_GatherAsyncOp : Tile_Op<"gather_async", [DeclareOpInterfaceMethods<Tile_SharedAccess>,
                                                  Tile_SameLayout, AttrSizedOperandSegments]> {
  let summary = "starts a copy of the elements that a tile of pointers addresses to shared memory, "
                "with zeros where the mask is false; the wait_group for its group completes it";
  let description = [{
    Pointers and elements of the tile are in row-major order. `when` as in
    copy_async, access as in load. Example: `tile.gather_async %s, %p, %m when %c :
    !tile.shared<128x64xbf16, panels>, tensor<128x64x!llvm.ptr>, tensor<128x64xi1>`
  }];
  let arguments = (ins Arg<Tile_SharedType, "", [MemWrite<Tile_SharedMemory>]>:$shared,
      Arg<Tile_Pointers, "", [MemRead<Tile_GlobalMemory>]>:$pointers, Optional<Tile_Value>:$mask,
      Optional<I1>:$when, OptionalAttr<Tile_RunAttr>:$access);
  let assemblyFormat = "$shared `,` $pointers (`,` $mask^)? (`when` $when^)? attr-dict `:` "
                       "type($shared) `,` type($pointers) (`,` type($mask)^)?";
  let hasVerifier = 1;
}
def Tile_CommitGroupOp : Tile_Op<"commit_group", [MemoryEffects<[MemRead<Tile_SharedMemory>,
                                                                 MemWrite<Tile_SharedMemory>]>]> {
  let summary = "closes the commit group of the copies started since the last group";
  let description = "Example: `tile.commit_group`";
  let assemblyFormat = "attr-dict";
}
def Tile_WaitGroupOp : Tile_Op<"wait_group", [AttrSizedOperandSegments,
                                              MemoryEffects<[MemRead<Tile_SharedMemory>,
                                                             MemWrite<Tile_SharedMemory>]>]> {
  let summary = "waits until at most `pending` groups of this thread are still in flight; for a "
                "ring with barriers: consumer wait, until the copies into the slot have arrived";
  let description = "Example: `tile.wait_group 1`, `tile.wait_group 1 of %r[%slot : i32]`";
  let arguments = (ins I64Attr:$pending, Optional<Tile_Barriers>:$barriers,
      Optional<AnyInteger>:$slot);
  let assemblyFormat = "$pending (`of` $barriers^ `[` $slot `:` type($slot) `]`)? attr-dict";
  let builders = [OpBuilder<(ins "int64_t":$pending), [{
    build($_builder, $_state, pending, ::mlir::Value(), ::mlir::Value());
  }]>];
  let extraClassDeclaration = [{
    // The ring whose slot is waited for; null: it waits for groups.
    ::tessera::tile::InitBarriersOp getRing();
    // Does a producer warp fill the slot?
    bool isFilledByProducerWarp();
  }];
  let hasVerifier = 1;
}
def Tile_ShiftRowsOp : Tile_Op<"shift_rows", [AttrSizedOperandSegments]> {
  let summary = "shifts the rows of a box that was copied with ends to their offsets in the tile";
  let description = [{
    Follows the wait_group for the copy; the barrier follows it: a warp shifts what it copied. The
    coordinates of the box, and whether the copies arrive at barriers, as in the copy. Example:
    `tile.shift_rows %s, %p extents(%m, %k) strides(%k, %one) starts(%i, %j) ends %e : ...`
  }];
  let arguments = (ins Arg<Tile_SharedType,
                           "", [MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>:$shared,
      Tile_Pointer:$base, Variadic<AnyInteger>:$extents, Variadic<AnyInteger>:$strides,
      Variadic<AnyInteger>:$starts, Optional<Tile_Barriers>:$barriers,
      Arg<Tile_SharedType, "", [MemRead<Tile_SharedMemory>]>:$ends,
      OptionalAttr<DenseI64ArrayAttr>:$box);
  let assemblyFormat = [{
    $shared `,` $base `extents` `(` $extents `)` `strides` `(` $strides `)` `starts` `(` $starts
    `)` (`at` $barriers^)? `ends` $ends `:` type($ends) attr-dict
    `:` type($shared) `(` type($extents) `)` `(` type($strides) `)` `(` type($starts) `)`
  }];
  let extraClassDeclaration = [{
    // The shape of what was copied.
    ::llvm::ArrayRef<int64_t> getBoxShape() {
      return getBox() ? *getBox() : getShared().getType().getShape();
    }
  }];
  let hasVerifier = 1;
}
def Tile_RoundCopiedOp : Tile_Op<"round_copied"> {
  let summary = "rounds copied floats to tf32 where no bulk copies did";
  let description = "Follows the wait_group for the copies; the barrier follows it. Example: "
                    "`tile.round_copied %s at %r : !tile.shared<128x32xtf32, panels>`";
  let arguments = (ins Arg<Tile_SharedType,
                           "", [MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>:$shared,
      Tile_Barriers:$barriers);
  let assemblyFormat = "$shared `at` $barriers attr-dict `:` type($shared)";
}
def Tile_MakeTensorMapOp : Tile_Op<"make_tensor_map", [DeclareOpInterfaceMethods<Tile_SharedAccess>,
                                                       AttrSizedOperandSegments]> {
  let summary = "a tensor map, by which warp `warp` copies boxes of a view in bulk to `tile`";
  let description = [{
    Made in the kernel, in scratch memory that is free again after it, or given by the launch:
    number `given` of the tensor maps after the kernel's parameters, which host code makes from the
    view.
    box: the shape of what is copied, where it is not the tile's. rounds: floats become the tile's
    tf32. needed: a launch that cannot make it runs another kernel, and where the kernel makes it,
    its producer warp copies without it what it cannot map. finder: of such a map, the warp that
    makes it, one of the producer's warpgroup. Example:
    `%m = tile.make_tensor_map 0 in %scratch : !tile.shared<32xi32, 0, 0, 0>, %p extents(%m, %k)
    strides(%k, %one) for !tile.shared<128x64xbf16, panels> : ...`,
    `tile.make_tensor_map 0 given 1, %p ...`
  }];
  let arguments = (ins I64Attr:$warp,
      Arg<Optional<Tile_SharedType>, "", [MemWrite<Tile_SharedMemory>]>:$scratch,
      OptionalAttr<I64Attr>:$given, Tile_Pointer:$base, Variadic<AnyInteger>:$extents,
      Variadic<AnyInteger>:$strides, TypeAttrOf<Tile_SharedType>:$tile,
      OptionalAttr<DenseI64ArrayAttr>:$box, UnitAttr:$rounds, UnitAttr:$needed,
      OptionalAttr<I64Attr>:$finder);
  let results = (outs Tile_TensorMap:$result);
  let assemblyFormat = [{
    $warp (`in` $scratch^ `:` type($scratch))? (`given` $given^)? `,` $base `extents` `(` $extents
    `)` `strides` `(` $strides `)` `for` $tile attr-dict `:` `(` type($extents) `)` `(`
    type($strides) `)`
  }];
  let extraClassDeclaration = [{
    // The shape of what is copied.
    ::llvm::ArrayRef<int64_t> getBoxShape() {
      return getBox() ? *getBox() : ::llvm::cast<SharedType>(getTile()).getShape();
    }
  }];
  let hasVerifier = 1;
}
def Tile_TensorMapExistsOp : Tile_Op<"tensor_map_exists", [Pure]> {
  let summary = "whether the launch made a tensor map, because the view allows bulk copies; the "
                "same in all threads";
  let description = "Example: `%c = tile.tensor_map_exists %m`";
  let arguments = (ins Tile_TensorMap:$map);
  let results = (outs I1:$result);
  let assemblyFormat = "$map attr-dict";
}
def Tile_BulkStoreOp
    : Tile_Op<"bulk_store", [DeclareOpInterfaceMethods<Tile_SharedAccess, ["getSharedAccesses"]>,
                             AttrSizedOperandSegments]> {
  let summary = "starts the copy of a shared tile to a box of a view, without elements outside the "
                "extents, by a tensor map that exists; wait_stores waits until it has read the "
                "tile";
  let description = [{
    inOrder: it waits until earlier bulk stores have written. box: the shape of what is stored,
    where it is not the tile's: the same elements in row-major order.
    Example: `tile.bulk_store %s, %p extents(%m, %n) strides(%n, %one) starts(%i, %j) by %map :
    !tile.shared<128x64xbf16, panels> (i32, i32) (i64, i64) (i32, i32)`
  }];
  let arguments = (ins Arg<Tile_SharedType, "", [MemRead<Tile_SharedMemory>]>:$shared,
      Arg<Tile_Pointer, "", [MemWrite<Tile_GlobalMemory>]>:$base, Variadic<AnyInteger>:$extents,
      Variadic<AnyInteger>:$strides, Variadic<AnyInteger>:$starts, Tile_TensorMap:$map,
      UnitAttr:$inOrder, OptionalAttr<DenseI64ArrayAttr>:$box);
  let assemblyFormat = [{
    $shared `,` $base `extents` `(` $extents `)` `strides` `(` $strides `)` `starts` `(` $starts
    `)` `by` $map attr-dict
    `:` type($shared) `(` type($extents) `)` `(` type($strides) `)` `(` type($starts) `)`
  }];
  let extraClassDeclaration = [{
    // The shape of what is stored.
    ::llvm::ArrayRef<int64_t> getBoxShape() {
      return getBox() ? *getBox() : getShared().getType().getShape();
    }
  }];
  let hasVerifier = 1;
}
def Tile_StorePartsOp
    : Tile_Op<"store_parts", [DeclareOpInterfaceMethods<Tile_SharedAccess, ["getSharedAccesses"]>,
                              AttrSizedOperandSegments]> {
  let summary = "writes a tile to a view, without elements outside the extents, part by part: "
                "through two panels in turn, from which bulk copies leave, or threads store where "
                "the launch could make no tensor map";
  let description = [{
    Each warpgroup stores its own 64 rows of an accumulator through a panel, or 64 columns where the
    tile is a transposed accumulator, without synchronizing with the others. The tile's rows are the
    rows of memory; coordinates are those of the first element. wait_stores waits until the panels
    have been read.
    Example: `tile.store_parts %x, %s, %p extents(%m, %n) strides(%n, %one) starts(%i, %j) by %map :
    tensor<128x256xbf16, #acc>, !tile.shared<128x64xbf16, panels> (i32, i32) (i64, i64) (i32, i32)`
  }];
  let arguments = (ins Tile_Tensor:$value,
      Arg<Tile_SharedType, "", [MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>:$panels,
      Arg<Tile_Pointer, "", [MemWrite<Tile_GlobalMemory>]>:$base, Variadic<AnyInteger>:$extents,
      Variadic<AnyInteger>:$strides, Variadic<AnyInteger>:$starts, Tile_TensorMap:$map,
      UnitAttr:$transposed);
  let assemblyFormat = [{
    $value `,` $panels `,` $base `extents` `(` $extents `)` `strides` `(` $strides `)` `starts` `(`
    $starts `)` `by` $map (`transposed` $transposed^)? attr-dict
    `:` type($value) `,` type($panels) `(` type($extents) `)` `(` type($strides) `)`
    `(` type($starts) `)`
  }];
  let extraClassDeclaration = [{
    static constexpr int64_t rowsOfWarpgroup = 64; // of an accumulator, in a panel

    int64_t getWarpgroups();
    // The bits of an element's row-major index that select its part.
    uint32_t getMask();
    // Of the view: ones, then the rows and columns of a panel; of a warpgroup's share of it.
    ::llvm::SmallVector<int64_t> getBoxShape();
    ::llvm::SmallVector<int64_t> getBoxOfWarpgroup();
    static ::llvm::SmallVector<int64_t> boxOfWarpgroup(::llvm::ArrayRef<int64_t> panel,
                                                       bool isTransposed);
  }];
  let hasVerifier = 1;
}
def Tile_WaitStoresOp : Tile_Op<"wait_stores", [MemoryEffects<[MemRead<Tile_SharedMemory>,
                                                               MemWrite<Tile_SharedMemory>]>]> {
  let summary = "waits until the bulk stores of this thread have read shared memory";
  let description = "Example: `tile.wait_stores`. Inserted by the pass insert-barriers only.";
  let assemblyFormat = "attr-dict";
}
def Tile_InitBarriersOp
    : Tile_Op<"init_barriers", [DeclareOpInterfaceMethods<Tile_SharedAccess>, ]> {
  let summary = "initializes the mbarriers of a ring of `stages`, each filled by `copies` copies: "
                "a full barrier a stage, and an empty one if the ring has readers";
  let description = "Without mbarriers where one of the tensor maps' views allows no bulk copies. "
                    "All threads must execute it. readers: how many of the kernel's warpgroups, or "
                    "warps, release each stage to the producer warp. Without maps: transposing "
                    "warps fill the ring, each by one of the copies. Example: `%r = "
                    "tile.init_barriers %buffer of %m, %n stages 3 copies 2 : !tile.shared<8xi32, "
                    "0, 0, 0>`";
  let arguments = (ins Arg<Tile_SharedType, "", [MemWrite<Tile_SharedMemory>]>:$buffer,
      Variadic<Tile_TensorMap>:$maps, I64Attr:$stages, I64Attr:$copies,
      OptionalAttr<I64Attr>:$readers);
  let results = (outs Tile_Barriers:$result);
  let assemblyFormat =
      "$buffer `of` $maps `stages` $stages `copies` $copies attr-dict `:` type($buffer)";
  let extraClassDeclaration = [{
    // Do only bulk copies, or transposing warps, fill the ring?
    bool isBulkOnly();
    // Do transposing warps read the ring? Each of them releases its stages.
    bool isReadByTransposingWarps();
  }];
  let hasVerifier = 1;
}
def Tile_InvalidateBarriersOp
    : Tile_Op<"invalidate_barriers",
              [DeclareOpInterfaceMethods<Tile_SharedAccess, ["getSharedAccesses"]>,
               MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let summary = "invalidates the mbarriers of a ring after the waits for all of its copies";
  let description = "Example: `tile.invalidate_barriers %r`";
  let arguments = (ins Tile_Barriers:$barriers);
  let assemblyFormat = "$barriers attr-dict";
}
def Tile_ProducerWarpOp
    : Tile_Op<"producer_warp", [NoTerminator, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "the body of the producer warp, which fills a ring and does nothing that follows";
  let description = [{
    The other warps go on after it. They and the producer warp synchronize by the ring's full and
    empty barriers alone. A thread of its warpgroup keeps `registers` registers, and the others take
    what it gives away (setmaxnreg).
    Example: `tile.producer_warp registers 40 { scf.for ... { tile.producer_acquire %r[%slot : i32];
    ... } }`
  }];
  let arguments = (ins I64Attr:$registers);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`registers` $registers $body attr-dict";
}
def Tile_TransposingWarpsOp
    : Tile_Op<"transposing_warps", [NoTerminator, SingleBlock, RecursiveMemoryEffects,
                                    HasParent<"ProducerWarpOp">]> {
  let summary = "the body of the other warps of the producer's warpgroup, which transpose what the "
                "producer warp has copied";
  let description = [{
    The first op of the producer warp's body, which is not theirs. They wait for a stage of the
    producer warp's ring as consumers, and fill a stage of another ring.
    Example: `tile.transposing_warps { scf.for ... { tile.transpose_stage ... } }`
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}
def Tile_TransposeStageOp : Tile_Op<"transpose_stage"> {
  let summary = "transposes a tile of bytes into a stage of a ring, by the transposing warps";
  let description = [{
    Columns of the result have the order of K of pass permute-k. The stage is free; each warp
    arrives at its full barrier, so that the ring has as many copies as there are warps.
    Example: `tile.transpose_stage %from, %to at %r[%slot : i32] : !tile.shared<128x64xf8E4M3FN,
    panels>, !tile.shared<64x128xf8E4M3FN, panels>`
  }];
  let arguments = (ins Arg<Tile_SharedType, "", [MemRead<Tile_SharedMemory>]>:$from,
      Arg<Tile_SharedType, "", [MemWrite<Tile_SharedMemory>]>:$to,
      Tile_Barriers:$barriers, AnyInteger:$slot);
  let assemblyFormat = "$from `,` $to `at` $barriers `[` $slot `:` type($slot) `]` attr-dict `:` "
                       "type($from) `,` type($to)";
  let hasVerifier = 1;
}
def Tile_ProducerAcquireOp
    : Tile_Op<"producer_acquire", [MemoryEffects<[MemRead<Tile_SharedMemory>,
                                                  MemWrite<Tile_SharedMemory>]>]> {
  let summary = "waits at the empty barrier of a slot of a ring until consumers have read it";
  let description = "Example: `tile.producer_acquire %r[%slot : i32]`";
  let arguments = (ins Tile_Barriers:$barriers, AnyInteger:$slot);
  let assemblyFormat = "$barriers `[` $slot `:` type($slot) `]` attr-dict";
  let hasVerifier = 1;
}
def Tile_ConsumerReleaseOp
    : Tile_Op<"consumer_release", [MemoryEffects<[MemRead<Tile_SharedMemory>,
                                                  MemWrite<Tile_SharedMemory>]>]> {
  let summary = "arrives at the empty barrier of a slot of a ring that this warpgroup has read; no "
                "effect for a slot below 0";
  let description = "Example: `tile.consumer_release %r[%slot : i32]`";
  let arguments = (ins Tile_Barriers:$barriers, AnyInteger:$slot);
  let assemblyFormat = "$barriers `[` $slot `:` type($slot) `]` attr-dict";
  let hasVerifier = 1;
}
def Tile_FenceOp
    : Tile_Op<"fence", [MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let summary = "makes this thread's view of shared memory visible to wgmma and bulk copies (the "
                "asynchronous proxy)";
  let description = "global: and of global memory. Example: `tile.fence`. Inserted by the pass "
                    "insert-barriers only.";
  let arguments = (ins UnitAttr:$global);
  let assemblyFormat = "(`global` $global^)? attr-dict";
}
def Tile_BarrierOp : Tile_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all threads of the block, or of its first `warps` warps, arrive before any goes "
                "on; orders shared and global memory";
  let description = [{
    Inserted by the pass insert-barriers only. A producer warp does not arrive: next to one,
    barriers are of the consumers' warps. Examples: `tile.barrier`, `tile.barrier of 8`.
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$warps);
  let assemblyFormat = "(`of` $warps^)? attr-dict";
}

#endif
