"""Where a step's time goes, kernel by kernel: every kernel generated, then as much as possible called, then as a user
gets it. gpu.py runs it with a task and the file to write."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import mochac
from gpu_contest.tasks import TASKS
from gpu_contest.with_mochac import METHOD, net
from mochac.ir.passes import choose_library
from mochac.runtime.cuda.libraries import installed

LEAST = choose_library.MIN_FLOPS
PLANS = {
    "every kernel generated": (False, LEAST, "0"),
    "products and convolutions called": (True, 1, "0"),
    f"called from {LEAST:,} operations on where that is faster, the default": (True, LEAST, "1"),
}


def profiled(task: str, name: str) -> dict[str, Any]:
    """One plan: its profile as text and as rows, time by product or convolution, what its kernels take."""
    libraries, choose_library.MIN_FLOPS, timed = PLANS[name]
    os.environ["MOCHAC_CUDA_TIME_CALLS"] = timed  # what is timed is called only where it is faster
    with mochac.compile(net(TASKS[task]), backend="cuda", libraries=libraries) as program:
        program.train(METHOD, max_iter=3, verbose=0)
        profile, kernels = program.profile(100), program.kernels
        print(f"{task}, {name}\n{profile}", flush=True)
        rows = [vars(row) for row in profile.rows]
        nodes: dict[str, dict[str, Any]] = {}
        for k, row in zip(kernels, rows, strict=True):
            if node(k):  # the grids of a kernel count together
                before = nodes.get(node(k), {"us": 0.0})["us"]
                nodes[node(k)] = {"us": before + 1e6 * row["seconds"], "kernel": k.launch.symbol}
        resources = [taken(k) for k in kernels]
    print("\n".join(resources), flush=True)
    return {
        "name": name,
        "step_s": profile.step_s,
        "profile": str(profile),
        "rows": rows,
        "nodes": nodes,
        "resources": resources,
    }


def node(kernel: Any) -> str:
    """The product or convolution a kernel computes, "" for one that computes none."""
    found = (
        json.loads(kernel.launch.call)["of"]
        if kernel.launch.call
        else next((op for op in kernel.ops if op in choose_library.FUNCTIONS), "")
    )
    return f"{kernel.layers[0]} {found}" if found else ""


def taken(kernel: Any) -> str:
    if kernel.launch.call:
        return f"{kernel.name}: {kernel.launch.symbol}"
    where = f"{kernel.name}: {kernel.launch.grid} blocks of {kernel.launch.block} threads, {kernel.schedule.name}"
    try:
        return f"{where}, {kernel.resources}"
    except mochac.BackendError as error:  # a compiler that does not say
        return f"{where}, {error}"


def main() -> None:
    task, file = sys.argv[1], Path(sys.argv[2])
    plans = []
    for name in list(PLANS) if installed() else list(PLANS)[:1]:
        try:
            plans.append(profiled(task, name))
        except mochac.MochacError as error:  # a library that refuses a shape: the others go on
            print(f"{name}: {error}", flush=True)
        file.write_text(json.dumps({"plans": plans}))


if __name__ == "__main__":
    main()
