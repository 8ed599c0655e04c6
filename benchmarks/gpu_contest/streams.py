"""A step of one task on 1, 2, 4 and 8 streams of its graph; gpu.py runs it with the task, seconds and a file."""

import json
import statistics
import sys
import time
from pathlib import Path

from gpu_contest.rounds import BURST_S, WHOLE, burst
from gpu_contest.tasks import TASKS
from gpu_contest.with_mochac import Steps

COUNTS = (1, 2, 4, 8)


def main() -> None:
    task, seconds, file = TASKS[sys.argv[1]], float(sys.argv[2]), Path(sys.argv[3])
    contenders = {n: type(f"On{n}", (Steps,), {"streams": n})(task) for n in COUNTS}
    alone = {n: burst(contender, WHOLE) for n, contender in contenders.items()}
    lengths = {n: WHOLE * max(1, round(BURST_S / s / WHOLE)) for n, s in alone.items()}
    rounds = [{n: burst(contender, lengths[n]) for n, contender in contenders.items()}]
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        rounds.append({n: burst(contender, lengths[n]) for n, contender in contenders.items()})
    medians = {n: statistics.median(r[n] for r in rounds) for n in COUNTS}
    file.write_text(json.dumps({"task": task.name, "step_s": medians, "rounds": len(rounds)}))
    print(f"{task.name}: " + ", ".join(f"{n} streams {1e6 * s:.1f} us" for n, s in medians.items()))


if __name__ == "__main__":
    main()
