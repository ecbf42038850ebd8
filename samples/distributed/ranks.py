"""What the samples for several GPUs share: the group of processes, messages beside kernels, a
stopwatch, the verdict.

torchrun starts a process for each GPU; messages are NCCL's. Without a GPU they are Gloo's, and the
kernels run on the CPU. A sample that is started alone is a group of one.
"""

import dataclasses
import functools
import math
import os
import pathlib
import statistics
import sys
import time

import torch
import torch.distributed as dist

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import attention  # noqa: E402

blocks, launch = attention.blocks, attention.launch
BLOCK_OF_PRODUCT = 128  # rows of a tile in the launches below
COPY_ENGINES = 2  # NCCL_CTA_POLICY_ZERO: multiprocessors are left to kernels where that is possible
once = functools.lru_cache(maxsize=None)


def distance(got, wanted, most=0.01):
    """Of whole arrays, relative; at most `most`."""
    got, wanted = got.double(), wanted.double()
    relative = float((got - wanted).norm() / wanted.norm())
    assert relative < most, relative
    return relative


def linear(x, weight, bias, y):
    """y = gelu(x weight^T + bias) by samples/linear.cu; all bf16."""
    (rows, inputs), outputs = x.shape, weight.shape[0]
    grid = (blocks(outputs), blocks(rows))
    launch("linear.cu", "linear<128, 128, 64>", grid, x, weight, bias, y, rows, outputs, inputs)


def product(a, b, c, transposed_a=False, transposed_b=False):
    """c = op(a) op(b) by samples/transposed_matmul.cu; all bf16."""
    (m, n), k = c.shape, a.shape[0 if transposed_a else 1]
    words = ("true" if each else "false" for each in (transposed_a, transposed_b))
    name = f"matmul<128, 256, 64, {', '.join(words)}>"
    launch("transposed_matmul.cu", name, (blocks(n, 256), blocks(m)), a, b, c, m, n, k)


class Arrival:
    """Messages under way. The current stream waits for them; on the CPU this thread does."""

    def __init__(self, works, event):
        self.works, self.event = works, event

    def wait(self):
        if self.event:
            torch.cuda.current_stream().wait_event(self.event)
            return
        for work in self.works:
            work.wait()


