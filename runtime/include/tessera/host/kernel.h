// A generated kernel as the host knows it, and how a kernel's entry finds it.
//
// Each entry has a slot per library, filled by the registration at the end of the code: a launch
// reads only the slot. A caller that runs an entry keeps its library loaded, and with it the slot
// and the kernel.
#pragma once

#include "../coarsened_grid.h"
#include "registry.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <new>
#ifdef TESSERA_EMULATE
#include <functional>
#endif

namespace tessera::host {

// Makes the tensor maps that a kernel takes after its `parameters` other parameters, from the
// addresses of their arguments (tensor_maps.h), and returns the set of those that exist: bit i for
// tensor map i. Null: the kernel takes none. Without all of the needed ones the kernel does not
// run.
struct tensor_map_maker {
  unsigned (*make)(void *maps, void **arguments);
  unsigned parameters;
  unsigned bytes;
  unsigned needed = 0;
};

// How many warps the blocks of a launch with these arguments have (launched_warps.h). Null: all of
// the plan.
using warp_counter = unsigned (*)(void **arguments);

// A kernel that runs in place of another one where it is faster: one of its blocks does the work of
// columns x rows blocks of the other, or one of `parts` parts of such a block. After the program's
// parameters it takes a coarsened_grid, and then tensor maps.
struct coarsened_plan {
  const void *kernel = nullptr; // null: there is none
  unsigned columns = 1, rows = 1;
  unsigned parts = 1; // side by side along x
  unsigned threads = 0, dynamic_shared_memory = 0;
  unsigned long long cycles = 0, cycles_of_other = 0; // of an SM, per block
  tensor_map_maker maps = {nullptr, 0, 0, 0};
  unsigned parameters = 0; // the program's
  // If the program numbers its tiles itself (tile_list.h): the grid of these tiles for a launch
  // with that grid and those arguments; no blocks if they do not form a grid. Null: the grid of the
  // launch.
  dim3 (*tiles)(dim3 launched, void **arguments) = nullptr;
  // Its blocks process one work tile of grid_of() after the other: the launch has as many as run at
  // a time (ops/work_tiles.cuh).
  bool is_persistent = false;
  // The work tiles take different times: each has a block of its own, which the GPU starts where a
  // multiprocessor is free.
  bool is_unbalanced = false;
  warp_counter warps = nullptr;
#ifdef TESSERA_EMULATE
  void (*call)(const void *kernel, void **arguments) = nullptr;
  std::function<void()> (*bind)(const void *kernel, void **arguments) = nullptr;
#endif

  dim3 blocks_of(dim3 launched, void **arguments) const {
    return tiles ? tiles(launched, arguments) : launched;
  }
  dim3 grid_of(dim3 blocks) const {
    return dim3((blocks.x + columns - 1) / columns * parts, (blocks.y + rows - 1) / rows, blocks.z);
  }
  // The grid to launch on this number of multiprocessors.
  dim3 launch_of(dim3 blocks, unsigned multiprocessors) const {
    const dim3 grid = grid_of(blocks);
    const unsigned long long work_tiles = 1ull * grid.x * grid.y * grid.z;
    if (!is_persistent)
      return grid;
    return dim3(static_cast<unsigned>(
        is_unbalanced || work_tiles < multiprocessors ? work_tiles : multiprocessors));
  }
  // An int counts the work tiles, and one step beyond; or blocks along x.
  bool can_take(dim3 blocks) const {
    if (parts > 1)
      return 1ull * blocks.x * parts <= 0x7fffffff;
    const dim3 grid = grid_of(blocks);
    constexpr unsigned long long most = 0x7fffffff - (1u << 20);
    return !is_persistent || (grid.x <= most && 1ull * grid.x * grid.y <= most &&
                              1ull * grid.x * grid.y * grid.z <= most);
  }
};

// The plan for one architecture, __CUDA_ARCH__ / 10.
struct launch_plan {
  unsigned arch;
  unsigned threads;
  unsigned dynamic_shared_memory; // bytes
  tensor_map_maker maps = {nullptr, 0, 0, 0};
  coarsened_plan coarsened = {};
  warp_counter warps = nullptr;
};

// The threads of a block of a launch by a plan of either kind. `arguments`: the kernel's.
template <class Plan> unsigned threads_of(const Plan &plan, void **arguments) {
  const unsigned threads = plan.warps && arguments ? 32 * plan.warps(arguments) : plan.threads;
  return threads < plan.threads ? threads : plan.threads;
}

// The addresses of a kernel's arguments: the caller's, the size of the grid where the kernel takes
// it, and tensor maps made of them. Launches copy the arguments.
class launch_arguments {
public:
  // Without a plan, the given arguments.
  launch_arguments(const launch_plan *plan, void **given) : addresses(given) {
    if (plan && plan->maps.make && given)
      add(given, plan->maps.parameters, false, plan->maps);
  }
  launch_arguments(const coarsened_plan &plan, const coarsened_grid &grid, void **given)
      : grid(grid), addresses(given) {
    add(given, plan.parameters, true, plan.maps);
  }
  ~launch_arguments() { ::operator delete(made); }
  launch_arguments(const launch_arguments &) = delete;
  launch_arguments &operator=(const launch_arguments &) = delete;

