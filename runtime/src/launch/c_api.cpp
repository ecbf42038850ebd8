// Arguments of C as values of a kernel's parameters. No exception leaves a function of the API.
#include <tessera/c_api.h>
#include <tessera/interop/entry.h>
#include <tessera/interop/foreign_array.h>

#include <dlfcn.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace interop = tessera::interop;

struct tessera_kernel {
  std::string name;
  const interop::kernel_entry *entry;
};

namespace {

thread_local std::string said;

struct failure : std::runtime_error {
  failure(tessera_status status, const std::string &what)
      : std::runtime_error(what), status(status) {}
  tessera_status status;
};

template <class Act> tessera_status guarded(Act act) {
  try {
    act();
    return TESSERA_OK;
  } catch (const failure &error) {
    said = error.what();
    return error.status;
  } catch (const std::exception &error) { // of memory
    said = error.what();
    return TESSERA_LAUNCH_FAILED;
  }
}

[[noreturn]] void refuse(const std::string &what) { throw failure(TESSERA_INVALID_ARGUMENT, what); }

const interop::kernel_entry *find(const char *library, const std::string &name) {
  void *const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    throw failure(TESSERA_NOT_FOUND, dlerror());
  const std::string symbol = "tessera_kernel_entry_" + name;
  using getter = const interop::kernel_entry *(*)();
  const auto get = reinterpret_cast<getter>(dlsym(handle, symbol.c_str()));
  if (!get)
    throw failure(TESSERA_NOT_FOUND,
                  "'" + std::string(library) + "' exports no kernel '" + name + "'");
  const interop::kernel_entry *const entry = get();
  if (entry->version != interop::entry_version)
    throw failure(TESSERA_NOT_FOUND,
                  "'" + std::string(library) + "' was built by another version of Tessera");
  return entry;
}

// The memory of a launch's arguments, and where each lies in it.
class values {
public:
  explicit values(const interop::kernel_entry &entry) : addresses(entry.count + 1) {
    std::size_t bytes = 0;
    std::vector<std::size_t> offsets(entry.count);
    for (unsigned i = 0; i < entry.count; ++i) {
      const interop::parameter &type = entry.parameters[i];
      bytes = (bytes + type.alignment - 1) / type.alignment * type.alignment;
      offsets[i] = bytes;
      bytes += type.size;
    }
    memory.resize(bytes + largest_alignment);
    const auto start = reinterpret_cast<std::uintptr_t>(memory.data());
    unsigned char *const aligned =
        memory.data() + (largest_alignment - start % largest_alignment) % largest_alignment;
    for (unsigned i = 0; i < entry.count; ++i)
      addresses[i] = aligned + offsets[i];
  }

