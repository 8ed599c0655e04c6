"""`mochac fuzz`: nets and their twins agree; a wrong compiler, a crash and a hang are found, and shrunk to a script."""

import faulthandler
import os
import re
import signal
import subprocess
import sys
import threading
from functools import partial
from multiprocessing import active_children
from subprocess import PIPE

import numpy as np
import pytest
from patience import until

import mochac
from mochac import BinaryCrossEntropyLossLayer, ConvolutionLayer, Pooling, PoolingLayer
from mochac.__main__ import main
from mochac.ir.ops import mean_pool
from mochac.nets.trace import trace
from mochac.tools.cli import fuzz
from mochac.tools.fuzzing import children
from mochac.tools.fuzzing import twins as twins_module
from mochac.tools.fuzzing.blocks import DRAWERS, ShortDrawer, drawn, twins_of
from mochac.tools.fuzzing.children import Task, compared, verdicts
from mochac.tools.fuzzing.outcome import Way, outcome
from mochac.tools.fuzzing.rewriting import rewritten
from mochac.tools.fuzzing.twins import TWINS, Mismatch, NotComparable, Trial
from mochac.tools.fuzzing.verdicts import AGREE, CRASH, DIFFER, ERROR, HANG, NONE, Verdict, script, shrunk


@pytest.mark.slow
def test_a_seed_draws_the_same_case_and_twins():
    for seed in range(4):
        assert str(drawn(seed).net) == str(drawn(seed).net)
        assert twins_of(seed, 3) == twins_of(seed, 3)
        assert twins_of(seed, 3)[0] == "interpreted"
    assert {name for seed in range(400) for name in twins_of(seed, 3)} == {*TWINS}


@pytest.mark.slow
@pytest.mark.parametrize("first", [DRAWERS.index(drawer) for drawer in dict.fromkeys(DRAWERS)])
def test_nets_written_otherwise(first):
    """They have the same parameters and blobs, and other layers."""
    changed = 0
    for seed in range(first, 10 * len(DRAWERS), len(DRAWERS)):
        net = drawn(seed).net
        other = rewritten(net, seed)
        assert {(p.key, p.name, p.shape) for p in net.params} == {(p.key, p.name, p.shape) for p in other.params}
        assert all(other.blobs[blob] == kind for blob, kind in net.blobs.items())
        changed += len(trace(other).graph.nodes) != len(trace(net).graph.nodes)
    assert changed > 4


@pytest.mark.slow
def test_nets_agree_with_their_twins(capfd):
    assert main(["fuzz", "--seed", "0", "--nets", "4"]) == 0
    assert "4 nets" in capfd.readouterr().out


@pytest.mark.slow
def test_a_library_is_for_the_cpu_of_the_environment(monkeypatch):
    """MOCHAC_CPU is that of both, and each CPU rounds in its own way."""
    case, found = drawn(1), []
    for cpu in ("x86-64", "haswell"):
        monkeypatch.setenv("MOCHAC_CPU", cpu)
        found.append(outcome(case, Way(by="step")).parameters)
        assert verdicts(case, ["library"])["library"].kind == AGREE
    assert any((found[0][name] != found[1][name]).any() for name in found[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in TWINS if name != "tuned"])
def test_every_twin(name):
    """The first small net for which there is one."""
    small = (case for case in map(drawn, range(1, 400, 2)) if len(case.net.layers) < 6 and not case.frozen)
    found = next(v for case in small if (v := verdicts(case, [name])[name]).kind != NONE)
    assert found.kind == AGREE, found


@pytest.mark.soak
@pytest.mark.parametrize("first", range(20000, 20500, 10))
def test_many_nets_agree_with_their_twins(first):
    assert main(["fuzz", "--seed", str(first), "--nets", "10"]) == 0


