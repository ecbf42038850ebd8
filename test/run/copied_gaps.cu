// A copy moves every byte: also those where another member of a union, or another member of the
// same size, has padding. LLVM's type of a union is that of one member.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using pair = ct::tile<int, ct::shape<2>>;

struct narrow {
  char c; // and three bytes of nothing
  int i;
};
struct wide {
  char a, b;
  int i;
};
struct holed {
  narrow n;
  pair t;
};
struct full {
  wide n;
  pair t;
};
struct both {
  holed h;
  full f;
};
union either {
  holed h;
  full f;
};

__tile__ full make(int n) { return {{char(n), char(n + 1), n + 2}, ct::full<pair>(n)}; }

__tile__ void write(int *o, const full &x) {
  o[0] = x.n.a;
  o[1] = x.n.b;
  o[2] = x.n.i;
  ct::store(o + 3 + ct::iota<pair>(), x.t);
}

__tile_global__ void chosen_members(int *o, int n) {
  both x{{}, make(n)}, y{{}, make(2 * n)};
  full z = make(7), other = make(7);
  (n & 1 ? z : other) = n > 2 ? x.f : y.f;
  write(o, z);
}

__tile_global__ void chosen_unions(int *o, int n) {
  either x, y, z, other;
  x.f = make(n);
  y.f = make(2 * n);
  z.f = other.f = make(7);
  (n & 1 ? z : other) = n > 2 ? x : y;
  write(o, z.f);
}

__tile_global__ void through_arrays(int *o, int n) {
  full x[2] = {make(n), make(2 * n)}, y[2] = {make(7), make(7)};
  either between[2];
  __builtin_memcpy((void *)&between[n & 1], &x[n > 2 ? 0 : 1], sizeof(either));
  __builtin_memcpy((void *)&y[n & 1 ? 0 : 1], &between[n & 1], sizeof(either));
  write(o, y[n >= 0 ? 0 : 1]);
}

// Padding that is no more than that: members are indexed and copied past it.
__tile_global__ void padding(int *o, int n) {
  holed x[2] = {{{char(n), n + 2}, ct::full<pair>(n)}, {{char(n), n + 2}, ct::full<pair>(2 * n)}};
  holed y[2] = {x[0], x[1]};
  y[n & 1] = x[n > 2 ? 0 : 1];
  x[n & 1].n.c = 9;
  o[0] = y[n & 1].n.c;
  o[1] = x[n & 1].n.c;
  o[2] = y[0].n.i;
  ct::store(o + 3 + ct::iota<pair>(), y[n & 1].t);
}

int main() {
  for (int n = 1; n < 5; ++n) {
    auto expect = [n](const char *name, auto &kernel) {
      run::array<int> o(5);
      kernel<<<1, 1>>>(o, n);
      int m = n % 2 == 0 ? 7 : n > 2 ? n : 2 * n;
      run::expect(name, o, [m](auto i) { return i < 3 ? m + int(i) : m; });
    };
    expect("chosen members", chosen_members);
    expect("chosen unions", chosen_unions);
    expect("through arrays", through_arrays);
    run::array<int> o(5);
    padding<<<1, 1>>>(o, n);
    int m = n > 2 ? n : 2 * n, expected[] = {n, 9, n + 2, m, m};
    run::expect("padding", o, [&](auto i) { return expected[i]; });
  }
  return run::finish();
}
