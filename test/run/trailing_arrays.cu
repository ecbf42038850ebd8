// Arrays of no length and of an unknown one at the end of a struct: operands where a pointer is, as
// arrays of any length are.
#include <cuda_tile.h>

#include <cstdio>
#include <cuda_runtime.h>
namespace ct = cuda::tiles;

struct none {
  int n;
  int tail[0];
};
struct unknown {
  int n;
  float tail[];
};
struct three {
  int n;
  int tail[3];
};
using four = ct::tile<int, ct::shape<4>>;

__tile_global__ void of_none(none *p, int *out) {
  const auto i = ct::iota<four>();
  ct::store(out + i, ct::load(p->tail + i) + ct::load(i + p->tail) + p->n);
  ct::atomic_add(p->tail + 1, 5, ct::memory_order_relaxed_t{});
  p->tail[0] = ct::load(p->tail) + 7;
  auto view = ct::partition_view{ct::tensor_span{p->tail, ct::extents{4}}, ct::shape<4>{}};
  view.store(view.load(0) * 2, 0);
}
__tile_global__ void of_unknown(const unknown *p, int *out) {
  const auto i = ct::iota<four>();
  ct::store(out + i, ct::element_cast<int>(ct::load(p->tail + i)) + p->n);
}
__tile_global__ void of_three(three *p, int *out) {
  out[0] = ct::load(p->tail + 2);
  ct::store(p->tail, 4);
}

static int *memory, *out;

static void show() {
  cudaDeviceSynchronize();
  std::printf("%d %d %d %d, %d %d %d %d\n", out[0], out[1], out[2], out[3], memory[1], memory[2],
              memory[3], memory[4]);
}

int main() {
  cudaMallocManaged(&memory, 64);
  cudaMallocManaged(&out, 64);
  for (int i = 0; i < 8; i++)
    memory[i] = i + 1;
  of_none<<<1, 1>>>(reinterpret_cast<none *>(memory), out);
  show();
  of_three<<<1, 1>>>(reinterpret_cast<three *>(memory), out);
  show();
  auto *floats = reinterpret_cast<unknown *>(memory);
  for (int i = 0; i < 4; i++)
    floats->tail[i] = 1.5f * float(i);
  of_unknown<<<1, 1>>>(floats, out);
  show();
}
