"""Modules of PyTorch as people write them, each with example inputs, for the tests of from_torch.

`MODULES` holds functions by name, which make (module, inputs) in float32. Dropout is 0, since PyTorch's random numbers
are others than mochac's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional

MODULES: dict[str, Callable[[], tuple[Any, tuple[Any, ...]]]] = {}


def example(make):
    MODULES[make.__name__] = make
    return make


# --- images ---------------------------------------------------------------------------------------------------------


@example
def lenet():
    layers = [
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(400, 120), nn.Tanh(), nn.Dropout(0.0), nn.Linear(120, 10),
    ]  # fmt: skip
    return nn.Sequential(*layers), (torch.randn(4, 1, 28, 28),)


class ResidualBlock(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        out = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        out += identity
        return self.relu(out)


@example
def resnet():
    head = [nn.AdaptiveAvgPool2d((1, 1)), nn.Flatten(), nn.Linear(8, 5)]
    return nn.Sequential(ResidualBlock(3, 4), ResidualBlock(4, 8, 2), *head), (torch.randn(3, 3, 8, 8),)


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1, self.down2, self.last = self.block(3, 8), self.block(8, 16), self.block(24, 8)
        self.up = nn.ConvTranspose2d(16, 16, 2, stride=2)
        self.out = nn.Conv2d(8, 2, 1)

    @staticmethod
    def block(inputs, outputs):
        return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))

    def forward(self, x):
        fine = self.down1(x)
        coarse = self.down2(F.max_pool2d(fine, 2))
        return self.out(self.last(torch.cat([fine, self.up(coarse)], 1)))


@example
def unet():
    return UNet(), (torch.randn(2, 3, 16, 16),)


@example
def dcgan():
    layers = [
        nn.ConvTranspose2d(10, 16, 4, 1, 0, bias=False), nn.BatchNorm2d(16), nn.ReLU(True),
        nn.ConvTranspose2d(16, 8, 4, 2, 1, bias=False), nn.BatchNorm2d(8), nn.ReLU(True),
        nn.ConvTranspose2d(8, 3, 4, 2, 1, bias=False), nn.Tanh(),
    ]  # fmt: skip
    return nn.Sequential(*layers), (torch.randn(2, 10, 1, 1),)


@example
def discriminator():
    layers = [
        nn.Conv2d(3, 8, 4, 2, 1), nn.LeakyReLU(0.2, inplace=True), nn.Conv2d(8, 8, 4, 2, 1, bias=False),
        nn.BatchNorm2d(8), nn.LeakyReLU(0.2, inplace=True), nn.Conv2d(8, 1, 2), nn.Sigmoid(),
    ]  # fmt: skip
    return nn.Sequential(*layers), (torch.randn(2, 3, 8, 8),)


@example
def conv1d():
    layers = [nn.Conv1d(3, 8, 3, padding=2, dilation=2), nn.ReLU(), nn.Conv1d(8, 4, 3), nn.AdaptiveAvgPool1d(1)]
    return nn.Sequential(*layers, nn.Flatten()), (torch.randn(3, 3, 12),)


@example
def conv3d():
    layers = [nn.Conv3d(1, 4, 3), nn.BatchNorm3d(4), nn.ReLU(), nn.MaxPool3d(2), nn.Flatten(), nn.Linear(32, 3)]
    return nn.Sequential(*layers), (torch.randn(2, 1, 6, 6, 6),)


class Image(nn.Module):
    """A convolution, then other layers; the convolution shows their data gradients."""

    def __init__(self, *layers):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 3, 1), *layers)

    def forward(self, x):
        return self.layers(x).flatten(1)


IMAGE_LAYERS = {
    "average": lambda: [nn.AvgPool2d(3, 2, 1)],
    "average_ceil": lambda: [nn.AvgPool2d(3, 2, 1, ceil_mode=True, count_include_pad=False)],
    "max": lambda: [nn.MaxPool2d(3, 2, 1)],
    "max_ceil": lambda: [nn.MaxPool2d(3, 2, ceil_mode=True)],
    "adaptive_average": lambda: [nn.AdaptiveAvgPool2d(4)],
    "adaptive_max": lambda: [nn.AdaptiveMaxPool2d(2)],
    "instance_norm": lambda: [nn.Conv2d(3, 4, 3), nn.InstanceNorm2d(4, affine=True)],
    "response_norm": lambda: [nn.LocalResponseNorm(3)],
    "pixel_shuffle": lambda: [nn.Conv2d(3, 8, 3), nn.PixelShuffle(2)],
    "pixel_unshuffle": lambda: [nn.PixelUnshuffle(2)],
    "channel_shuffle": lambda: [nn.Conv2d(3, 4, 3), nn.ChannelShuffle(2)],
    "nearest": lambda: [nn.Upsample(scale_factor=2)],
    "bilinear": lambda: [nn.Upsample(scale_factor=2, mode="bilinear")],
    "bilinear_corners": lambda: [nn.Upsample(size=(13, 11), mode="bilinear", align_corners=True)],
    "bicubic": lambda: [nn.Upsample(scale_factor=2, mode="bicubic")],
    "zero_pad": lambda: [nn.ZeroPad2d((1, 2, 0, 1)), nn.Conv2d(3, 4, 3)],
    "constant_pad": lambda: [nn.ConstantPad2d(1, 0.5), nn.Conv2d(3, 4, 3)],
    "reflection_pad": lambda: [nn.ReflectionPad2d(2), nn.Conv2d(3, 4, 3)],
    "replication_pad": lambda: [nn.ReplicationPad2d(2), nn.Conv2d(3, 4, 3)],
    "circular_pad": lambda: [nn.CircularPad2d(1), nn.Conv2d(3, 4, 3)],
    "padding_mode": lambda: [nn.Conv2d(3, 4, 3, padding=1, padding_mode="reflect")],
    "padding_same": lambda: [nn.Conv2d(3, 4, 4, padding="same", dilation=2)],
    "dropout2d": lambda: [nn.Conv2d(3, 4, 3), nn.Dropout2d(0.0)],
    "unfold": lambda: [nn.Unfold(3)],
    "transposed": lambda: [nn.ConvTranspose2d(3, 4, 3, 2, 1, output_padding=1)],
    "grouped": lambda: [nn.Conv2d(3, 6, 3, groups=3)],
    "max_dilated": lambda: [nn.MaxPool2d(2, 1, dilation=2)],
    "max_dilated_steps": lambda: [nn.MaxPool2d((3, 2), (2, 3), (1, 0), dilation=(2, 3), ceil_mode=True)],
    "max_padded_below": lambda: [nn.ConstantPad2d(1, -torch.inf), nn.MaxPool2d(3, 2)],
    "cropped": lambda: [nn.ZeroPad2d((-1, 2, 0, -3)), nn.Conv2d(3, 4, 3)],
    "fold": lambda: [nn.Unfold(3, padding=1, stride=2), nn.Fold(8, 3, padding=1, stride=2)],
}
for _name, _layers in IMAGE_LAYERS.items():
    MODULES[f"image_{_name}"] = lambda layers=_layers: (Image(*layers()), (torch.randn(2, 3, 8, 8),))


# --- sequences ------------------------------------------------------------------------------------------------------


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(width, bias=False), nn.LayerNorm(width, bias=False)
        self.c_attn = nn.Linear(width, 3 * width, bias=False)
        self.c_proj = nn.Linear(width, width, bias=False)
        self.c_fc, self.mlp_proj = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.heads = heads

    def forward(self, x):
        batch, time, width = x.size()
        q, k, v = self.c_attn(self.ln_1(x)).split(width, dim=2)
        q, k, v = (t.view(batch, time, self.heads, width // self.heads).transpose(1, 2) for t in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.c_proj(y.transpose(1, 2).contiguous().view(batch, time, width))
        return x + self.mlp_proj(F.gelu(self.c_fc(self.ln_2(x))))


class GPT(nn.Module):
    def __init__(self, vocabulary=20, width=16, heads=4, time=6, layers=2):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, width), nn.Embedding(time, width)
        self.h = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.ln_f = nn.LayerNorm(width)
        self.lm_head = nn.Linear(width, vocabulary, bias=False)
        self.wte.weight = self.lm_head.weight

    def forward(self, ids, targets=None):
        positions = torch.arange(ids.size(1), device=ids.device)
        x = self.wte(ids) + self.wpe(positions)
        for block in self.h:
            x = block(x)
        logits = self.lm_head(self.ln_f(x))
        if targets is None:
            return logits
        return F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)


@example
def gpt():
    return GPT(), (torch.randint(0, 20, (3, 6)),)


@example
def gpt_loss():
    targets = torch.randint(0, 20, (3, 6))
    targets[0, :2] = -1
    return GPT(), (torch.randint(0, 20, (3, 6)), targets)


class Recurrent(nn.Module):
    def __init__(self, kind, both=False, layers=2):
        super().__init__()
        self.embed = nn.Embedding(30, 8)
        self.rnn = kind(8, 6, layers, batch_first=True, bidirectional=both)
        self.head = nn.Linear(6 * (1 + both), 5)

    def forward(self, ids):
        y, _ = self.rnn(self.embed(ids))
        return self.head(y)


for _kind in (nn.LSTM, nn.GRU, nn.RNN):
    for _both in (False, True):
        MODULES[f"{_kind.__name__.lower()}{'_both' * _both}"] = lambda kind=_kind, both=_both: (
            Recurrent(kind, both),
            (torch.randint(0, 30, (3, 5)),),
        )


class Last(nn.Module):
    """Reads the states of an LSTM, not its outputs."""

    def __init__(self):
        super().__init__()
        self.lstm, self.head = nn.LSTM(4, 6, batch_first=True), nn.Linear(12, 2)

    def forward(self, x):
        _, (h, c) = self.lstm(x)
        return self.head(torch.cat([h[-1], c[-1]], -1))


@example
def lstm_states():
    return Last(), (torch.randn(3, 5, 4),)


class Cells(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.gru, self.rnn = nn.LSTMCell(4, 6), nn.GRUCell(6, 3), nn.RNNCell(3, 3)

    def forward(self, x):
        h, c, g, r = (x.new_zeros(x.shape[0], n) for n in (6, 6, 3, 3))
        for t in range(x.shape[1]):
            h, c = self.lstm(x[:, t], (h, c))
            g = self.gru(h, g)
            r = self.rnn(g, r)
        return r


@example
def cells():
    return Cells(), (torch.randn(3, 3, 4),)


class TimeFirst(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0)
        self.embed, self.encoder = nn.Embedding(20, 16), nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(16, 3)

    def forward(self, ids):
        return self.head(self.encoder(self.embed(ids).transpose(0, 1)).mean(0))


@example
def encoder_time_first():
    return TimeFirst(), (torch.randint(0, 20, (3, 6)),)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention, self.head = nn.MultiheadAttention(16, 4, batch_first=True), nn.Linear(16, 2)

    def forward(self, x):
        y, _ = self.attention(x, x, x)
        return self.head(y[:, 0])


@example
def multihead_attention():
    return Attention(), (torch.randn(3, 5, 16),)


class Translation(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = nn.Transformer(16, 2, 1, 1, 32, dropout=0.0, batch_first=True)
        self.head = nn.Linear(16, 4)

    def forward(self, source, target):
        mask = nn.Transformer.generate_square_subsequent_mask(target.shape[1])
        return self.head(self.transformer(source, target, tgt_mask=mask, tgt_is_causal=True))


@example
def transformer():
    return Translation(), (torch.randn(3, 5, 16), torch.randn(3, 4, 16))


class ClassToken(nn.Module):
    """The front of a vision transformer."""

    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 8, 4, 4)
        self.cls_token, self.pos_embed = nn.Parameter(torch.randn(1, 1, 8)), nn.Parameter(torch.randn(1, 5, 8))
        self.norm, self.head = nn.LayerNorm(8), nn.Linear(8, 3)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls_token.expand(x.shape[0], -1, -1), x], 1) + self.pos_embed
        return self.head(self.norm(x)[:, 0])


@example
def class_token():
    return ClassToken(), (torch.randn(2, 3, 8, 8),)


# --- parameters -----------------------------------------------------------------------------------------------------


@example
def spectral_norm():
    """Predictions do not iterate."""
    norm = nn.utils.parametrizations.spectral_norm
    return nn.Sequential(norm(nn.Conv2d(2, 3, 3)), nn.ReLU(), norm(nn.Conv2d(3, 2, 3))), (torch.randn(4, 2, 6, 6),)


@example
def weight_norm():
    normed = nn.utils.parametrizations.weight_norm
    return nn.Sequential(normed(nn.Linear(6, 8)), nn.ELU(), normed(nn.Linear(8, 3))), (torch.randn(4, 6),)


class Frozen(nn.Module):
    """Frozen parameters, a buffer, a scalar as a parameter, one beside layers, and one that nothing reads."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 8), nn.Linear(8, 3)
        self.a.requires_grad_(False)
        self.b.bias.requires_grad_(False)
        self.register_buffer("scale", torch.rand(6))
        self.temperature = nn.Parameter(torch.tensor(0.7))
        self.shift = nn.Parameter(torch.zeros(3))
        self.unused = nn.Parameter(torch.ones(2))

    def forward(self, x):
        return self.b(torch.relu(self.a(x * self.scale))) * self.temperature + self.shift


