"""Run by test_exchange.py under mpiexec: plans that add up values over the ranks, compared with NumPy.

Each rank draws the values of all ranks, adds them by a balanced tree, and expects those bits. Rank 0 prints the
messages and bytes that it sent.
"""

import json
from dataclasses import replace

import numpy as np
from mpi4py import MPI

from mochac.ir import parse
from mochac.ir.passes import buckets as buckets_pass
from mochac.ir.plan import Share
from mochac.lowering.pipeline import lower
from mochac.runtime.cpu.backend import CpuBackend
from mochac.runtime.cpu.exchange import CpuExchange
from mochac.runtime.ranks.ranks import functions

TEXT = """
graph @step(%a: f32[7,3], %b: f32[1], %c: f32[300], %d: f64[5]) {
  %a2: f32[7,3] = mul(%a, %a)
  %s: f32[7,3] = rank_sum(%a2)
  %mean: f32[7,3] = add(%s, %a)
  %a3: f32[7,3] = rank_sum(%mean)
  %b2: f32[1] = mul(%b, %b)
  %b3: f32[1] = rank_sum(%b2)
  %c2: f32[300] = mul(%c, %c)
  %c3: f32[300] = rank_sum(%c2)
  %d2: f64[5] = mul(%d, %d)
  %d3: f64[5] = rank_sum(%d2)
  %c4: f32[300] = add(%c3, %c3)
  return %a3, %b3, %c4, %d3
}
"""


def tree(values):
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    return tree(values[:half]) + tree(values[half:])


class Together:
    """What an exchange needs of ranks."""

    timeout_s = 900.0

    def __init__(self, ordered, threaded):
        self.comm = MPI.COMM_WORLD.Dup()
        self.share, self.ordered, self._threaded = Share(self.comm.rank, self.comm.size), ordered, threaded

    def functions(self):
        return replace(functions(self.comm), threaded=self._threaded)

    def gather(self, value):
        return self.comm.allgather(value)


def exchanged(ordered, threaded):
    """Run a plan 20 times and compare; returns what was sent, and how often."""
    ranks = Together(ordered, threaded)
    comm = ranks.comm
    buckets_pass.BUCKET_BYTES = 100
    graph = buckets_pass.buckets(parse(TEXT))
    backend = CpuBackend()
    lowered = lower(graph, backend.generator, scalars={}, named={name: name for name in graph.outputs})
    exchange = CpuExchange(ranks)
    executor = backend.bind(lowered.plan, backend.objects(lowered.text), {}, 2, exchange)
    rng = np.random.default_rng(5)
    for k in range(20):
        draws = [{i.name: draw(rng, i.type) for i in graph.inputs} for _ in range(comm.size)]
        executor.run(1, [{name: draws[comm.rank][name] for name in ("a", "b", "c", "d")}])
        exchange.check(k)
        means = [tree([d["a"] * d["a"] for d in draws]) + d["a"] for d in draws]
        squares = {name: tree([d[name] * d[name] for d in draws]) for name in ("b", "c", "d")}
        wanted = {"a3": tree(means), "b3": squares["b"], "c4": squares["c"] + squares["c"], "d3": squares["d"]}
        for name, value in wanted.items():
            rtol = 0 if ordered else 1e-5
            np.testing.assert_allclose(executor.read(name), value, rtol=rtol, atol=rtol, err_msg=name)
    exchange.stop()
    executor.close()
    done = exchange.exchanged()
    assert done.exchanges == 60
    return done.messages, done.sent_bytes


def draw(rng, kind):
    return rng.standard_normal(kind.shape).astype({"f32": np.float32, "f64": np.float64}[kind.dtype])


if __name__ == "__main__":
    sent = {
        f"{ordered} {threaded}": exchanged(ordered, threaded) for ordered in (True, False) for threaded in (True, False)
    }
    if MPI.COMM_WORLD.rank == 0:
        print(json.dumps(sent))
