// accept: pointer tiles compare with tiles and pointers of the same type, of void, and with nullptr
#include "../show.h"

namespace compare_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto q = p + i, r = p + (7 - i);
  auto one = [](auto b) { return ct::element_cast<int>(b); };
  ct::store(o + i, one(q == r) + 2 * one(q != r) + 4 * one(q < r) + 8 * one(q <= r) +
                       16 * one(q > r) + 32 * one(q >= r));
  ct::store(o + 8 + i, one(q == p) + 2 * one(p + 3 < q) + 4 * one(q == nullptr) +
                           8 * one(nullptr != q) + 16 * one(!q) + 32 * one(q && (i > 2)));
  int *z = nullptr;
  ct::store(o + 16 + i, one(ct::full<P8>(z) == nullptr) + 2 * one(!ct::full<P8>(nullptr)) +
                            4 * one(ct::full<P8>(nullptr) || q));
}
} // namespace compare_

namespace compare_const_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  const int *c = p;
  auto q = p + i;
  auto r = c + (7 - i);
  ct::store(o + i, ct::element_cast<int>(q == r));
}
} // namespace compare_const_

namespace compare_void_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  tile<void *, 8> v = p + i;
  tile<const void *, 8> w = v;
  ct::store(o + i, ct::element_cast<int>(v == p) + 2 * ct::element_cast<int>(w != nullptr));
}
} // namespace compare_void_

namespace compare_void_tile_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  tile<void *, 8> v = p + i;
  auto w = p + (7 - i);
  ct::store(o + i, ct::element_cast<int>(v == w));
}
} // namespace compare_void_tile_

namespace void_less_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  tile<void *, 8> v = p + i;
  ct::store(o + i, ct::element_cast<int>(v < p + 4));
}
} // namespace void_less_

namespace void_less_tile_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  tile<void *, 8> v = p + i;
  ct::store(o + i, ct::element_cast<int>(p + 7 - i >= v));
}
} // namespace void_less_tile_

namespace void_scalar_ptr_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  void *v = p + 3;
  ct::store(o + i, ct::element_cast<int>(v == p + i) + 2 * ct::element_cast<int>(p + i > v));
}
} // namespace void_scalar_ptr_

namespace constvoid_tile_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  tile<const void *, 8> v = p + i;
  ct::store(o + i, ct::element_cast<int>(v == p + 7 - i));
}
} // namespace constvoid_tile_

namespace void_constint_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  tile<void *, 8> v = p + i;
  const int *c = p;
  ct::store(o + i, ct::element_cast<int>(v == c + 7 - i));
}
} // namespace void_constint_

namespace void_constvoid_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  tile<void *, 8> v = p + i;
  tile<const void *, 8> w = p + 7 - i;
  ct::store(o + i, ct::element_cast<int>(v == w));
}
} // namespace void_constvoid_

namespace const_scalar_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  const int *c = p + 2;
  ct::store(o + i, ct::element_cast<int>(p + i == c) + 2 * ct::element_cast<int>(c < p + i));
}
} // namespace const_scalar_

namespace volatile_cmp_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  volatile int *c = p + 2;
  ct::store(o + i, ct::element_cast<int>(p + i == c));
}
} // namespace volatile_cmp_

namespace volatile_const_cmp_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  volatile int *c = p + 2;
  const int *d = p;
  ct::store(o + i, ct::element_cast<int>(d + i == c));
}
} // namespace volatile_const_cmp_

namespace null_zero_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  ct::store(o + i, ct::element_cast<int>(p + i == 0));
}
} // namespace null_zero_

namespace rank0_scalar_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  tile<int *> z = p;
  tile<void *> v = p;
  o[0] = bool(z == v) + 2 * bool(z == p) + 4 * bool(v == p);
}
} // namespace rank0_scalar_

namespace not_void_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  tile<void *, 8> v = p + ct::iota<I8>();
  ct::store(o + ct::iota<I8>(), ct::element_cast<int>(!v) + ct::element_cast<int>(v && n));
  o[8] = int(ct::any_of<0>(v));
}
} // namespace not_void_

namespace any_all_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto q = ct::select(i < n, p + i, ct::full<P8>(nullptr));
  o[0] = int(ct::any_of<0>(q));
  o[1] = int(ct::all_of<0>(q));
  o[2] = int(ct::all_of<0>(p + i));
}
} // namespace any_all_

int main() {
  SHOW(compare_::k);
  SHOW(compare_const_::k);
  SHOW(compare_void_::k);
  SHOW(compare_void_tile_::k);
  SHOW(void_less_::k);
  SHOW(void_less_tile_::k);
  SHOW(void_scalar_ptr_::k);
  SHOW(constvoid_tile_::k);
  SHOW(void_constint_::k);
  SHOW(void_constvoid_::k);
  SHOW(const_scalar_::k);
  SHOW(volatile_cmp_::k);
  SHOW(volatile_const_cmp_::k);
  SHOW(null_zero_::k);
  SHOW(rank0_scalar_::k);
  SHOW(not_void_::k);
  SHOW(any_all_::k);
  return probe_bad;
}
