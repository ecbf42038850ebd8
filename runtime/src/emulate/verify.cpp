// Launches under the emulator that are compared with the CPU's: it knows who wrote each byte.
#include "block.h"
#include "checked.h"
#include "global_memory.h"
#include "race.h"
#include "reporting.h"

#include "../cpu/source_line.h"
#include "../verify/follow.h"

#include <tessera/host/verify.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <string_view>

namespace tessera::emulate {
namespace {

std::mutex watching;
std::string line_of_watched;

} // namespace

void note_watched_write() {
  const std::scoped_lock lock(watching);
  if (line_of_watched.empty())
    line_of_watched = line_here();
}

} // namespace tessera::emulate

namespace tessera::host {
namespace {

std::uint64_t count_of(dim3 grid) { return 1ull * grid.x * grid.y * grid.z; }

// The line of the program that writes bytes in a launch, which runs once more.
std::string line_that_writes(std::uintptr_t first, std::size_t size,
                             const std::function<void()> &run_again) {
  emulate::line_of_watched.clear();
  emulate::watched = {first, first + size};
  run_again();
  emulate::watched = {};
  constexpr std::string_view at = " at ";
  return emulate::line_of_watched.substr(std::min(at.size(), emulate::line_of_watched.size()));
}

// The block and the line of the program that wrote bytes in the last launch. A location says the
// line where the compiler has inlined the runtime there.
verify::writer find_writer(const void *address, std::size_t size, const void *kernel,
                           const dim3 *grid, const std::function<void()> &run_again) {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  verify::writer who;
  for (std::uintptr_t at = first; at < first + size; ++at)
    if (const auto last = emulate::all_global_memory().last_write(at)) {
      void *location = const_cast<void *>(emulate::location_near(kernel, last->location));
      who.line = find_location(std::span<void *const>(&location, 1)).text();
      if (grid) // the blocks of another kernel are not the program's
        who.block = emulate::name_index(emulate::block_at(*grid, last->block));
      break;
    }
  if (who.line.empty())
    who.line = line_that_writes(first, size, run_again);
  return who;
}

} // namespace

bool is_sampled(dim3 grid) { return !verify::sample_of(count_of(grid)).empty(); }

cudaError_t follow(const char *name, const void *kernel, const dim3 *grid,
                   const sampled_launch &run) {
  const verify::following here = {
      "emulator",
      [=](const void *address, std::size_t size, const std::function<void()> &run_again) {
        return find_writer(address, size, kernel, grid, run_again);
      },
      emulate::see_new_reports};
  const auto sample = grid ? verify::sample_of(count_of(*grid)) : std::vector<std::size_t>();
  return verify::follow_launch(here, name, [&] { return run(sample); });
}

} // namespace tessera::host
