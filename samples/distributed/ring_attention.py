#!/usr/bin/env python3
"""Attention whose tokens are divided among GPUs. Each keeps its queries; keys and values go round
from GPU to GPU, and arrive while attention to those that are here is computed. Results are merged
by the logarithms of their sums, which the kernel of samples/attention_backward.cu leaves.

Causal attention to later keys is nothing. So that each GPU has as much to do, its tokens are two of
2 N sections, one from the front and its mirror image from the back.

    torchrun --nproc-per-node N ring_attention.py [BATCH HEADS TOKENS DEPTH] [full]
"""

import math
import sys

import ranks as several
import torch

sample = several.attention


class Merged:
    """Attention to keys that come one after the other, by kernels of Tessera."""

    def __init__(self, q):
        (batch, heads, self.rows, self.depth), self.heads = q.shape, q.shape[0] * q.shape[1]
        self.sum = torch.empty(q.shape, dtype=torch.float32, device=q.device)
        self.lse = self.sum.new_empty(batch, heads, self.rows)

    def add(self, q, k, v, is_causal, first):
        """q: the rows from `first` on. The first call is of all rows."""
        o, lse = sample.attention(q, k, v, is_causal)
        begins = "true" if first is None else "false"
        name = f"merge<{sample.BLOCK}, {self.depth}, {begins}>"
        rows, given = q.shape[2], (o, lse, self.sum, self.lse)
        grid = (sample.blocks(rows), self.heads)
        several.launch("distributed/kernels.cu", name, grid, *given, rows, self.rows, first or 0)

    def result(self):
        return self.sum.bfloat16()


class MergedByTorch:
    """The same by torch's own attention and arithmetic."""

    def __init__(self, _):
        self.sum = self.lse = None

    def add(self, q, k, v, is_causal, first):
        o, lse = torch_attention(q, k, v, is_causal)
        if first is None:
            self.sum, self.lse = o.float(), lse
            return
        total, old = self.sum[:, :, first:], self.lse[:, :, first:]
        new = torch.logaddexp(old, lse)
        total.mul_((old - new).exp_().unsqueeze(3)).add_(o * (lse - new).exp_().unsqueeze(3))
        old.copy_(new)

    def result(self):
        return self.sum.bfloat16()


def torch_attention(q, k, v, is_causal):
    """The result and natural logarithms of the sums of rows, by what torch has of this kind."""
    attention = torch.ops.aten
    if not q.is_cuda:
        return attention._scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, is_causal)[:2]
    if has_cudnn():
        found = attention._scaled_dot_product_cudnn_attention(q, k, v, None, True, 0.0, is_causal)
        return found[0], found[1].reshape(q.shape[:3])
    return attention._scaled_dot_product_flash_attention(q, k, v, 0.0, is_causal)[:2]


@several.once
def has_cudnn():
    """Does torch's attention by cuDNN take parts of arrays?"""
    try:
        x = torch.zeros(1, 2, 256, 64, dtype=torch.bfloat16, device="cuda")[:, :, 128:]
        torch.ops.aten._scaled_dot_product_cudnn_attention(x, x, x, None, True)
        return True
    except RuntimeError:
        return False


class Ring:
    """The keys and values of all processes, one after the other; the next ones are under way."""

    def __init__(self, ranks, k, v):
        self.ranks, self.own = ranks, torch.stack([k, v])
        self.buffers = [torch.empty_like(self.own) for _ in range(min(ranks.size - 1, 2))]

    def __iter__(self):
        """Yields (whose, k, v)."""
        ranks, here = self.ranks, self.own
        to, sender = (ranks.rank + 1) % ranks.size, (ranks.rank - 1) % ranks.size
        for step in range(ranks.size):
            arrival = None
            if step + 1 < ranks.size:  # what lies in the buffer has been read: messages wait
                there = self.buffers[step % 2]
                arrival = ranks.exchange([(here, to, there, sender)])
            yield (ranks.rank - step) % ranks.size, here[0], here[1]
            if arrival:
                arrival.wait()
                here = there


def ring_attention(ranks, q, ring, is_causal, merged):
    """A process's part of the result: of its queries, to all keys. `merged`: Merged, or as it."""
    state, half = merged(q), q.shape[2] // 2
    for whose, k, v in ring:
        if whose == ranks.rank:
            state.add(q, k, v, is_causal, None)
        elif not is_causal:
            state.add(q, k, v, False, 0)
        elif whose < ranks.rank:  # all see the front section, none the back one
            state.add(q, k[:, :, :half], v[:, :, :half], False, 0)
        else:  # the queries of the back section see both, the others none
            state.add(q[:, :, half:], k, v, False, half)
    return state.result()


def divided(x, ranks, is_causal):
    """A process's tokens."""
    if not is_causal:
        return ranks.part(x, 2)
    sections = x.chunk(2 * ranks.size, 2)
    return torch.cat([sections[ranks.rank], sections[-1 - ranks.rank]], 2)


def joined(part, ranks, is_causal):
    """The tokens of all processes in their order."""
    whole = ranks.gathered(part, 2)
    if not is_causal:
        return whole
    sections = whole.chunk(2 * ranks.size, 2)
    return torch.cat([*sections[::2], *sections[::-2]], 2)


def main(ranks):
    batch, heads, tokens, depth = several.sizes((1, 16, 32768, 128), (1, 1, 512, 64))
    is_causal = "full" not in sys.argv
    several.require_multiple("TOKENS", tokens, (2 if is_causal else 1) * 128 * ranks.size)
    shape = (batch, heads, tokens, depth)
    q, k, v = (several.random(ranks, seed, *shape) for seed in (1, 2, 3))
    mine = [divided(x, ranks, is_causal) for x in (q, k, v)]
    ring = Ring(ranks, *mine[1:])

    def by(merged):
        return ring_attention(ranks, mine[0], ring, is_causal, merged)

    def alone():
        return sample.attention(q, k, v, is_causal)[0]

    wanted = alone()
    ours, theirs = (joined(by(each), ranks, is_causal) for each in (Merged, MergedByTorch))
    differences = several.distance(ours, wanted), several.distance(theirs, wanted)
    assert math.isfinite(float(ours.sum()))
    ranks.say("beside one rank, differences:", *(f"{each:.4f}" for each in differences))
    work = f"ring_attention {batch}x{heads}x{tokens}x{depth} {'causal' if is_causal else 'full'}"
    programs = {"tessera": lambda: by(Merged), "torch": lambda: by(MergedByTorch)}
    ranks.report(work, ranks.compare(programs, alone))

    def messages():
        for _ in ring:
            pass

    times = ranks.compare({"messages": messages}, lambda: None)
    ranks.say(f"messages alone {times['messages']:.0f} us")


if __name__ == "__main__":
    several.run(main)