@pytest.mark.slow
def test_probabilities_of_a_cross_entropy_are_not_close_to_1():
    """Whatever the data: 1 - p would amplify the rounding of p, which twins would take for a fault."""
    drawer = ShortDrawer(1)
    drawer.batch, drawer.samples, drawer.blobs["data"] = 4, 8, (5,)
    drawer.arrays["data"] = 1000 * np.random.default_rng(1).standard_normal((8, 5))
    for k in range(6):
        drawer.bce(k, "data")
    losses = [x for x in drawer.layers if isinstance(x, BinaryCrossEntropyLossLayer)]
    probabilities = [x.bottoms[0] for x in losses if not x.logits]
    assert 0 < len(probabilities) < len(losses)
    with mochac.compile(mochac.Net("cross_entropies", [drawer.data(), *drawer.layers]), backend="cpu") as program:
        program.forward()
        assert max(program.blobs[blob].max() for blob in probabilities) < 0.99


# -- what is found when something is wrong ---------------------------------------------------------------------------


def crash(trial):
    faulthandler.disable()
    os.kill(os.getpid(), signal.SIGSEGV)


def hang(trial):
    signal.pause()


def differ(trial):
    raise Mismatch("losses: 1 apart")


def raises(trial):
    raise mochac.InternalError("a fault")


def nothing(trial):
    raise NotComparable("nothing to compare")


def agree(trial):
    pass


@pytest.mark.slow
@pytest.mark.parametrize(
    ("compare", "kind", "text"),
    [
        (crash, CRASH, "SIGSEGV"),
        (hang, HANG, "no result"),
        (differ, DIFFER, "losses: 1 apart"),
        (raises, ERROR, "InternalError: a fault"),
        (nothing, NONE, "nothing to compare"),
        (agree, AGREE, ""),
    ],
)
def test_verdicts(compare, kind, text, monkeypatch):
    """What follows a crash is not tried."""
    monkeypatch.setitem(TWINS, "wrong", compare)
    monkeypatch.setitem(TWINS, "behind", agree)
    if compare is hang:
        monkeypatch.setattr(children, "LIMIT_S", 0)
    found = verdicts(drawn(1), ["wrong", "behind"])
    assert found["wrong"].kind == kind
    assert text in found["wrong"].text
    assert ("behind" in found) == (kind not in (CRASH, HANG))


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 3])
def test_nets_behind_one_that_crashes_are_compared(jobs, monkeypatch):
    monkeypatch.setitem(TWINS, "wrong", lambda trial: (crash if trial.number == 3 else agree)(trial))
    monkeypatch.setattr(children, "LIFE", 2)
    tasks = [Task(partial(drawn, seed), ["wrong"]) for seed in range(1, 8)]
    found = {task.draw.args[0]: verdicts["wrong"].kind for task, verdicts in compared(tasks, jobs)}
    assert found == {seed: CRASH if seed == 3 else AGREE for seed in range(1, 8)}


@pytest.mark.slow
def test_a_crash_between_two_nets_is_the_next_one_s(monkeypatch):
    def crash_late(trial):
        threading.Timer(0.2, crash, [trial]).start()

    monkeypatch.setitem(TWINS, "late", crash_late)
    results = compared([Task(partial(drawn, seed), ["late"]) for seed in (1, 3)])
    assert next(results)[1]["late"].kind == AGREE
    until(lambda: not active_children())
    assert next(results)[1]["late"].text == "SIGSEGV"


def test_no_net_is_begun_when_the_time_is_over():
    assert [*compared([Task(partial(drawn, 1), ["step"])], seconds=-1)] == []


def test_what_was_compared_until_an_interruption_is_printed(capsys, monkeypatch):
    def until_two(tasks, jobs, seconds):
        for task in tasks[:2]:
            yield task, {"rewritten": Verdict(AGREE)}
        raise KeyboardInterrupt

    monkeypatch.setattr(fuzz, "compared", until_two)
    assert main(["fuzz", "--nets", "9"]) == 130
    assert "2 nets" in capsys.readouterr().out


