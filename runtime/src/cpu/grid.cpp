// Runs the blocks of a grid on worker threads.
//
// Tiles are on the stack, so the workers are our own threads with large stacks, and a caller never
// runs a block itself: it waits. TESSERA_CPU_THREADS sets the number of workers,
// TESSERA_CPU_STACK_MIB the size of their stacks.
//
// Blocks start in the order of their number, so a block may wait for one with a lower number. It
// may also wait for a later one, if a GPU has room for both at once: tile code is plain C++ here,
// so a polling loop is not visible, and only the system can preempt it. Therefore a launch watches
// its blocks: as long as none ends and some have not started, it adds threads to the grid, up to
// the number of blocks that a large GPU holds. If TESSERA_CPU_THREADS is set, the number of threads
// is fixed.
#include "block_end.h"
#include "fault.h"
#include "last_error.h"
#include "settings.h"
#include "source_line.h"
#include "watch.h"

#include "../verify/memory.h"

#include <tessera/host/cpu.h>
#include <tessera/host/fork.h>
#include <tessera/tile/cpu/extended.h>

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

// For gdb, in every program that runs tile kernels: the printers of tiles. An entry of kind 4 is a
// Python script after its name, and ends with 0.
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
  return static_cast<std::size_t>(number_setting(name, static_cast<double>(otherwise), 1));
}

// In tile code long double has the precision of double. The threads that run blocks run no other
// code of the program; runtime functions that need more precision set it (tile/cpu/extended.h).
void use_double_precision() {
#ifdef __x86_64__
  using namespace cuda::tiles::__prim::cpu;
  set_x87_control(in_53_bits(x87_control()));
#endif
}

// Where a worker resumes when its block fails: tile code needs no cleanup.
thread_local jmp_buf *after_block = nullptr;
thread_local const char *running_kernel = nullptr;
// The number of the block that a thread runs, for the watching thread.
constexpr std::uint64_t no_block = ~std::uint64_t(0);
constinit thread_local std::atomic<std::uint64_t> running_block = no_block;

std::string name_block(const block_position &location) {
  const auto &at = location.index;
  return "block (" + std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " +
         std::to_string(at[2]) + ")";
}

// Blocks often fail at one location: the first reports and fails the launch.
void tell_failure(const kernel_failure &f) {
  static std::mutex one;
  std::scoped_lock lock(one);
  if (has_failed())
    return;
  const std::string line = f.frames.empty() ? f.line : find_location(f.frames).text();
  const std::string message = (line.empty() ? "tessera" : line) + ": " + f.what + " [kernel " +
                              running_kernel + ", " + name_block(current_block) + "]";
  std::fprintf(stderr, "%s\n", message.c_str());
  fail_device(f.error, message.c_str());
}

constexpr kernel_thread tile_thread = {tell_failure, leave_block};

// The processors available to this process.
std::size_t processors() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0
             ? static_cast<std::size_t>(CPU_COUNT(&allowed))
             : 1;
}

// The blocks that a worker has taken at once and runs in order; others may take some of them when
// it is stuck. One word holds the first block's number and the number of started blocks. Also
// counts the ended blocks.
struct alignas(64) block_share {
  static constexpr std::uint64_t most = 64, counts = 2 * most;

  std::atomic<std::uint64_t> started = most; // all blocks have started
  std::atomic<std::uint64_t> ended = 0;      // written by the worker alone
};

// A running grid: the next block, and the workers on it.
struct grid_run {
  // only: the numbers of the blocks that run; empty: all.
  grid_run(dim3 grid, void (*call)(void *), void *body, const char *kernel, std::size_t threads,
           std::span<const std::size_t> only = {})
      : grid(grid), call(call), body(body), kernel(kernel), only(only),
        blocks(only.empty() ? std::uint64_t(grid.x) * grid.y * grid.z : only.size()),
        size(std::clamp<std::uint64_t>(blocks / (16 * threads), 1, block_share::most)),
        shares(threads) {}

