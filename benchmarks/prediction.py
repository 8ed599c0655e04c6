"""Predictions of batches of 1, 8 and 64: mochac against PyTorch, JAX and the machine's multiply-add peak.

Run `python benchmarks/prediction.py [lenet cifar] [--batch 1 8 64] [--threads 1 2] [--quick] [--record] [--strict]`; as
training.py. `alexnet --batch 1` streams 244 MB of weights for each image.
"""

from __future__ import annotations

from collections.abc import Sequence

from contest.command import parsed, run

NETS = ("lenet", "cifar")
INTRO = """# {title}: prediction

The outputs of the last layer in float32. All contenders of a table ran in one process, in interleaved rounds, with the
same weights on the same batch; their outputs agree.

"time / predict()" is a contender's time relative to mochac's predict() in the same round. "of direct peak" is its rate
in nominal operations relative to the multiply-add loop of the same round. Both are medians over rounds, with quartiles
in brackets. "load" is the share of the CPUs' time that other processes and the hypervisor took during a contender's
turns. `mochac plan` and the peers have their batch in the layout that the net needs; `mochac predict()` is what a user
calls, from an array to an array. PyTorch is in eval() and inference_mode(). Written by `python
benchmarks/prediction.py --record`.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the contests; 0, or 1 where one could not be taken."""
    return run("prediction", parsed(__doc__.splitlines()[0], NETS, 4, argv), INTRO)


if __name__ == "__main__":
    raise SystemExit(main())
