// text (emulate): a narrow constant of which something is assumed had the type int in the text.
#include <fuzz.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

// kernel assumed_constant
__tile_global__ void assumed_constant(char *o0) {
  using T = ct::tile<char, ct::shape<32>>;
  auto i = ct::iota<ct::tile<int, ct::shape<32>>>();
  const auto x = ct::full<T>(ct::assume_bounded<(char)50, (char)60>((char)51));
  ct::store(o0 + i, x + ct::load(o0 + i));
}

static void run_assumed_constant() {
  auto o0 = fuzz::buffer<char>(64, 0ll, 16ull, 0);
  assumed_constant<<<dim3(1, 1, 1), 1>>>(o0);
  fuzz::show("assumed_constant", "o0", o0);
}

static const fuzz::kernel kernels[] = {
    {"assumed_constant", run_assumed_constant},
};

int main(int argc, char **argv) { return fuzz::run(argc, argv, kernels); }