@dataclasses.dataclass
class Ranks:
    """A process's view of the group: its number, how many there are, where its arrays lie."""

    rank: int
    size: int
    device: torch.device
    side: object = None  # the stream of messages
    pools: list = dataclasses.field(default_factory=list)  # of symmetric arrays

    def alone(self):
        """The group of this process only, whose messages are none."""
        return Ranks(0, 1, self.device, self.side)

    def part(self, x, dim=0):
        """This process's part of an array that is divided along a dimension."""
        return x.chunk(self.size, dim)[self.rank].contiguous()

    def send(self, act):
        """Starts act(), which returns messages, when the current stream has come here."""
        if not self.side:
            return Arrival(act(), None)
        self.side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.side):
            for work in act():
                work.wait()  # the side stream does, not this thread
            event = torch.cuda.Event()
            event.record()
        return Arrival([], event)

    def exchange(self, pairs):
        """Starts messages: of each (send, to, receive, from)."""
        operations = []
        for sent, to, received, sender in pairs:
            operations.append(dist.P2POp(dist.isend, sent, to))
            operations.append(dist.P2POp(dist.irecv, received, sender))
        return self.send(lambda: dist.batch_isend_irecv(operations) if operations else [])

    def all_gather(self, part, whole):
        """Starts the messages that put the parts of all processes behind one another."""
        several = self.size > 1
        act = dist.all_gather_into_tensor
        return self.send(lambda: [act(whole, part, async_op=True)] if several else [])

    def symmetric(self, *shape):
        """An array of bf16 that other GPUs' copy engines reach: NCCL gathers such arrays without
        a multiprocessor. A collective call."""
        words = {"dtype": torch.bfloat16, "device": self.device}
        if self.size == 1 or self.device.type == "cpu":
            return torch.empty(shape, **words)
        backend = dist.group.WORLD._get_backend(self.device)
        pool = torch.cuda.MemPool(backend.mem_allocator)
        with torch.cuda.use_mem_pool(pool):
            x = torch.empty(shape, **words)
        backend.register_mem_pool(pool, symm=True)
        self.pools.append(pool)
        return x

    def release(self):
        """Gives symmetric arrays' memory back: NCCL must still be there."""
        if self.pools:
            torch.cuda.synchronize()
        self.pools.clear()

    def all_reduce(self, x):
        """Starts the sum of x over all processes, in place."""
        several = self.size > 1
        return self.send(lambda: [dist.all_reduce(x, async_op=True)] if several else [])

    def gathered(self, x, dim=0):
        """The parts of all processes behind one another."""
        parts = [torch.empty_like(x) for _ in range(self.size)]
        dist.all_gather(parts, x.contiguous())
        return torch.cat(parts, dim)

    def wait(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def together(self):
        """Returns when all processes have come here."""
        self.wait()
        dist.barrier()
        self.wait()

    def seconds(self, act, runs):
        """Of one act() among several."""
        self.wait()
        start = time.perf_counter()
        for _ in range(runs):
            act()
        self.wait()
        return (time.perf_counter() - start) / runs

    def compare(self, programs, alone):
        """Microseconds of programs that run on all processes, in turns, by the slowest process; and
        of alone(), which the first process runs while the others wait. Medians of three."""
        runs = 20 if self.device.type == "cuda" else 1
        times = {name: [] for name in [*programs, "alone"]}
        for turn in range(4):  # the first one warms up
            for name, program in programs.items():
                self.together()
                times[name].append(self.seconds(program, runs if turn else 2))
            self.together()
            times["alone"].append(self.seconds(alone, runs if turn else 2) if self.rank == 0 else 0)
        taken = torch.tensor([values[1:] for values in times.values()], device=self.device)
        dist.all_reduce(taken, dist.ReduceOp.MAX)
        return {name: 1e6 * statistics.median(row) for name, row in zip(times, taken.tolist())}

    def report(self, work, times, ours="tessera", theirs="torch"):
        """A row of the table that run.sh prints."""
        if self.rank == 0:
            mine, its, one = times[ours], times[theirs], times["alone"]
            print(
                f"{work:44s} {mine:10.0f} us   one rank {one:10.0f} us, {one / mine:4.2f} x"
                f"   {theirs} {its:10.0f} us, {100 * its / mine:4.0f} %",
                flush=True,
            )

    def say(self, *words):
        if self.rank == 0:
            print("   ", *words, flush=True)


def start():
    """The group that torchrun has started, or one of this process alone."""
    is_on_gpus = torch.cuda.is_available()
    device = torch.device("cpu")
    if is_on_gpus:
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
        torch.cuda.set_device(device)
    words = {"backend": "nccl" if is_on_gpus else "gloo"}
    if is_on_gpus:
        words["device_id"] = device
        options = dist.ProcessGroupNCCL.Options()
        options.config.cta_policy = COPY_ENGINES
        words["pg_options"] = options
    if "RANK" not in os.environ:
        words.update(store=dist.HashStore(), rank=0, world_size=1)
    if not dist.is_initialized():
        dist.init_process_group(**words)
    side = torch.cuda.Stream() if is_on_gpus else None
    return Ranks(dist.get_rank(), dist.get_world_size(), device, side)


def run(sample):
    """sample(ranks), and the end of the group where this has started it. An error of one process
    ends the others."""
    is_there = dist.is_initialized()
    ranks = start()
    try:
        with torch.no_grad():
            sample(ranks)
        ranks.together()
        ranks.release()  # not behind an error: the others may never answer
    finally:
        if not is_there:
            dist.destroy_process_group()


def sizes(usual, usual_on_cpu):
    """Those of the command line, or the usual ones."""
    given = [int(word) for word in sys.argv[1:] if word.isdigit()]
    default = usual if torch.cuda.is_available() else usual_on_cpu
    return (*given, *default[len(given) :])


def require_multiple(name, value, factor):
    if value <= 0 or value % factor:
        sys.exit(f"error: {name} must be a multiple of {factor} for these ranks, not {value}")


def random(ranks, seed, *shape, scale=1.0):
    """The same numbers in every process."""
    numbers = torch.Generator(ranks.device).manual_seed(seed)
    x = torch.randn(shape, generator=numbers, device=ranks.device, dtype=torch.float32)
    return (x * scale).bfloat16()


def root(x):
    return 1 / math.sqrt(x)
