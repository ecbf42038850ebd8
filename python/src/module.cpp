// The extension module tessera._tessera.
#include "arguments.h"
#include "kernel.h"

#include <tessera/version.h>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
namespace interop = tessera::interop;
using tessera::python::Kernel;

NB_MODULE(_tessera, module) {
  // Types and names that are met once are kept, with those of the interpreter that they are of.
  if (PyInterpreterState_Get() != PyInterpreterState_Main())
    throw nb::import_error("tessera is for a process's main interpreter");
  nb::set_leak_warnings(false); // kernels live as long as the process
  module.doc() = "Compiled kernels: loading, arguments, launches.";
  module.attr("version") = TESSERA_VERSION_STRING;
  static PyType_Slot slots[] = {
      {Py_mp_subscript, reinterpret_cast<void *>(tessera::python::subscript)}, {0, nullptr}};
  nb::class_<Kernel>(module, "Kernel", nb::type_slots(slots), "A compiled kernel that is loaded.")
      .def(nb::init<const std::string &, const std::string &, std::vector<std::string>, bool>(),
           nb::arg("library"), nb::arg("name"), nb::arg("names"), nb::arg("on_cpu"))
      .def("wait", &Kernel::wait, nb::arg("stream").none(), nb::arg("arguments"),
           "Returns when what launches with such arguments have queued has ended.")
      .def("describe", &Kernel::describe,
           "(name, kind, element type, size, alignment, rank) of each parameter.")
      .def("pack", &Kernel::pack, nb::arg("arguments"),
           "Bytes with the values of the parameters that are no arrays.")
      .def(
          "register_for_xla",
          [](const Kernel &kernel, const std::string &name) {
            tessera::python::registerForXla(name, kernel);
          },
          nb::arg("name"), "Calls of XLA whose kernel has the name launch this one, which stays.")
      .def("written", &Kernel::written, "Of each parameter: may the kernel change its elements?");

  // The machine representation of numbers and vectors: name -> (size, alignment).
  nb::dict layouts;
#define TESSERA_INTEROP_NUMBER(NAME, TYPE, SIZE, ALIGNMENT, CODE, BITS)                            \
  layouts[#NAME] = nb::make_tuple(SIZE, ALIGNMENT);
#define TESSERA_INTEROP_VECTOR(NAME, ELEMENT, COUNT, TYPE, SIZE, ALIGNMENT)                        \
  layouts[#NAME] = nb::make_tuple(SIZE, ALIGNMENT, #ELEMENT, COUNT);
#include <tessera/interop/types.def>
  module.attr("layouts") = layouts;

  // How C++ spells the type of a number.
  nb::dict spellings;
#define TESSERA_INTEROP_NUMBER(NAME, TYPE, SIZE, ALIGNMENT, CODE, BITS)                            \
  spellings[interop::name_of({CODE, BITS}).c_str()] =                                              \
      CODE == 5 ? "tessera::interop::" #NAME : #TYPE;
#include <tessera/interop/types.def>
  module.attr("spellings") = spellings;

  module.def("xla_handler", &tessera::python::xlaHandler, nb::arg("on_cpu"),
             "The handler of calls of XLA, as a capsule.");
  module.def(
      "array_type",
      [](nb::handle array) {
        try {
          return tessera::python::arrayType(array);
        } catch (const interop::interop_error &error) {
          throw nb::type_error(error.what());
        }
      },
      nb::arg("array").none(),
      "(element type, rank) of an array; None of what is none. TypeError where it is malformed.");
}
