// The handler by which XLA launches kernels, one for all of them: a call in a program of XLA names
// its kernel, says which buffers are which parameters, and has the values of the others. XLA calls
// it on threads of its own, without the GIL.
#include "kernel.h"
#include "xla_ffi_abi.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace nb = nanobind;

namespace tessera::python {
namespace {

// Kernels by the names that calls have for them; they stay.
struct Registry {
  std::mutex mutex;
  std::map<std::string, const Kernel *, std::less<>> kernels;

  static Registry &get() {
    static Registry registry;
    return registry;
  }
};

[[noreturn]] void malformed(const char *what) {
  throw std::invalid_argument(std::string("a call that tessera.jax has not made: ") + what);
}

const void *attribute(const xla::Attributes &attributes, std::string_view name,
                      xla::AttributeType type) {
  for (std::int64_t i = 0; i < attributes.size; ++i)
    if (std::string_view(attributes.names[i]->data, attributes.names[i]->size) == name &&
        attributes.types[i] == type)
      return attributes.values[i];
  malformed("an attribute is missing");
}

template <class T> constexpr xla::DataType typeOf = xla::DataType::Int8;
template <> constexpr xla::DataType typeOf<std::int32_t> = xla::DataType::Int32;

template <class T>
std::span<const T> numbers(const xla::Attributes &attributes, std::string_view name) {
  const auto *array =
      static_cast<const xla::Array *>(attribute(attributes, name, xla::AttributeType::Array));
  if (array->type != typeOf<T>)
    malformed("an attribute has another type");
  return {static_cast<const T *>(array->data), array->size};
}

const Kernel &find(const xla::Attributes &attributes) {
  const auto *name = static_cast<const xla::ByteSpan *>(
      attribute(attributes, "kernel", xla::AttributeType::String));
  Registry &registry = Registry::get();
  const std::lock_guard lock(registry.mutex);
  const auto found = registry.kernels.find(std::string_view(name->data, name->size));
  if (found == registry.kernels.end())
    throw std::out_of_range("a kernel that this process has not compiled: " +
                            std::string(name->data, name->size));
  return *found->second;
}

// Buffers lie with their last dimension side by side.
PackedArray arrayOf(const xla::CallFrame &frame, std::int32_t index) {
  const bool isResult = index >= frame.arguments.size;
  const xla::Buffers &of = isResult ? frame.results : frame.arguments;
  const std::int64_t i = isResult ? index - frame.arguments.size : index;
  if (i >= of.size)
    malformed("a buffer is missing");
  const auto *buffer = static_cast<const xla::Buffer *>(of.values[i]);
  return {buffer->data, buffer->extents, std::size_t(buffer->rank)};
}

void execute(const xla::CallFrame &frame, bool onCpu) {
  const Kernel &kernel = find(frame.attributes);
  if (kernel.isOnCpu() != onCpu)
    throw std::invalid_argument(kernel.getName() + " is compiled for the " +
                                (onCpu ? "GPU" : "CPU") +
                                ", and called on the other: see 'target'");
  const auto grid = numbers<std::int32_t>(frame.attributes, "grid");
  const auto buffers = numbers<std::int32_t>(frame.attributes, "buffers");
  const auto values = numbers<unsigned char>(frame.attributes, "values");
  if (grid.size() != 3)
    malformed("a grid has three extents");
  xla::StreamGetArguments stream{sizeof(xla::StreamGetArguments), nullptr, frame.context, nullptr};
  if (!onCpu && frame.api->stream_get(&stream))
    throw std::runtime_error("XLA has no stream");
  std::vector<PackedArray> arrays(buffers.size());
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i] >= 0)
      arrays[i] = arrayOf(frame, buffers[i]);
  kernel.launchPacked({{unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2])}, stream.stream},
                      arrays, values);
}

xla::Error *errorOf(const xla::CallFrame &frame, xla::ErrorCode code, const char *message) {
  xla::ErrorCreateArguments error{sizeof(xla::ErrorCreateArguments), nullptr, message, code};
  return frame.api->error_create(&error);
}

// XLA asks once for the version of the interface that the handler is for: what is used of it has
// been the same in all.
bool isAnswered(const xla::CallFrame &frame) {
  for (xla::Extension *each = frame.extension_start; each; each = each->next)
    if (each->type == 1) {
      auto &metadata = *reinterpret_cast<xla::MetadataExtension *>(each)->metadata;
      metadata.api_version.major_version = frame.api->api_version.major_version;
      metadata.api_version.minor_version = frame.api->api_version.minor_version;
      metadata.traits = 0;
      return true;
    }
  return false;
}

template <bool OnCpu> xla::Error *handle(xla::CallFrame *frame) {
  if (isAnswered(*frame) || frame->stage != xla::Stage::Execute)
    return nullptr;
  try {
    execute(*frame, OnCpu);
    return nullptr;
  } catch (const std::out_of_range &error) {
    return errorOf(*frame, xla::NotFound, error.what());
  } catch (const std::invalid_argument &error) {
    return errorOf(*frame, xla::InvalidArgument, error.what());
  } catch (const std::exception &error) {
    return errorOf(*frame, xla::Internal, error.what());
  }
}

} // namespace

void registerForXla(const std::string &name, const Kernel &kernel) {
  Registry &registry = Registry::get();
  const std::lock_guard lock(registry.mutex);
  registry.kernels.insert_or_assign(name, &kernel);
}

nb::capsule xlaHandler(bool onCpu) {
  return nb::capsule(reinterpret_cast<void *>(onCpu ? handle<true> : handle<false>));
}

} // namespace tessera::python
