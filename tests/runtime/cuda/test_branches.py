"""Which launches of a step may run beside each other: streams and waits, and captured graphs under a race detector."""

import random
import re
from dataclasses import replace

import numpy as np
import pytest
from emulated_device import EmulatedDriver, use_device
from graph_races import Watching, races, written
from skips import needs_gxx
from stand_in_nets import NETS
from tiny_net import tiny

import mochac
from mochac.ir.passes import choose_library
from mochac.runtime.cuda import branches, launcher
from mochac.runtime.cuda.branches import Branches, Work, branched
from mochac.runtime.cuda.driver import DeviceError, Span
from mochac.runtime.cuda.null import NullDriver
from mochac.tools.fuzzing.drawer import Drawer
from mochac.training.loop import breaks

SGD = NETS["tiny"][1]


@pytest.fixture(autouse=True)
def _any_number_of_steps_a_call(monkeypatch):
    """As many as there are left, however slow the machine is: which graphs are captured depends on nothing else."""
    monkeypatch.setattr(breaks, "CALL_S", 1e9)


def works(seed, n=40):
    """Launches that read and write random pieces of 64 places."""
    rng = random.Random(seed)

    def span():
        return Span(64 * rng.randrange(64), 64 * rng.choice((1, 1, 2, 5)))

    found = []
    for k in range(n):
        touched = tuple(span() for _ in range(rng.randint(1, 4)))
        found.append(Work(f"w{k}", touched, touched[: rng.randint(0, 2)], rng.choice((2e-6, 9e-6))))
    return found


def meet(some, others):
    return any(a.address < b.address + b.n_bytes and b.address < a.address + a.n_bytes for a in some for b in others)


def conflicts(found):
    """Pairs of launches, one of which writes what the other touches."""
    return [
        (j, k)
        for k in range(len(found))
        for j in range(k)
        if meet(found[j].written, found[k].touched) or meet(found[j].touched, found[k].written)
    ]


def before(how: Branches):
    """What comes before each launch by its stream and its waits."""
    last, made = {}, []
    for k, home in enumerate(how.stream):
        direct = {*how.waits[k], *([last[home]] if home in last else [])}
        made.append(set().union(direct, *(made[j] for j in direct)))
        last[home] = k
    return made


@pytest.mark.parametrize("streams", [1, 2, 4, 32])
@pytest.mark.parametrize("seed", range(4))
def test_streams_and_waits_keep_the_order_of_the_data(streams, seed):
    print("seed", seed)
    found = works(seed)
    how = branched(found, streams)
    made = before(how)
    assert all(j in made[k] for j, k in conflicts(found))
    assert how.streams <= streams and how.stream[0] == 0 and {how.stream[k] for k in how.path} == {0}
    for k, waits in enumerate(how.waits):
        for j in waits:  # none is implied by the rest
            others = set().union(*(made[i] | {i} for i in waits if i != j))
            mine = [i for i in range(k) if how.stream[i] == how.stream[k]]
            assert j not in others | set(mine) | (made[mine[-1]] if mine else set())


def test_a_launch_that_names_no_outputs_is_taken_to_write_all():
    class Launch:
        kernel, symbol, grid, flops, moved_bytes, trips, writes = "k", "k", 1, 0, 0, 1, 0

    args = (Span(0, 4), Span(256, 4))
    assert branches.work_of(Launch, args, 132).written == args  # type: ignore[reportArgumentType]


def test_side_by_side_only_what_is_independent():
    a, b, c = Span(0, 64), Span(256, 64), Span(512, 64)
    chain = [Work("in", (a,), (a,)), Work("left", (a, b), (b,), 9e-6), Work("right", (a, c), (c,))]
    join = Work("join", (b, c), ())
    how = branched([*chain, join], 4)
    assert how == Branches((0, 0, 1, 0), ((), (), (0,), (2,)), (0, 1, 3))
    assert branched(chain, 1).waits == ((), (), ())


def captures(monkeypatch, name, steps=6, libraries=()):
    monkeypatch.setattr(launcher, "SETTLED", 2)
    driver = Watching()
    driver.libraries = libraries
    use_device(monkeypatch, driver)
    net, method = NETS[name]
    with mochac.compile(net(), backend="cuda") as program:
        program.train(method, max_iter=steps)
    return driver