  // The loop of a worker: runs blocks until all have started.
  void work(block_share &own) {
    for (;;) {
      const std::uint64_t word = own.started.fetch_add(1, std::memory_order_relaxed);
      std::uint64_t i = word / block_share::counts + word % block_share::counts;
      if (word % block_share::counts >= size) {
        i = next.fetch_add(size, std::memory_order_relaxed);
        if (i >= blocks)
          return;
        own.started.store(i * block_share::counts + 1, std::memory_order_relaxed);
      }
      if (i < blocks)
        run_block(i);
      own.ended.store(own.ended.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
  }

  // The loop of an added thread: blocks that stuck workers have taken and not started come first.
  void relieve() {
    for (block_share &other : shares)
      for (std::uint64_t word = other.started; word % block_share::counts < size;)
        if (other.started.compare_exchange_weak(word, word + 1))
          relieve(word / block_share::counts + word % block_share::counts);
    for (std::uint64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < blocks;)
      relieve(i);
  }
  void relieve(std::uint64_t i) {
    if (i < blocks)
      run_block(i);
    relieved.fetch_add(1, std::memory_order_relaxed);
  }

  // Are there blocks that have not started?
  bool has_more() const {
    return next < blocks ||
           std::any_of(
               shares.begin(), shares.end(),
               [&](const block_share &s) {
                 const std::uint64_t word = s.started, count = word % block_share::counts;
                 return count < size && word / block_share::counts + count < blocks;
               });
  }

  // Increases monotonically while blocks end.
  std::uint64_t ended() const {
    std::uint64_t sum = relieved;
    for (const block_share &share : shares)
      sum += share.ended.load(std::memory_order_relaxed);
    return sum;
  }

  block_position location_of(std::uint64_t number) const {
    if (!only.empty())
      number = only[number];
    const std::uint64_t row = number / grid.x;
    return {{unsigned(number % grid.x), unsigned(row % grid.y), unsigned(row / grid.y)},
            {grid.x, grid.y, grid.z}};
  }

  void run_block(std::uint64_t number) {
    current_block = location_of(number);
    current_trail.begin();
    running_block.store(number, std::memory_order_relaxed);
    jmp_buf end;
    after_block = &end;
    running_kernel = kernel;
    is_running_kernel = true;
    running_kernel_thread = &tile_thread;
    if (setjmp(end) == 0)
      call(body);
    else
      use_double_precision(); // a signal handler starts with the system's
    running_kernel_thread = nullptr;
    is_running_kernel = false;
    after_block = nullptr;
    running_block.store(no_block, std::memory_order_relaxed);
  }

  const dim3 grid;
  void (*const call)(void *);
  void *const body;
  const char *const kernel;
  const std::span<const std::size_t> only;
  const std::uint64_t blocks;
  const std::uint64_t size; // of a share
  std::atomic<std::uint64_t> next = 0;
  std::atomic<std::uint64_t> relieved = 0; // blocks that ended in threads without a share
  std::vector<block_share> shares;

  // Guarded by the pool's mutex.
  struct worker {
    pthread_t thread;
    const std::atomic<std::uint64_t> *block;
  };
  std::vector<worker> workers; // on this grid
  std::size_t joined = 0;      // workers that have joined: each has a share
  std::size_t at_work = 0;
  bool all_started = false;
  std::condition_variable finished;
};

class worker_pool {
public:
  void run(grid_run &r) {
    watched_grid watched(*this, r);
    const watching now(watched);
    std::unique_lock<std::mutex> lock(mutex);
    start_workers();
    waiting.push_back(&r);
    for (std::uint64_t i = std::min<std::uint64_t>(threads, r.blocks); i > 0; i--)
      wake.notify_one();
    const auto is_done = [&r] { return r.all_started && r.at_work == 0; };
    if (is_fixed)
      return r.finished.wait(lock, is_done);
    std::chrono::milliseconds patience(250);
    for (std::uint64_t ended = 0; !r.finished.wait_for(lock, patience, is_done);) {
      // Added threads slow down long-running blocks little, but need memory: so there are few at
      // first.
      const std::uint64_t now = r.ended();
      if (now == ended && r.has_more() && add_relief(r))
        patience *= 2;
      ended = now;
    }
  }

  const std::size_t threads = setting("TESSERA_CPU_THREADS", processors());

private:
  struct relief {
    worker_pool &pool;
    grid_run &run;
  };

  class watched_grid final : public watched_launch {
  public:
    watched_grid(worker_pool &pool, grid_run &run) : pool(pool), run(run) {}
    const char *kernel() const override { return run.kernel; }
    std::uint64_t blocks() const override { return run.blocks; }
    std::uint64_t ended() const override { return run.ended(); }
    std::string describe_blocks() override {
      std::scoped_lock lock(pool.mutex);
      return pool.describe_blocks(run);
    }

  private:
    worker_pool &pool;
    grid_run &run;
  };

  // Under the lock, so that no worker leaves meanwhile.
  static std::string describe_blocks(const grid_run &r) {
    constexpr std::size_t most = 8;
    std::size_t shown = 0;
    std::string text;
    for (const grid_run::worker &w : r.workers) {
      const std::uint64_t number = *w.block;
      if (number == no_block)
        continue;
      if (shown++ == most)
        return text + "\n  ...";
      text += "\n  " + name_block(r.location_of(number)) + " runs" + location_of_thread(w.thread);
    }
    return text;
  }

  // Under the lock.
  static void join(grid_run &r) { r.workers.push_back({pthread_self(), &running_block}); }

  // Under the lock.
  void start_workers() {
    for (; started < threads; started++)
      if (!start([](void *pool) -> void * { static_cast<worker_pool *>(pool)->serve(); }, this)) {
        std::fprintf(stderr,
                     "tessera: cannot create worker threads; make their stacks smaller with "
                     "TESSERA_CPU_STACK_MIB\n");
        std::abort();
      }
  }

  static bool start(void *(*function)(void *), void *argument) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, setting("TESSERA_CPU_STACK_MIB", 256) << 20);
    pthread_t thread;
    const bool is_started = pthread_create(&thread, &attributes, function, argument) == 0;
    if (is_started)
      pthread_detach(thread);
    pthread_attr_destroy(&attributes);
    return is_started;
  }

