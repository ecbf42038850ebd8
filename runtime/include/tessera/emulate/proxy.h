// Asynchronous operations under the emulator: wgmma, bulk copies, and the mbarriers on which they
// complete.
//
// A multiply executes at its wait, so that an early use of its accumulators shows; its operands in
// shared memory must not change from its start on, and must have been fenced if threads wrote them.
// A copy reads and writes when its phase completes, not earlier; a wait for a phase that never
// completes is reported as divergence.
#pragma once

#include <tessera/emulate/engine.h>

#include "../tensor_map.h"

namespace tessera::emulate {

// An operand of a multiply: its start in the block's shared memory, its strides (see
// arch::operand_at), and whether its outer dimension, m or n, runs along the rows of 128 bytes.
struct warpgroup_operand {
  unsigned long long fields;
  bool is_outer_along_rows;
};

// The element type of both operands.
enum class operand_type { half, bf16, tf32, e4m3, e5m2, s8, u8 };

// d[0 .. n / 2) += a * b, 64 rows and n columns, 32 bytes of k. d: ints for operands that are
// integers, else floats. All threads of the warpgroup take part.
void start_multiply(void *d, warpgroup_operand a, warpgroup_operand b, int n, operand_type of);
// The same with a, of 16-bit elements, in four registers of each thread: pairs of elements of its
// warp's 16 rows and 16 columns, in the order of an accumulator's.
void start_multiply(float *d, const unsigned *a, warpgroup_operand b, int n, operand_type of);
void commit_multiplies();
void wait_multiplies(unsigned pending);
// See arch::fence_async, arch::fence_async_memory.
void fence_async();
void fence_async_memory();

// An array in global memory and the box of it that a copy takes, the fastest dimension first; the
// contents of a tensor map. Its rows, of 128, 64 or 32 bytes, follow one another, and their chunks
// of 16 bytes are swizzled as in panels.
struct boxes {
  void *base;
  int rank, element_bytes;
  long long stride[max_dimensions]; // bytes
  unsigned extent[max_dimensions];
  int box[max_dimensions];
  bool rounds_to_tf32;
};
// Does the driver make tensor maps? TESSERA_EMULATE_MAPS=0 in the environment simulates an old one.
bool has_maps();
void make_map(tensor_map &map, int rank, int element_bytes, const void *base,
              const unsigned *extents, const unsigned long long *strides, const int *box,
              bool rounds_to_tf32);
// The one tensor map with these contents.
const tensor_map *known_tensor_map(const tensor_map &map);

void begin_phases(void *barrier, int count);
void arrive(void *barrier, int bytes);
void wait_phase(void *barrier, int parity);
void end_phases(void *barrier);
// at: one number for each dimension of the tensor map.
void copy_bulk(void *shared, const tensor_map &map, const int *at, void *barrier);
// The same of consecutive bytes.
void copy_bulk(void *shared, const void *from, int bytes, void *barrier);
// Reads shared memory when the running thread waits for the group, and writes the array when it
// waits for that, or when it ends.
void store_bulk(const void *shared, const tensor_map &map, const int *at);
void commit_bulk_stores();
void wait_bulk_stores(unsigned pending);
void wait_bulk_stores_written(unsigned pending);
// Sets the registers of each thread of the warpgroup. A report where the warpgroups ask for more
// than the block has.
void set_registers(int count, bool increases);
// A barrier of `threads` threads. Memory accesses before it are ordered before those after it.
void named_barrier(int number, int threads);

} // namespace tessera::emulate
