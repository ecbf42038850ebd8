"""tessera.torch.custom_op on the CPU: what torch.library, torch.compile, autograd and vmap do with
such operators, and what is refused."""

import threading

import pytest
from conftest import KERNELS, library

import tessera

torch = library("torch")

SOURCE = KERNELS + """
#include <tessera/interop/types.h>
// y = x scaled, of rows side by side; the template argument comes from the arrays.
template <class T> __tile_global__ void times(const T *x, T factor, T *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * factor;
}
__tile_global__ void sums(array<const float, 2> x, array<float, 1> rows, array<float, 1> columns) {
  for (long i = 0; i < x.shape[0]; ++i)
    for (long j = 0; j < x.shape[1]; ++j) {
      float value = x.data[i * x.strides[0] + j * x.strides[1]];
      rows.data[i] = (j == 0 ? 0 : rows.data[i]) + value;
      columns.data[j] = (i == 0 ? 0 : columns.data[j]) + value;
    }
}
__tile_global__ void increase(float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = x[i] + 1;
}
__tile_global__ void add(const float *a, const float *b, float *c) { *c = *a + *b; }
struct pair { int first, second; };
__tile_global__ void fill(float *x, pair values) { *x = values.first; }
"""


def numbers(*shape, **more):
    return torch.randn(shape, generator=torch.Generator().manual_seed(1), **more)


def like(x):
    return torch.empty_like(x)


def scaled(name="tests::scale", **more):
    given = {
        "outputs": {"y": like},
        "derived": {"n": lambda x: x.numel()},
        "grid": lambda n: (n + 63) // 64,
    }
    return tessera.torch.custom_op(name, SOURCE, "scale", **{**given, **more})


@pytest.fixture(scope="module")
def scale():
    def gradient(factor, grad_y):
        return {"x": scale(grad_y, factor)}

    scale = scaled(backward=gradient, vmap=True)
    return scale


@pytest.fixture(scope="module")
def times():
    def gradient(factor, grad_y):
        return {"x": times(grad_y, factor)}

    times = tessera.torch.custom_op(
        "tests::times",
        SOURCE,
        "times",
        outputs={"y": like},
        derived={"n": lambda x: x.numel()},
        grid=1,
        backward=gradient,
    )
    return times


def test_schemas(scale, times):
    assert str(scale._opoverload._schema) == "tests::scale(Tensor x, float factor) -> Tensor"
    assert str(times._opoverload._schema) == "tests::times(Tensor x, Scalar factor) -> Tensor"
    assert torch.ops.tests.scale.default is scale._opoverload


def test_views_are_copied(scale):
    x = numbers(9, 8)
    for view in (x, x.T, x[::2, 1::3], x[1:5, 3:], x[:1].expand(4, 8), x.reshape(-1)[3:], x[:0]):
        result = scale(view, 3.0)
        assert torch.equal(result, 3 * view)
        assert result.is_contiguous()


def test_it_is_what_torch_wants(scale):
    """Schema, fake kernel, autograd and shapes that are not known, by torch's own test."""
    x = numbers(5, 8, requires_grad=True)
    for given in (x, x.detach(), x.T, x[:, ::2], x[:0]):
        torch.library.opcheck(scale, (given, 2.0))


@pytest.mark.parametrize("backend", ["aot_eager", pytest.param("inductor", marks=pytest.mark.long)])
@pytest.mark.parametrize("dynamic", [False, True])
def test_compiled_programs_have_no_graph_break(scale, backend, dynamic):
    @torch.compile(fullgraph=True, backend=backend, dynamic=dynamic)
    def program(x, factor):
        return scale(x.sin().T, factor) + x.shape[0]

    for rows in (3, 5, 7):
        x = numbers(rows, 4, requires_grad=True)
        y = program(x, 2.0)
        torch.testing.assert_close(y, 2 * x.sin().T + rows)
        (gradient,) = torch.autograd.grad(y.square().sum(), x)
        torch.testing.assert_close(gradient, 4 * (2 * x.sin() + rows) * x.cos())


