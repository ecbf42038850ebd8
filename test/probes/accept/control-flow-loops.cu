// accept: loops with break, continue and return, that carry scalars and tiles of each kind
#include "../show.h"

namespace nested_loops2_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int c = 0;
  for (int i = 0; i < 6; ++i) {
    if (i == 1)
      continue;
    for (int j = 0;; ++j) {
      if (j > i)
        break;
      if ((i + j) % 3 == 0)
        continue;
      int w = 0;
      while (true) {
        if (w++ > j)
          break;
        if (w == 2)
          continue;
        c += w;
        if (c > 40) {
          o[20] = c;
          return;
        }
      }
      do {
        c++;
      } while (c % 4);
    }
    o[i] = c;
  }
}
} // namespace nested_loops2_

namespace loop_tiles_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  auto t = i;
  auto b = i > 3;
  auto h = ct::element_cast<__half>(i);
  auto q = p + i;
  auto e = ct::element_cast<__nv_fp8_e5m2>(ct::element_cast<float>(i));
  auto r0 = ct::full<tile<float>>(1.0f);
  double d = 0;
  unsigned char uc = 250;
  bool flip = false;
  for (int j = 0; j < n; ++j) {
    t = t + ct::element_cast<int>(b);
    b = b ^ (i == j);
    h = h * __half(0.5f);
    q = q + 1;
    if (j % 2) {
      e = ct::element_cast<__nv_fp8_e5m2>(ct::element_cast<float>(e) * 2.0f);
    } else {
      flip = !flip;
      continue;
    }
    r0 = r0 * 1.5f;
    d += j;
    uc += 3;
  }
  ct::store(o + i, t + ct::load(q));
  ct::store(o + 8 + i, ct::element_cast<int>(b));
  ct::store(f + i, ct::element_cast<float>(h) + ct::element_cast<float>(e) + float(r0) + float(d));
  o[20] = uc;
  o[21] = flip;
}
} // namespace loop_tiles_

namespace early_return_ {
__tile__ I8 early(I8 t, int n) {
  if (n == 0)
    return t;
  for (int j = 0; j < n; ++j) {
    t = t + 1;
    if (j == 3)
      return t * 2;
    if (j == 5)
      break;
  }
  return t - 1;
}
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto i = ct::iota<I8>();
  for (int j = 0; j < 7; ++j)
    ct::store(o + j * 8 + i, early(i, j));
  if (n == 5) {
    o[60] = 1;
    if (p[0] == 1)
      return;
    o[61] = 1;
  }
  o[62] = 1;
}
} // namespace early_return_

namespace do_while_tile_condition_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto c = ct::full<tile<int>>(n);
  int j = 0;
  do {
    o[j++] = int(c);
    c = c - 1;
  } while (c > 0);
  while (auto z = ct::full<tile<int, 1>>(j)) {
    if (j-- == 3)
      break;
  }
  o[10] = j;
  for (auto r = ct::full<tile<float>>(2.0f); r < 9.0f; r = r * 2.0f)
    o[11]++;
  if (auto s = ct::sum<0>(ct::iota<I8>()); s == 28)
    o[12] = 1;
  else
    o[12] = int(s);
}
} // namespace do_while_tile_condition_

namespace loop_float_counter_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  int j = 0;
  for (float x = 0; x < 3.0f; x += 0.5f)
    f[j++] = x;
  for (double y = 1; y > 0.1; y /= 2)
    o[0]++;
  for (unsigned char c = 250; c != 4; ++c)
    o[1]++;
  for (long long l = 1; l < (1ll << 40); l <<= 3)
    o[2]++;
  for (int *q = p; q != p + n; ++q)
    o[3] += *q;
}
} // namespace loop_float_counter_

namespace two_counters_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  for (int i = 0, j = 10; i < j; ++i, j -= 2)
    o[i] = j;
  for (unsigned u = n; u-- > 0;)
    o[20 + u] = u;
  for (int i = n; i >= 0; --i)
    o[30 + i] = i;
}
} // namespace two_counters_

