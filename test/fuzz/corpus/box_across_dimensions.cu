// A box of two elements, one in each of two rows of the tile that cat puts together.
#include <fuzz.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

// kernel box_across_dimensions
__tile_global__ void box_across_dimensions(float *o0) {
  using pair = ct::tile<float, ct::shape<1, 2, 1, 1>>;
  auto sums = ct::sum<2>(ct::full<ct::tile<float, ct::shape<1, 2, 64, 1>>>(-4.875f));
  ct::store(o0 + ct::iota<ct::tile<int, ct::shape<1, 2, 2, 1>>>(),
            ct::cat<2>(sums, ct::zeros<pair>()));
}

static void run_box_across_dimensions() {
  auto o0 = fuzz::buffer<float>(1024, -512ll, 1025ull, 3);
  box_across_dimensions<<<dim3(1, 1, 1), 1>>>(o0);
  fuzz::show("box_across_dimensions", "o0", o0);
}

static const fuzz::kernel kernels[] = {
    {"box_across_dimensions", run_box_across_dimensions},
};

int main(int argc, char **argv) { return fuzz::run(argc, argv, kernels); }