def a_module(scale):
    class Module(torch.nn.Module):
        def forward(self, x):
            return scale(x.sin().T, 2.0) + 1

    module, x = Module(), numbers(6, 4)
    rows = torch.export.Dim("rows", min=2, max=64)
    return module, torch.export.export(module, (x,), dynamic_shapes={"x": {0: rows}})


def test_exported_programs(scale, tmp_path):
    module, exported = a_module(scale)
    torch.export.save(exported, tmp_path / "module.pt2")
    loaded = torch.export.load(tmp_path / "module.pt2").module()
    for rows in (6, 9):
        torch.testing.assert_close(loaded(numbers(rows, 4)), module(numbers(rows, 4)))


@pytest.mark.long
def test_aot_inductor(scale, tmp_path):
    """A package calls the operator of the process that loads it."""
    module, exported = a_module(scale)
    package = torch._inductor.aoti_compile_and_package(
        exported, package_path=str(tmp_path / "module.pt2")
    )
    loaded = torch._inductor.aoti_load_package(package)
    for rows in (6, 9):
        torch.testing.assert_close(loaded(numbers(rows, 4)), module(numbers(rows, 4)))


def test_shapes_that_depend_on_values(scale):
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        program = torch.compile(
            lambda x: scale(x[x > 0], 2.0).sum(), fullgraph=True, backend="aot_eager"
        )
        x = numbers(6, 4, requires_grad=True)
        (gradient,) = torch.autograd.grad(program(x), x)
    assert torch.equal(gradient, 2.0 * (x > 0))


def test_gradients(scale, times):
    x = numbers(4, 3, requires_grad=True)
    y = scale(scale(x, 3.0), 2.0)
    (first,) = torch.autograd.grad(y.square().sum(), x, create_graph=True)
    torch.testing.assert_close(first, 72 * x)
    (second,) = torch.autograd.grad(first.sum(), x)
    torch.testing.assert_close(second, torch.full_like(x, 72))
    x = numbers(4, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: times(x.T, 3.0).sin(), x)
    assert torch.autograd.gradgradcheck(lambda x: times(x, 3.0).sin(), x)


def test_types_of_a_template(times):
    for kind in (torch.float64, torch.int16):
        x = torch.arange(6).to(kind)
        assert torch.equal(times(x, 3), 3 * x)
    with pytest.raises(tessera.CompileError, match="invalid operands"):
        times(torch.zeros(3, dtype=torch.complex64), 2)


def test_several_outputs():
    sums = tessera.torch.custom_op(
        "tests::sums",
        SOURCE,
        "sums",
        outputs={
            "rows": lambda x: x.new_empty(x.shape[0]),
            "columns": lambda x: x.new_empty(x.shape[1]),
        },
        grid=(1,),
        strided=["x"],
        backward=lambda x, grad_rows, grad_columns: {"x": grad_rows[:, None] + grad_columns},
        vmap=True,
    )
    x = numbers(4, 6)[:, ::2].T
    rows, columns = sums(x)
    torch.testing.assert_close((rows, columns), (x.sum(1), x.sum(0)))
    x.requires_grad_()
    torch.library.opcheck(sums, (x,))
    (gradient,) = torch.autograd.grad(sums(x)[0].sum(), x)
    assert torch.equal(gradient, torch.ones_like(x))
    batch = numbers(4, 2, 3)
    rows, columns = torch.vmap(sums, in_dims=1)(batch)
    torch.testing.assert_close((rows, columns), (batch.sum(2).T, batch.sum(0)))


def test_vmap(scale):
    x = numbers(3, 4, 5)
    assert torch.equal(torch.vmap(scale, in_dims=(1, None))(x, 2.0), 2 * x.movedim(1, 0))
    assert torch.equal(torch.vmap(torch.vmap(scale, (0, None)), (0, None))(x, 2.0), 2 * x)
    assert torch.vmap(scale, (0, None))(x[:0], 2.0).shape == (0, 4, 5)


