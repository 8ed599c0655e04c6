"""Which initializers of an imported model are trained."""

from __future__ import annotations

import numpy as np
import pytest
from model_kit import floats, model_of, node, same

from mochac import OptionError
from mochac.formats.onnx.loading import converted

SIGNATURE = "pkg.torch.export.ExportedProgram.graph_signature"


def told(model, **kinds):
    """The model, with what PyTorch's new exporter says of weights."""
    lines = [f"p_{name}: {kind} target='{name.replace('__', '.')}'" for name, kind in kinds.items()]
    model.graph.metadata_props.add(key=SIGNATURE, value="\n# inputs\n" + "\n".join(lines))
    return model


def rates(model, trained=()):
    """The learning rates of layers with parameters."""
    layers = converted(model, "m.onnx", trained=trained).layers
    names = {"Scale": "scale_lr", "Bias": "shift_lr", "Parameter": "lr", "Convolution": "filter_lr"}
    own = [x for x in layers if x.kind in names and not any(map(x.named, x.blob_fields))]
    return {x.name: getattr(x, names[x.kind]) for x in own}


WEIGHTS = {"pos": floats(3, 4), "mask": floats(3, 4), "ls.gamma": floats(4)}
NODES = [node("Add", "x pos", "a"), node("Mul", "a mask", "b"), node("Mul", "b ls.gamma")]


def test_constants_of_formulas_are_trained_if_they_have_the_name_of_a_weight(caplog):
    caplog.set_level("INFO")
    model = model_of(NODES, {"x": (3, 4)}, weights=WEIGHTS)
    same(model)
    assert rates(model) == {"add": 0.0, "mul": 0.0, "ls.gamma": 1.0}
    wanted = "m.onnx: constants, not trained (onnx.load(..., trained=[...]) trains them): mask, pos"
    assert caplog.messages[-1] == wanted
    assert rates(model, ["p*", "mask"]) == rates(model, "*") == {"pos": 1.0, "mask": 1.0, "ls.gamma": 1.0}


def test_a_file_of_pytorch_says_which_are_parameters():
    model = model_of(NODES, {"x": (3, 4)}, weights=WEIGHTS)
    told(model, pos="PARAMETER", mask="BUFFER", ls__gamma="BUFFER")
    assert rates(model) == {"pos": 1.0, "mul": 0.0, "ls": 0.0}
    assert rates(model, "ls.gamma") == {"pos": 1.0, "mul": 0.0, "ls.gamma": 1.0}


def test_what_the_exporter_computed_of_a_parameter_is_trained():
    """Such as the rows of a table of positions that it picked."""
    model = told(model_of(NODES, {"x": (3, 4)}, weights=WEIGHTS), table="PARAMETER", steps="BUFFER")
    for name, sources in (("pos", ["arange", "table"]), ("mask", ["steps", "val_2"])):
        folded = next((v for v in model.graph.value_info if v.name == name), None) or model.graph.value_info.add(
            name=name
        )
        folded.metadata_props.add(key="pkg.onnxscript.optimizer.folded_from", value=str(sources))
    assert rates(model) == {"add": 1.0, "mul": 0.0, "ls": 0.0}


def test_folded_batch_norms_are_named(caplog):
    model = model_of([node("Conv", "x conv.weight")], {"x": (2, 8, 8)}, weights={"conv.weight": floats(2, 2, 3, 3)})
    told(model, conv__weight="PARAMETER", bn1__running_mean="BUFFER")
    converted(model, "m.onnx")
    assert caplog.messages == [
        "m.onnx: the exporter has folded batch norms, which are not trained: bn1; "
        "torch.onnx.export(..., dynamo=True, optimize=False) keeps them"
    ]


def test_a_bias_of_zeros_that_the_exporter_adds_is_none():
    """PyTorch's new exporter gives every Conv a bias, called as one of the module."""
    weights = {"conv.weight": floats(2, 2, 3, 3), "conv.bias": np.zeros(2, np.float32)}
    model = model_of([node("Conv", "x conv.weight conv.bias")], {"x": (2, 8, 8)}, weights=weights)
    assert same(model).layers[1].bias == ""
    assert same(told(model, conv__weight="PARAMETER")).layers[1].bias is False


