"""tessera.jax.call on the CPU: launches by XLA, alone and within jax.jit, gradients, jax.vmap, and
what is refused."""

import pathlib
import subprocess
import threading

import numpy as np
import pytest
from conftest import KERNELS, library

import tessera

jax = library("jax")
jnp = jax.numpy
test_util = library("jax.test_util")

SOURCE = KERNELS + """
#include <cassert>
template <class T> __tile_global__ void times(const T *x, T factor, T *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * factor;
}
__tile_global__ void sums(array<const float, 2> x, array<float, 1> rows, array<float, 1> columns) {
  for (long i = 0; i < x.shape[0]; ++i)
    for (long j = 0; j < x.shape[1]; ++j) {
      float value = x.data[i * x.strides[0] + j * x.strides[1]];
      rows.data[i * rows.strides[0]] = (j == 0 ? 0 : rows.data[i * rows.strides[0]]) + value;
      columns.data[j] = (i == 0 ? 0 : columns.data[j]) + value;
    }
}
__tile_global__ void fails(const float *x, float *y) { assert(*x == 0); *y = 1; }
"""
# Of the structures that a handler meets: the name here, that of XLA, pairs of their members.
STRUCTURES = """
Extension XLA_FFI_Extension_Base struct_size:struct_size type:type next:next
ApiVersion XLA_FFI_Api_Version major_version:major_version minor_version:minor_version
ErrorCreateArguments XLA_FFI_Error_Create_Args message:message code:errc
StreamGetArguments XLA_FFI_Stream_Get_Args context:ctx stream:stream
Buffer XLA_FFI_Buffer type:dtype data:data rank:rank extents:dims
ByteSpan XLA_FFI_ByteSpan data:ptr size:len
Array XLA_FFI_Array type:dtype size:size data:data
Buffers XLA_FFI_Args size:size types:types values:args
Buffers XLA_FFI_Rets size:size types:types values:rets
Attributes XLA_FFI_Attrs size:size types:types names:names values:attrs
CallFrame XLA_FFI_CallFrame api:api context:ctx stage:stage arguments:args results:rets
CallFrame XLA_FFI_CallFrame attributes:attrs extension_start:extension_start
Metadata XLA_FFI_Metadata api_version:api_version traits:traits
MetadataExtension XLA_FFI_Metadata_Extension metadata:metadata
Api XLA_FFI_Api api_version:api_version error_create:XLA_FFI_Error_Create
Api XLA_FFI_Api stream_get:XLA_FFI_Stream_Get
"""
NUMBERS = """
InvalidArgument XLA_FFI_Error_Code_INVALID_ARGUMENT
NotFound XLA_FFI_Error_Code_NOT_FOUND
Internal XLA_FFI_Error_Code_INTERNAL
AttributeType::Array XLA_FFI_AttrType_ARRAY
AttributeType::String XLA_FFI_AttrType_STRING
DataType::Int8 XLA_FFI_DataType_S8
DataType::Int32 XLA_FFI_DataType_S32
Stage::Execute XLA_FFI_ExecutionStage_EXECUTE
"""


def made(kernel, source=SOURCE, **more):
    given = {
        "outputs": {"y": lambda x: x},
        "derived": {"n": lambda x: x.size},
        "grid": lambda n: (n + 63) // 64,
    }
    return tessera.jax.call(source, kernel, **{**given, **more})


@pytest.fixture(scope="module")
def scale():
    def gradient(factor, grad_y):
        return {"x": scale(grad_y, factor)}

    scale = made("scale", backward=gradient, vmap=True)
    return scale


def numbers(*shape):
    return jax.random.normal(jax.random.key(0), shape)


def test_calls(scale):
    x = numbers(9, 8)
    np.testing.assert_array_equal(scale(x, 3.0), 3 * x)
    np.testing.assert_array_equal(scale(factor=3, x=np.asarray(x).T), 3 * x.T)
    assert scale(x[:0], 3.0).shape == (0, 8)

    @jax.jit
    def program(x):
        return scale(jnp.sin(x).T, 2.0) + 1

    np.testing.assert_allclose(program(x), 2 * np.sin(x).T + 1, rtol=1e-6)
    text = program.lower(x).as_text()
    assert "tessera_launch" in text and "callback" not in text