STOPPED = """
import signal, sys
from mochac.__main__ import main
from mochac.tools.cli import fuzz
from mochac.tools.fuzzing import children
from mochac.tools.fuzzing.twins import TWINS

def reported(*arguments):
    for found in children.compared(*arguments):
        yield found
        print("compared", flush=True)

TWINS["hang"] = lambda trial: trial.number % 5 == 4 and signal.pause()
fuzz.compared = reported
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main(["fuzz", "--nets", "100", "--jobs", "2", "--twins", "hang"]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_to_all_processes_ends_them_with_a_table(number, status):
    """Of seven nets: then both children hang."""
    command = [sys.executable, "-c", STOPPED]
    with subprocess.Popen(command, stdout=PIPE, text=True, start_new_session=True) as process:
        said = [process.stdout.readline() for _ in range(7)]
        os.killpg(process.pid, number)
        rest = process.stdout.read()
    assert process.returncode == status
    assert said == ["compared\n"] * 7
    assert re.fullmatch(r" +7 nets .*\n  all +7 +0 +0\n  hang +7 +0 +0\n", rest)
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_unknown_twins_are_refused(capsys):
    with pytest.raises(SystemExit):
        main(["fuzz", "--twins", "sibling"])
    assert "no twin is called 'sibling'; there are rewritten, permuted" in capsys.readouterr().err


@pytest.mark.slow
def test_a_case_is_shrunk_to_what_matters():
    """A fault of mean pooling over more than one cell keeps the pooling, its field, and little else."""

    def fails(case):
        return any(
            isinstance(x, PoolingLayer) and x.pooling == Pooling.Mean() and x.kernel not in (1, (1,), (1, 1), (1, 1, 1))
            for x in case.net.layers
        )

    case = next(c for c in map(drawn, range(300)) if fails(c) and len(c.net.layers) > 5)
    small = shrunk(case, fails, lambda what: None)
    assert fails(small)
    assert len(small.net.layers) <= 4
    assert (small.batch, small.steps) == (1, 1)
    assert not any(isinstance(x, ConvolutionLayer) for x in small.net.layers)


@pytest.mark.slow
def test_a_wrong_compiler_is_found_and_its_script_reproduces_it(monkeypatch, capfd):
    """Code that divides means by one too many, while the interpreter does not."""
    right = mean_pool.divide_by_count

    def wrong(k, pool, divisor, total, dtype, window):
        return k.call("mul", right(k, pool, divisor, total, dtype, window), k.const(1.25, dtype))

    monkeypatch.setattr(mean_pool, "divide_by_count", wrong)
    monkeypatch.setenv("MOCHAC_CACHE", "0")
    pooled = (s for s in range(300) if "mean_pool" in str(trace(drawn(s).net).graph))  # which some do not read
    judged = ((s, verdicts(drawn(s), ["interpreted"])["interpreted"]) for s in pooled)
    seed, found = next((s, verdict) for s, verdict in judged if verdict.kind == DIFFER)
    small = shrunk(drawn(seed), lambda case: verdicts(case, ["interpreted"])["interpreted"].like(found), print)
    text = script(small, "interpreted")
    print(text)
    assert len(text.splitlines()) <= 16
    with pytest.raises(Mismatch):
        exec(text, {})
    monkeypatch.setattr(mean_pool, "divide_by_count", right)
    exec(text, {})


@pytest.mark.slow
def test_a_wrong_rewriting_differs(monkeypatch):
    """The twin of another function does not agree."""
    way = twins_module.rewritten
    monkeypatch.setattr(twins_module, "rewritten", lambda net, seed: _louder(way(net, seed)))
    with pytest.raises(Mismatch, match="losses"):
        TWINS["rewritten"](Trial(drawn(3)))


def _louder(net):
    layers = [x.replace(weight=2 * x.weight) if x.is_loss else x for x in net.layers]
    return mochac.Net(net.name, layers)


def test_scripts_hold_arrays_that_no_generator_draws():
    case = drawn(1)
    arrays = {top: np.full_like(a, 0.1234) for top, a in case.arrays.items()}
    text = script(twins_module.with_samples(case, {top: a[:2] for top, a in arrays.items()}, 1), "threads")
    assert "np.full(" in text or "np.array(" in text
