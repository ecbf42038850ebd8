// accept: casts and bit casts of pointer tiles, conversions of one-element ones
#include "../show.h"

namespace bitcasts_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto q = p + i;
  auto bits = ct::element_bitcast<long long>(q) + 4;
  ct::store(o + i, ct::load(ct::element_bitcast<int *>(bits)));
  auto asf = ct::element_bitcast<float *>(q);
  ct::store(o + 8 + i, ct::element_bitcast<int>(ct::load(asf)));
  auto u = ct::element_bitcast<unsigned long long>(q) - ct::element_bitcast<unsigned long long>(p);
  ct::store(o + 16 + i, ct::element_cast<int>(u));
  auto c = ct::element_bitcast<unsigned char *>(q);
  ct::store(o + 24 + i, ct::element_cast<int>(ct::load(c)));
  auto cc = ct::element_bitcast<const int *>(q);
  ct::store(o + 32 + i, ct::load(cc));
  auto v = ct::element_bitcast<void *>(q);
  ct::store(o + 40 + i, ct::load(ct::element_bitcast<short *>(v)) + ct::zeros<tile<short, 8>>());
}
} // namespace bitcasts_

namespace cast_void_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto v = ct::element_cast<void *>(p + i);
  auto c = ct::element_cast<const int *>(p + i);
  auto w = ct::element_cast<const void *>(c);
  ct::store(o + i, ct::load(c) + ct::element_cast<int>(v == w));
}
} // namespace cast_void_

namespace cast_bool_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  ct::store(o + i, ct::element_cast<int>(ct::element_cast<bool>(p + i)));
}
} // namespace cast_bool_

namespace bool_explicit_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  tile<bool, 8> b(p + ct::iota<I8>());
  ct::store(o + ct::iota<I8>(), ct::element_cast<int>(b));
}
} // namespace bool_explicit_

namespace bool_static_cast_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto b = static_cast<tile<bool, 8>>(p + ct::iota<I8>());
  ct::store(o + ct::iota<I8>(), ct::element_cast<int>(b));
}
} // namespace bool_static_cast_

namespace bool_scalar_cast_ {
__tile_global__ void k(int *o, int *p, float *f, int n) { o[0] = ct::element_cast<bool>(p); }
} // namespace bool_scalar_cast_

namespace ptr_scalar_cast_void_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  void *v = ct::element_cast<void *>(p);
  o[0] = v == p;
}
} // namespace ptr_scalar_cast_void_

namespace cast_same_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto x = ct::element_cast<int *>(p + ct::iota<I8>());
  ct::store(o + ct::iota<I8>(), ct::load(x));
}
} // namespace cast_same_

namespace cast_volatile_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto x = ct::element_cast<volatile int *>(p + ct::iota<I8>());
  auto y = ct::element_cast<const volatile void *>(x);
  ct::store(o + ct::iota<I8>(), ct::element_cast<int>(y != nullptr));
}
} // namespace cast_volatile_

namespace singletons_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  tile<int *> z = p + n;
  tile<int *, 1> y = ct::full<tile<int *, 1>>(p);
  tile<int *, 1, 1> x = ct::reshape(y + 2, ct::shape<1, 1>{});
  int *a = static_cast<int *>(z), *b = static_cast<int *>(y), *c = static_cast<int *>(x);
  o[0] = *a, o[1] = *b, o[2] = *c;
  o[3] = int(ct::load(z)) + (z ? 1 : 0) + (y ? 2 : 0);
  ct::store(z + 1, 5);
  ct::store(y + 2, ct::full<tile<int, 1>>(6));
  ct::store(p + 20, ct::load(z));
  bool less = bool(z < p + 9);
  o[4] = less;
  if (z == p + 5)
    o[5] = 1;
  auto d = z - p;
  o[6] = int(d);
  const int *w = static_cast<const int *>(z);
  o[7] = *w;
}
} // namespace singletons_

namespace assume_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto q = ct::assume_aligned<4>(p + i);
  auto r = ct::assume_aligned(ct::full<P8>(p), 16_ic);
  auto s = ct::assume_aligned_strided(p + i, 16_ic, 4_ic, 0_ic);
  ct::store(o + i, ct::load(q) + ct::load(r) + ct::load(s));
  tile<void *, 8> v = ct::assume_aligned<4>(ct::element_cast<void *>(q));
  ct::store(o + 8 + i, ct::load(ct::element_bitcast<int *>(v)));
}
} // namespace assume_

int main() {
  SHOW(bitcasts_::k);
  SHOW(cast_void_::k);
  SHOW(cast_bool_::k);
  SHOW(bool_explicit_::k);
  SHOW(bool_static_cast_::k);
  SHOW(bool_scalar_cast_::k);
  SHOW(ptr_scalar_cast_void_::k);
  SHOW(cast_same_::k);
  SHOW(cast_volatile_::k);
  SHOW(singletons_::k);
  SHOW(assume_::k);
  return probe_bad;
}
