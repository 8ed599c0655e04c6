"""One process of a start-up measurement: import a framework, make a net, finish three steps, say when and how large.

startup.py runs it as `python -m contest.starting CONTENDER THREADS TASK FILE`, with benchmarks/ on the path. FILE has
the task's numbers (`save`), so that drawing them is not measured.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # NumPy comes with them, and is imported when a framework wants it
    from contest.task import Data, Task

STEPS = 3


def main() -> None:
    """Train, then print the clock and the largest resident size so far as JSON."""
    from contest.task import task

    contender, threads, net, file = sys.argv[1], int(sys.argv[2]), task(sys.argv[3]), Path(sys.argv[4])
    TRAINERS[contender](net, saved(file, net.batch), threads)
    print(json.dumps({"finished": time.monotonic(), "peak_bytes": peak_bytes()}))


def mochac(task: Task, data: Data, threads: int) -> None:
    """As a user's program does it."""
    import contest.with_mochac as peer

    with peer.mochac.compile(peer.net(task, data), backend="cpu", threads=threads) as program:
        program.train(peer.sgd(task.sgd), max_iter=STEPS, regu_coef=peer.regu_coef(task.sgd), verbose=0)


def torch(task: Task, data: Data, threads: int) -> None:
    """Eager."""
    import contest.with_torch as peer

    peer.Eager(task, data, threads, warm_up=0).steps(STEPS)


def torch_compile(task: Task, data: Data, threads: int) -> None:
    """torch.compile."""
    import contest.with_torch as peer

    peer.Compiled(task, data, threads, warm_up=0).steps(STEPS)


def jax(task: Task, data: Data, threads: int) -> None:
    """jit."""
    import contest.with_jax as peer

    peer.Jit(task, data, threads, warm_up=0).steps(STEPS)


TRAINERS = {"mochac": mochac, "PyTorch eager": torch, "torch.compile": torch_compile, "JAX jit": jax}


def save(data: Data, file: Path) -> None:
    """For `saved`."""
    import numpy as np

    labels = {} if data.labels is None else {"labels": data.labels}
    np.savez(file, inputs=data.inputs, **labels, **data.weights)  # type: ignore[arg-type]


def saved(file: Path, batch: int) -> Data:
    """The numbers in FILE."""
    import numpy as np

    from contest.task import Data

    with np.load(file) as arrays:
        weights = {name: arrays[name] for name in arrays.files if "." in name}
        labels = arrays["labels"] if "labels" in arrays.files else None
        return Data(weights, arrays["inputs"], labels, batch)


def peak_bytes() -> int:
    """Largest resident size of this program; ru_maxrss would include the parent's before exec."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) * 1024


if __name__ == "__main__":
    main()
