"""Every function of a header, called with NULL for each pointer, without an instance, and with wrong sizes."""

import ctypes
import re

import numpy as np
import pytest
from clib_kit import Library, aligned, built, needs_cc
from nets import mlp, rows

from mochac import SGD

pytestmark = needs_cc
MAY_BE_NULL = {("step", "loss"), ("use_threads", "run"), ("use_threads", "context")}
FUNCTIONS = (
    "init init_saved init_drawn predict step evaluate set_scalar get_scalar save save_state load use_threads".split()
)


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Library:
    return built(tmp_path_factory.mktemp("mlp"), mlp(), SGD(0.1, momentum=0.5), warn=False, batches=8)


def prototypes(library: Library) -> dict[str, list[tuple[str, str]]]:
    """(type, name) of the parameters of each function that returns a code."""
    text = re.sub(r"/\*.*?\*/", "", library.header, flags=re.DOTALL)
    found = re.findall(r"^mlp_code mlp_(\w+)\((.*?)\);", text, re.MULTILINE)
    split = {name: [re.fullmatch(r"(.*?)(\w+)", part.strip()) for part in args.split(",")] for name, args in found}
    return {name: [(p[1].strip(), p[2]) for p in parameters if p] for name, parameters in split.items()}


class Calls:
    """Arguments that are right, of every function."""

    def __init__(self, library: Library) -> None:
        self.library, self.instance = library, library.instance()
        x, y = rows()
        self.held = {
            "data": x, "label": y, "out": np.zeros((8, 2), np.float32), "ip2": np.zeros((8, 2), np.float32),
            "results": np.zeros(9), "loss": np.zeros(1), "value": np.zeros(1), "memory": aligned(library["bytes"](1)),
            "saved": np.frombuffer(bytearray(self.instance.save("save_state")), np.uint8),
        }  # fmt: skip
        self.made = ctypes.c_void_p()

    def of(self, function: str) -> list[object]:
        return [self._argument(function, kind, name) for kind, name in prototypes(self.library)[function]]

    def _argument(self, function: str, kind: str, name: str) -> object:
        if name == "net":
            return ctypes.byref(self.made) if kind.endswith("**") else self.instance.net
        if name in ("bytes", "saved_bytes"):
            instance = function.startswith("init") and name == "bytes"
            return ctypes.c_size_t(len(self.held["memory" if instance else "saved"]))
        given = {"n": ctypes.c_int64(8), "seed": ctypes.c_uint64(3), "name": b"lr", "threads": ctypes.c_int(1)}
        if kind == "double":
            return ctypes.c_double(0.5)
        return given[name] if name in given else self.pointer(name)

    def pointer(self, name: str) -> ctypes.c_void_p | None:
        return ctypes.c_void_p(self.held[name].ctypes.data) if name in self.held else None

    def call(self, function: str, arguments: list[object]) -> str:
        return self.library["text"](self.library[function](*arguments)).decode()


@pytest.mark.slow
def test_the_functions_are_known(library):
    assert sorted(prototypes(library)) == sorted(FUNCTIONS)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_null_is_a_code_for_every_pointer(function, library):
    calls = Calls(library)
    assert calls.call(function, calls.of(function)) == "no error"
    state = calls.instance.save("save_state")
    for k, (kind, name) in enumerate(prototypes(library)[function]):
        if "*" in kind and (function, name) not in MAY_BE_NULL:
            arguments = calls.of(function)
            arguments[k] = None
            assert calls.call(function, arguments) == "an argument is NULL", name
            assert calls.instance.save("save_state") == state


@pytest.mark.parametrize("function", [f for f in FUNCTIONS if not f.startswith("init")])
def test_what_is_no_instance_is_a_code(function, library):
    calls = Calls(library)
    random = np.random.default_rng(0).integers(0, 256, 4096, np.uint8)
    moved = aligned(library["bytes"](1))
    moved[:] = calls.instance.memory
    for memory, offset in ((random, 0), (random, 3), (np.zeros(4096, np.uint8), 0), (moved, 0)):
        arguments = calls.of(function)
        at = [name for _, name in prototypes(library)[function]].index("net")
        arguments[at] = ctypes.c_void_p(memory.ctypes.data + offset)
        assert calls.call(function, arguments) == "this memory holds no instance, or was moved"


@pytest.mark.parametrize("function", ["init", "init_saved", "init_drawn"])
def test_memory_that_does_not_fit_is_a_code(function, library):
    calls = Calls(library)
    n_bytes = library["bytes"](1)
    for offset in (1, 4, 32):
        arguments = calls.of(function)
        arguments[0] = ctypes.c_void_p(calls.held["memory"].ctypes.data + offset)
        assert calls.call(function, arguments) == "the memory does not begin at a multiple of 64"
        assert calls.made.value is None
    for size in (0, 1, 64, n_bytes - 1):
        arguments = calls.of(function)
        arguments[1] = ctypes.c_size_t(size)
        assert calls.call(function, arguments) == "the memory is too small"


@pytest.mark.parametrize("seed", range(4))
def test_files_that_are_none(seed, library):
    """Random bytes, states with random bytes in them, and the state of another version of the format."""
    calls, rng = Calls(library), np.random.default_rng(seed)
    state = calls.instance.save("save_state")
    files = [rng.integers(0, 256, rng.integers(0, 2 * len(state)), np.uint8).tobytes() for _ in range(20)]
    for _ in range(60):
        changed = np.frombuffer(bytearray(state), np.uint8).copy()
        at = rng.integers(0, len(state) if rng.random() < 0.5 else 800, rng.integers(1, 6))
        changed[at] = rng.integers(0, 256, len(at))
        files.append(changed.tobytes())
    for file in files:
        if file != state:
            code = library["load"](calls.instance.net, file, ctypes.c_size_t(len(file)))
            assert library["text"](code) in (b"the file is not of this net, or of another version",
                                             b"the checksum or a number of the file is wrong")  # fmt: skip
    assert calls.instance.save("save_state") == state


@pytest.mark.parametrize("function", ["predict", "evaluate"])
@pytest.mark.parametrize("n", [-1, -(2**63)])
def test_a_negative_number_of_samples_is_a_code(function, n, library):
    calls = Calls(library)
    arguments = calls.of(function)
    place = [name for _, name in prototypes(library)[function]].index("n")
    arguments[place] = ctypes.c_int64(n)
    assert "number of samples" in calls.call(function, arguments)