def test_biases_learn_as_fast_as_weights():
    weights = {"fc.weight": floats(4, 3), "fc.bias": floats(3)}
    nodes = [node("MatMul", "x fc.weight", "a"), node("Add", "a fc.bias")]
    (layer,) = converted(model_of(nodes, {"x": (4,)}, weights=weights), "m.onnx").layers[1:]
    assert (layer.weight_lr, layer.bias_lr) == (1.0, 1.0)


def test_a_parameter_is_called_as_in_pytorch():
    weights = {"attn.in_proj_weight": floats(6, 2), "attn.in_proj_bias": floats(6)}
    gemm = node("Gemm", "x attn.in_proj_weight attn.in_proj_bias", transB=1)
    model = model_of([gemm], {"x": (2,)}, weights=weights)
    assert sorted(converted(model, "m.onnx").arrays) == ["attn.in_proj___bias", "attn.in_proj___weight"]
    told(model, attn__in_proj_weight="PARAMETER", attn__in_proj_bias="PARAMETER")
    same(model)
    assert sorted(converted(model, "m.onnx").arrays) == ["attn.in_proj_bias___value", "attn.in_proj_weight___value"]


def test_a_filter_that_is_a_buffer_is_not_trained():
    """As those that blur images before they are made smaller."""
    weights = {"blur": np.full((2, 1, 3, 3), 1 / 9, np.float32), "conv.weight": floats(2, 2, 3, 3)}
    nodes = [node("Conv", "x blur", "a", group=2), node("Conv", "a conv.weight")]
    model = told(model_of(nodes, {"x": (2, 8, 8)}, weights=weights), blur="BUFFER", conv__weight="PARAMETER")
    same(model)
    assert sorted(rates(model).values()) == [0.0, 1.0] and rates(model)["conv"] == 1.0
    assert set(rates(model, "*").values()) == {1.0}


def test_a_pattern_without_a_weight():
    model = model_of(NODES, {"x": (3, 4)}, weights=WEIGHTS)
    with pytest.raises(OptionError) as caught:
        converted(model, "m.onnx", trained=["posi"])
    assert str(caught.value) == (
        "m.onnx: trained='posi' is the name of no initializer with real numbers\n"
        "  initializers: ls.gamma mask pos\n  hint: did you mean 'pos'?"
    )


NORMS = {
    "BatchNormalization": ("x onnx::one onnx::zero mean variance", {}),
    "InstanceNormalization": ("x onnx::one onnx::zero", {}),
    "GroupNormalization": ("x onnx::one onnx::zero", {"num_groups": 2}),
    "LayerNormalization": ("x onnx::one onnx::zero", {"axis": 1}),
}


@pytest.mark.parametrize("kind", NORMS)
def test_a_norm_without_affine_parameters_has_none(kind):
    inputs, fields = NORMS[kind]
    shape = (4, 5, 5) if kind == "LayerNormalization" else (4,)
    arrays = {"onnx::one": np.ones(shape, np.float32), "onnx::zero": np.zeros(shape, np.float32)}
    arrays |= {"mean": floats(4), "variance": np.abs(floats(4)) + 0.5}
    arrays = {name: array for name, array in arrays.items() if name in inputs.split()}
    model = model_of([node(kind, inputs, **fields)], {"x": (4, 5, 5)}, weights=arrays, opset=21)
    (norm,) = same(model).layers[1:]
    assert not norm.affine
    for name, changed in (("bn.weight", arrays["onnx::one"]), ("onnx::one", arrays["onnx::one"] * 2)):
        own = {
            name if key == "onnx::one" else key: changed if key == "onnx::one" else array
            for key, array in arrays.items()
        }
        read = inputs.replace("onnx::one", name)
        (norm,) = same(model_of([node(kind, read, **fields)], {"x": (4, 5, 5)}, weights=own, opset=21)).layers[1:]
        assert norm.affine