def test_gradients(scale):
    x = numbers(5, 4)
    gradient = jax.jit(jax.grad(lambda x: (scale(x, 3.0) ** 2).sum()))
    np.testing.assert_allclose(gradient(x), 18 * x, rtol=1e-6)
    second = jax.grad(lambda x: gradient(x).sum())
    np.testing.assert_allclose(second(x), np.full(x.shape, 18.0))
    test_util.check_grads(lambda x: scale(x, 3.0), (x,), 2, modes=["rev"], rtol=1e-2)


def test_vmap(scale):
    x = numbers(3, 4, 5)
    batched = jax.vmap(lambda x: scale(x, 2.0), in_axes=1, out_axes=1)
    np.testing.assert_array_equal(jax.jit(batched)(x), 2 * x)


def test_several_outputs():
    sums = tessera.jax.call(
        SOURCE,
        "sums",
        outputs={
            "rows": lambda x: jax.ShapeDtypeStruct(x.shape[:1], x.dtype),
            "columns": lambda x: jax.ShapeDtypeStruct(x.shape[1:], x.dtype),
        },
        grid=1,
        backward=lambda x, grad_rows, grad_columns: {
            "x": jnp.broadcast_to(grad_rows[:, None] + grad_columns, x.shape)
        },
    )
    x = numbers(4, 6)
    rows, columns = jax.jit(sums)(x.T)
    np.testing.assert_allclose(rows, x.sum(0), rtol=1e-5)
    np.testing.assert_allclose(columns, x.sum(1), rtol=1e-5)
    gradient = jax.grad(lambda x: sums(x)[0].sum())(x)
    np.testing.assert_array_equal(gradient, np.ones(x.shape))


def test_types_of_a_template():
    times = made("times", grid=1)
    x = jnp.arange(6).astype(jnp.bfloat16)
    result = times(x, 3)
    assert result.dtype == jnp.bfloat16
    np.testing.assert_array_equal(result, 3 * x)


def test_what_stops_a_kernel():
    """XLA's error has the program's line, and the next launch starts anew."""
    fails = made("fails", derived={}, grid=1)
    with pytest.raises(Exception, match="fails: the launch failed: .*kernel.cu:.*Assertion"):
        fails(jnp.ones(1)).block_until_ready()
    assert fails(jnp.zeros(1)).item() == 1


def test_what_calls_refuse(scale):
    with pytest.raises(TypeError, match="scale: argument 'x': an array of int32, but float32 is"):
        scale(jnp.arange(4), 2.0)
    with pytest.raises(TypeError, match="the number 'factor' must be known when"):
        jax.jit(scale)(jnp.ones(4), 2.0)
    with pytest.raises(TypeError, match="scale: argument 'factor'"):
        scale(jnp.ones(4), "2")
    with pytest.raises(TypeError, match="missing a required argument: 'factor'"):
        scale(jnp.ones(4))
    with pytest.raises(ValueError, match="copy<float>: argument 'x': an array of 1 dim"):
        made("copy<float>", derived={}, grid=1)(jnp.ones(4))
    with pytest.raises(ValueError, match="extents of a grid"):
        made("scale", grid=-1)(jnp.ones(4), 1.0)


