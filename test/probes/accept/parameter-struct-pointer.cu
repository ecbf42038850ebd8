// accept: a pointer to a struct as a parameter, its members read and written
#include <cuda_tile.h>
#include "../probe.h"
struct inner {
  short a[3];
  float f;
};
struct outer {
  int n;
  inner i;
  int *p;
};
__tile_global__ void k(outer *o) {
  o->i.a[1] = short(o->n);
  o->i.f = 2.5f;
  o->p[0] = o->i.a[1] + int(o->i.f * 2);
}
int main() {
  Buf<int> out(1);
  outer host = {40, {}, out};
  outer *device;
  cudaMalloc((void **)&device, sizeof host);
  cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(device);
  ran();
  out.print("out");
  return probe_bad;
}
