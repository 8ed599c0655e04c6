"""What benchmarks/ makes of rounds: medians, ratios, marks of a busy machine, records, the plot, the README."""

from __future__ import annotations

import json

import pytest
from bench_kit import made_up, module


def test_busy_rounds_are_left_out_where_there_are_enough_quiet_ones():
    text = module("contest.summary").section(made_up(5, 9, executed=421_824_000))
    assert "### LeNet, batch 64, 2 threads\n" in text
    assert "| mochac train() | 2.50 | 2.50 | 1.00 | 67 % (67-67) | 500 | 2% |" in text
    assert "| fast | 10.00 | 10.00 | 4.00 | 17 % (17-17) | 500 | 2% |" in text
    assert "Fastest peer: fast. Against it train() is 4.00 times as fast, the plan 5.00 times." in text
    assert "844 MFLOP nominal per step, 422 MFLOP executed by mochac." in text
    assert "5 of 14 rounds used, 5 were quiet" in text


def test_a_busy_run_is_marked_in_every_row():
    text = module("contest.summary").section(made_up(2, 4, threads=1, notes=["JAX is not installed: left out"]))
    assert "### LeNet, batch 64, 1 thread (busy)\n" in text
    assert "| fast (busy) | 20.00 | 10.00 |" in text
    assert all("(busy)" in line for line in text.splitlines() if line.startswith(("| mochac", "| fast", "| slow")))
    assert text.endswith("JAX is not installed: left out")


def test_half_of_few_rounds_are_enough():
    assert not made_up(2, 1).busy
    assert made_up(1, 2).busy


def test_a_table_travels_as_text():
    table, found = module("contest.table"), made_up(1, 2, notes=["x"])
    (back,) = table.loaded(table.dumped([found]))
    assert back == found


def test_no_peer():
    found = made_up(3, 0)
    for r in found.rounds:
        r.bursts = {name: b for name, b in r.bursts.items() if name.startswith("mochac")}
    assert "No peer took part." in module("contest.summary").section(found)


@pytest.mark.parametrize(("strict", "busy", "recorded"), [(True, 3, False), (True, 0, True), (False, 3, True)])
def test_strict_refuses_what_a_busy_machine_gave(monkeypatch, capsys, strict, busy, recorded):
    command = module("contest.command")
    kept = []
    monkeypatch.setattr(command, "_measured", lambda *_: ([made_up(1, busy)], True))
    monkeypatch.setattr(command, "_record", lambda kind, name, intro, tables: kept.append(name))
    options = command.parsed("", ["lenet"], 1, ["--record", "--threads", "1", *["--strict"] * strict])
    assert command.run("training", options, "") == (0 if recorded else 1)
    assert kept == ["lenet"] * recorded
    refused = "refused: the machine was busy (LeNet, batch 64, 1 threads)" in capsys.readouterr().out
    assert refused != recorded


def test_a_net_that_fails_leaves_the_others(monkeypatch, capsys):
    command = module("contest.command")
    monkeypatch.setattr(command, "_measured", lambda kind, name, *_: ([made_up(1, 0)] * (name == "mlp"), name == "mlp"))
    options = command.parsed("", ["lenet", "mlp"], 1, ["--threads", "1"])
    assert command.run("training", options, "") == 1
    assert "| mochac plan |" in capsys.readouterr().out


def test_a_table_whose_contenders_disagree_is_left_out(monkeypatch, capsys):
    measure, command = module("contest.measure"), module("contest.command")

    def table(one, *_):
        if one.batch == 8:
            raise module("contest.agreement").Disagreement("peer: prediction differs")
        return made_up(1, 0, name=f"lenet-{one.batch}")

    monkeypatch.setattr(measure, "_table", table)
    monkeypatch.setattr(
        measure.sys, "argv", "x prediction lenet --threads 1 --seconds 0 --burst 0.1 --batch 1 8 64".split()
    )
    assert measure.main() == 1
    out, err = capsys.readouterr()
    assert [t.name for t in module("contest.table").loaded(out)] == ["lenet-1", "lenet-64"]
    assert err == "LeNet, prediction of batch 8: peer: prediction differs\n"

    done = module("subprocess").CompletedProcess([], 1, stdout=out)
    monkeypatch.setattr(command.subprocess, "run", lambda *_, **__: done)
    options = command.parsed("", ["lenet"], 1, [])
    tables, complete = command._measured("prediction", "lenet", 1, options)
    assert len(tables) == 2 and not complete