def test_inputs_that_change():
    increase = tessera.torch.custom_op(
        "tests::increase",
        SOURCE,
        "increase",
        outputs={},
        derived={"n": lambda x: x.numel()},
        grid=1,
    )
    assert str(increase._opoverload._schema) == "tests::increase(Tensor(a0!) x) -> ()"
    x = torch.zeros(4, 6)
    increase(x)
    increase(x[:, ::2])
    assert torch.equal(x, torch.tensor([2.0, 1.0]).repeat(4, 3))
    torch.library.opcheck(increase, (x,))

    @torch.compile(fullgraph=True, backend="aot_eager")
    def program(x):
        y = x * 2
        increase(y)
        return y

    assert torch.equal(program(torch.zeros(3)), torch.ones(3))


def test_a_python_function(scale):
    kernel = tessera.compile(SOURCE, "scale", target="cpu")

    @tessera.torch.custom_op(
        "tests::fourfold",
        outputs={"y": like},
        mutates=["count"],
        vmap=lambda info, dims, x, count, by: (x, dims[0]),
    )
    def fourfold(x: torch.Tensor, count: "torch.Tensor", y, by: float = 2.0):
        half = torch.empty_like(x)
        for source, to in ((x, half), (half, y)):
            kernel[1](source, to, x.numel(), by)
            count += 1

    said = "tests::fourfold(Tensor x, Tensor(a1!) count, float by=2.) -> Tensor"
    assert str(fourfold._opoverload._schema) == said
    x, count = numbers(8), torch.zeros(1)
    assert torch.equal(fourfold(x, count), 4 * x)
    assert torch.equal(fourfold(x, count, by=3.0), 9 * x)
    assert count.item() == 4
    torch.library.opcheck(fourfold, (x, count))


def test_what_calls_refuse(scale):
    with pytest.raises(TypeError, match="scale: argument 'x': an array of float64, but float32"):
        scale(torch.zeros(4, dtype=torch.float64), 2.0)
    with pytest.raises(RuntimeError, match="factor"):
        scale(torch.zeros(4), "2")
    assert scale(torch.zeros(4, device="meta"), 2.0).shape == (4,)


def test_what_definitions_refuse():
    def refuse(error, pattern, **more):
        with pytest.raises(error, match=pattern):
            scaled("tests::refused", **more)
        assert not hasattr(torch.ops.tests, "refused")

    refuse(TypeError, "outputs has 'z', but .* are: x, y, n, factor", outputs={"z": like})
    refuse(TypeError, "does not write 'x', an output", outputs={"x": like})
    refuse(TypeError, r"outputs\['y'\] takes 'z', which is none of: x, factor",
           outputs={"y": lambda z: z})  # fmt: skip
    refuse(TypeError, r"outputs\['y'\] must be a function, not str", outputs={"y": "x"})
    refuse(TypeError, "grid takes 'blocks'", grid=lambda blocks: blocks)
    refuse(TypeError, "needs a 'grid'", grid=None)
    refuse(TypeError, "'x' has no strides", strided=["x"])
    refuse(TypeError, "backward takes 'grad_x'", backward=lambda grad_x: {})
    refuse(ValueError, "it changes 'y', so vmap must be", outputs={}, vmap=True)
    refuse(ValueError, "it changes 'y', so it has no gradient",
           outputs={}, backward=lambda x: {})  # fmt: skip
    refuse(TypeError, "a kernel says itself", mutates=["x"])
    with pytest.raises(ValueError, match="like 'library::name', not 'refused'"):
        scaled("refused")
    with pytest.raises(TypeError, match="torch has no type for the argument 'values'"):
        tessera.torch.custom_op("tests::fill", SOURCE, "fill", outputs={}, grid=1)
    with pytest.raises(TypeError, match="no parameter 'y'"):
        tessera.torch.custom_op("tests::f", lambda x: None, outputs={"y": like})
    with pytest.raises(TypeError, match="'grid' is for a kernel"):
        tessera.torch.custom_op("tests::f", lambda x, y: None, outputs={"y": like}, grid=1)


