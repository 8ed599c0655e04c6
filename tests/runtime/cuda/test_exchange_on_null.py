"""Exchanges between the devices of ranks, seen on NullDriver: their place in the graph of a step, and their end."""

from itertools import pairwise

import numpy as np
import pytest
from emulated_device import use_device
from graph_races import Watching, races, written

import mochac
from mochac import BatchNormLayer, InnerProductLayer, MemoryDataLayer, Net, SoftmaxLossLayer
from mochac.base.errors import BackendError, OptionError, RankError
from mochac.codegen.cuda.exchange import BLOCK, Half, RankSum
from mochac.ir.plan import Share
from mochac.ir.types import TensorType
from mochac.runtime.cuda import exchange as module
from mochac.runtime.cuda.device import Device
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.exchange import CudaExchange, sent, slices
from mochac.runtime.cuda.null import NullCollectives, NullCommunicator, NullDriver
from mochac.runtime.data.ring import RankPart
from mochac.training.session import joining

SGD = mochac.SGD(lr_policy=mochac.LRPolicy.Fixed(0.1))
RNG = np.random.default_rng(0)


class Together:
    """What an exchange needs of ranks; the others agree with this one."""

    timeout_s, leads = 900, True

    def __init__(self, rank=0, ranks=2, ordered=True, others=None, called=False):
        self.share, self.ordered, self._others, self._called = Share(rank, ranks), ordered, others, called

    def gather(self, value):
        return [value, *([self._others(value) if self._others else None] * (self.share.ranks - 1))]

    def broadcast(self, value):
        return value

    def compare(self, facts):
        pass

    def is_roll_called(self):
        return self._called

    def absent(self):
        return [self.share.ranks - 1]


def net():
    data = MemoryDataLayer(data=[RNG.normal(size=(40, 6)), np.arange(40) % 3], batch_size=16)
    first = InnerProductLayer(name="ip", output_dim=300, bottoms=["data"])
    norm = BatchNormLayer(name="bn", bottoms=["ip"], tops=["bn"])
    second = InnerProductLayer(name="out", output_dim=300, bottoms=["bn"])
    last = InnerProductLayer(name="end", output_dim=3, bottoms=["out"])
    return Net("net", [data, first, norm, second, last, SoftmaxLossLayer(bottoms=["end", "label"])])


@pytest.fixture
def driver(monkeypatch):
    found = Watching()
    use_device(monkeypatch, found)
    monkeypatch.setattr("mochac.ir.passes.buckets.BUCKET_BYTES", 10_000)
    monkeypatch.setattr(module, "LOOK_S", 0)
    return found


def joined(program, ranks):
    """The exchange of a program that is one of several ranks from now on."""
    plans = program.session.plans
    exchange = CudaExchange(ranks, plans.backend.device)
    plans.join(ranks.share, 4, None, exchange)
    program.session.batches.read(RankPart(rows=ranks.share))
    return exchange


@pytest.mark.slow
@pytest.mark.parametrize("ordered", [True, False])
def test_exchanges_follow_each_other_in_the_graph_of_a_step_beside_kernels(driver, ordered):
    with mochac.compile(net(), backend="cuda", libraries=False) as program:
        exchange = joined(program, Together(ordered=ordered))
        program.train(SGD, max_iter=5)
        buckets = sum(launch.symbol == "nccl.rank_sum" for launch in program.session.main_plan().compiled.plan.launches)
        exchange.close()
    assert buckets >= 4
    each = 2 if ordered else 1  # slices are sent to all, then their sums
    assert driver.counts["calls"] == 5 * buckets * each
    assert sum(symbol.startswith("mochac_add_2_ranks_f32_") for symbol in driver.launched) == 5 * buckets * (each - 1)
    (graph,) = driver.captured
    assert races(graph, written(driver)) == []
    before = graph.before()
    calls = [k for k, node in enumerate(graph.nodes) if not node.grid]
    assert all(before[later] >> earlier & 1 for earlier, later in pairwise(calls))
    beside = [
        sum(not before[k] >> call & 1 and not before[call] >> k & 1 for k in range(len(graph.nodes))) for call in calls
    ]
    assert max(beside) > 3  # kernels of backward run while a bucket is exchanged


