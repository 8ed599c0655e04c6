"""docs/guide/layers.md says what the registry says; `make golden` rewrites it."""

from docs.layer_reference import render
from docs.pages import ROOT

PAGE = ROOT / "docs/guide/layers.md"


def test_the_page_is_up_to_date(request):
    if request.config.getoption("--update-golden"):
        PAGE.write_text(render())
    assert PAGE.read_text() == render(), "make golden rewrites docs/guide/layers.md"
