"""Runs kernels alone, with every buffer ending, then beginning, exactly at a page that must not be touched.

    guarded_kernels.py ops NAME...      every sample of these operations, in one type or the other (the first in both,
                                        and at other batch sizes)
    guarded_kernels.py nets SEED...     every kernel of the training steps of random nets, with the results checked
    guarded_kernels.py beyond           a read of one byte too much, which must end the process

test_guarded_kernels.py runs it. A kernel of an operation that fails is the last line of the output.
"""

import faulthandler
import os
import sys
from dataclasses import replace

import numpy as np
from guarded_memory import guarded

from mochac.base.options import CompileOptions, Options
from mochac.ir.kernel_build import Alias
from mochac.ir.op import OPS
from mochac.ir.samples import draw
from mochac.ir.types import DTYPES, garbage
from mochac.lowering import verification
from mochac.lowering.backends import open_backend
from mochac.lowering.operands import any_operands, operands
from mochac.lowering.pipeline import lower
from mochac.runtime.cpu import executor
from mochac.tools.fuzzing.blocks import drawn
from mochac.tools.fuzzing.outcome import Way, outcome

BATCHES = (None, 17, 3)
"""Of a first sample with a batch: its own, and with a remainder."""


def placed(at_end):
    """In place of verification._garbage."""

    def allocate(kind):
        array = guarded(kind.shape, DTYPES[kind.dtype], at_end)
        array[...] = garbage((1,), kind.dtype)
        return array

    return allocate


def every_sample(name):
    op = OPS[name]
    for k, sample in enumerate(op.samples):
        batched = sample.attrs.get("batch") or any("[b" in t for t in sample.types)
        for batch in BATCHES if batched and not k else (None,):
            for dtype in ("f32", "f64")[k % 2 :][: 1 if k else 2]:
                if op.kind != "call" and not isinstance(op.lowering(sample.attrs), Alias):
                    print(f"{name}, sample {k}, {dtype}, batch {batch}", flush=True)
                    run_sample(op, sample, dtype, batch)


def run_sample(op, sample, dtype, batch):
    case = draw(op, sample, dtype, batch)
    graph = replace(case, types=tuple(t.with_(lanes=0) for t in case.types)).graph()
    backend = open_backend(CompileOptions(backend="cpu"), Options.from_env(), run=True)
    outputs = {name: name for name in graph.outputs}
    lowered = lower(graph, backend.generator, dtype=dtype, adviser=backend.adviser, scalars={}, named=outputs)
    for kernel in lowered.kernels:
        if not isinstance(kernel.canonical, verification.LibraryKernel):
            given = operands(lowered.graph, kernel.naive, case.feeds()) or any_operands(kernel.naive)
            alone = verification.LoneKernel.of(lowered, kernel)
            for at_end in (True, False):
                verification._garbage = placed(at_end)
                alone.run(backend, given)


def every_kernel(seed):
    print(f"net {seed}", flush=True)
    for at_end in (True, False):
        verification._garbage = placed(at_end)
        outcome(drawn(seed), Way(dtype=("float32", "float64")[seed % 2], verify=True))


if __name__ == "__main__":
    faulthandler.enable()
    os.environ["MOCHAC_CACHE"] = "0"
    executor.is_aligned = lambda array: True  # exact ends are worth more here than beginnings on a cache line
    what, *names = sys.argv[1:]
    if what == "beyond":
        array = guarded(3, np.float32)
        np.lib.stride_tricks.as_strided(array, (4,))[3:].sum()
    for name in names:
        every_sample(name) if what == "ops" else every_kernel(int(name))
    print("done")
