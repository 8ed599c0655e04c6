"""docs/guide/mocha.md lists every name of Mocha's, and every name of mochac's that it answers with exists.

So do those of Caffe's table in docs/guide/caffe.md and of Slugnet's in docs/guide/estimators.md.
"""

import re

import pytest
from docs.pages import ROOT

import mochac
import mochac.formats.caffe
from mochac.base.hints import names as hints
from mochac.base.options import Options
from mochac.formats.caffe.builder import CONVERTERS
from mochac.nets.layers.base import LAYERS
from mochac.nets.solvers.method import METHODS
from mochac.nets.solvers.solver import Solver
from mochac.tools.cli.command import COMMANDS
from mochac.training.loop.lounge import CoffeeLounge

PAGE = (ROOT / "docs/guide/mocha.md").read_text()
CAFFE = (ROOT / "docs/guide/caffe.md").read_text().partition("## Caffe's names\n")[2].partition("\n## ")[0]
SLUGNET = (ROOT / "docs/guide/estimators.md").read_text().partition("## Slugnet's Model\n")[2]

MOCHA = {
    "layers": """
        HDF5Data AsyncHDF5Data MemoryData InnerProduct TiedInnerProduct Convolution Pooling ChannelPooling Softmax Power
        ElementWise LRN Dropout RandomMask Split Concat Reshape Identity Crop RandomNormal Argmax Index2Onehot
        HDF5Output MemoryOutput SquareLoss MultinomialLogisticLoss SoftmaxLoss SoftlabelSoftmaxLoss WassersteinLoss
        BinaryCrossEntropyLoss GaussianKLLoss HingeLoss Accuracy BinaryAccuracy""",
    "parts": """
        Neurons.Identity Neurons.ReLU Neurons.LReLU Neurons.Sigmoid Neurons.Tanh Neurons.Exponential Pooling.Max
        Pooling.Mean LRNMode.AcrossChannel LRNMode.WithinChannel ElementWiseFunctors.Add ElementWiseFunctors.Subtract
        ElementWiseFunctors.Multiply ElementWiseFunctors.Divide NullInitializer ConstantInitializer XavierInitializer
        GaussianInitializer OrthogonalInitializer NoRegu L1Regu L2Regu NoCons L2Cons DataTransformers.SubMean
        DataTransformers.Scale""",
    "solvers": """
        SGD Nesterov Adam Adadelta Adagrad LRPolicy.Fixed LRPolicy.Step LRPolicy.Exp LRPolicy.Inv LRPolicy.Staged
        LRPolicy.DecayOnValidation MomPolicy.Fixed MomPolicy.Step MomPolicy.Linear MomPolicy.Staged
        make_solver_parameters Solver solve init_solve onestep_solve finalize_solve copy_solver_state!
        max_iter regu_coef load_from""",
    "coffee": """
        setup_coffee_lounge add_coffee_break save_into every_n_iter every_n_epoch file_exists merge overwrite panic
        TrainingSummary Snapshot ValidationPerformance register Coffee init enjoy destroy update_statistics
        get_statistics save_statistics""",
    "nets and parameters": """
        save_network load_network load_snapshot Net forward backward forward_backward forward_epoch get_epoch
        check_bp_topology get_layer get_layer_state freeze unfreeze freeze_all unfreeze_all is_frozen dump_statistics
        reset_statistics println net2dot output_blobs param_key registry_reset registry_put tied_param_key RefCounter
        make_parameter share_parameter CPUBackend GPUBackend DefaultBackend shutdown reset_outputs""",
    "blobs and one's own layers": """
        make_blob make_zero_blob reshape_blob copy! fill! erase! randn! to_array size ndims length eltype get_num
        get_height get_width get_fea_size @defstruct @characterize_layer setup copy""",
    "tools": """
        test_gradients ImageClassifier classify plot_statistics image-classifier dump_network_hdf5 dump_mean_file
        imglist-to-hdf5 Memento m_debug m_info m_notice m_warn m_error MOCHA_USE_CUDA MOCHA_USE_NATIVE_EXT
        MOCHA_CUDA_DEVICE CXX MOCHA_FORCE_OMP OMP_NUM_THREADS""",
    "examples": """
        mnist.jl mnist_dropout_fc.jl mnist-demo.jl mnist_learning_curve.jl VAE.jl mnist-VAE.jl convert.jl get-mnist.sh
        get-cifar10.sh cifar10.jl cloud ilsvrc12 denoising-autoencoder test.jl test-gradients.jl test-wasserstein.jl""",
}
"""What a user of Mocha.jl 0.3.1 types, from its exports and manual."""

