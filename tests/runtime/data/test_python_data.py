"""PythonDataLayer: every form of data gives what MemoryDataLayer gives; epochs, resuming, failures, interrupts."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import threading
import time

import numpy as np
import pytest
from patience import HANG_S

import mochac
from mochac import (
    SGD,
    AccuracyLayer,
    DataError,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    OptionError,
    PythonDataLayer,
    ShapeError,
    Snapshot,
    SoftmaxLossLayer,
    Solver,
)
from mochac.nets import trainable

N, BATCH = 21, 4
X = np.random.default_rng(5).normal(size=(N, 3)).astype(np.float32)
Y = np.arange(N) % 2
TOLD = "test_python_data.py:"


def workers_left():
    """Processes of data layers; other tests may leave those of PyTorch's loaders."""
    return [process for process in multiprocessing.active_children() if process.name == "mochac-worker"]


class Samples:
    """A data set; `broken` and `other` samples are not like the rest."""

    def __init__(self, n=N, broken=(), other=None):
        self.n, self.broken, self.other = n, broken, other or {}

    def __len__(self):
        return self.n

    def __getitem__(self, k):
        if k in self.broken:
            raise ValueError(f"cannot read line {k}")
        return self.other.get(k) or (X[k % N], Y[k % N])


class Stream:
    """Can be iterated over again and again, and has no numbers."""

    def __iter__(self):
        return zip(X, Y, strict=True)


class DataLoader(Stream):
    """What is asked of PyTorch's."""

    batch_sampler = object()

    def __iter__(self):
        return ([X[k : k + 6], Y[k : k + 6]] for k in range(0, N, 6))


DataLoader.__module__ = "torch.utils.data.dataloader"


def generated():
    yield from zip(X, Y, strict=True)


def in_batches():
    for start, stop in itertools.pairwise((0, 5, 5, 6, 17, N)):
        yield X[start:stop], Y[start:stop]


def as_dicts(epoch):
    return ({"label": y, "data": x.tolist(), "name": "more"} for x, y in zip(X, Y, strict=True))


def net(data):
    ip = InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])
    loss = SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])
    return Net("net", [data, ip, loss, AccuracyLayer(name="accuracy", bottoms=["ip", "label"])])


def made(make, **fields):
    return net(PythonDataLayer(**{"name": "in", "make": make, "batch_size": BATCH, **fields}))


def in_memory(**fields):
    return net(MemoryDataLayer(name="in", data=[X, Y], batch_size=BATCH, **fields))


def trained(one, **limits):
    with mochac.compile(one, threads=1) as program:
        lounge = program.train(SGD(0.1), verbose=0, **limits)
        weights = [program.params["ip"][p][...].tobytes() for p in ("weight", "bias")]
        return weights, max(lounge.statistics["obj_val"]), program.evaluate()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "fields"),
    [
        (Samples(), {}),
        (Samples(), {"workers": 1}),
        (Samples(), {"workers": 3}),
        (Samples(), {"shapes": {"data": (3,), "label": ()}}),
        (list(zip(X, Y, strict=True)), {}),
        (generated, {}),
        (generated, {"shapes": {"data": 3, "label": 1}}),
        (lambda: Samples(), {}),
        (in_batches, {"batched": True}),
        ([(X[:20], Y[:20]), (X[20:], Y[20:])], {"batched": True}),
        (as_dicts, {}),
        (Stream(), {}),
        (DataLoader(), {}),
        (lambda: DataLoader(), {}),
    ],
)
def test_every_form_gives_the_bits_of_arrays(make, fields):
    assert trained(made(make, **fields), max_epoch=3) == trained(in_memory(), max_epoch=3)
    assert not workers_left()


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
def test_data_sets_are_shuffled_as_arrays_are(workers):
    assert trained(made(Samples(), shuffle=True, workers=workers), max_iter=13) == trained(
        in_memory(shuffle=True), max_iter=13
    )


