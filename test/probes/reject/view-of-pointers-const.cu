// reject: pointers to const stored as pointers to others
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  int **pp = reinterpret_cast<int **>(f);
  const int *c = p;
  auto v = ct::partition_view{ct::tensor_span{pp, ct::extents{8}}, ct::shape<4>{}};
  v.store(c + ct::iota<tile<int, 4>>(), 0);
}
int main() {}
