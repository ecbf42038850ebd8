// Waits of a block's threads for each other: block barriers, meetings of a warp, and polling.
//
// A meeting is over when all expected threads have arrived. The last one ends it and continues; the
// others become ready. Missing threads are not detected here: the scheduler finds that no thread is
// ready.
#include "block.h"
#include "reporting.h"

#include <algorithm>
#include <cstring>

namespace tessera::emulate {
namespace {

bool is_same_name(const char *a, const char *b) { return a == b || std::strcmp(a, b) == 0; }

// The lanes that a meeting still waits for.
unsigned missing(const meeting &m, const warp &w) {
  unsigned excused = m.expected.who == attendance::unfinished_threads ? w.finished : 0;
  return m.expected.mask & w.existing & ~excused & ~m.arrived;
}

} // namespace

void block_runner::wake(warp &w, unsigned lanes) {
  w.ready |= lanes;
  made_progress_ = true;
}

void block_runner::block_barrier(const char *name, attendance who) {
  thread &t = running();
  if (waiting_at_barrier_ == 0) {
    barrier_name_ = name;
    barrier_attendance_ = who;
  }
  if (!is_same_name(name, barrier_name_))
    return suspend(t, thread::state::waiting, name);
  ++waiting_at_barrier_;
  t.now = thread::state::waiting;
  t.waits_at = barrier_name_;
  try_end_block_barrier();
  // Otherwise this thread was the last and continues without a switch.
  if (t.now == thread::state::waiting)
    t.fiber->suspend();
}

void block_runner::try_end_block_barrier() {
  unsigned counted =
      waiting_at_barrier_ + (barrier_attendance_ == attendance::unfinished_threads ? finished_ : 0);
  if (counted != thread_count_)
    return;
  for (unsigned i = 0; i != thread_count_; ++i) {
    thread &t = threads_[i];
    if (t.now != thread::state::waiting || t.waits_at != barrier_name_)
      continue;
    if (&t == current)
      t.now = thread::state::running;
    else
      wake(warps_[t.warp()], 1u << t.lane());
  }
  waiting_at_barrier_ = 0;
  order_block();
  made_progress_ = true;
}

// Every thread knows what any thread knows, and all accesses of the block.
void block_runner::order_block() {
  for (unsigned i = 0; i != thread_count_; ++i)
    if (thread_clock &clock = threads_[i].clock; clock.learnt()) {
      clock_.known = knowledge::join(clock_.known, clock.learnt());
      clock.pass_block_barrier();
    }
  clock_.interval = next_stamp();
}

void block_runner::order_warp(const warp &w, unsigned lanes) {
  unsigned first = static_cast<unsigned>(&w - warps_.data()) * warp_size;
  knowledge_ref all = clock_.known;
  std::vector<fact> done;
  for (unsigned lane = 0; lane != warp_size; ++lane)
    if (lanes >> lane & 1) {
      const thread_clock &clock = threads_[first + lane].clock;
      all = knowledge::join(all, clock.learnt());
      done.push_back({clock_.block, fact::thread(first + lane), clock.now(clock_)});
    }
  stamp later = next_stamp();
  if (lanes == w.existing)
    done.assign(1, {clock_.block, fact::warp(first / warp_size), later - 1});
  all = knowledge::join(all, nullptr, done);
  for (unsigned lane = 0; lane != warp_size; ++lane)
    if (lanes >> lane & 1)
      threads_[first + lane].clock.pass_barrier(all, later);
}

void block_runner::warp_meeting(const char *name, participants all, void *operands, warp_action act,
                                bool orders_memory) {
  thread &t = running();
  warp &w = warps_[t.warp()];
  auto is_this = [&](const meeting &m) { return m.expected == all && is_same_name(m.name, name); };
  auto location = std::find_if(w.meetings.begin(), w.meetings.end(), is_this);
  if (location == w.meetings.end())
    location = w.meetings.insert(location, meeting{name, all, 0, act, orders_memory, {}});
  location->operands[t.lane()] = operands;
  location->arrived |= 1u << t.lane();
  if (!try_end_meeting(w, static_cast<std::size_t>(location - w.meetings.begin())))
    suspend(t, thread::state::waiting, name);
}

bool block_runner::try_end_meeting(warp &w, std::size_t index) {
  meeting &m = w.meetings[index];
  if (missing(m, w) != 0)
    return false;
  if (m.act)
    m.act(m.operands.data(), m.arrived);
  if (m.orders_memory)
    order_warp(w, m.arrived);
  thread &t = running();
  wake(w, m.arrived & ~(1u << t.lane()));
  w.meetings.erase(w.meetings.begin() + static_cast<std::ptrdiff_t>(index));
  return true;
}

void block_runner::crowd_meeting(const char *name, int number, unsigned threads, void *operand,
                                 crowd_action act, bool orders_memory) {
  thread &t = running();
  auto location = std::find_if(crowds_.begin(), crowds_.end(), [&](const crowd &c) {
    return c.number == number && is_same_name(c.name, name);
  });
  if (location == crowds_.end())
    location = crowds_.insert(location, {name, number, {}, {}});
  location->threads.push_back(t.number);
  location->operands.push_back(operand);
  if (location->threads.size() < threads)
    return suspend(t, thread::state::waiting, name);
  crowd all = std::move(*location);
  crowds_.erase(location);
  if (act)
    act(*this, all);
  if (orders_memory)
    order_crowd(all);
  for (unsigned number_of : all.threads)
    if (number_of != t.number)
      wake(warps_[number_of / warp_size], 1u << number_of % warp_size);
}

// Crowds are whole warps.
stamp block_runner::step_crowd(const crowd &all) {
  const stamp later = next_stamp();
  for (unsigned number : all.threads)
    threads_[number].clock.step(later);
  return later - 1;
}

void block_runner::order_crowd(const crowd &all) {
  knowledge_ref known = clock_.known;
  stamp later = next_stamp();
  std::vector<fact> done;
  for (unsigned number : all.threads) {
    known = knowledge::join(known, threads_[number].clock.learnt());
    if (number % warp_size == 0)
      done.push_back({clock_.block, fact::warp(number / warp_size), later - 1});
  }
  std::sort(done.begin(), done.end(), [](const fact &a, const fact &b) { return a.who < b.who; });
  known = knowledge::join(known, nullptr, done);
  for (unsigned number : all.threads)
    threads_[number].clock.pass_barrier(known, later);
}

void block_runner::yield() {
  thread &t = running();
  warps_[t.warp()].polling |= 1u << t.lane();
  suspend(t, thread::state::polling, "a loop that polls memory");
}

// Like a thread that polls for ever, so that the block's run ends as soon as no other thread
// continues.
void block_runner::stop(const failure &why) {
  launch_->stopped = true;
  halt_launches(why);
  for (;;)
    yield();
}

void block_barrier(const char *name, attendance who) { running_block().block_barrier(name, who); }

void warp_meeting(const char *name, participants all, void *operands, warp_action act) {
  running_block().warp_meeting(name, all, operands, act, false);
}

void warp_barrier(const char *name, participants all) {
  running_block().warp_meeting(name, all, nullptr, nullptr, true);
}

void yield() {
  if (current)
    running_block().yield();
}

void stop_launch(const failure &why) { running_block().stop(why); }

} // namespace tessera::emulate
