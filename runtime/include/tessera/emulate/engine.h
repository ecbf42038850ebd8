// The emulator's engine as kernels and launchers see it: the running thread, running a grid,
// meetings of threads.
//
// A block runs on one OS thread; its threads are fibers that run one at a time until they have to
// wait for each other. So between two meetings a thread runs undisturbed, and accesses within a
// block need no atomics. Blocks are spread over OS threads. TESSERA_EMULATE_SEED=n (n > 0) shuffles
// the order in which blocks, warps and lanes run; `random` chooses n and prints it.
#pragma once

#include <driver_types.h>
#include <vector_types.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

namespace tessera::emulate {

inline constexpr unsigned warp_size = 32;

struct block_context {
  uint3 index;
  dim3 grid;
  dim3 size;
  std::byte *shared; // dynamic shared memory, aligned to 1024
  std::size_t shared_bytes;
  const char *kernel;
};

struct thread_context {
  const block_context *block;
  uint3 index;
  unsigned number; // row-major in the block

  unsigned lane() const { return number % warp_size; }
  unsigned warp() const { return number / warp_size; }
};

// The running thread of the running block; null outside kernels.
extern constinit thread_local const thread_context *current;

// Runs `call(body)` in every thread of every block and returns when all have finished. False:
// threads diverged at a barrier. After that, launches do nothing and return false, as after an
// error of a device, until take_reports(). `only`: the numbers of the blocks that run; empty: all.
bool run(dim3 grid, dim3 block, std::size_t shared_bytes, void (*call)(void *), void *body,
         const char *kernel, std::span<const std::size_t> only = {});

template <class Body> bool run(dim3 grid, dim3 block, std::size_t shared_bytes, Body &&body,
                               const char *kernel, std::span<const std::size_t> only = {}) {
  using body_type = std::remove_reference_t<Body>;
  return run(
      grid, block, shared_bytes, [](void *erased) { (*static_cast<body_type *>(erased))(); },
      const_cast<std::remove_const_t<body_type> *>(std::addressof(body)), kernel, only);
}

// The threads that a meeting expects: generated code is uniform, so there a finished thread is an
// error; in hand-written kernels threads may return early.
enum class attendance { every_thread, unfinished_threads };

// Lanes of a warp that exist in the block.
struct participants {
  unsigned mask;
  attendance who;

  friend bool operator==(participants, participants) = default;
};
inline constexpr participants whole_warp{~0u, attendance::every_thread};
constexpr participants unfinished(unsigned mask) { return {mask, attendance::unfinished_threads}; }

// `name` appears in diagnostics; threads that wait under different names never meet.
void block_barrier(const char *name, attendance who);

// A meeting of lanes of one warp. The last to arrive calls act(operands, lanes) for all:
// operands[lane] is what that lane passed, for each lane in the mask `lanes`.
using warp_action = void (*)(void *const *operands, unsigned lanes);
void warp_meeting(const char *name, participants all, void *operands, warp_action act);

// The same, and memory accesses before it are ordered before those after it. Other meetings do not
// order memory, as on the hardware.
void warp_barrier(const char *name, participants all = whole_warp);

// Runs other threads; a loop that polls memory must call it. No effect outside kernels.
void yield();

// The reason why a launch ended before its threads had finished.
struct failure {
  cudaError_t error = cudaErrorLaunchFailure;
  std::string message;
};
// The first one, after run() has returned false.
failure why_halted();

// Ends the launch of the running thread without resuming any of its threads: run() returns false.
// Called within a kernel.
[[noreturn]] void stop_launch(const failure &why);

// A failed assertion, in the C library's words with the line in front, or "trap": the first thread
// prints it with its index, and the launch ends.
[[noreturn]] void trap(const char *why);

// The running thread's report, piece by piece as for printf; then the report of these pieces, once
// for a message in a kernel, and the end of the launch.
void say(const char *format, ...);
[[noreturn]] void stop_after_saying(const char *kernel, const char *message);

// What the running block prints with several printfs: they are gathered, and printed at the end.
void begin_message();
void print(const char *format, ...);
void end_message();

} // namespace tessera::emulate
