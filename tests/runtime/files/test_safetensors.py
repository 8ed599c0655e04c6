"""Models as .safetensors: what the package of that name reads of them and writes, what is refused, damage anywhere."""

import contextlib
import json
import random

import numpy as np
import pytest

import mochac
from mochac.base.errors import SnapshotError
from mochac.base.files.array_files import write_safetensors
from mochac.runtime.data.model_file import load_model, read_model, save_model
from mochac.training.loop.snapshot import is_snapshot

ARRAYS = {
    "ip/1___weight": np.arange(6, dtype=np.float32).reshape(2, 3),
    "ip/1___bias": np.array([1.5, -0.0]),
    "conv___filter": np.full((2, 1, 3, 3), np.float32(0.1)),
    "none___weight": np.zeros((0, 4), np.float32),
    "one___scale": np.array(2.5, np.float32),
}


def packed(header, numbers=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + numbers


def refused(path, content):
    path.write_bytes(content)
    loaded = {name: np.full_like(array, 7) for name, array in ARRAYS.items()}
    with pytest.raises(SnapshotError) as caught:
        load_model(path, loaded)
    assert all((a == 7).all() for a in loaded.values()), "all of them or none"
    return (
        str(caught.value)
        .replace(str(path), "FILE")
        .removeprefix("model file FILE is damaged or not a safetensors file\n  ")
    )


def test_what_is_saved_is_loaded(tmp_path):
    path = tmp_path / "m.safetensors"
    save_model(path, ARRAYS)
    loaded = {name: np.zeros_like(array) for name, array in ARRAYS.items()}
    load_model(path, loaded)
    for name, array in ARRAYS.items():
        assert (loaded[name].tobytes(), read_model(path)[name].tobytes()) == (array.tobytes(), array.tobytes())
    assert not is_snapshot(path)


def test_the_package_safetensors_reads_and_writes_the_same(tmp_path):
    package = pytest.importorskip("safetensors.numpy")
    save_model(tmp_path / "m.safetensors", ARRAYS)
    found = package.load_file(tmp_path / "m.safetensors")
    assert {n: (a.shape, a.tobytes()) for n, a in found.items()} == {
        n: (a.shape, a.tobytes()) for n, a in ARRAYS.items()
    }
    package.save_file(ARRAYS, tmp_path / "theirs.safetensors", metadata={"format": "pt"})
    assert {n: a.tobytes() for n, a in read_model(tmp_path / "theirs.safetensors").items()} == {
        n: a.tobytes() for n, a in ARRAYS.items()
    }


def test_short_floats_are_widened(tmp_path):
    half = np.array([1.5, -2.0], "<f2").tobytes()
    bfloat = (np.array([1.5, -2.0], "<f4").view("<u4") >> 16).astype("<u2").tobytes()
    header = {
        "a___w": {"dtype": "F16", "shape": [2], "data_offsets": [0, 4]},
        "b___w": {"dtype": "BF16", "shape": [2], "data_offsets": [4, 8]},
    }
    (tmp_path / "m.safetensors").write_bytes(packed(header, half + bfloat))
    for array in read_model(tmp_path / "m.safetensors").values():
        assert array.dtype == np.float32 and array.tolist() == [1.5, -2.0]


def test_a_file_with_pytorchs_names_is_a_state_dict(tmp_path):
    net = mochac.Net("n", [
        mochac.InputLayer(name="data", shape=(2, 6)),
        mochac.InnerProductLayer(name="fc", output_dim=3, bottoms=["data"]),
    ])  # fmt: skip
    weight, path = np.arange(18, dtype=np.float32).reshape(3, 6), tmp_path / "m.safetensors"
    write_safetensors(path, {"fc.weight": weight, "fc.bias": np.ones(3, np.float32)})
    with mochac.compile(net) as program:
        program.load(path)
        np.testing.assert_array_equal(program.params["fc"]["weight"][...], weight)
        program.save(tmp_path / "own.safetensors")
        program.load(tmp_path / "own.safetensors")


def entry(shape=(2,), place=(0, 8), dtype="F32"):
    return {"x": {"dtype": dtype, "shape": list(shape), "data_offsets": list(place)}}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "it states a header of 0 bytes and has 0 in all"),
        (b"\xff" * 8, "it states a header of 18,446,744,073,709,551,615 bytes and has 8 in all"),
        (packed(b"{"), "Expecting property name enclosed in double quotes"),
        (packed([1]), "its header is not an object of JSON"),
        (packed(b'{"x":{},"x":{}}'), "its header has a name twice"),
        (packed(b"[" * 100000), "maximum recursion depth exceeded"),
        (packed({"x": 3}), "array 'x': "),
        (packed(entry(dtype="F8_E4M3"), bytes(8)), "array 'x': it holds F8_E4M3, expected BOOL U8"),
        (packed(entry(shape=(-2,)), bytes(8)), "array 'x': its shape or its place is not made of integers >= 0"),
        (packed(entry(shape=(2.0,)), bytes(8)), "array 'x': its shape or its place is not made of integers >= 0"),
        (packed(entry(), bytes(7)), "array 'x': it states 8 bytes of numbers at 0 to 8 of 7"),
        (packed(entry(shape=(2**62, 2**40)), bytes(8)), "array 'x': it states "),
        (packed(entry(place=(8, 16)), bytes(16)), "its arrays overlap, or leave bytes out"),
        (packed(entry(), bytes(9)), "its arrays overlap, or leave bytes out"),
        (packed({**entry(), "y": entry()["x"]}, bytes(8)), "its arrays overlap, or leave bytes out"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, content, words):
    assert refused(tmp_path / "m.safetensors", content).startswith(words)


@pytest.mark.slow
def test_damage_anywhere_is_an_error_or_changes_numbers_only(tmp_path):
    """300 files with a few bytes changed, or cut off: read, or refused by one error."""
    save_model(tmp_path / "m.safetensors", ARRAYS)
    whole = (tmp_path / "m.safetensors").read_bytes()
    for seed in range(300):
        print("seed", seed)
        rng, content = random.Random(seed), bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            content[rng.randrange(len(content))] = rng.randrange(256)
        if rng.random() < 0.3:
            del content[rng.randrange(len(content)) :]
        (tmp_path / "d.safetensors").write_bytes(content)
        with contextlib.suppress(SnapshotError):
            read_model(tmp_path / "d.safetensors")
