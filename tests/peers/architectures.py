"""Models of torchvision, timm, transformers and other packages with random weights, and what from_torch makes of each.

`python tests/peers/architectures.py [--every] [--import] [PREFIX ...]` prints a line for each model and the table of
the guide. It needs torch and the packages, downloads nothing, and takes hours for all. The models of further packages
are in further_models.py.
`--every`: a tiny model of each type that transformers has, such as tiny.LlamaForCausalLM, instead of the list;
`--masked`: the same with padded sequences, such as masked.LlamaForCausalLM;
`--import`: without the comparison with PyTorch.
"""

from __future__ import annotations

import contextlib
import copy
import importlib
import inspect
import multiprocessing
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import further_models
import numpy as np
import tiny_models
import torch
from torch.overrides import TorchFunctionMode

import mochac
from mochac import MemoryDataLayer, MochacError, Net

LIMIT_S = 600
PREDICTED, STEPPED = 1e-9, 1e-6
"""Limits of relative differences. Batch normalization of two values makes rounding large; most are within 1e-9."""
ROUNDED = 1e-5, 1e-3
"""The same for models that round to float32 inside."""

TORCHVISION = """alexnet vgg11_bn resnet18 resnet50 resnext50_32x4d wide_resnet50_2 squeezenet1_1 densenet121 googlenet
inception_v3 mobilenet_v2 mobilenet_v3_small mobilenet_v3_large shufflenet_v2_x0_5 mnasnet0_5 efficientnet_b0
efficientnet_v2_s regnet_y_400mf regnet_x_400mf convnext_tiny vit_b_16 swin_t swin_v2_t maxvit_t fcn_resnet50
deeplabv3_resnet50 deeplabv3_mobilenet_v3_large lraspp_mobilenet_v3_large""".split()
TIMM = """resnet18 resnet26d resnetv2_50 resnest14d seresnet18 ecaresnet50t skresnet18 densenet121 dla34 dpn68
hrnet_w18_small res2net50_26w_4s cspresnet50 cspdarknet53 vovnet39a ese_vovnet19b_dw rexnet_100 ghostnet_100
ghostnetv2_100 hardcorenas_a tinynet_e mixnet_s mobilenetv1_100 mobilenetv2_100 mobilenetv3_small_075
mobilenetv4_conv_small fbnetc_100 lcnet_050 semnasnet_075 spnasnet_100 mnasnet_small efficientnet_b0 efficientnet_lite0
tf_efficientnetv2_b0 nf_resnet26 nfnet_f0 eca_nfnet_l0 regnetx_002 regnety_002 regnetz_b16 repvgg_a0 mobileone_s0
convnext_atto convnextv2_atto convmixer_768_32 vit_tiny_patch16_224 deit_tiny_patch16_224 deit3_small_patch16_224
beit_base_patch16_224 beitv2_base_patch16_224 eva02_tiny_patch14_224 cait_xxs24_224 crossvit_tiny_240 coat_tiny
coatnet_nano_rw_224 convit_tiny efficientformer_l1 efficientvit_b0 efficientvit_m0 fastvit_t8 gcvit_xxtiny
hiera_tiny_224 inception_v4 inception_next_atto levit_128s maxvit_nano_rw_256 maxxvit_rmlp_nano_rw_256 mixer_s16_224
gmixer_12_224 gmlp_ti16_224 resmlp_12_224 mobilevit_xxs mobilevitv2_050 mvitv2_tiny nest_tiny pit_ti_224
poolformer_s12 poolformerv2_s12 caformer_s18 convformer_s18 pvt_v2_b0 edgenext_xx_small repghostnet_050 repvit_m1
selecsls42 sequencer2d_s starnet_s1 swin_tiny_patch4_window7_224 swinv2_cr_tiny_224 tiny_vit_5m_224 tnt_s_patch16_224
tresnet_m twins_pcpvt_small twins_svt_small visformer_tiny volo_d1_224 xception41 xcit_nano_12_p16_224
focalnet_tiny_srf davit_tiny fasternet_t0 samvit_base_patch16 rdnet_tiny halonet26t botnet26t_256 lambda_resnet26t
swiftformer_xs shvit_s1 naflexvit_base_patch16_gap vit_tiny_r_s16_p8_224 test_vit test_efficientnet test_convnext
test_resnet test_byobnet test_nfnet test_mambaout mambaout_femto cpubone_nano csatv2 cspnext_tiny
efficientformerv2_s0 efficientvim_m1 gemma4_vit_167m hgnetv2_b0 sam2_hiera_tiny iformer_t inception_resnet_v2
inception_v3 lcnetv2_small lowformer_b0 mobilenetv5_base nasnetalarge nextvit_small pnasnet5large qwen3_vit_88m
legacy_seresnet18 swinv2_tiny_window8_256 vgg11_bn test_vit_relpos vitamin_small_224 legacy_xception""".split()
_SMALL = {
    "vocab_size": 100, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64
}  # fmt: skip
_GPT = {"vocab_size": 100, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 32}
_GROUPED = _SMALL | {"num_key_value_heads": 2}
_IMAGES = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64, "image_size": 32,
    "patch_size": 8,
}  # fmt: skip
_CLASSES = _IMAGES | {"num_labels": 10}
TEXTS: dict[str, tuple[str, dict[str, Any]]] = {
    "BertForSequenceClassification": ("BertConfig", _SMALL),
    "BertForMaskedLM": ("BertConfig", _SMALL),
    "RobertaForSequenceClassification": ("RobertaConfig", _SMALL),
    "ElectraForSequenceClassification": ("ElectraConfig", _SMALL | {"embedding_size": 32}),
    "AlbertForSequenceClassification": ("AlbertConfig", _SMALL | {"embedding_size": 16}),
    "DistilBertForSequenceClassification": (
        "DistilBertConfig", {"vocab_size": 100, "dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64},
    ),
    "DebertaV2ForSequenceClassification": (
        "DebertaV2Config", _SMALL | {"relative_attention": True, "pos_att_type": ["p2c", "c2p"]},
    ),
    "MPNetForSequenceClassification": ("MPNetConfig", _SMALL),
    "CamembertForSequenceClassification": ("CamembertConfig", _SMALL),
    "FNetForSequenceClassification": (
        "FNetConfig", {"vocab_size": 100, "hidden_size": 32, "num_hidden_layers": 2, "intermediate_size": 64},
    ),
    "ConvBertForSequenceClassification": ("ConvBertConfig", _SMALL | {"embedding_size": 32}),
    "SqueezeBertForSequenceClassification": ("SqueezeBertConfig", _SMALL | {"embedding_size": 32}),
    "RoFormerForSequenceClassification": ("RoFormerConfig", _SMALL | {"embedding_size": 32}),
    "XLMForSequenceClassification": ("XLMConfig", {"vocab_size": 100, "emb_dim": 32, "n_layers": 2, "n_heads": 4}),
    "GPT2LMHeadModel": ("GPT2Config", _GPT),
    "GPTNeoForCausalLM": (
        "GPTNeoConfig",
        {"vocab_size": 100, "hidden_size": 32, "num_layers": 2, "num_heads": 4, "max_position_embeddings": 32,
         "attention_types": [[["global", "local"], 1]]},
    ),
    "GPTNeoXForCausalLM": ("GPTNeoXConfig", _SMALL),
    "GPTJForCausalLM": ("GPTJConfig", _GPT | {"rotary_dim": 8}),
    "OPTForCausalLM": (
        "OPTConfig",
        {"vocab_size": 100, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "ffn_dim": 64,
         "word_embed_proj_dim": 32, "max_position_embeddings": 32},
    ),
    "BloomForCausalLM": ("BloomConfig", {"vocab_size": 100, "hidden_size": 32, "n_layer": 2, "n_head": 4}),
    "LlamaForCausalLM": ("LlamaConfig", _GROUPED),
    "MistralForCausalLM": ("MistralConfig", _GROUPED),
    "Qwen2ForCausalLM": ("Qwen2Config", _GROUPED),
    "Qwen3ForCausalLM": ("Qwen3Config", _GROUPED | {"head_dim": 8}),
    "GemmaForCausalLM": ("GemmaConfig", _GROUPED | {"head_dim": 8}),
    "Gemma2ForCausalLM": ("Gemma2Config", _GROUPED | {"head_dim": 8}),
    "PhiForCausalLM": ("PhiConfig", _SMALL),
    "Phi3ForCausalLM": ("Phi3Config", _GROUPED | {"pad_token_id": 0}),
    "FalconForCausalLM": (
        "FalconConfig", {"vocab_size": 100, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4},
    ),
    "Starcoder2ForCausalLM": ("Starcoder2Config", _GROUPED),
    "StableLmForCausalLM": ("StableLmConfig", _GROUPED),
    "OlmoForCausalLM": ("OlmoConfig", _SMALL),
    "Olmo2ForCausalLM": ("Olmo2Config", _SMALL),
    "CohereForCausalLM": ("CohereConfig", _GROUPED),
    "GraniteForCausalLM": ("GraniteConfig", _GROUPED),
    "SmolLM3ForCausalLM": ("SmolLM3Config", _GROUPED | {"pad_token_id": 0}),
    "HeliumForCausalLM": ("HeliumConfig", _GROUPED | {"head_dim": 8, "pad_token_id": 0}),
    "MambaForCausalLM": ("MambaConfig", {"vocab_size": 100, "hidden_size": 32, "num_hidden_layers": 2}),
    "CTRLLMHeadModel": ("CTRLConfig", _GPT | {"dff": 64}),
    "OpenAIGPTLMHeadModel": ("OpenAIGPTConfig", _GPT),
    "CodeGenForCausalLM": ("CodeGenConfig", _GPT | {"rotary_dim": 8}),
    "T5EncoderModel": (
        "T5Config", {"vocab_size": 100, "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4},
    ),
}  # fmt: skip
PICTURES: dict[str, tuple[str, dict[str, Any]]] = {
    "ViTForImageClassification": ("ViTConfig", _CLASSES),
    "DeiTForImageClassification": ("DeiTConfig", _CLASSES),
    "BeitForImageClassification": ("BeitConfig", _CLASSES),
    "Dinov2ForImageClassification": ("Dinov2Config", _CLASSES),
    "SwinForImageClassification": (
        "SwinConfig",
        {"image_size": 32, "patch_size": 4, "embed_dim": 16, "depths": [1, 1], "num_heads": [2, 4], "window_size": 4},
    ),
    "ConvNextForImageClassification": ("ConvNextConfig", {"hidden_sizes": [8, 16], "depths": [1, 1], "num_stages": 2}),
    "ResNetForImageClassification": (
        "ResNetConfig", {"embedding_size": 8, "hidden_sizes": [16, 32], "depths": [1, 1]},
    ),
    "SegformerForSemanticSegmentation": (
        "SegformerConfig",
        {"num_encoder_blocks": 2, "depths": [1, 1], "sr_ratios": [2, 1], "hidden_sizes": [16, 32],
         "num_attention_heads": [1, 2], "patch_sizes": [7, 3], "strides": [4, 2], "mlp_ratios": [2, 2],
         "decoder_hidden_size": 16},
    ),
    "CLIPVisionModel": ("CLIPVisionConfig", _IMAGES),
    "SiglipVisionModel": ("SiglipVisionConfig", _IMAGES),
    "MobileViTForImageClassification": ("MobileViTConfig", {"image_size": 32}),
    "PoolFormerForImageClassification": ("PoolFormerConfig", {}),
}  # fmt: skip
MODELS = [
    *(f"torchvision.{name}" for name in TORCHVISION),
    *(f"timm.{name}" for name in TIMM),
    *(f"transformers.{name}" for name in (*TEXTS, *PICTURES)),
    *further_models.MODELS,
]


# --- models -----------------------------------------------------------------------------------------------------------


def torchvision_package() -> Any:
    """The package, also where its compiled operators do not load, which models of classification do not need."""
    try:
        return importlib.import_module("torchvision")
    except RuntimeError:
        for name in [name for name in sys.modules if name.startswith("torchvision")]:
            del sys.modules[name]
        (folder,) = importlib.util.find_spec("torchvision").submodule_search_locations  # pyright: ignore
        text = (Path(folder) / "_meta_registrations.py").read_text()
        library = torch.library.Library("torchvision", "DEF")
        for name in sorted(set(re.findall(r'(?:register_fake\("torchvision::|register_meta\(")(\w+)"', text))):
            library.define(f"{name}(Tensor x) -> Tensor")
        _KEPT.append(library)
        return importlib.import_module("torchvision")


_KEPT: list[Any] = []


def model(name: str) -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    """A model in training mode, and its inputs."""
    home, _, own = name.partition(".")
    torch.manual_seed(0)
    torchvision_package()
    makers = {"torchvision": _of_torchvision, "timm": _of_timm, "transformers": _of_transformers, "tiny": _of_every,
              "masked": _of_every_masked}  # fmt: skip
    made, inputs = makers[home](own) if home in makers else further_models.model(name)
    return made.train(), inputs


def _images(size: int) -> tuple[torch.Tensor]:
    return (torch.randn(2, 3, size, size),)


def _of_torchvision(name: str) -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    models = torchvision_package().models
    size, more = {"inception_v3": (299, {"init_weights": False}), "googlenet": (64, {"init_weights": False}),
                  "vit_b_16": (64, {"image_size": 64}), "maxvit_t": (224, {"input_size": (224, 224)})}.get(
        name, (64, {"weights_backbone": None} if re.match("fcn|deeplab|lraspp", name) else {})
    )  # fmt: skip
    return models.get_model(name, weights=None, num_classes=10, **more), _images(size)


def _of_timm(name: str) -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    timm = importlib.import_module("timm")
    for more, size in (({"img_size": 64}, 64), ({}, 64), ({}, 224)):
        try:
            made = timm.create_model(name, pretrained=False, num_classes=10, **more)
            made(*_images(size))
        except Exception:  # whatever a model raises for a size that it does not take
            continue
        return timm.create_model(name, pretrained=False, num_classes=10, **more), _images(size)
    made = timm.create_model(name, pretrained=False, num_classes=10)
    return made, _images(made.default_cfg["input_size"][-1])


class First(torch.nn.Module):
    """The first result of a model."""

    def __init__(self, model: torch.nn.Module, more: dict[str, Any]) -> None:
        super().__init__()
        self.model, self.more = model, more

    def forward(self, x):
        return self.model(x, **self.more)[0]


def _of_transformers(name: str) -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    transformers = importlib.import_module("transformers")
    config, fields = (TEXTS | PICTURES)[name]
    made = getattr(transformers, name)(getattr(transformers, config)(**fields))
    text = name in TEXTS
    more = {"use_cache": False} if text and "use_cache" in made.forward.__code__.co_varnames else {}
    return First(made, more), (torch.randint(1, 90, (2, 12)),) if text else _images(32)


class Named(torch.nn.Module):
    """The first result of a model whose inputs have names; the embeddings of one that compares samples."""

    def __init__(self, model: torch.nn.Module, names: tuple[str, ...], more: dict[str, Any]) -> None:
        super().__init__()
        self.model, self.names, self.more = model, names, more

    def forward(self, *args):
        found = self.model(**dict(zip(self.names, args, strict=True)), **self.more)
        return (found["text_embeds"], found["image_embeds"]) if "logits_per_image" in found else found[0]


def _of_every(name: str) -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    torchvision_package()
    made, more, inputs = tiny_models.tiny(name)
    return Named(made, tuple(inputs), more), tuple(inputs.values())


def _of_every_masked(name: str) -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    """With sequences that are padded on the left and on the right.

    Raises:
        ValueError: its sequences have no mask.
    """
    torchvision_package()
    made, more, inputs = tiny_models.tiny(name)
    ids = inputs.get("input_ids")
    if ids is None or "attention_mask" not in inspect.signature(made.forward).parameters:
        raise ValueError("its sequences have no mask")
    mask = torch.ones_like(ids)
    mask[0, :3], mask[1, -2:] = 0, 0
    inputs = {**inputs, "attention_mask": mask}
    return Named(made, tuple(inputs), more), tuple(inputs.values())


# --- checks -----------------------------------------------------------------------------------------------------------


class Exact(TorchFunctionMode):
    """Casts to float32 are casts to float64, so that a float64 model does not round inside."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        def exact(value: Any) -> Any:
            return torch.float64 if value is torch.float32 else value

        func = torch.Tensor.double if func is torch.Tensor.float else func
        return func(*map(exact, args), **{name: exact(value) for name, value in (kwargs or {}).items()})


class Slopes(TorchFunctionMode):
    """hardsigmoid by its formula, since PyTorch rounds its slope, 1/6, to float32."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.nn.functional.hardsigmoid:
            return torch.clamp(args[0] + 3, 0, 6) / 6
        return func(*args, **(kwargs or {}))


class WithLoss(torch.nn.Module):
    """The sum of means of a model's results times further inputs, and the results."""

    def __init__(self, model: torch.nn.Module, count: int) -> None:
        super().__init__()
        self.model, self.count = model, count

    def forward(self, *args):
        inputs, factors = args[: -self.count], args[-self.count :]
        results = tensors(self.model(*inputs))
        total, *terms = ((y * factor).mean() for y, factor in zip(results, factors, strict=True))
        for term in terms:
            total = total + term
        return total, *results


def tensors(value: Any) -> list[torch.Tensor]:
    return [x for x in torch.utils._pytree.tree_leaves(value) if isinstance(x, torch.Tensor) and x.ndim]


def without_dropout(module: torch.nn.Module) -> None:
    for part in module.modules():
        for name, value in vars(part).items():
            if isinstance(value, float) and (name in ("p", "layerdrop") or "drop" in name):
                setattr(part, name, 0.0)


def moved(module: torch.nn.Module) -> None:
    """Add small random numbers to all parameters, since what begins as zeros or ones hides what is computed with it."""
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.is_floating_point():
                parameter += 0.02 * torch.randn_like(parameter)


@dataclass
class Row:
    """What became of a model: "" or why not, and the largest relative differences of its prediction and its steps.

    Attributes:
        rounds: it rounds to float32 inside.
        random: it draws random numbers, so that it is not compared.
    """

    name: str
    refused: str = ""
    predicted: float = 0.0
    stepped: float = 0.0
    missing: tuple[str, ...] = ()
    rounds: bool = False
    random: bool = False

    @property
    def agrees(self) -> bool:
        """Whether all is as in PyTorch."""
        predicted, stepped = ROUNDED if self.rounds else (PREDICTED, STEPPED)
        return self.predicted < predicted and self.stepped < stepped and not (self.missing or self.random)


def checked(name: str) -> Row:
    """Import a model in float64, predict, take a step of SGD and one of AdamW, and compare with PyTorch."""
    module, inputs = model(name)
    without_dropout(module)
    moved(module)
    module, inputs = module.double(), tuple(x.double() if x.is_floating_point() else x for x in inputs)
    for mode in (Exact(), contextlib.nullcontext()):  # some models say which dtypes they compute with
        row = Row(name, rounds=not isinstance(mode, Exact))
        try:
            with mode:
                _compare(row, copy.deepcopy(module), inputs)
        except MochacError as error:
            row.refused = str(error)
        if "dtype mismatch" not in row.refused and "torch.float32 != torch.float64" not in row.refused:
            break
    return row


def imported(name: str) -> Row:
    """Import a model without a comparison."""
    module, inputs = model(name)
    without_dropout(module)
    row = Row(name)
    try:
        mochac.from_torch(module, inputs)
    except MochacError as error:
        row.refused = " ".join(str(error).split())[:160]
    return row


def _compare(row: Row, module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
    first, second = _results(module, inputs), _results(module, inputs)
    factors = tuple(torch.randn(y.shape, dtype=torch.float64) for y in first)
    with_loss = WithLoss(module, len(factors))
    net, params = mochac.from_torch(with_loss, (*inputs, *factors))
    row.random = any(not torch.equal(a, b) for a, b in zip(first, second, strict=True))
    if row.random:
        return
    _predict(row, with_loss, net, params, inputs, first)
    for make in (
        lambda parameters: torch.optim.SGD(parameters, 0.1),
        lambda parameters: torch.optim.AdamW(parameters, 0.01, eps=1e-3, weight_decay=0.1),
    ):
        _step(row, copy.deepcopy(with_loss).train(), net, params, (*inputs, *factors), make)


def _predict(row: Row, with_loss: WithLoss, net: Net, params: Any, inputs: Any, trained: list[torch.Tensor]) -> None:
    """Compare predictions; those of a model that returns something else in evaluation mode are of that."""
    module, ends = copy.deepcopy(with_loss.model).eval(), [f"output{k}" for k in range(1, len(trained) + 1)]
    found = _results(module, inputs)
    if [y.shape for y in found] != [y.shape for y in trained]:
        net, params = mochac.from_torch(module, inputs)
        ends = [f"output{k}" for k in range(len(found))] if len(found) > 1 else ["output"]
    samples = tuple(map(one_more, inputs))
    wanted = _results(module, samples)
    names = [layer.tops[0] for layer in net.layers if layer.kind == "Input"][: len(inputs)]
    with mochac.compile(net, params=params, dtype="float64") as program:
        found = program.predict({n: x.numpy() for n, x in zip(names, samples, strict=True)}, ends)
    row.predicted = max(_relative(a, b.numpy()) for a, b in zip(found, wanted, strict=True))


def _results(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> list[torch.Tensor]:
    with torch.no_grad():
        return tensors(copy.deepcopy(module)(*inputs))


def one_more(x: torch.Tensor) -> torch.Tensor:
    """Samples with another one, which goes into a batch with none of them: samples must not mix."""
    return torch.cat([x, x[:1].roll(1, dims=min(1, x.ndim - 1))])


def _step(
    row: Row, module: torch.nn.Module, net: Net, params: Any, inputs: tuple[torch.Tensor, ...], make: Any
) -> None:
    optimizer = make([p for p in module.parameters() if p.requires_grad])
    names = [layer.tops[0] for layer in net.layers if layer.kind == "Input"]
    data = MemoryDataLayer(data=[x.numpy() for x in inputs], batch_size=len(inputs[0]), tops=names)
    layers = [data, *(layer for layer in net.layers if layer.kind != "Input")]
    start = {name: x.detach().clone() for name, x in module.state_dict().items()}
    with mochac.compile(Net("step", layers), params=params, dtype="float64") as program:
        program.load(module, strict=False)  # other steps have moved them
        program.train(mochac.solver_from_torch(optimizer, module=module, max_iter=1), verbose=0)
        found = program.state_dict()
    with Slopes():
        module(*inputs)[0].backward()
    optimizer.step()
    own = dict(module.named_parameters())
    idle = {name for name, x in own.items() if x.grad is None}  # mochac's gradient may be 0, so that they decay
    row.missing = tuple(name for name, x in own.items() if name not in found and x.numel())
    moved = {name: float((x - start[name]).abs().max()) for name, x in module.state_dict().items() if x.numel()}
    scale = max(moved[name] for name in own if name in moved)
    for name, x in module.state_dict().items():
        if name in found and x.numel() and name not in idle:
            off = np.abs(found[name].reshape(x.shape) - x.numpy()).max()
            row.stepped = max(row.stepped, float(off / (moved[name] + 1e-4 * scale)))


def _relative(found: np.ndarray, wanted: np.ndarray) -> float:
    return float(np.abs(found.reshape(wanted.shape) - wanted).max() / (np.abs(wanted).max() + 1e-300))


def apart(check: Callable[[str], Row], name: str) -> Row:
    """Check a model in a process of its own, which may crash or take too long."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(theirs, check, name))
    process.start()
    theirs.close()
    try:
        row = ours.recv() if ours.poll(LIMIT_S) else Row(name, f"it takes more than {LIMIT_S} s")
    except EOFError:
        row = Row(name, "the process ended")
    process.kill()
    process.join()
    return row


def _send(pipe: Any, check: Callable[[str], Row], name: str) -> None:
    try:
        row = check(name)
    except Exception as error:  # torch.export or the model itself
        row = Row(name, f"{type(error).__name__}: {error}")
    pipe.send(row)


def main(arguments: list[str]) -> None:
    """Check models and print a table."""
    torch.set_num_threads(1)
    prefixes = [text for text in arguments if not text.startswith("--")]
    homes = [home for home, flag in (("tiny", "--every"), ("masked", "--masked")) if flag in arguments]
    tasks = {f"{home}.{name}": task for home in homes for name, task in tiny_models.every().items()}
    check, rows = imported if "--import" in arguments else checked, list[Row]()
    for name in tasks or MODELS:
        if not prefixes or any(name.startswith(prefix) for prefix in prefixes):
            row = apart(check, name)
            rows.append(row)
            compared = "random" if row.random else f"{row.predicted:.1e} {row.stepped:.1e} {' '.join(row.missing)}"
            state = " ".join(row.refused.split()) or compared
            print(f"{name:50} {'ok' if row.agrees and not row.refused else 'NO'} {state}", flush=True)
    print("\n| models | tried | imported | prediction, steps and names as PyTorch's |\n| --- | --- | --- | --- |")
    groups = {row.name: tasks.get(row.name, row.name.partition(".")[0]) for row in rows}
    for group in dict.fromkeys(groups.values()):
        mine = [row for row in rows if groups[row.name] == group]
        taken = [row for row in mine if not row.refused]
        print(f"| {group} | {len(mine)} | {len(taken)} | {sum(row.agrees for row in taken)} |")


if __name__ == "__main__":
    main(sys.argv[1:])