@example
def frozen():
    return Frozen(), (torch.randn(4, 6),)


class LoRA(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, 8)
        self.linear.requires_grad_(False)
        self.lora_a, self.lora_b = nn.Parameter(torch.randn(2, 6)), nn.Parameter(torch.randn(8, 2))

    def forward(self, x):
        return F.linear(x, self.linear.weight + self.lora_b @ self.lora_a, self.linear.bias)


@example
def lora():
    return LoRA(), (torch.randn(4, 6),)


class Reference(nn.Module):
    """Reads a parameter by a reference to it, as Keras's layers do."""

    def __init__(self):
        super().__init__()
        self.kernel, self.bias = nn.Parameter(torch.randn(6, 3)), nn.Parameter(torch.zeros(3))
        self.references = [self.kernel, self.bias]

    def forward(self, x):
        kernel, bias = self.references
        return x @ kernel + bias


@example
def reference():
    return Reference(), (torch.randn(4, 6),)


class ByHand(nn.Module):
    """A recurrent net as tutorials write it."""

    def __init__(self):
        super().__init__()
        self.i2h, self.h2h, self.head = nn.Linear(4, 6), nn.Linear(6, 6, bias=False), nn.Linear(6, 2)

    def forward(self, x):
        h = torch.zeros(x.shape[0], 6, dtype=x.dtype)
        for t in range(x.shape[1]):
            h = torch.tanh(self.i2h(x[:, t]) + self.h2h(h))
        return self.head(h)


