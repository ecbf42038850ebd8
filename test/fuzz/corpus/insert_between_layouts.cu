// The tile that insert changes and the one it gives may have different layouts: this was a fault
// of the compiler.
#include <fuzz.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

// kernel insert_between_layouts
__tile_global__ void insert_between_layouts(int *o1) {
  const auto block2 = ct::bid().x;
  int *to4 = o1 + block2 * 256;
  ct::store(to4 + ct::iota<ct::tile<long long, ct::shape<2, 8>>>(),
            ct::transpose(ct::insert(ct::iota<ct::tile<int, ct::shape<8, 2>>>(),
                                     ct::iota<ct::tile<int, ct::shape<4, 2>>>(), 0ll, 0)));
}

static void run_insert_between_layouts() {
  auto o1 = fuzz::buffer<int>(768, -2147483648ll, 4294967296ull, 0);
  insert_between_layouts<<<dim3(3, 1, 1), 1>>>(o1);
  fuzz::show("insert_between_layouts", "o1", o1);
}

static const fuzz::kernel kernels[] = {
    {"insert_between_layouts", run_insert_between_layouts},
};

int main(int argc, char **argv) { return fuzz::run(argc, argv, kernels); }
