// Tile kernels under the emulator: generated kernels are host functions, planned for one
// architecture.
#pragma once

#include "allocations.h"
#include "capture.h"
#include "entry.h"
#include "kernel.h"
#include "simt.h"
#include "symbols.h"

#include <functional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tessera::host {

// The blocks that a plan's coarsened kernel processes: it runs whenever they fill at least one of
// its blocks, so that tests cover both kernels, since the emulator does not measure time.
inline dim3 blocks_to_coarsen(const coarsened_plan &plan, dim3 launched, void **arguments) {
  const dim3 blocks = plan.kernel ? plan.blocks_of(launched, arguments) : dim3(0, 0, 0);
  // Of parts, where there are several blocks: tests have grids of one, too.
  const unsigned fewest = plan.parts > 1 ? 2 : plan.columns * plan.rows;
  return blocks.x * blocks.y >= fewest && plan.can_take(blocks) ? blocks : dim3(0, 0, 0);
}

// Enough that blocks of small grids process several work tiles, and different numbers of them.
constexpr unsigned multiprocessors = 3;

// Runs a launch, and compares it where --verify asks for that; see verify.h.
template <class Run> cudaError_t followed([[maybe_unused]] const kernel_record &k,
                                          [[maybe_unused]] const void *kernel,
                                          [[maybe_unused]] const dim3 *grid, Run run) {
#ifdef TESSERA_VERIFY_LAUNCHES
  return follow(k.name, kernel, grid, run);
#else
  return run({});
#endif
}

inline bool runs_all_blocks([[maybe_unused]] dim3 grid) {
#ifdef TESSERA_VERIFY_LAUNCHES
  return !is_sampled(grid);
#else
  return true;
#endif
}

inline cudaError_t launch_coarsened(const kernel_record &k, const coarsened_grid &grid,
                                    const launch_arguments &arguments, cudaStream_t stream) {
  const coarsened_plan &plan = k.plans[0].coarsened;
  const unsigned threads = threads_of(plan, arguments.get());
  const auto run = [&k, &plan, blocks = grid.blocks, threads](const std::function<void()> &body) {
    coarsened_plan balanced = plan; // blocks of several work tiles are tested in any case
    balanced.is_unbalanced = false;
    return followed(k, plan.kernel, nullptr, [&](std::span<const std::size_t>) {
      return result_of(emulate::run(balanced.launch_of(blocks, multiprocessors), threads,
                                    plan.dynamic_shared_memory, body, k.name));
    });
  };
  if (is_capturing(stream))
    return capture(stream,
                   [run, body = plan.bind(plan.kernel, arguments.get())] { return run(body); });
  return run([&] { plan.call(plan.kernel, arguments.get()); });
}

inline cudaError_t launch_record(const kernel_record &k, dim3 grid, void **given,
                                 cudaStream_t stream) {
  const coarsened_plan &other = k.plans[0].coarsened;
  if (const dim3 blocks = blocks_to_coarsen(other, grid, given);
      blocks.x && runs_all_blocks(grid)) {
    const coarsened_grid coarsened{blocks, grid};
    if (const launch_arguments all(other, coarsened, given); all.has_required_tensor_maps())
      return launch_coarsened(k, coarsened, all, stream);
  }
  const launch_arguments arguments(&k.plans[0], given);
  const unsigned threads = threads_of(k.plans[0], given);
  const auto run = [&k, grid, threads](const std::function<void()> &body) {
    return followed(k, k.kernel, &grid, [&](std::span<const std::size_t> only) {
      return result_of(
          emulate::run(grid, threads, k.plans[0].dynamic_shared_memory, body, k.name, only));
    });
  };
  if (is_capturing(stream))
    return capture(stream, [run, body = k.bind(k.kernel, arguments.get())] { return run(body); });
  return run([&] { k.call(k.kernel, arguments.get()); });
}

// A launch with a block size or an empty grid: the runtime refuses a block without threads and
// records the error.
inline cudaError_t refuse_launch(const kernel_record &k, void **arguments, cudaStream_t stream) {
  return cudaLaunchKernel(k.kernel, dim3(0), dim3(0, 0, 0), arguments, 0, stream);
}

// The call with copies of its arguments.
template <class... K, std::size_t... I> std::function<void()>
bind_with(const void *kernel, [[maybe_unused]] void **arguments, std::index_sequence<I...>) {
  return [kernel, copies = std::tuple<K...>(*static_cast<K *>(arguments[I])...)] {
    std::apply(reinterpret_cast<void (*)(K...)>(const_cast<void *>(kernel)), copies);
  };
}
template <class... K> std::function<void()> bind(const void *kernel, void **arguments) {
  return bind_with<K...>(kernel, arguments, std::index_sequence_for<K...>());
}

inline const bool allocations_are_guarded = guard_allocations();

template <class F, F Entry> class kernel_registration;
template <class... P, void (*Entry)(P...)> class kernel_registration<void (*)(P...), Entry> {
public:
  // The kernel takes by address what the entry takes by reference.
  template <class... K> kernel_registration(void (*kernel)(K...), const char *name,
                                            std::initializer_list<launch_plan> plans)
      : record{reinterpret_cast<const void *>(kernel),
               name,
               {*plans.begin()},
               1,
               &call<K...>,
               &bind<K...>},
        by_address(Entry, name) {
    fill_slot<void (*)(P...), Entry>(&record);
  }

private:
  kernel_record record;
  entry_registration<P...> by_address;
};

} // namespace tessera::host
