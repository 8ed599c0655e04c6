"""Models of PyTorch that test_onnx.py exports: each with its input, which holds three samples."""

import numpy as np
import torch
from torch import nn

RNG = np.random.default_rng(3)


def images():
    return torch.from_numpy(RNG.normal(size=(3, 1, 28, 28)).astype(np.float32))


def ids():
    return torch.from_numpy(RNG.integers(0, 11, (3, 8)))


def sequences():
    return torch.from_numpy(RNG.normal(size=(3, 8, 12)).astype(np.float32))


class Block(nn.Module):
    """A residual block with a strided shortcut."""

    def __init__(self, channels, made, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, made, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(made)
        self.conv2 = nn.Conv2d(made, made, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(made)
        self.short = nn.Conv2d(channels, made, 1, stride)

    def forward(self, x):
        y = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(y)) + self.short(x))


class Gate(nn.Module):
    """Squeeze and excitation: factors for every channel of every sample."""

    def forward(self, x):
        return x * torch.sigmoid(x.mean(dim=(2, 3), keepdim=True))


class Inverted(nn.Module):
    """MobileNet's block: wider, by channel, narrower, and the input added."""

    def __init__(self, channels):
        super().__init__()
        wide = 4 * channels
        self.steps = nn.Sequential(
            nn.Conv2d(channels, wide, 1, bias=False), nn.BatchNorm2d(wide), nn.ReLU6(),
            nn.Conv2d(wide, wide, 3, padding=1, groups=wide, bias=False), nn.BatchNorm2d(wide), nn.ReLU6(),
            nn.Conv2d(wide, channels, 1, bias=False), nn.BatchNorm2d(channels),
        )  # fmt: skip

    def forward(self, x):
        return x + self.steps(x)


