// Release and acquire by scope, and fences: a relaxed write publishes what the thread knew at its
// last fence, and a fence acquires what earlier relaxed reads saw. An update continues a release
// sequence, another write ends it.
#include "atomic.h"
#include "block.h"
#include "race.h"

#include <tessera/host/fork.h>

namespace tessera::emulate {

void atomic_table::begin_launch() {
  for (shard &s : shards_)
    s.locations.clear();
}

void atomic_table::learn(std::uintptr_t address, const block_clock &block, thread_clock &clock,
                         atomic_effect effect, atomic_order order) {
  const shard &s = shard_of(address);
  auto found = s.locations.find(address);
  if (effect == atomic_effect::write || found == s.locations.end())
    return;
  const location &at = found->second;
  knowledge_ref narrow = at.block == block.block ? at.narrow : nullptr;
  knowledge_ref wide = order.scope == reach::device ? at.wide : nullptr;
  if (order.acquires) {
    clock.acquire(block, narrow);
    clock.acquire(block, wide);
  } else {
    clock.seen.narrow = knowledge::join(clock.seen.narrow, narrow);
    clock.seen.wide = knowledge::join(clock.seen.wide, wide);
  }
}

void atomic_table::publish(std::uintptr_t address, const block_clock &block, thread_clock &clock,
                           unsigned thread, atomic_effect effect, atomic_order order) {
  if (effect == atomic_effect::read)
    return;
  thread_clock::by_scope published = clock.fenced;
  if (order.releases)
    published.narrow = clock.release(block, thread);
  if (order.releases && order.scope == reach::device)
    published.wide = published.narrow;
  else if (order.scope == reach::block)
    published.wide = nullptr;
  shard &s = shard_of(address);
  auto found = s.locations.find(address);
  if (found == s.locations.end()) {
    if (!published.narrow && !published.wide)
      return;
    found = s.locations.try_emplace(address).first;
  }
  location &at = found->second;
  bool continues = effect == atomic_effect::update;
  if (!continues)
    at.wide = nullptr;
  if (!continues || at.block != block.block)
    at.narrow = nullptr;
  at.block = block.block;
  at.wide = knowledge::join(at.wide, published.wide);
  at.narrow = knowledge::join(at.narrow, published.narrow);
}

atomic_table &all_atomics() {
  static constinit host::per_process<atomic_table> one;
  return one.get();
}

void begin_atomic(const void *address) {
  if (!current)
    return;
  spin_lock &lock = all_atomics().lock_of(reinterpret_cast<std::uintptr_t>(address));
  lock.lock();
  running_block().held = &lock;
}

// The operation's own access comes after its acquire and belongs to its release.
static void end(const void *address, std::size_t seen_bytes, atomic_effect effect,
                atomic_order order, const void *loc) {
  if (!current)
    return;
  auto at = reinterpret_cast<std::uintptr_t>(address);
  atomic_table &table = all_atomics();
  block_runner &runner = running_block();
  thread &t = runner.running();
  table.learn(at, runner.clock(), t.clock, effect, order);
  if (seen_bytes)
    note_atomic(address, seen_bytes, effect, order.scope, loc);
  table.publish(at, runner.clock(), t.clock, t.number, effect, order);
  runner.held = nullptr;
  table.lock_of(at).unlock();
}

void end_unseen_atomic(const void *address, atomic_effect effect, atomic_order order) {
  end(address, 0, effect, order, nullptr);
}

void end_atomic(const void *address, std::size_t bytes, atomic_effect effect, atomic_order order) {
  end(address, bytes, effect, order, __builtin_return_address(0));
}

// Narrow includes wide: what is published for the device is published for the block.
void fence(reach scope) {
  if (!current)
    return;
  block_runner &runner = running_block();
  thread &t = runner.running();
  t.clock.acquire(runner.clock(), t.clock.seen.narrow);
  if (scope == reach::device)
    t.clock.acquire(runner.clock(), t.clock.seen.wide);
  t.clock.fenced.narrow = t.clock.release(runner.clock(), t.number);
  if (scope == reach::device)
    t.clock.fenced.wide = t.clock.fenced.narrow;
}

} // namespace tessera::emulate
