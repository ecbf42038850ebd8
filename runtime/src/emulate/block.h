// A runner of blocks on one OS thread: it runs one after another, and keeps stacks, shared memory
// and shadow between them.
#pragma once

#include "carrier.h"
#include "clock.h"
#include "global_memory.h"
#include "history.h"

#include "../cpu/fault.h"

#include <tessera/emulate/engine.h>
#include <tessera/emulate/proxy.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <csetjmp>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace tessera::emulate {

constexpr unsigned warpgroup_size = 128; // threads

class block_runner;

// The common state of all blocks of a launch.
struct launch {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  void (*call)(void *);
  void *body;
  const char *kernel;
  std::span<const std::size_t> only = {}; // the blocks that run; empty: all
  std::atomic<std::size_t> next_block{0}, ended{0};
  std::atomic<bool> stopped{false}; // a block diverged: start no more, end those that poll

  std::size_t block_count() const { return std::size_t(grid.x) * grid.y * grid.z; }
  std::size_t blocks_to_run() const { return only.empty() ? block_count() : only.size(); }
  std::size_t block_to_run(std::size_t i) const { return only.empty() ? i : only[i]; }
};

struct async_copy {
  std::byte *to;
  const void *from;
  std::size_t bytes, valid_bytes;
  std::uint32_t group;
  const void *location;
  // The start of the copy, and what its thread knew then: a later write of the source, even by its
  // own thread, races with it.
  stamp begin, interval;
  knowledge_ref known;
};

// The start of a box of a tensor map.
struct box_coordinates {
  boxes of;
  std::array<int, max_dimensions> at;

  // The tensor map's, at one number for each of its dimensions.
  box_coordinates(const tensor_map &map, const int *at);
  std::size_t bytes() const;
};

// A bulk copy in flight.
struct bulk_copy {
  std::byte *to;
  box_coordinates from;
  const void *location;
  access write; // its write, once performed
  stamp interval;
  knowledge_ref known;
};

// A bulk store from shared memory in flight, and the bytes that it has read there.
struct bulk_store {
  const std::byte *from;
  box_coordinates to;
  std::uint32_t group;
  const void *location;
  observer by;
  knowledge_ref known;
  std::vector<std::byte> bytes = {}; // empty: none yet
};

// Fences of the asynchronous proxy: their times, and what was known at the last.
struct proxy_fences {
  std::vector<stamp> times;
  knowledge_ref known;
};

struct thread : thread_context {
  enum class state : unsigned char { unstarted, running, waiting, polling, finished };

  block_runner *runner;
  carrier *fiber;
  state now;
  const char *waits_at; // the name of the meeting
  std::uint32_t open_group;
  std::vector<async_copy> copies; // oldest first
  thread_clock clock;
  std::uint16_t operation; // see next_store()
  proxy_fences shared_fences, memory_fences;
  jmp_buf *behind_kernel;         // where it resumes when the kernel fails
  std::uint32_t multiply_groups;  // committed
  std::vector<bulk_store> stores; // not in memory yet, oldest first
  std::uint32_t store_groups;     // committed
};

// Lanes of one warp at one location. Lanes are bits of a mask.
struct meeting {
  const char *name;
  participants expected;
  unsigned arrived;
  warp_action act;
  bool orders_memory;
  std::array<void *, warp_size> operands;
};

// Threads of several warps at one location, and the operand of each.
struct crowd {
  const char *name;
  int number;
  std::vector<unsigned> threads;
  std::vector<void *> operands;
};
using crowd_action = void (*)(block_runner &runner, const crowd &all);

// An mbarrier in shared memory.
struct phase_barrier {
  int expected, missing;        // arrivals
  long long announced, started; // bytes
  int parity;                   // of the current phase
  std::vector<bulk_copy> copies;
  knowledge_ref arrived, ended; // what this phase's arrivals know; what those of the last phase did

  bool is_complete() const { return missing == 0 && announced == started; }
};

// A multiply of a warpgroup in flight.
struct multiply {
  warpgroup_operand a, b;
  int n;
  operand_type of;
  std::uint32_t group;
  observer by;
  knowledge_ref known;
  const void *location;
  std::vector<float> a_elements, b_elements; // by (outer, k), once complete
  std::vector<void *> accumulators;          // of threads that have not taken their results
  unsigned threads;                          // as many
  stamp reads_until = 0;                     // of its warps, from which its operands were computed
};

struct warp {
  unsigned existing;
  unsigned finished;
  unsigned ready;
  unsigned polling; // ready again in the next round
  std::vector<meeting> meetings;
};

class block_runner {
public:
  block_runner();

  // False: the block diverged, and a report was made.
  bool run(launch &of, std::size_t number);

  void block_barrier(const char *name, attendance who);
  void warp_meeting(const char *name, participants all, void *operands, warp_action act,
                    bool orders_memory);
  // `threads` threads of the block meet under a number; the last one calls act, if given.
  void crowd_meeting(const char *name, int number, unsigned threads, void *operand,
                     crowd_action act, bool orders_memory);
  void yield();
  [[noreturn]] void stop(const failure &why);

