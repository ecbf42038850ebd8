// Targets.def as an array, and the searches in it.
#include "Target.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera {
namespace {

constexpr unsigned Tma = GpuTarget::Tma, Wgmma = GpuTarget::Wgmma;
constexpr int64_t kilobyte = 1024;

constexpr GpuTarget table[] = {
#define TILE_TARGET(name, number, block, multiprocessor, threads, blocks, features)                \
  {name, number, (block) * kilobyte, (multiprocessor) * kilobyte, threads, blocks, features},
#include "Targets.def"
};

constexpr bool isInOrder() {
  for (const GpuTarget *row = table; row + 1 != std::end(table); ++row)
    if (row->number > (row + 1)->number)
      return false;
  return true;
}
static_assert(isInOrder(), "Targets.def is in the order of its numbers");

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
