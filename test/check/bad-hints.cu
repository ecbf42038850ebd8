// A hint is an architecture and pairs of a key and a constant.
// RUN: %clang_plugin -fsyntax-only -Xclang -verify %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int stages = 3;
namespace numbers {
constexpr float half = 0.5f;
enum { one = 1 };
} // namespace numbers
template <int, int> constexpr int larger = 4;

[[cutile::hint]] __tile_global__ void a(int *p) { *p = 1; } // expected-error {{a hint must begin with an architecture}}
[[cutile::hint(occupancy = 2)]] __tile_global__ void b(int *p) { *p = 1; } // expected-error {{a hint must begin with an architecture}}
[[cutile::hint(0)]] __tile_global__ void c(int *p) { *p = 1; } // expected-error {{a hint must have at least one key with a value}}
[[cutile::hint(0, occupancy = 2, )]] __tile_global__ void d(int *p) { *p = 1; } // expected-error {{followed by pairs of a key and a value}}
[[cutile::hint(0, occupancy)]] __tile_global__ void e(int *p) { *p = 1; } // expected-error {{followed by pairs of a key and a value}}
[[cutile::hint(0, occupancy = "2")]] __tile_global__ void f(int *p) { *p = 1; } // expected-error {{a hint's value is a string}}
[[cutile::hint(0, occupancy = nothing)]] __tile_global__ void h(int *p) { *p = 1; } // expected-error {{a hint names 'nothing', which is not declared}}
[[cutile::hint(0, occupancy = numbers::none)]] __tile_global__ void i(int *p) { *p = 1; } // expected-error {{a hint names 'none', which is not declared}}
[[cutile::hint(0, occupancy = 2.0 + 1)]] __tile_global__ void j(int *p) { *p = 1; } // expected-error {{a hint's architecture and its values must be integers}}
[[cutile::hint(numbers::half, occupancy = 2)]] __tile_global__ void k(int *p) { *p = 1; } // expected-error {{a hint's architecture and its values must be integers}}
[[cutile::hint(0, occupancy = int(2.5) + numbers::one + (numbers::half > 1.0))]]
__tile_global__ void l(int *p) { *p = 1; }
template <float N>
[[cutile::hint(0, occupancy = N)]] __tile_global__ void m(int *p) { *p = 1; } // expected-error {{a hint's architecture and its values must be integers}}
template <auto N>
[[cutile::hint(0, occupancy = int(N))]] [[cutile::hint(900, occupancy = N)]] __tile_global__ void n(int *p) { *p = 1; } // expected-error {{a hint's architecture and its values must be integers}}
template __tile_global__ void n<2>(int *);
template __tile_global__ void n<2.5>(int *);
struct options {
  int blocks;
};
template <class T, options O, auto N>
[[cutile::hint(0, occupancy = T(2))]] [[cutile::hint(800, occupancy = O.blocks)]]
[[cutile::hint(900, occupancy = N > 1.0 ? 2 : 3)]] __tile_global__ void computed(int *p) { *p = 1; }
template __tile_global__ void computed<int, options{2}, 1.5>(int *);
template <int N>
[[cutile::hint(900, occupancy = N + stages)]] __tile_global__ void g(int *p) { *p = N; }
template __tile_global__ void g<2>(int *);

__tile_global__ void statements(int *p, int n) {
  int x;
  const int two = 2, later = n;
  [[cutile::hint(0, latency = n)]] x = ct::load(p); // expected-error {{known only at run time}}
  [[cutile::hint(0, latency = later)]] x = ct::load(p); // expected-error {{known only at run time}}
  [[using cutile: hint(0, latency = stages), hint(900, latency = larger<1, 2>)]] x = ct::load(p);
  [[cutile::hint(0, latency = two, allow_tma = false)]] x = ct::load(p);
  [[cutile::hint(0)]] auto y = ct::load(p); // expected-error {{a hint must have at least one key with a value}}
  ct::store(p, x + y);
}
int main() {}
