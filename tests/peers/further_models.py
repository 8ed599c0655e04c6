"""Models of further packages for architectures.py: small configurations with random weights.

A name is a package, the path of a class or function in it, and after `#` what distinguishes several configurations.
"""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable
from typing import Any

import torch

from mochac.base.records import record


@record
class Ids:
    """An input of class indices: their number, and the shape of a sample."""

    count: int
    shape: tuple[int, ...] = ()


@record
class Made:
    """An argument that is itself made from a class or function of the package."""

    path: str
    args: tuple[Any, ...] = ()
    fields: tuple[tuple[str, Any], ...] = ()


class Called(torch.nn.Module):
    """A model that is called with further arguments, and of whose results one may be picked."""

    def __init__(self, model: torch.nn.Module, more: dict[str, Any], pick: Callable[[Any], Any] | None) -> None:
        super().__init__()
        self.model, self.more, self.pick = model, more, pick

    def forward(self, *inputs):
        found = self.model(*inputs, **self.more)
        return self.pick(found) if self.pick else found


@record
class Entry:
    """A configuration: fields of the constructor, the inputs, and how the model is called.

    Attributes:
        fields: arguments of the class or function by name.
        inputs: shapes of a sample, or Ids.
        more: further arguments of the call.
        pick: what is taken of the results; None for all.
        home: module of the package in which the path begins.
    """

    fields: dict[str, Any]
    inputs: tuple[Any, ...]
    more: dict[str, Any]
    pick: Callable[[Any], Any] | None = None
    home: str = ""

    def make(self, path: str) -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
        """The model and its inputs."""
        fields = {name: _made(value, self.home) for name, value in self.fields.items()}
        model = _found(f"{self.home}.{path}" if self.home else path)(**fields)
        model = Called(model, self.more, self.pick) if self.more or self.pick else model
        return model, tuple(_input(x) for x in self.inputs)


def entry(fields: dict[str, Any], *inputs: Any, pick: Any = None, home: str = "", **more: Any) -> Entry:
    return Entry(fields, inputs, more, pick, home)


def _input(x: Any) -> torch.Tensor:
    return torch.randint(0, x.count, (2, *x.shape)) if isinstance(x, Ids) else torch.randn(2, *x)


def _made(value: Any, home: str) -> Any:
    if not isinstance(value, Made):
        return value
    path = f"{home}.{value.path}" if home else value.path
    return _found(path)(*(_made(x, home) for x in value.args), **{k: _made(x, home) for k, x in value.fields})


def _found(path: str) -> Any:
    """A class or function by its module and name."""
    module, _, name = path.rpartition(".")
    try:
        return getattr(importlib.import_module(module), name)
    except ModuleNotFoundError:
        return getattr(_found(module), name)


# --- vit_pytorch ------------------------------------------------------------------------------------------------------

_VIT = {
    "image_size": 32, "patch_size": 8, "num_classes": 10, "dim": 32, "depth": 2, "heads": 2, "mlp_dim": 64,
    "dim_head": 16,
}  # fmt: skip
_IMAGE, _VIDEO = (3, 32, 32), (3, 4, 32, 32)
_FRAMES = {
    "image_size": 32, "frames": 4, "image_patch_size": 8, "frame_patch_size": 2, "num_classes": 10, "dim": 32,
    "heads": 2, "mlp_dim": 64, "dim_head": 16,
}  # fmt: skip
_SERIES = {"seq_len": 32, "patch_size": 4, "num_classes": 10, "dim": 32, "depth": 2, "heads": 2, "mlp_dim": 64}
_ND = {
    "ndim": 3, "input_shape": (4, 16, 16), "patch_size": (2, 8, 8), "num_classes": 10, "dim": 48, "depth": 2,
    "heads": 2, "mlp_dim": 64, "dim_head": 24,
}  # fmt: skip
_CCT = {
    "embedding_dim": 32, "n_conv_layers": 2, "kernel_size": 7, "stride": 2, "padding": 3, "num_layers": 2,
    "num_heads": 2, "mlp_ratio": 2.0, "num_classes": 10, "attention_dropout": 0.0, "stochastic_depth_rate": 0.0,
    "dropout_rate": 0.0,
}  # fmt: skip
_STAGES = {"num_classes": 10, "dim": (16, 32, 32, 64), "depth": (1, 1, 1, 1)}


def _without(fields: dict[str, Any], *names: str, **more: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in names} | more


