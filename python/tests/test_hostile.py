"""Dictionaries of the CUDA Array Interface that are wrong in random ways: an exception or a right
result, never a crash."""

import random

import numpy as np
import test_arrays

VALUES = [
    None, True, False, 0, 1, -1, 2, 3, 7, 2**31, 2**32, 2**47, 2**62, 2**63, 2**64, -(2**63),
    2**200, 0.5, float("nan"), "", "<f4", "<f8", "|f4", ">f4", "<c8", "\ud800", "x" * 5000, b"<f4",
    (), (1,), (0, 0), (1, 1), (5, 6), (6, 5), (24, 4), (4, 24), (-24, 4), (2**62, 2**62),
    (2**31, 2**31), (1,) * 65,
    (1.5, 2), ("a", "b"), (None, None), [], [5, 6], {}, object(), type, (0, False), (0, True),
    (1, False), (2**64, False), (2**48, True), ((5, 6), False), (True, False),
]  # fmt: skip
KEYS = ["shape", "typestr", "data", "version", "strides", "mask", "descr", "stream", 5, None]


def mutated(random, memory):
    given = test_arrays.Interface(memory, strides=None)
    dictionary = given.__cuda_array_interface__
    for _ in range(random.randint(1, 4)):
        key = random.choice(KEYS)
        if random.random() < 0.2:
            dictionary.pop(key, None)
        elif isinstance(dictionary.get(key), tuple) and dictionary[key] and random.random() < 0.5:
            values = list(dictionary[key])
            values[random.randrange(len(values))] = random.choice(VALUES)
            dictionary[key] = tuple(values)
        else:
            dictionary[key] = random.choice(VALUES)
    if random.random() < 0.03:
        given.__cuda_array_interface__ = random.choice(VALUES)
    return given


def test_mutations(copy):
    generator = random.Random(22)
    memory, result = test_arrays.matrix(), np.zeros((5, 6), np.float32)
    refused = 0
    for _ in range(500):
        try:
            copy[2, 2](mutated(generator, memory), result)
        except (TypeError, ValueError, NotImplementedError) as error:
            refused += 1
            assert "argument 'x'" in str(error)
    assert 250 < refused < 500


def test_mutations_of_what_is_written(copy):
    generator = random.Random(23)
    memory = test_arrays.matrix()
    for _ in range(500):
        # A wrong address that is writable is wrong for every library: it stays as it is.
        x = mutated(generator, np.zeros((5, 6), np.float32))
        dictionary = x.__cuda_array_interface__
        if isinstance(dictionary, dict) and "data" in dictionary:
            dictionary["data"] = (x.memory.ctypes.data, False)
            if isinstance(dictionary.get("shape"), tuple):
                dictionary["shape"] = tuple(
                    min(n, 6) if isinstance(n, int) and n < 2**31 else n
                    for n in dictionary["shape"]
                )
        try:
            copy[1, 1](memory, x)
        except (TypeError, ValueError, NotImplementedError) as error:
            assert "argument 'y'" in str(error)
