// The tile dialect: what a tile kernel means (raise), and how it will run (plan).
//
// Values are builtin tensors with power-of-two dimensions (`tensor<128x64xbf16>`); their encoding
// is the layout of their elements (`tensor<128x64xbf16, #tile.layout<...>>`). A rank-0 tile is a
// scalar. Integers are signless, as in arith; an operation that reads its operands as unsigned says
// so. Pointers are !llvm.ptr. Scalars compute in arith, control flow is scf, local
// memory is llvm.
#ifndef TESSERA_TILE_DIALECT_TD
#define TESSERA_TILE_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tessera::tile";
  let summary = "Tile programs: one logical thread that computes on whole tiles";
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

// ---- Enumerations. The order of the cases is that of the header's enums
// (runtime/include/tessera/tile/primitives.h, modes.h, ops.def); raise/EnumOrder.cpp checks it.

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tessera::tile";
  let genSpecializedAttr = 0;
}
class Tile_EnumAttr<EnumAttrInfo info, string mnemonic> : EnumAttr<Tile_Dialect, info, mnemonic>;

def Tile_UnaryKind
    : Tile_Enum<
          "UnaryKind", "operations on one element",
          [I32EnumAttrCase<"neg", 0>, I32EnumAttrCase<"bit_not", 1>, I32EnumAttrCase<"abs", 2>,
           I32EnumAttrCase<"ceil", 3>, I32EnumAttrCase<"floor", 4>, I32EnumAttrCase<"exp", 5>,
           I32EnumAttrCase<"exp2", 6>, I32EnumAttrCase<"log", 7>, I32EnumAttrCase<"log2", 8>,
           I32EnumAttrCase<"sqrt", 9>, I32EnumAttrCase<"rsqrt", 10>, I32EnumAttrCase<"sin", 11>,
           I32EnumAttrCase<"cos", 12>, I32EnumAttrCase<"tan", 13>, I32EnumAttrCase<"sinh", 14>,
           I32EnumAttrCase<"cosh", 15>, I32EnumAttrCase<"tanh", 16>, I32EnumAttrCase<"trunc", 17>,
           I32EnumAttrCase<"round", 18>, I32EnumAttrCase<"roundeven", 19>,
           I32EnumAttrCase<"cbrt", 20>, I32EnumAttrCase<"exp10", 21>, I32EnumAttrCase<"expm1", 22>,
           I32EnumAttrCase<"log10", 23>, I32EnumAttrCase<"log1p", 24>, I32EnumAttrCase<"asin", 25>,
           I32EnumAttrCase<"acos", 26>, I32EnumAttrCase<"atan", 27>, I32EnumAttrCase<"asinh", 28>,
           I32EnumAttrCase<"acosh", 29>, I32EnumAttrCase<"atanh", 30>, I32EnumAttrCase<"erf", 31>,
           I32EnumAttrCase<"erfc", 32>]>;
def Tile_BinaryKind
    : Tile_Enum<"BinaryKind", "operations on two elements",
                [I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"sub", 1>, I32EnumAttrCase<"mul", 2>,
                 I32EnumAttrCase<"div", 3>, I32EnumAttrCase<"rem", 4>,
                 I32EnumAttrCase<"floordiv", 5>, I32EnumAttrCase<"ceildiv", 6>,
                 I32EnumAttrCase<"mulhi", 7>, I32EnumAttrCase<"min", 8>, I32EnumAttrCase<"max", 9>,
                 I32EnumAttrCase<"min_nan", 10>, I32EnumAttrCase<"max_nan", 11>,
                 I32EnumAttrCase<"bit_and", 12>, I32EnumAttrCase<"bit_or", 13>,
                 I32EnumAttrCase<"bit_xor", 14>, I32EnumAttrCase<"shl", 15>,
                 I32EnumAttrCase<"shr", 16>, I32EnumAttrCase<"pow", 17>,
                 I32EnumAttrCase<"atan2", 18>, I32EnumAttrCase<"copysign", 19>,
                 I32EnumAttrCase<"hypot", 20>]>;