@pytest.mark.slow
def test_a_graph_of_several_steps_exchanges_in_order_too(driver, monkeypatch):
    monkeypatch.setattr("mochac.runtime.cuda.launcher.SETTLED", 2)
    monkeypatch.setattr("mochac.runtime.cuda.launcher.MOST_NODES", 1000)
    monkeypatch.setattr("mochac.training.loop.breaks.CALL_S", 1e6)
    with mochac.compile(net(), backend="cuda", libraries=False) as program:
        joined(program, Together())
        program.train(SGD, max_iter=12)
    graph = max(driver.captured, key=lambda graph: len(graph.nodes))
    calls = [k for k, node in enumerate(graph.nodes) if not node.grid]
    assert len(driver.captured) == 2 and len(calls) >= 2 * 2 * 4
    assert races(graph, written(driver)) == []
    assert all(graph.before()[later] >> earlier & 1 for earlier, later in pairwise(calls))


@pytest.mark.slow
@pytest.mark.parametrize("ordered", [True, False])
def test_every_kernel_that_may_begin_early_waits(driver, monkeypatch, ordered):
    monkeypatch.setenv("MOCHAC_CUDA_EARLY", "1")
    driver.early = True
    with mochac.compile(net(), backend="cuda", libraries=False) as program:
        joined(program, Together(ordered=ordered))
        program.train(SGD, max_iter=3)
        functions = program.session.main_plan().lowered.text.split('extern "C" __global__ void')[1:]
    bodies = {text.split("mochac_", 1)[1].split("(")[0]: text.split("{\n", 1)[1].lstrip() for text in functions}
    assert {"exchange_start_0", "exchange_wait_0"} <= bodies.keys()
    assert all(body.startswith("mochac_begin_early();") for body in bodies.values())
    kernels = {symbol for symbol in driver.launched if not symbol.startswith("nccl.")}
    assert {name.removeprefix("mochac_") for name in kernels} <= bodies.keys()
    assert any(node.early for node in driver.captured[0].nodes)


def test_one_branch_has_no_stream_beside_it(driver, monkeypatch):
    monkeypatch.setenv("MOCHAC_CUDA_STREAMS", "1")
    with mochac.compile(net(), backend="cuda", libraries=False) as program:
        joined(program, Together())
        program.train(SGD, max_iter=3)
    (graph,) = driver.captured
    assert all(node.after == frozenset({k - 1} if k else ()) for k, node in enumerate(graph.nodes))


def test_what_was_exchanged_is_counted(driver):
    with mochac.compile(net(), backend="cuda", libraries=False) as program:
        exchange = joined(program, Together(ranks=4))
        program.train(SGD, max_iter=5)
        sums = list(program.session.main_plan().runner._sums.values())
    done = exchange.exchanged()
    assert done.exchanges == 5 * len(sums) and done.messages == sum(5 * sent(total, 0)[0] for total in sums)
    elements = sum(total.elems for total in sums)
    assert done.sent_bytes == pytest.approx(5 * 2 * 3 / 4 * 4 * elements, rel=0.01)
    assert str(done) == f"{done.sent_bytes / 1e6:.1f} MB in {done.messages} messages"


@pytest.mark.parametrize(("elems", "ranks"), [(10, 4), (1, 2), (3, 8), (64, 8)])
def test_every_slice_is_added_up_once_and_sent_to_all(elems, ranks):
    total = RankSum("f64", elems, ranks)
    buckets = np.random.default_rng(1).normal(size=(ranks, elems))
    every = [slices(total, Share(rank, ranks)) for rank in range(ranks)]
    rows = np.zeros((ranks, ranks * total.slice_elems))
    for rank, ((sends, _), _) in enumerate(every):
        for to, first, n in sends:
            place = next(m for m in every[to][0][1] if m.rank == rank)
            assert place.n == n
            rows[to, place.first : place.first + n] = buckets[rank, first : first + n]
    sums = rows.reshape(ranks, ranks, -1).sum(axis=1)
    for rank in range(ranks):
        found = np.zeros(elems)
        for source, first, n in every[rank][1][1]:
            assert any(m.rank == rank and m.n == n for m in every[source][1][0])
            found[first : first + n] = sums[source, :n]
        np.testing.assert_allclose(found, buckets.sum(axis=0))


