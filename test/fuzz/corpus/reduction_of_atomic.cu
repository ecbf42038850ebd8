// A number that an atomic gives is in every thread where a tile of it is reduced.
#include <fuzz.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

// kernel reduction_of_atomic
__tile_global__ void reduction_of_atomic(float *__restrict__ o0) {
  float *own = o0 + ct::bid().x * 256;
  auto some = ct::full<ct::tile<float, ct::shape<8>>>(
      64.0f + ct::atomic_load(own + 10, ct::memory_order_acquire_t{}));
  ct::store(own, static_cast<float>(ct::reduce_min<0>(ct::min(some, 512.0f))));
}

static void run_reduction_of_atomic() {
  auto o0 = fuzz::buffer<float>(512, -512ll, 1025ull, 3);
  reduction_of_atomic<<<dim3(2, 1, 1), 1>>>(o0);
  fuzz::show("reduction_of_atomic", "o0", o0);
}

static const fuzz::kernel kernels[] = {
    {"reduction_of_atomic", run_reduction_of_atomic},
};

int main(int argc, char **argv) { return fuzz::run(argc, argv, kernels); }
