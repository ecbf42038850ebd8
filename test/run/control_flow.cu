// Loops left and continued from nested branches, and helpers that return from loops of several
// forms, called several times: whatever structuring makes of them is the program.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void branches(const int *p, int n, int *o) {
  int a = 0, b = 0, c = 0;
  for (int i = 0; i < n; i++) {
    if (p[i] & 1) {
      a++;
      if (p[i] & 2)
        continue;
      b++;
    } else if (p[i] & 4) {
      break;
    }
    c++;
  }
  o[0] = a;
  o[1] = b;
  o[2] = c;
}

__tile_global__ void branches_of_tiles(const int *p, int n, int *o) {
  using row = ct::tile<int, ct::shape<16>>;
  auto index = ct::iota<row>(), a = index, b = index, c = index;
  for (int i = 0; i < n; i++) {
    if (p[i] & 1) {
      a = a + i;
      if (p[i] & 2)
        continue;
      b = b * 3;
    } else if (p[i] & 4) {
      break;
    }
    c = c + a;
  }
  ct::store(o + index, a);
  ct::store(o + index + 16, b);
  ct::store(o + index + 32, c);
}

__tile__ int search(const int *p, int n) {
  int i = 0, sum = 0;
  do {
    if (p[i] & 8)
      return sum;
    for (auto j : ct::irange(0, n)) {
      if (p[j] == i)
        return sum + j;
      sum += p[j];
    }
    i++;
  } while (i < n);
  return -sum;
}

__tile_global__ void searches(const int *p, int n, int *o) {
  o[0] = search(p, n);
  o[1] = search(p + 1, n - 1);
  o[2] = search(p + 2, n - 2);
}

// The arm beside an undefined value has an effect, which must happen.
__tile_global__ void effects(const int *p, int n, int *o) {
  for (int i = 0; i < n; i++) {
    int x;
    if (p[i] & 1)
      x = i * 3;
    else
      o[i] = -1;
    if (p[i] & 1)
      o[i] = x;
  }
}

int main() {
  const int n = 12;
  run::array<int> p(n, [](auto i) { return int(i * 7 % 6) + 1; }), o(3), s(3), e(n);
  run::array<int> tiles(48);
  auto at = [&](auto i) { return int(p[i]); };
  branches<<<1, 1>>>(p, n, o);
  run::expect("branches", o, [&](auto k) {
    int a = 0, b = 0, c = 0;
    for (int i = 0; i < n; i++) {
      if (at(i) & 1) {
        a++;
        if (at(i) & 2)
          continue;
        b++;
      } else if (at(i) & 4) {
        break;
      }
      c++;
    }
    return k == 0 ? a : k == 1 ? b : c;
  });
  branches_of_tiles<<<1, 1>>>(p, n, tiles);
  run::expect("branches_of_tiles", tiles, [&](auto k) {
    int a = k % 16, b = a, c = a;
    for (int i = 0; i < n; i++) {
      if (at(i) & 1) {
        a = a + i;
        if (at(i) & 2)
          continue;
        b = b * 3;
      } else if (at(i) & 4) {
        break;
      }
      c = c + a;
    }
    return k / 16 == 0 ? a : k / 16 == 1 ? b : c;
  });
  auto reference = [&](int offset) {
    int i = 0, sum = 0, count = n - offset;
    do {
      if (at(offset + i) & 8)
        return sum;
      for (int j = 0; j < count; ++j) {
        if (at(offset + j) == i)
          return sum + j;
        sum += at(offset + j);
      }
      i++;
    } while (i < count);
    return -sum;
  };
  searches<<<1, 1>>>(p, n, s);
  run::expect("searches", s, [&](auto k) { return reference(int(k)); });
  effects<<<1, 1>>>(p, n, e);
  run::expect("effects", e, [&](auto i) { return at(i) & 1 ? int(i) * 3 : -1; });
  return run::finish();
}