  // Triples the number of threads on the run, under the lock. Are there any more?
  bool add_relief(grid_run &r) {
    constexpr std::size_t resident = 512;
    const std::size_t before = r.at_work;
    for (std::size_t more = std::max<std::size_t>(3 * before, 1);
         more > 0 && r.at_work < std::min<std::uint64_t>(resident, r.blocks); more--) {
      auto *argument = new relief{*this, r};
      const auto function = [](void *erased) -> void * {
        const std::unique_ptr<relief> given(static_cast<relief *>(erased));
        handle_faults();
        use_double_precision();
        {
          std::scoped_lock lock(given->pool.mutex);
          join(given->run);
        }
        given->run.relieve();
        std::scoped_lock lock(given->pool.mutex);
        given->pool.leave(given->run);
        return nullptr;
      };
      r.at_work++;
      if (!start(function, argument)) {
        delete argument;
        r.at_work--;
        break;
      }
    }
    return r.at_work > before;
  }

  // Under the lock: a thread has found all blocks started.
  void leave(grid_run &r) {
    if (!r.all_started)
      waiting.erase(std::find(waiting.begin(), waiting.end(), &r));
    r.all_started = true;
    std::erase_if(r.workers, [](const auto &w) { return w.block == &running_block; });
    // Notified under the lock: the run is destroyed as soon as its launch has returned.
    if (--r.at_work == 0)
      r.finished.notify_one();
  }

  [[noreturn]] void serve() {
    handle_faults();
    use_double_precision();
    for (std::unique_lock<std::mutex> lock(mutex);;) {
      wake.wait(lock, [this] { return !waiting.empty(); });
      grid_run &r = *waiting.front();
      block_share &share = r.shares[r.joined++];
      r.at_work++;
      join(r);
      lock.unlock();
      r.work(share);
      lock.lock();
      leave(r);
    }
  }

  const bool is_fixed = std::getenv("TESSERA_CPU_THREADS");

  std::mutex mutex;
  std::condition_variable wake;
  std::deque<grid_run *> waiting; // grids with blocks that have not started
  std::size_t started = 0;        // workers
};

// A program may launch until its very end.
worker_pool &pool() {
  static constinit per_process<worker_pool> one;
  return one.get();
}

// A kernel's frame is also on the launching thread's stack, until the kernel has detected its
// launch. The main thread's stack grows on demand up to its limit, and the system reserves at least
// 128 MiB of addresses for it.
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

// The launch, first of a sample of the blocks if there are many, into the record that other targets
// follow.
template <class Run> static void record_launch(dim3 grid, const char *kernel, Run run) {
  static std::FILE *const file = std::fopen(verify::file_to_record(), "wb");
  static std::mutex one;
  const std::scoped_lock lock(one);
  verify::recorded_launch launch{
      verify::base_name(kernel), 1ull * grid.x * grid.y * grid.z, {}, {}, {}};
  const verify::snapshot before = verify::take_snapshot();
  const std::vector<std::size_t> sample = verify::sample_of(launch.blocks);
  launch.is_sampled = !sample.empty();
  if (launch.is_sampled) {
    run(sample);
    launch.of_sample = verify::changes_since(before);
    verify::restore(before);
  }
  run({});
  launch.of_all = verify::changes_since(before);
  if (file)
    verify::write(file, launch);
}

void run_grid(const launch_configuration &configuration, void (*call)(void *), void *body,
              const char *kernel) {
  if (!is_tile_launch(configuration.grid, configuration.block)) {
    note(cudaErrorInvalidConfiguration);
    return;
  }
  if (device_status() != cudaSuccess)
    return;
  const auto run = [&](std::span<const std::size_t> only) {
    grid_run r(configuration.grid, call, body, kernel, pool().threads, only);
    pool().run(r);
  };
  if (verify::file_to_record())
    record_launch(configuration.grid, kernel, run);
  else
    run({});
  (void)device_status(); // records the error of a block
}

void leave_block() {
  if (!after_block)
    std::abort();
  longjmp(*after_block, 1);
}

} // namespace tessera::host

// The C library's assert calls this. In a kernel it ends the block and sets cudaErrorAssert, as on
// a GPU; elsewhere it ends the process.
extern "C" [[noreturn]] void __assert_fail(const char *expression, const char *file, unsigned line,
                                           const char *function) noexcept {
  tessera::host::fail_kernel(cudaErrorAssert, std::string(file) + ":" + std::to_string(line),
                             std::string(function) + ": Assertion `" + expression + "' failed.");
}