def test_one_top_and_samples_that_are_read_once():
    """The sample that gives the shapes is not lost."""
    numbers = iter(range(100))
    data = PythonDataLayer(make=lambda: numbers, batch_size=3, tops=["x"])
    with mochac.compile(Net("one", [data, InnerProductLayer(name="ip", output_dim=1, bottoms=["x"])])) as program:
        seen = []
        for _ in range(3):
            program.forward()
            seen += program.blobs["x"].ravel().tolist()
    assert seen == list(range(9))


def test_epochs_of_different_lengths():
    """The epoch ends with its last sample, however many it has."""

    def more_and_more(epoch):
        return ((X[k], Y[k]) for k in range(3 + epoch))

    with mochac.compile(made(more_and_more)) as program:
        feed, epochs = program.session.batches.feed, []
        for _ in range(6):
            program.forward()
            epochs.append((feed.epoch, feed.cursor()["in"]["position"]))
    assert epochs == [(1, 1), (2, 1), (3, 0), (3, 4), (4, 2), (4, 6)]


def test_fewer_samples_than_a_batch():
    data = {"shapes": {"data": 3, "label": 1}}
    assert trained(made(Samples(2)), max_iter=3) == trained(
        net(MemoryDataLayer(name="in", data=[X[:2], Y[:2]], batch_size=BATCH)), max_iter=3
    )
    with mochac.compile(made(lambda: Samples(2), **data)) as program:
        program.forward()
        assert np.array_equal(program.blobs["data"], X[[0, 1, 0, 1]])
        assert program.evaluate()["loss"] > 0


def test_fewer_samples_of_an_iterator_are_told_when_they_end(caplog):
    with mochac.compile(made(lambda: Samples(2), name="few")) as program:
        program.evaluate()
        assert not caplog.records  # a single pass repeats none
        program.train(SGD(), max_iter=3, verbose=0)
    assert [r.getMessage() for r in caplog.records] == [
        "data layer 'few': batch_size 4 is larger than its 2 samples: every training batch holds some of them several "
        "times"
    ]


def test_an_evaluation_that_may_have_no_end_is_told(caplog, monkeypatch):
    monkeypatch.setattr("mochac.runtime.data.python.LONG_PASS", 10)
    with mochac.compile(made(lambda: Samples(), name="long")) as program:
        program.train(SGD(), max_iter=3, verbose=0)
        assert not caplog.records
        assert program.evaluate()["loss"] > 0
    assert [r.getMessage() for r in caplog.records] == [
        "data layer 'long': an evaluation has read 10 samples of an iterator so far; "
        "if it has no end, the evaluation has none"
    ]


def test_without_end():
    def forever():
        for k in itertools.count():
            yield X[k % N], Y[k % N]

    with mochac.compile(made(forever)) as program:
        program.train(SGD(0.1), max_iter=30, verbose=0)
        assert program.session.batches.position.epoch == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "fields"), [(Samples(), {"shuffle": True, "workers": 2}), (Samples(), {"shuffle": True}), (generated, {})]
)
def test_resumed_in_the_middle_of_an_epoch(tmp_path, make, fields):
    """At the very sample, bit for bit; batches read ahead are no matter."""

    def run(folder, stop):
        solver = Solver(SGD(0.1, momentum=0.9), max_iter=stop, load_from=str(folder))
        solver.add_coffee_break(Snapshot(str(folder)), every_n_iter=7)
        with mochac.compile(made(make, **fields)) as program:
            program.train(solver, verbose=0)
            return program.params["ip"]["weight"][...].tobytes(), program.session.batches.position.cursor()

    whole = run(tmp_path / "whole", 21)
    run(tmp_path / "parts", 7)
    assert run(tmp_path / "parts", 21) == whole


