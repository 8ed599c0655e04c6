"""How cuDNN's frontend is asked, and what becomes of its exceptions; a module of a few lines in its place."""

import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from mochac.ir.types import parse_type
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.libraries import cudnn, open_library
from mochac.runtime.cuda.libraries.library import LibraryCall

NOTES = ("TENSOR_CORE", "DOWN_CONVERT_INPUTS", "REDUCED_PRECISION_REDUCTION", "NONDETERMINISTIC")
OPERANDS = {
    "conv_fprop": ("image", "weight"),
    "conv_dgrad": ("loss", "filter"),
    "conv_wgrad": ("image", "loss"),
}
STEPS = ("validate", "build_operation_graph", "create_execution_plans", "deselect_numeric_notes", "check_support")


class NotSupported(Exception):
    """As cudnn.cudnnGraphNotSupportedError, which is no RuntimeError."""


class Tensor(SimpleNamespace):
    def __getattr__(self, name):
        return lambda value: self.__dict__.update({name.removeprefix("set_"): value}) or self

    def __hash__(self):
        return id(self)


class Graph:
    def __init__(self, module, **how):
        self.module, self.how, self.heard = module, how, {}

    def tensor(self, **how):
        return Tensor(**how)

    def __getattr__(self, name):
        def heard(*args, **how):
            if name == self.module.fails:
                raise self.module.error
            self.heard[name] = args or how
            return Tensor(of=name)

        return heard

    def get_execution_plan_count(self):
        return len(self.module.plans)

    def build_plan_at_index(self, index):
        if self.module.fails == "build_plan_at_index":
            raise self.module.error
        if not self.module.plans[index]:
            raise ValueError(f"plan {index} is excluded")

    def get_workspace_size_plan_at_index(self, index):
        return self.module.plans[index]


@pytest.fixture
def frontend(monkeypatch):
    module = SimpleNamespace(fails="", error=None, __version__="1.28.0", streams=[], plans=[0, 4096, 0, 512])
    module.data_type = SimpleNamespace(FLOAT="float", DOUBLE="double")
    module.heur_mode = SimpleNamespace(A="A", FALLBACK="FALLBACK")
    module.numerical_note = SimpleNamespace(**{note: note for note in NOTES})
    module.pygraph = lambda **how: Graph(module, **how)
    module.backend_version = lambda: 91900
    module.destroy_handle = lambda handle: module.streams.append("closed")
    module.set_stream = lambda handle, stream: module.streams.append((handle, stream))

    def create_handle():
        if module.fails == "create_handle":
            raise module.error
        return "handle"

    module.create_handle = create_handle
    monkeypatch.setitem(sys.modules, "cudnn", module)
    monkeypatch.setattr(cudnn, "load", lambda names: None)
    return module


def call(of="conv", **how):
    x, w, y = "f32[b4,8,10,10]", "f32[6,8,5,5]", "f32[b4,6,10,10]"
    types = {"conv": (x, w, y), "conv_dx": (y, w, x), "conv_dw": (x, y, w)}[of]
    attrs = {"pad": (2, 2), "stride": (1, 1)}
    return LibraryCall("cudnn.conv_fprop", of, attrs, tuple(map(parse_type, types)), **how)


@pytest.mark.parametrize(
    ("of", "asked"), [("conv", "conv_fprop"), ("conv_dx", "conv_dgrad"), ("conv_dw", "conv_wgrad")]
)
def test_a_convolution_is_prepared_once_and_run_on_addresses(frontend, of, asked):
    library = open_library("cudnn")
    assert library.version == "cudnn 91900, frontend 1.28.0"
    prepared = library.prepare(call(of, deterministic=False))
    graph, (first, second, result) = prepared.graph, prepared.tensors
    assert (result.of, graph.heard["deselect_numeric_notes"]) == (asked, ([*NOTES[1:3], NOTES[0]],))
    assert [graph.heard[asked][name] for name in OPERANDS[asked]] == [first, second]
    assert [tuple(t.dim) for t in prepared.tensors] == [t.shape for t in call(of).types]
    assert set(STEPS) <= set(graph.heard)
    assert prepared.workspace_bytes == 4096
    prepared([256, 512, 768], 1024, 7)
    assert frontend.streams == [("handle", 7)]
    assert graph.heard["execute_plan_at_index"] == ({first: 256, second: 512, result: 768}, 1024, 1)
    library.close()
    assert frontend.streams[-1] == "closed"


