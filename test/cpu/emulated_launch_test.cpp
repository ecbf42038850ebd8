// Launches of emitted kernels under the emulator: through the entry, by pointer, by address, and
// with CUDA's errors for CUDA's mistakes.
#define TESSERA_EMULATE
#include <tessera/host/launch.h>
#include <tessera/host/tile_list.h>

#include <array>
#include <gtest/gtest.h>
#include <limits>

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

// ---- Tiles that a program numbers by itself -----------------------------------------------------

using tessera::host::tile_list;

dim3 grid_of(std::initializer_list<std::array<long long, 3>> places) {
  tile_list tiles;
  for (const std::array<long long, 3> &p : places)
    tiles.add(p[0], p[1], p[2]);
  return tiles.grid();
}
void expect_grid(dim3 grid, unsigned x, unsigned y, unsigned z) {
  EXPECT_EQ(grid.x, x);
  EXPECT_EQ(grid.y, y);
  EXPECT_EQ(grid.z, z);
}

TEST(TileList, GridInAnyOrder) {
  expect_grid(grid_of({{1, 1, 0}, {0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}, {1, 0, 0}}), 3, 2, 1);
}
TEST(TileList, EachPlaceOnce) {
  expect_grid(grid_of({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}), 0, 0, 0);
  expect_grid(grid_of({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1, 0}}), 0, 0, 0);
  expect_grid(grid_of({}), 0, 0, 0);
}
TEST(TileList, PlacesOfAGrid) {
  expect_grid(grid_of({{-1, 0, 0}, {0, 0, 0}}), 0, 0, 0);
  expect_grid(grid_of({{0, 1ll << 40, 0}}), 0, 0, 0);
  expect_grid(grid_of({{(1ll << 32) + 1, 0, 0}, {0, 0, 0}}), 0, 0, 0);
}
// A GPU goes on where there is no quotient; a process would end.
TEST(TileList, Quotients) {
  tile_list tiles;
  EXPECT_EQ(tiles.ceildiv(-7, 2), -3);
  EXPECT_EQ(tiles.ceildiv(7, 2), 4);
  EXPECT_EQ(tiles.ceildiv(7u, 2u), 4u);
  EXPECT_EQ(tiles.floordiv(-7, 2), -4);
  EXPECT_EQ(tiles.quotient(-7, 2), -3);
  EXPECT_EQ(tiles.remainder(-7, 2), -1);
  EXPECT_TRUE(tiles.may_be_grid());
  tiles.quotient(7, 0);
  EXPECT_FALSE(tiles.may_be_grid());
  tile_list others;
  others.remainder(std::numeric_limits<int>::min(), -1);
  EXPECT_FALSE(others.may_be_grid());
}

// Tiles of one row, as many as the second argument says; lists are counted.
int lists = 0;
void list(tile_list &tiles, dim3 block, dim3 grid, const float *, int count, int) {
  lists += block.x == 0;
  for (int tile = int(block.x); tile < count; tile += int(grid.x))
    tiles.add(tile);
}
TEST(TileList, ListsOncePerGrid) {
  constexpr auto tiles = tessera::host::tiles_by<&list, 2>;
  const float *base = nullptr;
  int count = 7, other = 1;
  void *arguments[] = {&base, &count, &other};
  expect_grid(tiles(3, arguments), 7, 1, 1);
  base = reinterpret_cast<const float *>(64), other = 2;
  expect_grid(tiles(3, arguments), 7, 1, 1);
  EXPECT_EQ(lists, 1);
  expect_grid(tiles(4, arguments), 7, 1, 1);
  count = 9;
  expect_grid(tiles(3, arguments), 9, 1, 1);
  EXPECT_EQ(lists, 3);
  count = 1 << 20;
  expect_grid(tiles(3, arguments), 0, 0, 0);
}

} // namespace