  void *at(unsigned index) { return addresses[index]; }
  void *const *all() const { return addresses.data(); }

private:
  static constexpr std::size_t largest_alignment = 256;
  std::vector<unsigned char> memory;
  std::vector<void *> addresses;
};

interop::foreign_array read(const tessera_array &given) {
  interop::foreign_array array;
  array.data = given.data;
  array.type = {given.code, given.bits};
  if (given.rank > interop::largest_rank)
    refuse("an array of " + std::to_string(given.rank) + " dimensions");
  if (given.rank > 0 && !given.shape)
    refuse("an array without a shape");
  array.shape.assign(given.shape, given.shape + given.rank);
  const auto size = std::int64_t(array.type.bytes());
  interop::check_extents(array.shape, size);
  array.strides = interop::packed_strides(array.shape, size);
  for (std::size_t k = 0; given.strides && k < given.rank; ++k)
    if (__builtin_mul_overflow(given.strides[k], size, &array.strides[k]))
      refuse("an array larger than the address space");
  return array;
}

void write(const tessera_array &given, const interop::parameter &type, void *memory) {
  const interop::foreign_array array = read(given);
  const bool is_pointer = type.kind == interop::parameter_kind::pointer;
  if (!is_pointer && type.kind != interop::parameter_kind::array)
    refuse("an array, but a value is required");
  interop::check_parameter(array, {type.type.bits ? type.type : array.type, type.element_size,
                                   type.element_alignment, is_pointer ? array.rank() : type.rank,
                                   type.is_const});
  *static_cast<void **>(memory) = array.data;
  if (is_pointer)
    return;
  auto *const words = static_cast<std::uint64_t *>(memory);
  for (std::size_t k = 0; k < type.rank; ++k) {
    words[1 + k] = std::uint64_t(array.shape[k]);
    words[1 + type.rank + k] = interop::stride_in_elements(array, k, type.element_size);
  }
}

void write(const tessera_argument &given, const interop::parameter &type, void *memory) {
  if (given.array)
    return write(*given.array, type, memory);
  if (!given.value)
    refuse("neither an array nor a value");
  if (given.size != type.size)
    refuse("a value of " + std::to_string(given.size) + " bytes, but the parameter has " +
           std::to_string(type.size));
  std::memcpy(memory, given.value, given.size);
}

void launch(const tessera_kernel &kernel, const unsigned *grid, void *stream,
            const tessera_argument *arguments, unsigned count) {
  const interop::kernel_entry &entry = *kernel.entry;
  if (count != entry.count)
    refuse(kernel.name + " takes " + std::to_string(entry.count) + " arguments, " +
           std::to_string(count) + " are given");
  for (int k = 0; k < 3; ++k)
    if (grid[k] < 1 || grid[k] > 0x7fffffff)
      refuse(kernel.name + ": extents of a grid are from 1 to 2^31 - 1");
  values memory(entry);
  for (unsigned i = 0; i < count; ++i)
    try {
      write(arguments[i], entry.parameters[i], memory.at(i));
    } catch (const std::invalid_argument &error) { // interop_error
      refuse(kernel.name + ": argument " + std::to_string(i + 1) + ": " + error.what());
    } catch (const failure &error) {
      refuse(kernel.name + ": argument " + std::to_string(i + 1) + ": " + error.what());
    }
  if (const char *const error = entry.run({grid, stream, memory.all()}))
    throw failure(TESSERA_LAUNCH_FAILED, kernel.name + ": " + error);
}

} // namespace

tessera_status tessera_kernel_open(const char *library, const char *name, tessera_kernel **kernel) {
  *kernel = nullptr;
  return guarded([&] {
    auto made = std::make_unique<tessera_kernel>(tessera_kernel{name, find(library, name)});
    *kernel = made.release();
  });
}

void tessera_kernel_close(tessera_kernel *kernel) { delete kernel; }

unsigned tessera_kernel_parameter_count(const tessera_kernel *kernel) {
  return kernel->entry->count;
}

tessera_status tessera_kernel_parameter(const tessera_kernel *kernel, unsigned index,
                                        tessera_parameter *parameter) {
  return guarded([&] {
    if (index >= kernel->entry->count)
      refuse(kernel->name + " has no parameter " + std::to_string(index));
    const interop::parameter &type = kernel->entry->parameters[index];
    *parameter = {tessera_kind(type.kind), type.type.code, type.type.bits,
                  type.is_const,           type.rank,      type.size,
                  type.alignment};
  });
}

tessera_status tessera_kernel_launch(const tessera_kernel *kernel, const unsigned grid[3],
                                     void *stream, const tessera_argument *arguments,
                                     unsigned count) {
  return guarded([&] { launch(*kernel, grid, stream, arguments, count); });
}

tessera_status tessera_kernel_wait(const tessera_kernel *kernel, void *stream) {
  return guarded([&] {
    if (const char *const error = kernel->entry->wait(stream))
      throw failure(TESSERA_LAUNCH_FAILED, kernel->name + ": " + error);
  });
}

const char *tessera_error_message(void) { return said.c_str(); }
