// How a check of --check fails on the CPU: a message with the place in the program, the end of the
// block, and cudaErrorAssert from then on, as after a failed assertion.
#pragma once

#include <cstddef>
#include <type_traits>

namespace tessera::host {

// An operation of tile code and what the program calls its result, what it is of, and what it is
// given; "" without a name.
struct named_place {
  const char *file;
  unsigned line, column;
  const char *result, *object, *value;
};
// Those of a unit, at the end of its text.
class places_registration {
public:
  template <std::size_t N> explicit places_registration(const named_place (&places)[N]) noexcept
      : places_registration(places, N) {}
  places_registration(const places_registration &) = delete;
  ~places_registration();

private:
  places_registration(const named_place *first, std::size_t count) noexcept;
  const named_place *first;
};

// The message is that of a printf; the numbers are those of its conversions %lld and %llx, then
// come the coordinates of an element. "{object:memory}" stands for the name of the object where the
// operation that fails has one, else for "memory"; so do result, value, and tile, the one of them
// that is there.
struct check_failure {
  const char *message;
  const long long *values = nullptr;
  int value_count = 0;
  const long long *element = nullptr;
  int rank = 0;
  const char *name = ""; // for "{name}", which no place knows
};
// Each call keeps its own line.
#ifdef __clang__
[[clang::nomerge]]
#endif
[[noreturn]] void fail_check(const check_failure &failure);

// An index of an array A that the program calls `name`; of what is none, any index.
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
