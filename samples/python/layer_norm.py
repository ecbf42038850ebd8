#!/usr/bin/env python3
"""layer_norm as an operator of torch, forward and backward: `torch.ops.tessera.layer_norm`, which
torch.compile traces, with a gradient. On a GPU or the CPU.

    layer_norm.py [ROWS COLUMNS]      up to 8192 columns
"""

import functools
import sys

import torch

import tessera

SOURCE = """
#include <cuda_tile.h>
#include <tessera/interop/tensor_span.h>
namespace ct = cuda::tiles;
using namespace ct::literals;
using tessera::interop::contiguous_last;
template <class T, int N> using array = cuda::interoperable_array_descriptor<T, N>;

// Columns that a row has not count for nothing in its sums.
template <int Width> __tile__ auto inside(auto columns) {
  return ct::iota<ct::tile<int, ct::shape<1, Width>>>() < int(columns);
}

// y = (x - mean) * scale * weight + bias; each row's mean and scale are kept for the way back.
template <int Width> __tile_global__ void forward(
    array<const float, 2> x, array<const float, 1> weight, array<const float, 1> bias,
    array<float, 2> y, array<float, 2> statistics, float epsilon) {
  auto row_shape = ct::shape<1, Width>{};
  int row = ct::bid().x;
  float columns = float(x.shape[1]);
  auto values = ct::partition_view{contiguous_last(x), row_shape}.load_masked(row, 0);
  auto w = ct::partition_view{contiguous_last(weight), ct::shape<Width>{}}.load_masked(0);
  auto b = ct::partition_view{contiguous_last(bias), ct::shape<Width>{}}.load_masked(0);
  auto mean = ct::sum(values, 1_ic) / columns;
  auto zeros = ct::zeros<decltype(values)>();
  auto centred = ct::select(inside<Width>(x.shape[1]), values - mean, zeros);
  auto scale = ct::rsqrt(ct::sum(centred * centred, 1_ic) / columns + epsilon);
  ct::partition_view{contiguous_last(y), row_shape}.store_masked(centred * scale * w + b, row, 0);
  auto kept = ct::partition_view{contiguous_last(statistics), ct::shape<1, 1>{}};
  kept.store(mean, row, 0);
  kept.store(scale, row, 1);
}

// The gradient of x, and of each row its part in those of weight and bias.
template <int Width> __tile_global__ void backward(
    array<const float, 2> dy, array<const float, 2> x, array<const float, 1> weight,
    array<const float, 2> statistics, array<float, 2> dx, array<float, 2> parts) {
  auto row_shape = ct::shape<1, Width>{};
  int row = ct::bid().x;
  float columns = float(x.shape[1]);
  auto given = ct::partition_view{contiguous_last(dy), row_shape}.load_masked(row, 0);
  auto values = ct::partition_view{contiguous_last(x), row_shape}.load_masked(row, 0);
  auto w = ct::partition_view{contiguous_last(weight), ct::shape<Width>{}}.load_masked(0);
  auto kept = ct::partition_view{contiguous_last(statistics), ct::shape<1, 1>{}};
  auto mean = kept.load(row, 0), scale = kept.load(row, 1);
  auto normal = ct::select(inside<Width>(x.shape[1]), (values - mean) * scale,
                           ct::zeros<decltype(values)>());
  auto weighted = given * w;
  auto along = ct::sum(weighted * normal, 1_ic) / columns;
  auto level = ct::sum(weighted, 1_ic) / columns;
  auto out = (weighted - level - normal * along) * scale;
  ct::partition_view{contiguous_last(dx), row_shape}.store_masked(out, row, 0);
  ct::partition_view{contiguous_last(parts), row_shape}.store_masked(given * normal, row, 0);
}
"""


@functools.lru_cache
def compiled(name, columns, target):
    width = 1 << max(columns - 1, 1).bit_length()
    return tessera.compile(SOURCE, f"{name}<{width}>", target=target)


def kernel(name, x):
    return compiled(name, x.shape[1], "gpu" if x.is_cuda else "cpu")


def gradients(x, weight, statistics, grad_y):
    dx, parts = layer_norm_backward(grad_y, x, weight, statistics)
    return {"x": dx, "weight": parts.sum(0), "bias": grad_y.sum(0)}


@tessera.torch.custom_op(
    "tessera::layer_norm",
    outputs={
        "y": lambda x: torch.empty_like(x),
        "statistics": lambda x: x.new_empty(x.shape[0], 2),
    },
    backward=gradients,
)
def layer_norm(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, epsilon: float, y, statistics
):
    """y, and the mean and the scale of each row; floats, rows side by side."""
    kernel("forward", x)[x.shape[0]](x, weight, bias, y, statistics, epsilon)


@tessera.torch.custom_op(
    "tessera::layer_norm_backward",
    outputs={"dx": lambda x: torch.empty_like(x), "parts": lambda x: torch.empty_like(x)},
)
def layer_norm_backward(
    dy: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, statistics: torch.Tensor, dx, parts
):
    """The gradient of x, and the rows of that of weight."""
    kernel("backward", x)[x.shape[0]](dy.contiguous(), x, weight, statistics, dx, parts)


def main():
    rows, columns = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (50, 200)
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    shapes = (rows, columns), (columns,), (columns,)
    ours = [torch.randn(shape, device=device, requires_grad=True) for shape in shapes]
    theirs = [each.detach().clone().requires_grad_() for each in ours]
    direction = torch.randn(rows, columns, device=device)

    y, _ = torch.compile(layer_norm, fullgraph=True, backend="aot_eager")(*ours, 1e-5)
    wanted = torch.nn.functional.layer_norm(theirs[0], (columns,), *theirs[1:], 1e-5)
    torch.testing.assert_close(y, wanted, rtol=1e-4, atol=1e-5)
    (y * direction).sum().backward()
    (wanted * direction).sum().backward()
    for mine, its in zip(ours, theirs):
        torch.testing.assert_close(mine.grad, its.grad, rtol=1e-4, atol=1e-4)
    print(f"layer_norm {rows}x{columns} on {device}: right, and so are its gradients")


if __name__ == "__main__":
    main()
