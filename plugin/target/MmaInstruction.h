// The properties of an instruction that multiplies matrices: a row of MmaInstructions.def. Passes
// ask these and not which instruction it is.
#pragma once

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace tessera::tile {
enum class MmaKind : uint32_t; // TileDialect.td
} // namespace tessera::tile

namespace tessera {

struct MmaInstruction {
  enum Scope { Thread, Warp, Warpgroup };
  // Bits of `features`.
  enum Feature : unsigned {
    // Is issued, and awaited by groups: multiplies can be in flight.
    IsAsync = 1,
    // Reads operands from panels of shared memory, and takes A from registers instead. Others load
    // both operands from shared memory to registers, in parts.
    ReadsPanels = 2,
    // Both operands are signed, or both are unsigned.
    HasOneSign = 4,
    // Sums products of fp8 with fewer bits than a float has: about 14 on sm_90.
    AddsNarrowly = 8,
  };

  tile::MmaKind kind;
  Scope scope;
  int64_t m, n, maxN, bytesOfK;
  unsigned features;
  unsigned targetFeature;       // a GpuTarget::Feature, or 0
  llvm::StringLiteral function; // of the runtime

  bool isTensorCore() const { return scope != Thread; }
  bool isOfWarps() const { return scope == Warp; }
  bool isOfWarpgroups() const { return scope == Warpgroup; }
  bool isAsync() const { return features & IsAsync; }
  bool readsPanels() const { return features & ReadsPanels; }
  bool hasOneSign() const { return features & HasOneSign; }
  bool addsNarrowly(mlir::Type operand) const {
    return features & AddsNarrowly && mlir::isa<mlir::FloatType>(operand) &&
           operand.getIntOrFloatBitWidth() == 8;
  }
  // The elements of K of one instruction, of operands of this many bytes each.
  int64_t depth(int64_t bytesOfElement) const { return bytesOfK ? bytesOfK / bytesOfElement : 1; }
};

const MmaInstruction &instructionOf(tile::MmaKind kind);

// PTX's name: "mma.m16n8k16", "wgmma".
std::string nameOf(const MmaInstruction &instruction);

} // namespace tessera
