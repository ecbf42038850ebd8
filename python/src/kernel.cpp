// The library is loaded with its symbols to itself: a process may have a CUDA runtime of its own.
#include "kernel.h"

#include <dlfcn.h>

#include <alloca.h>
#include <stdexcept>

namespace nb = nanobind;

namespace tessera::python {
namespace {

constexpr std::size_t alignment = 64; // no type of a parameter asks for more than its own

const interop::kernel_entry *load(const std::string &library) {
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    throw std::runtime_error("cannot load the compiled kernel: " + std::string(dlerror()));
  auto find =
      reinterpret_cast<const interop::kernel_entry *(*)()>(dlsym(handle, "tessera_kernel_entry"));
  const interop::kernel_entry *entry = find ? find() : nullptr;
  if (!entry || entry->version != interop::entry_version)
    throw std::runtime_error("'" + library + "' is no kernel of this version of Tessera");
  return entry;
}

unsigned extent(nb::handle value) {
  PyObject *index = PyNumber_Index(value.ptr());
  if (!index)
    throw nb::python_error();
  const long long extent = PyLong_AsLongLong(index);
  Py_DECREF(index);
  if (PyErr_Occurred())
    PyErr_Clear();
  else if (extent >= 1 && extent <= 0x7fffffff)
    return unsigned(extent);
  throw nb::value_error("extents of a grid are from 1 to 2**31 - 1");
}

void readGrid(nb::handle grid, unsigned (&extents)[3]) {
  if (PyLong_Check(grid.ptr())) {
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

// None, the number of a stream, or an object that has one: torch's, CuPy's, cuda.core's.
void *readStream(nb::handle stream) {
  if (stream.is_none())
    return nullptr;
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

} // namespace

Kernel::Kernel(const std::string &library, const std::string &name, std::vector<std::string> names,
               bool onCpu)
    : name(name), onCpu(onCpu), entry(load(library)) {
  for (unsigned i = 0; i < entry->count; ++i) {
    const interop::parameter &type = entry->parameters[i];
    if (type.alignment > alignment)
      throw std::runtime_error("a parameter that is aligned to more than 64 bytes");
    bytes = (bytes + type.alignment - 1) / type.alignment * type.alignment;
    slots.push_back({type, names.size() == entry->count ? names[i] : std::to_string(i + 1), bytes});
    bytes += type.size;
  }
}

// The arguments' memory is on the stack, at most 32 KiB: CUDA's limit of parameters.
void Kernel::launch(nb::handle grid, nb::handle stream, nb::tuple arguments) const {
  unsigned extents[3] = {1, 1, 1};
  readGrid(grid, extents);
  void *const number = readStream(stream);
  if (arguments.size() != slots.size())
    throw nb::type_error((name + " takes " + std::to_string(slots.size()) + " arguments, " +
                          std::to_string(arguments.size()) + " are given")
                             .c_str());
  auto *memory = static_cast<unsigned char *>(alloca(bytes + alignment));
  memory += (alignment - reinterpret_cast<std::uintptr_t>(memory) % alignment) % alignment;
  auto **addresses = static_cast<void **>(alloca((slots.size() + 1) * sizeof(void *)));
  Keeper keeper(slots.size()); // what the arguments refer to, until the launch is made
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Slot &slot = slots[i];
    addresses[i] = memory + slot.offset;
    convert(arguments[i], {slot.type, name, slot.name, onCpu, number, entry}, addresses[i], keeper);
  }
  const char *error;
  {
    nb::gil_scoped_release release;
    error = entry->run({extents, number, addresses});
  }
  if (error)
    throw std::runtime_error(name + ": the launch failed: " + error);
}

nb::list Kernel::describe() const {
  static constexpr const char *kinds[] = {"number", "pointer", "array", "record"};
  nb::list list;
  for (const Slot &slot : slots)
    list.append(nb::make_tuple(slot.name, kinds[int(slot.type.kind)],
                               slot.type.type.bits ? nb::cast(interop::name_of(slot.type.type))
                                                   : nb::none(),
                               slot.type.size, slot.type.alignment, slot.type.rank));
  return list;
}

} // namespace tessera::python
