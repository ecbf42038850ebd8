// reject: a NaN in place of a pointer
#include "../show.h"

__tile_global__ void k(int *o, int *p, float *f, int n) {
  int **pp = reinterpret_cast<int **>(f);
  auto v = ct::partition_view{ct::tensor_span{pp, ct::extents{8}}, ct::shape<4>{}};
  auto q = v.load_masked(ct::view_padding_nan_t{}, 0);
}
int main() {}
