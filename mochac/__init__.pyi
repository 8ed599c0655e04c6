"""The public names for type checkers; written by `make golden` from what mochac exports."""

from mochac import ir as ir
from mochac.ir import passes as passes
from mochac.tools import testing as testing
from mochac.formats import caffe as caffe
from mochac.api.compiler import compile as compile
from mochac.formats import onnx as onnx
from mochac.api.compiler import dump, explain
from mochac.api.estimators.image_classifier import ImageClassifier
from mochac.api.estimators.model import Model
from mochac.api.estimators.net_estimators import NetClassifier, NetRegressor
from mochac.api.program import Program
from mochac.base.errors import (
    BackendError,
    DataError,
    InternalError,
    MochacError,
    NetError,
    NumericError,
    OptionError,
    RankError,
    ShapeError,
    SnapshotError,
    UnsupportedError,
)
from mochac.formats.clib.build import build
from mochac.formats.pytorch.module import from_torch
from mochac.formats.pytorch.solver import solver_from_torch
from mochac.nets.layers._attention import Rotary
from mochac.nets.layers._norms import GroupNormLayer, InstanceNormLayer, LayerNormLayer, RMSNormLayer
from mochac.nets.layers.all_samples import AllSamplesLayer, MeanStatisticLayer
from mochac.nets.layers.attention import AttentionLayer, MultiHeadAttentionLayer
from mochac.nets.layers.augmentations import Augment
from mochac.nets.layers.axes import FlattenLayer, PermuteLayer, ReductionLayer, ReshapeLayer
from mochac.nets.layers.base import Layer
from mochac.nets.layers.buffers import BufferLayer, BufferUpdateLayer
from mochac.nets.layers.class_losses import (
    FocalLossLayer,
    MulticlassHingeLossLayer,
    MultinomialLogisticLossLayer,
    SoftlabelSoftmaxLossLayer,
    SoftmaxLossLayer,
)
from mochac.nets.layers.classes import AccuracyLayer, ArgmaxLayer, Index2OnehotLayer
from mochac.nets.layers.convolution import ConvolutionLayer, DeconvolutionLayer
from mochac.nets.layers.data import (
    AsyncHDF5DataLayer,
    HDF5DataLayer,
    ImageFolderLayer,
    InputLayer,
    LMDBDataLayer,
    MemoryDataLayer,
    PythonDataLayer,
)
from mochac.nets.layers.element_wise import (
    ActivationLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    IdentityLayer,
    PowerLayer,
    SoftmaxLayer,
    StopGradientLayer,
)
from mochac.nets.layers.embedding_losses import (
    ContrastiveLossLayer,
    CosineLossLayer,
    InfoNCELossLayer,
    TripletLossLayer,
    WassersteinLossLayer,
)
from mochac.nets.layers.ends import ConstantLayer, HDF5OutputLayer, MemoryOutputLayer, ParameterLayer
from mochac.nets.layers.functions import EinsumLayer, FunctionLayer
from mochac.nets.layers.image_norms import BatchNormLayer, LRNLayer, LRNMode
from mochac.nets.layers.images import CropLayer, PadLayer
from mochac.nets.layers.initializers import (
    BilinearInitializer,
    ConstantInitializer,
    GaussianInitializer,
    GlorotNormalInitializer,
    GlorotUniformInitializer,
    HeNormalInitializer,
    HeUniformInitializer,
    LeCunNormalInitializer,
    LeCunUniformInitializer,
    NormalInitializer,
    NullInitializer,
    OneInitializer,
    OrthogonalInitializer,
    UniformInitializer,
    XavierInitializer,
    ZeroInitializer,
)
from mochac.nets.layers.inner_product import EmbeddingLayer, InnerProductLayer, TiedInnerProductLayer
from mochac.nets.layers.joining import ConcatLayer, NarrowLayer, SliceLayer, SplitLayer, TileLayer
from mochac.nets.layers.label_losses import BinaryAccuracyLayer, BinaryCrossEntropyLossLayer, HingeLossLayer
from mochac.nets.layers.neurons import Neurons
from mochac.nets.layers.pooling import ChannelPoolingLayer, GlobalPoolingLayer, Pooling, PoolingLayer
from mochac.nets.layers.random import DropoutLayer, RandomMaskLayer, RandomNormalLayer
from mochac.nets.layers.recurrent import GRULayer, LSTMLayer, RNNLayer
from mochac.nets.layers.regularizers import L1Regu, L2Cons, L2Regu, NoCons, NoRegu
from mochac.nets.layers.resizing import ResampleLayer, UpsampleLayer
from mochac.nets.layers.scale import BiasLayer, PReLULayer, ScaleLayer
from mochac.nets.layers.transformers import DataTransformers
from mochac.nets.layers.value_losses import (
    GaussianKLLossLayer,
    HuberLossLayer,
    L1LossLayer,
    MeanLossLayer,
    PoissonLossLayer,
    QuantileLossLayer,
    SquareLossLayer,
)
from mochac.nets.net import Net
from mochac.nets.solvers.adagrad import Adadelta, Adagrad, RMSProp
from mochac.nets.solvers.adam import Adam, AdamW, RAdam
from mochac.nets.solvers.adamax import Adamax
from mochac.nets.solvers.nadam import NAdam
from mochac.nets.solvers.policies import LRPolicy, MomPolicy
from mochac.nets.solvers.sgd import Nesterov, SGD
from mochac.nets.solvers.solver import Solver
from mochac.runtime.data.params import Params
from mochac.tools.testing.gradients import check_gradients
from mochac.tools.testing.operations import check_op
from mochac.training.loop.coffee import Snapshot, TrainingSummary, ValidationPerformance
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.loop.tracking import EarlyStopping, ParameterAverage, ParameterNorms, ResetStates, TensorBoard
from mochac.training.many.train import train_many

