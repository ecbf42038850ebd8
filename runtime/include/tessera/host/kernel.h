// An emitted kernel as the host knows it, and the way from a kernel's entry to it.
//
// Each entry has a slot per library, which the registration at the end of the text fills: a launch
// reads it and nothing else. Who runs an entry keeps its library loaded, and with it the slot and
// the kernel.
#pragma once

#include "../merged_grid.h"
#include "registry.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <new>
#ifdef TESSERA_EMULATE
#include <functional>
#endif

namespace tessera::host {

// What makes the maps that a kernel takes behind its `parameters` others, of the addresses of these
// (box_maps.h), and tells which there are: bit i for map i. Null: it takes none. Without all of the
// needed ones the kernel does not run.
struct map_maker {
  unsigned (*make)(void *maps, void **arguments);
  unsigned parameters;
  unsigned bytes;
  unsigned needed = 0;
};

// A kernel that runs in place of another one where that is faster: one of its blocks does what
// columns x rows blocks of the other would. Behind the program's parameters it takes a merged_grid,
// and maps behind that.
struct merged_plan {
  const void *kernel = nullptr; // null: there is none
  unsigned columns = 1, rows = 1;
  unsigned threads = 0, dynamic_shared_memory = 0;
  unsigned long long cycles = 0, cycles_of_other = 0; // that a block takes of an SM
  map_maker maps = {nullptr, 0, 0, 0};
  unsigned parameters = 0; // the program's
  // Where the program numbers its tiles by itself (tile_list.h): the grid of these, of a launch
  // with that grid and those arguments; no blocks where they are none. Null: that of the launch.
  dim3 (*tiles)(dim3 launched, void **arguments) = nullptr;
  // Its blocks do the work of one place of grid_of() after the other: as many as run at a time are
  // launched (ops/places.cuh).
  bool takes_places = false;
#ifdef TESSERA_EMULATE
  void (*call)(const void *kernel, void **arguments) = nullptr;
  std::function<void()> (*bind)(const void *kernel, void **arguments) = nullptr;
#endif

  dim3 blocks_of(dim3 launched, void **arguments) const {
    return tiles ? tiles(launched, arguments) : launched;
  }
  dim3 grid_of(dim3 blocks) const {
    return dim3((blocks.x + columns - 1) / columns, (blocks.y + rows - 1) / rows, blocks.z);
  }
  // What is launched, on so many multiprocessors.
  dim3 launch_of(dim3 blocks, unsigned multiprocessors) const {
    const dim3 grid = grid_of(blocks);
    const unsigned long long places = 1ull * grid.x * grid.y * grid.z;
    if (!takes_places)
      return grid;
    return dim3(static_cast<unsigned>(places < multiprocessors ? places : multiprocessors));
  }
  // Places are counted by an int, and one step beyond.
  bool can_take(dim3 blocks) const {
    const dim3 grid = grid_of(blocks);
    constexpr unsigned long long most = 0x7fffffff - (1u << 20);
    return !takes_places || (grid.x <= most && 1ull * grid.x * grid.y <= most &&
                             1ull * grid.x * grid.y * grid.z <= most);
  }
};

// What was planned for one architecture: that of __CUDA_ARCH__ / 10.
struct launch_plan {
  unsigned arch;
  unsigned threads;
  unsigned dynamic_shared_memory; // bytes
  map_maker maps = {nullptr, 0, 0, 0};
  merged_plan merged = {};
};

// The addresses of what a kernel takes: the caller's arguments, the size of the grid where it asks
// for it, and maps made of them. Launches copy what lies there.
class launch_arguments {
public:
  // Without a plan they are what was given.
  launch_arguments(const launch_plan *plan, void **given) : addresses(given) {
    if (plan && plan->maps.make && given)
      add(given, plan->maps.parameters, false, plan->maps);
  }
  launch_arguments(const merged_plan &plan, const merged_grid &grid, void **given)
      : grid(grid), addresses(given) {
    add(given, plan.parameters, true, plan.maps);
  }
  ~launch_arguments() { ::operator delete(made); }
  launch_arguments(const launch_arguments &) = delete;
  launch_arguments &operator=(const launch_arguments &) = delete;

  void **get() const { return addresses; }
  bool has_needed_maps() const { return has_needed; }

private:
  void add(void **given, std::size_t count, bool takes_grid, const map_maker &maps) {
    const std::size_t words = count + 3;
    constexpr std::size_t alignment = 64; // of a map
    made = ::operator new(words * sizeof(void *) + alignment + maps.bytes);
    addresses = static_cast<void **>(made);
    for (std::size_t i = 0; i < count; ++i)
      addresses[i] = given[i];
    if (takes_grid)
      addresses[count++] = &grid;
    if (maps.make) {
      const auto behind = reinterpret_cast<std::uintptr_t>(addresses + words);
      void *const place =
          reinterpret_cast<void *>((behind + alignment - 1) / alignment * alignment);
      has_needed = (maps.needed & ~maps.make(place, addresses)) == 0;
      addresses[count++] = place;
    }
    addresses[count] = nullptr;
  }

  merged_grid grid;
  void **addresses;
  void *made = nullptr;
  bool has_needed = true;
};

#ifdef TESSERA_EMULATE
template <class... K> void call(const void *kernel, void **arguments); // entry.h
template <class... K>
std::function<void()> bind(const void *kernel, void **arguments); // emulator.h
#endif

// A plan's row of a merged kernel.
template <class... P>
merged_plan merged(void (*kernel)(P...), unsigned columns, unsigned rows, unsigned threads,
                   unsigned dynamic_shared_memory, unsigned long long cycles,
                   unsigned long long cycles_of_other, unsigned parameters,
                   map_maker maps = {nullptr, 0, 0, 0}, dim3 (*tiles)(dim3, void **) = nullptr) {
  merged_plan plan;
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

inline merged_plan by_places(merged_plan plan) {
  plan.takes_places = true;
  return plan;
}

struct kernel_record {
  const void *kernel; // the emitted kernel
  const char *name;
  launch_plan plans[16]; // in the order of their architectures
  unsigned plan_count;
#ifdef TESSERA_EMULATE
  void (*call)(const void *kernel, void **arguments);
  std::function<void()> (*bind)(const void *kernel, void **arguments);
#else
  // What launches on each of the first devices use; null until the first launch there.
  static constexpr int device_count = 32;
  mutable const launch_plan *prepared[device_count];
  mutable unsigned multiprocessors[device_count]; // known with it
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

// The first of a library's registrations stays.
template <class F, F Entry> void fill_slot(const kernel_record *record) {
  const kernel_record *none = nullptr;
  __atomic_compare_exchange_n(&kernel_slot<F, Entry>, &none, record, false, __ATOMIC_ACQ_REL,
                              __ATOMIC_ACQUIRE);
}
template <class F, F Entry> const kernel_record *read_slot() {
  return __atomic_load_n(&kernel_slot<F, Entry>, __ATOMIC_ACQUIRE);
}

} // namespace tessera::host
