// A remainder is computed where the program comes to it and nowhere else: its divisor may be zero
// before a loop, behind it, or beside a branch.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <class T> __host__ __tile__ constexpr T gcd(T a, T b) {
  while (b) {
    T t = a % b;
    a = b;
    b = t;
  }
  return a;
}

__tile__ int digits(unsigned n, unsigned base) {
  int count = 0;
  for (; n; n /= base)
    count += n % base != 0;
  return count;
}

__tile_global__ void remainders(const int *in, int *out, int zero) {
  const int i = int(ct::bid().x), a = in[2 * i], b = in[2 * i + 1];
  out[4 * i] = gcd(a, b);
  out[4 * i + 1] = b != 0 ? a % b : a;
  int sum = 0;
  for (int k = 0; k < zero; ++k) // runs not once, and a % zero is the same in each
    sum += a % zero + k;
  for (int k = 0; k < b; ++k)
    sum += a % b + (k && a % k);
  out[4 * i + 2] = sum;
  out[4 * i + 3] = digits(a, 1u + unsigned(zero) + 9);
}

int main() {
  const int in[] = {12, 18, 7, 0, 0, 5, 100, 75, 17, 4, 0, 0};
  const int count = sizeof(in) / sizeof(*in) / 2;
  run::array<int> pairs(2 * count, [&](size_t i) { return in[i]; }), out(4 * count);
  remainders<<<count, 1>>>(pairs.device, out.device, 0);
  run::expect("remainders", out, [&](size_t n) {
    const int a = in[n / 4 * 2], b = in[n / 4 * 2 + 1];
    int sum = 0, digits = 0;
    for (int k = 0; k < b; ++k)
      sum += a % b + (k && a % k);
    for (int k = a; k; k /= 10)
      digits += k % 10 != 0;
    const int wanted[] = {gcd(a, b), b ? a % b : a, sum, digits};
    return wanted[n % 4];
  });
  return run::finish();
}
