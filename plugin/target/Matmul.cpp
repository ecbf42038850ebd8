// MmaInstructions.def as arrays, and the choice among its rows.
#include "target/Matmul.h"
#include "target/RegisterBudgets.h"
#include "target/Target.h"

#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera {

namespace {

using tile::MmaKind;

constexpr unsigned IsAsync = MmaInstruction::IsAsync, ReadsPanels = MmaInstruction::ReadsPanels,
                   HasOneSign = MmaInstruction::HasOneSign,
                   AddsNarrowly = MmaInstruction::AddsNarrowly;

constexpr MmaInstruction instructions[] = {
#define MMA_INSTRUCTION(KIND, SCOPE, M, N, MAX_N, K, FEATURES, TARGET, FUNCTION)                   \
  {MmaKind::KIND, MmaInstruction::SCOPE, M, N, MAX_N, K, FEATURES, TARGET, FUNCTION},
#include "target/MmaInstructions.def"
};
static_assert(std::size(instructions) == tile::getMaxEnumValForMmaKind() + 1,
              "MmaInstructions.def has a row for each tile::MmaKind");

enum Order { AlongK, EitherOrder };

struct MmaTypes {
  MmaKind kind;
  bool (*takes)(Type), (*adds)(Type);
  Order order;
  unsigned number;
};

bool isOf_f16(Type type) { return type.isF16(); }
bool isOf_bf16(Type type) { return type.isBF16(); }
bool isOf_f32(Type type) { return type.isF32(); }
bool isOf_tf32(Type type) { return isa<FloatTF32Type>(type); }
bool isOf_f8E4M3FN(Type type) { return isa<Float8E4M3FNType>(type); }
bool isOf_f8E5M2(Type type) { return isa<Float8E5M2Type>(type); }
bool isOf_i8(Type type) { return type.isInteger(8); }
bool isOf_i32(Type type) { return type.isInteger(32); }

constexpr MmaTypes types[] = {
#define MMA_TYPES(KIND, OPERANDS, ACCUMULATOR, ORDER, NUMBER)                                      \
  {MmaKind::KIND, isOf_##OPERANDS, isOf_##ACCUMULATOR, ORDER, NUMBER},
#include "target/MmaInstructions.def"
};

constexpr int64_t maxOfTwoWarpgroups = registersOfAccumulator * 2 * 4 * 32; // elements

} // namespace

bool isNarrowerThanPanel(Type element, int64_t columns) {
  return columns * tile::storageBits(element) / 8 < bytesOfPanel;
}

namespace {

MmaObstacle obstacleOf(const MmaTypes &row, const Matmul &matmul) {
  const MmaInstruction &one = instructionOf(row.kind);
  const int64_t bytes = matmul.bytesOfElement();
  if (matmul.rank != 2 || matmul.a != matmul.b || !row.takes(matmul.a) || !row.adds(matmul.c) ||
      (one.hasOneSign() && matmul.isAUnsigned != matmul.isBUnsigned))
    return MmaObstacle::Elements;
  if (matmul.m < one.m)
    return MmaObstacle::Rows;
  if (one.isOfWarpgroups() && matmul.m * matmul.n > maxOfTwoWarpgroups)
    return MmaObstacle::Large;
  // A row that runs across K fills a panel.
  const bool hasPanels = one.readsPanels() && row.order == EitherOrder;
  auto hasRow = [&](bool isByK, bool isComputed, int64_t columns) {
    return !hasPanels || isByK || isComputed || !isNarrowerThanPanel(matmul.a, columns);
  };
  bool fits = matmul.n >= one.n && matmul.k >= one.depth(bytes) &&
              hasRow(matmul.isAByK, matmul.isAComputed, matmul.m) &&
              hasRow(matmul.isBByK, matmul.isBComputed, matmul.n);
  return fits ? MmaObstacle::None : MmaObstacle::Narrow;
}

} // namespace

int64_t Matmul::bytesOfElement() const { return tile::storageBits(a) / 8; }

const MmaInstruction &instructionOf(MmaKind kind) {
  return *llvm::find_if(instructions, [&](const MmaInstruction &row) { return row.kind == kind; });
}

std::string nameOf(const MmaInstruction &instruction) {
  std::string name = stringifyMmaKind(instruction.kind).str();
  return instruction.isOfWarps() ? "mma." + name : name;
}

bool takesEitherOrder(Type element) {
  return llvm::any_of(types, [&](const MmaTypes &row) {
    return instructionOf(row.kind).readsPanels() && row.order == EitherOrder && row.takes(element);
  });
}

MmaObstacle warpgroupObstacle(const Matmul &matmul) {
  MmaObstacle found = MmaObstacle::Elements;
  for (const MmaTypes &row : types)
    if (instructionOf(row.kind).isOfWarpgroups())
      if (MmaObstacle obstacle = obstacleOf(row, matmul); obstacle != MmaObstacle::Elements)
        found = obstacle;
  return found;
}

MmaSelection selectMma(const Matmul &matmul, const GpuTarget &target) {
  auto fma = [](MmaSelection::Obstacle obstacle, int64_t minK = 0) {
    return MmaSelection{instructionOf(MmaKind::fma), obstacle, minK};
  };
  if (matmul.rank != 2)
    return fma(MmaSelection::Batches);
  if (matmul.a != matmul.b)
    return fma(MmaSelection::TwoTypes);
  auto obstacle = MmaSelection::Operands;
  int64_t minK = 0;
  for (const MmaTypes &row : types) {
    const MmaInstruction &one = instructionOf(row.kind);
    const bool isThere = row.number <= target.number &&
                         (!one.targetFeature || (target.features & one.targetFeature));
    if (!isThere)
      continue;
    MmaObstacle found = obstacleOf(row, matmul);
    if (found == MmaObstacle::None)
      return {one, MmaSelection::None};
    // What excludes a larger instruction does not matter: one of a warp says why there is none.
    if (!one.isOfWarps() || !row.takes(matmul.a) || obstacle == MmaSelection::Small)
      continue;
    const bool isSmall = found != MmaObstacle::Elements;
    obstacle = isSmall ? MmaSelection::Small : MmaSelection::Accumulator;
    minK = isSmall ? one.depth(matmul.bytesOfElement()) : 0;
  }
  return fma(obstacle, minK);
}

} // namespace tessera