@pytest.mark.slow
def test_random_numbers_of_the_users_code_depend_on_the_sample():
    class Noisy(Samples):
        def __getitem__(self, k):
            return np.random.normal(size=3), Y[k]

    assert trained(made(Noisy(), workers=1), max_iter=9)[0] == trained(made(Noisy(), workers=3), max_iter=9)[0]


# --- what can go wrong ---------------------------------------------------------------------------------


def message(one, steps=9):
    with mochac.compile(one, threads=1) as program, pytest.raises(DataError) as caught:
        program.train(SGD(0.1), max_iter=steps, verbose=0)
    assert TOLD in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("fields", [{}, {"workers": 2}])
def test_a_sample_that_fails(fields):
    text = message(made(Samples(broken=(9, 10, 17)), **fields))
    assert "layer 'in' (PythonData): sample 9 could not be read\n  got  ValueError: cannot read line 9\n" in text
    assert "in __getitem__\n" in text
    assert 'raise ValueError(f"cannot read line {k}")' in text
    assert "runtime/data" not in text.replace("tests/runtime/data", "")


def test_an_iterator_that_fails_after_good_batches():
    """The batches before it are used; the next training begins its epoch again where it stood."""
    broken = [True]

    def failing():
        for k in range(N):
            if k == 9 and broken[0]:
                raise OSError("connection lost")
            yield X[k], Y[k]

    with mochac.compile(made(failing)) as program:
        with pytest.raises(DataError, match=r"sample 9 of epoch 0 could not be read\n  got  OSError: connection lost"):
            program.train(SGD(0.1), max_iter=9, verbose=0)
        assert program.session.batches.position.cursor()["in"]["position"] == 8
        broken[0] = False
        program.forward()
        assert np.array_equal(program.blobs["data"], X[8:12])


@pytest.mark.parametrize("kind", [Samples, lambda **kw: lambda: (Samples(**kw)[k] for k in range(N))])
@pytest.mark.parametrize(
    ("other", "told"),
    [
        ((X[3, :2], 0), "'data' has another shape\n  expected  (3,),  got  (2,)"),
        ((X[3], "cat"), "'label' is not an array of numbers\n  got  'cat'\n  hint: class indices are numbers"),
        ((X[3], None), "'label' is not an array of numbers"),
        ((X[3],), "it does not have a part for each top\n  expected  a tuple (data, label)"),
        ({"data": X[3]}, "it has no 'label'\n  expected  data label,  got  data"),
        (([[1, 2], [3]], 0), "'data' is not an array of numbers"),
        ((X[3] * np.nan, 0), "data holds NaN"),
        ((X[3], 7), "label out of range"),
    ],
)
def test_a_sample_unlike_the_others(kind, other, told):
    text = message(made(kind(other={9: other})))
    assert told in text
    assert "sample 9" in text


def test_batches_that_are_none():
    with pytest.raises(DataError, match="a number, not a batch"):
        made(lambda: iter([(1, 2)]), batched=True)
    with pytest.raises(DataError, match=r"differ in their number of samples\n  got  'data': 2, 'label': 3"):
        made(lambda: iter([(X[:2], Y[:3])]), batched=True)


def test_batches_that_were_not_told_of():
    def batches():
        yield X[:5], Y[:5]

    data = PythonDataLayer(make=batches, batch_size=10)
    ip = InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])
    with pytest.raises(ShapeError, match="labels must be one class index per position") as caught:
        Net("n", [data, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])
    assert "  hint: if each item is a batch of 5 samples: PythonDataLayer(batched=True, ...)" in str(caught.value)
    assert not trainable.hint(data, [(5, 3), (4,)]) and not trainable.hint(data, [(1,), (1,)])
    assert not trainable.hint(data.replace(batched=True), [(5, 3), (5,)])


@pytest.mark.parametrize("empty", [Samples(0), lambda: iter([]), lambda: Samples(0)])
def test_no_samples(empty):
    with pytest.raises(DataError, match="there are no samples"):
        made(empty)


