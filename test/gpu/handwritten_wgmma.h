// A matrix product written by hand in the style of emitted text for sm_90a: what the planner is to
// make of one. bf16 operands, float accumulators, tiles of 128 x Columns x 64.
//
// 384 threads: two warpgroups multiply 64 rows each, one thread of the third fills the ring. A
// multiply is in flight while the next is started; its stage is given back when it is done. Results
// go out while the next tile is multiplied. Each
// block takes every grid-th tile, in bands of eight rows of tiles, whose operands stay in L2.
#pragma once

#include <tessera/simt.cuh>

#include <tessera/ops/bulk_copy.cuh>

namespace kernels {

using namespace tessera;

// T times T gives Out, added up in Acc.
template <class T, class Out, class Acc, int Columns, int Stages, bool TransposedB>
struct wgmma_tiling {
  using element = T;
  using result = Out;
  using sum = Acc;
  static constexpr int rows = 128, columns = Columns, depth = 128 / sizeof(T), stages = Stages;
  static constexpr int log_columns = Columns == 256 ? 8 : 7;
  static constexpr int log_depth = tessera::log2(static_cast<unsigned>(depth));
  static constexpr bool is_b_transposed = TransposedB;
  static_assert(Columns == 128 || Columns == 256, "the layouts below");

  using a_tile = shared_tile<T, shape<rows, depth>, panels<T, 7, log_depth>>;
  using b_tile =
      std::conditional_t<TransposedB,
                         shared_tile<T, shape<Columns, depth>, panels<T, log_columns, log_depth>>,
                         shared_tile<T, shape<depth, Columns>, panels<T, log_depth, log_columns>>>;
  using accumulator =
      std::conditional_t<Columns == 256,
                         layout<shape<128, 256>, registers<1, 2048, 8, 16, 32, 64, 128>,
                                lanes<2, 4, 256, 512, 1024>, warps<4096, 8192, 16384>>,
                         layout<shape<128, 128>, registers<1, 1024, 8, 16, 32, 64>,
                                lanes<2, 4, 128, 256, 512>, warps<2048, 4096, 8192>>>;

