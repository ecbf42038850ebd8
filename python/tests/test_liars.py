"""Objects that say one thing and then another, that fail on the way, or call back: an exception or
a right result, and the next launch is as if nothing had been."""

import ctypes
import gc
import subprocess
import sys
import textwrap
import threading
import weakref

import numpy as np
import pytest
import test_arrays

import tessera


class Producer:
    """An array by DLPack whose next answers are those of the list."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def __dlpack__(self, **words):
        answer = self.answers.pop(0)
        return answer() if callable(answer) else answer.__dlpack__(**words)

    def __dlpack_device__(self):
        return (1, 0)


def launch(copy, x, y=None):
    result = np.zeros((5, 6), np.float32) if y is None else y
    copy[2, 2](x, result)
    return result


def is_still_right(copy):
    np.testing.assert_array_equal(launch(copy, test_arrays.matrix()), test_arrays.matrix())


def test_types_that_change_between_launches(copy):
    x = test_arrays.matrix()
    liar = Producer(x, x.astype(np.float64), x[0], x)
    np.testing.assert_array_equal(launch(copy, liar), x)
    with pytest.raises(TypeError, match="argument 'x': an array of float64"):
        launch(copy, liar)
    with pytest.raises(ValueError, match="argument 'x': an array of 1 dim"):
        launch(copy, liar)
    np.testing.assert_array_equal(launch(copy, liar), x)


def test_types_that_change_after_they_were_deduced():
    """A template asks twice: what is launched is held against what was compiled."""
    template = tessera.compile(
        "#include <cuda_tile.h>\ntemplate <class T> __tile_global__ void f(T *x) { *x = 1; }\n",
        "f", target="cpu",
    )  # fmt: skip
    x, y = np.zeros(1, np.float32), np.zeros(1, np.float64)
    template[1](Producer(x, x))
    assert x[0] == 1
    with pytest.raises(TypeError, match="f<float>: argument 'x': an array of float64"):
        template[1](Producer(x, y))
    assert y[0] == 0


def test_capsules(copy):
    x = test_arrays.matrix()
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    rename = ctypes.pythonapi.PyCapsule_SetName
    rename.argtypes = [ctypes.py_object, ctypes.c_char_p]

    def used():
        capsule = x.__dlpack__()
        rename(capsule, b"used_dltensor")
        return capsule

    for answer in (used, lambda: new(1, b"other", None), lambda: None, lambda: x):
        with pytest.raises(TypeError, match="argument 'x': its __dlpack__ returns no new tensor"):
            launch(copy, Producer(answer))
    for error in (RuntimeError, KeyboardInterrupt, MemoryError, TypeError):

        def fail(error=error):
            raise error("mine")

        with pytest.raises(error, match="mine"):
            launch(copy, Producer(fail, fail))
    # Only read: a capsule that is given twice serves twice, and is its owner's to free.
    capsule = x.__dlpack__()
    for _ in range(2):
        np.testing.assert_array_equal(launch(copy, Producer(lambda: capsule)), x)
    is_still_right(copy)


def test_integers_that_are_none(copy):
    """The interface has integers of Python; others are refused, whatever they say they are."""

    class Odd(int):
        def __index__(self):
            raise KeyError("mine")

    x = test_arrays.matrix()
    for shape in ((np.int64(5), np.int64(6)), (5.0, 6), (True, 6), ("5", 6), [5, 6]):
        with pytest.raises(ValueError, match="argument 'x'.*shape"):
            launch(copy, test_arrays.Interface(x, shape=shape))
    launch(copy, test_arrays.Interface(x, shape=(Odd(5), Odd(6))))  # an int is what it is
    for huge in (2**63, 2**64, 2**200, -(2**200)):
        for entries in ({"shape": (huge, 6)}, {"strides": (huge, 4)}, {"data": (huge, False)}):
            with pytest.raises(ValueError, match="argument 'x'"):
                launch(copy, test_arrays.Interface(x, **entries))
    is_still_right(copy)


def test_dictionaries_that_change_while_they_are_read(copy):
    x = test_arrays.matrix()
    interface = test_arrays.Interface(x)

    class Key(str):
        def __hash__(self):
            return hash("shape")

        def __eq__(self, other):
            interface.__cuda_array_interface__.clear()
            return False

    given = interface.__cuda_array_interface__
    given.pop("shape")
    given[Key("x")] = 0
    given["shape"] = x.shape
    try:
        launch(copy, interface)
    except ValueError as error:
        assert "argument 'x'" in str(error)
    is_still_right(copy)


def test_arguments_that_launch_and_forget(scale):
    """Another launch of the same kernel while its own arguments are read; arrays that go away."""
    x, y, z = np.ones(64, np.float32), np.zeros(64, np.float32), np.zeros(64, np.float32)

    class Number:
        def __index__(self):
            scale[1](x, z, 64, 5.0)
            gc.collect()
            return 64

    class Temporary:
        def __dlpack__(self, **words):
            return np.full(64, 3, np.float32).__dlpack__(**words)

        def __dlpack_device__(self):
            return (1, 0)

    scale[1](Temporary(), y, Number(), 2.0)
    assert y.tolist() == [6.0] * 64 and z.tolist() == [5.0] * 64


def test_threads(scale):
    """One kernel, launched by eight threads on their own arrays."""
    failures = []

    def work(number):
        x, y = np.full(64, number, np.float32), np.zeros(64, np.float32)
        for factor in range(1, 200):
            scale[1](x, y, 64, float(factor))
            if not (y == number * factor).all():
                failures.append((number, factor))
            try:
                scale[1](x, None if factor % 2 else [], 2**40, 1.0)
            except (OverflowError, TypeError):
                continue
            failures.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_weak_references(copy):
    """A launcher keeps its kernel, and nothing keeps a launcher or the arrays of a launch."""
    assert weakref.ref(copy)() is copy

    class Array(np.ndarray):
        pass

    x = test_arrays.matrix().view(Array)
    gone = weakref.ref(x)
    launch(copy, x)
    del x
    gc.collect()
    assert gone() is None


def run(program):
    command = [sys.executable, "-c", textwrap.dedent(program)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_subinterpreters_are_refused():
    """What the module keeps is one interpreter's."""
    result = run("""
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            import _interpreters as interpreters
        import tessera

        number = interpreters.create()
        try:
            said = interpreters.run_string(number, "import tessera")
        except interpreters.RunFailedError as error:
            said = error
        assert "ImportError" in repr(said) or "ImportError" in str(said), said
        assert tessera.types.int8(5).value == 5
        print("refused")
    """)
    assert result.stdout == "refused\n", result.stderr


def test_import_is_quick():
    """Without torch or NumPy: 0.3 s on a machine that does nothing else."""
    result = run("""
        import os, sys, time
        before = os.times()
        import tessera
        after = os.times()
        assert not {"torch", "numpy", "cupy", "jax", "IPython"} & set(sys.modules)
        print(after.user + after.system - before.user - before.system)
    """)
    assert float(result.stdout) <= 0.3, result.stdout + result.stderr