def Tile_CompareKind
    : Tile_Enum<"CompareKind", "comparisons",
                [I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>, I32EnumAttrCase<"lt", 2>,
                 I32EnumAttrCase<"le", 3>, I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>]>;
def Tile_ClassifyKind
    : Tile_Enum<"ClassifyKind",
                "tests of one element", [I32EnumAttrCase<"isnan", 0>, I32EnumAttrCase<"isinf", 1>]>;
def Tile_ReduceKind
    : Tile_Enum<"ReduceKind", "operations along a dimension",
                [I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"prod", 1>, I32EnumAttrCase<"max", 2>,
                 I32EnumAttrCase<"min", 3>, I32EnumAttrCase<"max_nan", 4>,
                 I32EnumAttrCase<"min_nan", 5>, I32EnumAttrCase<"bit_and", 6>,
                 I32EnumAttrCase<"bit_or", 7>, I32EnumAttrCase<"bit_xor", 8>,
                 I32EnumAttrCase<"argmax", 9>, I32EnumAttrCase<"argmin", 10>]>;
def Tile_AtomicKind : Tile_Enum<"AtomicKind", "atomic read-modify-write operations",
                                [I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"sub", 1>,
                                 I32EnumAttrCase<"bit_and", 2>, I32EnumAttrCase<"bit_or", 3>,
                                 I32EnumAttrCase<"bit_xor", 4>, I32EnumAttrCase<"max", 5>,
                                 I32EnumAttrCase<"min", 6>, I32EnumAttrCase<"xchg", 7>]>;
def Tile_Rounding
    : Tile_Enum<"Rounding", "rounding modes",
                [I32EnumAttrCase<"nearest", 0>, I32EnumAttrCase<"toward_zero", 1>,
                 I32EnumAttrCase<"toward_negative", 2>, I32EnumAttrCase<"toward_positive", 3>,
                 I32EnumAttrCase<"approximate", 4>, I32EnumAttrCase<"full", 5>]>;
def Tile_MemoryOrder : Tile_Enum<"MemoryOrder", "orders of atomics",
                                 [I32EnumAttrCase<"relaxed", 0>, I32EnumAttrCase<"acquire", 1>,
                                  I32EnumAttrCase<"release", 2>, I32EnumAttrCase<"acq_rel", 3>]>;
def Tile_Scope : Tile_Enum<"Scope", "scopes of atomics",
                           [I32EnumAttrCase<"block", 0>, I32EnumAttrCase<"device", 1>,
                            I32EnumAttrCase<"system", 2>]>;
def Tile_Padding : Tile_Enum<"Padding", "what a view reads outside its bounds",
                             [I32EnumAttrCase<"zero", 0>, I32EnumAttrCase<"negative_zero", 1>,
                              I32EnumAttrCase<"positive_inf", 2>,
                              I32EnumAttrCase<"negative_inf", 3>, I32EnumAttrCase<"nan", 4>]>;
def Tile_Bounds : Tile_Enum<"Bounds",
                            "what is known about a box along a dimension: nothing, that it is "
                            "inside or outside as a whole, that it is inside",
                            [I32EnumAttrCase<"checked", 0>, I32EnumAttrCase<"whole", 1>,
                             I32EnumAttrCase<"inside", 2>]>;
def Tile_MmaKind : Tile_Enum<"MmaKind", "instructions for a matrix multiply",
                             [I32EnumAttrCase<"fma", 0>, I32EnumAttrCase<"m16n8k16", 1>,
                              I32EnumAttrCase<"m16n8k8", 2>, I32EnumAttrCase<"wgmma", 3>,
                              I32EnumAttrCase<"m16n8k32", 4>]>;

