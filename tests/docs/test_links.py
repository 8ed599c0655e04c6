"""Links of the manual between its own files lead somewhere, anchors included; the index has every page."""

import re

from docs.pages import PAGES, ROOT

LINK = re.compile(r"\[[^\]\n]+\]\(([^)\s]+)\)")


def anchors(page):
    heads = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def links(page):
    for target in LINK.findall(page.read_text()):
        if "://" not in target:
            path, _, anchor = target.partition("#")
            yield (page.parent / path).resolve() if path else page, anchor


def test_links_lead_somewhere():
    broken = [
        f"{page.relative_to(ROOT)}: {target.relative_to(ROOT)}#{anchor}"
        for page in PAGES
        for target, anchor in links(page)
        if not target.exists() or (anchor and anchor not in anchors(target))
    ]
    assert broken == []


def test_every_page_is_in_the_index():
    index = ROOT / "docs/README.md"
    listed = {target for target, _ in links(index)}
    manual = {p for p in PAGES if p.is_relative_to(ROOT / "docs")} - {index}
    assert sorted(str(p.relative_to(ROOT)) for p in manual - listed) == []