@pytest.mark.slow
def test_a_captured_step_has_branches_and_no_race(monkeypatch):
    driver = captures(monkeypatch, "tiny", steps=30)
    one, several = driver.captured
    assert (len(several.nodes) / len(one.nodes)).is_integer() and len(several.nodes) > len(one.nodes)
    for graph in (one, several):
        assert graph.joined and races(graph, written(driver)) == []
    assert driver.launched.count("mochac_step_end") == 30
    begins = [node.args for node in several.nodes if node.function.startswith("mochac_step_begin")]
    assert begins[-1] == begins[-3] == one.nodes[0].args != begins[-2] == begins[0]  # where a run leaves its last batch


@pytest.mark.slow
def test_explain_foretells_the_graph(monkeypatch):
    driver = captures(monkeypatch, "tiny")
    with mochac.compile(tiny(), backend="cuda") as program:
        text = program.explain()
    lines = text[text.index("Graph of a step") :].split("\n\n")[0].splitlines()[1:]
    node = driver.captured[0].nodes
    launched = [line.split()[0].strip("()").replace("+", "_").replace(".", "_") for line in lines]
    assert len(launched) == len(node) and lines[0].split()[:3] == ["(a", "step", "begins)"]
    for name, launch in zip(launched[1:-1], node[1:-1], strict=True):
        assert re.fullmatch(rf"mochac_{name}(_[0-9a-f]{{8}})?", launch.function)
    sides = [k for k, line in enumerate(lines) if line.startswith("    ")]
    assert sides and text.count("concurrently") == 1
    after = next(line for line in lines if line.startswith("    end.reduce_sum"))
    assert after.split()[-1] == "end.softmax_loss"


@pytest.mark.slow
@pytest.mark.parametrize("name", NETS)
def test_no_race_in_any_net(monkeypatch, name):
    driver = captures(monkeypatch, name, steps=40)
    assert len(driver.captured) > 1
    for graph in driver.captured:
        assert races(graph, written(driver)) == []


@pytest.mark.slow
def test_calls_of_libraries_side_by_side_share_no_workspace(monkeypatch):
    monkeypatch.setattr(choose_library, "MIN_FLOPS", 0)
    monkeypatch.setenv("MOCHAC_CUDA_TIME_CALLS", "0")
    driver = captures(monkeypatch, "images", libraries=("cublas", "cudnn"))
    assert driver.counts["calls"]
    for graph in driver.captured:
        assert races(graph, written(driver)) == []
    of = launcher.Workspaces.of
    monkeypatch.setattr(launcher.Workspaces, "of", lambda self, stream: of(self, 0))
    driver = captures(monkeypatch, "images", libraries=("cublas", "cudnn"))
    assert all(races(graph, written(driver)) for graph in driver.captured)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_no_race_in_random_nets(monkeypatch, seed):
    monkeypatch.setattr(launcher, "SETTLED", 2)
    monkeypatch.setattr(launcher, "MOST_STEPS", 4)
    driver = Watching()
    use_device(monkeypatch, driver)
    case = Drawer(seed).draw(12)
    print(case.net)
    with mochac.compile(case.net, backend="cuda") as program:
        program.freeze(*case.frozen)
        program.train(case.solver)
    assert driver.captured
    assert all(races(graph, written(driver)) == [] for graph in driver.captured)


@pytest.mark.parametrize("seed", range(3))
def test_every_wait_that_is_dropped_is_seen(seed):
    print("seed", seed)
    found = works(seed, 25)
    how = branched(found, 4)
    assert sum(map(len, how.waits)) > 10
    assert captured(found, how) == []
    for k, waits in enumerate(how.waits):
        for j in waits:
            fewer = replace(how, waits=(*how.waits[:k], tuple(i for i in waits if i != j), *how.waits[k + 1 :]))
            first_of_its_stream = how.stream[k] not in how.stream[:k]
            if waits == (j,) and first_of_its_stream:  # which has not joined the capture then
                with pytest.raises(DeviceError, match="outside of the capture"):
                    captured(found, fewer)
            else:
                assert (j, k) in captured(found, fewer)


