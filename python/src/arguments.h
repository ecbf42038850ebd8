// Python's objects as values of a kernel's parameters.
#pragma once

#include <tessera/interop/entry.h>

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <string>
#include <utility>
#include <vector>

namespace tessera::python {

// Objects whose memory a launch refers to.
class Keeper {
public:
  explicit Keeper(std::size_t count) { objects.reserve(count); }
  void keep(nanobind::object object) { objects.push_back(std::move(object)); }

private:
  std::vector<nanobind::object> objects;
};

// What an argument is for, and how messages call it.
struct Target {
  const interop::parameter &type;
  const std::string &kernel, &name;
  bool onCpu;
  void *stream;
  const interop::kernel_entry *entry;

  std::string message(const std::string &what) const {
    return kernel + ": argument '" + name + "': " + what;
  }
  // TypeError, ValueError, OverflowError, NotImplementedError with the parameter's name.
  [[noreturn]] void fail(PyObject *exception, const std::string &what) const {
    PyErr_SetString(exception, message(what).c_str());
    throw nanobind::python_error();
  }
};

// Writes the value of the parameter to `memory`, which has its size and alignment.
void convert(nanobind::handle argument, const Target &target, void *memory, Keeper &keeper);

// The parts of it: numbers.cpp, arrays.cpp.
void convertNumber(nanobind::handle argument, const Target &target, void *memory);
interop::foreign_array readArray(nanobind::handle argument, const Target &target, Keeper &keeper);

} // namespace tessera::python
