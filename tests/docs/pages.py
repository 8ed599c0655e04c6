"""The manual's pages and the fenced blocks in them, for the tests of this folder."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("docs/**/*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line of the page its text begins at."""

    language: str
    text: str
    line: int

    @property
    def file(self) -> str:
        """The file it is to be saved as, from a first line such as `# mochac/ir/ops/softplus.py`; else ""."""
        first = self.text.partition("\n")[0]
        return first[2:] if re.fullmatch(r"# [\w/]+\.py", first) else ""

    @property
    def quoted(self) -> str:
        """The file of the repository that it is a part of, from a first line such as `# from tests/a.py`; else ""."""
        first = self.text.partition("\n")[0]
        return first.removeprefix("# from ") if re.fullmatch(r"# from [\w/]+\.py", first) else ""


def blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page, in order."""
    text = page.read_text()
    return [Block(m[1], m[2], text.count("\n", 0, m.start()) + 2) for m in _FENCE.finditer(text)]
