// What passes ask of an op instead of which op it is.
#ifndef TESSERA_TILE_INTERFACES_TD
#define TESSERA_TILE_INTERFACES_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Trait<string name> : NativeOpTrait<name> { let cppNamespace = "::tessera::tile"; }
// All tiles of the op, operands and results, have one layout. Element-wise ops do, too.
def Tile_SameLayout : Tile_Trait<"SameLayout">;
// The op computes numbers; others move or test them.
def Tile_Computes : Tile_Trait<"Computes">;
// Generated code is easier to read where the only use of the result has the op in its place.
def Tile_PrintedInPlace : Tile_Trait<"PrintedInPlace">;

def Tile_LayoutTransfer : OpInterface<"LayoutTransfer"> {
  let description = "The layout of operand 0 implies that of the result, or the other way round.";
  let cppNamespace = "::tessera::tile";
  let methods = [InterfaceMethod<
                     "The layout of the result where operand 0 has this one; none: any will do.",
                     "std::optional<::tessera::LinearLayout>", "resultLayout",
                     (ins "const ::tessera::LinearLayout &":$operand), "", "return std::nullopt;">,
                 InterfaceMethod<
                     "The layout of operand 0 that gives the result this one; none: several do.",
                     "std::optional<::tessera::LinearLayout>", "operandLayout",
                     (ins "const ::tessera::LinearLayout &":$result), "", "return std::nullopt;">,
  ];
}

def Tile_SharedAccess : OpInterface<"SharedAccess"> {
  let description = "The op reads or writes shared memory, and barriers order it with others.";
  let cppNamespace = "::tessera::tile";
  let methods = [InterfaceMethod<
                     "By default: what the memory effects say of operands in shared memory.",
                     "void", "getSharedAccesses",
                     (ins "::llvm::SmallVectorImpl<::tessera::tile::AccessOfShared> &":$accesses),
                     "", "::tessera::tile::appendEffects($_op, accesses);">,
  ];
}

#endif // TESSERA_TILE_INTERFACES_TD
