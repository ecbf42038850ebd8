// The extension module tessera._tessera.
#include "kernel.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using tessera::python::Kernel;

NB_MODULE(_tessera, module) {
  nb::set_leak_warnings(false); // kernels live as long as the process
  module.doc() = "Compiled kernels: loading, arguments, launches.";
  static PyType_Slot slots[] = {
      {Py_mp_subscript, reinterpret_cast<void *>(tessera::python::subscript)}, {0, nullptr}};
  nb::class_<Kernel>(module, "Kernel", nb::type_slots(slots), "A compiled kernel that is loaded.")
      .def(nb::init<const std::string &, const std::string &, std::vector<std::string>, bool>(),
           nb::arg("library"), nb::arg("name"), nb::arg("names"), nb::arg("on_cpu"))
      .def("wait", &Kernel::wait, nb::arg("stream").none(), nb::arg("arguments"),
           "Returns when what launches with such arguments have queued has ended.")
      .def("describe", &Kernel::describe,
           "(name, kind, element type, size, alignment, rank) of each parameter.");

  // The machine representation of numbers and vectors: name -> (size, alignment).
  nb::dict layouts;
#define TESSERA_INTEROP_NUMBER(NAME, TYPE, SIZE, ALIGNMENT, CODE, BITS)                            \
  layouts[#NAME] = nb::make_tuple(SIZE, ALIGNMENT);
#define TESSERA_INTEROP_VECTOR(NAME, ELEMENT, COUNT, TYPE, SIZE, ALIGNMENT)                        \
  layouts[#NAME] = nb::make_tuple(SIZE, ALIGNMENT, #ELEMENT, COUNT);
#include <tessera/interop/types.def>
  module.attr("layouts") = layouts;
}