  void **get() const { return addresses; }
  bool has_required_tensor_maps() const { return has_needed; }

private:
  void add(void **given, std::size_t count, bool takes_grid, const tensor_map_maker &maps) {
    const std::size_t words = count + 3;
    constexpr std::size_t alignment = 64; // of a tensor map
    made = ::operator new(words * sizeof(void *) + alignment + maps.bytes);
    addresses = static_cast<void **>(made);
    for (std::size_t i = 0; i < count; ++i)
      addresses[i] = given[i];
    if (takes_grid)
      addresses[count++] = &grid;
    if (maps.make) {
      const auto behind = reinterpret_cast<std::uintptr_t>(addresses + words);
      void *const room = reinterpret_cast<void *>((behind + alignment - 1) / alignment * alignment);
      has_needed = (maps.needed & ~maps.make(room, addresses)) == 0;
      addresses[count++] = room;
    }
    addresses[count] = nullptr;
  }

  coarsened_grid grid;
  void **addresses;
  void *made = nullptr;
  bool has_needed = true;
};

#ifdef TESSERA_EMULATE
template <class... K> void call(const void *kernel, void **arguments); // entry.h
template <class... K>
std::function<void()> bind(const void *kernel, void **arguments); // emulator.h
#endif

// A plan's row of a coarsened kernel.
template <class... P>
coarsened_plan coarsened(void (*kernel)(P...), unsigned columns, unsigned rows, unsigned threads,
                         unsigned dynamic_shared_memory, unsigned long long cycles,
                         unsigned long long cycles_of_other, unsigned parameters,
                         tensor_map_maker maps = {nullptr, 0, 0, 0},
                         dim3 (*tiles)(dim3, void **) = nullptr) {
  coarsened_plan plan;
  plan.kernel = reinterpret_cast<const void *>(kernel);
  plan.columns = columns;
  plan.rows = rows;
  plan.threads = threads;
  plan.dynamic_shared_memory = dynamic_shared_memory;
  plan.cycles = cycles;
  plan.cycles_of_other = cycles_of_other;
  plan.maps = maps;
  plan.parameters = parameters;
  plan.tiles = tiles;
#ifdef TESSERA_EMULATE
  plan.call = &call<P...>;
  plan.bind = &bind<P...>;
#endif
  return plan;
}

inline coarsened_plan persistent(coarsened_plan plan) {
  plan.is_persistent = true;
  return plan;
}

inline coarsened_plan in_parts(coarsened_plan plan, unsigned parts) {
  plan.parts = parts;
  return plan;
}

inline coarsened_plan unbalanced(coarsened_plan plan) {
  plan.is_unbalanced = true;
  return plan;
}

inline coarsened_plan trimmed(coarsened_plan plan, warp_counter warps) {
  plan.warps = warps;
  return plan;
}

struct kernel_record {
  const void *kernel; // the generated kernel
  const char *name;
  launch_plan plans[16]; // in the order of their architectures
  unsigned plan_count;
#ifdef TESSERA_EMULATE
  void (*call)(const void *kernel, void **arguments);
  std::function<void()> (*bind)(const void *kernel, void **arguments);
#else
  // The plans in use on the first devices; null until the first launch there.
  static constexpr int device_count = 32;
  mutable const launch_plan *prepared[device_count];
  mutable unsigned multiprocessors[device_count]; // set at the same time
#endif
};

// Read and written by the functions below.
#ifdef __NVCC__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1407 // visibility, where the entry has internal linkage
#endif
template <class F, F Entry> TESSERA_OWN inline const kernel_record *kernel_slot = nullptr;
#ifdef __NVCC__
#pragma nv_diagnostic pop
#endif

// The first of a library's registrations wins.
template <class F, F Entry> void fill_slot(const kernel_record *record) {
  const kernel_record *none = nullptr;
  __atomic_compare_exchange_n(&kernel_slot<F, Entry>, &none, record, false, __ATOMIC_ACQ_REL,
                              __ATOMIC_ACQUIRE);
}
template <class F, F Entry> const kernel_record *read_slot() {
  return __atomic_load_n(&kernel_slot<F, Entry>, __ATOMIC_ACQUIRE);
}

} // namespace tessera::host
