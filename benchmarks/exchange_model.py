"""A model of the exchange between ranks: messages, bytes, and the time of a step for 2 to 1,024 ranks.

Run `python benchmarks/exchange_model.py --mb 0.36 --step-ms 17 [--buckets 1] [--hidden 0.5] [--record]`. It assumes:

- ranks share a batch equally, or in the last column a batch that grows with the ranks; one rank a machine
- recursive halving and doubling as in codegen/cpu/exchange.py: log2(R) rounds, twice, each with one message to
  and one from a partner, both at the same time and at full speed
- additions cost nothing beside the network; latency is that of a message between two machines
- exchanges may hide behind the share `--hidden` of a step, its backward half, but the last bucket cannot

tests/runtime/ranks/test_exchange.py checks its messages and bytes against those counted.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from contest import report

HEAD = (
    "ranks", "messages a step", "MB sent a step", "exchange", "step", "times one rank", "efficiency",
    "efficiency, batch grows with ranks",
)  # fmt: skip


@dataclass(frozen=True)
class Network:
    """Seconds of a message without content, and bytes a second."""

    name: str
    latency_s: float
    bytes_per_s: float


NETWORKS = (Network("10 Gbit/s, 30 us", 30e-6, 10e9 / 8), Network("100 Gbit/s, 5 us", 5e-6, 100e9 / 8))


@dataclass(frozen=True)
class Exchange:
    """The exchange of `n_bytes` in `buckets` among `ranks`, a power of two.

    >>> Exchange(4, 1000, 2).messages, Exchange(4, 1000, 2).sent_bytes
    (8, 1500.0)
    """

    ranks: int
    n_bytes: float
    buckets: int

    @property
    def rounds(self) -> int:
        """Of halving, and as many of doubling."""
        return self.ranks.bit_length() - 1

    @property
    def messages(self) -> int:
        """What a rank sends."""
        return 2 * self.rounds * self.buckets

    @property
    def sent_bytes(self) -> float:
        """What a rank sends: 1/2 + 1/4 + ... of the whole, twice."""
        return 2 * (1 - 1 / self.ranks) * self.n_bytes

    def seconds(self, network: Network) -> float:
        """Time of all exchanges, one after the other."""
        return self.messages * network.latency_s + self.sent_bytes / network.bytes_per_s


def step_s(exchange: Exchange, network: Network, computed: float, hidden: float) -> float:
    """Time of a step whose kernels take `computed` seconds on each rank; the last bucket cannot hide behind them."""
    spent = exchange.seconds(network)
    last = spent / exchange.buckets
    return computed + max(last, spent - hidden * computed)


def main(argv: Sequence[str] | None = None) -> int:
    """Print a table for each network; with --record, write them."""
    parser = argparse.ArgumentParser(description="A model of the exchange between ranks.")
    parser.add_argument("--mb", type=float, default=1.72, help="of parameters (LeNet: 1.72)")
    parser.add_argument("--step-ms", type=float, default=3.9, help="of one rank alone, on the whole batch")
    parser.add_argument("--buckets", type=int, default=0, help="0: as many as MB")
    parser.add_argument("--hidden", type=float, default=0.5)
    parser.add_argument("--record", action="store_true", help="write results/exchange_model.md")
    options = parser.parse_args(argv)
    buckets = options.buckets or max(1, round(options.mb))
    tables = []
    for network in NETWORKS:
        rows = []
        for ranks in (2**k for k in range(1, 11)):
            exchange = Exchange(ranks, options.mb * 1e6, buckets)
            alone = options.step_ms / 1e3
            step = step_s(exchange, network, alone / ranks, options.hidden)
            gain, weak = alone / step, alone / step_s(exchange, network, alone, options.hidden)
            sent, ms = f"{exchange.sent_bytes / 1e6:.2f}", f"{1e3 * exchange.seconds(network):.2f} ms"
            rows.append([str(ranks), str(exchange.messages), sent, ms, f"{1e3 * step:.2f} ms", f"{gain:.1f}",
                         f"{gain / ranks:.0%}", f"{weak:.0%}"])  # fmt: skip
        tables.append(f"{network.name}:\n\n{report.table(HEAD, rows)}")
    head = (
        f"{options.mb} MB in {buckets} buckets, {options.step_ms} ms a step on one rank, {options.hidden:.0%} hidden."
    )
    body = "\n\n".join([head, *tables])
    print(body)
    if options.record:
        intro = f"# A model of the exchange\n\n{__doc__.split(chr(10), 2)[2].strip()}\n"
        print(f"written: {report.record('exchange_model', intro, body)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
