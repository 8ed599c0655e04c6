"""From import to the end of a net's first step, in seconds; gpu.py runs it with an empty cache and again."""

import sys
import time

begin = time.perf_counter()

import mochac  # noqa: E402
from gpu_contest.tasks import TASKS  # noqa: E402
from gpu_contest.with_mochac import METHOD, net  # noqa: E402

with mochac.compile(net(TASKS[sys.argv[1]]), backend="cuda") as program:
    program.train(METHOD, max_iter=1)
    print(f"{sys.argv[1]}: {time.perf_counter() - begin:.3f} s from import to the end of the first step")
