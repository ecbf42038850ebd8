// Grids and streams: kernel[grid], kernel[x, y, z], kernel[(x, y), stream].
#include "kernel.h"

namespace nb = nanobind;

namespace tessera::python {
namespace {

unsigned extent(nb::handle value) {
  nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid())
    throw nb::python_error();
  const long long extent = PyLong_AsLongLong(index.ptr());
  if (PyErr_Occurred())
    PyErr_Clear();
  else if (extent >= 1 && extent <= 0x7fffffff)
    return unsigned(extent);
  throw nb::value_error("extents of a grid are from 1 to 2**31 - 1");
}

void readGrid(nb::handle grid, unsigned (&extents)[3]) {
  if (PyIndex_Check(grid.ptr()) && !PySequence_Check(grid.ptr())) { // NumPy's integers, too
    extents[0] = extent(grid);
    return;
  }
  nb::object sequence = nb::steal(PySequence_Tuple(grid.ptr()));
  if (!sequence.is_valid())
    throw nb::python_error();
  const auto size = std::size_t(PyTuple_GET_SIZE(sequence.ptr()));
  if (size < 1 || size > 3)
    throw nb::value_error("a grid has one to three extents");
  for (std::size_t i = 0; i < size; ++i)
    extents[i] = extent(PyTuple_GET_ITEM(sequence.ptr(), Py_ssize_t(i)));
}

} // namespace

// Torch's, CuPy's, cuda.core's.
void *readStream(nb::handle stream) {
  nb::object number = nb::borrow(stream);
  for (const char *attribute : {"cuda_stream", "ptr", "handle"})
    if (!PyLong_Check(number.ptr()) && nb::hasattr(stream, attribute))
      number = stream.attr(attribute);
  if (!PyLong_Check(number.ptr()) && nb::hasattr(stream, "__cuda_stream__")) {
    nb::object pair = stream.attr("__cuda_stream__")();
    number = pair[1];
  }
  void *pointer = PyLong_Check(number.ptr()) ? PyLong_AsVoidPtr(number.ptr()) : nullptr;
  if (PyErr_Occurred() || !PyLong_Check(number.ptr())) {
    PyErr_Clear();
    throw nb::type_error("a stream is None, the integer of a cudaStream_t, or an object that has "
                         "it as cuda_stream, ptr, handle or __cuda_stream__");
  }
  return pointer;
}

// A grid of two extents is two numbers; beside a stream it is a tuple, or the stream is an object.
Configuration readConfiguration(nb::handle brackets) {
  Configuration configuration;
  nb::handle grid = brackets, stream;
  if (PyTuple_Check(brackets.ptr()) && PyTuple_GET_SIZE(brackets.ptr()) == 2) {
    const nb::handle first = PyTuple_GET_ITEM(brackets.ptr(), 0);
    const nb::handle second = PyTuple_GET_ITEM(brackets.ptr(), 1);
    if (PyTuple_Check(first.ptr()) || PyList_Check(first.ptr()) || !PyIndex_Check(second.ptr()))
      grid = first, stream = second;
  }
  readGrid(grid, configuration.grid);
  configuration.hasStream = stream.is_valid() && !stream.is_none();
  if (configuration.hasStream)
    configuration.stream = readStream(stream);
  return configuration;
}

} // namespace tessera::python