__version__: str
__all__ = [
    "AccuracyLayer",
    "ActivationLayer",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "AllSamplesLayer",
    "ArgmaxLayer",
    "AsyncHDF5DataLayer",
    "AttentionLayer",
    "Augment",
    "BackendError",
    "BatchNormLayer",
    "BiasLayer",
    "BilinearInitializer",
    "BinaryAccuracyLayer",
    "BinaryCrossEntropyLossLayer",
    "BufferLayer",
    "BufferUpdateLayer",
    "ChannelPoolingLayer",
    "CoffeeLounge",
    "ConcatLayer",
    "ConstantInitializer",
    "ConstantLayer",
    "ContrastiveLossLayer",
    "ConvolutionLayer",
    "CosineLossLayer",
    "CropLayer",
    "DataError",
    "DataTransformers",
    "DeconvolutionLayer",
    "DropoutLayer",
    "EarlyStopping",
    "EinsumLayer",
    "ElementWiseFunctors",
    "ElementWiseLayer",
    "EmbeddingLayer",
    "FlattenLayer",
    "FocalLossLayer",
    "FunctionLayer",
    "GRULayer",
    "GaussianInitializer",
    "GaussianKLLossLayer",
    "GlobalPoolingLayer",
    "GlorotNormalInitializer",
    "GlorotUniformInitializer",
    "GroupNormLayer",
    "HDF5DataLayer",
    "HDF5OutputLayer",
    "HeNormalInitializer",
    "HeUniformInitializer",
    "HingeLossLayer",
    "HuberLossLayer",
    "IdentityLayer",
    "ImageClassifier",
    "ImageFolderLayer",
    "Index2OnehotLayer",
    "InfoNCELossLayer",
    "InnerProductLayer",
    "InputLayer",
    "InstanceNormLayer",
    "InternalError",
    "L1LossLayer",
    "L1Regu",
    "L2Cons",
    "L2Regu",
    "LMDBDataLayer",
    "LRNLayer",
    "LRNMode",
    "LRPolicy",
    "LSTMLayer",
    "Layer",
    "LayerNormLayer",
    "LeCunNormalInitializer",
    "LeCunUniformInitializer",
    "MeanLossLayer",
    "MeanStatisticLayer",
    "MemoryDataLayer",
    "MemoryOutputLayer",
    "MochacError",
    "Model",
    "MomPolicy",
    "MultiHeadAttentionLayer",
    "MulticlassHingeLossLayer",
    "MultinomialLogisticLossLayer",
    "NAdam",
    "NarrowLayer",
    "Nesterov",
    "Net",
    "NetClassifier",
    "NetError",
    "NetRegressor",
    "Neurons",
    "NoCons",
    "NoRegu",
    "NormalInitializer",
    "NullInitializer",
    "NumericError",
    "OneInitializer",
    "OptionError",
    "OrthogonalInitializer",
    "PReLULayer",
    "PadLayer",
    "ParameterAverage",
    "ParameterLayer",
    "ParameterNorms",
    "Params",
    "PermuteLayer",
    "PoissonLossLayer",
    "Pooling",
    "PoolingLayer",
    "PowerLayer",
    "Program",
    "PythonDataLayer",
    "QuantileLossLayer",
    "RAdam",
    "RMSNormLayer",
    "RMSProp",
    "RNNLayer",
    "RandomMaskLayer",
    "RandomNormalLayer",
    "RankError",
    "ReductionLayer",
    "ResampleLayer",
    "ResetStates",
    "ReshapeLayer",
    "Rotary",
    "SGD",
    "ScaleLayer",
    "ShapeError",
    "SliceLayer",
    "Snapshot",
    "SnapshotError",
    "SoftlabelSoftmaxLossLayer",
    "SoftmaxLayer",
    "SoftmaxLossLayer",
    "Solver",
    "SplitLayer",
    "SquareLossLayer",
    "StopGradientLayer",
    "TensorBoard",
    "TiedInnerProductLayer",
    "TileLayer",
    "TrainingSummary",
    "TripletLossLayer",
    "UniformInitializer",
    "UnsupportedError",
    "UpsampleLayer",
    "ValidationPerformance",
    "WassersteinLossLayer",
    "XavierInitializer",
    "ZeroInitializer",
    "build",
    "check_gradients",
    "check_op",
    "dump",
    "explain",
    "from_torch",
    "ir",
    "passes",
    "solver_from_torch",
    "testing",
    "train_many",
]
