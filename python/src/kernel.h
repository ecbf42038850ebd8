// A compiled kernel in a shared library: its parameters, and launches with Python's objects.
#pragma once

#include <tessera/interop/entry.h>

#include <nanobind/nanobind.h>

#include <cstdint>
#include <span>
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

// An array whose elements lie side by side, the last dimension first. Of a pointer only the data.
struct PackedArray {
  void *data = nullptr;
  const std::int64_t *extents = nullptr;
  std::size_t rank = 0;
};

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

  // Bytes with the values of the parameters that are no arrays. Arrays and pointers are None.
  nanobind::bytes pack(const nanobind::sequence &arguments) const;
  // Runs the kernel with such bytes and an array for each parameter; others are not looked at.
  // Called without the GIL. Throws std::invalid_argument where they are not the kernel's, or
  // std::runtime_error where the launch fails.
  void launchPacked(const Configuration &configuration, std::span<const PackedArray> arrays,
                    std::span<const unsigned char> values) const;

  // Until what such launches have queued has ended. A stream of None is the one they go to.
  void wait(nanobind::handle stream, const nanobind::sequence &arguments) const;
  const std::string &getName() const { return name; }
  bool isOnCpu() const { return onCpu; }
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

// For XLA (xla.cpp): calls whose kernel has the name launch this one, which stays.
void registerForXla(const std::string &name, const Kernel &kernel);
// The handler of such calls on the CPU or on GPUs, for JAX.
nanobind::capsule xlaHandler(bool onCpu);

// kernel[...]: an object to call with the arguments. For the slot of subscripts of Kernel's type.
PyObject *subscript(PyObject *kernel, PyObject *brackets);

} // namespace tessera::python
