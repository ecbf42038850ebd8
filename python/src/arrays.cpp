// Arrays of other libraries: by DLPack where an object has it, else by the CUDA Array Interface.
#include "dlpack_abi.h"
#include "memory.h"

#include "arguments.h"

#include <tessera/interop/cuda_array_interface.h>
#include <tessera/interop/dlpack.h>

#include <cstring>

namespace nb = nanobind;

namespace tessera::python {
namespace {

using interop::foreign_array;
using interop::interop_error;
using interop::reason;

// None if there is no such attribute. Errors of properties other than AttributeError are the
// object's own.
nb::object attributeOf(nb::handle object, const char *name) {
  PyObject *found = PyObject_GetAttrString(object.ptr(), name);
  if (!found) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError))
      throw nb::python_error();
    PyErr_Clear();
    return nb::none();
  }
  return nb::steal(found);
}

// ---- DLPack -----------------------------------------------------------------------------------
// Is the array in a device's memory, as far as its object says? Of arrays elsewhere nobody asks for
// a stream; checkDevice has the last word on them.
bool isOnDevice(nb::handle argument) {
  nb::object ask = attributeOf(argument, "__dlpack_device__");
  if (ask.is_none())
    return true;
  nb::object place = ask();
  if (!PyTuple_Check(place.ptr()) || PyTuple_GET_SIZE(place.ptr()) != 2 ||
      !PyLong_Check(PyTuple_GET_ITEM(place.ptr(), 0)))
    throw interop_error(reason::malformed, "its __dlpack_device__ returns no pair of integers");
  int overflow;
  const long type = PyLong_AsLongAndOverflow(PyTuple_GET_ITEM(place.ptr(), 0), &overflow);
  return type == interop::cuda_device || type == interop::cuda_managed;
}

// A producer that does not know of versions raises TypeError and is asked again without.
nb::object capsuleOf(nb::handle producer, const nb::dict &words) {
  nb::dict versioned = nb::borrow<nb::dict>(nb::steal(PyDict_Copy(words.ptr())));
  versioned["max_version"] = nb::make_tuple(1, 0);
  nb::tuple none;
  PyObject *capsule = PyObject_Call(producer.ptr(), none.ptr(), versioned.ptr());
  if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError)) {
    PyErr_Clear();
    capsule = PyObject_Call(producer.ptr(), none.ptr(), words.ptr());
  }
  if (!capsule && PyErr_ExceptionMatches(PyExc_BufferError)) {
    nb::python_error error;
    nb::object text = nb::str(error.value());
    throw interop_error(reason::layout, "no DLPack: " + nb::cast<std::string>(text));
  }
  if (!capsule)
    throw nb::python_error();
  return nb::steal(capsule);
}

// On a GPU a producer is told the stream that the array will be used in: 1 is CUDA's default one.
nb::dict wordsFor(nb::handle argument, Launch &launch) {
  nb::dict words;
  if (!launch.onCpu && isOnDevice(argument)) {
    void *const stream = launch.getStream();
    words["stream"] = stream ? nb::steal(PyLong_FromVoidPtr(stream)) : nb::object(nb::int_(1));
  }
  return words;
}

foreign_array readCapsule(nb::handle capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned"))
    return interop::from_dlpack(*static_cast<const DlpackVersionedTensor *>(
        PyCapsule_GetPointer(capsule.ptr(), "dltensor_versioned")));
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor"))
    return interop::from_dlpack(
        *static_cast<const DlpackManagedTensor *>(PyCapsule_GetPointer(capsule.ptr(), "dltensor")));
  throw interop_error(reason::element_type, "its __dlpack__ returns no new tensor");
}

// ---- the CUDA Array Interface -----------------------------------------------------------------
nb::object entryOf(nb::handle dictionary, const char *key) {
  PyObject *value = PyDict_GetItemString(dictionary.ptr(), key);
  return value ? nb::borrow(value) : nb::none();
}

[[noreturn]] void malformed(const std::string &what) {
  throw interop_error(reason::malformed, "its __cuda_array_interface__ " + what);
}

nb::object requiredEntry(nb::handle dictionary, const char *key) {
  nb::object value = entryOf(dictionary, key);
  if (value.is_none())
    malformed(std::string("has no '") + key + "'");
  return value;
}

std::int64_t integer(nb::handle value, const char *key) {
  if (!PyLong_Check(value.ptr()) || PyBool_Check(value.ptr()))
    malformed(std::string("has a '") + key + "' that is no integer");
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow)
    malformed(std::string("has a '") + key + "' of more than 64 bits");
  return number;
}

std::vector<std::int64_t> integers(nb::handle value, const char *key) {
  if (!PyTuple_Check(value.ptr()))
    malformed(std::string("has a '") + key + "' that is no tuple");
  std::vector<std::int64_t> numbers;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value.ptr()); ++i)
    numbers.push_back(integer(PyTuple_GET_ITEM(value.ptr(), i), key));
  return numbers;
}

void readData(nb::handle data, interop::array_interface &fields) {
  if (!PyTuple_Check(data.ptr()) || PyTuple_GET_SIZE(data.ptr()) != 2)
    malformed("has a 'data' that is no pair");
  PyObject *address = PyTuple_GET_ITEM(data.ptr(), 0), *flag = PyTuple_GET_ITEM(data.ptr(), 1);
  if (!PyLong_Check(address) || PyBool_Check(address))
    malformed("has a pointer that is no integer");
  const unsigned long long number = PyLong_AsUnsignedLongLong(address);
  if (PyErr_Occurred()) {
    PyErr_Clear();
    malformed("has a pointer that is no address");
  }
  if (!PyBool_Check(flag))
    malformed("has a read-only flag that is no bool");
  fields.data = std::uintptr_t(number);
  fields.is_read_only = flag == Py_True;
}

