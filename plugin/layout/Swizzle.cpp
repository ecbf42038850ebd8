// Chooses the swizzle of a tile in shared memory by its bank conflicts.
#include "layout/LinearLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <set>

using namespace llvm;

namespace tessera {

namespace {

// How many neighbours a thread can move with one instruction of at most 16 bytes, given that the
// swizzle keeps 2^base elements together.
int64_t accessWidth(const LinearLayout &layout, const Swizzle &swizzle, int64_t bytes) {
  int64_t n = 1;
  while (n * 2 * bytes <= 16 && llvm::is_contained(layout.registers(), uint32_t(n)) &&
         (!swizzle.bits || n * 2 <= int64_t(1) << swizzle.base))
    n *= 2;
  return n;
}

} // namespace

int64_t bankConflicts(const LinearLayout &layout, const Swizzle &swizzle, int64_t bytes) {
  int64_t width = accessWidth(layout, swizzle, bytes) * bytes;
  // An instruction of 16 bytes per lane is served a quarter of a warp at a time, one of 8 bytes
  // half a warp.
  unsigned lanesAtOnce = width >= 16 ? 8 : width == 8 ? 16 : 32;
  std::set<std::pair<uint32_t, uint32_t>> words; // (bank, word)
  int64_t perBank[32] = {};
  int64_t worst = 1;
  for (unsigned lane = 0; lane < lanesAtOnce; ++lane) {
    uint32_t address = swizzle(layout.element(0, lane, 0)) * uint32_t(bytes);
    for (uint32_t offset = 0; offset < std::max<int64_t>(width, 4); offset += 4) {
      uint32_t word = (address + offset) / 4;
      if (words.insert({word % 32, word}).second)
        worst = std::max(worst, ++perBank[word % 32]);
    }
  }
  // Narrow accesses need more instructions for the same data.
  return worst * (16 / std::max<int64_t>(width, 1));
}

Swizzle chooseSwizzle(ArrayRef<LinearLayout> layouts, int64_t bytes) {
  auto cost = [&](const Swizzle &s) {
    int64_t sum = 0;
    for (const LinearLayout &layout : layouts)
      sum += bankConflicts(layout, s, bytes);
    return sum;
  };
  Swizzle best;
  int64_t bestCost = cost(best);
  unsigned indexBits = Log2_64(layouts.front().elementCount());
  for (int64_t bits = 1; bits <= 5; ++bits)
    for (int64_t base = 0; base + 2 * bits <= indexBits && base <= 4; ++base)
      for (int64_t shift = bits; base + shift + bits <= indexBits; ++shift) {
        Swizzle s{bits, base, shift};
        if (int64_t c = cost(s); c < bestCost) {
          best = s;
          bestCost = c;
        }
      }
  return best;
}

} // namespace tessera
