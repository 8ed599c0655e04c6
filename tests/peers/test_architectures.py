"""Models of torchvision, timm and transformers through from_torch: predictions, steps and names are PyTorch's."""

import pytest

pytest.importorskip("torch")

import architectures

KNOWN = {"transformers.FNetForSequenceClassification": "no layers"}
"""What from_torch refuses, and a part of why."""


@pytest.mark.soak
@pytest.mark.parametrize("name", architectures.MODELS)
def test_architecture(name):
    pytest.importorskip(name.partition(".")[0], exc_type=ImportError) if "torchvision" not in name else None
    row = architectures.checked(name)
    if name in KNOWN:
        assert KNOWN[name] in row.refused
        return
    assert not row.refused
    assert row.agrees or row.random, row