def test_what_the_handler_refuses():
    with pytest.raises(Exception, match="scale is compiled for the GPU, and called on the other"):
        made("scale", target="gpu")(jnp.ones(4), 2.0).block_until_ready()
    x = jnp.ones(4)
    foreign = jax.ffi.ffi_call("tessera_launch", jax.ShapeDtypeStruct(x.shape, x.dtype))
    given = {"grid": np.ones(3, np.int32), "buffers": np.array([0, 1, -1, -1], np.int32)}
    with pytest.raises(Exception, match="a kernel that this process has not compiled: another"):
        foreign(x, kernel="another", values=np.zeros(24, np.int8), **given).block_until_ready()
    with pytest.raises(Exception, match="tessera.jax has not made: an attribute is missing"):
        foreign(x).block_until_ready()
    name = tessera.jax._name(tessera.compile(SOURCE, "scale", target="cpu"))
    for word, wrong, pattern in [
        ("grid", np.ones(3, np.int64), "an attribute has another type"),
        ("grid", np.ones(2, np.int32), "a grid has three extents"),
        ("buffers", np.array([0, 2, -1, -1], np.int32), "a buffer is missing"),
        ("buffers", np.array([0, 1], np.int32), "scale has other parameters"),
        ("values", np.zeros(4, np.int8), "scale has other parameters"),
    ]:
        with pytest.raises(Exception, match=pattern):
            more = {"values": np.zeros(24, np.int8), **given, word: wrong}
            foreign(x, kernel=name, **more).block_until_ready()


def test_what_definitions_refuse():
    def refuse(error, pattern, **more):
        with pytest.raises(error, match=pattern):
            made("scale", **more)

    refuse(TypeError, "the kernel may write 'y', so it must be an output", outputs={})
    refuse(TypeError, "does not write 'x', an output", outputs={"x": lambda y: y})
    refuse(TypeError, r"outputs\['y'\] takes 'z', which is none of: x, factor",
           outputs={"y": lambda z: z})  # fmt: skip
    refuse(TypeError, "derived has 'm'", derived={"m": lambda x: 0})
    refuse(TypeError, "backward takes 'grad_x'", backward=lambda grad_x: {})


def test_structures_are_those_of_xla(tmp_path):
    """python/src/xla_ffi_abi.h against the headers that this jaxlib has."""
    lines = ['#include "xla/ffi/api/c_api.h"', '#include "xla_ffi_abi.h"', "#include <cstddef>"]
    lines.append("namespace ours = tessera::python::xla;")
    for line in STRUCTURES.strip().split("\n"):
        name, theirs, *members = line.split()
        for mine, its in (pair.split(":") for pair in members):
            same = f"offsetof(ours::{name}, {mine}) == offsetof({theirs}, {its})"
            size = f"sizeof(ours::{name}::{mine}) == sizeof({theirs}::{its})"
            lines += [f"static_assert({same});", f"static_assert({size});"]
    for name, theirs in (line.split() for line in NUMBERS.strip().split("\n")):
        lines.append(f"static_assert(int(ours::{name}) == {theirs});")
    file = tmp_path / "structures.cpp"
    file.write_text("\n".join(lines))
    root = pathlib.Path(__file__).resolve().parents[1]
    include = [f"-I{root / 'src'}", f"-isystem{jax.ffi.include_dir()}"]
    command = ["clang++-22", "-std=c++20", "-fsyntax-only", *include, str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_threads(scale):
    program = jax.jit(lambda x: scale(x, 2.0))
    results = [None] * 8

    def work(index):
        results[index] = program(jnp.full(100, float(index)))

    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(results))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for index, result in enumerate(results):
        np.testing.assert_array_equal(result, np.full(100, 2.0 * index, np.float32))


@pytest.mark.gpu
def test_gpu():
    scale = made("scale", target="gpu", backward=lambda factor, grad_y: {"x": factor * grad_y})
    if jax.default_backend() == "cpu":
        pytest.skip("this JAX has no GPU")
    x = numbers(9, 8)
    program = jax.jit(lambda x: scale(jnp.sin(x).T, 2.0) + 1)
    for _ in range(3):
        np.testing.assert_allclose(program(x), 2 * jnp.sin(x).T + 1, rtol=1e-5)
    gradient = jax.jit(jax.grad(lambda x: (scale(x, 3.0) ** 2).sum()))
    np.testing.assert_allclose(gradient(x), 2 * 3 * 3 * x, rtol=1e-5)
