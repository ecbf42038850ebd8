// Pages of global memory, and which of their bytes are in allocations.
#include "global_memory.h"

#include <tessera/host/allocations.h>

#include <cstdlib>

namespace tessera::emulate {
namespace {

history_rules rules_of_global_memory() {
  const char *strict = std::getenv("TESSERA_EMULATE_STRICT");
  return {.needs_writes = false,
          .is_global = true,
          .strict = strict && *strict && *strict != '0',
          .most_uses = 16};
}

} // namespace

void global_memory::begin_launch() {
  ++launch_;
  for (shard &s : shards_) {
    std::scoped_lock lock(s.mutex);
    if (s.pages.size() > kept_pages / shards)
      s.pages.clear();
  }
}

page *global_memory::find(std::uintptr_t number) {
  static const history_rules rules = rules_of_global_memory();
  shard &s = shards_[number % shards];
  std::scoped_lock lock(s.mutex);
  std::unique_ptr<page> &found = s.pages[number];
  if (!found) {
    if (s.pages.size() > most_pages / shards) {
      s.pages.erase(number);
      return nullptr;
    }
    found = std::make_unique<page>(rules);
    found->launch = launch_;
  }
  if (found->launch != launch_) {
    found->bytes.reset(page::size);
    found->launch = launch_;
  }
  return found.get();
}

void page_cache::begin_block(global_memory &memory) {
  if (memory_ == &memory && launch_ == memory.launch())
    return;
  memory_ = &memory;
  launch_ = memory.launch();
  entries_ = {};
}

page *page_cache::find(std::uintptr_t address) {
  std::uintptr_t number = address / page::size;
  entry &e = entries_[number % entries];
  if (!e.found || e.number != number)
    e = {number, memory_->find(number)};
  return e.found;
}

global_memory &all_global_memory() {
  static global_memory &memory = *new global_memory;
  return memory;
}

bool is_outside(page &p, std::uintptr_t first, std::size_t count) {
  const host::allocation_table &table = host::allocations();
  if (unsigned version = table.version(); p.allocations != version) {
    std::uintptr_t start = first / page::size * page::size;
    p.allocations = version;
    p.is_plain = !table.has_any(start, start + page::size);
    p.inside = p.inside_end = 0;
  }
  if (p.is_plain || (p.inside <= first && first + count <= p.inside_end))
    return false;
  std::optional<host::allocation> a = table.near(first);
  if (!a)
    a = table.near(first + count - 1);
  if (!a || a->guard == 0)
    return false;
  bool is_inside = a->address <= first && first + count <= a->end();
  if (is_inside) {
    p.inside = a->address;
    p.inside_end = a->end();
  }
  return !is_inside;
}

} // namespace tessera::emulate
