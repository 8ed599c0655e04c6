"""The report: what the page holds, that it needs nothing else, and that words of users are escaped."""

import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from tiny_net import tiny

import mochac
from mochac import SGD, InnerProductLayer, MemoryDataLayer, Net, SoftmaxLossLayer
from mochac.__main__ import main

pytestmark = pytest.mark.usefixtures("hasty")
VOID = {"meta", "br", "path", "rect", "circle", "input"}


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
def written(hasty, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    with mochac.compile(tiny(), threads=2) as program:
        solver = mochac.Solver(SGD(0.01), max_iter=6)
        solver.add_coffee_break(mochac.TrainingSummary(), every_n_iter=2)
        program.train(solver)
        before = {name: a.copy() for name, a in program.parameters().items()}
        program.report(folder / "report.html", n_iter=2, perfetto=folder / "trace.json")
        assert all(np.array_equal(a, before[name]) for name, a in program.parameters().items())
        yield program, (folder / "report.html").read_text(), json.loads((folder / "trace.json").read_text()), before


@pytest.mark.slow
def test_one_file_whose_links_lead_somewhere(written):
    page = Page(written[1])
    assert page.loads == [] and page.faults == [] and page.open == []
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert "http://" not in written[1].replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert len(written[1]) < 2_000_000


def test_all_parts_are_there(written):
    program, text, _, _ = written
    parts = {"verdict", "kernels", "timeline", "roofline", "graph", "memory", "training", "code", "provenance"}
    assert parts <= Page(text).ids
    assert {f"k{k:02}" for k in range(len(program.kernels))} <= Page(text).ids
    assert "ConvolutionLayer(" in text, "the user's line"
    assert all(word in text for word in ("What costs most", "of the measured peak", "Not fused, and why", "obj_val"))


def test_a_kernel_from_nest_to_assembly(written):
    text = written[1]
    languages = re.findall(r'data-language="(\w+)"', text)
    assert {"nest", "llvm", "asm"} == set(languages)
    for lines, loops in re.findall(r'data-loops="([^"]*)"[^>]*>([^<]*)</pre>', text):
        assert sum(int(run.split("x")[0]) for run in lines.split()) == len(loops.split("\n"))
    assert "these results stay in registers" in text or "a whole vector" in text, "reasons of the schedule"


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
        with pytest.raises(mochac.OptionError, match="report: path is not a path"):
            program.report(3)
        with pytest.raises(mochac.OptionError, match="report: perfetto is not a path"):
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
