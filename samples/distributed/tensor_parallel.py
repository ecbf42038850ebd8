#!/usr/bin/env python3
"""Two linear layers whose weights are divided among GPUs: y = gelu(x W1^T + b1) W2^T. The first
one is divided by columns of its result (rows of W1), the second one along its sums (columns of W2),
which an all-reduce adds.

The second form has x divided by rows, too, as a layer ahead leaves it. Parts of the other GPUs
arrive piece by piece while the multiplies of those that are here run. What comes first is a GPU's
own part; an event of the stream of messages tells the stream of kernels when the next one is there.
NCCL's kernels would take multiprocessors from the multiplies, so the arrays are symmetric: copy
engines gather them.

    torchrun --nproc-per-node N tensor_parallel.py [TOKENS INPUTS HIDDEN]
"""

import ranks as several
import torch
import torch.distributed as dist
from torch.nn import functional

PIECES = 4  # messages of a GPU's part; whole tiles where there are enough rows


class Layers:
    """One process's part of the weights."""

    def __init__(self, ranks, tokens, inputs, hidden):
        self.ranks = ranks
        whole = of_weights(ranks, inputs, hidden)
        self.first, self.bias = ranks.part(whole[0]), ranks.part(whole[1])
        self.second = ranks.part(whole[2], 1)
        empty = {"dtype": torch.bfloat16, "device": ranks.device}
        self.x = ranks.symmetric(tokens, inputs)  # as gather() has it
        self.h = torch.empty(tokens, hidden // ranks.size, **empty)
        self.y = torch.empty(tokens, inputs, **empty)

    def forward(self, x):
        """x and the result are whole in every process."""
        several.linear(x, self.first, self.bias, self.h)
        return self.add_up()

    def add_up(self):
        several.product(self.h, self.second, self.y, transposed_b=True)
        self.ranks.all_reduce(self.y).wait()
        return self.y

    def gather(self, part):
        """Starts the messages that bring all parts of x, a piece of each part at a time; yields
        rows of x as they are there, with where they stand in x."""
        ranks, share = self.ranks, len(part)
        own = ranks.rank * share
        step = several.blocks(several.blocks(share, PIECES)) * several.BLOCK_OF_PRODUCT
        pieces = []
        for start in range(0, share, step) if ranks.size > 1 else ():
            end = min(start + step, share)
            piece = self.x[start * ranks.size : end * ranks.size]
            pieces.append((start, piece, ranks.all_gather(part[start:end], piece)))
        yield part, slice(own, own + share)
        for start, piece, arrival in pieces:
            arrival.wait()
            for far in range(1, ranks.size):
                sender = (ranks.rank + far) % ranks.size
                rows = piece.chunk(ranks.size)[sender]
                at = sender * share + start
                yield rows, slice(at, at + len(rows))

    def forward_of_part(self, part):
        """x is divided by rows; multiplies run while parts arrive."""
        self.multiply(self.gather(part))
        return self.add_up()

    def multiply(self, pieces):
        for x, rows in pieces:
            several.linear(x, self.first, self.bias, self.h[rows])

    def first_layer(self, part, is_overlapped):
        """The gather and the first layer alone, for their times."""
        pieces = self.gather(part)
        self.multiply(pieces if is_overlapped else list(pieces))


class Torch:
    """The same by torch's own kernels and collectives."""

    def __init__(self, layers):
        self.of, self.several = layers, layers.ranks.size > 1
        self.x = torch.empty_like(layers.x)

    def forward(self, x):
        h = functional.gelu(functional.linear(x, self.of.first, self.of.bias), approximate="tanh")
        y = functional.linear(h, self.of.second)
        if self.several:
            dist.all_reduce(y)
        return y

    def forward_of_part(self, part):
        """part is an ordinary array."""
        if not self.several:
            return self.forward(part)
        dist.all_gather_into_tensor(self.x, part)
        return self.forward(self.x)


def of_weights(ranks, inputs, hidden):
    first = several.random(ranks, 1, hidden, inputs, scale=several.root(inputs))
    bias = several.random(ranks, 2, hidden)
    second = several.random(ranks, 3, inputs, hidden, scale=several.root(hidden))
    return first, bias, second


def main(ranks):
    tokens, inputs, hidden = several.sizes((8192, 8192, 28672), (256, 64, 256))
    several.require_multiple("TOKENS", tokens, ranks.size)
    several.require_multiple("INPUTS", inputs, 8)
    several.require_multiple("HIDDEN", hidden, 8 * ranks.size)
    x = several.random(ranks, 4, tokens, inputs)
    usual = ranks.part(x)
    part = ranks.symmetric(*usual.shape).copy_(usual)
    ours = Layers(ranks, tokens, inputs, hidden)
    theirs = Torch(ours)
    one = Layers(ranks.alone(), tokens, inputs, hidden)

    wanted = one.forward(x).clone()
    errors = [several.distance(act, wanted) for act in (
        ours.forward(x).clone(), ours.forward_of_part(part).clone(), theirs.forward(x),
        theirs.forward_of_part(usual),
    )]  # fmt: skip
    ranks.say("beside one rank, differences:", *(f"{error:.4f}" for error in errors))

    work = f"tensor_parallel {tokens}x{inputs}x{hidden}"
    programs = {"tessera": lambda: ours.forward(x), "torch": lambda: theirs.forward(x)}
    ranks.report(work, ranks.compare(programs, lambda: one.forward(x)))
    programs = {
        "tessera": lambda: ours.forward_of_part(part),
        "torch": lambda: theirs.forward_of_part(usual),
    }
    ranks.report(f"{work}, gathered", ranks.compare(programs, lambda: one.forward(x)))
    programs = {
        "overlapped": lambda: ours.first_layer(part, True),
        "in turn": lambda: ours.first_layer(part, False),
        "messages alone": lambda: list(ours.gather(part)),
        "multiplies alone": lambda: several.linear(x, ours.first, ours.bias, ours.h),
    }
    times = ranks.compare(programs, lambda: None)
    del times["alone"]
    ranks.say("first layer:", ", ".join(f"{name} {time:.0f} us" for name, time in times.items()))


if __name__ == "__main__":
    several.run(main)
