// A constant of the host, or one that is a template argument, may be read and copied in tile code;
// it has no address there, so it is no reference, no object of a member function, and an array of
// it has no elements. What is constant as a whole is computed before.
// RUN: %clang_plugin -fsyntax-only -Xclang -verify %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;

struct weights {
  int count;
  float values[2];
  __tile__ int twice() const { return 2 * count; }
  __tile__ __host__ constexpr int thrice() const { return 3 * count; }
};
struct doubled {
  __tile__ constexpr float operator()(float x) const { return x * 2; }
};
struct tag {};
__tile__ int count(const weights &w) { return w.count; }
__tile__ int is_tagged(const tag &) { return 1; }
__tile__ int is_tagged_by_value(tag) { return 1; }
template <class F> __tile__ float apply(F f, float x) { return f(x); }

constexpr weights table{1, {2, 3}};
constexpr weights tables[2] = {{4}, {5}};
constexpr doubled functor;
constexpr tag label;
constexpr auto extent = ct::integral_constant<16>{};

template <weights W> __tile_global__ void argument(float *out, int i) {
  out[0] = W.count;
  out[1] = W.thrice();
  weights copy = W;
  constexpr weights constant = W;
  constexpr float second = W.values[1];
  out[2] = copy.values[i] + constant.values[i] + second;
  if constexpr (W.count > 0)
    out[3] = 1;
  out[4] = W.values[1]; // expected-error {{names the variable}}
  out[5] = W.values[i]; // expected-error {{names the variable}}
  out[6] = W.twice();   // expected-error {{names the variable}}
  out[7] = count(W);    // expected-error {{names the variable}}
}
// expected-note@+1 4 {{in argument}}
template __tile_global__ void argument<weights{1, {2, 3}}>(float *, int);

template <doubled F> __tile_global__ void operation(float *out) {
  auto copy = F;
  out[0] = copy(out[1]);
  out[2] = F(out[3]); // expected-error {{names the variable}}
}
template __tile_global__ void operation<doubled{}>(float *); // expected-note {{in operation}}

__tile_global__ void variable(float *out, int i) {
  weights assigned;
  assigned = table;
  weights element = tables[1]; // of a constant index
  out[0] = element.count + tables[0].count + assigned.values[i];
  out[0] = tables[i].count;     // expected-error {{names the variable 'tables'}}
  out[0] = tables[0].values[1]; // expected-error {{names the variable 'tables'}}
  out[0] = table.thrice() + is_tagged_by_value(label) + apply(functor, out[1]) + functor(2.0f);
  auto view = ct::partition_view{ct::tensor_span{out, ct::extents{extent}}, ct::shape{extent}};
  view.store(view.load(0), extent - 16);
  out[2] = table.twice();      // expected-error {{names the variable 'table'}}
  out[3] = count(table);       // expected-error {{names the variable 'table'}}
  out[4] = functor(out[5]);    // expected-error {{names the variable 'functor'}}
  out[6] = is_tagged(label);   // expected-error {{names the variable 'label'}}
  const weights &name = table; // expected-error {{names the variable 'table'}}
  out[7] = name.count;
}
