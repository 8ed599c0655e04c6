"""The files in CONTRIBUTING.md, tried as they stand: registered, taken through their registry's tests, removed again.

The page's other python blocks run in between, so they see what the files before them registered.
"""

import sys
import types

import pytest
from codegen import test_ops_compiled
from docs.pages import ROOT, blocks
from ir import test_scalar_table
from layers import test_catalogue, test_fields
from ops import test_gradients, test_lowerings, test_registry

import mochac
from mochac.ir.op import OPS
from mochac.ir.scalar import FUNCTIONS
from mochac.layers.base import LAYERS
from mochac.ops.pointwise import op_of
from mochac.passes import PASSES
from mochac.solvers.method import METHODS

PAGE = ROOT / "CONTRIBUTING.md"
REGISTRIES = (OPS, FUNCTIONS, LAYERS, PASSES, METHODS)


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
    test_registry.test_every_op_is_complete(name)
    test_registry.test_blocked_operands_give_blocked_results(name)
    test_registry.test_float32_agrees_with_float64(name)
    test_registry.test_every_sample_survives_text(name)
    test_lowerings.test_naive_kernel_equals_reference(name)
    test_ops_compiled.test_compiled_equals_reference(name)
    test_ops_compiled.test_other_samples(name)
    for dtype in ("f32", "f64"):
        test_registry.test_reference_gives_the_inferred_types(name, dtype)
    test_gradients.test_vjp_equals_central_differences(name)


def check_function(name):
    OPS.add(name, op_of(FUNCTIONS[name]))  # what the scan of ops/pointwise.py does
    test_scalar_table.test_row_is_complete(name)
    test_scalar_table.test_derivative_agrees_with_central_differences(name)
    check_op(name)


def check_layer(name):
    test_fields.test_minimal_fields_suffice(LAYERS[name])
    test_fields.test_unknown_fields_are_refused(LAYERS[name])
    test_fields.test_records_are_read_only(LAYERS[name])
    test_catalogue.test_a_layer_states_an_example_that_works(name)
    test_catalogue.test_gradients_are_central_differences(name)
    for k, example in enumerate(LAYERS[name].examples):
        if example.rule:
            test_catalogue.test_what_does_not_fit_is_refused_by_layer_blob_and_line(name, k)
        else:
            test_catalogue.test_compiled_is_interpreted(name, k)


CHECKS = {"ops": (OPS, check_op), "functions": (FUNCTIONS, check_function), "layers": (LAYERS, check_layer)}


@pytest.mark.usefixtures("borrowed_registries")
@pytest.mark.slow
def test_every_file_of_the_page_works():
    namespace = {"__name__": "__main__"}
    tried = []
    for block in blocks(PAGE):
        if block.file:
            before = [set(registry) for registry in REGISTRIES]
            install(block)
            new = {n for registry, old in zip(REGISTRIES, before, strict=True) for n in set(registry) - old}
            assert len(new) == 1, f"{block.file} registers {new}"
            room = block.file.split("/")[-2]
            if room in CHECKS:
                CHECKS[room][1](*new)
            tried.append(room)
        elif block.language == "python":
            exec(compile("\n" * (block.line - 1) + block.text, str(PAGE), "exec"), namespace)
    assert tried == ["ops", "functions", "layers", "passes", "solvers"]
