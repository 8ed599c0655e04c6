"""place: text before and after; what it refuses."""

from __future__ import annotations

from step_kit import TILES, check, refuse


def test_place() -> None:
    check("place(local=p, space=register)", "local %p: f32[3] scratch\n", "local %p: f32[3] register\n")


def test_place_refuses() -> None:
    refuse("place(local=p, space=cloud)", TILES, "space must be one of")
    refuse("place(local=x, space=scratch)", TILES, "no local 'x'")