def test_threads_of_a_half_cover_each_value():
    half = Half(3, False, (TensorType("f32", (100,)), TensorType("f32", ()), TensorType("f32", (2, 300))))
    assert (half.symbol, half.ends, half.grid) == ("mochac_exchange_wait_3", [128, 160, 768], -(-768 // BLOCK))


def test_graphs_are_released_before_the_communicator_that_they_use(driver, monkeypatch):
    order = []
    monkeypatch.setattr(driver, "free_graph", lambda graph: order.append("graph"))
    monkeypatch.setattr(NullCommunicator, "close", lambda self, abort=False: order.append("communicator"))
    with mochac.compile(net(), backend="cuda", libraries=False) as program:
        joined(program, Together())
        program.train(SGD, max_iter=3)
        joining.leave(program.session)
    assert order == ["graph", "communicator"]


# -- what goes wrong


class Silent(NullDriver):
    """A device on which nothing gets done until the exchanges are ended."""

    def __init__(self, fault=""):
        super().__init__()
        self.given_up, self._fault = False, fault

    def done(self, event):
        return self.given_up

    def collectives(self):
        outer = self

        class Communicator(NullCommunicator):
            def fault(self):
                return outer._fault

            def close(self, abort=False):
                outer.given_up |= abort

        class Collectives(NullCollectives):
            def join(self, rank, ranks, unique_id):
                return Communicator()

        return Collectives()


@pytest.mark.parametrize(
    ("fault", "ranks", "words"),
    [
        ("", Together(rank=0, ranks=4, called=True), "rank 0 waited 900 s for rank 3 in iteration 1"),
        ("", Together(rank=1, ranks=2, called=True), "rank 1 waited 900 s for rank 1 in iteration 1"),
        (
            "remote error: rank 2 is gone",
            Together(rank=0, ranks=4),
            "rank 0 could not exchange gradients with the other ranks in iteration 1\n"
            "  got  remote error: rank 2 is gone",
        ),
    ],
)
def test_a_rank_that_does_not_answer_ends_the_training(driver, monkeypatch, fault, ranks, words):
    silent = Silent(fault)
    use_device(monkeypatch, silent)
    with mochac.compile(net(), backend="cuda", libraries=False) as program:
        joined(program, ranks)
        with pytest.raises(RankError) as error:
            program.train(SGD, max_iter=5)
    assert str(error.value).startswith(words) and error.value.lost
    assert silent.given_up


def refused(ranks=None, driver=None):
    """The message of an exchange that cannot begin."""
    with pytest.raises((BackendError, OptionError)) as error:
        CudaExchange(ranks or Together(), Device(1, driver or NullDriver()))
    return str(error.value)


def test_two_ranks_cannot_have_one_device():
    said = refused(Together(others=lambda mine: mine))
    host = said.partition(" devices on ")[2].partition(",")[0]
    assert said == (
        "each rank needs a CUDA device of its own\n"
        f"  expected  2 devices on {host},  got  ranks 0 and 1 of {host} have CUDA device 1 (null, sm_90, null)\n"
        "  hint: start as many ranks on a machine as it has devices; without device= and MOCHAC_CUDA_DEVICE, each "
        "takes its own"
    )


def test_without_nccl_it_is_said_how_to_get_it(monkeypatch):
    def absent(driver):
        raise OSError("libnccl.so.2: cannot open shared object file")

    monkeypatch.setattr(NullDriver, "collectives", absent)
    assert refused() == (
        "training on several CUDA devices needs NCCL\n"
        "  got  libnccl.so.2: cannot open shared object file\n"
        "  hint: pip install nvidia-nccl-cu12, or nvidia-nccl-cu13; PyTorch for CUDA brings it, too"
    )


def test_nccl_says_why_it_does_not_start(monkeypatch):
    def join(self, rank, ranks, unique_id):
        raise DeviceError("ncclCommInitRank: unhandled system error")

    monkeypatch.setattr(NullCollectives, "join", join)
    assert refused() == (
        "NCCL does not start on CUDA device 1 (null, sm_90, null)\n"
        "  got  ncclCommInitRank: unhandled system error\n"
        "  hint: NCCL_DEBUG=INFO makes NCCL say what it does"
    )
