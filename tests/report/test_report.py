"""The report: what the page holds, that it needs nothing else, and that words of users are escaped."""

import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from browser import chromium, opened
from tiny_net import tiny

import mochac
from mochac import SGD, InnerProductLayer, MemoryDataLayer, Net, SoftmaxLossLayer
from mochac.__main__ import main
from mochac.inspect.report.facts import gather
from mochac.inspect.report.graph_picture import timeline
from mochac.inspect.report.kernel_section import sections
from mochac.inspect.report.page import NARROW, page, trace
from mochac.inspect.report.roofline_picture import BOTTOM, CHAR, HEIGHT, LINE, roofline
from mochac.inspect.report.verdict import attempt, gain, limit

VOID = {"meta", "br", "path", "rect", "circle", "input", "wbr"}


class Page(HTMLParser):
    """Elements by id, links, and whether what is opened is closed."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads, self.open, self.faults = set(), [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if "id" in found:
            self.ids.add(found["id"])
        self.links += [found["href"]] if "href" in found else []
        self.loads += [found["src"]] if "src" in found else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    with mochac.compile(tiny(), threads=2) as program:
        solver = mochac.Solver(SGD(0.01), max_iter=6)
        solver.add_coffee_break(mochac.TrainingSummary(), every_n_iter=2)
        solver.add_coffee_break(mochac.ParameterNorms(), every_n_iter=2)
        program.train(solver)
        before = {name: a.copy() for name, a in program.parameters().items()}
        program.report(folder / "report.html", n_iter=2, perfetto=folder / "trace.json")
        assert all(np.array_equal(a, before[name]) for name, a in program.parameters().items())
        yield program, (folder / "report.html").read_text(), json.loads((folder / "trace.json").read_text()), before


@pytest.fixture(scope="module")
def facts(written):
    """What a page shows, for tests that change some of it."""
    return gather(written[0].session, 1)


@pytest.mark.slow
def test_one_file_whose_links_lead_somewhere(written):
    page = Page(written[1])
    assert page.loads == [] and page.faults == [] and page.open == []
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert "http://" not in written[1].replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert len(written[1]) < 2_000_000


@pytest.mark.slow
def test_all_parts_are_there(written):
    program, text, _, _ = written
    parts = {"verdict", "kernels", "timeline", "roofline", "graph", "memory", "training", "code", "provenance"}
    assert parts <= Page(text).ids
    assert {f"k{k:02}" for k in range(len(program.kernels))} <= Page(text).ids
    assert "ConvolutionLayer(" in text, "the user's line"
    assert all(word in text for word in ("What costs most", "of the measured peak", "Not fused, and why", "obj_val"))
    assert all(f'font-weight="bold">{name}</text>' in text for name in ("gradient", "norm", "change", "learning_rate"))


@pytest.mark.slow
def test_a_kernel_from_nest_to_assembly(written):
    text = written[1]
    languages = re.findall(r'data-language="(\w+)"', text)
    assert {"nest", "llvm", "asm"} == set(languages)
    for lines, loops in re.findall(r'data-loops="([^"]*)"[^>]*>([^<]*)</pre>', text):
        assert sum(int(run.split("x")[0]) for run in lines.split()) == len(loops.split("\n"))
    assert "these results stay in registers" in text or "a whole vector" in text, "reasons of the schedule"


@pytest.mark.slow
@pytest.mark.skipif(not chromium(), reason="there is no chromium on PATH")
def test_in_a_browser(written, tmp_path):
    """A kernel is plain text until it is asked for; then its words are coloured, and lines know their loops."""
    page = tmp_path / "report.html"
    page.write_text(written[1])
    closed, unfolded = opened(page), opened(page, "k03")
    assert closed.count("<noscript") > unfolded.count("<noscript") >= len(written[0].kernels) - 1
    line = r'<span class="l" data-loop="\d+"'
    assert not re.search(line, closed) and len(re.findall(line, unfolded)) > 20
    own = re.search(r'<details class="kernel" id="k03" open.*?</details>\s*<details', unfolded, re.S)[0]
    assert '<div class="ahead"><noscript' not in unfolded, "the graph above it has its height"
    assert "Your lines" in own and '<span class="k">' in own and "<noscript" not in own.rpartition("<details")[0]


def test_equal_code_is_shown_once(written):
    program, text, _, _ = written
    symbols = [k.launch.symbol for k in program.kernels]
    assert text.count('data-language="asm"') == len(set(symbols))
    assert text.count("Its code is that of") == len(symbols) - len(set(symbols))


def test_provenance(written):
    _, text, _, weights = written
    embedded = re.search(r'<script type="application/json" id="provenance">(.*?)</script>', text, re.S)
    record = json.loads(embedded[1])
    digest = hashlib.sha256()
    for name, array in sorted(weights.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode() + array.tobytes())
    assert record["weights_sha256"] == digest.hexdigest()
    assert record["cpu"] and record["cpus"] >= 1 and record["mochac"]["version"] == mochac.__version__
    assert record["seed"] == 0 and record["threads"] == 2 and record["plan"] == "step"


def test_trace(written):
    program, _, trace, _ = written
    events = trace["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    names = {k.name for k in program.kernels}
    assert names <= {e["name"] for e in slices} and all(e["dur"] >= 0 for e in slices)
    for kernel in (e for e in slices if e["name"] in names and e["pid"] == 2):
        around = [e for e in slices if e["name"].startswith("phase ") and e["tid"] == kernel["tid"]]
        ends = [(e["ts"], e["ts"] + e["dur"]) for e in around]
        assert any(a - 1e-6 <= kernel["ts"] and kernel["ts"] + kernel["dur"] <= b + 1e-6 for a, b in ends)
    starts, arrivals = ([e["id"] for e in events if e["ph"] == ph] for ph in "sf")
    assert starts and sorted(starts) == sorted(arrivals) and len(set(starts)) == len(starts)


@pytest.mark.slow
def test_data_that_is_slower_than_the_step(facts):
    """The verdict, the timeline and the trace say that a step waits; without a wait none of them does."""
    assert facts.profile.reads.keys() == {"in"} and all(s > 0 for s in facts.profile.reads.values())
    for factor in (0.5, 3.0):
        reads = {"in": factor * facts.profile.step_s}
        slow = replace(facts, profile=replace(facts.profile, reads=reads, waits={}))
        waits = [e for e in trace(slow)["traceEvents"] if e["name"] == "waits for data"]
        assert slow.profile.stall_s == pytest.approx(max(0, factor - 1) * facts.profile.step_s)
        assert len(waits) == len(slow.profile.spans) * (factor > 1)
        assert all(e["dur"] == pytest.approx(slow.profile.stall_s * 1e6) for e in waits)
        assert ("In training, the data limits it" in page(slow)) == (factor > 1)
        assert (timeline(slow).count("waits ") > 0) == (factor > 1) and "in: next batch in" in timeline(slow)
        assert ("a step would wait" in str(slow.profile)) == ("a step would wait" in page(slow)) == (factor > 1)


@pytest.mark.slow
def test_what_steps_have_waited_counts(facts):
    """Not what its reader takes for a batch; a hundredth of a step is nothing."""
    assert facts.profile.waits.keys() == {"in"}
    for waited, said in ((0.009, False), (0.25, True)):
        waits = {"in": waited * facts.profile.step_s}
        slow = replace(facts, profile=replace(facts.profile, reads={"in": 1e3}, waits=waits))
        assert slow.profile.stall_s == said * waits["in"]
        assert ("a step waited" in str(slow.profile)) == ("a step waited" in page(slow)) == said
        assert ("20 % of the time" in page(slow)) == said


def test_what_limits_a_kernel(facts):
    """The time of what it executes counts: multiply-adds on padding are skipped, and nothing takes over 100 %."""
    conv = next(k for k in facts.kernels if "conv" in k.record.ops)
    alone, near = "Its multiply-adds alone would take", "of its time: it is near the limit of this machine."
    said = {
        (84.0, 0.7, "peak"): f"{alone} 84 % {near} It skips 30 % of the operations of its formula: taps on padding.",
        (100.0, 1.0, "peak"): f"{alone} 100 % {near}",
        (90.0, 1.5, "peak"): f"{alone} 90 % {near} It executes 1.50 times the operations of its formula.",
        (80.0, 0.7, "L2"): f"Moving its bytes through L2 would take 80 % {near}",
    }
    for (percent, executed, by), words in said.items():
        time = replace(conv.time, percent_roof=percent, executed=executed, bound_by=by)
        assert limit(facts, replace(conv, time=time)) == words
    tiled = replace(conv.record, ops=("winograd_input", "winograd_product", "winograd_output"))
    time = replace(conv.time, percent_roof=84.0, executed=0.27, bound_by="peak")
    words = f"{alone} 84 % {near} It computes by tiles, with 27 % of the operations of its formula."
    assert limit(facts, replace(conv, record=tiled, time=time)) == words


def test_more_threads_are_recommended_where_there_are_more_and_none_is_in_use(facts, monkeypatch):
    conv = next(k for k in facts.kernels if "conv" in k.record.ops)
    near = replace(conv, time=replace(conv.time, percent_roof=90.0, share=0.4))
    idle = replace(facts.profile, threads=1, attributed=1.0, clock_cost=0.0, spread=0.0)
    idle = replace(idle, shared_by=idle.used_threads)
    for cpus, spread, said in ((2, 0.0, True), (1, 0.0, False), (2, 2.0, False)):
        monkeypatch.setattr("mochac.inspect.report.verdict.default_threads", lambda n=cpus: n)
        assert ("or more threads" in attempt(replace(facts, profile=replace(idle, spread=spread)), near)) == said


def test_what_to_try(facts):
    """Each kernel is told what it could gain; near its roof, no search is recommended."""
    facts = replace(facts, profile=replace(facts.profile, step_s=0.1))
    conv = next(k for k in facts.kernels if "conv" in k.record.ops)

    def at(**changes):
        return replace(conv, time=replace(conv.time, **{"share": 0.4, **changes}))

    assert gain(facts, at(share=0.4, percent_roof=50.0)) == "At its roof, a step would take 80 ms instead of 100 ms."
    assert gain(facts, at(share=0.4, percent_roof=120.0)) == "At its roof, a step would take 100 ms instead of 100 ms."
    idle = replace(facts, profile=replace(facts.profile, threads=1, attributed=1.0, clock_cost=0.0, spread=0.0))
    idle = replace(idle, profile=replace(idle.profile, shared_by=idle.profile.used_threads))
    assert not idle.profile.busy and 'tune="quick"' in attempt(idle, at(percent_roof=50.0))
    assert "tune" not in attempt(idle, at(percent_roof=90.0))
    assert "nothing" in attempt(idle, at(share=0.001))
    busy = replace(idle, profile=replace(idle.profile, spread=2.0))
    assert "when the machine is idle" in attempt(busy, at(percent_roof=50.0, seconds=1.0, predicted=0.1))
    searched = replace(conv.record, scheduled=replace(conv.record.scheduled, origin="quick search: best of 3"))
    assert 'tune="full"' in attempt(idle, replace(at(percent_roof=50.0), record=searched))
    wide = replace(idle, profile=replace(idle.profile, threads=conv.record.items + 1))
    assert "a larger batch" in attempt(wide, at(percent_roof=50.0))


def test_passes_of_training(written, facts):
    found = {k.name: facts.passes[k.number] for k in facts.kernels}
    assert set(found.values()) <= {"forward", "backward", "forward, backward", "backward, update", "update"}
    assert next(p for k, p in found.items() if k.startswith("conv.conv") and "_d" not in k) == "forward"
    assert all("forward" not in p for k, p in found.items() if "_dx" in k or "_dw" in k)
    trained = {i.name for i in facts.graph.inputs if i.role in ("slot", "param")}
    new = {value for old, value in facts.graph.updates if old in trained}
    assert all("update" in found[k.name] for k in facts.kernels if new & k.record.written)
    assert sum(p in ("forward", "backward") for p in found.values()) >= 4


@pytest.mark.slow
def test_threads_that_did_not_run(facts):
    """A row for every thread that there is work for, and a sentence."""
    p = facts.profile
    fewer = replace(facts, profile=replace(p, threads=2, shared_by=2, spans=p.spans[:1]))
    assert fewer.profile.busy and "Only 1 of 2 threads ran" in page(fewer)
    assert "The quickest runs of the kernels add up to" in page(fewer)
    assert timeline(fewer).count("did not run in this step") == 1 and ">thread 1<" in timeline(fewer)
    small = replace(facts, profile=replace(p, threads=2, shared_by=1, spans=p.spans[:1]))
    assert "has work for only 1 of 2 threads" in page(small) and "did not run" not in timeline(small)


@pytest.mark.slow
def test_the_limit_that_was_broken_is_named(facts):
    calm = {"spread": 0.0, "attributed": 1.0, "clock_cost": 0.0, "shared_by": facts.profile.used_threads}
    assert "busy with other work" not in page(replace(facts, profile=replace(facts.profile, **calm)))
    text = page(replace(facts, profile=replace(facts.profile, **(calm | {"spread": 0.6}))))
    assert "slow runs took 60% longer than quick ones, more than 25%." in text and "covers" not in text


@pytest.mark.parametrize("width", [860.0, 460.0])
def test_words_beside_dots_cover_nothing(facts, width):
    shares = [replace(k, time=replace(k.time, share=0.25)) for k in facts.kernels]
    picture = roofline(replace(facts, kernels=tuple(shares)), width)
    labels = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="middle">(\d+(?: [^<]*)?)</text>', picture)
    assert {text.split()[0] for _, _, text in labels} & {str(k.number) for k in shares}
    labels = [row for row in labels if float(row[1]) < HEIGHT - BOTTOM]
    boxes = [(float(x) - CHAR * len(t) / 2, float(y), float(x) + CHAR * len(t) / 2) for x, y, t in labels]
    assert (
        labels
        and all(0 < a[0] and a[2] < width for a in boxes)
        and not any(
            a is not b and a[0] < b[2] and b[0] < a[2] and abs(a[1] - b[1]) < LINE for a in boxes for b in boxes
        )
    )


def test_narrow_screens_have_drawings_of_their_own(written):
    text = written[1]
    for title in ("When each thread runs which kernel", "Roofline: operations", "Memory of a step"):
        widths = re.findall(r'<svg [^>]*width="(\d+)"[^>]*>\s*<title>' + title, text)
        assert len(widths) == 2 and float(widths[1]) == NARROW < float(widths[0])


@pytest.mark.slow
def test_a_line_of_the_user_is_shown_once(written, facts):
    """With the fields of its layer, since the line itself may stand in a loop."""
    for section in sections(facts):
        places = [line.place for line in section.sources]
        assert len(places) == len(set(places))
    conv = next(s for s in sections(facts) if "conv" in s.kernel.record.ops)
    layer = next(layer for layer in written[0].session.net.layers if layer.name == "conv")
    assert conv.sources[0].fields[0].startswith(repr(layer)[:60])


@pytest.mark.slow
def test_words_of_users_are_escaped(tmp_path):
    data = MemoryDataLayer(name="a<b>", data=[np.zeros((8, 3)), np.zeros(8, int)], batch_size=4)
    ip = InnerProductLayer(name="x&<i>", output_dim=2, bottoms=["data"])
    net = Net("<script>alert(1)</script>", [data, ip, SoftmaxLossLayer(name='q"', bottoms=["x&<i>", "label"])])
    with mochac.compile(net, threads=1) as program:
        program.report(tmp_path / "r.html", n_iter=1)
    text = (tmp_path / "r.html").read_text()
    assert "<script>alert" not in text and "<i>" not in text and "&lt;script&gt;alert" in text
    assert Page(text).faults == []


@pytest.mark.slow
def test_refusals(tmp_path):
    (tmp_path / "file").touch()
    with mochac.compile(tiny(), threads=1) as program:
        with pytest.raises(mochac.OptionError, match="report: path is out of range"):
            program.report(3)
        with pytest.raises(mochac.OptionError, match="report: perfetto is out of range"):
            program.report(tmp_path / "r.html", perfetto=3)
        with pytest.raises(mochac.SnapshotError, match=r"cannot write .*r\.html"):
            program.report(tmp_path / "file" / "r.html", n_iter=1)


@pytest.mark.slow
def test_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text("from tiny_net import tiny\nnet = tiny()\n")
    assert main(["report", "net.py", "--n-iter", "1", "--perfetto", "t.json", "--threads", "1"]) == 0
    assert capsys.readouterr().out == "wrote report.html and t.json\n"
    assert (tmp_path / "report.html").exists() and (tmp_path / "t.json").exists()