def test_an_unknown_net(capsys):
    command = module("contest.command")
    options = command.parsed("", ["lenet"], 1, ["lent"])
    assert command.run("training", options, "") == 2
    known = "alexnet autoencoder cifar convnext gpt gru lenet lstm mlp mobilenet resnet tabular tiny"
    assert capsys.readouterr().err == f"no net 'lent'; there are: {known}\n"


def test_quick_asks_for_little_and_given_options_win():
    parsed = module("contest.command").parsed
    assert parsed("", ["lenet"], 20, []).threads == [1, 2]
    quick = parsed("", ["lenet"], 20, ["--quick", "--seconds", "9"])
    assert (quick.threads, quick.seconds, quick.without) == ([2], 9.0, ["torch.compile"])


def test_peers_can_be_left_out(monkeypatch):
    contender, said = module("contest.contender"), []
    monkeypatch.setattr(contender, "FRAMEWORKS", {"mochac": "mochac", "no_such_framework": "Nothing"})

    class Ours:
        name = "mochac plan"
        suits = staticmethod(lambda task: True)

        def __init__(self, *_):
            pass

    class Peer(Ours):
        name = "peer"

        def __init__(self, *_):
            raise RuntimeError("no C++ compiler\nmore")

    class Both:
        TRAINERS = (Ours, Peer)

    monkeypatch.setattr(contender.importlib, "import_module", lambda name: Both)
    assert [c.name for c in contender.field(None, None, 1, "TRAINERS", [], said.append)] == ["mochac plan"]
    assert said == [
        "peer fails and is left out: RuntimeError: no C++ compiler",
        "Nothing is not installed: left out",
    ]
    said.clear()
    contender.field(None, None, 1, "TRAINERS", ["pe"], said.append)
    assert said == ["Nothing is not installed: left out"]


def test_a_record_replaces_only_this_machines_section(tmp_path, monkeypatch):
    report = module("contest.report")
    monkeypatch.setattr(report, "RESULTS", tmp_path)
    monkeypatch.setattr(report, "INDEX", tmp_path / "RESULTS")
    for name, body in (("A", "first"), ("B", "other"), ("A", "second")):
        monkeypatch.setattr(report, "machine", lambda name=name: name)
        path = report.record("x", "# Title\n", f"{body}\n\n### part")
    text = path.read_text()
    assert text == "# Title\n\n## B\n\nother\n\n### part\n\n## A\n\nsecond\n\n### part\n"
    assert report.INDEX.read_text().endswith("| [results/x.md](results/x.md) | Title |\n")


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    """figures.json of a machine "M": LeNet with one and two threads, the latter twice."""
    figures, report = module("contest.figures"), module("contest.report")
    monkeypatch.setattr(figures, "FILE", tmp_path / "figures.json")
    monkeypatch.setattr(report, "machine", lambda: "M")
    monkeypatch.setattr(report, "commit", lambda: "abc1234")
    figures.add([figures.figure(made_up(3, 9)), figures.figure(made_up(5, 0, threads=1))])
    figures.add([figures.figure(made_up(5, 0))])
    return figures


def test_figures_keep_the_newest(recorded):
    found = {f["threads"]: f for f in json.loads(recorded.FILE.read_text())}
    assert sorted(found) == [1, 2] and not found[2]["busy"]
    assert found[2]["contenders"]["fast"] == {"median_s": 0.01, "min_s": 0.01, "of_peak": 16.87, "load": 0.02}


def test_the_readmes_table(recorded, tmp_path):
    readme = module("contest.readme")
    file = tmp_path / "README.md"
    file.write_text(f"before\n{readme.BEGIN}\nold\n{readme.END}\nafter\n")
    readme.write(file)
    text = file.read_text()
    assert text.startswith("before\n") and text.endswith("\nafter\n") and "old" not in text
    assert "| LeNet, batch 64 | 2 | 2.5 ms | 67 % | fast | 10 ms | 4.0 |" in text
    assert "M, 20" in text and "(commit abc1234)" in text
    again = file.read_text()
    readme.write(file)
    assert file.read_text() == again
    file.write_text("no place\n")
    readme.write(file)
    assert file.read_text() == "no place\n"


def test_the_plot(recorded, tmp_path, monkeypatch):
    plot = module("contest.plot")
    monkeypatch.setattr(plot, "FILE", tmp_path / "plot.svg")
    plot.write()
    text = plot.FILE.read_text()
    assert text.startswith("<svg") and text.endswith("</svg>\n")
    assert ">LeNet, 2 threads<" in text and ">84<" in text
