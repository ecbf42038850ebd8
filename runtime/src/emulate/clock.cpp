// Joins of knowledge, and the steps of the two clocks.
#include "clock.h"

#include <tessera/emulate/engine.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <tuple>

namespace tessera::emulate {
namespace {

std::atomic<stamp> newest_stamp = 1;

bool is_before(const fact &a, const fact &b) {
  return std::tie(a.block, a.who) < std::tie(b.block, b.who);
}

} // namespace

stamp next_stamp() { return newest_stamp.fetch_add(1, std::memory_order_relaxed) + 1; }

bool knowledge::covers(const epoch &e, bool is_read) const {
  if (e.time <= assumed_)
    return true;
  auto at = std::lower_bound(facts_.begin(), facts_.end(), fact{e.block, 0, 0}, is_before);
  for (; at != facts_.end() && at->block == e.block; ++at)
    if (at->until >= e.time &&
        (at->who == fact::everyone || at->who == fact::warp(e.thread / warp_size) ||
         (is_read && at->who == fact::reads_of_warp(e.thread / warp_size)) ||
         at->who == fact::thread(e.thread)))
      return true;
  return false;
}

// The facts of one block, possibly several about the same threads.
void knowledge::add_block(std::span<const fact> sorted) {
  std::uint32_t block = sorted.front().block;
  stamp floor = assumed_;
  std::array<stamp, fact::thread(0)> of_warp{}; // by `who`
  std::array<unsigned char, fact::thread(0)> threads{};
  auto warp_of = [](const fact &f) { return fact::warp((f.who - fact::thread(0)) / warp_size); };
  for (const fact &f : sorted)
    if (f.who == fact::everyone)
      floor = std::max(floor, f.until);
    else if (f.who < fact::thread(0))
      of_warp[f.who] = std::max(of_warp[f.who], f.until);
    else if (f.until > floor)
      threads[warp_of(f)] += threads[warp_of(f)] <= max_threads_of_warp;
  std::vector<fact> of_threads;
  for (const fact &f : sorted) {
    if (f.who < fact::thread(0))
      continue;
    if (threads[warp_of(f)] > max_threads_of_warp)
      of_warp[warp_of(f)] = std::max(of_warp[warp_of(f)], f.until);
    else if (!of_threads.empty() && of_threads.back().who == f.who)
      of_threads.back().until = std::max(of_threads.back().until, f.until);
    else
      of_threads.push_back(f);
  }
  if (floor > assumed_)
    facts_.push_back({block, fact::everyone, floor});
  for (std::uint32_t who = fact::warp(0); who != fact::thread(0); ++who)
    if (of_warp[who] > floor)
      facts_.push_back({block, who, of_warp[who]});
  for (const fact &f : of_threads)
    if (f.until > std::max(floor, of_warp[warp_of(f)]))
      facts_.push_back(f);
}

void knowledge::forget_oldest() {
  if (facts_.size() <= max_facts)
    return;
  std::vector<stamp> ends;
  ends.reserve(facts_.size());
  for (const fact &f : facts_)
    ends.push_back(f.until);
  auto middle = ends.begin() + static_cast<std::ptrdiff_t>(ends.size() / 2);
  std::nth_element(ends.begin(), middle, ends.end());
  assumed_ = *middle;
  std::erase_if(facts_, [&](const fact &f) { return f.until <= assumed_; });
}

knowledge_ref knowledge::join(const knowledge_ref &a, const knowledge_ref &b,
                              std::span<const fact> more) {
  if (more.empty() && (a == b || !b))
    return a;
  if (more.empty() && !a)
    return b;
  auto result = std::make_shared<knowledge>();
  std::vector<fact> all;
  for (const knowledge_ref &part : {a, b})
    if (part) {
      result->assumed_ = std::max(result->assumed_, part->assumed_);
      if (part != a || all.empty())
        all.insert(all.end(), part->facts_.begin(), part->facts_.end());
    }
  all.insert(all.end(), more.begin(), more.end());
  std::sort(all.begin(), all.end(), is_before);
  for (std::size_t first = 0, last; first != all.size(); first = last) {
    for (last = first + 1; last != all.size() && all[last].block == all[first].block;)
      ++last;
    result->add_block(std::span(all).subspan(first, last - first));
  }
  result->forget_oldest();
  return result;
}

void block_clock::begin(std::uint32_t number) {
  block = number;
  interval = next_stamp();
  known.reset();
}

knowledge_ref thread_clock::release(const block_clock &b, unsigned thread) {
  const fact own[] = {{b.block, fact::everyone, b.interval - 1},
                      {b.block, fact::thread(thread), now(b)}};
  knowledge_ref published = knowledge::join(known(b), nullptr, own);
  time_ = next_stamp();
  return published;
}

void thread_clock::acquire(const block_clock &b, const knowledge_ref &published) {
  if (!published || published == last_acquired_)
    return;
  learnt_ = knowledge::join(known(b), published);
  last_acquired_ = published;
}

void thread_clock::pass_barrier(const knowledge_ref &all, stamp later) {
  learnt_ = all;
  time_ = later;
}

} // namespace tessera::emulate
