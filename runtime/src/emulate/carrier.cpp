// Stacks with a guard page, and the endless loop of a carrier.
#include "carrier.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace tessera::emulate {

boost::context::stack_context guarded_stack::allocate() {
  void *low = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (low == MAP_FAILED)
    throw std::bad_alloc();
  // Splitting mappings may fail if a process has very many; the stack then works without the guard.
  mprotect(low, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), PROT_NONE);
  boost::context::stack_context stack;
  stack.size = size;
  stack.sp = static_cast<char *>(low) + size;
  return stack;
}

void guarded_stack::deallocate(boost::context::stack_context &stack) {
  munmap(static_cast<char *>(stack.sp) - stack.size, stack.size);
}

carrier::carrier(std::size_t stack_size) : size_(stack_size) {
  boost::context::stack_context stack = guarded_stack(stack_size).allocate();
  lowest_ = reinterpret_cast<std::uintptr_t>(stack.sp) - stack.size;
  inside_ = boost::context::fiber(
      std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
      guarded_stack(stack_size), [this](boost::context::fiber &&outside) {
        outside_ = std::move(outside);
        for (;;) {
          work_(argument_);
          suspend();
        }
        return std::move(outside_);
      });
}

} // namespace tessera::emulate
