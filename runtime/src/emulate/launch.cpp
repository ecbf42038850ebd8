// Spreads the blocks of a launch over OS threads: the caller and helpers, which are started on
// first use and kept.
#include "atomic.h"
#include "block.h"
#include "reporting.h"

#include "../cpu/watch.h"

#include <tessera/emulate/memory.h>
#include <tessera/host/allocations.h>
#include <tessera/host/fork.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <numeric>
#include <thread>
#include <vector>

namespace tessera::emulate {
namespace {

// The memory that the blocks of a launch allocated.
class memory_of_blocks {
public:
  void *allocate(std::size_t bytes) {
    const std::size_t guard = host::allocations().guard_of(bytes);
    void *storage = std::malloc(bytes + 2 * guard);
    if (!storage)
      throw std::bad_alloc();
    char *memory = static_cast<char *>(storage) + guard;
    if (guard)
      host::allocations().note({reinterpret_cast<std::uintptr_t>(memory), bytes, guard, storage});
    std::scoped_lock lock(mutex_);
    all_.push_back({memory, storage});
    return memory;
  }

  void free_all() {
    std::scoped_lock lock(mutex_);
    for (auto [memory, storage] : all_) {
      host::allocations().forget(memory);
      std::free(storage);
    }
    all_.clear();
  }

private:
  std::mutex mutex_;
  std::vector<std::pair<void *, void *>> all_; // with its enclosing allocation
};

memory_of_blocks &block_memory() {
  static constinit host::per_process<memory_of_blocks> one;
  return one.get();
}

class worker_pool {
public:
  bool run(launch &work) {
    host::handle_faults();
    std::scoped_lock one_launch_at_a_time(launches_);
    if (launches_halted())
      return false;
    all_global_memory().begin_launch();
    all_atomics().begin_launch();
    std::size_t workers = std::min<std::size_t>(work.blocks_to_run(),
                                                std::max(1u, std::thread::hardware_concurrency()));
    watched_run watched(*this, work);
    const host::watching now(watched);
    if (workers > 1)
      ask_for_help(work, static_cast<unsigned>(workers - 1));
    run_blocks(work, callers_runner_);
    wait_for_helpers();
    block_memory().free_all();
    return !work.stopped;
  }

  void ask_for_help(launch &work, unsigned helpers) {
    std::scoped_lock lock(mutex_);
    work_ = &work;
    wanted_ += helpers;
    for (; idle_ + starting_ < wanted_ && helpers_ < max_helpers; ++helpers_, ++starting_)
      std::thread([this] { help(); }).detach();
    work_came_.notify_all();
  }

private:
  static constexpr unsigned max_helpers = 256;

  // A different order for each seed: a step that is coprime to the count visits all.
  static std::size_t shuffled(std::size_t iteration, std::size_t count) {
    std::size_t seed = order_seed(), step = seed * 2654435761u % count;
    while (std::gcd(step, count) != 1)
      step = (step + 1) % count;
    return seed ? (iteration * step + seed) % count : iteration;
  }

  struct at_work {
    block_runner *runner;
    pthread_t thread;
  };

  class watched_run final : public host::watched_launch {
  public:
    watched_run(worker_pool &pool, launch &work) : pool(pool), work(work) {}
    const char *kernel() const override { return work.kernel; }
    std::uint64_t blocks() const override { return work.blocks_to_run(); }
    std::uint64_t ended() const override { return work.ended; }
    std::string describe_blocks() override { return pool.describe_blocks(work); }

  private:
    worker_pool &pool;
    launch &work;
  };

  // A block that requests another worker takes the mutex, so it is not held during the request. A
  // runner lives as long as its thread, and the launch's thread waits for the caller.
  std::string describe_blocks(const launch &work) {
    constexpr std::size_t most = 8;
    std::vector<at_work> all;
    {
      std::scoped_lock lock(mutex_);
      all = at_work_;
    }
    std::string text;
    for (std::size_t i = 0; i != std::min(all.size(), most); ++i) {
      const std::string answer = all[i].runner->ask();
      text += "\n  " + name_index(block_at(work.grid, all[i].runner->number())) + ": " +
              (answer.empty() ? "runs" + host::location_of_thread(all[i].thread) : answer);
    }
    return all.size() > most ? text + "\n  ..." : text;
  }

  void run_blocks(launch &work, block_runner &runner) {
    {
      std::scoped_lock lock(mutex_);
      at_work_.push_back({&runner, pthread_self()});
    }
    run_all_blocks(work, runner);
    std::scoped_lock lock(mutex_);
    std::erase_if(at_work_, [&](const at_work &a) { return a.runner == &runner; });
  }

  static void run_all_blocks(launch &work, block_runner &runner) {
    std::size_t count = work.blocks_to_run();
    for (std::size_t iteration; !work.stopped && (iteration = work.next_block++) < count;)
      if (runner.run(work, work.block_to_run(shuffled(iteration, count))))
        ++work.ended;
      else
        work.stopped = true;
  }

  void help() {
    host::handle_faults();
    block_runner runner;
    std::unique_lock lock(mutex_);
    --starting_;
    for (;;) {
      ++idle_;
      work_came_.wait(lock, [&] { return wanted_ != 0; });
      --idle_;
      --wanted_;
      ++active_;
      launch &work = *work_;
      lock.unlock();
      run_blocks(work, runner);
      lock.lock();
      if (--active_ == 0)
        helpers_left_.notify_one();
    }
  }

  void wait_for_helpers() {
    std::unique_lock lock(mutex_);
    wanted_ = 0;
    helpers_left_.wait(lock, [&] { return active_ == 0; });
  }

  std::mutex launches_;
  block_runner callers_runner_;

  std::mutex mutex_;
  std::condition_variable work_came_;
  std::condition_variable helpers_left_;
  launch *work_ = nullptr;
  std::vector<at_work> at_work_;
  unsigned helpers_ = 0, starting_ = 0, idle_ = 0, wanted_ = 0, active_ = 0;
};

// Helpers sleep in it until the process ends.
worker_pool &pool() {
  static constinit host::per_process<worker_pool> one;
  return one.get();
}

} // namespace

bool run(dim3 grid, dim3 block, std::size_t shared_bytes, void (*call)(void *), void *body,
         const char *kernel, std::span<const std::size_t> only) {
  launch work{grid, block, shared_bytes, call, body, kernel, only};
  return pool().run(work);
}

void trap(const char *why) {
  const bool is_assertion = std::strstr(why, ": Assertion `");
  host::fail_kernel(is_assertion ? cudaErrorAssert : cudaErrorLaunchFailure, {}, why);
}

void *allocate_for_block(std::size_t bytes) { return block_memory().allocate(bytes); }

void add_worker(launch &of) { pool().ask_for_help(of, 1); }

} // namespace tessera::emulate
