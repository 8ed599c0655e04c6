"""From import to the end of a net's first step, in seconds; gpu.py runs it with an empty cache and again."""

import json
import sys
import time
from pathlib import Path

begin = time.perf_counter()

import mochac  # noqa: E402
from gpu_contest.tasks import TASKS  # noqa: E402
from gpu_contest.with_mochac import METHOD, net  # noqa: E402

imported = time.perf_counter()
made = net(TASKS[sys.argv[1]])
with mochac.compile(made, backend="cuda") as program:
    opened = time.perf_counter()
    program.train(METHOD, max_iter=1, verbose=0)
    end = time.perf_counter()
lowered = "mochac.lowering.pipeline" in sys.modules
found = {"import": imported - begin, "net and device": opened - imported, "plan and step": end - opened}
print(", ".join(f"{name} {s:.3f} s" for name, s in found.items()) + (", lowered" if lowered else ", from the cache"))
print(f"{sys.argv[1]}: {end - begin:.3f} s from import to the end of the first step")
Path(sys.argv[2]).write_text(json.dumps({**found, "all": end - begin, "lowered": lowered}))