// uses: the multiply is not its only use, and it is not stored once; inner, condition: the multiply
// is in a nested loop, or under a condition; coordinates: they are known in its own iteration only;
// stride, padding, narrow, gather: copies cannot do it; alias: the loop may change it through
// another pointer; writes: the loop may change it; order: the loop orders the block's accesses with
// those of others; few: it is in the remainder loop of the pass unroll-along-k; room: shared memory
// has no room for a ring; forbidden: the policy of the plan forbids rings; branch: it is read under
// a condition; uncounted, once: the loop's number of iterations is not known before it, or is one.
def Tile_WaitReason
    : Tile_Enum<"WaitReason", "why a loop waits for what it reads of an operand",
                [I32EnumAttrCase<"uses", 0>, I32EnumAttrCase<"inner", 1>,
                 I32EnumAttrCase<"condition", 2>, I32EnumAttrCase<"coordinates", 3>,
                 I32EnumAttrCase<"stride", 4>, I32EnumAttrCase<"padding", 5>,
                 I32EnumAttrCase<"narrow", 6>, I32EnumAttrCase<"gather", 7>,
                 I32EnumAttrCase<"alias", 8>, I32EnumAttrCase<"writes", 9>,
                 I32EnumAttrCase<"order", 10>, I32EnumAttrCase<"few", 11>,
                 I32EnumAttrCase<"room", 12>, I32EnumAttrCase<"forbidden", 13>,
                 I32EnumAttrCase<"branch", 14>, I32EnumAttrCase<"uncounted", 15>,
                 I32EnumAttrCase<"once", 16>, I32EnumAttrCase<"busy", 17>]>;

def Tile_UnaryKindAttr : Tile_EnumAttr<Tile_UnaryKind, "unary_kind">;
def Tile_BinaryKindAttr : Tile_EnumAttr<Tile_BinaryKind, "binary_kind">;
def Tile_CompareKindAttr : Tile_EnumAttr<Tile_CompareKind, "compare_kind">;
def Tile_ClassifyKindAttr : Tile_EnumAttr<Tile_ClassifyKind, "classify_kind">;
def Tile_ReduceKindAttr : Tile_EnumAttr<Tile_ReduceKind, "reduce_kind">;
def Tile_AtomicKindAttr : Tile_EnumAttr<Tile_AtomicKind, "atomic_kind">;
def Tile_RoundingAttr : Tile_EnumAttr<Tile_Rounding, "rounding">;
def Tile_MemoryOrderAttr : Tile_EnumAttr<Tile_MemoryOrder, "order">;
def Tile_ScopeAttr : Tile_EnumAttr<Tile_Scope, "scope">;
def Tile_PaddingAttr : Tile_EnumAttr<Tile_Padding, "padding">;
def Tile_WaitReasonAttr : Tile_EnumAttr<Tile_WaitReason, "waits"> {
  let assemblyFormat = "`<` $value `>`";
}
def Tile_MmaKindAttr : Tile_EnumAttr<Tile_MmaKind, "mma_kind">;

// ---- Attributes and types of the plan ----

