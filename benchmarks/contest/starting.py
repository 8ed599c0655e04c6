"""One process of a start-up measurement: import a framework, make LeNet, finish three steps, say when and how large.

startup.py runs it as `python -m contest.starting CONTENDER THREADS FILE`, with benchmarks/ on the path. FILE has the
task, so that drawing random numbers is not measured.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

STEPS = 3


def main() -> None:
    """Train, then print the clock and the largest resident size so far as JSON."""
    name, threads, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    TRAINERS[name](Path(file), threads)
    print(json.dumps({"finished": time.monotonic(), "peak_bytes": peak_bytes()}))


def mochac(file: Path, threads: int) -> None:
    """As a user's program does it."""
    import contest.with_mochac as peer
    from contest.task import REGU_COEF

    with peer.mochac.compile(peer.net(saved(file)), backend="cpu", threads=threads) as program:
        program.train(peer.sgd(), max_iter=STEPS, regu_coef=REGU_COEF)


def torch(file: Path, threads: int) -> None:
    """Eager."""
    import contest.with_torch as peer

    peer.Eager(saved(file), threads, warm_up=0).steps(STEPS)


def torch_compile(file: Path, threads: int) -> None:
    """torch.compile."""
    import contest.with_torch as peer

    peer.Compiled(saved(file), threads, warm_up=0).steps(STEPS)


def jax(file: Path, threads: int) -> None:
    """jit."""
    import contest.with_jax as peer

    peer.Window(saved(file), threads, warm_up=0).steps(STEPS)


TRAINERS = {"mochac": mochac, "PyTorch eager": torch, "torch.compile": torch_compile, "JAX jit": jax}


def saved(file: Path):  # Task is imported late, with NumPy
    """The task in FILE."""
    import numpy as np

    from contest.task import Task

    with np.load(file) as arrays:
        weights = {name: arrays[name] for name in arrays.files if "." in name}
        return Task(weights, arrays["images"], arrays["labels"])


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
