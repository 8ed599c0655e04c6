"""The deploy net of ResNet-50, layer by layer as He et al. published it, and random weights for it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

STAGES = {2: (64, 3), 3: (128, 4), 4: (256, 6), 5: (512, 3)}
"""By number: filters of the inner convolutions, and blocks. The blocks of a stage make four times as many channels."""


def prototxt(size: int = 224) -> str:
    """The file, for images of `size`, a multiple of 32; the last pooling covers what is left of them."""
    lines = ['name: "ResNet-50"', f'input: "data" input_dim: 1 input_dim: 3 input_dim: {size} input_dim: {size}']
    lines += _convolution("conv1", "_conv1", "data", 64, 7, 2, 3, bias=True)
    lines += [
        'layer { name: "conv1_relu" type: "ReLU" bottom: "conv1" top: "conv1" }',
        _pool("pool1", "conv1", "MAX", 3, 2),
    ]
    last = "pool1"
    for stage, (filters, blocks) in STAGES.items():
        for k in range(blocks):
            name = f"{stage}{'abcdef'[k]}"
            lines += _block(name, last, filters, first=k == 0, stride=2 if k == 0 and stage > 2 else 1)
            last = f"res{name}"
    lines += [
        _pool("pool5", last, "AVE", size // 32, 1),
        'layer { name: "fc1000" type: "InnerProduct" bottom: "pool5" top: "fc1000" '
        "inner_product_param { num_output: 1000 } }",
        'layer { name: "prob" type: "Softmax" bottom: "fc1000" top: "prob" }',
    ]
    return "\n".join(lines)


def weights(net, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Numbers for its parameters and statistics under which signals neither grow nor vanish."""
    found = {}
    for p in net.params:
        fan = int(np.prod(p.shape[1:])) or 1
        values = rng.standard_normal(p.shape) * (2 / fan) ** 0.5 if len(p.shape) > 1 else rng.uniform(0.2, 0.5, p.shape)
        found[f"{p.key}___{p.name}"] = values.astype(np.float32)
    for s in net.states:
        values = rng.uniform(0.5, 1.5, s.shape) if s.name == "variance" else rng.uniform(-0.1, 0.1, s.shape)
        found[f"{s.key}___{s.name}"] = values.astype(np.float32)
    return found


def _block(name: str, bottom: str, filters: int, *, first: bool, stride: int) -> Iterator[str]:
    branch = f"res{name}_branch"
    if first:
        yield from _convolution(f"{branch}1", f"{name}_branch1", bottom, 4 * filters, 1, stride, 0)
    shortcut, last = f"{branch}1" if first else bottom, bottom
    for k, (part, kernel) in enumerate((("2a", 1), ("2b", 3), ("2c", 1))):
        count, step = filters if part != "2c" else 4 * filters, stride if k == 0 else 1
        yield from _convolution(branch + part, f"{name}_branch{part}", last, count, kernel, step, kernel // 2)
        if part != "2c":
            yield f'layer {{ name: "{branch}{part}_relu" type: "ReLU" bottom: "{branch}{part}" top: "{branch}{part}" }}'
        last = branch + part
    yield f'layer {{ name: "res{name}" type: "Eltwise" bottom: "{shortcut}" bottom: "{last}" top: "res{name}" }}'
    yield f'layer {{ name: "res{name}_relu" type: "ReLU" bottom: "res{name}" top: "res{name}" }}'


def _convolution(
    name: str, suffix: str, bottom: str, filters: int, kernel: int, stride: int, pad: int, *, bias: bool = False
) -> list[str]:
    """A convolution, and the statistics and scale that overwrite its top."""
    without = "" if bias else " bias_term: false"
    return [
        f'layer {{ name: "{name}" type: "Convolution" bottom: "{bottom}" top: "{name}" convolution_param {{'
        f" num_output: {filters} kernel_size: {kernel} pad: {pad} stride: {stride}{without} }} }}",
        f'layer {{ name: "bn{suffix}" type: "BatchNorm" bottom: "{name}" top: "{name}"'
        " batch_norm_param { use_global_stats: true } }",
        f'layer {{ name: "scale{suffix}" type: "Scale" bottom: "{name}" top: "{name}"'
        " scale_param { bias_term: true } }",
    ]


def _pool(name: str, bottom: str, pool: str, kernel: int, stride: int) -> str:
    window = f"pool: {pool} kernel_size: {kernel} stride: {stride}"
    return f'layer {{ name: "{name}" type: "Pooling" bottom: "{bottom}" top: "{name}" pooling_param {{ {window} }} }}'
