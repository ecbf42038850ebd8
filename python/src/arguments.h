// Python's objects as values of a kernel's parameters.
#pragma once

#include <tessera/interop/entry.h>
#include <tessera/interop/foreign_array.h>

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <string>
#include <utility>
#include <vector>

namespace tessera::python {

// One launch while its arguments are read: where it runs, and the objects whose memory it refers
// to beside the arguments themselves.
class Launch {
public:
  Launch(const interop::kernel_entry &entry, bool onCpu, PyObject *const *arguments,
         std::size_t count)
      : entry(entry), onCpu(onCpu), arguments(arguments), count(count) {}

  void setStream(void *given) { stream = given, isStreamKnown = true; }
  // Where no stream is given it is the current one of the library whose tensors are arguments, or
  // CUDA's default one.
  void *getStream();
  // Of a GPU, as CUDA numbers them.
  int getDevice() { return device >= 0 ? device : device = entry.device(); }
  void keep(nanobind::object object) { kept.push_back(std::move(object)); }

  const interop::kernel_entry &entry;
  const bool onCpu;

private:
  PyObject *const *arguments;
  std::size_t count;
  void *stream = nullptr;
  bool isStreamKnown = false;
  int device = -1;
  std::vector<nanobind::object> kept;
};

// What an argument is for, and how messages call it.
struct Target {
  const interop::parameter &type;
  const std::string &kernel, &name;
  Launch &launch;

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
void convert(nanobind::handle argument, const Target &target, void *memory);

// The parts of it: numbers.cpp, arrays.cpp, tensors.cpp.
void convertNumber(nanobind::handle argument, const Target &target, void *memory);
interop::foreign_array readArray(nanobind::handle argument, const Target &target);
// Element type and rank of what has an array's protocol: (name, rank), None where it has none. No
// stream is waited for. Throws interop_error.
nanobind::object arrayType(nanobind::handle argument);
// The same of a tensor that its library gives away without an object in between; nothing is done
// where it does not.
bool tensorType(nanobind::handle argument, interop::element_type &type, std::size_t &rank);
// What most launches have: a tensor that is as the parameter wants it, of a library that gives it
// away without an object in between. False where anything is unusual; nothing is written then.
bool convertTensor(nanobind::handle argument, const Target &target, void *memory);

} // namespace tessera::python