VIT_PYTORCH = {
    **{
        path: entry(_VIT, _IMAGE)
        for path in """vit.ViT deepvit.DeepViT simple_vit.SimpleViT parallel_vit.ViT vaat.ViT vat.ViT
        learnable_memory_vit.ViT vit_for_small_dataset.ViT simple_vit_with_qk_norm.SimpleViT
        simple_vit_with_register_tokens.SimpleViT simple_vit_with_value_residual.SimpleViT vit_5.ViT
        simple_vit_with_relative_proj_pos_bias.SimpleViT simple_vit_with_patch_dropout.SimpleViT jumbo_vit.JumboViT
        simple_vit_orthog_residual_update.SimpleViT simple_vit_attn_residual.SimpleViTAttnResidual
        attn_residual_with_dca_simple_vit.SimpleViT simple_vit_with_specialized_cls.SimpleViT vit_with_decorr.ViT
        simple_vit_with_sparse_gating.SimpleViTWithSparseGating vit_with_keel_post_ln.ViT vit_with_patch_dropout.ViT
        normalized_vit.nViT simple_uvit.SimpleUViT mp3.ViT vit_detpool.ViTDetPool simple_flash_attn_vit.SimpleViT
        distill.DistillableViT""".split()
    },
    "vit.ViT#mean": entry(_VIT | {"pool": "mean"}, _IMAGE),
    "simple_flash_attn_vit.SimpleViT#plain": entry(_VIT | {"use_flash": False}, _IMAGE),
    "ats_vit.ViT": entry(_VIT | {"max_tokens_per_depth": (8, 4)}, _IMAGE),
    "cait.CaiT": entry(_VIT | {"cls_depth": 1}, _IMAGE),
    "cct.CCT": entry(_CCT | {"img_size": 32, "positional_embedding": "learnable"}, _IMAGE),
    "cct.CCT#sine": entry(_CCT | {"img_size": 32, "positional_embedding": "sine"}, _IMAGE),
    "cct_3d.CCT": entry(
        _CCT | {"img_size": 32, "num_frames": 4, "frame_kernel_size": 3, "positional_embedding": "learnable"}, _VIDEO
    ),
    "cross_vit.CrossViT": entry(
        {"image_size": 32, "num_classes": 10, "sm_dim": 32, "lg_dim": 64, "sm_patch_size": 4, "sm_enc_depth": 1,
         "sm_enc_heads": 2, "sm_enc_mlp_dim": 64, "lg_patch_size": 8, "lg_enc_depth": 1, "lg_enc_heads": 2,
         "lg_enc_mlp_dim": 64, "cross_attn_depth": 1, "cross_attn_heads": 2, "depth": 2, "dropout": 0.0,
         "emb_dropout": 0.0}, _IMAGE,
    ),
    "crossformer.CrossFormer": entry(
        _STAGES | {"local_window_size": 2, "global_window_size": (4, 2, 2, 1)}, (3, 64, 64)
    ),
    "cvt.CvT": entry(
        {"num_classes": 10, "s1_emb_dim": 16, "s2_emb_dim": 32, "s2_heads": 2, "s2_depth": 1, "s3_emb_dim": 32,
         "s3_heads": 2, "s3_depth": 1, "s1_mlp_mult": 2, "s2_mlp_mult": 2, "s3_mlp_mult": 2}, (3, 64, 64),
    ),
    "efficient.ViT": entry(
        {"image_size": 32, "patch_size": 8, "num_classes": 10, "dim": 32,
         "transformer": Made("vit.Transformer", (32, 1, 2, 16, 64))}, _IMAGE, home="vit_pytorch",
    ),
    "jet_vit.JetViT": entry(_VIT | {"window_size": 2}, _IMAGE),
    "jet_vit.JetViT#linear": entry(_VIT | {"attn_layers": ["LA", "FA"], "window_size": 2}, _IMAGE),
    "jet_vit.JetViT#window": entry(_VIT | {"attn_layers": ["WA", "LA"], "window_size": 2}, _IMAGE),
    "levit.LeViT": entry(
        {"image_size": 64, "num_classes": 10, "stages": 2, "dim": (32, 48), "depth": 1, "heads": (2, 3), "mlp_mult": 2,
         "dim_key": 16, "dim_value": 16}, (3, 64, 64),
    ),
    "levit.LeViT#distilled": entry(
        {"image_size": 64, "num_classes": 10, "stages": 2, "dim": (32, 48), "depth": 1, "heads": (2, 3), "mlp_mult": 2,
         "num_distill_classes": 10}, (3, 64, 64),
    ),
    "levjepa.VideoTransformer": entry(
        _without(_VIT, "num_classes", frames=4, dim_head=24, patch_size=(2, 8, 8)), _VIDEO
    ),
    "levjepa_nd.NDTransformer": entry(_without(_ND, "num_classes"), (3, 4, 16, 16)),
    "look_vit.LookViT": entry(
        {"dim": 32, "image_size": 32, "num_classes": 10, "depth": 2, "patch_size": 8, "heads": 2, "dim_head": 16,
         "highres_patch_size": 4, "cross_attn_heads": 2, "cross_attn_dim_head": 16, "mlp_factor": 2, "dropout": 0.0},
        _IMAGE,
    ),
    "looped_vit.LoopedViT": entry(
        {"image_size": 32, "patch_size": 8, "num_classes": 10, "dim": 32, "pre_loop_depth": 1, "num_looped_blocks": 1,
         "post_loop_depth": 1, "loop_depth": 2, "heads": 2, "dim_head": 16, "mlp_dim": 64}, _IMAGE,
    ),
    "max_vit.MaxViT": entry(
        {"num_classes": 10, "dim": 16, "depth": (1, 1), "dim_head": 8, "dim_conv_stem": 16, "window_size": 4,
         "dropout": 0.0}, (3, 64, 64),
    ),
    "max_vit_with_registers.MaxViT": entry(
        {"num_classes": 10, "dim": 16, "depth": (1, 1), "dim_head": 8, "dim_conv_stem": 16, "window_size": 4,
         "dropout": 0.0}, (3, 64, 64),
    ),
    "mobile_vit.MobileViT": entry(
        {"image_size": (64, 64), "dims": [16, 24, 32], "channels": [16, 16, 24, 24, 24, 24, 32, 32, 32, 32, 48],
         "num_classes": 10, "depths": (1, 1, 1)}, (3, 64, 64),
    ),
    "nest.NesT": entry(
        {"image_size": 32, "patch_size": 4, "num_classes": 10, "dim": 16, "heads": 2, "num_hierarchies": 2,
         "block_repeats": (1, 1), "mlp_mult": 2, "dim_head": 8}, _IMAGE,
    ),
    "pit.PiT": entry(_VIT | {"depth": (1, 1)}, _IMAGE),
    "regionvit.RegionViT": entry(_STAGES | {"window_size": 7}, (3, 224, 224)),
    "regionvit.RegionViT#peg": entry(
        _STAGES | {"window_size": 7, "tokenize_local_3_conv": True, "use_peg": True}, (3, 224, 224)
    ),
    "rvt.RvT": entry(_VIT, _IMAGE),
    "scalable_vit.ScalableViT": entry(
        {"num_classes": 10, "dim": 16, "depth": (1, 1), "heads": (2, 2), "reduction_factor": (2, 1),
         "window_size": (4, None), "ssa_dim_key": (8, 8), "iwsa_dim_key": 8, "iwsa_dim_value": 8, "ssa_dim_value": 8},
        _IMAGE,
    ),
    "sep_vit.SepViT": entry(
        {"num_classes": 10, "dim": 16, "depth": (1, 1), "heads": (1, 2), "window_size": 4, "dim_head": 8}, _IMAGE,
    ),
    "simple_flash_attn_vit_3d.SimpleViT": entry(_FRAMES | {"depth": 2}, _VIDEO),
    "simple_vit_1d.SimpleViT": entry(_SERIES, (3, 32)),
    "simple_vit_3d.SimpleViT": entry(_FRAMES | {"depth": 2}, _VIDEO),
    "simple_vit_with_fft.SimpleViT": entry(_VIT | {"freq_patch_size": 8}, _IMAGE),
    "simple_vit_with_hyper_connections.SimpleViT": entry(_VIT | {"num_residual_streams": 2}, _IMAGE),
    "t2t.T2TViT": entry(
        {"image_size": 32, "num_classes": 10, "dim": 32, "depth": 1, "heads": 2, "mlp_dim": 64, "dim_head": 16,
         "t2t_layers": ((7, 4), (3, 2))}, _IMAGE,
    ),
    "twins_svt.TwinsSVT": entry(
        {"num_classes": 10, **{f"s{k}_{name}": value for k in range(1, 5) for name, value in
                               {"emb_dim": 16 * k, "local_patch_size": 2, "global_k": 2, "depth": 1,
                                "patch_size": 4 if k == 1 else 2}.items() if k < 4 or name != "local_patch_size"}},
        (3, 128, 128),
    ),
    "vit_1d.ViT": entry(_SERIES, (3, 32)),
    "vit_3d.ViT": entry(_FRAMES | {"depth": 2}, _VIDEO),
    "vit_nd.ViTND": entry(_ND, (3, 4, 16, 16)),
    "vit_nd_pope.ViTND": entry(_ND, (3, 4, 16, 16)),
    "vit_nd_rotary.ViTND": entry(_ND, (3, 4, 16, 16)),
    "vit_with_patch_merger.ViT": entry(_VIT | {"patch_merge_layer": 1, "patch_merge_num_tokens": 4}, _IMAGE),
    "vivit.ViViT": entry(_FRAMES | {"spatial_depth": 1, "temporal_depth": 1}, _VIDEO),
    "vivit.ViViT#self_attention": entry(
        _FRAMES | {"spatial_depth": 1, "temporal_depth": 1, "variant": "factorized_self_attention"}, _VIDEO
    ),
    "vivit_with_moss.ViViT": entry(_FRAMES | {"spatial_depth": 1, "temporal_depth": 1}, _VIDEO),
    "vat.VAT": entry(
        {"vit": _VIT, "dim": 32, "depth": 2, "heads": 2, "dim_head": 16, "dim_action": 5, "mlp_dim": 64}, _IMAGE,
    ),
    "wwt.WWT": entry(
        {"image_size": 32, "patch_size": 8, "num_classes": 10, "dim": 32, "depth": 2, "num_slots": 4, "heads": 2,
         "dim_head": 16}, _IMAGE,
    ),
    "xcit.XCiT": entry(_VIT | {"cls_depth": 1}, _IMAGE),
}  # fmt: skip


