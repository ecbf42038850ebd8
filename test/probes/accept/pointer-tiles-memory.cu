// accept: masks, atomics, and pointers to elements of other types and to variables
#include "../show.h"

namespace masks_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto q = ct::select(i < n, p + i, ct::full<P8>(nullptr));
  ct::store(o + i, ct::load_masked(q, q, -1));
  ct::store(o + 8 + i, ct::load_masked(q, i < n, ct::full<I8>(-2)));
  ct::store(o + 16 + i, ct::load_masked(p + i, i % 2, i));
  ct::store_masked(q + 32, i + 1, q != nullptr);
  ct::store_masked(o + 24 + i, i, ct::element_cast<float>(i) * 0.5f - 1.0f);
  ct::store(o + 40 + i, ct::load_masked(p + i, n > 6, 9));
  ct::store(o + 48 + i, ct::load_masked(p + i, ct::full<tile<bool>>(n > 2)));
}
} // namespace masks_

namespace atomics_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  using R = ct::memory_order_relaxed_t;
  auto i = ct::iota<I8>();
  auto q = p + i;
  ct::store(o + i, ct::atomic_add(q, i, R{}));
  ct::store(o + 8 + i, ct::atomic_xchg(q + 8, i, R{}, ct::thread_scope_device_t{}));
  ct::store(o + 16 + i, ct::atomic_compare_exchange(q, i * 4 + 1, ct::full<I8>(77), R{}));
  ct::store(o + 24 + i, ct::atomic_max_masked(q + 16, ct::full<I8>(60), i > 3, R{}));
  ct::atomic_store(q + 24, i, R{});
  ct::store(o + 32 + i, ct::atomic_load(q + 24, R{}));
  ct::store(o + 40 + i, ct::atomic_and(q + 32, i * 0 + 6, R{}));
  ct::atomic_add_masked(p + i / 2 + 40, i, q, R{});
  ct::atomic_add(f + i / 4, ct::full<F8>(0.5f), R{});
  int was = ct::atomic_add(p + 63, 5, R{});
  o[60] = was;
}
} // namespace atomics_

namespace const_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  const int *c = p;
  auto q = c + i;
  static_assert(std::is_same_v<decltype(q), tile<const int *, 8>>);
  ct::store(o + i, ct::load(q) + ct::atomic_load(q, ct::memory_order_relaxed_t{}));
  tile<const int *, 8> w = p + i;
  w = w + 1;
  ct::store(o + 8 + i, ct::load(w));
  tile<const int *, 8> x = ct::full<tile<const int *, 8>>(p);
  ct::store(o + 16 + i, ct::load(x + i));
}
} // namespace const_

namespace volatile_tile_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  volatile int *v = p;
  auto q = v + ct::iota<I8>();
  ct::store(o + ct::iota<I8>(), ct::element_cast<int>(q == v));
}
} // namespace volatile_tile_

namespace struct_member_ {
struct S {
  int a, b;
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  S *s = reinterpret_cast<S *>(p);
  auto i = ct::iota<I8>();
  ct::store(o + i, ct::load(&s->b + 2 * i));
  ct::store(&s[1].a + i * 2 + 20, i);
}
} // namespace struct_member_

namespace half_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  __half *h = reinterpret_cast<__half *>(p);
  auto q = h + i;
  ct::store(q, ct::element_cast<__half>(i) * __half(0.5f));
  ct::store(o + i, ct::element_cast<int>(ct::load(q + 2) * __half(2)));
  auto b = ct::element_bitcast<__nv_bfloat16 *>(q + 8);
  ct::store(b, ct::element_cast<__nv_bfloat16>(i));
  ct::store(o + 8 + i, ct::element_cast<int>(ct::load(b)));
  auto r = ct::cat<0>(q, h + 20 + i);
  ct::store(o + 16 + ct::iota<tile<int, 16>>(), ct::element_cast<int>(r - h));
}
} // namespace half_

namespace fp8_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto *h = reinterpret_cast<__nv_fp8_e4m3 *>(p);
  auto q = h + i * 2;
  ct::store(q, ct::element_cast<__nv_fp8_e4m3>(ct::element_cast<float>(i)));
  ct::store(f + i, ct::element_cast<float>(ct::load(ct::select(i > 3, q, h + 8 + i * 0))));
  ct::store(o + i,
            ct::element_cast<int>(ct::load_masked(ct::element_bitcast<unsigned char *>(q), i < n)));
}
} // namespace fp8_

namespace bool_char_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto *b = reinterpret_cast<bool *>(p);
  ct::store(b + i, i % 3 == 0);
  ct::store(o + i, ct::element_cast<int>(ct::load(b + 7 - i)));
  auto *c = reinterpret_cast<char *>(p + 8);
  ct::store(c + i * 3, ct::element_cast<char>(i));
  ct::store(o + 8 + i, ct::element_cast<int>(ct::load(c + i * 3)));
}
} // namespace bool_char_

namespace double_ll_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto *d = reinterpret_cast<double *>(f);
  ct::store(d + i, ct::element_cast<double>(i) / 4);
  ct::store(o + i, ct::element_cast<int>(ct::load(d + 7 - i) * 8.0));
  auto *l = reinterpret_cast<long long *>(p);
  ct::store(l + i * 2, ct::element_cast<long long>(i) << 33);
  ct::store(o + 8 + i, ct::element_cast<int>(ct::load(l + i * 2) >> 32));
}
} // namespace double_ll_

namespace tile_variable_ {
__tile__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto q = table + i;
  ct::store(o + i, ct::load(q));
  ct::store(table + (7 - i), i);
  ct::store(o + 8 + i, ct::load(ct::select(i > 3, q, p + i)));
  o[20] = table[2];
  for (int j = 0; j < 8; ++j)
    table[j] = j + 1;
}
} // namespace tile_variable_

namespace static_local_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  static int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  auto i = ct::iota<I8>();
  ct::store(o + i, ct::load(table + i));
}
} // namespace static_local_

namespace global_const_ {
__tile__ const float table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  ct::store(f + i, ct::load(table + (i ^ 3)));
}
} // namespace global_const_

int main() {
  SHOW(masks_::k);
  SHOW(atomics_::k);
  SHOW(const_::k);
  SHOW(volatile_tile_::k);
  SHOW(struct_member_::k);
  SHOW(half_::k);
  SHOW(fp8_::k);
  SHOW(bool_char_::k);
  SHOW(double_ll_::k);
  SHOW(tile_variable_::k);
  SHOW(static_local_::k);
  SHOW(global_const_::k);
  return probe_bad;
}
