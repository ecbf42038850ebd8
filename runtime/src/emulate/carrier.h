// A fiber that runs one thread of a block after another. Carriers are made when a thread needs one
// and kept for the life of the OS thread, so a kernel whose threads never wait runs all of them on
// one warm stack.
#pragma once

#include <boost/context/fiber.hpp>

#include <cstddef>
#include <cstdint>

namespace tessera::emulate {

// The system backs only touched pages.
class guarded_stack {
public:
  explicit guarded_stack(std::size_t size) : size(size) {}

  boost::context::stack_context allocate();
  void deallocate(boost::context::stack_context &stack);

private:
  std::size_t size;
};

class carrier {
public:
  // Generated code may hold large local arrays.
  static constexpr std::size_t usual_stack = std::size_t(1) << 20;

  explicit carrier(std::size_t stack = usual_stack);

  // Called by the scheduler: runs until the work suspends or is done.
  void resume() { inside_ = std::move(inside_).resume(); }
  // Called by the work: back to the scheduler.
  void suspend() { outside_ = std::move(outside_).resume(); }

  bool has_on_stack(std::uintptr_t address) const { return address - lowest_ < size_; }

  // Call before the first resume and after the work is done.
  void set_work(void (*work)(void *), void *argument) {
    work_ = work;
    argument_ = argument;
  }

private:
  std::uintptr_t lowest_ = 0; // of the stack
  std::size_t size_;
  boost::context::fiber inside_;
  boost::context::fiber outside_;
  void (*work_)(void *) = nullptr;
  void *argument_ = nullptr;
};

} // namespace tessera::emulate