# --- segmentation_models_pytorch --------------------------------------------------------------------------------------

_SMP = {"encoder_name": "resnet18", "encoder_weights": None, "classes": 3}
SEGMENTATION_MODELS_PYTORCH = {
    **{
        name: entry(_SMP, (3, 64, 64))
        for name in "Unet UnetPlusPlus MAnet Linknet FPN PSPNet PAN DeepLabV3 DeepLabV3Plus UPerNet Segformer".split()
    },
    "DPT": entry(_SMP | {"encoder_name": "tu-vit_tiny_patch16_224", "encoder_depth": 4}, (3, 224, 224)),
    "Unet#scse": entry(_SMP | {"decoder_attention_type": "scse"}, (3, 64, 64)),
    "Unet#labels": entry(_SMP | {"aux_params": {"classes": 4, "dropout": None}}, (3, 64, 64)),
    "Unet#bilinear": entry(_SMP | {"decoder_interpolation": "bilinear"}, (3, 64, 64)),
    **{
        f"Unet#{encoder}": entry(_SMP | {"encoder_name": encoder}, (3, 64, 64))
        for encoder in """resnext50_32x4d timm-resnest14d timm-res2net50_26w_4s timm-regnetx_002 se_resnet50 densenet121
        inceptionresnetv2 inceptionv4 efficientnet-b0 timm-efficientnet-b0 mobilenet_v2 xception vgg11_bn dpn68
        mit_b0 mobileone_s0 timm-gernet_s timm-skresnet18 timm-mobilenetv3_small_075 tu-convnext_atto""".split()
    },
}

# --- monai ------------------------------------------------------------------------------------------------------------

_IN_OUT = {"in_channels": 1, "out_channels": 2}
_2D, _3D = {"spatial_dims": 2, **_IN_OUT}, {"spatial_dims": 3, **_IN_OUT}
_PLANE, _CUBE = (1, 32, 32), (1, 16, 16, 16)
_LEVELS = {"channels": (4, 8, 16), "strides": (2, 2)}
_STEPS = {"channels": (4, 8), "strides": (2, 2)}
_KL = {"channels": (8, 16), "num_res_blocks": 1, "attention_levels": (False, True), "norm_num_groups": 4}
_DYN = {"kernel_size": (3, 3, 3), "strides": (1, 2, 2), "upsample_kernel_size": (2, 2), "filters": (4, 8, 16)}
_FEATURES = {"features": (4, 4, 8, 8, 16, 4)}
_VIT_3D = {"hidden_size": 24, "mlp_dim": 48, "num_layers": 2, "num_heads": 2}
_NETS = "monai.networks.nets"


def _monai(fields: dict[str, Any], *inputs: Any, **more: Any) -> Entry:
    return entry(fields, *inputs, home=_NETS, **more)