  phase_barrier &phases_at(const void *barrier, const char *verb, const void *location);
  // Performs the bulk stores of the running thread except its youngest groups.
  void end_stores(unsigned pending);
  void end_phase(phase_barrier &barrier);
  bool is_awaited(const phase_barrier &barrier) const;
  // Reports copies of an mbarrier that is invalidated.
  void look_for_unfinished(const phase_barrier &barrier);
  void wait_for_phase(phase_barrier &barrier, int parity);

  thread &running() { return *const_cast<thread *>(static_cast<const thread *>(current)); }
  const thread &thread_of(unsigned number) const { return threads_[number]; }
  // The time up to which these threads have accessed memory, in front of what follows.
  stamp step_crowd(const crowd &all);
  const block_context &block() const { return block_; }
  const block_clock &clock() const { return clock_; }
  observer now();

  // Called by another thread while the block runs: "threads 0-31 at a loop that polls memory; the
  // loop is at x.cu:12"; empty if no thread reaches a wait within a second.
  std::string ask();
  std::size_t number() const { return number_; }

  // The running thread's kernel has failed: reports it, and leaves the kernel.
  void tell_failure(const host::kernel_failure &f);
  [[noreturn]] void leave_kernel();
  // Is an address on the stack of the running thread?
  bool is_local(std::uintptr_t address) const;
  // The message that the block is printing.
  std::string message;
  // The lock that the running thread holds while it accesses memory; null: none.
  spin_lock *held = nullptr;

  // The offset of an access to shared memory, or no_offset if it is not inside.
  static constexpr std::size_t no_offset = ~std::size_t(0);
  std::size_t shared_offset(const void *at, std::size_t bytes) const;
  history shared_bytes;
  page_cache global_pages;
  std::map<unsigned, std::deque<multiply>> multiplies; // by the warpgroup's first warp
  // The reads of completed multiplies, which threads that did not wait for them may not know.
  std::map<unsigned, knowledge_ref> done_multiplies;
  std::map<std::size_t, phase_barrier> phases; // by the offset in shared memory
  std::map<unsigned, unsigned> registers;      // of a thread, by warpgroups that have set them

private:
  static constexpr std::size_t shared_alignment = 1024;

  void begin(launch &of, std::size_t number);
  void prepare_shared(std::size_t size);
  void shuffle_order();
  bool run_round();
  void run_warp(warp &w, unsigned first_thread);
  void resume(thread &t);
  void execute(thread &t);
  void suspend(thread &t, thread::state as, const char *at);
  void finish(thread &t);
  void wake(warp &w, unsigned lanes);
  void try_end_block_barrier();
  bool try_end_meeting(warp &w, std::size_t index);
  void order_block();
  void order_warp(const warp &w, unsigned lanes);
  void order_crowd(const crowd &all);
  void poll_other_blocks();
  void answer();
  void report_divergence();
  std::string describe_threads() const;
  void abandon();

  block_context block_{};
  launch *launch_ = nullptr;
  failure failed_; // of the thread that is leaving its kernel
  std::atomic<std::size_t> number_ = 0;

  // A request of the watching thread.
  std::atomic<bool> is_asked_ = false;
  unsigned rounds_asked_ = 0; // since
  std::string polls_at_;      // " at x.cu:12", of the first thread that polled since
  std::mutex answering_;
  std::condition_variable answered_;
  std::optional<std::string> answer_;

  std::deque<thread> threads_; // never moved: fibers point to them
  unsigned thread_count_ = 0;
  std::vector<warp> warps_;
  std::vector<std::unique_ptr<carrier>> carriers_;
  std::vector<carrier *> idle_;
  std::unique_ptr<carrier> alone_; // of blocks of one thread

  std::unique_ptr<std::byte[]> shared_storage_;
  std::size_t shared_capacity_ = 0;

  std::vector<crowd> crowds_;
  std::vector<std::pair<const phase_barrier *, thread *>> waiting_for_phases_;
  unsigned finished_ = 0;
  unsigned waiting_at_barrier_ = 0;
  attendance barrier_attendance_ = attendance::every_thread;
  const char *barrier_name_ = nullptr;
  block_clock clock_;
  unsigned rounds_ = 0;
  unsigned rounds_of_polling_ = 0;
  bool made_progress_ = false;

  unsigned long seed_;
  std::vector<unsigned> warp_order_;
  std::array<unsigned char, warp_size> lane_order_;
};

// The runner of the running thread.
inline block_runner &running_block() { return *static_cast<const thread *>(current)->runner; }

// "block (0, 0, 0)", "kernel k, block (0, 0, 0)", "thread 37 (warp 1)"
std::string name_index(uint3 block);
std::string name_block(const block_context &block);
std::string name_thread(unsigned number);
uint3 block_at(dim3 grid, std::size_t number);

// TESSERA_EMULATE_SEED; 0: natural order.
unsigned long order_seed();

// Starts one more OS thread on the launch, for blocks that wait for blocks which have not started.
void add_worker(launch &of);

} // namespace tessera::emulate
