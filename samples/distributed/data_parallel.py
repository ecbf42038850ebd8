#!/usr/bin/env python3
"""A training step of two linear layers with gelu between them, bf16, whose rows of x are divided
among GPUs: forward, backward, an all-reduce of the gradients, gradient descent. The gradient of the
second layer is added up while that of the first one is computed.

    torchrun --nproc-per-node N data_parallel.py [ROWS INPUTS HIDDEN OUTPUTS]
"""

import functools

import ranks as several
import torch
from torch.nn import functional

RATE = 0.5
WIDTH = 4096  # elements of a block

element_wise = functools.partial(several.launch, "distributed/kernels.cu")


class Network:
    """A process's weights and its rows. wanted: what the rows should give."""

    def __init__(self, ranks, weights, x, wanted):
        self.ranks, self.x, self.wanted = ranks, x, wanted
        self.weights = [weight.clone() for weight in weights]
        self.gradients = [torch.empty_like(weight) for weight in weights]
        hidden = weights[0].shape[0]
        self.z, self.h, self.dh, self.dz = (x.new_empty(len(x), hidden) for _ in range(4))
        self.y, self.dy = torch.empty_like(wanted), torch.empty_like(wanted)
        blocks = several.blocks(wanted.numel(), WIDTH)
        self.losses = torch.empty(blocks, dtype=torch.float32, device=x.device)
        # The mean is of all processes' elements.
        self.factor = 2 / (wanted.numel() * ranks.size)

    def of_elements(self, name, *arguments):
        """A kernel for all elements of its first argument."""
        n = arguments[0].numel()
        element_wise(f"{name}<{WIDTH}>", (several.blocks(n, WIDTH),), *arguments, n)

    def forward(self):
        several.product(self.x, self.weights[0], self.z, transposed_b=True)
        self.of_elements("activate", self.z, self.h)
        several.product(self.h, self.weights[1], self.y, transposed_b=True)
        given = (self.y, self.wanted, self.dy, self.losses, self.factor)
        self.of_elements("loss", *given)

    def backward(self):
        """Returns the sums of gradients that are under way, in the order of the layers."""
        several.product(self.dy, self.h, self.gradients[1], transposed_a=True)
        second = self.ranks.all_reduce(self.gradients[1])
        several.product(self.dy, self.weights[1], self.dh)
        self.of_elements("activate_backward", self.z, self.dh, self.dz)
        several.product(self.dz, self.x, self.gradients[0], transposed_a=True)
        return self.ranks.all_reduce(self.gradients[0]), second

    def step(self):
        self.forward()
        sums = self.backward()
        for arrival, weight, gradient in list(zip(sums, self.weights, self.gradients))[::-1]:
            arrival.wait()
            self.of_elements("update", weight, gradient, RATE)

    def loss(self):
        """Before the last step, of all processes."""
        total = self.losses.sum()
        self.ranks.all_reduce(total).wait()
        return float(total)


class Torch:
    """The same by torch's layers, DistributedDataParallel and optimizer."""

    def __init__(self, weights, x, wanted):
        self.x, self.wanted = x, wanted
        (hidden, inputs), outputs = weights[0].shape, len(weights[1])
        layers = [
            torch.nn.Linear(inputs, hidden, bias=False),
            torch.nn.GELU(approximate="tanh"),
            torch.nn.Linear(hidden, outputs, bias=False),
        ]
        network = torch.nn.Sequential(*layers).to(x.device, torch.bfloat16)
        for layer, weight in zip(layers[::2], weights):
            layer.weight.copy_(weight)
        self.weights = [layer.weight for layer in layers[::2]]
        self.network = torch.nn.parallel.DistributedDataParallel(
            network, gradient_as_bucket_view=True
        )
        self.optimizer = torch.optim.SGD(network.parameters(), RATE)

    @torch.enable_grad()
    def step(self):
        self.optimizer.zero_grad()
        functional.mse_loss(self.network(self.x), self.wanted).backward()
        self.optimizer.step()


def main(ranks):
    rows, inputs, hidden, outputs = several.sizes((16384, 4096, 16384, 4096), (256, 64, 256, 64))
    several.require_multiple("ROWS", rows, 8 * ranks.size)
    for name, size in (("INPUTS", inputs), ("HIDDEN", hidden), ("OUTPUTS", outputs)):
        several.require_multiple(name, size, 8)
    weights = [
        several.random(ranks, 1, hidden, inputs, scale=several.root(inputs)),
        several.random(ranks, 2, outputs, hidden, scale=several.root(hidden)),
    ]
    x, wanted = (several.random(ranks, 3 + i, rows, n) for i, n in enumerate((inputs, outputs)))
    ours = Network(ranks, weights, ranks.part(x), ranks.part(wanted))
    theirs = Torch(weights, ranks.part(x), ranks.part(wanted))
    one = Network(ranks.alone(), weights, x, wanted)

    losses = []
    for _ in range(3):
        for each in (ours, theirs, one):
            each.step()
        losses.append(ours.loss())
    differences = []
    for network in (ours, theirs):
        pairs = zip(network.weights, one.weights, weights)
        differences += [several.distance(a - start, b - start, 0.05) for a, b, start in pairs]
    differences += [several.distance(*pair) for pair in zip(ours.gradients, one.gradients)]
    assert losses[0] > losses[1] > losses[2], losses
    ranks.say("losses:", *(f"{loss:.5f}" for loss in losses))
    ranks.say("beside one rank, differences:", *(f"{each:.4f}" for each in differences))

    work = f"data_parallel {rows}x{inputs}x{hidden}x{outputs}"
    programs = {"tessera": ours.step, "torch": theirs.step}
    ranks.report(work, ranks.compare(programs, one.step))


if __name__ == "__main__":
    several.run(main)