MONAI = {
    "UNet#2d": _monai(_2D | _LEVELS, _PLANE),
    "UNet#3d": _monai(_3D | _LEVELS | {"num_res_units": 2}, _CUBE),
    "UNet#batch": _monai(_2D | _LEVELS | {"norm": "batch", "act": "relu", "num_res_units": 1}, _PLANE),
    "AttentionUnet": _monai(_2D | _LEVELS, _PLANE),
    "AttentionUnet#3d": _monai(_3D | _LEVELS, _CUBE),
    "AutoEncoder": _monai(_2D | _STEPS, _PLANE),
    "AutoEncoder#inner": _monai(_2D | _STEPS | {"inter_channels": (8, 8), "num_res_units": 1}, _PLANE),
    "VarAutoEncoder": _monai(
        {"spatial_dims": 2, "in_shape": (1, 32, 32), "out_channels": 1, "latent_size": 4, "use_mean_at_inference": True,
         **_STEPS}, _PLANE,
    ),
    "AutoencoderKL": _monai(_2D | _KL, _PLANE),
    "BasicUNet": _monai(_2D | _FEATURES, _PLANE),
    "BasicUNet#3d": _monai(_3D | _FEATURES | {"upsample": "nontrainable"}, (1, 32, 32, 32)),
    "BasicUNetPlusPlus": _monai(_2D | _FEATURES, _PLANE),
    "Classifier": _monai({"in_shape": _PLANE, "classes": 3, "channels": (4, 8), "strides": (2, 2)}, _PLANE),
    "Discriminator": _monai({"in_shape": _PLANE, "channels": (4, 8), "strides": (2, 2), "dropout": 0.0}, _PLANE),
    "Critic": _monai({"in_shape": _PLANE, "channels": (4, 8), "strides": (2, 2), "dropout": 0.0}, _PLANE),
    "Regressor": _monai(
        {"in_shape": _PLANE, "out_shape": (2,), "channels": (4, 8), "strides": (2, 2)}, _PLANE
    ),
    "Generator": _monai(
        {"latent_shape": (8,), "start_shape": (8, 4, 4), "channels": (8, 4, 1), "strides": (2, 2, 2)}, (8,)
    ),
    "DAF3D": _monai(_IN_OUT, (1, 32, 32, 32)),
    "DenseNet": _monai(
        _2D | {"init_features": 8, "growth_rate": 4, "block_config": (1, 2)}, _PLANE
    ),
    "DenseNet#3d": _monai(_3D | {"init_features": 8, "growth_rate": 4, "block_config": (1, 2)}, _CUBE),
    "DiffusionModelUNet": _monai(_2D | _KL | {"num_head_channels": 8}, _PLANE, Ids(100)),
    "DiffusionModelUNet#conditioned": _monai(
        _2D | _KL | {"num_head_channels": 8, "with_conditioning": True, "cross_attention_dim": 6},
        _PLANE, Ids(100), (3, 6),
    ),
    "DiNTS": _monai(
        {"dints_space": Made("TopologyInstance", (), (("num_blocks", 3), ("num_depths", 2), ("spatial_dims", 2),
                                                      ("channel_mul", 0.25))),
         "in_channels": 1, "num_classes": 2, "spatial_dims": 2}, _PLANE,
    ),
    "DynUNet": _monai(_2D | _DYN, _PLANE),
    "DynUNet#3d": _monai(_3D | _DYN | {"res_block": True}, _CUBE),
    "DynUNet#deep": _monai(_2D | _DYN | {"deep_supervision": True, "deep_supr_num": 1}, _PLANE),
    "EfficientNetBN": _monai(
        {"model_name": "efficientnet-b0", "pretrained": False, "spatial_dims": 2, "in_channels": 1, "num_classes": 3},
        (1, 64, 64),
    ),
    "FlexibleUNet": _monai(_IN_OUT | {"backbone": "resnet18"}, (1, 64, 64)),
    "FullyConnectedNet": _monai({"in_channels": 5, "out_channels": 3, "hidden_channels": (8, 6)}, (5,)),
    "HighResNet": _monai(_2D, _PLANE),
    "HoVerNet": _monai({"mode": "FAST"}, (3, 256, 256)),
    "MaskedAutoEncoderViT": _monai(
        {"in_channels": 1, "img_size": (16, 16), "patch_size": (8, 8), "spatial_dims": 2, "decoder_hidden_size": 24,
         "decoder_mlp_dim": 24, "decoder_num_layers": 1, "decoder_num_heads": 2, **_VIT_3D}, (1, 16, 16),
    ),
    "MedNeXt": _monai(
        _2D | {"init_filters": 8, "kernel_size": 3, "blocks_down": (1, 1), "blocks_bottleneck": 1, "blocks_up": (1, 1)},
        _PLANE,
    ),
    "MILModel": _monai({"num_classes": 3, "backbone": "resnet18", "pretrained": False}, (2, 3, 64, 64)),
    "MILModel#transformer": _monai(
        {"num_classes": 3, "backbone": "resnet18", "pretrained": False, "mil_mode": "att_trans", "trans_blocks": 1,
         "trans_dropout": 0.0}, (2, 3, 64, 64),
    ),
    "PatchDiscriminator": _monai({"spatial_dims": 2, "channels": 4, "in_channels": 1}, (1, 64, 64)),
    "MultiScalePatchDiscriminator": _monai(
        {"num_d": 2, "num_layers_d": 2, "spatial_dims": 2, "channels": 4, "in_channels": 1, "minimum_size_im": 64},
        (1, 64, 64),
    ),
    "Quicknat": _monai({"num_classes": 3, "num_filters": 4}, _PLANE),
    "GlobalNet": _monai(
        {"image_size": (32, 32), "spatial_dims": 2, "in_channels": 1, "num_channel_initial": 4, "depth": 2}, _PLANE
    ),
    "LocalNet": _monai(
        {"spatial_dims": 2, "in_channels": 1, "num_channel_initial": 4, "extract_levels": (0, 1)}, _PLANE
    ),
    "RegUNet": _monai({"spatial_dims": 2, "in_channels": 1, "num_channel_initial": 4, "depth": 2}, _PLANE),
    "ResNet": _monai(
        {"block": "basic", "layers": [1, 1, 1, 1], "block_inplanes": [4, 8, 8, 16], "spatial_dims": 3,
         "n_input_channels": 1, "num_classes": 3}, (1, 32, 32, 32),
    ),
    "SegResNet": _monai(_2D, _PLANE),
    "SegResNet#3d": _monai(_3D | {"blocks_down": (1, 1), "blocks_up": (1,)}, _CUBE),
    "SegResNetVAE": _monai(_2D | {"input_image_size": (32, 32), "vae_nz": 8}, _PLANE),
    "SegResNetDS": _monai(_2D | {"init_filters": 4, "blocks_down": (1, 1, 1), "dsdepth": 2}, _PLANE),
    "SENet154": _monai({"spatial_dims": 2, "in_channels": 1, "layers": (1, 1, 1, 1), "num_classes": 3}, (1, 64, 64)),
    "SEResNet50": _monai({"spatial_dims": 2, "in_channels": 1, "layers": (1, 1, 1, 1), "num_classes": 3}, (1, 64, 64)),
    "SPADEAutoencoderKL": _monai(_2D | _KL | {"label_nc": 2, "spade_intermediate_channels": 8}, _PLANE, (2, 32, 32)),
    "SPADEDiffusionModelUNet": _monai(
        _2D | _KL | {"label_nc": 2, "num_head_channels": 8, "spade_intermediate_channels": 8}, _PLANE, Ids(100),
        (2, 32, 32),
    ),
    "SwinUNETR": _monai(
        _IN_OUT | {"spatial_dims": 2, "feature_size": 12, "depths": (1, 1, 1, 1), "num_heads": (1, 2, 2, 2),
                   "window_size": 4}, (1, 64, 64),
    ),
    "SwinUNETR#v2": _monai(
        _IN_OUT | {"spatial_dims": 3, "feature_size": 12, "depths": (1, 1, 1, 1), "num_heads": (1, 2, 2, 2),
                   "window_size": 2, "use_v2": True}, (1, 32, 32, 32),
    ),
    "TorchVisionFCModel": _monai({"model_name": "resnet18", "num_classes": 3, "weights": None}, (3, 64, 64)),
    "Transchex": _monai(
        {"in_channels": 3, "img_size": (32, 32), "patch_size": (16, 16), "num_classes": 3, "num_language_layers": 1,
         "num_vision_layers": 1, "num_mixed_layers": 1, "hidden_size": 24, "num_attention_heads": 2,
         "intermediate_size": 48, "vocab_size": 50, "max_position_embeddings": 16, "chunk_size_feed_forward": 0},
        Ids(50, (8,)), Ids(2, (8,)), (3, 32, 32),
    ),
    "DecoderOnlyTransformer": _monai(
        {"num_tokens": 50, "max_seq_len": 16, "attn_layers_dim": 16, "attn_layers_depth": 2, "attn_layers_heads": 2},
        Ids(50, (12,)),
    ),
    "UNETR": _monai(
        _IN_OUT | {"img_size": (32, 32, 32), "feature_size": 8, "hidden_size": 24, "mlp_dim": 48, "num_heads": 2},
        (1, 32, 32, 32),
    ),
    "ViT": _monai(
        {"in_channels": 1, "img_size": (16, 16), "patch_size": (8, 8), "spatial_dims": 2, "classification": True,
         **_VIT_3D}, (1, 16, 16), pick=operator.itemgetter(0),
    ),
    "ViTAutoEnc": _monai(
        {"in_channels": 1, "img_size": (16, 16), "patch_size": (4, 4), "spatial_dims": 2, **_VIT_3D}, (1, 16, 16),
        pick=operator.itemgetter(0),
    ),
    "VNet": _monai(_2D | {"dropout_prob_down": 0.0, "dropout_prob_up": (0.0, 0.0)}, _PLANE),
    "VNet#3d": _monai(_3D | {"dropout_prob_down": 0.0, "dropout_prob_up": (0.0, 0.0)}, (1, 32, 32, 32)),
    "VoxelMorphUNet": _monai(
        {"spatial_dims": 2, "in_channels": 2, "unet_out_channels": 4, "channels": (4, 4, 8, 8),
         "final_conv_channels": (4, 4)}, (2, 32, 32),
    ),
    "VQVAE": _monai(
        _2D | {"channels": (8, 8), "num_res_layers": 1, "num_res_channels": (8, 8), "num_embeddings": 8,
               "embedding_dim": 4, "downsample_parameters": ((2, 4, 1, 1), (2, 4, 1, 1)),
               "upsample_parameters": ((2, 4, 1, 1, 0), (2, 4, 1, 1, 0))}, _PLANE,
    ),
}  # fmt: skip

