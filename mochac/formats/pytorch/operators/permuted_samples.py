"""Samples of the batch by their numbers, x[permutation], as in mixup and cutmix.

All samples together are a table. An EmbeddingLayer takes rows of it, so the result has samples again, and layers with
parameters may read it.
"""

from __future__ import annotations

import math
from typing import Any

from mochac.formats.importing.formulas import inner, reshaped
from mochac.formats.importing.node import BlobTensor
from mochac.formats.importing.place import FIRST
from mochac.formats.importing.rearranged import reduced
from mochac.formats.pytorch.builder import AtenNode, TorchBuilder
from mochac.formats.pytorch.converters import aten
from mochac.formats.pytorch.operators.sampling import refused_numbers


def samples_at(b: TorchBuilder, node: AtenNode, x: BlobTensor, ids: Any) -> bool:
    """Let the output of the node be the samples of x with these numbers, one for each sample; False if they are not."""
    own = isinstance(ids, BlobTensor) and ids.samples and ids.shape == (b.batch,) and ids.place == FIRST
    if not own or not x.samples or x.place != FIRST or b.lead:
        return False
    part = x.shape[1:]
    width = math.prod(part)
    table = reshaped(b, node, b.array_of(node, x), (b.batch, width), last=False)
    how: dict[str, Any] = {"vocabulary": b.batch, "output_dim": width, "weight": table.name}
    found = b.add("Embedding", node, [ids], (b.batch, width), None, FIRST, **how)
    if found.shape != x.shape:
        reshaped(b, node, found, x.shape, FIRST)
    return True


@aten("randperm")
def random_permutation(b: TorchBuilder, node: AtenNode, n: int) -> BlobTensor:
    """The ranks of random numbers, one for each sample; of equal ones a second number decides."""
    if b.lead or n != b.batch:
        raise refused_numbers(node)
    rows = [b.noise(node, (b.batch, 1), FIRST) for _ in range(2)]
    whole = [reshaped(b, node, b.array_of(node, x), (b.batch,), last=False) for x in rows]
    before = "or(lt({0}, {1}), and(eq({0}, {1}), lt({2}, {3})))"
    smaller = inner(b, node, before, whole[0], rows[0], whole[1], rows[1])
    return reduced(b, node, smaller, [1], "sum", keep=False, last=False)
