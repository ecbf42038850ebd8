// Integer arithmetic in every width: wrapping, division towards zero, shifts, bits, comparisons.
// Nothing is promoted to int.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <class T> __tile_global__ void arithmetic(const T *x, const T *y, T *z) {
  auto lane = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto a = ct::load(x + lane), b = ct::load(y + lane);
  T *out = z;
  auto keep = [&](auto value) {
    ct::store(out + lane, value);
    out += 64;
  };
  keep(a + b);
  keep(a - b);
  keep(a * b);
  keep(a / b);
  keep(a % b);
  keep(a & b);
  keep(a | b);
  keep(a ^ b);
  keep(~a);
  keep(-a);
  keep(a << 2);
  keep(a >> 1);
  keep(ct::min(a, b));
  keep(ct::max(a, b));
  keep(ct::select(a < b, a, b + b));
  keep(ct::select((a == b) || !(a >= b), b, a));
}

template <class T> void check(const char *name) {
  run::array<T> x(64, [](auto i) { return int(i * 37 % 128) - (std::is_signed_v<T> ? 64 : 0); });
  run::array<T> y(64, [](auto i) { return i % 7 == 6 ? int(i * 37 % 128) + 1 : int(i % 5) + 1; });
  run::array<T> z(16 * 64);
  arithmetic<T><<<1, 1>>>(x, y, z);
  run::expect(name, z, [&](auto i) {
    T a = x.host[i % 64], b = y.host[i % 64];
    using U = std::make_unsigned_t<T>;
    const T results[] = {T(U(a) + U(b)),
                         T(U(a) - U(b)),
                         T((unsigned long long)(U(a)) * U(b)),
                         T(a / b),
                         T(a % b),
                         T(a & b),
                         T(a | b),
                         T(a ^ b),
                         T(~a),
                         T(-(long long)(a)),
                         T((unsigned long long)(a) << 2),
                         T(a >> 1),
                         a < b ? a : b,
                         a > b ? a : b,
                         a < b ? a : T(b + b),
                         a <= b ? b : a};
    return double(results[i / 64]);
  });
}

int main() {
  check<signed char>("s8");
  check<unsigned char>("u8");
  check<short>("s16");
  check<unsigned short>("u16");
  check<int>("s32");
  check<unsigned>("u32");
  check<long long>("s64");
  check<unsigned long long>("u64");
  return run::finish();
}