# --- diffusers --------------------------------------------------------------------------------------------------------

_BLOCKS = {"block_out_channels": (8, 16), "norm_num_groups": 4, "layers_per_block": 1}
_TEXT = (5, 12)
_LATENTS = (4, 8, 8)
_DIT = {"num_attention_heads": 2, "attention_head_dim": 8, "num_layers": 2, "sample_size": 8}
_CROSS = {
    "down_block_types": ("CrossAttnDownBlock2D", "DownBlock2D"), "cross_attention_dim": 12, "attention_head_dim": 4,
}  # fmt: skip
_CODER = {
    "down_block_types": ("DownEncoderBlock2D", "DownEncoderBlock2D"),
    "up_block_types": ("UpDecoderBlock2D", "UpDecoderBlock2D"), "block_out_channels": (8, 16), "norm_num_groups": 4,
}  # fmt: skip


def _diffusers(fields: dict[str, Any], *inputs: Any, **more: Any) -> Entry:
    return entry(fields, *inputs, return_dict=False, **more)


DIFFUSERS = {
    "UNet2DModel": _diffusers(
        _BLOCKS | {"sample_size": 16, "down_block_types": ("DownBlock2D", "AttnDownBlock2D"),
                   "up_block_types": ("AttnUpBlock2D", "UpBlock2D"), "attention_head_dim": 4}, (3, 16, 16), Ids(100),
    ),
    "UNet2DModel#scale_shift": _diffusers(
        _BLOCKS | {"sample_size": 16, "down_block_types": ("ResnetDownsampleBlock2D", "ResnetDownsampleBlock2D"),
                   "up_block_types": ("ResnetUpsampleBlock2D", "ResnetUpsampleBlock2D"), "attention_head_dim": 4,
                   "resnet_time_scale_shift": "scale_shift"}, (3, 16, 16), Ids(100),
    ),
    "UNet2DConditionModel": _diffusers(
        _BLOCKS | _CROSS | {"sample_size": 8, "up_block_types": ("UpBlock2D", "CrossAttnUpBlock2D")}, _LATENTS,
        Ids(100), _TEXT,
    ),
    "UNet2DConditionModel#linear": _diffusers(
        _BLOCKS | _CROSS | {"sample_size": 8, "up_block_types": ("UpBlock2D", "CrossAttnUpBlock2D"),
                            "use_linear_projection": True, "transformer_layers_per_block": 2}, _LATENTS, Ids(100),
        _TEXT,
    ),
    "UNet1DModel": _diffusers(
        {"sample_size": 64, "block_out_channels": (8, 8, 16), "extra_in_channels": 16}, (2, 64), Ids(100),
    ),
    "UNet3DConditionModel": _diffusers(
        _BLOCKS | {"sample_size": 8, "down_block_types": ("CrossAttnDownBlock3D", "DownBlock3D"),
                   "up_block_types": ("UpBlock3D", "CrossAttnUpBlock3D"), "cross_attention_dim": 12,
                   "attention_head_dim": 4}, (4, 3, 8, 8), Ids(100), _TEXT,
    ),
    "ControlNetModel": _diffusers(
        _BLOCKS | _CROSS | {"conditioning_embedding_out_channels": (4, 8, 8, 8)}, _LATENTS, Ids(100), _TEXT,
        (3, 64, 64), pick=operator.itemgetter(1),
    ),
    "AutoencoderKL": _diffusers(_CODER, (3, 16, 16)),
    "AsymmetricAutoencoderKL": _diffusers(
        {"down_block_types": _CODER["down_block_types"], "up_block_types": _CODER["up_block_types"],
         "down_block_out_channels": (8, 16), "up_block_out_channels": (8, 16), "norm_num_groups": 4}, (3, 16, 16),
    ),
    "AutoencoderTiny": _diffusers(
        {"encoder_block_out_channels": (8, 8), "decoder_block_out_channels": (8, 8), "num_encoder_blocks": (1, 1),
         "num_decoder_blocks": (1, 1)}, (3, 16, 16),
    ),
    "AutoencoderDC": _diffusers(
        {"latent_channels": 4, "attention_head_dim": 4, "encoder_block_types": ("ResBlock", "EfficientViTBlock"),
         "decoder_block_types": ("ResBlock", "EfficientViTBlock"), "encoder_block_out_channels": (8, 8),
         "decoder_block_out_channels": (8, 8), "encoder_layers_per_block": (1, 1), "decoder_layers_per_block": (1, 1),
         "encoder_qkv_multiscales": ((), (5,)), "decoder_qkv_multiscales": ((), (5,)),
         "upsample_block_type": "interpolate", "downsample_block_type": "stride_conv", "decoder_act_fns": "silu"},
        (3, 16, 16),
    ),
    "AutoencoderOobleck": _diffusers(
        {"encoder_hidden_size": 8, "downsampling_ratios": [2, 4], "channel_multiples": [1, 2], "decoder_channels": 8,
         "decoder_input_channels": 4}, (2, 64),
    ),
    "VQModel": _diffusers(_CODER | {"num_vq_embeddings": 8}, (3, 16, 16)),
    "DiTTransformer2DModel": _diffusers(
        _DIT | {"num_embeds_ada_norm": 10, "norm_num_groups": 4}, _LATENTS, Ids(10), Ids(10)
    ),
    "PixArtTransformer2DModel": _diffusers(
        _DIT | {"cross_attention_dim": 16, "caption_channels": 12, "num_embeds_ada_norm": 10}, _LATENTS, _TEXT, Ids(10),
        added_cond_kwargs={"resolution": None, "aspect_ratio": None},
    ),
    "SD3Transformer2DModel": _diffusers(
        _DIT | {"in_channels": 4, "out_channels": 4, "joint_attention_dim": 12, "caption_projection_dim": 16,
                "pooled_projection_dim": 6, "pos_embed_max_size": 8}, _LATENTS, _TEXT, (6,), Ids(10),
    ),
    "FluxTransformer2DModel": _diffusers(
        {"in_channels": 4, "num_layers": 1, "num_single_layers": 1, "attention_head_dim": 16, "num_attention_heads": 2,
         "joint_attention_dim": 12, "pooled_projection_dim": 6, "axes_dims_rope": (4, 4, 8)}, (16, 4), _TEXT, (6,),
        Ids(10), img_ids=torch.zeros(16, 3), txt_ids=torch.zeros(5, 3),
    ),
    "SanaTransformer2DModel": _diffusers(
        {"in_channels": 4, "out_channels": 4, "num_attention_heads": 2, "attention_head_dim": 8, "num_layers": 1,
         "num_cross_attention_heads": 2, "cross_attention_head_dim": 8, "cross_attention_dim": 16,
         "caption_channels": 12, "sample_size": 8}, _LATENTS, _TEXT, Ids(10),
    ),
    "AuraFlowTransformer2DModel": _diffusers(
        {"sample_size": 8, "num_mmdit_layers": 1, "num_single_dit_layers": 1, "attention_head_dim": 8,
         "num_attention_heads": 2, "joint_attention_dim": 12, "caption_projection_dim": 16, "pos_embed_max_size": 16},
        _LATENTS, _TEXT, Ids(10),
    ),
    "PriorTransformer": _diffusers(
        {"num_attention_heads": 2, "attention_head_dim": 8, "num_layers": 1, "embedding_dim": 12, "num_embeddings": 5},
        (12,), Ids(10), (12,), (5, 12),
    ),
    "WanTransformer3DModel": _diffusers(
        {"num_attention_heads": 2, "attention_head_dim": 12, "in_channels": 4, "out_channels": 4, "text_dim": 12,
         "freq_dim": 16, "ffn_dim": 32, "num_layers": 1, "rope_max_seq_len": 32}, (4, 2, 8, 8), Ids(10), _TEXT,
    ),
    "CogVideoXTransformer3DModel": _diffusers(
        {"num_attention_heads": 2, "attention_head_dim": 8, "in_channels": 4, "out_channels": 4, "time_embed_dim": 8,
         "text_embed_dim": 12, "num_layers": 1, "sample_width": 8, "sample_height": 8, "sample_frames": 5,
         "max_text_seq_length": 5}, (2, 4, 8, 8), _TEXT, Ids(10),
    ),
    "Transformer2DModel": _diffusers(
        {"num_attention_heads": 2, "attention_head_dim": 8, "in_channels": 8, "norm_num_groups": 4,
         "cross_attention_dim": 12}, (8, 8, 8), _TEXT,
    ),
    "T2IAdapter": entry({"channels": [8, 8, 8, 8], "num_res_blocks": 1}, (3, 32, 32)),
}  # fmt: skip