@example
def rnn_by_hand():
    return ByHand(), (torch.randn(3, 4, 4),)


class Joined(nn.Module):
    """Another one, whose cell reads inputs and state side by side."""

    def __init__(self):
        super().__init__()
        self.i2h, self.i2o = nn.Linear(10, 6), nn.Linear(10, 2)

    def forward(self, x):
        h = torch.zeros(x.size(0), 6, dtype=x.dtype)
        for t in range(x.size(1)):
            both = torch.cat((x[:, t], h), 1)
            h, y = torch.tanh(self.i2h(both)), self.i2o(both)
        return torch.log_softmax(y, 1)


@example
def rnn_joined():
    return Joined(), (torch.randn(3, 4, 4),)


class Twice(nn.Module):
    """Calls one module twice; its batch normalization updates the statistics twice."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 4))

    def forward(self, a, b):
        a, b = self.body(a), self.body(b)
        return F.cosine_similarity(a, b), (a - b).pow(2).sum(1).sqrt()


@example
def called_twice():
    return Twice(), (torch.randn(4, 6), torch.randn(4, 6))


class Totals(nn.Module):
    """Numbers that are computed from whole parameters."""

    def __init__(self):
        super().__init__()
        self.w, self.l = nn.Parameter(torch.randn(3, 4)), nn.Linear(4, 2)

    def forward(self, x):
        w = self.w
        return self.l(x * w.sum() + w.mean() * w.std() / w.norm() + w.sum(0) - w.mean(1, keepdim=True).mean())


@example
def totals_of_parameters():
    return Totals(), (torch.randn(5, 4),)


class AutoEncoder(nn.Module):
    """Three outputs."""

    def __init__(self):
        super().__init__()
        self.encode, self.mean, self.log_variance = nn.Linear(12, 8), nn.Linear(8, 2), nn.Linear(8, 2)
        self.decode = nn.Linear(2, 12)

    def forward(self, x, noise):
        h = F.relu(self.encode(x))
        mean, log_variance = self.mean(h), self.log_variance(h)
        return torch.sigmoid(self.decode(mean + noise * torch.exp(0.5 * log_variance))), mean, log_variance


@example
def vae():
    return AutoEncoder(), (torch.randn(4, 12), torch.randn(4, 2))


# --- places ---------------------------------------------------------------------------------------------------------


class Scores(nn.Module):
    """A function of 7 scores of each of 5 rows, and of a second input."""

    def __init__(self, function):
        super().__init__()
        self.scores, self.function = nn.Linear(4, 7), function

    def forward(self, x, *others):
        return self.function(self.scores(x), *others)


def places(*shape, most):
    """Numbers below `most`, which differ along the last axis."""
    return torch.rand(*shape[:-1], most).argsort(-1)[..., : shape[-1]]


def scattered(y, index):
    return torch.zeros_like(y).scatter(2, index, y[:, :, :3])


def assigned(y):
    y = y.clone()
    y[:, :, 1:6:2] = 0
    y[:, 0] = 2 * y[:, 1]
    y[y > 1] = 0.5
    return y


OF_SCORES = {
    "sort": (lambda y: torch.sort(y, -1)[0], None),
    "sort_descending": (lambda y: torch.sort(y, 1, descending=True)[0], None),
    "sort_places": (lambda y: (lambda pair: pair[0] * (pair[1] + 1))(torch.sort(y, -1)), None),
    "argsort": (lambda y: y * torch.argsort(y, -1), None),
    "topk": (lambda y: torch.topk(y, 3, -1)[0], None),
    "topk_smallest": (lambda y: torch.topk(y, 2, 1, largest=False)[0], None),
    "topk_mask": (lambda y: y.masked_fill(y < torch.topk(y, 3, -1)[0][..., -1:], -10.0).softmax(-1), None),
    "topk_places": (lambda y: torch.zeros_like(y).scatter(-1, *torch.topk(y, 3, -1)[::-1]), None),
    "median": (lambda y: y.median(-1)[0], None),
    "kthvalue": (lambda y: y.kthvalue(2, -1, keepdim=True)[0], None),
    "max_of_an_axis": (lambda y: y.max(-1)[0], None),
    "min_of_an_axis": (lambda y: (lambda pair: pair[0] * (pair[1] + 1))(y.min(1, keepdim=True)), None),
    "circular": (lambda y: y.sin() * y.cos() + (0.3 * y).tan() + (9 * y).atan(), None),
    "arcs": (lambda y: (0.9 * y.tanh()).asin() + (0.9 * y.sin()).acos(), None),
    "hyperbolic": (lambda y: y.sinh() * y.cosh() + (2 + y * y).acosh() + y.asinh() + (0.9 * y.tanh()).atanh(), None),
    "cumprod": (lambda y: y.cumprod(-1), None),
    "prod": (lambda y: y.prod(1) + y.prod(-1, keepdim=True).sum(1), None),
    "tril": (lambda y: y.tril(1) * y.triu(-2), None),
    "diagonal": (lambda y: y.diagonal(1, 1, 2) * y.diagonal(-2, 2, 1), None),
    "norm_3": (lambda y: torch.linalg.vector_norm(y, 3, dim=-1), None),
    "norm_of_zeros": (lambda y: y.clamp(min=0.5).sub(0.5).norm(2.5, dim=-1), None),
    "norm_of_the_largest": (lambda y: y.norm(float("inf"), dim=(1, 2), keepdim=True), None),
    "logaddexp": (lambda y: torch.logaddexp(9 * y, 30 * y.flip(2)) + torch.logaddexp(y, y), None),
    "logical_xor": (lambda y: torch.where((y > 0) ^ (y.flip(1) > 0), y, 1.0 * torch.logical_xor(y > 1, y) - y), None),
    "gather": (lambda y, index: y.gather(2, index), (5, 3)),
    "scatter": (scattered, (5, 3)),
    "scatter_number": (lambda y, index: y.scatter(2, index, 2.0), (5, 3)),
    "scatter_add": (lambda y, index: y.scatter_add(2, index // 2, 2 * y[:, :, :3]), (5, 3)),
    "scatter_sum": (lambda y, index: y.scatter_reduce(2, index, 2 * y[:, :, :3], "sum"), (5, 3)),
    "index_add": (lambda y: y.index_add(2, torch.tensor([0, 3, 0]), y[:, :, :3], alpha=2), None),
    "index_copy": (lambda y: y.index_copy(1, torch.tensor([4, 0]), 2 * y[:, :2]), None),
    "index_fill": (lambda y: y.index_fill(2, torch.tensor([1, 5]), 0.5), None),
    "index_put": (assigned, None),
    "one_hot": (lambda y, index: y[:, :, :3] @ F.one_hot(index, 7).to(y.dtype).mean(1), (5, 3)),
}
for _name, (_function, _extents) in OF_SCORES.items():
    MODULES[f"scores_{_name}"] = lambda function=_function, extents=_extents: (
        Scores(function),
        (torch.randn(3, 5, 4), *((places(3, *extents, most=7),) if extents else ())),
    )


class Bilinear(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right, self.both = nn.Linear(4, 3), nn.Linear(4, 5), nn.Bilinear(3, 5, 2)

    def forward(self, x):
        return self.both(self.left(x), self.right(x))


@example
def bilinear():
    return Bilinear(), (torch.randn(3, 5, 4),)


class Transformer(nn.Module):
    """A spatial transformer: an image at places that a net computes from it."""

    def __init__(self, **how):
        super().__init__()
        self.body, self.theta, self.how = nn.Conv2d(2, 2, 3, padding=1), nn.Linear(2 * 5 * 6, 6), how

    def forward(self, x):
        x = self.body(x)
        theta = self.theta(x.flatten(1)).view(-1, 2, 3)
        corners = self.how.get("align_corners", False)
        return F.grid_sample(x, F.affine_grid(theta, (x.shape[0], 2, 4, 3), corners), **self.how)


for _mode in ("bilinear", "nearest"):
    for _padding in ("zeros", "border"):
        for _corners in (False, True):
            MODULES[f"grid_{_mode}_{_padding}{'_corners' * _corners}"] = (
                lambda mode=_mode, padding=_padding, corners=_corners: (
                    Transformer(mode=mode, padding_mode=padding, align_corners=corners),
                    (torch.randn(3, 2, 5, 6),),
                )
            )


class FixedGrid(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(2, 2, 1)
        self.register_buffer("grid", 2.4 * torch.rand(4, 3, 2) - 1.2)

    def forward(self, x):
        grid = self.grid.expand(x.shape[0], -1, -1, -1)
        return F.grid_sample(self.body(x), grid, align_corners=False)


@example
def grid_fixed():
    return FixedGrid(), (torch.randn(3, 2, 5, 6),)


# --- the batch elsewhere ----------------------------------------------------------------------------------------------


class Heads(nn.Module):
    """Scores of heads, where the batch and the heads are one axis, with parameters and constants for each head."""

    def __init__(self):
        super().__init__()
        self.keys = nn.Linear(8, 8)
        self.relative, self.bias = nn.Parameter(torch.randn(2, 5, 4)), nn.Parameter(torch.randn(2, 3))
        self.places = nn.Linear(2, 2)
        self.register_buffer("index", (torch.arange(5)[:, None] - torch.arange(5)).abs() % 3)

    def forward(self, x):
        batch = x.shape[0]
        k = self.keys(x).view(batch, 5, 2, 4).transpose(1, 2).reshape(2 * batch, 5, 4)
        scores = torch.einsum("bic,bjc->bij", k, k) + torch.einsum("bic,ijc->bij", k, k.new_ones(5, 5, 4) / 3)
        scores = scores + torch.bmm(k, self.relative.repeat(batch, 1, 1).transpose(1, 2))
        slopes = torch.tensor([0.5, 0.25], dtype=x.dtype)[None, :, None] * torch.arange(5)
        scores = scores + slopes.expand(batch, 2, 5).reshape(2 * batch, 1, 5)
        distances = torch.stack([self.index, self.index**2], -1).to(x.dtype).expand(batch, -1, -1, -1)
        scores = scores.view(batch, 2, 5, 5) + self.bias[:, self.index] + self.places(distances).permute(0, 3, 1, 2)
        return scores.flatten(1)


@example
def heads_in_the_batch():
    return Heads(), (torch.randn(3, 5, 8),)


class Windows(nn.Module):
    """Sums of products of windows, with time first; and parameters that are repeated."""

    def __init__(self):
        super().__init__()
        self.body, self.scale = nn.Linear(4, 6), nn.Parameter(torch.randn(2))

    def forward(self, x):
        y = self.body(x) * self.scale.repeat(3)
        windows = y.unfold(2, 3, 2)
        time_first = torch.einsum("tbc,sbc->bts", y.transpose(0, 1), y.transpose(0, 1))
        return windows.flatten(1), time_first


class Copies(nn.Module):
    """Copies of samples, in both orders, which are averaged again."""

    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 6), nn.Linear(6, 2)

    def forward(self, x):
        y = self.body(x)
        inner = torch.tanh(self.head(y.repeat_interleave(3, dim=0))).view(-1, 3, 2).mean(1)
        outer = torch.sigmoid(self.head(y.repeat(2, 1))).view(2, -1, 2)
        return inner, (outer * torch.tensor([1.0, 2.0], dtype=x.dtype)[:, None, None]).sum(0)


@example
def copies_of_samples():
    return Copies(), (torch.randn(5, 4),)


class Patches(nn.Module):
    """A net of patches, whose number is one axis with the batch."""

    def __init__(self):
        super().__init__()
        self.inner = nn.Conv2d(2, 4, 3, padding=1, stride=(2, 1), groups=2)
        self.norm, self.head = nn.BatchNorm2d(4), nn.Linear(4, 3)

    def forward(self, x):
        patches = F.unfold(x, 4, stride=4).transpose(1, 2).reshape(x.shape[0] * 4, 2, 4, 4)
        y = torch.relu(self.norm(self.inner(patches)))
        return self.head(y.mean((2, 3))).view(x.shape[0], 4, 3)


@example
def patches():
    return Patches(), (torch.randn(3, 2, 8, 8),)


class FlatNorm(nn.Module):
    """A batch normalization of all positions of all samples, and of images with the batch elsewhere."""

    def __init__(self):
        super().__init__()
        self.body, self.norm, self.head = nn.Linear(4, 6), nn.BatchNorm1d(6), nn.Linear(6, 2)

    def forward(self, x):
        y = self.body(x)
        return self.head(torch.relu(self.norm(y.flatten(0, 1)).reshape_as(y)))


class Mirrored(nn.Module):
    """A norm whose results are read in reverse, so that its gradient is, too."""

    def __init__(self):
        super().__init__()
        self.norm = nn.RMSNorm(28)

    def forward(self, x):
        return self.norm(x).flip(1)


@example
def mirrored():
    return Mirrored(), (torch.randn(16, 28),)


@example
def norm_of_positions():
    return FlatNorm(), (torch.randn(3, 5, 4),)


@example
def windows():
    return Windows(), (torch.randn(4, 5, 4),)


class Gated(nn.Module):
    """As in ConViT: a parameter with axes of its own, and 1 minus it, weigh two parts."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, 20)
        self.gate = nn.Parameter(torch.randn(4))

    def forward(self, x):
        heads, gate = self.linear(x).view(x.shape[0], 4, 5), torch.sigmoid(self.gate.view(1, -1, 1))
        return (1.0 - gate) * heads + gate * heads.flip(2)


