// kernel[grid, stream]: an object whose call is the launch. Python calls it with the arguments
// where they lie; the last one that nobody uses any more is used again.
#include "kernel.h"

#include <structmember.h> // members of types before Python 3.12

#include <cstddef>
#include <new>

namespace nb = nanobind;

namespace tessera::python {
namespace {

struct Launcher {
  PyObject_HEAD vectorcallfunc call;
  PyObject *owner; // the kernel's object
  const Kernel *kernel;
  Configuration configuration;
};

Launcher *spare = nullptr;

// What C++ throws as what Python raises.
template <class Act> PyObject *guarded(Act act) {
  try {
    return act();
  } catch (nb::python_error &error) {
    error.restore();
  } catch (const nb::builtin_exception &error) {
    PyErr_SetString(error.type() == nb::exception_type::type_error ? PyExc_TypeError
                                                                   : PyExc_ValueError,
                    error.what());
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

PyObject *call(PyObject *self, PyObject *const *arguments, std::size_t flags, PyObject *words) {
  return guarded([&]() -> PyObject * {
    if (words && PyTuple_GET_SIZE(words) > 0)
      throw nb::type_error("kernels take their arguments in order, without names");
    const auto *launcher = reinterpret_cast<Launcher *>(self);
    launcher->kernel->launch(launcher->configuration, arguments,
                             std::size_t(PyVectorcall_NARGS(flags)));
    Py_RETURN_NONE;
  });
}

void destroy(PyObject *self) {
  PyTypeObject *const type = Py_TYPE(self);
  auto *launcher = reinterpret_cast<Launcher *>(self);
  Py_CLEAR(launcher->owner);
  if (!spare) {
    spare = launcher;
    return;
  }
  PyObject_Free(self);
  Py_DECREF(type);
}

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Launcher, call), READONLY, nullptr}, {}};
PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
                       {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
                       {Py_tp_members, members},
                       {Py_tp_doc, const_cast<char *>("A kernel with a grid and a stream: called "
                                                      "with the arguments, it launches.")},
                       {0, nullptr}};
PyType_Spec spec = {"tessera.Launcher", sizeof(Launcher), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL, slots};

Launcher *make() {
  static auto *const type = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&spec));
  if (!type)
    throw nb::python_error();
  if (Launcher *const made = std::exchange(spare, nullptr)) {
    PyObject_Init(reinterpret_cast<PyObject *>(made), type);
    Py_DECREF(type); // it has kept its own
    return made;
  }
  Launcher *const made = PyObject_New(Launcher, type);
  if (!made)
    throw nb::python_error();
  made->call = call;
  return made;
}

} // namespace

PyObject *subscript(PyObject *kernel, PyObject *brackets) {
  return guarded([&]() -> PyObject * {
    if (!nb::inst_ready(kernel))
      throw nb::type_error("a kernel that is not loaded");
    const Configuration configuration = readConfiguration(brackets);
    Launcher *const launcher = make();
    Py_INCREF(kernel);
    launcher->owner = kernel;
    launcher->kernel = nb::inst_ptr<Kernel>(kernel);
    launcher->configuration = configuration;
    return reinterpret_cast<PyObject *>(launcher);
  });
}

} // namespace tessera::python