# --- torchaudio -------------------------------------------------------------------------------------------------------

_WAV2VEC2 = {
    "extractor_mode": "group_norm", "extractor_conv_layer_config": [(16, 10, 5), (16, 3, 2)],
    "extractor_conv_bias": False, "encoder_embed_dim": 24, "encoder_projection_dropout": 0.0,
    "encoder_pos_conv_kernel": 8, "encoder_pos_conv_groups": 4, "encoder_num_layers": 2, "encoder_num_heads": 2,
    "encoder_attention_dropout": 0.0, "encoder_ff_interm_features": 32, "encoder_ff_interm_dropout": 0.0,
    "encoder_dropout": 0.0, "encoder_layer_norm_first": False, "encoder_layer_drop": 0.0, "aux_num_out": 10,
}  # fmt: skip
_CONFORMER = {"input_dim": 16, "num_heads": 2, "ffn_dim": 32, "num_layers": 2, "depthwise_conv_kernel_size": 3}
TORCHAUDIO = {
    "models.ConvTasNet": entry(
        {"enc_num_feats": 16, "msk_num_feats": 8, "msk_num_hidden_feats": 16, "msk_num_layers": 2, "msk_num_stacks": 1},
        (1, 200),
    ),
    "models.Conformer": entry(_CONFORMER, (12, 16), lengths=torch.tensor([12, 12]), pick=operator.itemgetter(0)),
    "models.Conformer#group_norm": entry(
        _CONFORMER | {"use_group_norm": True, "convolution_first": True}, (12, 16), lengths=torch.tensor([12, 12]),
        pick=operator.itemgetter(0),
    ),
    "models.DeepSpeech": entry({"n_feature": 8, "n_hidden": 16}, (1, 12, 8)),
    "models.Emformer": entry(
        {"input_dim": 16, "num_heads": 2, "ffn_dim": 32, "num_layers": 2, "segment_length": 4,
         "right_context_length": 1, "left_context_length": 4}, (13, 16), lengths=torch.tensor([12, 12]),
        pick=operator.itemgetter(0),
    ),
    "models.Wav2Letter": entry({"num_classes": 10, "input_type": "mfcc", "num_features": 8}, (8, 64)),
    "models.WaveRNN": entry(
        {"upsample_scales": [2, 2, 3], "n_classes": 16, "hop_length": 12, "n_res_block": 1, "n_rnn": 16, "n_fc": 16,
         "n_freq": 8, "n_hidden": 8, "n_output": 8}, (1, 24), (1, 8, 6),
    ),
    "models.tacotron2._Encoder": entry(
        {"encoder_embedding_dim": 16, "encoder_n_convolution": 2, "encoder_kernel_size": 5}, (16, 9),
        input_lengths=torch.tensor([9, 9]),
    ),
    "models.tacotron2._Postnet": entry(
        {"n_mels": 8, "postnet_embedding_dim": 16, "postnet_kernel_size": 5, "postnet_n_convolution": 3}, (8, 12)
    ),
    "models.wav2vec2_model": entry(_WAV2VEC2, (200,), pick=operator.itemgetter(0)),
    "models.wav2vec2_model#layer_norm": entry(
        _WAV2VEC2 | {"extractor_mode": "layer_norm", "encoder_layer_norm_first": True}, (200,),
        pick=operator.itemgetter(0),
    ),
    "models.squim_objective_model": entry(
        {"feat_dim": 16, "win_len": 8, "d_model": 8, "nhead": 2, "hidden_dim": 8, "num_blocks": 1, "rnn_type": "LSTM",
         "chunk_size": 8}, (200,),
    ),
}  # fmt: skip

