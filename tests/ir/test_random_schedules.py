"""Random steps on naive kernels: whatever a step accepts keeps the kernel well formed and its results."""

from __future__ import annotations

import functools
import random

import kernel_kit as kit
import numpy as np
import pytest

from mochac.ir.applying import simplify_guards
from mochac.ir.kernel import Kernel, Loop, walk
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.nests import repeats
from mochac.ir.schedule import ScheduleError, Step
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.inline import Keep
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.steps.split import Fission, Peel, Split
from mochac.ir.steps.split_sum import Partial
from mochac.ir.steps.stage import Stage

MAKERS = {
    "conv": lambda: kit.conv(batch=5, channels=2, size=5, filters=3, lanes=4),
    "padded": lambda: kit.conv(batch=5, channels=2, size=5, filters=3, pad=1, stride=2, lanes=4),
    "dx": lambda: kit.conv_dx(batch=5, channels=3, size=5, filters=2, pad=1, lanes=4),
    "dw": lambda: kit.conv_dw(batch=5, channels=2, size=5, filters=3, pad=1, lanes=4),
    "pool": lambda: kit.conv_pool(batch=5, channels=2, size=7, filters=3, lanes=4),
    "product": lambda: kit.product(batch=5, features=6, outputs=5, lanes=4),
    "softmax": lambda: kit.softmax(rows=5, columns=7),
    "product_dw": lambda: kit.product_dw(batch=5, features=6, outputs=5, lanes=4),
}


@functools.cache
def case(name: str) -> tuple[Kernel, dict[str, np.ndarray], dict[str, np.ndarray]]:
    naive = MAKERS[name]()
    feeds = kit.random_inputs(naive)
    return naive, feeds, run_kernel(naive, feeds)


def random_keep(kernel: Kernel, rng: random.Random) -> Step:
    found = list(repeats(kernel))
    if not found:
        raise ScheduleError("no loop repeats a value of another one")
    repeat = rng.choice(found)
    return Keep(repeat.value, repeat.again)


def random_step(kernel: Kernel, rng: random.Random, number: int) -> Step:
    names = list(dict.fromkeys(s.var for s in walk(kernel.body) if isinstance(s, Loop)))
    var, other = rng.choice(names), rng.choice(names)
    some = tuple(rng.sample(names, rng.randint(1, min(4, len(names)))))
    local = rng.choice([b.name for b in kernel.locals])
    tail = rng.choice(["guard", "cut", "pad"])
    return rng.choice(
        [
            lambda: Split(var, rng.randint(1, 4), f"{var}{number}o", f"{var}{number}i", tail),
            lambda: Distribute(var, ("*",)),
            lambda: Distribute(var, some),
            lambda: Reorder(tuple(dict.fromkeys((var, other)))),
            lambda: Fission(var, rng.randint(1, 4)),
            lambda: Partial(local, var),
            lambda: Stage(rng.choice([local, "w", "x"]) if "x" in kernel.buffers() else local, var, "scratch"),
            lambda: Peel(var, rng.randint(0, 2), rng.randint(0, 1)),
            lambda: Clip(var),
            lambda: random_keep(kernel, rng),
            lambda: Unroll(var),
            lambda: Vector(var),
            lambda: Parallel((var,)),
        ]
    )()


def check(name: str, seed: int) -> int:
    """Apply random steps; returns how many fitted."""
    kernel, feeds, want = case(name)
    rng = random.Random(f"{name} {seed}")
    done: list[Step] = []
    for number in range(60):
        try:
            step = random_step(kernel, rng, number)
            kernel = step.apply(kernel)
        except ScheduleError:
            continue
        done.append(step)
        if len(done) == 8:
            break
    for result in (kernel, simplify_guards(kernel)):
        try:
            verify_kernel(result)
            assert parse_kernel(str(result)) == result
            got = run_kernel(result, feeds)
            for output in want:
                np.testing.assert_allclose(got[output], want[output], rtol=1e-4, atol=1e-4)
        except Exception as error:
            error.add_note(f"{name} seed {seed}\n" + "".join(f"  {s}\n" for s in done) + str(result))
            raise
    return len(done)


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_random_schedules_keep_results(name: str) -> None:
    fitted = [check(name, seed) for seed in range(3)]
    assert sum(fitted) >= 12


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(3, 25), marks=pytest.mark.slow, id="some"),
        pytest.param(range(25, 250), marks=pytest.mark.soak, id="many"),
    ],
)
@pytest.mark.parametrize("name", MAKERS)
def test_more_random_schedules_keep_results(name: str, seeds: range) -> None:
    for seed in seeds:
        check(name, seed)
