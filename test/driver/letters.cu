// Macros of one letter from the command line mean nothing in headers, and what they say in the
// program.
// RUN: %tessera run -O0 --target=cpu -DK=3 -DX=2 -DT=int -DN=4 -DA= -DY=5 %s
// RUN: %if long %{ %tessera run -O0 --target=emulate -DK=3 -DX=2 -DT=int -DN=4 -DA= -DY=5 %s %}
// Letters of the file's name that a string spells otherwise.
// RUN: cp %s '%t"quoted\name.cu'
// RUN: %tessera run -O0 --target=emulate -DK=3 -DX=2 -DT=int -DN=4 -DA= -DY=5 '%t"quoted\name.cu'
#include <cuda_runtime.h>
#include <cuda_tile.h>

__tile_global__ void k(T *o) {
  namespace ct = cuda::tiles;
  auto i = ct::iota<ct::tile<T, ct::shape<N>>>();
  ct::store(o + i, i * K + X A);
}

int main() {
  T *o, got[N];
  cudaMalloc((void **)&o, sizeof got);
  k<<<1, 1>>>(o);
  cudaMemcpy(got, o, sizeof got, cudaMemcpyDeviceToHost);
  return got[3] != 11 || Y != 5;
}
