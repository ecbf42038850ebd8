// accept: switches, ternaries, short circuits, constant conditions, own ranges
#include "../show.h"

namespace switch_nested_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  for (int i = 0; i < 8; ++i) {
    switch (p[i] % 5) {
    case 0: o[i] = 10; break;
    case 1: {
      switch (i) {
      case 0: o[i] = 20; break;
      case 5: o[i] = 21;
      default: o[i] += 22;
      }
      break;
    }
    case 2:
    case 3: o[i] = 30; [[fallthrough]];
    default: o[i] += 1;
    }
  }
}
} // namespace switch_nested_

namespace switch_return_ {
__tile__ int pick(int x) {
  switch (x) {
  case 0: return 5;
  case 1:
  case 2: return 7;
  default: break;
  }
  return 9;
}
__tile_global__ void k(int *o, int *p, float *f, int n) {
  for (int i = 0; i < 5; ++i)
    o[i] = pick(i);
  switch (n) {
  case 5: return;
  }
  o[9] = 1;
}
} // namespace switch_return_

namespace switch_enum_ {
enum class E : unsigned char { a, b = 7, c };
__tile_global__ void k(int *o, int *p, float *f, int n) {
  E e = E(n + 3);
  switch (e) {
  case E::a: o[0] = 1; break;
  case E::b: o[0] = 2; break;
  case E::c: o[0] = 3; break;
  }
  switch (char(n)) {
  case 5: o[1] = 4;
  }
  switch (bool b = n > 3; b) {
  case true: o[2] = 5; break;
  case false: o[2] = 6;
  }
  switch (long long l = n * 1000000000ll; l) {
  case 5000000000ll: o[3] = 7; break;
  default: o[3] = 8;
  }
}
} // namespace switch_enum_

namespace switch_init_decl_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  switch (int y = p[1]; y) {
    int z;
  case 4:
    z = y;
    o[0] = z;
    break;
  default: z = 3; o[1] = z;
  }
}
} // namespace switch_init_decl_

namespace ternaries2_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto t = n > 4 ? i : i * 2;
  auto u = n < 4 ? ct::load(p + i) : n == 5 ? t + 1 : t + 2;
  ct::store(o + i, u);
  auto c = ct::full<tile<bool>>(n == 5);
  ct::store(o + 8 + i, c ? i : u);
  (n > 2 ? o[16] : o[17]) = 4;
  (p[1] > 2 ? t : u) = i + 5;
  ct::store(o + 20 + i, t + u);
}
} // namespace ternaries2_

namespace ternary_scalar_tile0_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto t = n > 4 ? ct::full<tile<int>>(3) : 5;
  o[0] = int(t);
}
} // namespace ternary_scalar_tile0_

namespace comma_and_short_ {
__tile__ bool note(int *o, int at, bool r) {
  o[at] = 1;
  return r;
}
__tile_global__ void k(int *o, int *p, float *f, int n) {
  bool a = note(o, 0, false) && note(o, 1, true);
  bool b = note(o, 2, true) || note(o, 3, true);
  int c = (o[4] = 2, n + 1);
  o[5] = a + 2 * b + c;
  if (n > 3 && p[n] > 0 || note(o, 6, true))
    o[7] = 1;
  o[8] = !n + !!n;
}
} // namespace comma_and_short_

namespace and_tiles_evaluate_ {
__tile__ tile<bool> note(int *o, int at, bool r) {
  o[at] = 1;
  return ct::full<tile<bool>>(r);
}
__tile_global__ void k(int *o, int *p, float *f, int n) {
  if (note(o, 0, false) && note(o, 1, true))
    o[2] = 1;
  if (note(o, 3, true) || note(o, 4, false))
    o[5] = 1;
}
} // namespace and_tiles_evaluate_

namespace range_for_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int a[5] = {3, 1, 4, 1, 5};
  int s = 0;
  for (int x : a)
    s += x;
  for (auto &x : a)
    x += n;
  for (const auto &x : a)
    s += x;
  for (int x : {7, 8, 9})
    s += x;
  o[0] = s;
  o[1] = a[n - 1];
  I8 tiles[2] = {ct::iota<I8>(), ct::iota<I8>() * 2};
  auto sum = ct::zeros<I8>();
  for (auto t : tiles)
    sum = sum + t;
  for (auto &t : tiles)
    t = t + sum;
  ct::store(o + 8 + ct::iota<I8>(), sum + tiles[1]);
}
} // namespace range_for_

namespace range_for_own_ {
struct range {
  int n;
  struct it {
    int i;
    __tile__ int operator*() const { return i; }
    __tile__ it &operator++() {
      ++i;
      return *this;
    }
    __tile__ bool operator!=(it r) const { return i != r.i; }
  };
  __tile__ it begin() const { return {0}; }
  __tile__ it end() const { return {n}; }
};
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int s = 0;
  for (int i : range{n}) {
    if (i == 3)
      continue;
    s += i;
    o[i] = s;
  }
}
} // namespace range_for_own_

namespace unreachable_code_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  o[0] = 1;
  return;
  o[1] = 1;
}
} // namespace unreachable_code_

namespace if_constexpr20_ {
template <class T> __tile__ auto kind(T t) {
  if constexpr (ct::arithmetic_tile<T> && !ct::scalar<T>)
    return t + 1;
  else if constexpr (requires { *t; })
    return *t;
  else
    return t;
}
__tile_global__ void k(int *o, int *p, float *f, int n) {
  ct::store(o + ct::iota<I8>(), kind(ct::iota<I8>()));
  o[10] = kind(p);
  o[11] = kind(n);
  if (int x = n; x > 3)
    o[12] = x;
}
} // namespace if_constexpr20_

namespace stmt_expr_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  o[0] = ({
    int x = n;
    x + 1;
  });
}
} // namespace stmt_expr_

namespace elvis_ {
__tile_global__ void k(int *o, int *p, float *f, int n) { o[0] = n ?: 3; }
} // namespace elvis_

namespace label_unused_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
here:
  o[1] = 2;
}
} // namespace label_unused_

int main() {
  SHOW(switch_nested_::k);
  SHOW(switch_return_::k);
  SHOW(switch_enum_::k);
  SHOW(switch_init_decl_::k);
  SHOW(ternaries2_::k);
  SHOW(ternary_scalar_tile0_::k);
  SHOW(comma_and_short_::k);
  SHOW(and_tiles_evaluate_::k);
  SHOW(range_for_::k);
  SHOW(range_for_own_::k);
  SHOW(unreachable_code_::k);
  SHOW(if_constexpr20_::k);
  SHOW(stmt_expr_::k);
  SHOW(elvis_::k);
  SHOW(label_unused_::k);
  return probe_bad;
}
