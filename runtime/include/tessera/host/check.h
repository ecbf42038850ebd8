// How a check of --check fails on the CPU: a message with the source location in the program, the
// end of the block, and cudaErrorAssert from then on, as after a failed assertion.
#pragma once

#include <cstddef>
#include <type_traits>

namespace tessera::host {

// The source location of an operation of tile code, and the program's names of its result, of its
// object, and of its operand; "" without a name.
struct named_location {
  const char *file;
  unsigned line, column;
  const char *result, *object, *value;
};
// The locations of a translation unit, registered at the end of its code.
class locations_registration {
public:
  template <std::size_t N>
  explicit locations_registration(const named_location (&locations)[N]) noexcept
      : locations_registration(locations, N) {}
  locations_registration(const locations_registration &) = delete;
  ~locations_registration();

private:
  locations_registration(const named_location *first, std::size_t count) noexcept;
  const named_location *first;
};

// `message` is a printf format; the numbers match its conversions %lld and %llx, then come the
// coordinates of an element. "{object:memory}" becomes the name of the failing operation's object,
// or "memory" if it has none; likewise result, value, and tile (whichever of them exists).
struct check_failure {
  const char *message;
  const long long *values = nullptr;
  int value_count = 0;
  const long long *element = nullptr;
  int rank = 0;
  const char *name = ""; // for "{name}", which locations do not have
};
// Each call keeps its own line.
#ifdef __clang__
[[clang::nomerge]]
#endif
[[noreturn]] void fail_check(const check_failure &failure);

// An index of an array A that the program calls `name`; if A is no array, any index.
template <class A, class I> constexpr I &&array_index(const char *name, I &&index) {
  if constexpr (std::is_bounded_array_v<std::remove_reference_t<A>>) {
    constexpr long long count = std::extent_v<std::remove_reference_t<A>>;
    const auto i = static_cast<long long>(index);
    if (i < 0 || i >= count) {
      const long long values[] = {i, count};
      fail_check({*name ? "access of the array '{name}': the index [%lld] is outside of [%lld]"
                        : "access of the array of tiles: the index [%lld] is outside of [%lld]",
                  values, 2, nullptr, 0, name});
    }
  }
  return static_cast<I &&>(index);
}

} // namespace tessera::host