# --- x_transformers ---------------------------------------------------------------------------------------------------

_LAYERS: dict[str, dict[str, Any]] = {
    name: {name: True}
    for name in """use_scalenorm use_rmsnorm use_simple_rmsnorm use_dynamic_tanh use_derf alibi_pos_bias rel_pos_bias
    dynamic_pos_bias rotary_pos_emb rotary_xpos polar_pos_emb weight_tie_layers residual_attn macaron sandwich_norm
    gate_residual orthog_residual mv_split_residual scale_residual depth_scale_residual resi_dual softclamp_output
    use_layerscale unet_skips integrate_layers reinject_input add_value_residual attn_aggregated_residuals
    pre_and_post_norm attn_flash attn_gate_values attn_head_scale attn_on_attn attn_one_kv_head
    attn_post_talking_heads attn_pre_talking_heads attn_qk_norm attn_qk_norm_dim_scale ff_glu ff_no_bias
    ff_post_act_ln ff_relu_squared ff_swish attn_hard""".split()
} | {
    "attn_kv_heads": {"attn_kv_heads": 1},
    "shift_tokens": {"shift_tokens": 1},
    "num_residual_streams": {"num_residual_streams": 2},
    "sandwich_coef": {"sandwich_coef": 1},
    "par_ratio": {"par_ratio": 4},
    "attn_sparse_topk": {"attn_sparse_topk": 4},
    "post_norm": {"pre_norm": False},
    "attn_num_mem_kv": {"attn_num_mem_kv": 2},
    "swiglu": {"ff_glu": True, "ff_swish": True, "ff_no_bias": True},
}


def _attention(kind: str, **fields: Any) -> Made:
    own = {"dim": 32, "depth": 2, "heads": 2, "attn_dim_head": 16, "ff_mult": 2, "verbose": False} | fields
    return Made(kind, (), tuple(own.items()))


def _tokens(layers: Made, **fields: Any) -> Entry:
    more = {"num_tokens": 50, "max_seq_len": 16, "attn_layers": layers, **fields}
    return entry(more, Ids(50, (12,)), home="x_transformers")


