"""TensorBoard: records that others read, and what a training writes."""

import struct

import pytest
from tiny_net import tiny

import mochac
from mochac import SGD, ParameterNorms, Solver, TensorBoard, TrainingSummary
from mochac.base.files.event_file import EventFile, crc32c, masked, record


def _records(path):
    """The records of a file, checked."""
    data, found = path.read_bytes(), []
    while data:
        (n,) = struct.unpack("<Q", data[:8])
        assert struct.unpack("<I", data[8:12])[0] == masked(data[:8])
        assert struct.unpack("<I", data[12 + n : 16 + n])[0] == masked(data[12 : 12 + n])
        found.append(data[12 : 12 + n])
        data = data[16 + n :]
    return found


@pytest.mark.parametrize(
    ("data", "crc"),
    [(bytes(32), 0x8A9136AA), (b"\xff" * 32, 0x62A8AB43), (bytes(range(32)), 0x46DD794E), (b"", 0)],
)
def test_checksums_of_rfc_3720(data, crc):
    assert crc32c(data) == crc


def test_a_record_is_length_and_checksums():
    assert record(b"abc")[:8] == struct.pack("<Q", 3) and len(record(b"abc")) == 8 + 4 + 3 + 4


def test_a_file_begins_with_its_version(tmp_path):
    file = EventFile(tmp_path / "new" / "folder")
    file.add(300, {"loss": 0.5})
    file.close()
    first, second = _records(file.path)
    assert first.endswith(b"\x1a\x0dbrain.Event:2")
    assert second[9:] == b"\x10\xac\x02\x2a\x0d\x0a\x0b\x0a\x04loss\x15" + struct.pack("<f", 0.5)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    with mochac.compile(tiny(), threads=1) as program:
        solver = Solver(SGD(0.05, momentum=0.5), max_iter=10)
        solver.add_coffee_break(TrainingSummary(), every_n_iter=5)
        solver.add_coffee_break(ParameterNorms(), every_n_iter=5)
        solver.add_coffee_break(TensorBoard(folder), every_n_iter=5)
        lounge = program.train(solver)
        yield folder, lounge, {n.replace("___", "."): a.copy() for n, a in program.parameters().items()}


@pytest.mark.slow
def test_tensorboardx_reads_it(run):
    pytest.importorskip("tensorboardX")
    from tensorboardX.proto.event_pb2 import Event

    folder, lounge, _ = run
    (path,) = folder.glob("events.out.tfevents.*")
    events = [Event.FromString(data) for data in _records(path)]
    assert events[0].file_version == "brain.Event:2" and [e.step for e in events[1:]] == [0, 5, 10]
    found = {(e.step, v.tag): v.simple_value for e in events for v in e.summary.value}
    assert {tag for _, tag in found} >= {"obj_val", "learning_rate", "momentum", "epoch", "end"}
    for name, series in lounge.statistics.items():
        for iteration, value in series.items():
            assert found[iteration, name] == pytest.approx(value, rel=1e-6)


def test_every_training_has_a_file(tmp_path):
    with mochac.compile(tiny(), threads=1) as program:
        for n in (2, 4):
            solver = Solver(SGD(0.05), max_iter=n)
            solver.add_coffee_break(TensorBoard(tmp_path), every_n_iter=2)
            program.train(solver, resume=n == 4)
    assert len([*tmp_path.iterdir()]) == 2


def test_numbers_beyond_float32(tmp_path):
    file = EventFile(tmp_path)
    file.add(1, {"nan": float("nan"), "inf": float("inf")})
    file.close()
    assert struct.pack("<f", float("inf")) in _records(file.path)[1]


def test_refusals():
    with pytest.raises(mochac.OptionError, match="logdir is out of range"):
        TensorBoard(3)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    with mochac.compile(tiny(), threads=1) as program:
        solver = Solver(SGD(0.05), max_iter=2)
        solver.add_coffee_break(TensorBoard(tmp_path / "file" / "runs"), every_n_iter=1)
        with pytest.raises(mochac.SnapshotError, match="cannot write"):
            program.train(solver)
