// A shift is signed where its operand is, whatever the type of what was complemented: it was
// printed as an unsigned one.
#include <fuzz.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

// kernel signed_shift_of_complement
__tile_global__ void signed_shift_of_complement(int *__restrict__ o0, long long n7) {
  const auto block2 = ct::bid().x;
  int *to3 = o0 + block2 * 2048;
  for (auto i5 : ct::irange(0, ct::min(ct::max(6, 0), 5), 1)) {
    to3[0] = static_cast<int>(((((~n7) >> 1) & 63ll) + 1ll));
  }
}

static void run_signed_shift_of_complement() {
  auto o0 = fuzz::buffer<int>(6144, -2147483648ll, 4294967296ull, 0);
  signed_shift_of_complement<<<dim3(3, 1, 1), 1>>>(o0, 99ll);
  fuzz::show("signed_shift_of_complement", "o0", o0);
}

static const fuzz::kernel kernels[] = {
    {"signed_shift_of_complement", run_signed_shift_of_complement},
};

int main(int argc, char **argv) { return fuzz::run(argc, argv, kernels); }
