// Pages of global memory, and which of their bytes are in allocations.
#include "global_memory.h"

#include <tessera/host/allocations.h>
#include <tessera/host/fork.h>

#include <dlfcn.h>

#include <cstdlib>

namespace tessera::emulate {
namespace {

history_rules rules_of_global_memory() {
  const char *strict = std::getenv("TESSERA_EMULATE_STRICT");
  return {.needs_writes = false,
          .is_global = true,
          .strict = strict && *strict && *strict != '0',
          .max_uses = 16};
}

} // namespace

global_memory::global_memory() : rules_(rules_of_global_memory()) {}

void global_memory::begin_launch() {
  ++launch_;
  for (shard &s : shards_) {
    std::scoped_lock lock(s.mutex);
    if (s.pages.size() > kept_pages / shards)
      s.pages.clear();
  }
}

page *global_memory::find(std::uintptr_t number) {
  shard &s = shards_[number % shards];
  std::scoped_lock lock(s.mutex);
  std::unique_ptr<page> &found = s.pages[number];
  if (!found) {
    if (s.pages.size() > max_pages / shards) {
      s.pages.erase(number);
      return nullptr;
    }
    found = std::make_unique<page>(rules_);
    found->launch = launch_;
  }
  if (found->launch != launch_) {
    found->bytes.reset(page::size);
    found->launch = launch_;
  }
  return found.get();
}

std::optional<access> global_memory::last_write(std::uintptr_t address) {
  page *const found = find(address / page::size);
  const access *const last = found ? found->bytes.last_write(address % page::size) : nullptr;
  return last ? std::optional(*last) : std::nullopt;
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
  static constinit host::per_process<global_memory> one;
  return one.get();
}

namespace {

// Is there a loaded program or library, with its variables? dl_iterate_phdr would say so, too, but
// a child of fork() waits for ever for its lock if another thread held it.
bool is_loaded(std::uintptr_t address) {
  Dl_info info;
  return dladdr(reinterpret_cast<const void *>(address), &info) != 0;
}

void learn_allocations(page &p, std::uintptr_t start, const host::allocation_table &table) {
  p.allocations = table.version();
  p.has_allocations = table.has_any(start, start + page::size);
  p.is_foreign = table.knows_all() && !is_loaded(start);
  p.inside = p.inside_end = 0;
}

} // namespace

bool is_outside(page &p, std::uintptr_t first, std::size_t count) {
  const host::allocation_table &table = host::allocations();
  if (p.allocations != table.version())
    learn_allocations(p, first / page::size * page::size, table);
  if (!p.has_allocations)
    return p.is_foreign;
  if (p.inside <= first && first + count <= p.inside_end)
    return false;
  std::optional<host::allocation> a = table.near(first);
  if (!a)
    a = table.near(first + count - 1);
  if (!a)
    return p.is_foreign;
  bool is_inside = a->address <= first && first + count <= a->end();
  if (is_inside) {
    p.inside = a->address;
    p.inside_end = a->end();
  }
  return !is_inside;
}

} // namespace tessera::emulate
