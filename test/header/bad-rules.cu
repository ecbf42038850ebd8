// What the rules call ill-formed, each in the smallest program. test/run/rules_*.cu have what is
// well-formed beside it.
// RUN: %clang_tile -fsyntax-only -ferror-limit=0 -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include "same.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

// [tile:pointer_scalars] Elements are scalars: no pointers to pointers, to classes, to functions.
struct Foo {};
ct::tile<int **, ct::shape<4>> *a1;                // expected-error {{constraints not satisfied}}
ct::tile<const Foo *, ct::shape<4>> *a2;           // expected-error {{constraints not satisfied}}
ct::tile<void (*)(int, double), ct::shape<4>> *a3; // expected-error {{constraints not satisfied}}
ct::tile<int Foo::*, ct::shape<4>> *a4;            // expected-error {{constraints not satisfied}}
// [tile:integral_scalars] At most 64 bits, and no enumerations.
enum class byte : unsigned char {};
ct::tile<__int128, ct::shape<4>> *b1; // expected-error {{constraints not satisfied}}
ct::tile<byte, ct::shape<4>> *b2;     // expected-error {{constraints not satisfied}}
// [tile:basic_floating_point_scalars] Nor the types of C++23.
ct::tile<_Float16, ct::shape<4>> *c1; // expected-error {{constraints not satisfied}}

// [tile:tile_compatible_shape] Powers of two, of uint32_t, known when the program is compiled.
ct::tile<int, ct::shape<4, 7>> *d1; // expected-error {{constraints not satisfied}}
ct::tile<int, ct::shape<0>> *d2;    // expected-error {{constraints not satisfied}}
// expected-error@+1 {{constraints not satisfied}}
ct::tile<int, ct::extents<short, 4, 8>> *d3;
// expected-error@+1 {{constraints not satisfied}}
ct::tile<int, ct::extents<unsigned, ~0ull, 8>> *d4;
ct::tile<char, ct::shape<1 << 13, 1 << 12>> *d5; // expected-error {{constraints not satisfied}}

__tile__ void conversions(tile<int, 8> x, tile<int, 4, 8> i, tile<__half, 4, 8> h, __nv_bfloat16 b,
                          float f, double d, unsigned u, int n) {
  // [tile:tile_conversion] Shapes are equivalent; [tile:scalar_conversion] what narrows is not
  // implicit.
  tile<int, 1> e1 = n;              // expected-error {{no viable conversion}}
  tile<int, 8, 1> e2 = x;           // expected-error {{no viable conversion}}
  tile<short, 8> e3 = x;            // expected-error {{no viable conversion}}
  tile<__nv_bfloat16, 4, 8> e4 = h; // expected-error {{no viable conversion}}
  // expected-error@+1 {{no matching function}}
  auto e5 = ct::element_cast<int *>(ct::element_cast<long long>(x));
  // [tile:arithmetic_tile_conversion] The element type of a tile is preferred.
  2.0 * x; // expected-error {{invalid operands}}
  (void)(2.0 == x);
  f + i; // expected-error {{invalid operands}}
  (void)(f < i);
  b + h; // expected-error {{invalid operands}}
  u - i; // expected-error {{invalid operands}}
  // [tile:arithmetic_comparison_conversion] [tile:arithmetic_common_type]
  (void)(b < h);  // expected-error {{invalid operands}}
  (void)(u == i); // expected-error {{invalid operands}}
  // [tile:broadcastable_to] [tile:shape_mutual_broadcast_compatible]
  ct::broadcast(x, ct::shape<8, 4>{}); // expected-error {{no matching function}}
  ct::broadcast(n, ct::shape<3>{});    // expected-error {{no matching function}}
  x + tile<int, 4>();                  // expected-error {{invalid operands}}
  // [tile:restricted_floating_point_scalars] No arithmetic.
  tile<__nv_fp8_e4m3, 8> r;
  r + r; // expected-error {{invalid operands}}
  // [tile:rounding_mode] Not every mode for every operation.
  // expected-error@+1 {{no matching function}}
  ct::add(x, x, ct::round_toward_zero_t{});
  // expected-error@+1 {{no matching function}}
  ct::add(d, d, ct::round_approximate_t{});
  // expected-error@+1 {{no matching function}}
  ct::mul(d, d, ct::round_ties_to_even_t{}, ct::round_subnormals_to_zero_t{});
}
// [tile:tensor_span_element_type] A span of const elements is not written.
__tile__ void spans(const float *p) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{8}}, ct::shape<8>{}};
  view.store(view.load(0), 0); // expected-error {{no matching member function}}
}
// [tile:view_padding] Integers have no infinity.
__tile__ void padding(int *p) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{7}}, ct::shape<8>{}};
  // expected-error@+1 {{no matching member function}}
  (void)view.load_masked(ct::view_padding_nan_t{}, 0);
}
// [tile:memory_order] Loads do not release, stores do not acquire.
__tile__ void orders(int *p) {
  ct::atomic_load(p, ct::memory_order_release_t{});     // expected-error {{no matching function}}
  ct::atomic_store(p, 1, ct::memory_order_acquire_t{}); // expected-error {{no matching function}}
}
