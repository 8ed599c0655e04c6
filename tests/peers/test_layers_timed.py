"""The benchmarks of PyTorch's layers run. No timings."""

from __future__ import annotations

from bench_kit import module


def test_layers_of_drawn_sizes(capsys, monkeypatch):
    drawn = module("drawn_layers")
    monkeypatch.setattr(drawn, "BUDGET_S", 0.0)
    assert drawn.main(["--layers", "15", "--kinds", "function", "move", "norm", "softmax", "reduction"]) == 0
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert [row[:2] for row in rows[2:]] == [
        [f"| {kind}", "3"] for kind in ("function", "move", "norm", "softmax", "reduction")
    ]
    assert all(0 < float(row[2]) <= float(row[3]) <= float(row[4]) for row in rows[2:])


def test_a_drawn_layer_of_each_kind_is_of_a_size_that_runs():
    drawn = module("drawn_layers")
    for kind, draw in drawn.KINDS.items():
        for seed in range(20):
            _, shape, work = drawn.drawn(draw, drawn.Sizes(f"{kind} {seed}"))
            assert all(n >= 1 for n in shape)
            assert work <= drawn.MOST_WORK


def test_named_layers(capsys):
    assert module("torch_layers").main(["mlp 20-64, one sample", "--threads", "1", "--rounds", "1"]) == 0
    assert capsys.readouterr().out.startswith("mlp 20-64, one sample  ")
