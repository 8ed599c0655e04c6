"""Tiny models of Hugging Face transformers, whose configurations are shrunk by the names of their fields.

Nearly every configuration is a dataclass whose fields have a model's names for widths, layers, heads, vocabularies and
images. Where the numbers of one model do not fit each other, others are tried: what runs is taken.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

import torch

TASKS = {
    "causal language models": "CAUSAL_LM", "encoder-decoders": "SEQ_TO_SEQ_CAUSAL_LM",
    "masked language models": "MASKED_LM", "text classification": "SEQUENCE_CLASSIFICATION",
    "text encoders": "TEXT_ENCODING",
    "image classification": "IMAGE_CLASSIFICATION", "semantic segmentation": "SEMANTIC_SEGMENTATION",
    "depth": "DEPTH_ESTIMATION", "object detection": "OBJECT_DETECTION", "speech recognition": "CTC",
    "audio classification": "AUDIO_CLASSIFICATION", "speech to text": "SPEECH_SEQ_2_SEQ",
    "images and text": "IMAGE_TEXT_TO_TEXT", "video classification": "VIDEO_CLASSIFICATION",
}  # fmt: skip
"""Tasks and the names that transformers has for them."""
OTHERS = "towers and others"

VOCABULARY, TOKENS = 100, (2, 12)
MAX_PARAMETERS = 20_000_000
_SIZES: tuple[tuple[str, int], ...] = (
    (r"type_vocab_size|num_labels|num_channels", 0),
    (r"(.*_)?vocab_size.*|vocabulary_size", VOCABULARY),
    (r"num_nextn_predict_layers|num_mtp_layers|num_kv_shared_layers", -1),
    (r"(.*_)?(n_|num_)?(hidden_)?layers?|depth|.*num_blocks|.*_depth", 2),
    (r".*(key_value_heads|kv_heads|num_key_heads)", 2),
    (r".*(num_experts_per_tok|experts_per_token|moe_topk|moe_k|top_k_experts)", 2),
    (r".*(num_experts|routed_experts|local_experts)", 4),
    (r".*(n_group|topk_group)|n_groups|mamba_n_groups|time_step_rank", 1),
    (r".*topk_group|.*shared_experts", 1),
    (r"first_k_dense_replace", 1),
    (r".*(num_value_heads|heads|n_head)", 4),
    (r"kv_lora_rank|q_lora_rank|o_lora_rank|.*state_size|.*d_state|.*num_buckets", 16),
    (r".*(head_dim|head_size|rotary_dim|d_kv|linear_.*_head_dim|attention_head_dim)", 8),
    (r".*(intermediate_size|ffn_dim|d_ff|n_inner|mlp_dim|feedforward_dim|ffn_hidden_size|mlp_hidden_size)", 64),
    (r".*(hidden_size|d_model|n_embd|embed_dim|emb_dim|embedding_size|embedding_dim|projection_dim|proj_dim"
     r"|hidden_dim|model_dim|latent_dim|hidden_channels|fpn_hidden_size|proj_size|width|channels_dim)|dim", 32),
    (r".*(sliding_window|window_length)|attention_window_size|local_attention", 8),
    (r"max_source_positions", 20),
    (r".*position_embeddings|n_positions|max_seq_len|seq_length|max_target_positions|n_ctx|context_length", 64),
    (r".*num_queries", 8),
    (r"num_conv_pos_embeddings", 15),
    (r".*conv_pos_embedding_groups", 4),
)  # fmt: skip
"""Names and the numbers that their fields have at most. 0: as it is; -1: none."""
_ASSUMED = {
    "pad_token_id": 0,
    "num_experts_per_tok": 8,
    "n_routed_experts": 64,
    "head_dim": 128,
    "topk_group": 1,
    "n_group": 1,
}
"""Numbers of fields that are None by default."""
_RANDOM = ("apply_spec_augment", "mask_time_prob", "mask_feature_prob")
"""Fields that decide whether parts of the inputs are left out."""
_IDS = re.compile(r".*_(token_)?(id|index)")
_WIDTHS = re.compile(
    r".*(hidden_sizes|embed_dims?|channels|conv_dim|widths|planes|neck_hidden_sizes|hidden_dims?|dims)"
)


def every() -> dict[str, str]:
    """The task of a model of each type, by its name."""
    auto = importlib.import_module("transformers.models.auto.modeling_auto")
    done, found = set[str](), dict[str, str]()
    for task, mapping in [*((task, f"MODEL_FOR_{name}") for task, name in TASKS.items()), (OTHERS, "MODEL")]:
        for kind, names in getattr(auto, f"{mapping}_MAPPING_NAMES").items():
            if kind not in done:
                done.add(kind)
                found.setdefault(names if isinstance(names, str) else names[0], task)
    return found


def tiny(name: str) -> tuple[torch.nn.Module, dict[str, Any], dict[str, torch.Tensor]]:
    """A model, further arguments of a call, and its inputs.

    Raises:
        ValueError: none runs.
    """
    cls = getattr(importlib.import_module("transformers"), name)
    problems: list[Exception] = []
    for scale, image in ((1, 32), (2, 64), (2, 224)):
        try:
            config = shrunk(cls.config_class, scale, image)
            with torch.device("meta"):
                _check_size(cls(config))
            config._experts_implementation = "eager"  # the one that computes in float64
            torch.manual_seed(0)
            made = cls(config)
        except Exception as error:  # whatever a configuration or a model raises for numbers that do not fit
            problems.append(error)
            continue
        for inputs in _inputs(made, image):
            more = {"use_cache": False} if "use_cache" in _parameters(made) else {}
            try:
                with torch.no_grad():
                    made(**inputs, **more)[0]
            except Exception as error:  # whatever a model raises for inputs that do not fit
                problems.append(error)
                continue
            return made, more, inputs
    raise ValueError(
        "; ".join(dict.fromkeys(f"{type(p).__name__}: {' '.join(str(p).split())[:150]}" for p in problems))
    )


def _check_size(module: torch.nn.Module) -> None:
    """Check that a model has few parameters.

    Raises:
        ValueError: it has many.
    """
    sizes = {name: parameter.numel() for name, parameter in module.named_parameters()}
    if sum(sizes.values()) > MAX_PARAMETERS:
        largest = max(sizes, key=sizes.__getitem__)
        raise ValueError(f"{sum(sizes.values()):,} parameters, most of them in {largest}")


def _parameters(module: torch.nn.Module) -> Any:
    return inspect.signature(module.forward).parameters


# --- configurations ---------------------------------------------------------------------------------------------------


def shrunk(cls: Any, scale: int = 1, image: int = 32) -> Any:
    """A small configuration."""
    return cls(**fields_of(cls, scale, image))


def fields_of(cls: Any, scale: int, image: int) -> dict[str, Any]:
    """The fields of a small configuration that differ from the default."""
    whole, found = cls(), dict[str, Any]()
    parts = {name for name in getattr(cls, "sub_configs", {}) if dataclasses.is_dataclass(getattr(whole, name, None))}
    for name in parts:
        part = getattr(whole, name)
        found[name] = fields_of(type(part), scale, image) | {"model_type": part.model_type}
    for field in dataclasses.fields(cls):
        if field.name in parts or not field.init:
            continue
        default = _ASSUMED.get(field.name) if field.default is None else field.default
        if field.name in _RANDOM or (isinstance(default, float) and "drop" in field.name):
            number = type(default)(0)
        elif isinstance(default, int) and not isinstance(default, bool):
            number = _number(field.name, default, scale, image)
        elif isinstance(default, list | tuple) and default and all(type(n) is int for n in default):
            number = _numbers(field.name, default, scale, image)
        else:
            continue
        if number != field.default:
            found[field.name] = number
    if getattr(whole, "num_key_value_heads", 0) == getattr(whole, "num_attention_heads", None):
        found["num_key_value_heads"] = found.get("num_attention_heads", whole.num_attention_heads)
    rope = getattr(whole, "rope_parameters", None) or {}
    if "mrope_section" in rope:
        found["rope_parameters"] = {**rope, "mrope_section": [2 * scale, scale, scale]}
    kinds = list(dict.fromkeys(getattr(whole, "layer_types", None) or ()))
    if kinds and "layer_types" in {field.name for field in dataclasses.fields(cls)}:
        kinds = kinds if len(kinds) > 1 else kinds * 2
        found |= {"layer_types": kinds, "num_hidden_layers": len(kinds)}
    return found


def _number(name: str, default: int, scale: int, image: int) -> int:
    if name in ("image_size", "img_size", "input_size"):
        return image
    if name == "patch_size" and default > 8:
        return 8
    if _IDS.fullmatch(name):
        return default if default < VOCABULARY else 99 - sum(map(ord, name)) % 10
    for pattern, most in _SIZES:
        if re.fullmatch(pattern, name):
            if most < 1:
                return default + most * default
            wide = most > 2 and not re.fullmatch(r".*(vocab\w*|heads|n_head|experts|positions?|embeddings)", name)
            return min(default, most * (scale if wide else 1))
    return default


def _numbers(name: str, default: Any, scale: int, image: int) -> Any:
    if name in ("image_size", "img_size", "input_size"):
        return (image,) * len(default)
    if name == "patch_size":
        return tuple(min(n, 8) for n in default)
    if re.fullmatch(r"depths|.*num_blocks|.*layers_per_block", name):
        return [1] * len(default)
    if re.fullmatch(r".*heads", name):
        return [min(n, 2) for n in default]
    if _WIDTHS.fullmatch(name):
        least = max(1, min(default))
        return [max(1, n * 8 * scale // least) for n in default]
    return default


# --- inputs -----------------------------------------------------------------------------------------------------------


def _inputs(module: Any, image: int) -> Iterator[dict[str, torch.Tensor]]:
    """Inputs that a model may take, the likely ones first."""
    parameters, config = _parameters(module), module.config
    ids = functools.partial(torch.randint, 3, 80, TOKENS)
    own = str(module.main_input_name)
    decoder = {"decoder_input_ids": ids()} if "decoder_input_ids" in parameters else {}
    if own in ("input_ids", "inputs"):
        yield {own: ids(), **decoder}
        yield {own: ids()}
        if "pixel_values" in parameters:
            name, value = next(_images(config, image))
            yield {own: ids(), name: value}
        if "bbox" in parameters:
            yield {own: ids(), "bbox": torch.randint(0, 20, (*TOKENS, 4))}
    if own == "pixel_values" or "pixel_values" in parameters:
        for name, value in _images(config, image):
            yield {name: value, **decoder}
            yield {name: value}
    if own == "pixel_values_videos":
        yield {own: torch.randn(2, 4, 3, image, image)}
    if own == "input_values":
        yield {own: torch.randn(2, 4000), **decoder}
        yield {own: torch.randn(2, 1, 4000)}
        yield {own: torch.randn(2, 64, 16)}
    mels = next((n for n in (getattr(config, "num_mel_bins", None), getattr(config, "feature_size", None)) if n), 80)
    for name in (own, "input_features"):
        if name in parameters and name not in ("input_ids", "pixel_values", "input_values"):
            yield {name: torch.randn(2, mels, 40), **decoder}
            yield {name: torch.randn(2, 40, mels), **decoder}
            yield {name: torch.randn(2, 40, mels)}
            yield {name: torch.randn(2, 40, 160)}
            yield {name: torch.randn(2, 1, 64, 64)}
    if own != "input_ids" and "input_ids" in parameters:
        yield {"input_ids": ids(), **decoder}
    if "inputs_embeds" in parameters and hasattr(config, "hidden_size"):
        yield {"inputs_embeds": torch.randn(*TOKENS, config.hidden_size)}
    if "hidden_states" in parameters and hasattr(config, "hidden_size"):
        yield {"hidden_states": torch.randn(*TOKENS, config.hidden_size)}


def _images(config: Any, image: int) -> Iterator[tuple[str, torch.Tensor]]:
    parts = (config, getattr(config, "vision_config", None), getattr(config, "backbone_config", None))
    sizes = [n for part in parts for n in [getattr(part, "image_size", None)] if n]
    channels = next((n for part in parts for n in [getattr(part, "num_channels", None)] if isinstance(n, int)), 3)
    size = (sizes or [image])[0]
    height, width = (size, size) if isinstance(size, int) else tuple(size)[-2:]
    yield "pixel_values", torch.randn(2, channels, height, width)
    yield "pixel_values", torch.randn(2, 4, channels, height, width)