def test_mistakes_that_calls_show():
    wrong = scaled("tests::wrong", outputs={"y": lambda x: (x, x)})
    with pytest.raises(TypeError, match=r"outputs\['y'\] must make a tensor, not tuple"):
        wrong(torch.zeros(4), 2.0)
    wrong = scaled("tests::wrong", backward=lambda grad_y: {"z": grad_y})
    with pytest.raises(TypeError, match="backward gives 'z', which is no input"):
        wrong(torch.zeros(4, requires_grad=True), 2.0).sum().backward()


def test_a_name_is_of_one_module(scale):
    """A cell of a notebook runs again; another module's operator stays."""
    scaled("tests::again", outputs={"y": like})
    again = scaled("tests::again", outputs={"y": lambda x: x.new_empty(2 * x.numel())})
    assert again(torch.zeros(4), 2.0).shape == (8,)
    assert torch.ops.tests.again(torch.zeros(4), 2.0).shape == (8,)
    make = "import tessera\ntessera.torch.custom_op('tests::again', source, 'scale', **more)"
    more = {"outputs": {"y": like}, "derived": {"n": lambda x: 0}, "grid": 1}
    with pytest.raises(ValueError, match="tests::again is an operator of the module test_torch"):
        exec(make, {"__name__": "elsewhere", "source": SOURCE, "more": more})
    with pytest.raises(ValueError, match="torch has an operator aten::sin"):
        scaled("aten::sin")


def test_threads(scale):
    """Calls and definitions at once."""
    results = [None] * 8

    def work(index):
        made = scaled(f"tests::thread{index % 2}")
        results[index] = made, scale(torch.full((100,), float(index)), 2.0)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(results))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for index, (_, result) in enumerate(results):
        assert torch.equal(result, torch.full((100,), 2.0 * index))
    assert torch.equal(torch.ops.tests.thread1(torch.ones(4), 2.0), torch.full((4,), 2.0))


def test_lazy_views_of_torch():
    """A view that is negated when it is read."""
    negative = numbers(4, dtype=torch.complex64).conj().imag
    assert negative.is_neg()
    scale = scaled("tests::scale_of_views")
    assert torch.equal(scale(negative, 2.0), 2 * negative)


@pytest.mark.gpu
@pytest.mark.parametrize("compiles", [False, True])
def test_gpu(scale, compiles):
    """In torch's stream, and in a graph of CUDA."""
    tessera.compile(SOURCE, "scale", target="gpu")
    x = numbers(9, 8).cuda().requires_grad_()
    program = torch.compile(scale, fullgraph=True) if compiles else scale
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        y = program(x.T, 2.0)
        (gradient,) = torch.autograd.grad(y.sum(), x)
    stream.synchronize()
    assert torch.equal(y, 2 * x.T) and torch.equal(gradient, torch.full_like(x, 2))
    x = x.detach()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = program(x, 3.0)
    x += 1
    graph.replay()
    assert torch.equal(y, 3 * x)


@pytest.mark.gpu
def test_devices_of_arguments():
    tessera.compile(SOURCE, "add", target="gpu")
    outputs = {"c": lambda a: torch.empty_like(a)}
    add = tessera.torch.custom_op("tests::add", SOURCE, "add", outputs=outputs, grid=1)
    with pytest.raises(ValueError, match="argument 'b': an array on the CPU, but the kernel runs"):
        add(torch.ones(1, device="cuda"), torch.ones(1))
    if torch.cuda.device_count() > 1:  # the device of the tensors, whatever the current one is
        assert add(*[torch.ones(1, device="cuda:1")] * 2).item() == 2
