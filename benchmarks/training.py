"""Training steps of the named nets: mochac against PyTorch, JAX and the machine's multiply-add peak.

Run `python benchmarks/training.py [NET...] [--threads 1 2] [--quick] [--record] [--strict]`.
Every net and number of threads has a process of its own, in which all contenders train the same net from the same
weights, first to compare the result, then in interleaved rounds. Peers that are not installed are left out;
`pip install mochac[bench]` installs them.
"""

from __future__ import annotations

from collections.abc import Sequence

from contest.agreement import EXACT_STEPS, STEPS
from contest.command import parsed, run

NETS = ("lenet", "cifar", "mlp", "autoencoder", "tiny", "resnet", "mobilenet", "convnext", "tabular")
INTRO = f"""# {{title}}: one training step

Forward, backward and update (SGD, momentum 0.9, L2) in float32. All contenders of a table ran in one process, in
interleaved rounds, from the same weights on the same batches; their weights agree after {STEPS} steps; with batch
normalization after one, and in float64 after {EXACT_STEPS}.

"time / train()" is a contender's time relative to mochac's train() in the same round. "of direct peak" is its rate in
nominal operations relative to the multiply-add loop of the same round. Both are medians over rounds, with quartiles in
brackets. "load" is the share of the CPUs' time that other processes and the hypervisor took during a contender's turns.
`mochac plan` and the peers have finished batches in memory; `mochac train()` is what a user calls, including the thread
that fills batches. Written by `python benchmarks/training.py --record`.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the contests; 0, or 1 where one could not be taken."""
    return run("training", parsed(__doc__.splitlines()[0], NETS, 12, argv), INTRO)


if __name__ == "__main__":
    raise SystemExit(main())
