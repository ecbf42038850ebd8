// A compiled kernel in a shared library: its parameters, and launches with Python's objects.
#pragma once

#include <tessera/interop/entry.h>

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

namespace tessera::python {

// What stands in the brackets of kernel[grid, stream].
struct Configuration {
  unsigned grid[3] = {1, 1, 1};
  void *stream = nullptr;
  bool hasStream = false;
};
// Throws TypeError or ValueError for what is none.
Configuration readConfiguration(nanobind::handle brackets);
// The number of a stream, or of an object that has one.
void *readStream(nanobind::handle stream);

class Kernel {
public:
  // Loads the library, which stays loaded. `names` are those of the parameters, in their order.
  Kernel(const std::string &library, const std::string &name, std::vector<std::string> names,
         bool onCpu);
  Kernel(const Kernel &) = delete;

  // Runs the kernel, without the GIL. Throws what Python raises where an argument is no value of
  // its parameter, or where the launch fails.
  void launch(const Configuration &configuration, PyObject *const *arguments,
              std::size_t count) const;

  // Until what such launches have queued has ended. A stream of None is the one they go to.
  void wait(nanobind::handle stream, const nanobind::sequence &arguments) const;
  nanobind::list describe() const; // (name, kind, element type, size, alignment, rank) of each
  nanobind::list written() const;  // of each: may the kernel change its elements?

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

// kernel[...]: an object to call with the arguments. For the slot of subscripts of Kernel's type.
PyObject *subscript(PyObject *kernel, PyObject *brackets);

} // namespace tessera::python
