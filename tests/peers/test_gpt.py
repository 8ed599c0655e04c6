"""examples/text/gpt.py beside the same net in PyTorch: same weights, same batches, same losses, in float64."""

import importlib
import sys

import numpy as np
import pytest
from examples.running import EXAMPLES
from torch_kit import losses, torch

import mochac
from mochac import AdamW, MemoryDataLayer, Net


@pytest.fixture(scope="module")
def modules():
    sys.path.insert(0, str(EXAMPLES / "text"))
    yield importlib.import_module("gpt"), importlib.import_module("torch_twin")
    sys.path.pop(0)


def test_losses_are_those_of_pytorch(modules):
    gpt, torch_twin = modules
    vocabulary, context, batch, sizes = len(gpt.characters), 12, 5, (2, 16, 2)
    ids, following = gpt.windows(gpt.parts[0], np.arange(0, 40 * batch, 40), context)
    data = MemoryDataLayer(data=[ids, following], tops=["ids", "next"], batch_size=batch)
    program = mochac.compile(Net("gpt", [data, *gpt.gpt(vocabulary, context, *sizes)]), dtype="float64", threads=1)
    twin = torch_twin.Twin(vocabulary, context, *sizes).double()
    twin.start_from(program.parameters())
    method = torch.optim.AdamW(twin.parameters(), 1e-2, weight_decay=0.0)
    theirs = losses(twin, method, ids, following, 6)
    lounge = program.train(AdamW(1e-2, decay=0.0), max_iter=6, verbose=0)
    ours = [lounge.statistics["obj_val"][n] for n in range(1, 7)]
    np.testing.assert_allclose(ours, theirs, rtol=1e-10)
    for name, p in twin.names().items():
        np.testing.assert_allclose(program.parameters()[name], p.detach().numpy(), atol=1e-9, err_msg=name)