@pytest.mark.parametrize(("epilogue", "last"), [("bias", "bias"), ("bias_relu", "relu")])
def test_bias_and_relu_are_nodes_of_the_same_graph(frontend, epilogue, last):
    x, w, y = call().types
    how = replace(call(epilogue=epilogue), types=(x, w, parse_type("f32[6]"), y))
    prepared = open_library("cudnn").prepare(how)
    first, second, bias, result = prepared.tensors
    heard = prepared.graph.heard
    assert (bias.dim, bias.stride) == ([1, 6, 1, 1], [6, 1, 1, 1])
    assert (result.of, result.dim, result.output) == (last, [4, 6, 10, 10], True)
    assert heard["bias"]["input"].of == "conv_fprop" and heard["bias"]["bias"] is bias
    assert ("relu" in heard) == (last == "relu")
    prepared([256, 512, 1024, 768], 0, 7)
    assert heard["execute_plan_at_index"] == ({first: 256, second: 512, bias: 1024, result: 768}, 0, 1)


@pytest.mark.parametrize("error", [RuntimeError("no"), NotSupported("no"), ValueError("no"), AssertionError("no")])
@pytest.mark.parametrize("step", [*STEPS, "conv_fprop", "build_plan_at_index"])
def test_every_exception_while_preparing_is_a_refusal(frontend, step, error):
    library = open_library("cudnn")
    frontend.fails, frontend.error = step, error
    with pytest.raises(DeviceError, match=r"^cuDNN has no cudnn.conv_fprop for this: no$"):
        library.prepare(call())


def test_a_fault_while_it_runs(frontend):
    prepared = open_library("cudnn").prepare(call())
    frontend.fails, frontend.error = "execute_plan_at_index", RuntimeError("illegal\n address")
    with pytest.raises(DeviceError, match=r"^cuDNN: illegal address$"):
        prepared([256, 512, 768], 0, 7)


def test_engines_are_known_by_their_places_in_the_ranking(frontend):
    """Plans 0 and 2 are excluded, or cannot be built."""
    library = open_library("cudnn")
    assert {k: engine.workspace_bytes for k, engine in library.engines(call()).items()} == {1: 4096, 3: 512}
    second = library.prepare(call(engine=3))
    second([256, 512, 768], 0, 7)
    assert (second.workspace_bytes, second.graph.heard["execute_plan_at_index"][2]) == (512, 3)
    for excluded in (call(engine=2), call()):
        with pytest.raises(DeviceError, match=r"plan 2 is excluded|it ranks no engine"):
            library.prepare(excluded)
        frontend.plans = []


def test_a_handle_that_cannot_be_had(frontend):
    frontend.fails, frontend.error = "create_handle", RuntimeError("cudaGetDeviceCount(&count) != cudaSuccess")
    with pytest.raises(DeviceError, match=r"^cuDNN: cudaGetDeviceCount"):
        open_library("cudnn")


def test_without_the_frontend(frontend, monkeypatch):
    monkeypatch.setitem(sys.modules, "cudnn", None)
    with pytest.raises(ImportError):
        open_library("cudnn")


def test_without_cublas_cudnn_is_not_touched(frontend, monkeypatch):
    """cuDNN 9.19 aborts the process where it does not find libcublasLt among the loaded libraries."""

    def absent(names):
        raise OSError("libcublasLt.so.13: cannot open shared object file")

    monkeypatch.setattr(cudnn, "load", absent)
    frontend.fails, frontend.error = "create_handle", AssertionError("it was touched")
    with pytest.raises(OSError, match="libcublasLt"):
        open_library("cudnn")


def test_what_is_asked_of_cudnns_engines():
    def notes(dtype, **how):
        return cudnn.unwanted(LibraryCall("cudnn.conv_fprop", "conv", {}, (parse_type(f"{dtype}[1,1,1,1]"),), **how))

    always = ("DOWN_CONVERT_INPUTS", "REDUCED_PRECISION_REDUCTION")
    assert notes("f32") == (*always, "TENSOR_CORE", "NONDETERMINISTIC")
    assert notes("f64") == (*always, "NONDETERMINISTIC")
    assert notes("f32", precision="tf32") == notes("f32", precision="bfloat16") == (*always, "NONDETERMINISTIC")
    assert notes("f32", precision="tf32", deterministic=False) == always


def test_convolutions_in_the_frontends_terms():
    module = pytest.importorskip("cudnn", reason="nvidia-cudnn-frontend is not installed")

    x, w, y = "f32[b4,8,10,10]", "f32[6,8,5,5]", "f32[b4,6,10,10]"
    attrs = {"pad": (2, 2), "stride": (1, 1), "group": 1}
    for of, types in (("conv", (x, w, y)), ("conv_dx", (y, w, x)), ("conv_dw", (x, y, w))):
        call = LibraryCall("cudnn.conv", of, attrs, tuple(map(parse_type, types)))
        _, tensors = cudnn.conv_graph(module, call)
        assert [tuple(t.get_dim()) for t in tensors] == [t.shape for t in call.types]
        assert [t.get_stride()[-1] for t in tensors] == [1, 1, 1]
