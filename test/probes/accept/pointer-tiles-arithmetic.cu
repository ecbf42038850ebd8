// accept: offsets of and differences between pointer tiles, in every width of the offset
#include "../show.h"

namespace arith_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  P8 q = p + i;
  auto a = q + 1;
  auto b = 2 + q;
  auto c = q - 1;
  auto d = q + (i > 3);
  auto e = i + q;
  auto g = q + ct::element_cast<signed char>(i);
  auto h = q + ct::element_cast<unsigned long long>(i);
  auto s = q + n;
  auto u = q + 3u;
  auto l = q + 4ll;
  auto sh = q + short(2);
  ct::store(o + i, ct::load(a) + ct::load(b) + ct::load(c + 1) + ct::load(d));
  ct::store(o + 8 + i, ct::load(e) + ct::load(g) + ct::load(h));
  ct::store(o + 16 + i, ct::load(s) + ct::load(u) + ct::load(l) + ct::load(sh));
  auto m = q - i;
  ct::store(o + 24 + i, ct::load(m));
  ct::store(o + 32 + i, ct::element_cast<int>(a - q) + ct::element_cast<int>(a - p) * 10 +
                            ct::element_cast<int>((p + 20) - q) * 100);
}
} // namespace arith_

namespace sub_tiles_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto d = (p + i * i) - (p + i);
  static_assert(std::is_same_v<decltype(d), tile<long, 8>>);
  ct::store(o + i, ct::element_cast<int>(d));
  auto col = ct::reshape(i, ct::shape<8, 1>{});
  auto dd = (f + col) - (f + ct::iota<tile<int, 4>>());
  ct::store(o + 8 + col * 4 + ct::iota<tile<int, 4>>(), ct::element_cast<int>(dd));
}
} // namespace sub_tiles_

namespace minus_const_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  const int *c = p;
  ct::store(o + ct::iota<I8>(),
            ct::element_cast<int>((p + ct::iota<I8>() * 2) - (c + ct::iota<I8>())));
}
} // namespace minus_const_

namespace minus_unsigned_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto u = ct::element_cast<unsigned>(i);
  ct::store(o + i, ct::load(p + 8 + i - u) + ct::load(p + 10 + i - 2u) +
                       ct::load(p + 10 + i - (unsigned char)(3)));
  ct::store(o + 8 + i, ct::load(p + 9 + i - (i > 2)));
}
} // namespace minus_unsigned_

namespace static_shape_gap_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<tile<int, 2, 2>>();
  auto q = p + i * 7 + ct::select(i > 1, i * 0 + 11, i * 0);
  ct::store(q, i + 100);
  ct::store(o + i * 5, ct::load(q) + ct::load(q + 1));
  auto even = o + 32 + ct::iota<I8>() * 2;
  ct::store(even, ct::load(p + ct::iota<I8>() * 3));
  ct::store(even + 1, ct::load(p + 1 + ct::iota<I8>() * 3));
}
} // namespace static_shape_gap_

namespace unary_plus_void_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  tile<void *, 8> v = p + ct::iota<I8>();
  auto z = +v;
  static_assert(std::is_same_v<decltype(z), tile<void *, 8>>);
  ct::store(o + ct::iota<I8>(), ct::load(+(p + ct::iota<I8>())));
}
} // namespace unary_plus_void_

int main() {
  SHOW(arith_::k);
  SHOW(sub_tiles_::k);
  SHOW(minus_const_::k);
  SHOW(minus_unsigned_::k);
  SHOW(static_shape_gap_::k);
  SHOW(unary_plus_void_::k);
  return probe_bad;
}