def captured(found, how):
    """Races of launches that NullDriver captured so."""
    driver = NullDriver()
    with driver.current():
        driver.alloc(1 << 20)
        base = min(driver.live)
        streams = [driver.stream() for _ in range(how.streams)]

        def launch(k, stream):
            args = [Span(base + span.address, span.n_bytes) for span in found[k].touched]
            driver.launch(k, 1, 1, 0, args, streams[stream])

        graph = launcher.captured(driver, streams, how, launch)
    n_written = {k: len(work.written) for k, work in enumerate(found)}
    return races(graph, lambda node: node.args[: n_written[node.function]])


def test_a_fork_that_does_not_join_is_refused():
    driver = NullDriver()
    one, other, event = driver.stream(), driver.stream(), driver.event(timed=False)
    with driver.current():
        driver.begin_capture(one)
        driver.launch("a", 1, 1, 0, [], one)
        driver.record(event, one)
        driver.stream_waits(other, event)
        driver.launch("b", 1, 1, 0, [], other)
        with pytest.raises(DeviceError, match="not joined"):
            driver.end_capture(one)
        driver.launch("c", 1, 1, 0, [], other)
    assert driver.launched == ["c"]


def test_a_capture_that_fails_leaves_the_stream_usable(monkeypatch):
    driver = NullDriver()
    streams = [driver.stream(), driver.stream()]

    def launch(k, stream):
        raise DeviceError("refused")

    with driver.current():
        with pytest.raises(DeviceError, match="refused"):
            launcher.captured(driver, streams, branched(works(0), 2), launch)
        driver.launch("a", 1, 1, 0, [], streams[0])
    assert driver.launched == ["a"]


@pytest.mark.slow
def test_graphs_of_several_steps_take_what_a_run_leaves_them(monkeypatch):
    monkeypatch.setattr(launcher, "SETTLED", 4)
    monkeypatch.setattr(launcher, "MOST_STEPS", 4)
    driver = NullDriver()
    use_device(monkeypatch, driver)
    with mochac.compile(tiny(), backend="cuda") as program:
        trainer = mochac.Solver(SGD, max_iter=23)
        trainer.solve(program)
    assert driver.launched.count("mochac_step_end") == 23  # 1 watched, 3 by themselves, 4 times 4, 3 by themselves
    assert (driver.counts["captures"], driver.counts["replays"]) == (2, 10)


@needs_gxx
@pytest.mark.slow
@pytest.mark.parametrize("name", ["tiny", "mlp"])
def test_any_order_that_the_graph_allows_gives_the_same_bits(monkeypatch, name):
    monkeypatch.setattr(launcher, "SETTLED", 3)
    monkeypatch.setattr(launcher, "MOST_STEPS", 2)
    bits = [trained(monkeypatch, name, pick) for pick in (None, min, max, random.Random(1).choice)]
    assert all(found == bits[0] for found in bits)


def trained(monkeypatch, name, pick):
    """Bits of all parameters after some steps; `pick` None: launches follow each other."""
    monkeypatch.setenv("MOCHAC_CUDA_STREAMS", "1" if pick is None else "4")
    driver = EmulatedDriver()
    driver.pick = pick or min
    use_device(monkeypatch, driver)
    net, method = NETS[name]
    with mochac.compile(net(), backend="cuda") as program:
        program.train(method, max_iter=8)
        return [np.asarray(p[...]).tobytes() for group in program.params.values() for p in group.values()]


@pytest.mark.gpu
@pytest.mark.parametrize("name", ["tiny", "mlp"])
def test_a_device_gives_the_same_bits_with_any_number_of_streams(monkeypatch, name):
    monkeypatch.setattr(launcher, "SETTLED", 5)
    found = []
    for streams in ("1", "2", "4", "16"):
        monkeypatch.setenv("MOCHAC_CUDA_STREAMS", streams)
        net, method = NETS[name]
        with mochac.compile(net(), backend="cuda") as program:
            program.train(method, max_iter=40)
            found.append([np.asarray(p[...]).tobytes() for group in program.params.values() for p in group.values()])
    assert all(bits == found[0] for bits in found)
