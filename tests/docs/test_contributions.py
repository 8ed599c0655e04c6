"""The files in contributions.md, tried as they stand: registered, taken through their registry's tests, removed again.

The page's other python blocks run in between, so they see what the files before them registered. Blocks that quote a
file of the repository are its text.
"""

import itertools
import sys
import types

import numpy as np
import pytest
from codegen import test_ops_compiled
from docs.pages import ROOT, blocks
from ir import test_scalar_table
from layers import test_catalogue, test_fields
from ops import test_gradients, test_lowerings, test_registry

import mochac
from mochac import ir
from mochac.codegen.cpu import schedules
from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.target import CpuTarget
from mochac.formats.caffe.builder import CONVERTERS
from mochac.ir.op import OPS
from mochac.ir.ops.pointwise import op_of
from mochac.ir.passes import PASSES
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.schedule import STEPS, parse_step
from mochac.lowering.pipeline import lower
from mochac.lowering.run_graph import run_graph
from mochac.nets.layers.base import LAYERS
from mochac.nets.solvers.method import METHODS
from mochac.tools.cli.command import COMMANDS

PAGE = ROOT / "docs/developers/contributions.md"
REGISTRIES = (OPS, FUNCTIONS, LAYERS, PASSES, METHODS, STEPS, COMMANDS, CONVERTERS)
RULES = "codegen/cpu/schedules"
FOLDERS = [
    "ir/ops",
    "ir/functions",
    "nets/layers",
    "ir/passes",
    "nets/solvers",
    "ir/steps",
    RULES,
    "tools/cli",
    "formats/caffe/layers",
]
"""What the page adds a file to, in its order."""


@pytest.fixture
def borrowed_registries():
    """What the test registers is gone afterwards."""
    for registry in REGISTRIES:
        registry.scan()
    items = [dict(registry._items) for registry in REGISTRIES]
    names = dict(vars(mochac))
    modules = set(sys.modules)
    yield
    for registry, before in zip(REGISTRIES, items, strict=True):
        registry._items = before
    for name in set(vars(mochac)) - set(names):
        delattr(mochac, name)
    for name in set(sys.modules) - modules:
        if vars(sys.modules[name]).get("__file__") == str(PAGE):
            del sys.modules[name]


def install(block):
    """The file as a module of its package."""
    name = block.file.removesuffix(".py").replace("/", ".")
    module = types.ModuleType(name)
    module.__file__ = str(PAGE)
    sys.modules[name] = module
    exec(compile("\n" * (block.line - 1) + block.text, str(PAGE), "exec"), vars(module))


def check_op(name):
    test_registry.test_every_op_is_complete_and_its_samples_survive_text(name)
    test_registry.test_blocked_operands_give_blocked_results(name)
    test_registry.test_references_give_the_inferred_types_and_agree(name)
    for lanes, batch in ((0, None), (4, None), (4, 6)):
        test_lowerings.test_naive_kernel_equals_reference(name, lanes, batch)
    for dtype in ("f32", "f64"):
        for k in range(len(OPS[name].samples)):
            test_ops_compiled.check(name, k, dtype)
    test_gradients.test_vjp_equals_central_differences(name)


def check_function(name):
    OPS.add(name, op_of(FUNCTIONS[name]))  # what the scan of ops/pointwise.py does
    test_scalar_table.test_row_is_complete(name)
    test_scalar_table.test_derivative_agrees_with_central_differences(name)
    check_op(name)


def check_layer(name):
    test_fields.test_minimal_fields_suffice_and_are_read_only(LAYERS[name])
    test_catalogue.test_a_layer_states_an_example_that_works(name)
    test_catalogue.test_gradients_are_central_differences(name)
    for k, example in enumerate(LAYERS[name].examples):
        if example.rule:
            test_catalogue.test_what_does_not_fit_is_refused_by_layer_blob_and_line(name, k)
        else:
            for dtype, mode in itertools.product(("float32", "float64"), ("train", "test")):
                test_catalogue.test_every_example_in_both_modes_and_types(name, k, dtype, mode)


def check_step(name):
    step = STEPS[name]("n")
    assert parse_step(str(step)) == step


CHECKS = {"ir/ops": check_op, "ir/functions": check_function, "nets/layers": check_layer, "ir/steps": check_step}


def check_rule(shape=(20, 3, 5, 5)):
    """The page's rule takes the kernel that it is for, before the generic one, and results are the interpreter's."""
    b = ir.GraphBuilder("update")
    w, g = (b.input(name, ir.TensorType("f32", shape), "param") for name in "wg")
    lr = b.op("broadcast", b.input("lr", ir.TensorType("f32", ()), "hyper"), shape=shape, axes=())
    graph = b.finish([b.op("sub", w, b.op("mul", g, lr))])
    (kernel,) = lower(graph, CpuGenerator(CpuTarget.of("haswell", 32)), scalars={}, named={}, dtype="f32").kernels
    assert kernel.schedule.name == "narrow_rows"
    rng = np.random.default_rng(5)
    feeds = {name: rng.normal(size=shape).astype(np.float32) for name in "wg"} | {"lr": np.float32(0.1)}
    for name, want in ir.run(graph, feeds).outputs.items():
        np.testing.assert_allclose(run_graph(graph, feeds)[name], want, rtol=1e-6)


@pytest.mark.usefixtures("borrowed_registries")
@pytest.mark.slow
def test_every_file_of_the_page_works(tmp_path, monkeypatch):
    pytest.importorskip("google.protobuf", reason="Caffe's files need the package protobuf")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(schedules, "RULES", schedules.RULES)
    namespace = {"__name__": "__main__"}
    tried = []
    for block in blocks(PAGE):
        if block.file:
            before = [set(registry) for registry in REGISTRIES]
            install(block)
            new = {n for registry, old in zip(REGISTRIES, before, strict=True) for n in set(registry) - old}
            folder = block.file.removeprefix("mochac/").rpartition("/")[0]
            assert len(new) == (0 if folder == RULES else 1), f"{block.file} registers {new}"
            if folder in CHECKS:
                CHECKS[folder](*new)
            tried.append(folder)
        elif block.language == "python" and not block.quoted:
            exec(compile("\n" * (block.line - 1) + block.text, str(PAGE), "exec"), namespace)
    check_rule()
    assert tried == FOLDERS


def test_quoted_code_is_the_files():
    quoted = [block for block in blocks(PAGE) if block.quoted]
    assert [b.quoted for b in quoted if b.text.partition("\n")[2] not in (ROOT / b.quoted).read_text()] == []
    assert quoted