NAMESPACES = {
    "mochac": mochac,
    "program": mochac.Program,
    "net": mochac.Net,
    "solver": Solver,
    "lounge": CoffeeLounge,
    "layer": mochac.Layer,
    "validation": mochac.ValidationPerformance,
}
NOT_PYTHON = {"array", "logging"}
ATTRIBUTES = {"program.outputs", "program.params", "program.seed", "net.blobs", "lounge.statistics"}
"""Set by constructors, so that their classes do not have them."""


def rows(page=PAGE, *, below="", until="\n## "):
    """Cells of the tables' rows, of the section `below` a heading."""
    text = page.partition(f"\n{below}\n")[2] if below else page
    for line in re.findall(r"^\|.*\|$", text.partition(until)[0] if below else text, re.MULTILINE):
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        if set("".join(cells)) - set("- "):
            yield cells


def answers():
    """What stands between backquotes in mochac's columns."""
    theirs, _, ours = PAGE.partition("\n## Beyond Mocha\n")
    cells = [cell for page in (theirs, CAFFE, SLUGNET) for row in rows(page) for cell in row[1:]]
    cells += [row[0] for row in rows(ours)]
    return {answer for cell in cells for answer in re.findall(r"`([^`]+)`", cell)}


@pytest.mark.parametrize("what", MOCHA)
def test_every_name_of_mochas_is_listed(what):
    words = set(re.findall(r"[\w.@!-]+", PAGE)) | set(re.findall(r"[\w@!]+", PAGE)) | set(re.findall(r"[\w-]+", PAGE))
    names = MOCHA[what].split()
    if what == "layers":
        assert len(names) == 34
        names = [f"{name}Layer" for name in names]
    assert [name for name in names if name not in words] == []


def test_the_table_of_layers_is_mochas():
    """All of Mocha's layers, each of which mochac has."""
    table = {cells[1].strip("`").removesuffix("Layer") for cells in rows(below="### Layers", until="\n### ")}
    table.discard("mochac")
    assert table == set(MOCHA["layers"].split())
    assert table <= set(LAYERS)


def test_new_names_are_told():
    beyond = PAGE.partition("## Beyond Mocha\n")[2]
    mine = {name for name in mochac.__all__ if name.endswith("Initializer")}
    mine |= {f"{name}Layer" for name in set(LAYERS) - set(MOCHA["layers"].split())}
    mine |= {name for name in METHODS if name not in METHODS.foreign} | {"EarlyStopping", "Model", "NetClassifier"}
    known = set(" ".join(MOCHA.values()).split())
    missing = sorted(name for name in mine - known if f"`{name}`" not in beyond)
    assert not missing, f"docs/guide/mocha.md, Beyond Mocha, does not mention {', '.join(missing)}"


def test_answers_exist():
    assert [answer for answer in sorted(answers()) if not stands(answer)] == []


def stands(answer):
    """Whether what an answer names is there: a command, a variable, or names in mochac."""
    if command := re.match(r"mochac (\w+)", answer):
        return command[1] in COMMANDS
    if variable := re.match(r"MOCHAC_(\w+)", answer):
        return hasattr(Options(), variable[1].lower())
    dotted = re.findall(r"(?<![\w.\"])[A-Za-z]\w*(?:\.\w+)+", answer)
    alone = re.match(r"([A-Z]\w+)(?:\(.*\))?$", answer)
    return all(map(exists, dotted)) and (alone is None or hasattr(mochac, alone[1]))


def exists(dotted):
    """A name like Neurons.ReLU, program.freeze or mochac.caffe.load_net."""
    first, *rest = dotted.split(".")
    if first in NOT_PYTHON or rest[-1] in ("h5", "py", "jl"):
        return True
    if ".".join([first, *rest[:1]]) in ATTRIBUTES:
        return True
    here = NAMESPACES.get(first) or getattr(mochac, first, None)
    for name in rest:
        here = getattr(here, name, None)
    return here is not None


def test_names_that_do_not_exist_are_found():
    assert stands("mochac train") and not stands("mochac fly") and not stands("MOCHAC_FLY") and not stands("FlyLayer")
    assert exists("program.freeze") and exists("LRPolicy.Inv") and exists("mochac.caffe.load_net")
    assert not exists("program.fly") and not exists("LRPolicy.Sine") and not exists("mochac.caffe.fly")


def test_every_converter_of_caffes_layers_is_listed():
    words = set(re.findall(r"\w+", CAFFE))
    assert sorted(set(CONVERTERS) - words - {"Silence"}) == []


def test_functions_that_mocha_users_are_told_are_listed():
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    listed = {n for n, text in hints.MOCHA.items() for row in rows if f"`{n}`" in row and row.endswith(f"| {text} |")}
    assert sorted(set(hints.MOCHA) - listed) == []