// Version 3: work that is queued in the producer's stream comes before. None needs nothing; 0 has
// no meaning there. On the CPU nothing is queued, and work of the launch's own stream is in order.
void readStream(nb::handle stream, const Target &target) {
  if (stream.is_none())
    return;
  const std::int64_t number = integer(stream, "stream");
  if (number <= 0)
    malformed("has a stream that is none: 1 and 2 are CUDA's default ones, others are handles");
  void *handle = reinterpret_cast<void *>(number);
  if (target.launch.onCpu)
    return;
  void *const own = target.launch.getStream();
  if (handle == own || (number == 1 && !own))
    return;
  const char *error;
  {
    nb::gil_scoped_release release;
    error = target.launch.entry.wait(handle);
  }
  if (error)
    malformed(std::string("has a stream of which CUDA says: ") + error);
}

// What the dictionary says, but for its stream.
interop::array_interface readFields(nb::handle dictionary) {
  if (!PyDict_Check(dictionary.ptr()))
    malformed("is no dict");
  interop::array_interface fields;
  const std::int64_t version = integer(requiredEntry(dictionary, "version"), "version");
  fields.version = version >= 0 && version < 100 ? int(version) : -1;
  fields.shape = integers(requiredEntry(dictionary, "shape"), "shape");
  nb::object typestr = requiredEntry(dictionary, "typestr");
  if (!PyUnicode_Check(typestr.ptr()))
    malformed("has a 'typestr' that is no str");
  const char *text = PyUnicode_AsUTF8(typestr.ptr());
  if (!text) { // a lone surrogate
    PyErr_Clear();
    malformed("has a 'typestr' that is no text");
  }
  fields.typestr = text;
  readData(requiredEntry(dictionary, "data"), fields);
  if (nb::object strides = entryOf(dictionary, "strides"); !strides.is_none())
    fields.strides = integers(strides, "strides");
  fields.has_mask = !entryOf(dictionary, "mask").is_none();
  return fields;
}

foreign_array readInterface(nb::handle dictionary, const Target &target) {
  const interop::array_interface fields = readFields(dictionary);
  if (fields.version >= 3)
    readStream(entryOf(dictionary, "stream"), target);
  foreign_array array = interop::from_array_interface(fields);
  // Nothing says where the memory is. A kernel on the CPU takes what this process can reach, one on
  // a GPU what CUDA knows.
  interop::check_memory(array);
  const bool onCpu = target.launch.onCpu;
  const int device = array.is_empty() || onCpu ? 0 : target.launch.entry.device_of(array.data);
  if (!array.is_empty() && (onCpu ? !isReachable(array) : device == interop::no_device))
    throw interop_error(reason::device, onCpu ? "an array that is not in this process's memory"
                                              : "an array that is not in memory of CUDA");
  array.device = onCpu                             ? interop::cpu
                 : device == interop::every_device ? interop::cuda_managed
                                                   : interop::cuda_device;
  array.device_number = device;
  return array;
}

// NumPy gives a masked array's elements away by DLPack as if there were no mask.
bool isMasked(nb::handle argument) {
  for (PyTypeObject *type = Py_TYPE(argument.ptr()); type; type = type->tp_base)
    if (std::strcmp(type->tp_name, "MaskedArray") == 0)
      return true;
  return false;
}

} // namespace

// Managed memory as an array of the CPU's library (Numba's): for a GPU the object has the other
// protocol, which its library's DLPack knows nothing of.
static bool isOfBothSides(nb::handle argument, const Launch &launch) {
  return !launch.onCpu && PyObject_HasAttrString(argument.ptr(), "__cuda_array_interface__") &&
         PyObject_HasAttrString(argument.ptr(), "__dlpack_device__") && !isOnDevice(argument);
}

foreign_array readArray(nb::handle argument, const Target &target) {
  if (isMasked(argument))
    throw interop_error(reason::mask,
                        "an array with a mask; pass its data, or what filled() makes");
  nb::object producer = attributeOf(argument, "__dlpack__");
  if (!producer.is_none() && !isOfBothSides(argument, target.launch)) {
    nb::object capsule = capsuleOf(producer, wordsFor(argument, target.launch));
    target.launch.keep(capsule);
    return readCapsule(capsule);
  }
  if (nb::object dictionary = attributeOf(argument, "__cuda_array_interface__");
      !dictionary.is_none()) {
    target.launch.keep(dictionary);
    return readInterface(dictionary, target);
  }
  const std::string type = nb::cast<std::string>(argument.type().attr("__name__"));
  target.fail(PyExc_TypeError, type + ", but an array is required: an object with __dlpack__ or "
                                      "__cuda_array_interface__");
}

nb::object arrayType(nb::handle argument) {
  interop::element_type type;
  std::size_t rank;
  if (!tensorType(argument, type, rank)) {
    foreign_array array;
    nb::object capsule; // whose tensor it is
    if (nb::object producer = attributeOf(argument, "__dlpack__"); !producer.is_none()) {
      nb::dict words;
      if (isOnDevice(argument))
        words["stream"] = -1; // nothing is to be waited for
      capsule = capsuleOf(producer, words);
      array = readCapsule(capsule);
    } else if (nb::object dictionary = attributeOf(argument, "__cuda_array_interface__");
               !dictionary.is_none()) {
      array = interop::from_array_interface(readFields(dictionary));
    } else {
      return nb::none();
    }
    type = array.type, rank = array.rank();
  }
  return nb::make_tuple(interop::name_of(type), rank);
}

} // namespace tessera::python