namespace infinite_guarded_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  for (;;) {
    if (o[0]++ > n)
      return;
  }
}
} // namespace infinite_guarded_

namespace return_in_nested_ {
__tile__ int find(const int *p, int what) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if (p[i * 4 + j] == what)
        return i * 10 + j;
  return -1;
}
__tile_global__ void k(int *o, int *p, float *f, int n) {
  o[0] = find(p, 28);
  o[1] = find(p, 2);
}
} // namespace return_in_nested_

namespace return_tile_in_loop_ {
__tile__ I8 find(int *p, int what) {
  auto i = ct::iota<I8>();
  while (true) {
    auto t = ct::load(p + i);
    if (int(ct::reduce_max<0>(t)) > what)
      return t;
    p += 4;
  }
}
__tile_global__ void k(int *o, int *p, float *f, int n) {
  ct::store(o + ct::iota<I8>(), find(p, 60));
}
} // namespace return_tile_in_loop_

namespace break_two_levels_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  bool done = false;
  for (int i = 0; i < 8 && !done; ++i)
    for (int j = 0; j < 8; ++j) {
      if (i * j == 12) {
        done = true;
        break;
      }
      o[i]++;
    }
}
} // namespace break_two_levels_

namespace static_loop_ {
template <int N> __tile__ int fold(int *p) {
  int s = 0;
#pragma unroll
  for (int i = 0; i < N; ++i)
    s += p[i];
  return s;
}
__tile_global__ void k(int *o, int *p, float *f, int n) {
  o[0] = fold<7>(p);
#pragma unroll 4
  for (int i = 0; i < n; ++i)
    o[1 + i] = i;
#pragma nounroll
  while (n-- > 0)
    o[10] += n;
}
} // namespace static_loop_

namespace irange_return_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  for (auto i : ct::irange(0, 10)) {
    o[i] = 1;
    if (i == n)
      return;
  }
  o[20] = 1;
}
} // namespace irange_return_

namespace irange_break_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  for (auto i : ct::irange(0, 10, 3)) {
    if (i > n)
      break;
    if (i == 3)
      continue;
    o[i] = 1;
  }
  o[20] = 1;
}
} // namespace irange_break_

namespace irange_negative_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  for (auto i : ct::irange(n, 0))
    o[0] = 1;
  for (auto i : ct::irange(-3, 3, 2))
    o[i + 10] = i;
  for (auto i : ct::irange(1u, 4u))
    o[i + 20] = 1;
  for (auto i : ct::irange(short(1), (long long)(n)))
    o[i + 30] = sizeof(i);
}
} // namespace irange_negative_

namespace irange_carry_ {
__tile_global__ void k(int *o, int *p, float *f, int n) {
  auto acc = ct::zeros<tile<float, 4, 8>>();
  auto q = f + ct::iota<tile<int, 4, 8>>();
  int odd = 0;
  struct {
    int a;
    I8 t;
  } s = {1, ct::iota<I8>()};
  for (auto i : ct::irange(0, n)) {
    acc = acc + ct::load(q) * float(i);
    odd ^= i;
    s.a += s.a;
    s.t = s.t + s.a;
  }
  ct::store(q, acc);
  o[0] = odd;
  o[1] = s.a;
  ct::store(o + 8 + ct::iota<I8>(), s.t);
}
} // namespace irange_carry_

int main() {
  SHOW(nested_loops2_::k);
  SHOW(loop_tiles_::k);
  SHOW(early_return_::k);
  SHOW(do_while_tile_condition_::k);
  SHOW(loop_float_counter_::k);
  SHOW(two_counters_::k);
  SHOW(infinite_guarded_::k);
  SHOW(return_in_nested_::k);
  SHOW(return_tile_in_loop_::k);
  SHOW(break_two_levels_::k);
  SHOW(static_loop_::k);
  SHOW(irange_return_::k);
  SHOW(irange_break_::k);
  SHOW(irange_negative_::k);
  SHOW(irange_carry_::k);
  return probe_bad;
}