@example
def gated():
    return Gated(), (torch.randn(3, 6),)


class OfFrames(nn.Module):
    """Layers of single images, for the frames of clips: (batch * frames, channels, height, width)."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(2, 4, 3, padding=1), nn.GroupNorm(2, 4)
        self.up, self.each = nn.ConvTranspose2d(4, 6, 3, stride=2, output_padding=1), nn.InstanceNorm2d(6, affine=True)

    def forward(self, x):
        n, frames = x.shape[:2]
        x = F.max_pool2d(torch.relu(self.norm(self.conv(x.flatten(0, 1)))), 2)
        x = self.each(self.up(x))
        wide = F.interpolate(F.adaptive_avg_pool2d(x, (3, 2)), size=x.shape[2:], mode="bilinear")
        return F.avg_pool2d(x + wide, 3, 2, 1).unflatten(0, (n, frames)).mean(1)


@example
def frames():
    return OfFrames(), (torch.randn(3, 2, 2, 8, 8),)


class OfPlaces(nn.Module):
    """A convolution of numbers of places, as in XCiT, and of a parameter; places are one image, or one a sample."""

    def __init__(self, each):
        super().__init__()
        self.each, self.image = each, nn.Parameter(torch.randn(1, 4, 5, 5))
        self.places, self.learned = nn.Conv2d(4, 6, 1), nn.Conv2d(4, 6, 3, padding=1)
        self.conv = nn.Conv2d(3, 6, 3, padding=1)

    def forward(self, x):
        places = torch.arange(100.0).reshape(1, 4, 5, 5).sin().to(x)
        places = self.places(places.repeat(x.shape[0] if self.each else 1, 1, 1, 1))
        learned = F.interpolate(F.max_pool2d(self.learned(self.image), 2), size=(5, 5), mode="bilinear")
        return self.conv(x) * places + learned


@example
def places_of_all_samples():
    return OfPlaces(each=False), (torch.randn(2, 3, 5, 5),)


@example
def places_of_each_sample():
    return OfPlaces(each=True), (torch.randn(2, 3, 5, 5),)


class Angles(nn.Module):
    def __init__(self):
        super().__init__()
        self.y, self.x = nn.Linear(5, 8), nn.Linear(5, 8)

    def forward(self, x):
        return torch.atan2(self.y(x), self.x(x))


@example
def angles():
    return Angles(), (torch.randn(4, 5),)


class NoRegisters(nn.Module):
    """A parameter without elements, as of register tokens of which there are none."""

    def __init__(self):
        super().__init__()
        self.registers, self.linear = nn.Parameter(torch.zeros(0, 5)), nn.Linear(5, 4)

    def forward(self, x):
        return self.linear(torch.cat([self.registers.expand(len(x), -1, -1), x], 1))


@example
def no_registers():
    return NoRegisters(), (torch.randn(4, 3, 5),)


class Ellipses(nn.Module):
    def __init__(self):
        super().__init__()
        self.matrix, self.matrices = nn.Parameter(torch.randn(5, 5)), nn.Parameter(torch.randn(2, 3, 5, 5))

    def forward(self, x):
        each = torch.einsum("b...j,...jk->b...k", x, self.matrices)
        return torch.einsum("...ij,jk", x, self.matrix) + each


@example
def ellipses():
    return Ellipses(), (torch.randn(4, 2, 3, 5),)


class Enlarged(nn.Module):
    """A factor that is no integer and makes a multiple of the extent: 4 pixels become 12, but not three of each."""

    def forward(self, x):
        return F.interpolate(x, scale_factor=3.2, mode="nearest")


@example
def enlarged():
    return nn.Sequential(nn.Conv1d(2, 3, 1), Enlarged(), nn.Conv1d(3, 2, 3)), (torch.randn(3, 2, 4),)


class PaddedPositions(nn.Module):
    """Constant places in a table, one of which is that of the padding, which has no gradient."""

    def __init__(self):
        super().__init__()
        self.table, self.linear = nn.Embedding(5, 4, padding_idx=1), nn.Linear(4, 4)
        nn.init.normal_(self.table.weight)

    def forward(self, x):
        return self.linear(x) * self.table(torch.tensor([2, 1, 3]))


@example
def padded_positions():
    return PaddedPositions(), (torch.randn(4, 3, 4),)


class Grid(nn.Module):
    """Places of pixels, as detectors have them: an operation of constants, which have the type of a tensor."""

    def forward(self, x):
        rows, columns = torch.arange(4).type_as(x), torch.arange(5).type_as(x)
        return sum(grid * x for grid in torch.meshgrid(rows, columns, indexing="ij"))


@example
def grid():
    return nn.Sequential(nn.Conv2d(2, 3, 1), Grid()), (torch.randn(2, 2, 4, 5),)


class Composed(nn.Module):
    """Operations that PyTorch writes with simpler ones."""

    def forward(self, x):
        steps, spread = x.diff(dim=1), torch.std_mean(x, dim=1)[0]
        best = x.take_along_dim(x.argsort(1)[:, :2], 1)
        return torch.hstack([steps, spread[:, None], best, x.nansum(1, keepdim=True)])


@example
def composed():
    return nn.Sequential(nn.Linear(4, 4), Composed()), (torch.randn(3, 5, 4),)


class Asserted(nn.Module):
    """A number of all samples that only an assertion reads."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(9, 4)

    def forward(self, ids):
        assert (ids != 0).sum(dim=1).max().item() <= ids.shape[1]
        return self.words(ids)


