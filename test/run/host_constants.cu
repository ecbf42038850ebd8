// What constexpr tile functions compute, as constants of the host: outside of functions everything
// may call them, and the program's text keeps what it needs of them.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

__tile__ constexpr int square(int x);
__tile__ constexpr int plus_one(int x) { return x + 1; }
__tile__ constexpr int square(int x) { return plus_one(x * x - 1); }
template <int N> __tile__ constexpr int cube() { return N * square(N); }
template <class T> __tile__ constexpr T half_of(T x) { return x / T(2); }

// Of these no constant is made but where the language asks for one.
__tile__ constexpr int only_here(int x) { return 3 * x; }
struct length {
  int value;
  __tile__ constexpr explicit length(int x) : value(only_here(x)) {}
  __tile__ constexpr int twice() const { return 2 * value; }
  __tile__ constexpr operator int() const { return value; }
};
template <int N> struct number {
  static constexpr int value = N;
};
static_assert(only_here(3) == 9);
int of_array[only_here(2)];
number<length(1)> of_argument;
enum { of_enumerator = length(2).twice() };
struct with_members {
  int array[only_here(1)];
  static constexpr int member = length(3).twice();
};
template <int N = only_here(5)> constexpr int by_default() { return N; }

// Variables.
constexpr int nine = square(3);
const int eight = cube<2>();
int sixteen = square(4);
template <int N> constexpr int of_template = cube<N>() + half_of(N);
namespace inner {
inline constexpr double two = half_of(4.0);
}
struct pair {
  int a, b;
  __tile__ constexpr pair(int x) : a(x), b(square(x)) {}
  __tile__ constexpr int sum() const { return a + b; }
};
constexpr pair three(3), four = 4;
constexpr int twelve = three.sum();

// In tile code they are what they were.
__tile_global__ void k(int *o, int n) {
  o[0] = square(n) + cube<2>() + pair(n).sum() + length(n).twice();
  o[1] = nine + of_template<3> + half_of(n);
}

int main() {
  run::array<int> o(2);
  k<<<1, 1>>>(o, 5);
  run::expect("tile code", o, [](auto i) { return i ? 9 + 28 + 2 : 25 + 8 + 30 + 30; });
  const int constants[] = {int(sizeof of_array / sizeof(int)),
                           of_argument.value,
                           of_enumerator,
                           int(sizeof(with_members) / sizeof(int)),
                           with_members::member,
                           by_default(),
                           nine,
                           eight,
                           sixteen,
                           of_template<3>,
                           int(inner::two),
                           three.b,
                           four.b,
                           twelve};
  const int wanted[] = {6, 3, 12, 3, 18, 15, 9, 8, 16, 28, 2, 9, 16, 12};
  for (int i = 0; i < 14; ++i)
    run::failures += constants[i] != wanted[i];
  return run::finish();
}
