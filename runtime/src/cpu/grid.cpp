// Runs the blocks of a grid on worker threads.
//
// Tiles live on the stack, so the workers are threads of our own with large stacks, and a caller
// never runs a block itself: it waits. Blocks start in the order of their number, so a block may
// wait for one with a lower number. TESSERA_CPU_THREADS sets the number of workers,
// TESSERA_CPU_STACK_MIB the size of their stacks.
#include "block_end.h"
#include "last_error.h"

#include <tessera/host/cpu.h>

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>

// For gdb, in every program that runs tile kernels: how tiles look. An entry of kind 4 is a text of
// Python behind its name, and ends with 0.
#ifdef TESSERA_GDB_PRINTER
asm(R"(
.pushsection .debug_gdb_scripts, "MS", @progbits, 1
.byte 4
.ascii "tessera_gdb.py\n"
.incbin ")" TESSERA_GDB_PRINTER R"("
.byte 0
.popsection
)");
#endif

namespace tessera::host {
namespace {

std::size_t setting(const char *name, std::size_t otherwise) {
  const char *text = std::getenv(name);
  const long value = text ? std::atol(text) : 0;
  return value > 0 ? static_cast<std::size_t>(value) : otherwise;
}

// Where a worker goes on when an assertion fails in the block it runs: tile code has nothing to
// clean up.
thread_local jmp_buf *after_block = nullptr;

// The processors that this process may use.
std::size_t processors() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0
             ? static_cast<std::size_t>(CPU_COUNT(&allowed))
             : 1;
}

// A grid that is being run: which block is next, and how many workers are at it.
struct grid_run {
  grid_run(dim3 grid, void (*call)(void *), void *body, std::size_t threads)
      : grid(grid), call(call), body(body), blocks(std::uint64_t(grid.x) * grid.y * grid.z),
        share(std::clamp<std::uint64_t>(blocks / (16 * threads), 1, 64)) {}

  // Runs blocks until all have started.
  void work() {
    for (std::uint64_t first; (first = next.fetch_add(share, std::memory_order_relaxed)) < blocks;)
      for (std::uint64_t i = first; i < std::min(first + share, blocks); i++)
        run_block(i);
  }

  void run_block(std::uint64_t number) {
    const std::uint64_t row = number / grid.x;
    current_block = {{unsigned(number % grid.x), unsigned(row % grid.y), unsigned(row / grid.y)},
                     {grid.x, grid.y, grid.z}};
    jmp_buf end;
    after_block = &end;
    is_running_kernel = true;
    if (setjmp(end) == 0)
      call(body);
    is_running_kernel = false;
    after_block = nullptr;
  }

  const dim3 grid;
  void (*const call)(void *);
  void *const body;
  const std::uint64_t blocks;
  const std::uint64_t share; // blocks that a worker takes at once
  std::atomic<std::uint64_t> next = 0;

  // Guarded by the pool's mutex.
  std::size_t at_work = 0;
  bool all_started = false;
  std::condition_variable finished;
};

class worker_pool {
public:
  worker_pool() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, setting("TESSERA_CPU_STACK_MIB", 256) << 20);
    for (std::size_t i = 0; i < threads; i++) {
      pthread_t thread;
      if (pthread_create(
              &thread, &attributes,
              [](void *pool) -> void * { static_cast<worker_pool *>(pool)->serve(); }, this) != 0) {
        std::fprintf(stderr, "tessera: cannot create worker threads; TESSERA_CPU_STACK_MIB makes "
                             "their stacks smaller\n");
        std::abort();
      }
      pthread_detach(thread);
    }
    pthread_attr_destroy(&attributes);
  }

  void run(grid_run &r) {
    std::unique_lock<std::mutex> lock(mutex);
    waiting.push_back(&r);
    for (std::uint64_t i = std::min<std::uint64_t>(threads, r.blocks); i > 0; i--)
      wake.notify_one();
    r.finished.wait(lock, [&r] { return r.all_started && r.at_work == 0; });
  }

  const std::size_t threads = setting("TESSERA_CPU_THREADS", processors());

private:
  [[noreturn]] void serve() {
    for (std::unique_lock<std::mutex> lock(mutex);;) {
      wake.wait(lock, [this] { return !waiting.empty(); });
      grid_run &r = *waiting.front();
      r.at_work++;
      lock.unlock();
      r.work();
      lock.lock();
      if (!r.all_started)
        waiting.erase(std::find(waiting.begin(), waiting.end(), &r));
      r.all_started = true;
      // Notified under the lock: the run is gone as soon as its launch has returned.
      if (--r.at_work == 0)
        r.finished.notify_one();
    }
  }

  std::mutex mutex;
  std::condition_variable wake;
  std::deque<grid_run *> waiting; // grids with blocks that have not started
};

// Never destroyed, as its threads never end: a program may launch until its very end.
worker_pool &pool() {
  static worker_pool &p = *new worker_pool;
  return p;
}

// A kernel's frame is on the launching thread's stack, too, until the kernel has found that it is
// being launched. The main thread's stack grows on demand up to its limit, and the system leaves at
// least 128 MiB of addresses for it.
[[maybe_unused]] const bool main_stack_may_grow = [] {
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0)
    return false;
  const rlim_t wanted = std::min<rlim_t>(limit.rlim_max, 120 << 20);
  if (limit.rlim_cur >= wanted)
    return true;
  limit.rlim_cur = wanted;
  return setrlimit(RLIMIT_STACK, &limit) == 0;
}();

} // namespace

std::size_t worker_count() { return pool().threads; }

void run_grid(const launch_configuration &configuration, void (*call)(void *), void *body) {
  if (!is_tile_launch(configuration.grid, configuration.block)) {
    note(cudaErrorInvalidConfiguration);
    return;
  }
  if (device_status() != cudaSuccess)
    return;
  grid_run r(configuration.grid, call, body, pool().threads);
  pool().run(r);
}

void end_block(cudaError_t error) {
  if (!after_block)
    std::abort();
  fail_device(error);
  longjmp(*after_block, 1);
}

} // namespace tessera::host

// The C library's assert ends in this. In a block it ends the block and leaves cudaErrorAssert, as
// on a GPU; elsewhere the process.
extern "C" [[noreturn]] void __assert_fail(const char *expression, const char *file, unsigned line,
                                           const char *function) noexcept {
  if (!tessera::host::after_block) {
    std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
    std::abort();
  }
  const auto &at = tessera::host::current_block.index;
  std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u] Assertion `%s' failed.\n", file, line,
               function, at[0], at[1], at[2], expression);
  tessera::host::end_block(cudaErrorAssert);
}