  static constexpr int a_bytes = rows * 128, b_bytes = Columns * 128;
  static constexpr int a_start = 0, b_start = Stages * a_bytes;
  // What goes out: one panel at a time, while the one before is on its way.
  static constexpr int panel_columns = 128 / sizeof(Out);
  using c_panel = shared_tile<Out, shape<rows, panel_columns>,
                              panels<Out, 7, tessera::log2(static_cast<unsigned>(panel_columns))>>;
  using c_part = std::conditional_t<sizeof(Out) == 2,
                                    layout<shape<rows, 64>, registers<1, 512, 8, 16, 32>,
                                           lanes<2, 4, 64, 128, 256>, warps<1024, 2048, 4096>>,
                                    layout<shape<rows, 32>, registers<1, 256, 8, 16>,
                                           lanes<2, 4, 32, 64, 128>, warps<512, 1024, 2048>>>;
  static constexpr int c_start = b_start + Stages * b_bytes;
  static constexpr int barriers = c_start + 2 * rows * 128;
  static constexpr int shared_bytes = barriers + Stages * 16;
  static constexpr int threads = 384;
};

// The warpgroup's rows of a result, panel by panel.
template <class S, std::size_t... P>
TESSERA_DEVICE void store_panels(const fragment<typename S::result, typename S::accumulator> &x,
                                 const tensor_map &c, int row, int column,
                                 std::index_sequence<P...>) {
  constexpr int width = S::panel_columns, panel_bits = S::columns - width;
  const int first_row = arch::warpgroup_start() * 16;
  const bool speaks = thread_index() % 128 == 0;
  auto meet = [&] { barrier_of_warps(1 + first_row / 64, 128); };
  auto store_panel = [&](auto panel, const auto &part) {
    const auto tile = shared_slot<typename S::c_panel>(S::c_start, panel % 2);
    if (speaks)
      wait_stores<1>();
    meet();
    store_shared(tile, part);
    fence_shared();
    meet();
    if (speaks) {
      store_box(tile, first_row, c, row + first_row, column + panel * width);
      commit_stores();
    }
  };
  (store_panel(static_cast<int>(P),
               part<typename S::c_part, panel_bits, static_cast<int>(P) * S::panel_columns>(x)),
   ...);
}

// a is m x k, b is k x n (n x k if it is transposed), c is m x n; rows are aligned to 16 bytes.
// Boxes have 128 bytes and 128 rows of a, the depth of b (transposed, the columns of a tile), 64 of
// c.
template <class S> __global__ void __launch_bounds__(S::threads, 1)
    gemm_by_roles(const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b,
                  const __grid_constant__ tensor_map c, int m, int n, int k) {
  const int rows = (m + S::rows - 1) / S::rows, columns = (n + S::columns - 1) / S::columns;
  const int tiles = rows * columns, steps = (k + S::depth - 1) / S::depth, band = 8 * columns;
  auto row_of = [&](int tile) {
    const int first = tile / band * 8, height = rows - first < 8 ? rows - first : 8;
    return (first + tile % band % height) * S::rows;
  };
  auto column_of = [&](int tile) {
    const int first = tile / band * 8, height = rows - first < 8 ? rows - first : 8;
    return tile % band / height * S::columns;
  };
  auto full = [](int slot) { return phase_barrier{S::barriers + slot * 16}; };
  auto empty = [](int slot) { return phase_barrier{S::barriers + slot * 16 + 8}; };
  if (thread_index() == 0) {
    for (int s = 0; s < S::stages; ++s) {
      init(full(s), 1);
      init(empty(s), 2);
    }
    fence_barriers();
  }
  barrier();

  int slot = 0, parity = 0;
  auto next = [&] {
    if (++slot == S::stages) {
      slot = 0;
      parity ^= 1;
    }
  };
  if (arch::warpgroup_start() == 8) {
    arch::setmaxnreg_dec<40>();
    if (thread_index() != 256)
      return;
    for (int tile = block_index<0>(); tile < tiles; tile += grid_size<0>()) {
      const int row = row_of(tile), column = column_of(tile);
      for (int i = 0; i < steps; ++i) {
        wait(empty(slot), parity ^ 1);
        arrive_for(full(slot), S::a_bytes + S::b_bytes);
        copy_box(shared_slot<typename S::a_tile>(S::a_start, slot), a, row, i * S::depth,
                 full(slot));
        if constexpr (S::is_b_transposed)
          copy_box(shared_slot<typename S::b_tile>(S::b_start, slot), b, column, i * S::depth,
                   full(slot));
        else
          copy_box(shared_slot<typename S::b_tile>(S::b_start, slot), b, i * S::depth, column,
                   full(slot));
        next();
      }
    }
    return;
  }

  arch::setmaxnreg_inc<232>();
  const bool speaks = thread_index() % 128 == 0; // for its warpgroup
  for (int tile = block_index<0>(); tile < tiles; tile += grid_size<0>()) {
    auto sum = splat<typename S::accumulator>(typename S::sum());
    int before = 0;
    for (int i = 0; i < steps; ++i) {
      wait(full(slot), parity);
      const auto a_tile = shared_slot<typename S::a_tile>(S::a_start, slot);
      const auto b_tile = shared_slot<typename S::b_tile>(S::b_start, slot);
      if constexpr (S::is_b_transposed)
        mma_start(a_tile, transposed(b_tile), sum);
      else
        mma_start(a_tile, b_tile, sum);
      if (i > 0) {
        mma_wait<1>();
        if (speaks)
          arrive(empty(before));
      }
      before = slot;
      next();
    }
    mma_wait(sum);
    if (speaks)
      arrive(empty(before));
    const int row = row_of(tile), column = column_of(tile);
    constexpr auto every_panel = std::make_index_sequence<S::columns / S::panel_columns>();
    if constexpr (std::is_same_v<typename S::result, typename S::sum>)
      store_panels<S>(sum, c, row, column, every_panel);
    else
      store_panels<S>(cast<typename S::result>(sum), c, row, column, every_panel);
  }
  if (speaks)
    wait_stores<0>();
}

template <int Columns, int Stages, bool TransposedB> using bf16_tiling =
    wgmma_tiling<bf16, bf16, float, Columns, Stages, TransposedB>;
template <int Columns, int Stages> using tf32_tiling =
    wgmma_tiling<tf32, float, float, Columns, Stages, true>;
template <class T, int Columns, int Stages> using fp8_tiling =
    wgmma_tiling<T, bf16, float, Columns, Stages, true>;
template <class T, int Columns, int Stages> using int8_tiling =
    wgmma_tiling<T, int, int, Columns, Stages, true>;

} // namespace kernels
