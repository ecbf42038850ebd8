#!/usr/bin/env python3
"""Two linear layers whose weights are divided among GPUs: y = gelu(x W1^T + b1) W2^T. The first
one is divided by columns of its result (rows of W1), the second one along its sums (columns of W2),
which an all-reduce adds.

The second form has x divided by rows, too, as a layer ahead leaves it. Parts of the other GPUs
arrive tile by tile while the multiplies of those that are here run. What comes first is a GPU's own
part; an event of the stream of messages tells the stream of kernels when the next one is there.

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
        self.x = torch.empty(tokens, inputs, **empty)
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
        """Starts the messages that bring all parts of x; yields rows as they are there."""
        ranks, share = self.ranks, len(part)
        step = several.blocks(several.blocks(share, PIECES)) * several.BLOCK_OF_PRODUCT
        starts = range(0, share, step)
        arrivals = []
        for start in starts if ranks.size > 1 else ():
            messages = []
            for far in range(1, ranks.size):
                to, sender = (ranks.rank - far) % ranks.size, (ranks.rank + far) % ranks.size
                end = min(start + step, share)
                received = self.x[sender * share + start : sender * share + end]
                messages.append((part[start:end], to, received, sender))
            arrivals.append(ranks.exchange(messages))
        own = slice(ranks.rank * share, (ranks.rank + 1) * share)
        yield own
        for start, arrival in zip(starts, arrivals):
            arrival.wait()
            for far in range(1, ranks.size):
                at = (ranks.rank + far) % ranks.size * share
                yield slice(at + start, at + min(start + step, share))

    def forward_of_part(self, part):
        """x is divided by rows; multiplies run while parts arrive."""
        self.multiply(part, self.gather(part))
        return self.add_up()

    def multiply(self, part, rows):
        for index, those in enumerate(rows):
            x = part if index == 0 else self.x[those]
            several.linear(x, self.first, self.bias, self.h[those])

    def first_layer(self, part, is_overlapped):
        """The gather and the first layer alone, for their times."""
        rows = self.gather(part)
        self.multiply(part, rows if is_overlapped else list(rows))


class Torch:
    """The same by torch's own kernels and collectives."""

    def __init__(self, layers, part):
        self.of, self.part, self.several = layers, part, layers.ranks.size > 1

    def forward(self, x):
        h = functional.gelu(functional.linear(x, self.of.first, self.of.bias), approximate="tanh")
        y = functional.linear(h, self.of.second)
        if self.several:
            dist.all_reduce(y)
        return y

    def forward_of_part(self, part):
        if not self.several:
            return self.forward(part)
        dist.all_gather_into_tensor(self.of.x, part)
        return self.forward(self.of.x)


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
    part = ranks.part(x)
    ours = Layers(ranks, tokens, inputs, hidden)
    theirs = Torch(ours, part)
    one = Layers(ranks.alone(), tokens, inputs, hidden)

    wanted = one.forward(x).clone()
    errors = [several.distance(act, wanted) for act in (
        ours.forward(x).clone(), ours.forward_of_part(part).clone(), theirs.forward(x),
        theirs.forward_of_part(part),
    )]  # fmt: skip
    ranks.say("beside one rank, differences:", *(f"{error:.4f}" for error in errors))

    work = f"tensor_parallel {tokens}x{inputs}x{hidden}"
    programs = {"tessera": lambda: ours.forward(x), "torch": lambda: theirs.forward(x)}
    ranks.report(work, ranks.compare(programs, lambda: one.forward(x)))
    programs = {
        "tessera": lambda: ours.forward_of_part(part),
        "torch": lambda: theirs.forward_of_part(part),
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