X_TRANSFORMERS = {
    "TransformerWrapper#encoder": _tokens(_attention("Encoder")),
    "TransformerWrapper#decoder": _tokens(_attention("Decoder")),
    "TransformerWrapper#memory_tokens": _tokens(_attention("Encoder"), num_memory_tokens=2),
    "TransformerWrapper#post_emb_norm": _tokens(_attention("Encoder"), post_emb_norm=True),
    "TransformerWrapper#tie_embedding": _tokens(_attention("Decoder"), tie_embedding=True),
    "TransformerWrapper#scaled_sinu": _tokens(_attention("Decoder"), scaled_sinu_pos_emb=True),
    "TransformerWrapper#l2norm_embed": _tokens(_attention("Decoder"), l2norm_embed=True),
    **{f"TransformerWrapper#{name}": _tokens(_attention("Decoder", **fields)) for name, fields in _LAYERS.items()},
    "ViTransformerWrapper": entry(
        {"image_size": 32, "patch_size": 8, "num_classes": 10, "attn_layers": _attention("Encoder")}, (3, 32, 32),
        home="x_transformers",
    ),
    "ContinuousTransformerWrapper": entry(
        {"dim_in": 6, "dim_out": 5, "max_seq_len": 16, "attn_layers": _attention("Encoder")}, (12, 6),
        home="x_transformers",
    ),
    "XTransformer": entry(
        {"dim": 32, "enc_num_tokens": 50, "enc_depth": 1, "enc_heads": 2, "enc_max_seq_len": 16, "dec_num_tokens": 50,
         "dec_depth": 1, "dec_heads": 2, "dec_max_seq_len": 16}, Ids(50, (12,)), Ids(50, (10,)), home="x_transformers",
    ),
}  # fmt: skip

# --- ultralytics ------------------------------------------------------------------------------------------------------

YOLO = {
    "yolo11n": "detect", "yolo11n-seg": "segment", "yolo11n-pose": "pose", "yolo11n-obb": "obb",
    "yolo11n-cls": "classify", "yolo12n": "detect", "yolov3-tiny": "detect", "yolov5n": "detect", "yolov6n": "detect",
    "yolov8n": "detect", "yolov8n-seg": "segment", "yolov8n-cls": "classify", "yolov8-ghost": "detect",
    "yolov9t": "detect", "yolov10n": "detect", "yolo26n": "detect", "yolo26n-cls": "classify", "rtdetr-l": "rtdetr",
}  # fmt: skip
_CLASSES = {
    "detect": "DetectionModel", "segment": "SegmentationModel", "pose": "PoseModel", "obb": "OBBModel",
    "classify": "ClassificationModel", "rtdetr": "RTDETRDetectionModel",
}  # fmt: skip
ULTRALYTICS = {
    f"nn.tasks.{_CLASSES[task]}#{name}": entry(
        {"cfg": f"{name}.yaml", "verbose": False, **({"nc": 10} if task in ("classify", "detect", "segment") else {})},
        (3, 64, 64),
    )
    for name, task in YOLO.items()
}

# --- kornia -----------------------------------------------------------------------------------------------------------

_PATCHES = {"pretrained": False}
KORNIA = {
    "feature.HardNet": entry(_PATCHES, (1, 32, 32)),
    "feature.HardNet8": entry(_PATCHES, (1, 32, 32)),
    "feature.HyNet": entry(_PATCHES | {"drop_rate": 0.0}, (1, 32, 32)),
    "feature.TFeat": entry(_PATCHES, (1, 32, 32)),
    "feature.SOSNet": entry(_PATCHES, (1, 32, 32)),
    "feature.OriNet": entry(_PATCHES, (1, 32, 32)),
    "feature.KeyNet": entry(_PATCHES, (1, 32, 32)),
    "feature.DeFMO": entry(_PATCHES, (6, 64, 64)),
    "feature.SIFTDescriptor": entry({"patch_size": 32}, (1, 32, 32)),
    "feature.MKDDescriptor": entry({"patch_size": 32, "whitening": None}, (1, 32, 32)),
    "models.RRDBNet": entry(
        {"num_in_ch": 3, "num_out_ch": 3, "num_feat": 8, "num_block": 1, "num_grow_ch": 4}, (3, 16, 16)
    ),
    "models.tiny_vit.TinyViT": entry(
        {"img_size": 224, "num_classes": 10, "embed_dims": (8, 16, 16, 32), "depths": (1, 1, 1, 1),
         "num_heads": (1, 2, 2, 2)}, (3, 224, 224),
    ),
    "models.dexined.DexiNed": entry(_PATCHES, (3, 64, 64)),
    "models.vit.VisionTransformer": entry(
        {"image_size": 32, "patch_size": 8, "embed_dim": 32, "depth": 2, "num_heads": 2, "dropout_rate": 0.0,
         "dropout_attn": 0.0}, (3, 32, 32),
    ),
    "models.vit_mobile.MobileViT": entry({"mode": "xxs", "patch_size": (2, 2), "dropout": 0.0}, (3, 256, 256)),
    "models.small_sr.SmallSRNet": entry({"upscale_factor": 3}, (1, 16, 16)),
    "models.yunet.YuNet": entry({"phase": "train", "pretrained": False}, (3, 64, 64)),
    "models.efficient_vit.EfficientViT": entry({}, (3, 64, 64)),
}  # fmt: skip

PACKAGES = {
    "vit_pytorch": VIT_PYTORCH, "segmentation_models_pytorch": SEGMENTATION_MODELS_PYTORCH, "monai": MONAI,
    "diffusers": DIFFUSERS, "torchaudio": TORCHAUDIO, "x_transformers": X_TRANSFORMERS, "ultralytics": ULTRALYTICS,
    "kornia": KORNIA,
}  # fmt: skip
MODELS = [f"{package}.{name}" for package, entries in PACKAGES.items() for name in entries]


def model(name: str) -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    """A model and its inputs."""
    package, _, own = name.partition(".")
    found = PACKAGES[package][own]
    path = own.partition("#")[0]
    return found.make(path if found.home else f"{package}.{path}")
