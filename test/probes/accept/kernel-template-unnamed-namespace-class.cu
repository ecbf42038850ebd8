// accept: a class of an unnamed namespace is a template argument of a kernel
#include <cuda_tile.h>
#include "../probe.h"
namespace {
struct tag {
  static constexpr int value = 6;
};
} // namespace
template <class T> __tile_global__ void k(int *out) { out[0] = T::value; }
int main() {
  Buf<int> out(1);
  k<tag><<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
