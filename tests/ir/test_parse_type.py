"""Texts that are no tensor types."""

import pytest

from mochac.ir.types import parse_type


@pytest.mark.parametrize("text", ["f32[2 3]", "f32[2,3 4]"])
def test_extents_without_commas(text):
    with pytest.raises(ValueError, match="not a tensor type"):
        parse_type(text)
