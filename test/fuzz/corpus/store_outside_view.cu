// A masked box that lies wholly outside its view writes nothing.
#include <fuzz.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

// kernel store_outside_view
__tile_global__ void store_outside_view(unsigned *o0) {
  const auto block4 = int(ct::bid().x);
  unsigned *to5 = o0 + block4 * 1024;
  auto view11 =
      ct::partition_view{ct::tensor_span{to5, ct::extents{6_ic, 3_ic}}, ct::shape<2, 1>{}};
  view11.store_masked(ct::full<ct::tile<unsigned, ct::shape<2, 1>>>(1u), 3, 0);
}

static void run_store_outside_view() {
  auto o0 = fuzz::buffer<unsigned>(3072, 0ll, 4294967296ull, 0);
  store_outside_view<<<dim3(3, 1, 1), 1>>>(o0);
  fuzz::show("store_outside_view", "o0", o0);
}

static const fuzz::kernel kernels[] = {
    {"store_outside_view", run_store_outside_view},
};

int main(int argc, char **argv) { return fuzz::run(argc, argv, kernels); }