@example
def asserted():
    return Asserted(), (torch.tensor([[3, 2, 0, 0], [1, 4, 8, 0], [2, 2, 2, 2]]),)


class PaddedAttention(nn.Module):
    """Causal attention of sequences that are padded on the left: the first queries see no key. The mask is looked up
    as transformers does it, and also passed as numbers that are added to the scores."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, mask):
        keys = torch.arange(mask.shape[1])[None, None, None, :]
        seen = mask[torch.arange(len(mask))[:, None, None, None], keys] & (keys <= keys.mT)
        scores = torch.where(seen, 0.0, -torch.inf).to(x)
        y = F.scaled_dot_product_attention(self.linear(x), x, x, attn_mask=seen)
        return F.scaled_dot_product_attention(y, x, x, attn_mask=scores)


@example
def padded_attention():
    mask = torch.tensor([[0, 0, 1], [1, 1, 1], [0, 1, 1], [1, 1, 0]]).bool()
    return PaddedAttention(), (torch.randn(4, 2, 3, 4), mask)


class MarkedPlaces(nn.Module):
    """A learned vector in the places of one id, as of the end of an image."""

    def __init__(self):
        super().__init__()
        self.words, self.mark = nn.Embedding(9, 4), nn.Parameter(torch.randn(4))

    def forward(self, ids):
        x = self.words(ids).clone()
        x[ids == 2] = self.mark
        return x


@example
def marked_places():
    return MarkedPlaces(), (torch.tensor([[3, 2, 0, 0], [1, 4, 8, 0], [2, 2, 2, 2]]),)


class SelectedPositions(nn.Module):
    """A fixed table of positions, of which rows are selected at places that depend on the ids."""

    def __init__(self):
        super().__init__()
        self.words, self.linear = nn.Embedding(9, 4), nn.Linear(4, 4)
        self.register_buffer("places", torch.randn(8, 4))

    def forward(self, ids):
        shown = (ids != 0).int()
        at = (shown.cumsum(1) * shown).long()
        return self.linear(self.words(ids)) + self.places.index_select(0, at.view(-1)).view(*ids.shape, -1)


@example
def selected_positions():
    return SelectedPositions(), (torch.tensor([[3, 2, 0, 0], [1, 4, 8, 0], [2, 2, 2, 2]]),)


class LearnedMask(nn.Module):
    """Attention to what a frozen parameter says is seen."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.seen = nn.Parameter(torch.tensor([[1.0, -1, 1], [1, 1, -1], [-1, 1, 1]]), requires_grad=False)

    def forward(self, x):
        return F.scaled_dot_product_attention(self.linear(x), x, x, attn_mask=self.seen > 0)


