// Forms that nvcc takes and Clang's grammar or Clang's rules of execution spaces do not:
// specialisations and instantiations without the mark of their template, a hint behind the
// parameters, lists in a launch, lists that make numbers narrower, static locals made by constexpr
// tile functions, register.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <class T> __tile__ T plus_one(T x) { return x + 1; }
template <> inline int plus_one<int>(int x) { return x + 10; }
template <> short plus_one(short);
template float plus_one<float>(float);

struct plain {
  template <class T> __tile__ T twice(T x) const { return 2 * x; }
};
template <> int plain::twice<int>(int x) const { return 20 * x; }

template <class T> struct box {
  T value;
  __tile__ box(T x) : value(x) {}
  __tile__ T get() const { return value; }
  static __tile__ T limit() { return T(7); }
  __tile__ box &operator+=(T x) { return value += x, *this; }
};
template <> box<int>::box(int x) : value(x + 30) {}
template <>
// in a line of its own
int box<int>::get() const {
  return value + 100;
}
template <> int box<int>::limit() { return 70; }
template <> box<int> &box<int>::operator+=(int x) { return value += 2 * x, *this; }

__tile_global__ void specialised(int *o) [[cutile::hint(0, occupancy = 2)]] {
  o[0] = plus_one(1);
  o[1] = plus_one(short(1));
  o[2] = int(plus_one(1.5f) * 2);
  o[3] = plain{}.twice(1);
  box<int> b(1);
  b += 4;
  o[4] = b.get();
  o[5] = box<int>::limit();
  box<short> s(1);
  o[6] = s.get() + box<short>::limit();
}
template <> short plus_one(short x) { return x + 5; }

struct pair {
  int a, b;
  __tile__ constexpr pair(int x = 3) : a(x), b(x + 1) {}
};
struct outer {
  pair p;
  int c = 4;
};
struct never_destroyed {
  int a = 9;
  __tile__ ~never_destroyed() { a = 0; }
};
__tile__ constexpr int square(int x) { return x * x; }

template <int N> __tile__ int read(int i) {
  static const pair p(N);
  static pair all[4];
  auto inner = [&] {
    static outer o;
    return o.p.b + o.c;
  };
  return p.a * 1000 + all[i].b * 100 + inner();
}
__tile_global__ void statics(int *o) [[using cutile: hint(0, occupancy = 1)]] {
  static pair p(5);
  static int nine = square(3);
  static never_destroyed object;
  o[7] = p.a * 100 + p.b * 10 + (nine + object.a) / 2;
  o[8] = read<2>(o[0] & 3);
}

__tile_global__ void places(int *o) {
  auto [x, y, z] = ct::bid();
  o[9 + x + 2 * y] += 1 + x + 2 * y;
}

template <class T> void launch(T *o, unsigned n) { places<<<{n, n}, {1}>>>(o); }

// The commas of template arguments separate no arguments of a launch.
template <int A, int B> constexpr unsigned sum() { return A + B; }
template <int A, class T> constexpr unsigned least = A;
template <class T, int N> struct number {
  unsigned value = N;
  operator unsigned() const { return value; }
};
void launch_computed(int *o) {
  places<<<sum<2, -1>(), {1, 1}>>>(o);
  places<<<{sum<0, 1>(), least<1, number<int, 2>>}, {number<number<int, 1>, 1>{}}>>>(o);
  places<<<least<1, int>, {1}, number<int, 0>{}, {}>>>(o);
  places<<<(sum<1, 2>() < 4), {unsigned(sum<3, 0>() > 2)}>>>(o);
}

__tile_global__ void narrower(int *o, long long n, double x) {
  register int whole = {x};
  unsigned all[] = {o[0], n};
  struct {
    short low;
    float rounded;
  } parts{n, x};
  o[13] = whole + int(all[1]) + parts.low + int(parts.rounded * 2);
}

int main() {
  run::array<int> o(14);
  specialised<<<{}, {}>>>(o);
  statics<<<1, {1}>>>(o);
  int two = 2;
  places<<<{two, two}, 1, {0}, {}>>>(o);
  launch<int>(o, 2);
  launch_computed(o);
  narrower<<<dim3{two / 2, 1u}, 1>>>(o, two + 1, 1.5);
  const int wanted[] = {11, 6, 5, 20, 139, 70, 8, 569, 2408, 6, 4, 6, 8, 10};
  run::expect("spellings", o, [&](auto i) { return wanted[i]; });
  return run::finish();
}
