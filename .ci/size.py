"""Where the house is large: lines by room, longest functions and files. `make size` prints it; no limit is set."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHOWN = 10


def main() -> None:
    rooms: Counter[str] = Counter()
    files: dict[str, int] = {}
    functions: dict[str, int] = {}
    for path in sorted(ROOT.glob("mochac/**/*.py")):
        text, name = path.read_text(), str(path.relative_to(ROOT))
        inside = path.relative_to(ROOT / "mochac").parts
        files[name] = text.count("\n")
        rooms[inside[0] + "/" if len(inside) > 1 else "mochac"] += files[name]
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno:
                functions[f"{name}:{node.lineno} {node.name}"] = node.end_lineno - node.lineno + 1
    show(f"lines by room, {sum(rooms.values())} in all", rooms)
    show("longest functions", functions, SHOWN)
    show("longest files", files, SHOWN)


def show(title: str, sizes: dict[str, int], count: int | None = None) -> None:
    print(f"\n{title}")
    for name, size in Counter(sizes).most_common(count):
        print(f"{size:7d}  {name}")


if __name__ == "__main__":
    main()
