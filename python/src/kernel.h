// A compiled kernel in a shared library: its parameters, and a launch with Python's objects.
#pragma once

#include "arguments.h"

#include <tessera/interop/entry.h>

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

namespace tessera::python {

class Kernel {
public:
  // Loads the library, which stays loaded. `names` are those of the parameters, in their order.
  Kernel(const std::string &library, const std::string &name, std::vector<std::string> names,
         bool onCpu);
  Kernel(const Kernel &) = delete;

  // Runs the kernel over a grid of one to three extents, without the GIL. Throws what Python raises
  // where an argument is no value of its parameter, or where the launch fails.
  void launch(nanobind::handle grid, nanobind::handle stream, nanobind::tuple arguments) const;

  std::size_t count() const { return slots.size(); }
  nanobind::list describe() const; // (name, kind, element type, size, alignment, rank) of each

private:
  struct Slot {
    interop::parameter type;
    std::string name;
    std::size_t offset; // in the arguments' memory
  };

  std::string name;
  bool onCpu;
  const interop::kernel_entry *entry;
  std::vector<Slot> slots;
  std::size_t bytes = 0;
};

} // namespace tessera::python
