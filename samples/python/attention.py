#!/usr/bin/env python3
"""Attention as operators of torch, on a GPU or the CPU: the kernels of samples/attention.cu and
samples/attention_backward.cu.

samples::attention has gradients. samples::flexible_attention has grouped heads, a window, a soft
cap and sinks. Results are held against torch's scaled_dot_product_attention, or against the formula
in doubles, and timed beside torch's; on a GPU also beside flex_attention.

    attention.py [BATCH HEADS TOKENS DEPTH]      DEPTH: 64 or 128
"""

import functools
import math
import pathlib
import sys
import time
from typing import Optional

import torch
from torch.nn import functional
from torch.nn.attention import flex_attention

import tessera

SAMPLES = pathlib.Path(__file__).resolve().parents[1]
BLOCK = 128  # rows of a block in samples/attention_backward.cu


@functools.lru_cache(maxsize=None)
def compiled(file, name, target):
    return tessera.compile(SAMPLES / file, name, target=target, options=("-DKERNELS_ONLY",))


def launch(file, name, grid, *arguments):
    """With arrays of one device, the first one among them."""
    target = "gpu" if arguments[0].is_cuda else "cpu"
    if 0 not in grid:
        compiled(file, name, target)[grid](*arguments)


def blocks(size, block=BLOCK):
    return (size + block - 1) // block


def new(x):
    return torch.empty_like(x, memory_format=torch.contiguous_format)


def check(q, k, v):
    """q, k and v are bf16, [batch, heads, tokens, 64 or 128]."""
    if not q.dtype == k.dtype == v.dtype == torch.bfloat16:
        raise TypeError(f"attention is for bfloat16, not for {q.dtype}, {k.dtype} and {v.dtype}")
    if q.dim() != 4 or k.shape != v.shape or (q.shape[0], q.shape[3]) != (k.shape[0], k.shape[3]):
        raise ValueError("attention is of q, k and v of [batch, heads, tokens, depth]")
    if q.shape[3] not in (64, 128):
        raise ValueError(f"attention has a depth of 64 or 128, not of {q.shape[3]}")


def gradients(q, k, v, is_causal, o, lse, grad_o):
    return dict(zip("qkv", attention_backward(grad_o, q, k, v, o, lse, is_causal)))


@tessera.torch.custom_op(
    "samples::attention",
    outputs={
        "o": lambda q: new(q),
        # Base-2 logarithms of the sums of rows, with whole blocks of rows.
        "lse": lambda q: q.new_empty(
            (q.shape[0], q.shape[1], blocks(q.shape[2]) * BLOCK), dtype=torch.float32
        ),
    },
    backward=gradients,
)
def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, is_causal: bool, o, lse):
    """softmax(q k^T / sqrt(depth)) v. The last query sees all keys; where it is causal, each query
    before it sees one key fewer."""
    check(q, k, v)
    if q.shape[1] != k.shape[1]:
        raise ValueError("attention has as many heads of queries as of keys")
    q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
    (batch, heads, queries, depth), keys = q.shape, k.shape[2]
    name = f"forward<{BLOCK}, {BLOCK}, {depth}, {'true' if is_causal else 'false'}>"
    grid = (blocks(queries), batch * heads)
    launch("attention_backward.cu", name, grid, q, k, v, o, lse, queries, keys)


@tessera.torch.custom_op(
    "samples::attention_backward",
    outputs={"dq": lambda q: new(q), "dk": lambda k: new(k), "dv": lambda v: new(v)},
)
def attention_backward(
    do: torch.Tensor,
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    o: torch.Tensor,
    lse: torch.Tensor,
    is_causal: bool,
    dq,
    dk,
    dv,
):
    do, q, k, v = do.contiguous(), q.contiguous(), k.contiguous(), v.contiguous()
    (batch, heads, queries, depth), keys = q.shape, k.shape[2]
    form = f"{depth}, {'true' if is_causal else 'false'}"
    of_queries, of_keys = (blocks(queries), batch * heads), (blocks(keys), batch * heads)
    run = functools.partial(launch, "attention_backward.cu")
    delta = torch.empty_like(lse)
    run(f"preprocess<{BLOCK}, {depth}>", of_queries, o, do, delta, queries)
    given = (q, k, v, do, lse, delta)
    # As many scores at a time as fit into registers beside the sums of dk and dv.
    step = 128 if depth == 64 else 64
    run(f"gradients_of_keys<{step}, {BLOCK}, {form}>", of_keys, *given, dk, dv, queries, keys)
    run(f"gradients_of_queries<{BLOCK}, 64, {form}>", of_queries, *given, dq, queries, keys)


@tessera.torch.custom_op(
    "samples::flexible_attention",
    outputs={"o": lambda q: new(q.transpose(1, 2)).transpose(1, 2)},
)
def flexible_attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    sinks: Optional[torch.Tensor],
    window: int,
    cap: float,
    o,
):
    """Causal attention, each head of k and v for several of q. A query sees at most `window` keys;
    scores are cap * tanh(score / cap) where cap is not 0; `sinks` are scores without a value, one
    float for each head of q. In memory, heads are inside of tokens; other orders are copied."""
    check(q, k, v)
    if q.shape[1] % k.shape[1]:
        raise ValueError("heads of queries must be a multiple of heads of keys")
    q, k, v = (each.transpose(1, 2).contiguous() for each in (q, k, v))
    (batch, queries, heads, depth), (keys, kv_heads) = q.shape, k.shape[1:3]
    rows = 64 if depth == 64 else 128
    name = f"attention<{rows}, 128, {depth}, form<true, {'true' if cap else 'false'}, false>>"
    sizes = (batch, heads, kv_heads, queries, keys, window, cap)
    given = (q, k, v, o.transpose(1, 2), sinks, None, None)
    launch("attention.cu", name, (blocks(queries, rows), heads, batch), *given, *sizes)


