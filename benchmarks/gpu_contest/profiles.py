"""Where a step's time goes, kernel by kernel, and what each takes of a multiprocessor; gpu.py runs it."""

import sys

import mochac
from gpu_contest.tasks import TASKS
from gpu_contest.with_mochac import METHOD, net

for name in sys.argv[1:]:
    with mochac.compile(net(TASKS[name]), backend="cuda") as program:
        program.train(METHOD, max_iter=3)
        print(f"{name}\n{program.profile(100)}")
        try:
            for k in program.kernels:
                print(f"{k.name}: {k.launch.grid} blocks of {k.launch.block} threads, {k.resources}")
        except (mochac.BackendError, KeyError) as error:  # a compiler that does not say
            print(f"no resources: {error}")
        print(flush=True)
