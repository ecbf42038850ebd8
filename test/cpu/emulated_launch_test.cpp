// Launches of emitted kernels under the emulator: through the entry, by pointer, by address, and
// with CUDA's errors for CUDA's mistakes.
#define TESSERA_EMULATE
#include <tessera/host/launch.h>

#include <gtest/gtest.h>

namespace {
using tessera::host::configure;

// What the compiler makes of a tile kernel: the emitted kernel, and the entry that stands for the
// tile kernel on the host.
void scale_simt(int *x, int factor) {
  const auto &thread = *tessera::emulate::current;
  x[thread.block->index.x * thread.block->size.x + thread.number] *= factor;
}
void scale(int *x, int factor) { tessera::host::launch<void (*)(int *, int), &scale>(x, factor); }
const tessera::host::kernel_registration<decltype(&scale_simt), &scale> registration{
    &scale_simt, "scale", {{90, 64, 0}}};

struct EmulatedLaunch : testing::Test {
  int x[128];
  EmulatedLaunch() {
    for (int i = 0; i < 128; i++)
      x[i] = i;
  }
  void expect_scaled_by(int factor) {
    for (int i = 0; i < 128; i++)
      EXPECT_EQ(x[i], factor * i);
  }
};

TEST_F(EmulatedLaunch, ThroughTheEntry) {
  (configure(2, 1), scale(x, 3));
  expect_scaled_by(3);
}
TEST_F(EmulatedLaunch, ThroughAPointer) {
  tessera::host::launch_any(&scale, 2)(x, 5);
  expect_scaled_by(5);
}
TEST_F(EmulatedLaunch, ByAddress) {
  int *p = x, factor = 7;
  void *arguments[] = {&p, &factor};
  EXPECT_EQ(cudaLaunchKernel(&scale, 2, 1, arguments), cudaSuccess);
  expect_scaled_by(7);
}
TEST_F(EmulatedLaunch, ABlockSizeIsRefused) {
  (configure(2, 64), scale(x, 3));
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  (configure(0, 1), scale(x, 3));
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  expect_scaled_by(1);
}

} // namespace