class Tile_Attr<string name, string attrMnemonic> : AttrDef<Tile_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Tile_LayoutAttr : Tile_Attr<"Layout", "layout"> {
  let summary = "where the elements of a tile live";
  let description = [{
    A linear map over bits: one basis per bit of the register number, the lane and the warp; a basis
    is a row-major element index of the tile. The element of (register, lane, warp) is the XOR of
    the bases of their set bits. See layout/LinearLayout.h.
    Example: `#tile.layout<[1, 2], [4, 8, 16, 32, 64], [128, 256]>` of a tensor<512xf32>.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$registers,
      ArrayRefParameter<"int64_t">:$lanes, ArrayRefParameter<"int64_t">:$warps);
  let hasCustomAssemblyFormat = 1;
}

def Tile_AccessAttr : Tile_Attr<"Access", "access"> {
  let summary = "how a box of global memory is read or written: vector width in elements, the "
                "dimension it runs along, proven alignment, and the bounds of each dimension";
  let parameters = (ins "int64_t":$vector, "int64_t":$along, "bool":$aligned,
      ArrayRefParameter<"::tessera::tile::Bounds">:$bounds);
  let assemblyFormat = "`<` $vector `along` $along `,` `aligned` `=` $aligned `,` `bounds` `=` "
                       "`[` $bounds `]` `>`";
}

def Tile_RotationAttr : Tile_Attr<"Rotation", "rotation"> {
  let summary = "rows that are rotated in their tile by where they begin: modulo how many "
                "elements, and whether the rows that are accessed have the same shift";
  let parameters = (ins "int64_t":$multiple, "bool":$same);
  let assemblyFormat = "`<` $multiple `,` `same` `=` $same `>`";
}

def Tile_RunAttr : Tile_Attr<"Run", "run"> {
  let summary = "how a tile of pointers accesses memory: how many neighbours along the last "
                "dimension at once, whether they are proven to be contiguous and aligned, and "
                "to share one bit of the mask";
  let parameters = (ins "int64_t":$vector, "bool":$aligned,
      DefaultValuedParameter<"bool", "false">:$shareMask);
  let assemblyFormat = "`<` $vector `,` `aligned` `=` $aligned "
                       "(`,` `shareMask` `=` $shareMask^)? `>`";
}

def Tile_TargetAttr : Tile_Attr<"Target", "target"> {
  let summary = "the GPU that a module is planned for: a row of Machines.def";
  let description = [{
    The attribute `tile.target` of a module. Example: `#tile.target<"sm_90a">`.
  }];
  let parameters = (ins StringRefParameter<"the row's name">:$name);
  let assemblyFormat = "`<` $name `>`";
  let genVerifyDecl = 1;
}

def Tile_ConfigAttr : Tile_Attr<"Config", "config"> {
  let summary = "what tiling decides of a kernel, and all later passes obey";
  let description = [{
    The attribute `tile.config` of a kernel; pass choose-config lists the candidates. What is absent
    has its default. Example: `#tile.config<warps = 8, stages = 3>`.
  }];
  let parameters = (ins
      AttrParameter<"int64_t", "warps of a block, without a producer's">:$warps,
      DefaultValuedParameter<"int64_t", "128",
          "bytes of K of a multiply in a loop; 0: as in the program">:$kBytes,
      DefaultValuedParameter<"int64_t", "4",
          "most stages of a ring of copies ahead; 1: no ring">:$stages,
      DefaultValuedParameter<"bool", "true", "a producer warp may fill the ring">:$producerWarp,
      DefaultValuedParameter<"bool", "true",
          "multiplies share one tile of an operand, which lives through them all">:$sharesOperands,
      DefaultValuedParameter<"int64_t", "81920",
          "bytes of shared memory that a conversion may take">:$exchangeBytes,
      DefaultValuedParameter<"int64_t", "std::numeric_limits<int64_t>::max()",
          "bytes of shared memory that both operands of a multiply may take">:$operandBytes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

class Tile_Type<string name, string typeMnemonic> : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_SharedType : Tile_Type<"Shared", "shared"> {
  let summary = "a tile in shared memory";
  let description = [{
    Row-major; element i lies at offset `i ^ (((i >> (base + shift)) & ((1 << bits) - 1)) << base)`.
    Example: `!tile.shared<128x64xbf16, 3, 3, 3>`.
    Or in panels, as wgmma reads it: all rows of the first 128 bytes, then of the next, with chunks
    of 16 bytes exchanged by the number of their 128 bytes. Two dimensions, rows of 32 bytes or
    more, eight or more. Example: `!tile.shared<128x64xbf16, panels>`.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
      "int64_t":$bits, "int64_t":$base, "int64_t":$shift, "bool":$panels);
  let genVerifyDecl = 1;
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
      "int64_t":$bits, "int64_t":$base, "int64_t":$shift), [{
    return $_get($_ctxt, shape, elementType, bits, base, shift, false);
  }]>];
  let hasCustomAssemblyFormat = 1;
}

def Tile_TensorMap : Tile_Type<"TensorMap", "tensor_map"> {
  let summary = "what a warp that starts bulk copies knows about a view and its boxes";
}

def Tile_Barriers : Tile_Type<"Barriers", "barriers"> {
  let summary = "the mbarriers of a ring's stages, at which bulk copies arrive";
}

#endif
