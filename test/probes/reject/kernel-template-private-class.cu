// reject: a private class is a template argument of a kernel
#include <cuda_tile.h>
#include "../probe.h"
template <class T> __tile_global__ void k(int *out) { out[0] = T::value; }
class owner {
  struct tag {
    static constexpr int value = 7;
  };

public:
  static void go(int *out) { k<tag><<<1, 1>>>(out); }
};
int main() {
  Buf<int> out(1);
  owner::go(out);
  ran();
  out.print("out");
  return probe_bad;
}
