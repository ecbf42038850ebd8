// Machines.def as an array of targets, and the searches in it.
#include "target/Target.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera {
namespace {

constexpr unsigned Tma = GpuTarget::Tma, Wgmma = GpuTarget::Wgmma;
constexpr int64_t kilobyte = 1024;

// All but the name and the features, which are empty.
constexpr GpuTarget machines[] = {
#define TILE_MACHINE(NUMBER, BLOCK, SM, THREADS, BLOCKS, REGISTERS, MULTIPLY_ADDS, PERCENT, L2,    \
                     SHARED, IN_FLIGHT, SOURCE)                                                    \
  {"",                                                                                             \
   NUMBER,                                                                                         \
   (BLOCK) * kilobyte,                                                                             \
   (SM) * kilobyte,                                                                                \
   THREADS,                                                                                        \
   BLOCKS,                                                                                         \
   REGISTERS,                                                                                      \
   {MULTIPLY_ADDS, PERCENT, L2, SHARED, (IN_FLIGHT) * kilobyte, MachineRates::SOURCE},             \
   0},
#include "target/Machines.def"
};

// Not constant for a number without a machine: the table below does not compile then.
constexpr GpuTarget targetOf(llvm::StringLiteral name, unsigned number, unsigned features) {
  const GpuTarget *machine = machines;
  while (machine->number != number)
    ++machine;
  GpuTarget row = *machine;
  row.name = name;
  row.features = features;
  return row;
}

constexpr GpuTarget table[] = {
#define TILE_TARGET(NAME, NUMBER, FEATURES) targetOf(NAME, NUMBER, FEATURES),
#include "target/Machines.def"
};

constexpr bool isInOrder() {
  for (const GpuTarget *row = table; row + 1 != std::end(table); ++row)
    if (row->number > (row + 1)->number)
      return false;
  return true;
}
static_assert(isInOrder(), "Machines.def is in the order of its numbers");

} // namespace

llvm::ArrayRef<GpuTarget> gpuTargets() { return table; }

const GpuTarget *findGpuTarget(llvm::StringRef name) {
  const GpuTarget *found =
      llvm::find_if(table, [&](const GpuTarget &row) { return row.name == name; });
  return found == std::end(table) ? nullptr : found;
}

const GpuTarget *findGpuTarget(unsigned number) {
  const GpuTarget *best = nullptr;
  for (const GpuTarget &row : table)
    if (row.number == number && (!best || row.name.ends_with("a")))
      best = &row;
  return best;
}

const GpuTarget &defaultGpuTarget() { return *findGpuTarget("sm_90a"); }

} // namespace tessera
