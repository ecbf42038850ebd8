// accept: forty parameters
#include <cuda_tile.h>
#include "../probe.h"
__tile_global__ void k(int *out, int a0, char a1, short a2, long a3, float a4, double a5, bool a6,
                       unsigned a7, int a8, int a9, int b0, char b1, short b2, long b3, float b4,
                       double b5, bool b6, unsigned b7, int b8, int b9, int c0, char c1, short c2,
                       long c3, float c4, double c5, bool c6, unsigned c7, int c8, int c9, int d0,
                       char d1, short d2, long d3, float d4, double d5, bool d6, unsigned d7,
                       int d8) {
  out[0] = int(a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + b0 + b1 + b2 + b3 + b4 + b5 + b6 +
               b7 + b8 + b9);
  out[1] = int(c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 + d0 + d1 + d2 + d3 + d4 + d5 + d6 +
               d7 + d8);
}
int main() {
  Buf<int> out(2);
  k<<<1, 1>>>(out, 1, 2, 3, 4, 5, 6, 1, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0, 18, 19, 20, 21, 22, 23,
              24, 25, 26, 1, 28, 29, 30, 31, 32, 33, 34, 35, 36, 1, 38, 39);
  ran();
  out.print("out");
  return probe_bad;
}