def distance(got, wanted):
    """Of whole tensors, relative; at most a hundredth."""
    got, wanted = got.detach().double(), wanted.detach()
    relative = float((got - wanted).norm() / wanted.norm())
    assert relative < 1e-2, relative
    return relative


def in_doubles(q, k, v, sinks, window, cap):
    """What flexible_attention is."""
    k, v = (each.repeat_interleave(q.shape[1] // k.shape[1], 1).double() for each in (k, v))
    scores = q.double() @ k.transpose(2, 3) / math.sqrt(q.shape[3])
    scores = cap * torch.tanh(scores / cap) if cap else scores
    seen = torch.ones_like(scores, dtype=torch.bool).tril()
    scores = scores.masked_fill(~seen.triu(1 - window), -math.inf)
    beside = sinks.double()[None, :, None, None].expand(*scores.shape[:3], 1)
    return torch.softmax(torch.cat([scores, beside], 3), 3)[..., :-1] @ v


def microseconds(act, device):
    """The best of six; the first one compiles."""
    best = math.inf
    for _ in range(6):
        if device == "cuda":
            torch.cuda.synchronize()
        start = time.perf_counter()
        act()
        if device == "cuda":
            torch.cuda.synchronize()
        best = min(best, time.perf_counter() - start)
    return 1e6 * best


def compare_gradients(q, k, v, device):
    do = torch.randn_like(q)
    given = [each.requires_grad_() for each in (q, k, v)]
    program = torch.compile(attention, fullgraph=True, backend="aot_eager")
    o, _ = program(*given, True)
    exact = [each.detach().double().requires_grad_() for each in given]
    wanted = functional.scaled_dot_product_attention(*exact, is_causal=True)
    errors = [distance(o, wanted)]
    theirs = torch.autograd.grad(wanted, exact, do.double())
    errors += map(distance, torch.autograd.grad(o, given, do), theirs)
    print("errors of o, dq, dk, dv:", *(f"{error:.4f}" for error in errors))

    def sdpa(q, k, v):
        return functional.scaled_dot_product_attention(q, k, v, is_causal=True)

    programs = {"tessera": lambda q, k, v: attention(q, k, v, True)[0], "torch's SDPA": sdpa}
    if device == "cuda":
        mask = flex_attention.create_block_mask(
            lambda b, h, query, key: query >= key, None, None, q.shape[2], q.shape[2], device
        )
        compiled = torch.compile(flex_attention.flex_attention)
        programs["flex_attention"] = functools.partial(compiled, block_mask=mask)
    for name, program in programs.items():
        forward = microseconds(lambda: program(*given), device)
        o = program(*given)
        again = functools.partial(torch.autograd.grad, o, given, do, retain_graph=True)
        print(f"  {name}: {forward:.0f} us, gradients {microseconds(again, device):.0f} us")


def compare_flexible(q, k, v, device):
    heads, tokens = q.shape[1:3]
    window, cap, sinks = max(tokens // 4, 1), 20.0, torch.randn(heads, device=device)
    kv_heads = heads if heads % 2 else heads // 2
    k, v = k[:, :kv_heads], v[:, :kv_heads]
    program = torch.compile(flexible_attention, fullgraph=True, backend="aot_eager")
    error = distance(program(q, k, v, sinks, window, cap), in_doubles(q, k, v, sinks, window, cap))
    print(f"error with a window, a cap and sinks: {error:.4f}")
    # As they are behind a projection: heads inside of tokens.
    q, k, v = (each.transpose(1, 2).contiguous().transpose(1, 2) for each in (q, k, v))
    programs = {"tessera": lambda: flexible_attention(q, k, v, None, window, cap)}
    if device == "cuda":
        mask = flex_attention.create_block_mask(
            lambda b, h, query, key: (query >= key) & (query - key < window),
            None, None, tokens, tokens, device,
        )  # fmt: skip
        compiled = torch.compile(flex_attention.flex_attention)
        programs["flex_attention"] = lambda: compiled(
            q, k, v, lambda score, b, h, query, key: cap * torch.tanh(score / cap), mask,
            enable_gqa=True,
        )  # fmt: skip
    for name, program in programs.items():
        print(f"  {name}: {microseconds(program, device):.0f} us")


def main():
    batch, heads, tokens, depth = map(int, sys.argv[1:5]) if len(sys.argv) > 4 else (1, 2, 200, 64)
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    shape = (batch, heads, tokens, depth)
    q, k, v = (torch.randn(shape, dtype=torch.bfloat16, device=device) for _ in range(3))
    print(f"attention {batch}x{heads}x{tokens}x{depth} on {device}, causal")
    compare_gradients(q, k, v, device)
    with torch.no_grad():
        compare_flexible(q, k, v, device)


if __name__ == "__main__":
    main()