class Attention(nn.Module):
    """Self-attention of nanoGPT, causal."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.into, self.out = heads, nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        batch, time, width = x.shape
        parts = self.into(x).split(width, dim=2)
        q, k, v = (part.view(batch, time, self.heads, width // self.heads).transpose(1, 2) for part in parts)
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(batch, time, width))


class Gpt(nn.Module):
    """Two blocks of a GPT."""

    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(11, 12), nn.Embedding(8, 12)
        self.norms = nn.ModuleList(nn.LayerNorm(12) for _ in range(5))
        self.attends = nn.ModuleList(Attention(12, 3) for _ in range(2))
        self.wide = nn.ModuleList(nn.Linear(12, 48) for _ in range(2))
        self.narrow = nn.ModuleList(nn.Linear(48, 12) for _ in range(2))
        self.head = nn.Linear(12, 11, bias=False)

    def forward(self, x):
        y = self.words(x) + self.places(torch.arange(x.shape[1], device=x.device))
        for k in range(2):
            y = y + self.attends[k](self.norms[2 * k](y))
            y = y + self.narrow[k](nn.functional.gelu(self.wide[k](self.norms[2 * k + 1](y))))
        return self.head(self.norms[4](y))


class Tied(Gpt):
    """A GPT whose head reads the table of words."""

    def __init__(self):
        super().__init__()
        self.head.weight = self.words.weight


class Patches(nn.Module):
    """A vision transformer with a table of places, which is a parameter, and a buffer."""

    def __init__(self):
        super().__init__()
        self.patch, self.places = nn.Conv2d(1, 12, 7, 7), nn.Parameter(torch.randn(1, 16, 12))
        layer = nn.TransformerEncoderLayer(12, 3, 20, dropout=0.0, batch_first=True)
        self.attend, self.head = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), nn.Linear(12, 10)
        self.register_buffer("scale", torch.rand(12))

    def forward(self, x):
        tokens = self.patch(x).flatten(2).transpose(1, 2) + self.places
        return self.head((self.attend(tokens) * self.scale).mean(1))


class Lengths(nn.Module):
    """What nets do with masks: compared, chosen, the largest, the mean of what counts."""

    def forward(self, x):
        counted = (x.sum(dim=2, keepdim=True) > 0) | (x[:, :, :1] < -0.5)
        kept = torch.where(counted, x, torch.zeros_like(x))
        mean = kept.sum(dim=1) / counted.float().sum(dim=1).clamp(min=1)
        return torch.cat([mean, x.amax(dim=1), x.amin(dim=1), x[:, ::3].flatten(1), x[:, -1]], dim=1)


class Read(nn.Module):
    """A recurrent net whose outputs at the last step, or whose last states, are classified."""

    def __init__(self, kind, ends, **fields):
        super().__init__()
        self.read, self.ends = getattr(nn, kind)(12, 10, **fields), ends
        self.guess = nn.Linear(10 * (1 + fields.get("bidirectional", False)), 4)

    def forward(self, x):
        y, state = self.read(x if self.read.batch_first else x.transpose(0, 1))
        if not self.ends:
            return self.guess(y[:, -1] if self.read.batch_first else y[-1])
        h = state[0] if isinstance(state, tuple) else state
        return self.guess(torch.cat([h[-2], h[-1]], dim=1) if self.read.bidirectional else h[-1])


class Letters(nn.Module):
    """Convolutions, then an LSTM over the columns of an image."""

    def __init__(self):
        super().__init__()
        self.conv, self.read = nn.Conv2d(1, 4, 3, stride=2), nn.LSTM(4 * 13, 6, bidirectional=True)
        self.guess = nn.Linear(12, 5)

    def forward(self, x):
        columns = torch.relu(self.conv(x)).permute(3, 0, 1, 2).flatten(2)
        return self.guess(self.read(columns)[0]).permute(1, 0, 2)


MODELS = {
    "lenet": (images, lambda: nn.Sequential(
        nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 8, 3, padding=1), nn.Tanh(),
        nn.AvgPool2d(3, 2, 1, ceil_mode=True), nn.Flatten(), nn.Linear(8 * 7 * 7, 20), nn.GELU(), nn.Linear(20, 10),
    )),
    "residual": (images, lambda: nn.Sequential(
        Block(1, 4, 2), Block(4, 8, 2), Gate(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(), nn.Linear(8, 10),
        nn.Softmax(dim=1),
    )),
    "mobile": (images, lambda: nn.Sequential(
        nn.Conv2d(1, 4, 3, 2, 1, bias=False), nn.BatchNorm2d(4), nn.ReLU6(), Inverted(4), Inverted(4),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 10),
    )),
    "neurons": (images, lambda: nn.Sequential(
        nn.Conv2d(1, 4, 3, stride=2), nn.PReLU(4), nn.Hardswish(), nn.ELU(0.7), nn.LeakyReLU(0.2), nn.SiLU(), nn.Mish(),
        nn.ReLU6(), nn.Upsample(scale_factor=2), nn.ConvTranspose2d(4, 3, 4, 2, 1), nn.InstanceNorm2d(3), nn.SELU(),
        nn.Flatten(), nn.LayerNorm(3 * 52 * 52), nn.Linear(3 * 52 * 52, 5), nn.Softsign(), nn.LogSoftmax(dim=1),
    )),
    "resized": (images, lambda: nn.Sequential(
        nn.Upsample(size=(17, 40), mode="bilinear", align_corners=True), nn.ReflectionPad2d(2), nn.ReplicationPad2d(1),
        nn.Upsample(scale_factor=1.5, mode="bicubic"), nn.Conv2d(1, 2, 3), nn.Flatten(),
    )),
    "gpt": (ids, Gpt),
    "encoder": (sequences, lambda: nn.TransformerEncoder(
        nn.TransformerEncoderLayer(12, 3, 20, batch_first=True), 2, enable_nested_tensor=False
    )),
    "lengths": (sequences, Lengths),
    "lstm": (sequences, lambda: Read("LSTM", False, num_layers=2, bidirectional=True, batch_first=True)),
    "lstm ends": (sequences, lambda: Read("LSTM", True, bidirectional=True)),
    "gru": (sequences, lambda: Read("GRU", True, num_layers=2, batch_first=True)),
    "rnn": (sequences, lambda: Read("RNN", False, nonlinearity="relu", bias=False)),
    "letters": (images, Letters),
}  # fmt: skip


class Branches(nn.Module):
    """Modules in random order, one of them used again, whose equal biases and scales exporters store once."""

    def __init__(self, seed):
        super().__init__()
        rng = np.random.default_rng(seed)
        self.order = [str(name) for name in rng.permutation(list("abckqv"))[: rng.integers(3, 7)]]
        for name in self.order:
            kind = int(rng.integers(5))
            module = (
                nn.LayerNorm(12) if kind == 0 else nn.Conv1d(8, 8, 3, padding=1) if kind == 1 else nn.Linear(12, 12)
            )
            nn.init.zeros_(module.bias)
            self.add_module(name, nn.Sequential(module) if rng.random() < 0.3 else module)
        self.order = [str(name) for name in rng.permutation([*self.order, self.order[0]])]
        self.joins = rng.integers(0, 3, len(self.order))

    def forward(self, x):
        total = x
        for name, join in zip(self.order, self.joins, strict=True):
            y = getattr(self, name)(x if join else total)
            total = y if join == 0 else total * y if join == 1 else total + torch.relu(y)
        return total


TRAINED = {
    "residual": (images, lambda: nn.Sequential(
        nn.Conv2d(1, 4, 3, bias=False), nn.BatchNorm2d(4), nn.ReLU(), Block(4, 4, 2), Block(4, 8, 2),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10),
    )),
    "tied": (ids, Tied),
    "lstm": (sequences, lambda: Read("LSTM", False, batch_first=True)),
    "patches": (images, Patches),
}  # fmt: skip
