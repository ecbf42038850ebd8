// accept: select, cat, extract, insert, reshape, permute and broadcast of pointer tiles
#include "../show.h"

namespace select_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto s = ct::select(i % 2 == 0, p + i, p + 8 + i);
  ct::store(o + i, ct::load(s));
  auto t = ct::select(n > 3, p + i, p + 9 + i);
  ct::store(o + 8 + i, ct::load(t));
  auto u = ct::select(i, p + i, p + 10 + i);
  ct::store(o + 16 + i, ct::load(u));
  int *w = ct::select(n == 5, p, p + 4);
  o[30] = w[2];
  auto x = ct::select(p + i, ct::full<P8>(nullptr), p + i);
  ct::store(o + 32 + i, ct::element_cast<int>(x == nullptr));
}
} // namespace select_

namespace cat_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto c = ct::cat<0>(p + i, p + 40 - i);
  ct::store(o + ct::iota<tile<int, 16>>(), ct::load(c));
  auto r = ct::reshape(p + i, ct::shape<2, 4>{});
  auto d = ct::cat(r, r + 8, 1_ic);
  ct::store(o + 16 + ct::iota<tile<int, 2, 8>>(), ct::load(d));
}
} // namespace cat_

namespace extract_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<tile<int, 4, 8>>();
  auto q = p + i;
  auto e = ct::extract(q, ct::shape<2, 4>{}, 1, 0);
  ct::store(o + ct::iota<tile<int, 2, 4>>(), ct::load(e));
  auto g = ct::extract(q, ct::shape<1, 8>{}, n - 2, 0);
  ct::store(o + 8 + ct::iota<tile<int, 1, 8>>(), ct::load(g));
}
} // namespace extract_

namespace insert_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<tile<int, 4, 8>>();
  auto q = p + i;
  auto e = ct::insert(q, p + 50 + ct::iota<tile<int, 2, 4>>(), n - 4, 1);
  ct::store(o + i, ct::load(e));
}
} // namespace insert_

namespace insert_const_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<tile<int, 4, 8>>();
  const int *c = p;
  auto e = ct::insert(c + i, p + 50 + ct::iota<tile<int, 2, 4>>(), 0, 1);
  ct::store(o + i, ct::load(e));
}
} // namespace insert_const_

namespace shapes_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<tile<int, 4, 8>>();
  auto t = ct::transpose(p + i);
  ct::store(o + ct::iota<tile<int, 8, 4>>(), ct::load(t));
  auto m = ct::permute(ct::reshape(p + i, ct::shape<2, 4, 4>{}), ct::dimension_map<1, 2, 0>{});
  ct::store(o + 32 + ct::iota<tile<int, 4, 4, 2>>(), ct::load(m));
}
} // namespace shapes_

namespace broadcast_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto col = ct::reshape(ct::iota<tile<int, 4>>(), ct::shape<4, 1>{});
  auto b = ct::broadcast(p + col, ct::shape<4, 8>{});
  ct::store(o + ct::iota<tile<int, 4, 8>>(), ct::load(b));
  auto s = ct::broadcast(p + n, ct::shape<8>{});
  ct::store(o + 32 + ct::iota<I8>(), ct::load(s));
  auto z = ct::broadcast<ct::shape<2, 2>>(ct::full<tile<int *>>(p + 1));
  ct::store(o + 40 + ct::iota<tile<int, 2, 2>>(), ct::load(z));
}
} // namespace broadcast_

namespace void_select_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  tile<void *, 8> v = p + i, w = f + i;
  auto s = ct::select(i > 3, v, w);
  ct::store(o + i, ct::load(ct::element_bitcast<int *>(s)));
  auto c = ct::cat<0>(v, w);
  auto e = ct::extract(c, ct::shape<8>{}, 1);
  ct::store(o + 8 + i, ct::load(ct::element_bitcast<int *>(e)));
  auto r = ct::transpose(ct::reshape(v, ct::shape<2, 4>{}));
  ct::store(o + 16 + ct::iota<tile<int, 4, 2>>(), ct::load(ct::element_bitcast<int *>(r)));
}
} // namespace void_select_

namespace large_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<tile<int, 64>>();
  auto q = p + (i ^ 21);
  auto m = ct::reshape(q, ct::shape<8, 8>{});
  auto t = ct::transpose(m);
  ct::store(ct::reshape(o + i, ct::shape<8, 8>{}), ct::load(t) + ct::load(m));
}
} // namespace large_

int main() {
  SHOW(select_::k);
  SHOW(cat_::k);
  SHOW(extract_::k);
  SHOW(insert_::k);
  SHOW(insert_const_::k);
  SHOW(shapes_::k);
  SHOW(broadcast_::k);
  SHOW(void_select_::k);
  SHOW(large_::k);
  return probe_bad;
}
