// Tensors of libraries with DLPack's exchange functions (torch): read in place, without a capsule,
// an allocation or a call of Python. What is refused here is looked at again by arrays.cpp, which
// says what is wrong.
#include "arguments.h"
#include "dlpack_abi.h"

#include <cstring>

namespace nb = nanobind;

namespace tessera::python {
namespace {

struct Known {
  PyTypeObject *type = nullptr;
  const DlpackExchange *exchange = nullptr;
};

const DlpackExchange *findExchange(PyTypeObject *type) {
  static PyObject *const name = PyUnicode_InternFromString("__dlpack_c_exchange_api__");
  nb::object capsule = nb::steal(PyObject_GetAttr(reinterpret_cast<PyObject *>(type), name));
  const DlpackExchange *exchange = nullptr;
  if (capsule.is_valid() && PyCapsule_IsValid(capsule.ptr(), "dlpack_exchange_api"))
    exchange = static_cast<const DlpackExchange *>(
        PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
  PyErr_Clear();
  while (exchange && exchange->version.major > 1)
    exchange = exchange->previous;
  return exchange && exchange->version.major == 1 && exchange->borrow && exchange->current_stream
             ? exchange
             : nullptr;
}

// The functions belong to a type and stay. Types are kept, so that no other takes their address.
const DlpackExchange *exchangeOf(PyTypeObject *type) {
  static Known known[16];
  static unsigned next = 0;
  for (const Known &entry : known)
    if (entry.type == type)
      return entry.exchange;
  const DlpackExchange *found = findExchange(type);
  Known &entry = known[next++ % std::size(known)];
  Py_XDECREF(entry.type);
  Py_INCREF(type);
  entry = {type, found};
  return found;
}

// The tensor as it lies; its shape and strides are the object's own.
bool borrow(nb::handle argument, const DlpackExchange &exchange, DlpackTensor &tensor) {
  if (exchange.borrow(argument.ptr(), &tensor) == 0)
    return true;
  PyErr_Clear();
  return false;
}

bool isOnGpu(const DlpackTensor &tensor) {
  return tensor.device.device_type == interop::cuda_device;
}

void *currentStream(const DlpackExchange &exchange, const DlpackTensor &tensor) {
  void *stream = nullptr;
  if (exchange.current_stream(tensor.device.device_type, tensor.device.device_id, &stream) != 0)
    PyErr_Clear();
  return stream;
}

// CUDA's default stream has two names.
bool isSame(void *a, void *b) {
  const auto plain = [](void *stream) {
    return stream == reinterpret_cast<void *>(1) ? nullptr : stream;
  };
  return plain(a) == plain(b);
}

// Are the elements where pointers of the parameter may point to?
bool isInPlace(const DlpackTensor &tensor, std::size_t size, std::size_t alignment) {
  const auto data = reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset;
  if (!tensor.data || data % alignment != 0 || (tensor.ndim > 0 && !tensor.strides))
    return false;
  std::int64_t count = std::int64_t(size), last = std::int64_t(size) - 1, distance;
  for (int k = 0; k < tensor.ndim; ++k) {
    const std::int64_t extent = tensor.shape[k], stride = tensor.strides[k];
    if (extent <= 0 || stride < 0 || __builtin_mul_overflow(count, extent, &count) ||
        __builtin_mul_overflow(stride, std::int64_t(size), &distance) ||
        __builtin_mul_overflow(distance, extent - 1, &distance) ||
        __builtin_add_overflow(last, distance, &last))
      return false;
  }
  std::uintptr_t end;
  return !__builtin_add_overflow(data, std::uintptr_t(last), &end);
}

// What is written behind a library's back is no part of a gradient.
bool wantsGradient(nb::handle argument) {
  static PyObject *const name = PyUnicode_InternFromString("requires_grad");
  nb::object flag = nb::steal(PyObject_GetAttr(argument.ptr(), name));
  if (!flag.is_valid())
    PyErr_Clear();
  return flag.is_valid() && flag.ptr() != Py_False;
}

} // namespace

void *Launch::getStream() {
  if (isStreamKnown)
    return stream;
  isStreamKnown = true;
  for (std::size_t i = 0; !onCpu && i < count; ++i) {
    DlpackTensor tensor;
    const DlpackExchange *exchange = exchangeOf(Py_TYPE(arguments[i]));
    if (exchange && borrow(arguments[i], *exchange, tensor) && isOnGpu(tensor))
      return stream = currentStream(*exchange, tensor);
  }
  return stream;
}

bool tensorType(nb::handle argument, interop::element_type &type, std::size_t &rank) {
  DlpackTensor tensor;
  const DlpackExchange *exchange = exchangeOf(Py_TYPE(argument.ptr()));
  if (!exchange || !borrow(argument, *exchange, tensor) || tensor.dtype.lanes != 1 ||
      tensor.ndim < 0)
    return false;
  type = {tensor.dtype.code, tensor.dtype.bits};
  rank = std::size_t(tensor.ndim);
  return true;
}

bool convertTensor(nb::handle argument, const Target &target, void *memory) {
  const interop::parameter &type = target.type;
  Launch &launch = target.launch;
  DlpackTensor tensor;
  const DlpackExchange *exchange = exchangeOf(Py_TYPE(argument.ptr()));
  if (!exchange || !borrow(argument, *exchange, tensor))
    return false;

  // Complex tensors may be conjugated by a flag that DLPack has not.
  const interop::element_type element = {tensor.dtype.code, tensor.dtype.bits};
  const bool isArray = type.kind == interop::parameter_kind::array;
  if (tensor.dtype.lanes != 1 || element.code == 5 || tensor.ndim < 0 ||
      (element != type.type && (isArray || type.type.bits != 0)) ||
      (isArray && std::uint32_t(tensor.ndim) != type.rank) ||
      !isInPlace(tensor, element.bytes(), type.element_alignment) ||
      (!type.is_const && wantsGradient(argument)))
    return false;

  // Queued work of the library in another stream is waited for with its own functions.
  if (launch.onCpu ? tensor.device.device_type != interop::cpu
                   : !isOnGpu(tensor) || tensor.device.device_id != launch.getDevice() ||
                         !isSame(currentStream(*exchange, tensor), launch.getStream()))
    return false;

  auto *words = static_cast<std::uint64_t *>(memory);
  words[0] = reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset;
  if (isArray) {
    std::memcpy(words + 1, tensor.shape, type.rank * sizeof *words);
    std::memcpy(words + 1 + type.rank, tensor.strides, type.rank * sizeof *words);
  }
  return true;
}

} // namespace tessera::python