def test_an_iterable_that_is_not_fresh():
    once = iter(list(zip(X, Y, strict=True)))
    assert "there are no samples in epoch 1\n  hint: make is called once for each epoch" in message(made(lambda: once))


def test_no_iterable():
    with pytest.raises(DataError, match=r"it returned None, which cannot be iterated over; write `yield`"):
        made(lambda: None)


@pytest.mark.parametrize(
    ("make", "fields", "told"),
    [
        (generated(), {}, "it can be read only once; give the function that makes it"),
        (X, {}, r"MemoryDataLayer\(data=\[X, y\]"),
        ("train/", {}, "ImageFolderLayer"),
        (lambda x, y: None, {}, r"it needs \(x, y\)"),
        (generated, {"shuffle": True}, "cannot shuffle samples that have no numbers"),
        (generated, {"workers": 2}, "workers share the samples of a data set"),
        (DataLoader(), {"workers": 2}, "num_workers"),
    ],
)
def test_fields_that_do_not_fit(make, fields, told):
    with pytest.raises(OptionError, match=told):
        made(make, **fields)


def test_evaluation_of_data_layers_of_different_lengths():
    left = PythonDataLayer(name="left", make=lambda: Samples(8), batch_size=4)
    right = PythonDataLayer(name="right", make=lambda: Samples(9), batch_size=4, tops=["x", "y"])
    layers = net(left).layers[1:]
    with (
        mochac.compile(Net("two", [left, right, *layers])) as program,
        pytest.raises(DataError, match="differ in their number of samples"),
    ):
        program.evaluate()


class Slow(Samples):
    """Never gives sample 9, or what kills its process."""

    def __init__(self, kill=False):
        super().__init__()
        self.kill = kill

    def __getitem__(self, k):
        if k == 9:
            if self.kill:
                os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(HANG_S)
        return super().__getitem__(k)


class CtrlC:
    """Comes shortly after the first iteration, when the training waits for the next batch."""

    def enjoy(self, lounge, program, state):
        if state.iter == 1:
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()


@pytest.mark.slow
def test_a_worker_that_is_killed():
    text = message(made(Slow(kill=True), workers=2))
    assert "a worker process has ended\n  got  signal SIGKILL" in text
    assert not workers_left()


@pytest.mark.slow
@pytest.mark.parametrize(("make", "workers"), [(Slow(), 0), (Slow(), 2), (lambda: (Slow()[k] for k in range(N)), 0)])
def test_ctrl_c_while_a_sample_takes_forever(make, workers):
    """The training ends as after any Ctrl-C, and nobody waits for the sample, however it is read."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with mochac.compile(made(make, workers=workers)) as program:
            program.forward()
            solver = Solver(SGD(0.1), max_iter=100)
            solver.add_coffee_break(CtrlC(), every_n_iter=1)
            begin = time.perf_counter()
            lounge = program.train(solver, verbose=0)
            assert lounge.interrupted
            assert max(lounge.statistics["obj_val"]) == 1  # samples 4 to 7
        assert time.perf_counter() - begin < HANG_S, "the sample was waited for"
    finally:
        signal.signal(signal.SIGINT, handler)
    assert not workers_left()


def test_a_generator_that_runs_out_inside_is_shown_with_its_line():
    def samples():
        yield X[0], 0
        yield X[1], next(iter([]))

    text = message(made(samples))
    assert "generator raised StopIteration" in text and "next(iter([]))" in text


def test_an_array_of_another_kind_is_shown_with_its_dtype():
    with pytest.raises(DataError, match=r"got  ndarray of complex64, shape \(3,\)"):
        made([(X[0] * 1j, 0)] * 4)


def test_the_end_of_a_long_message_is_shown():
    def samples():
        yield X[0], 0
        raise ValueError("\n".join(f"line {k}" for k in range(40)))

    text = message(made(samples))
    assert "ValueError: line 0\n" in text and "line 39" in text and "line 20\n" not in text
