// An unsigned sum becomes a signed variable, whose remainder is signed: both came out unsigned.
#include <fuzz.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

// kernel unsigned_into_signed_remainder
__tile_global__ void unsigned_into_signed_remainder(__half *o1, unsigned n14) {
  const auto block2 = int(ct::bid().x);
  __half *to4 = o1 + block2 * 256;
  long long x21 = 0;
  x21 = (((n14 << block2) ^ 35) + 3);
  *(to4 + (unsigned((3 - (x21 % 100ll))) & 255u)) = __half(0.0f);
}

static void run_unsigned_into_signed_remainder() {
  auto o1 = fuzz::buffer<__half>(256, -128ll, 257ull, 3);
  unsigned_into_signed_remainder<<<dim3(1, 1, 1), 1>>>(o1, 11u);
  fuzz::show("unsigned_into_signed_remainder", "o1", o1);
}

static const fuzz::kernel kernels[] = {
    {"unsigned_into_signed_remainder", run_unsigned_into_signed_remainder},
};

int main(int argc, char **argv) { return fuzz::run(argc, argv, kernels); }
