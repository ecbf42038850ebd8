// The library is loaded with its symbols to itself: a process may have a CUDA runtime of its own.
#include "arguments.h"
#include "kernel.h"

#include <dlfcn.h>

#include <alloca.h>
#include <cstring>
#include <stdexcept>

namespace nb = nanobind;

namespace tessera::python {
namespace {

constexpr std::size_t alignment = 64; // no type of a parameter asks for more than its own

const interop::kernel_entry *load(const std::string &library) {
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    throw std::runtime_error("cannot load the compiled kernel: " + std::string(dlerror()));
  auto find = reinterpret_cast<const interop::kernel_entry *(*)()>(
      dlsym(handle, "tessera_kernel_entry_of_python"));
  const interop::kernel_entry *entry = find ? find() : nullptr;
  if (!entry || entry->version != interop::entry_version)
    throw std::runtime_error("'" + library + "' is no kernel of this version of Tessera");
  return entry;
}

bool isOfArray(const interop::parameter &type) {
  return type.kind == interop::parameter_kind::pointer ||
         type.kind == interop::parameter_kind::array;
}

unsigned char *aligned(unsigned char *memory) {
  return memory + (alignment - reinterpret_cast<std::uintptr_t>(memory) % alignment) % alignment;
}

// The value of a pointer or of a descriptor.
void write(const PackedArray &array, const interop::parameter &type, void *memory) {
  *static_cast<void **>(memory) = array.data;
  if (type.kind == interop::parameter_kind::pointer)
    return;
  if (array.rank != type.rank)
    throw std::invalid_argument("an array of " + std::to_string(array.rank) + " dimensions, but " +
                                std::to_string(type.rank) + " are required");
  auto *words = static_cast<std::uint64_t *>(memory);
  std::uint64_t stride = 1;
  for (std::size_t k = array.rank; k-- > 0;) {
    words[1 + k] = std::uint64_t(array.extents[k]);
    words[1 + array.rank + k] = stride;
    stride *= words[1 + k] ? words[1 + k] : 1;
  }
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
void Kernel::launch(const Configuration &configuration, PyObject *const *arguments,
                    std::size_t count) const {
  if (count != slots.size())
    throw nb::type_error((name + " takes " + std::to_string(slots.size()) + " arguments, " +
                          std::to_string(count) + " are given")
                             .c_str());
  unsigned char *const memory = aligned(static_cast<unsigned char *>(alloca(bytes + alignment)));
  auto **addresses = static_cast<void **>(alloca((count + 1) * sizeof(void *)));
  Launch launch(*entry, onCpu, arguments, count);
  if (configuration.hasStream)
    launch.setStream(configuration.stream);
  for (std::size_t i = 0; i < count; ++i) {
    const Slot &slot = slots[i];
    addresses[i] = memory + slot.offset;
    convert(arguments[i], {slot.type, name, slot.name, launch}, addresses[i]);
  }
  void *const stream = launch.getStream();
  const char *error;
  {
    nb::gil_scoped_release release;
    error = entry->run({configuration.grid, stream, addresses});
  }
  if (error)
    throw std::runtime_error(name + ": the launch failed: " + error);
}

nb::bytes Kernel::pack(const nb::sequence &arguments) const {
  nb::object items = nb::steal(PySequence_Tuple(arguments.ptr()));
  if (!items.is_valid())
    throw nb::python_error();
  const auto count = std::size_t(PyTuple_GET_SIZE(items.ptr()));
  if (count != slots.size())
    throw nb::type_error("one value for each parameter");
  std::vector<unsigned char> memory(bytes + alignment);
  unsigned char *const start = aligned(memory.data());
  Launch launch(*entry, onCpu, PySequence_Fast_ITEMS(items.ptr()), count);
  for (std::size_t i = 0; i < count; ++i)
    if (!isOfArray(slots[i].type))
      convert(PyTuple_GET_ITEM(items.ptr(), Py_ssize_t(i)),
              {slots[i].type, name, slots[i].name, launch}, start + slots[i].offset);
  return nb::bytes(start, bytes);
}

void Kernel::launchPacked(const Configuration &configuration, std::span<const PackedArray> arrays,
                          std::span<const unsigned char> values) const {
  if (values.size() != bytes || arrays.size() != slots.size())
    throw std::invalid_argument(name + " has other parameters");
  std::vector<unsigned char> memory(bytes + alignment);
  unsigned char *const start = aligned(memory.data());
  std::memcpy(start, values.data(), bytes);
  std::vector<void *> addresses(slots.size() + 1);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    addresses[i] = start + slots[i].offset;
    if (isOfArray(slots[i].type))
      write(arrays[i], slots[i].type, addresses[i]);
  }
  if (const char *error = entry->run({configuration.grid, configuration.stream, addresses.data()}))
    throw std::runtime_error(name + ": the launch failed: " + error);
}

void Kernel::wait(nb::handle stream, const nb::sequence &arguments) const {
  nb::object items = nb::steal(PySequence_Tuple(arguments.ptr()));
  if (!items.is_valid())
    throw nb::python_error();
  Launch launch(*entry, onCpu, PySequence_Fast_ITEMS(items.ptr()),
                std::size_t(PyTuple_GET_SIZE(items.ptr())));
  if (!stream.is_none())
    launch.setStream(readStream(stream));
  void *const number = launch.getStream();
  const char *error;
  {
    nb::gil_scoped_release release;
    error = entry->wait(number);
  }
  if (error)
    throw std::runtime_error(name + ": " + error);
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

nb::list Kernel::written() const {
  nb::list list;
  for (const Slot &slot : slots)
    list.append(isOfArray(slot.type) && !slot.type.is_const);
  return list;
}

} // namespace tessera::python