@example
def learned_mask():
    return LearnedMask(), (torch.randn(4, 2, 3, 4),)


class Siamese(nn.Module):
    """Two images, or three, which an encoder takes as one batch; `parts` takes the results of each from it."""

    def __init__(self, parts, count):
        super().__init__()
        self.conv, self.norm, self.head = nn.Conv2d(1, 3, 3), nn.BatchNorm2d(3), nn.Linear(12, 4)
        self.parts, self.count = parts, count

    def forward(self, *images):
        images = (torch.cat(images[:2]), images[2]) if self.count > 2 else images
        rows = self.head(torch.relu(self.norm(self.conv(torch.cat(images)))).flatten(1))
        first, *others = self.parts(rows, len(rows) // self.count)
        return [first * other for other in others]


SIAMESE = {
    "chunk": (lambda y, n: y.chunk(2), 2),
    "split": (lambda y, n: (y.split([n, 2 * n])[0], *y.split([n, 2 * n])[1].split(n)), 3),
    "slice": (lambda y, n: (y[:n], y[n : 2 * n], y[-n:]), 3),
    "narrow": (lambda y, n: (y.narrow(0, 0, n), y.narrow(0, n, n)), 2),
    "unbind": (lambda y, n: y.unflatten(0, (2, n)).unbind(), 2),
}
for _name, _how in SIAMESE.items():
    MODULES[f"siamese_{_name}"] = lambda how=_how: (
        Siamese(*how),
        tuple(torch.randn(4, 1, 4, 4) for _ in range(how[1])),
    )


# --- activations and norms between two linear layers ------------------------------------------------------------------

BETWEEN = {
    "relu": nn.ReLU, "relu6": nn.ReLU6, "leaky_relu": lambda: nn.LeakyReLU(0.1), "prelu": nn.PReLU,
    "prelu_channels": lambda: nn.PReLU(8), "elu": nn.ELU, "selu": nn.SELU, "celu": lambda: nn.CELU(0.5),
    "gelu": nn.GELU, "gelu_tanh": lambda: nn.GELU("tanh"), "silu": nn.SiLU, "mish": nn.Mish, "sigmoid": nn.Sigmoid,
    "tanh": nn.Tanh, "hardswish": nn.Hardswish, "hardsigmoid": nn.Hardsigmoid, "hardtanh": nn.Hardtanh,
    "softplus": lambda: nn.Softplus(2.0), "softsign": nn.Softsign, "softshrink": nn.Softshrink,
    "hardshrink": nn.Hardshrink, "tanhshrink": nn.Tanhshrink, "threshold": lambda: nn.Threshold(0.1, 2.0),
    "log_sigmoid": nn.LogSigmoid, "softmax": lambda: nn.Softmax(-1), "log_softmax": lambda: nn.LogSoftmax(-1),
    "softmin": lambda: nn.Softmin(-1), "layer_norm": lambda: nn.LayerNorm(8), "rms_norm": lambda: nn.RMSNorm(8),
    "batch_norm": lambda: nn.BatchNorm1d(8), "batch_norm_average": lambda: nn.BatchNorm1d(8, momentum=0.3, eps=1e-3),
    "batch_norm_cumulative": lambda: nn.BatchNorm1d(8, momentum=None),
    "batch_norm_plain": lambda: nn.BatchNorm1d(8, affine=False), "group_norm": lambda: nn.GroupNorm(2, 8),
    "dropout": lambda: nn.Dropout(0.0), "identity": nn.Identity,
}  # fmt: skip
for _name, _layer in BETWEEN.items():
    MODULES[f"mlp_{_name}"] = lambda layer=_layer: (
        nn.Sequential(nn.Linear(6, 8), layer(), nn.Linear(8, 3)),
        (torch.randn(5, 6),),
    )
MODULES["mlp_glu"] = lambda: (nn.Sequential(nn.Linear(6, 8), nn.GLU(), nn.Linear(4, 3)), (torch.randn(5, 6),))

# --- a module on its own, whose parameters have names without a dot --------------------------------------------------

ALONE = {
    "batch_norm": (lambda: nn.BatchNorm2d(3), (5, 3, 4, 4)), "prelu": (lambda: nn.PReLU(3), (5, 3, 4)),
    "batch_norm_cumulative": (lambda: nn.BatchNorm1d(4, momentum=None), (5, 4)),
    "lstm": (lambda: nn.LSTM(4, 3, batch_first=True), (5, 6, 4)),
    "gru": (lambda: nn.GRU(4, 3, batch_first=True), (5, 6, 4)), "conv": (lambda: nn.Conv2d(3, 2, 3), (5, 3, 4, 4)),
    "layer_norm": (lambda: nn.LayerNorm(4), (5, 4)),
}  # fmt: skip
for _name, (_layer, _shape) in ALONE.items():
    MODULES[f"alone_{_name}"] = lambda layer=_layer, shape=_shape: (layer(), (torch.randn(*shape),))


# --- bags of embeddings ---------------------------------------------------------------------------------------------


class Bags(nn.Module):
    """Bags of three indices, two in each sample, of which some are padding."""

    def __init__(self, mode, **how):
        super().__init__()
        self.bag, self.head = nn.EmbeddingBag(7, 4, mode=mode, **how), nn.Linear(8, 3)

    def forward(self, ids, weights):
        starts = torch.arange(0, ids.numel() + 3 * self.bag.include_last_offset, 3)
        weights = weights.flatten() if self.bag.mode == "sum" else None
        return self.head(self.bag(ids.flatten(), starts, weights).view(len(ids), 8))


BAGS = {
    "sum": {}, "mean": {"include_last_offset": True}, "max": {}, "sum_padding": {"padding_idx": 1},
    "mean_padding": {"padding_idx": 1},
}  # fmt: skip
for _name, _options in BAGS.items():
    MODULES[f"bags_{_name}"] = lambda name=_name, options=_options: (
        Bags(name.split("_")[0], **options),
        (torch.tensor([[1, 1, 1, 0, 2, 1], [3, 3, 6, 5, 4, 1], [0, 1, 2, 3, 4, 5]]), torch.randn(3, 6)),
    )
MODULES["bag"] = lambda: (nn.EmbeddingBag(7, 4), (torch.randint(0, 7, (5, 6)),))
