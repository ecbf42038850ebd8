#include "block.h"
#include "reporting.h"

#include <algorithm>

namespace tessera::emulate {

namespace {

// Of a thread, before its warpgroup changes them: what the block gets of an SM's registers if it is
// compiled to have one for itself, as warp-specialized kernels are.
unsigned registers_at_start(unsigned threads) {
  constexpr unsigned of_multiprocessor = 65536, most = 255, step = 8;
  return std::min(of_multiprocessor / threads, most) / step * step;
}

} // namespace

void set_registers(int count, bool increases) {
  const void *location = __builtin_return_address(0);
  constexpr unsigned least = 24;
  block_runner &runner = running_block();
  const unsigned thread = runner.running().number, wanted = static_cast<unsigned>(count);
  if (thread % warpgroup_size != 0)
    return;
  const dim3 size = runner.block().size;
  const unsigned threads = size.x * size.y * size.z, before = registers_at_start(threads);
  const unsigned warpgroups = (threads + warpgroup_size - 1) / warpgroup_size;
  auto [own, is_first] = runner.registers.try_emplace(thread / warpgroup_size, before);
  if (increases ? wanted < own->second : wanted > own->second)
    report("registers", runner.block().kernel, location, [&] {
      return name_block(runner.block()) + ": the warpgroup of " + name_thread(thread) + " has " +
             std::to_string(own->second) + " registers per thread, and " +
             (increases ? "increases" : "decreases") + " them to " + std::to_string(wanted);
    });
  own->second = wanted;
  // A warpgroup that has not changed its registers yet may still give up all but the least.
  unsigned sum = (warpgroups - static_cast<unsigned>(runner.registers.size())) * least;
  for (const auto &[warpgroup, registers] : runner.registers)
    sum += registers;
  if (sum > before * warpgroups)
    report("registers", runner.block().kernel, location, [&] {
      return name_block(runner.block()) + ": its " + std::to_string(warpgroups) +
             " warpgroups ask for " + std::to_string(sum) +
             " registers per thread in all, and the block has " +
             std::to_string(before * warpgroups) + ": setmaxnreg.inc does not return";
    });
}

} // namespace tessera::emulate
