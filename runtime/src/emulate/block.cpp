// The scheduler of one block: fibers in rounds, warp by warp, each until it has to wait
// (meeting.cpp).
//
// A warp runs until all its lanes wait for other warps, so that warps drift apart as far as
// barriers allow. When no thread can run and some wait, the block has diverged: the waiting threads
// are at different locations.
#include "block.h"
#include "../cpu/settings.h"
#include "reporting.h"

#include <tessera/emulate/builtin_variables.h>
#include <tessera/host/side.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>
#include <utility>

constinit thread_local uint3 threadIdx{};
constinit thread_local uint3 blockIdx{};
constinit thread_local dim3 blockDim{};
constinit thread_local dim3 gridDim{};

namespace tessera::emulate {

constinit thread_local const thread_context *current = nullptr;

namespace {

constexpr unsigned char poison = 0xCB;
constexpr unsigned polling_rounds_before_help = 2000;

unsigned long read_seed() {
  const char *text = std::getenv("TESSERA_EMULATE_SEED");
  if (!text || std::strcmp(text, "random") != 0)
    return static_cast<unsigned long>(host::number_setting("TESSERA_EMULATE_SEED", 0, 0));
  unsigned chosen = std::random_device()() | 1;
  std::fprintf(stderr, "tessera emulator: TESSERA_EMULATE_SEED=%u\n", chosen);
  return chosen;
}

// The thread of a block of one may hold whole tiles.
std::size_t stack_alone() {
  static const auto mebibytes =
      static_cast<std::size_t>(host::number_setting("TESSERA_CPU_STACK_MIB", 256, 1));
  return mebibytes << 20;
}

constexpr host::kernel_thread emulated_thread = {
    [](const host::kernel_failure &f) { running_block().tell_failure(f); },
    [] { running_block().leave_kernel(); }};

uint3 thread_at(dim3 size, unsigned number) {
  return {number % size.x, number / size.x % size.y, number / size.x / size.y};
}

} // namespace

unsigned long order_seed() {
  static const unsigned long seed = read_seed();
  return seed;
}

uint3 block_at(dim3 grid, std::size_t number) {
  return {unsigned(number % grid.x), unsigned(number / grid.x % grid.y),
          unsigned(number / grid.x / grid.y)};
}

std::string name_index(uint3 block) {
  return "block (" + std::to_string(block.x) + ", " + std::to_string(block.y) + ", " +
         std::to_string(block.z) + ")";
}

std::string name_block(const block_context &block) {
  return std::string("kernel ") + block.kernel + ", " + name_index(block.index);
}

std::string name_thread(unsigned number) {
  return "thread " + std::to_string(number) + " (warp " + std::to_string(number / warp_size) + ")";
}

block_runner::block_runner()
    : shared_bytes(0, {.needs_writes = true, .is_global = false, .strict = true, .max_uses = 64}),
      seed_(order_seed()) {}

observer block_runner::now() {
  const thread &t = running();
  return {clock_.block,    static_cast<std::uint16_t>(t.number), t.operation, t.clock.now(clock_),
          clock_.interval, t.clock.known(clock_).get()};
}

std::size_t block_runner::shared_offset(const void *at, std::size_t count) const {
  std::size_t offset =
      reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(block_.shared);
  bool is_inside = offset <= block_.shared_bytes && count <= block_.shared_bytes - offset;
  return is_inside ? offset : no_offset;
}

bool block_runner::run(launch &of, std::size_t number) {
  begin(of, number);
  while (finished_ != thread_count_) {
    shuffle_order();
    made_progress_ = false;
    if (!run_round()) {
      report_divergence();
      abandon();
      return false;
    }
    if (is_asked_ && ++rounds_asked_ == 2) // all have run once
      answer();
    if (!made_progress_) {
      if (of.stopped) {
        abandon();
        return false;
      }
      poll_other_blocks();
    }
  }
  return true;
}

void block_runner::begin(launch &of, std::size_t number) {
  launch_ = &of;
  number_ = number;
  thread_count_ = of.block.x * of.block.y * of.block.z;
  prepare_shared(of.shared_bytes);
  block_ = {block_at(of.grid, number), of.grid,  of.block, block_.shared,
            of.shared_bytes,           of.kernel};
  blockIdx = block_.index;
  blockDim = block_.size;
  gridDim = block_.grid;
  clock_.begin(static_cast<std::uint32_t>(number));
  global_pages.begin_block(all_global_memory());
  shared_bytes.reset(of.shared_bytes);
  finished_ = waiting_at_barrier_ = rounds_ = rounds_of_polling_ = 0;
  crowds_.clear();
  waiting_for_phases_.clear();
  multiplies.clear();
  done_multiplies.clear();
  phases.clear();
  registers.clear();

  if (threads_.size() < thread_count_)
    threads_.resize(thread_count_);
  for (unsigned i = 0; i != thread_count_; ++i) {
    thread &t = threads_[i];
    static_cast<thread_context &>(t) = {&block_, thread_at(of.block, i), i};
    t.runner = this;
    t.fiber = nullptr;
    t.now = thread::state::unstarted;
    t.waits_at = nullptr;
    t.open_group = 0;
    t.clock.begin();
    t.operation = 0;
    t.shared_fences = t.memory_fences = {};
    t.multiply_groups = t.store_groups = 0;
    t.stores.clear();
  }

  warps_.resize((thread_count_ + warp_size - 1) / warp_size);
  warp_order_.resize(warps_.size());
  for (unsigned w = 0; w != warps_.size(); ++w) {
    unsigned lanes = std::min(thread_count_ - w * warp_size, warp_size);
    warps_[w].existing = warps_[w].ready = ~0u >> (warp_size - lanes);
    warps_[w].finished = warps_[w].polling = 0;
    warps_[w].meetings.clear();
  }
  std::iota(warp_order_.begin(), warp_order_.end(), 0u);
  std::iota(lane_order_.begin(), lane_order_.end(), 0);
}

void block_runner::prepare_shared(std::size_t size) {
  if (size > shared_capacity_) {
    shared_storage_.reset(new std::byte[size + shared_alignment]);
    shared_capacity_ = size;
    auto address = reinterpret_cast<std::uintptr_t>(shared_storage_.get());
    block_.shared = shared_storage_.get() + (shared_alignment - address % shared_alignment);
  }
  if (size)
    std::memset(block_.shared, poison, size);
}

// Depends on the seed, the block and the round only, so that a run is repeatable whichever OS
// thread runs the block.
void block_runner::shuffle_order() {
  if (!seed_)
    return;
  std::seed_seq parts{static_cast<unsigned>(seed_), block_.index.x, block_.index.y, block_.index.z,
                      rounds_++};
  std::minstd_rand random(parts);
  std::shuffle(warp_order_.begin(), warp_order_.end(), random);
  std::shuffle(lane_order_.begin(), lane_order_.end(), random);
}

// False if no thread could run.
bool block_runner::run_round() {
  bool any = false;
  for (unsigned number : warp_order_) {
    warp &w = warps_[number];
    w.ready |= w.polling;
    w.polling = 0;
    any |= w.ready != 0;
    run_warp(w, number * warp_size);
  }
  return any;
}

void block_runner::run_warp(warp &w, unsigned first_thread) {
  while (w.ready)
    for (unsigned lane : lane_order_)
      if (unsigned bit = 1u << lane; w.ready & bit) {
        w.ready &= ~bit;
        resume(threads_[first_thread + lane]);
      }
}

void block_runner::resume(thread &t) {
  if (t.now == thread::state::unstarted) {
    if (thread_count_ == 1) {
      if (!alone_)
        alone_ = std::make_unique<carrier>(stack_alone());
      idle_.push_back(alone_.get());
    } else if (idle_.empty()) {
      carriers_.push_back(std::make_unique<carrier>());
      idle_.push_back(carriers_.back().get());
    }
    t.fiber = idle_.back();
    idle_.pop_back();
    t.fiber->set_work(
        [](void *argument) {
          auto &work = *static_cast<thread *>(argument);
          work.runner->execute(work);
        },
        &t);
  }
  t.now = thread::state::running;
  current = &t;
  host::is_running_kernel = true;
  host::running_kernel_thread = &emulated_thread;
  threadIdx = t.index;
  t.fiber->resume();
  current = nullptr;
  host::running_kernel_thread = nullptr;
  host::is_running_kernel = false;
}

void block_runner::execute(thread &t) {
  jmp_buf behind;
  t.behind_kernel = &behind;
  if (setjmp(behind) != 0)
    stop(failed_);
  launch_->call(launch_->body);
  finish(t);
}

// Faults are reported here, since a GPU prints nothing; assertions and traps print the program's
// own message.
void block_runner::tell_failure(const host::kernel_failure &f) {
  const std::string who = thread_count_ == 1
                              ? name_block(block_)
                              : name_block(block_) + ": " + name_thread(running().number);
  failed_ = {f.error, (f.line.empty() ? f.line : f.line + ": ") + f.what + " [" + who + "]"};
  if (!is_new_report("failure", block_.kernel, f.frames.empty() ? nullptr : f.frames.front()))
    return;
  if (f.frames.empty())
    std::fprintf(stderr, "%s\n", failed_.message.c_str());
  else
    add_report_at(f.frames, who + ": " + f.what);
}

void block_runner::leave_kernel() {
  if (spin_lock *const lock = std::exchange(held, nullptr))
    lock->unlock();
  longjmp(*running().behind_kernel, 1);
}

bool block_runner::is_local(std::uintptr_t address) const {
  return static_cast<const thread *>(current)->fiber->has_on_stack(address);
}

void block_runner::suspend(thread &t, thread::state as, const char *at) {
  t.now = as;
  t.waits_at = at;
  if (is_asked_ && as == thread::state::polling && polls_at_.empty())
    polls_at_ = line_here();
  t.fiber->suspend();
}

void block_runner::answer() {
  std::scoped_lock lock(answering_);
  is_asked_ = false;
  rounds_asked_ = 0;
  answer_ = describe_threads();
  if (const std::string line = std::exchange(polls_at_, {}); !line.empty())
    *answer_ += "; the loop is" + line;
  answered_.notify_one();
}

std::string block_runner::ask() {
  std::unique_lock lock(answering_);
  answer_.reset();
  is_asked_ = true;
  answered_.wait_for(lock, std::chrono::seconds(1), [&] { return answer_.has_value(); });
  is_asked_ = false;
  return answer_.value_or("");
}

void block_runner::finish(thread &t) {
  t.copies.clear();
  if (!t.stores.empty() && t.stores.back().bytes.empty())
    report("unfinished stores", block_.kernel, t.stores.back().location, [&] {
      return name_block(block_) + ": " + name_thread(t.number) +
             " ends while its bulk stores read shared memory: these stores were not waited for";
    });
  end_stores(0);
  t.now = thread::state::finished;
  if (thread_count_ != 1)
    idle_.push_back(t.fiber);
  ++finished_;
  made_progress_ = true;
  if (finished_ == thread_count_)
    for (const auto &[offset, barrier] : phases)
      look_for_unfinished(barrier);
  warp &w = warps_[t.warp()];
  w.finished |= 1u << t.lane();
  // Meetings of unfinished threads may have waited for this thread.
  for (std::size_t i = w.meetings.size(); i-- != 0;)
    try_end_meeting(w, i);
  if (waiting_at_barrier_)
    try_end_block_barrier();
}

// All threads that are not waiting poll memory, perhaps for a block that has not started because
// every OS thread is busy polling.
void block_runner::poll_other_blocks() {
  std::this_thread::yield();
  if (++rounds_of_polling_ % polling_rounds_before_help == 0)
    add_worker(*launch_);
}

void block_runner::report_divergence() {
  std::string text = "barrier divergence: " + name_block(block_) + ": " + describe_threads();
  report("divergence", block_.kernel, nullptr, [&] { return text; });
  halt_launches({cudaErrorLaunchFailure, text});
}

// "threads 0-31 wait at barrier; threads 32-63 have finished"
std::string block_runner::describe_threads() const {
  auto describe = [&](unsigned i) {
    const thread &t = threads_[i];
    return t.now == thread::state::finished    ? std::string("finished")
           : t.now == thread::state::unstarted ? std::string("not started")
                                               : std::string("at ") + t.waits_at;
  };
  std::string text;
  for (unsigned first = 0, last; first != thread_count_; first = last) {
    std::string what = describe(first);
    for (last = first + 1; last != thread_count_ && describe(last) == what;)
      ++last;
    std::string range = last == first + 1
                            ? "thread " + std::to_string(first)
                            : "threads " + std::to_string(first) + "-" + std::to_string(last - 1);
    text += first ? "; " : "";
    text += range;
    text += ' ';
    text += what;
  }
  return text;
}

// The fibers of unfinished threads are never resumed. Unwinding them would run kernel code, so
// their stacks are leaked.
void block_runner::abandon() {
  for (unsigned i = 0; i != thread_count_; ++i) {
    thread &t = threads_[i];
    t.copies.clear();
    if (t.now == thread::state::finished || t.now == thread::state::unstarted)
      continue;
    if (thread_count_ == 1) {
      static_cast<void>(alone_.release());
      continue;
    }
    auto lost = std::find_if(carriers_.begin(), carriers_.end(),
                             [&](const auto &c) { return c.get() == t.fiber; });
    static_cast<void>(lost->release());
    carriers_.erase(lost);
  }
}

} // namespace tessera::emulate
