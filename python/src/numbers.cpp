// Numbers: Python's own, NumPy's and the fixed-format ones of tessera.types, each checked against
// the range of the parameter's type.
#include "arguments.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace nb = nanobind;

namespace tessera::python {
namespace {

template <class T> void store(T value, void *memory) { std::memcpy(memory, &value, sizeof value); }

const std::string nameOf(nb::handle object) {
  return nb::cast<std::string>(object.type().attr("__name__"));
}

[[noreturn]] void wrongType(nb::handle argument, const Target &target) {
  target.fail(PyExc_TypeError,
              nameOf(argument) + ", but " + interop::name_of(target.type.type) + " is required");
}

[[noreturn]] void outOfRange(nb::handle argument, const Target &target) {
  nb::object text = nb::steal(PyObject_Repr(argument.ptr()));
  if (!text.is_valid())
    throw nb::python_error();
  target.fail(PyExc_OverflowError, nb::cast<std::string>(text) + " cannot be represented as " +
                                       interop::name_of(target.type.type));
}

// The value of a member of an enum.
nb::object plain(nb::handle argument) {
  PyObject *const type = reinterpret_cast<PyObject *>(Py_TYPE(argument.ptr()));
  if (type == reinterpret_cast<PyObject *>(&PyLong_Type) ||
      type == reinterpret_cast<PyObject *>(&PyFloat_Type))
    return nb::borrow(argument);
  static nb::object enumeration = nb::module_::import_("enum").attr("Enum");
  return nb::isinstance(argument, enumeration) ? argument.attr("value") : nb::borrow(argument);
}

bool isTruth(nb::handle argument) {
  return PyBool_Check(argument.ptr()) || nameOf(argument) == "bool" || nameOf(argument) == "bool_";
}

template <class T> void storeInteger(nb::handle argument, const Target &target, void *memory) {
  if (!PyIndex_Check(argument.ptr()))
    wrongType(argument, target);
  nb::object index = nb::steal(PyNumber_Index(argument.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear(); // an array of many elements, for instance
    wrongType(argument, target);
  }
  if constexpr (std::is_signed_v<T>) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    if (overflow || value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max())
      outOfRange(argument, target);
    store(T(value), memory);
  } else {
    const unsigned long long value = PyLong_AsUnsignedLongLong(index.ptr());
    const bool isOut = PyErr_Occurred() != nullptr;
    PyErr_Clear();
    if (isOut || value > std::numeric_limits<T>::max())
      outOfRange(argument, target);
    store(T(value), memory);
  }
}

// A real number; what has no __float__ or __index__ is none, strings are not read.
double real(nb::handle argument, const Target &target) {
  PyNumberMethods *methods = Py_TYPE(argument.ptr())->tp_as_number;
  if (!methods || !(methods->nb_float || methods->nb_index))
    wrongType(argument, target);
  const double value = PyFloat_AsDouble(argument.ptr());
  if (PyErr_Occurred()) {
    const bool isLarge = PyErr_ExceptionMatches(PyExc_OverflowError);
    PyErr_Clear();
    isLarge ? outOfRange(argument, target) : wrongType(argument, target);
  }
  return value;
}

// To nearest; a finite number that rounds beyond the largest of the format is out of range.
template <class T, class Round> void storeReal(nb::handle argument, const Target &target,
                                               void *memory, double largest, Round round) {
  const double value = real(argument, target);
  const T rounded = round(value);
  if (std::isfinite(value) && (std::abs(value) > largest && !std::isfinite(double(float(rounded)))))
    outOfRange(argument, target);
  store(rounded, memory);
}

// Formats of 8 bits saturate; what is beyond their largest number is out of range.
template <class T>
void storeNarrow(nb::handle argument, const Target &target, void *memory, double largest) {
  const double value = real(argument, target);
  if (std::isfinite(value) && std::abs(value) > largest)
    outOfRange(argument, target);
  store(T(value), memory);
}

void storeFloat(nb::handle argument, const Target &target, void *memory) {
  const double value = real(argument, target);
  if (std::isfinite(value) && !std::isfinite(float(value)))
    outOfRange(argument, target);
  store(float(value), memory);
}

void storeComplex(nb::handle argument, const Target &target, void *memory) {
  PyNumberMethods *methods = Py_TYPE(argument.ptr())->tp_as_number;
  if (!PyComplex_Check(argument.ptr()) && !nb::hasattr(argument, "__complex__") &&
      !(methods && (methods->nb_float || methods->nb_index)))
    wrongType(argument, target);
  const Py_complex value = PyComplex_AsCComplex(argument.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    wrongType(argument, target);
  }
  if (target.type.type == interop::element_type_of<interop::complex128>)
    return store(interop::complex128{value.real, value.imag}, memory);
  const interop::complex64 narrow{float(value.real), float(value.imag)};
  if ((std::isfinite(value.real) && !std::isfinite(narrow.real)) ||
      (std::isfinite(value.imag) && !std::isfinite(narrow.imag)))
    outOfRange(argument, target);
  store(narrow, memory);
}

} // namespace

void convertNumber(nb::handle given, const Target &target, void *memory) {
  const nb::object argument = plain(given);
  const interop::element_type type = target.type.type;
  switch (type.code) {
  case 0:
    return type.bits == 8    ? storeInteger<std::int8_t>(argument, target, memory)
           : type.bits == 16 ? storeInteger<std::int16_t>(argument, target, memory)
           : type.bits == 32 ? storeInteger<std::int32_t>(argument, target, memory)
                             : storeInteger<std::int64_t>(argument, target, memory);
  case 1:
    return type.bits == 8    ? storeInteger<std::uint8_t>(argument, target, memory)
           : type.bits == 16 ? storeInteger<std::uint16_t>(argument, target, memory)
           : type.bits == 32 ? storeInteger<std::uint32_t>(argument, target, memory)
                             : storeInteger<std::uint64_t>(argument, target, memory);
  case 2:
    if (type.bits == 16)
      return storeReal<__half>(argument, target, memory, 65504, __double2half);
    return type.bits == 32 ? storeFloat(argument, target, memory)
                           : store(real(argument, target), memory);
  case 4:
    return storeReal<__nv_bfloat16>(argument, target, memory, 3.3895313892515355e38,
                                    __double2bfloat16);
  case 5: return storeComplex(argument, target, memory);
  case 6: {
    if (!isTruth(argument))
      wrongType(argument, target);
    const int truth = PyObject_IsTrue(argument.ptr());
    if (truth < 0)
      throw nb::python_error();
    return store(truth == 1, memory);
  }
  case 10: return storeNarrow<__nv_fp8_e4m3>(argument, target, memory, 448);
  case 12: return storeNarrow<__nv_fp8_e5m2>(argument, target, memory, 57344);
  }
  wrongType(argument, target);
}

} // namespace tessera::python
