// One function for each kind of parameter.
#include "arguments.h"

#include <cstring>

namespace nb = nanobind;

namespace tessera::python {
namespace {

PyObject *exceptionFor(interop::reason why) {
  switch (why) {
  case interop::reason::element_type: return PyExc_TypeError;
  case interop::reason::mask: return PyExc_NotImplementedError;
  default: return PyExc_ValueError;
  }
}

// DLPack's device types by the names that libraries give them.
std::string deviceName(const interop::foreign_array &array) {
  const std::string number = ":" + std::to_string(array.device_number);
  switch (array.device) {
  case interop::cpu: return "the CPU";
  case interop::cuda_device: return "cuda" + number;
  default: return "a device of DLPack's type " + std::to_string(array.device) + number;
  }
}

void checkDevice(const interop::foreign_array &array, const Target &target) {
  if (array.is_empty())
    return;
  const bool isOfHost = array.device == interop::cpu;
  const bool isOfBoth = array.device == interop::cuda_host || array.device == interop::cuda_managed;
  Launch &launch = target.launch;
  const auto isOfDevice = [&] {
    return array.device == interop::cuda_device && array.device_number == launch.getDevice();
  };
  if (!(isOfBoth || (launch.onCpu ? isOfHost : isOfDevice())))
    target.fail(PyExc_ValueError,
                "an array on " + deviceName(array) + ", but the kernel runs on " +
                    (launch.onCpu ? "the CPU" : "cuda:" + std::to_string(launch.getDevice())));
}

// A pointer has no shape to hold the array against: its elements are what is checked.
void convertPointer(nb::handle argument, const Target &target, void *memory) {
  if (convertTensor(argument, target, memory))
    return;
  void *pointer = nullptr;
  if (!argument.is_none()) {
    const interop::foreign_array array = readArray(argument, target);
    checkDevice(array, target);
    interop::parameter_type wanted{target.type.type, target.type.element_size,
                                   target.type.element_alignment, array.rank(),
                                   target.type.is_const};
    if (wanted.type.bits == 0) // void, or a struct
      wanted.type = array.type;
    interop::check_parameter(array, wanted);
    pointer = array.data;
  }
  std::memcpy(memory, &pointer, sizeof pointer);
}

void convertArray(nb::handle argument, const Target &target, void *memory) {
  if (target.type.type.bits == 0)
    target.fail(PyExc_NotImplementedError,
                "arrays of structs are not supported; make the parameter a pointer");
  if (convertTensor(argument, target, memory))
    return;
  const interop::foreign_array array = readArray(argument, target);
  checkDevice(array, target);
  const interop::parameter &type = target.type;
  interop::check_parameter(
      array, {type.type, type.element_size, type.element_alignment, type.rank, type.is_const});
  auto *words = static_cast<std::uint64_t *>(memory);
  words[0] = reinterpret_cast<std::uintptr_t>(array.data);
  for (std::size_t k = 0; k < type.rank; ++k) {
    words[1 + k] = std::uint64_t(array.shape[k]);
    words[1 + type.rank + k] = interop::stride_in_elements(array, k, type.element_size);
  }
}

// Python says what the bytes are: tessera.types.pack.
void convertRecord(nb::handle argument, const Target &target, void *memory) {
  nb::object packed;
  try {
    packed = nb::module_::import_("tessera.types").attr("pack")(argument);
  } catch (nb::python_error &error) {
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_OverflowError))
      throw;
    nb::object text = nb::str(error.value());
    target.fail(error.matches(PyExc_TypeError) ? PyExc_TypeError : PyExc_OverflowError,
                nb::cast<std::string>(text));
  }
  auto [bytes, alignment] = nb::cast<std::pair<nb::bytes, std::size_t>>(packed);
  if (bytes.size() != target.type.size || alignment > target.type.alignment)
    target.fail(PyExc_TypeError, "a value of " + std::to_string(bytes.size()) +
                                     " bytes, aligned to " + std::to_string(alignment) +
                                     ", but the parameter has " + std::to_string(target.type.size) +
                                     ", aligned to " + std::to_string(target.type.alignment));
  std::memcpy(memory, bytes.c_str(), bytes.size());
}

} // namespace

void convert(nb::handle argument, const Target &target, void *memory) {
  try {
    switch (target.type.kind) {
    case interop::parameter_kind::number: return convertNumber(argument, target, memory);
    case interop::parameter_kind::pointer: return convertPointer(argument, target, memory);
    case interop::parameter_kind::array: return convertArray(argument, target, memory);
    case interop::parameter_kind::record: return convertRecord(argument, target, memory);
    }
  } catch (const interop::interop_error &error) {
    target.fail(exceptionFor(error.why), error.what());
  }
}

} // namespace tessera::python
