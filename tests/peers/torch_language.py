"""Modules as in today's language models, for the tests of from_torch; see torch_modules."""

from __future__ import annotations

from types import SimpleNamespace

from torch_modules import MODULES, example, nn, torch

__all__ = ["MODULES"]


class Experts(nn.Module):
    """A mixture of experts that looks up the weights of each token's experts."""

    def __init__(self):
        super().__init__()
        self.router = nn.Linear(6, 4, bias=False)
        self.up = nn.Parameter(torch.randn(4, 10, 6) / 3)
        self.down = nn.Parameter(torch.randn(4, 6, 5) / 3)
        self.bias = nn.Parameter(torch.randn(4, 6))

    def chosen(self, x):
        weights, experts = torch.topk(torch.softmax(self.router(x), -1), 2)
        return weights / weights.sum(-1, keepdim=True), experts

    def forward(self, x):
        tokens = x.reshape(-1, 6)
        weights, experts = self.chosen(tokens)
        ids = experts.reshape(-1)
        rows = tokens.repeat_interleave(2, dim=0)
        gate, value = torch.bmm(self.up[ids], rows.unsqueeze(-1)).squeeze(-1).chunk(2, -1)
        made = torch.bmm(self.down[ids], (nn.functional.silu(gate) * value).unsqueeze(-1)).squeeze(-1) + self.bias[ids]
        return (made * weights.reshape(-1, 1)).view(len(tokens), 2, 6).sum(1).view(x.shape)


@example
def experts():
    return Experts(), (torch.randn(3, 5, 6),)


class SwitchedExperts(Experts):
    """As in transformers: a setting of the configuration says how they are computed."""

    def __init__(self):
        super().__init__()
        self.config = SimpleNamespace(_experts_implementation_internal="eager")

    def forward(self, x):
        if self.config._experts_implementation_internal == "batched_mm":
            return super().forward(x)
        tokens = x.reshape(-1, 6)
        weights, experts = self.chosen(tokens)
        result = torch.zeros_like(tokens)
        for k in experts.unique().tolist():
            row, place = torch.where(experts == k)
            gate, value = nn.functional.linear(tokens[row], self.up[k]).chunk(2, -1)
            made = nn.functional.linear(nn.functional.silu(gate) * value, self.down[k]) + self.bias[k]
            result = result.index_add(0, row, made * weights[row, place, None])
        return result.view(x.shape)


@example
def switched_experts():
    return SwitchedExperts(), (torch.randn(3, 5, 6),)


class PositionBias(nn.Module):
    """As in T5: a bias of relative positions, masked by a mask that was made for all samples."""

    def __init__(self, attends):
        super().__init__()
        self.body, self.bias, self.attends = nn.Linear(8, 8), nn.Embedding(9, 2), attends

    def forward(self, x):
        places = torch.arange(5)
        bias = self.bias((places[:, None] - places[None]).clamp(-4, 4) + 4).permute(2, 0, 1).unsqueeze(0)
        mask = (places[:, None] >= places[None]).expand(x.shape[0], 1, 5, 5)
        scores = torch.where(mask, bias, -1e30).contiguous()
        y = self.body(x).view(x.shape[0], 5, 2, 4).transpose(1, 2)
        if self.attends:
            return nn.functional.scaled_dot_product_attention(y, y, y, attn_mask=scores, scale=1.0)
        return torch.softmax(y @ y.transpose(2, 3) + scores + (bias + mask.to(x.dtype)), -1) @ y


@example
def position_bias_of_attention():
    return PositionBias(True), (torch.randn(3, 5, 8),)


@example
def position_bias_of_scores():
    return PositionBias(False), (torch.randn(3, 5, 8),)


class Chunks(nn.Module):
    """A linear attention that passes a state from chunk to chunk, which begins as zeros made for all samples."""

    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.scales = nn.Parameter(torch.randn(2))

    def forward(self, x):
        k, none, v = self.body(x).split([4, 0, 4], dim=-1)
        keys, values = self.scales.unbind()
        state = torch.zeros(x.shape[0], 4, 4, dtype=x.dtype)
        results = []
        for part in range(2):
            rows = slice(3 * part, 3 * part + 3)
            results.append((k[:, rows] * keys) @ state)
            state = state + (k[:, rows].transpose(1, 2) @ v[:, rows]) * values
        return torch.cat([torch.cat(results, 1), none], -1)


@example
def chunks():
    return Chunks(), (torch.randn(3, 6, 4),)


class LastToken(nn.Module):
    """Scores of the last token of each sample that is no padding, and of some others."""

    def __init__(self):
        super().__init__()
        self.embed, self.score = nn.Embedding(9, 6), nn.Linear(6, 3)

    def forward(self, ids):
        last = (torch.arange(5) * (ids != 0).int()).argmax(-1)
        scores = self.score(torch.tanh(self.embed(ids)))
        each = torch.arange(ids.shape[0])
        return scores[each, last], scores[each[:, None], torch.stack([last, -1 - last], 1)]


@example
def last_token():
    return LastToken(), (torch.tensor([[3, 4, 0, 0, 0], [1, 2, 5, 0, 0], [8, 7, 6, 5, 4]]),)


class SharedProjection(nn.Module):
    """As in DeBERTa: a linear map of the samples and of a parameter."""

    def __init__(self):
        super().__init__()
        self.places, self.keys = nn.Parameter(torch.randn(5, 6)), nn.Linear(6, 4)

    def forward(self, x):
        return self.keys(x) @ self.keys(self.places).T


@example
def shared_projection():
    return SharedProjection(), (torch.randn(3, 5, 6),)


class Positions(nn.Module):
    """Embeddings of positions that were counted for each sample, which are reshaped and added up; and rows of both."""

    def __init__(self):
        super().__init__()
        self.body, self.places, self.starts = nn.Linear(6, 6), nn.Embedding(80, 6), nn.Parameter(torch.randn(4, 6))

    def forward(self, x):
        counted = torch.arange(x.shape[1]).expand(x.shape[0], -1)
        places = self.places(counted)
        pairs = places.view(x.shape[0], 2, -1, 6) + self.starts[2]
        far = self.places.weight.index_select(0, torch.arange(80).view(8, 10).T.flatten()[: x.shape[1]])
        return self.body(x) + places + far, pairs.sum(1) + x[:, :20], self.starts[1] + self.places(counted) + x


@example
def positions():
    return Positions(), (torch.randn(3, 40, 6),)
