// The tiles that the blocks of a launch compute, if a program numbers them itself: generated
// functions list them, and this class finds out whether they form a grid for a coarsened kernel.
// Like registry.h it avoids the standard library's containers: they add a second and a half to
// nvcc's time.
#pragma once

#include "../macros_begin.h"

#include "kernel.h"

#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace tessera::host {

// Generated functions compute coordinates with its operations and add them.
class tile_list {
public:
  // The limit: beyond it, the program's own loop runs.
  static constexpr std::size_t most = std::size_t(1) << 17;

  tile_list() = default;
  ~tile_list() { delete[] all; }
  tile_list(const tile_list &) = delete;
  tile_list &operator=(const tile_list &) = delete;

  void add(long long x, long long y = 0, long long z = 0) {
    constexpr long long max_along[] = {1 << 20, 65535, 65535};
    is_grid = is_grid && count < most && x >= 0 && x < max_along[0] && y >= 0 && y < max_along[1] &&
              z >= 0 && z < max_along[2];
    if (!is_grid)
      return;
    if (count == room)
      grow();
    all[count++] = {unsigned(x), unsigned(y), unsigned(z)};
    size.x = max(size.x, unsigned(x) + 1);
    size.y = max(size.y, unsigned(y) + 1);
    size.z = max(size.z, unsigned(z) + 1);
  }

  // An undefined quotient is harmless on a GPU and ends a process: the tiles are unknown then.
  template <class T> T quotient(T x, T y) { return divides(x, y) ? T(x / y) : T(0); }
  template <class T> T remainder(T x, T y) { return divides(x, y) ? T(x % y) : T(0); }
  template <class T> T ceildiv(T x, T y) {
    return divides(x, y) ? T(x / y + (x % y != 0 && (x < 0) == (y < 0))) : T(0);
  }
  template <class T> T floordiv(T x, T y) {
    return divides(x, y) ? T(x / y - (x % y != 0 && (x < 0) != (y < 0))) : T(0);
  }
  template <class T> static T min(T x, T y) { return y < x ? y : x; }
  template <class T> static T max(T x, T y) { return x < y ? y : x; }

  // Is listing more tiles useful?
  bool may_be_grid() const { return is_grid; }

  // The grid if each of its tiles occurs once; else {0, 0, 0}.
  dim3 grid() const {
    const dim3 none(0, 0, 0);
    if (!is_grid || 1ull * size.x * size.y > most || 1ull * size.x * size.y * size.z != count)
      return none;
    bool *const seen = new bool[count]();
    std::size_t different = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const coordinates &p = all[i];
      bool &at = seen[(std::size_t(p.z) * size.y + p.y) * size.x + p.x];
      different += !at;
      at = true;
    }
    delete[] seen;
    return different == count ? size : none;
  }

private:
  struct coordinates {
    unsigned x, y, z;
  };

  void grow() {
    room = room ? 2 * room : 256;
    coordinates *const larger = new coordinates[room];
    for (std::size_t i = 0; i < count; ++i)
      larger[i] = all[i];
    delete[] all;
    all = larger;
  }

  template <class T> bool divides(T x, T y) {
    bool is_known = y != 0;
    if constexpr (std::is_signed_v<T>)
      is_known = is_known && !(y == -1 && x == std::numeric_limits<T>::min());
    is_grid = is_grid && is_known;
    return is_known;
  }

  coordinates *all = nullptr;
  std::size_t count = 0, room = 0;
  dim3 size = dim3(0, 0, 0);
  bool is_grid = true;
};

// The tile grids of the launches of one kernel. The last few different launches are cached, by the
// grid and the arguments on which tiles depend.
template <std::size_t Bytes> class known_grids {
public:
  struct key {
    unsigned char bytes[Bytes ? Bytes : 1];
  };

  template <class List> dim3 of(const key &k, dim3 launched, List list) {
    const lock held(mutex);
    for (const entry &e : entries)
      if (e.is_used && e.launched.x == launched.x && e.launched.y == launched.y &&
          e.launched.z == launched.z && std::memcmp(&e.of, &k, sizeof k) == 0)
        return e.tiles;
    entry &e = entries[next++ % entry_count];
    e = {true, k, launched, list()};
    return e.tiles;
  }

private:
  struct entry {
    bool is_used = false;
    key of = {};
    dim3 launched = {};
    dim3 tiles = {};
  };

  static constexpr unsigned entry_count = 16;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  entry entries[entry_count] = {};
  unsigned next = 0;
};

// `Needed`: bit i is set if tiles depend on parameter i.
template <class F, F List, unsigned long long Needed> struct tile_lister;
template <class... P, void (*List)(tile_list &, dim3, dim3, P...), unsigned long long Needed>
struct tile_lister<void (*)(tile_list &, dim3, dim3, P...), List, Needed> {
  static constexpr bool is_needed(std::size_t i) { return i < 64 && (Needed >> i & 1); }
  template <std::size_t... I> static constexpr std::size_t bytes(std::index_sequence<I...>) {
    return (std::size_t(0) + ... + (is_needed(I) ? sizeof(std::remove_reference_t<P>) : 0));
  }
  using all = std::index_sequence_for<P...>;
  static constexpr std::size_t key_bytes = bytes(all());
  using known = known_grids<key_bytes>;

  template <std::size_t... I>
  static dim3 list(dim3 launched, [[maybe_unused]] void **arguments, std::index_sequence<I...>) {
    tile_list tiles;
    if (1ull * launched.x * launched.y > tile_list::most ||
        1ull * launched.x * launched.y * launched.z > tile_list::most)
      return tiles.grid();
    for (unsigned z = 0; z < launched.z; ++z)
      for (unsigned y = 0; y < launched.y; ++y)
        for (unsigned x = 0; x < launched.x && tiles.may_be_grid(); ++x)
          List(tiles, dim3(x, y, z), launched, argument<P>(arguments[I])...);
    return tiles.grid();
  }

  template <std::size_t... I>
  static typename known::key key_of([[maybe_unused]] void **arguments, std::index_sequence<I...>) {
    typename known::key key = {};
    [[maybe_unused]] std::size_t at = 0;
    auto add = [&](std::size_t i, const void *argument, std::size_t size) {
      if (!is_needed(i))
        return;
      std::memcpy(key.bytes + at, argument, size);
      at += size;
    };
    (add(I, arguments[I], sizeof(std::remove_reference_t<P>)), ...);
    return key;
  }

  static dim3 grid_of(dim3 launched, void **arguments) {
    static known grids;
    return grids.of(key_of(arguments, all()), launched,
                    [&] { return list(launched, arguments, all()); });
  }
};

// The lister of a kernel's tiles in a coarsened plan.
template <auto List, unsigned long long Needed> inline constexpr auto tiles_by =
    &tile_lister<decltype(List), List, Needed>::grid_of;

} // namespace tessera::host

#include "../macros_end.h"
