"""The public names for type checkers; written by `make golden` from what mochac exports."""

from mochac import ir as ir
from mochac.ir import passes as passes
from mochac.tools import testing as testing
from mochac.formats import caffe as caffe
from mochac.api.compiler import compile as compile
from mochac.formats import onnx as onnx
from mochac.api.compiler import dump, explain
from mochac.api.estimators.classifier import NetClassifier
from mochac.api.estimators.image_classifier import ImageClassifier
from mochac.api.estimators.model import Model
from mochac.api.estimators.regressor import NetRegressor
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
from mochac.nets.layers.accuracy import AccuracyLayer
from mochac.nets.layers.activation import ActivationLayer
from mochac.nets.layers.argmax import ArgmaxLayer
from mochac.nets.layers.async_hdf5_data import AsyncHDF5DataLayer
from mochac.nets.layers.attention import AttentionLayer
from mochac.nets.layers.augmentations import Augment
from mochac.nets.layers.base import Layer
from mochac.nets.layers.batch_norm import BatchNormLayer
from mochac.nets.layers.bias import BiasLayer
from mochac.nets.layers.binary_accuracy import BinaryAccuracyLayer
from mochac.nets.layers.binary_cross_entropy_loss import BinaryCrossEntropyLossLayer
from mochac.nets.layers.channel_pooling import ChannelPoolingLayer
from mochac.nets.layers.concat import ConcatLayer
from mochac.nets.layers.constant import ConstantLayer
from mochac.nets.layers.constraints import L2Cons, NoCons
from mochac.nets.layers.contrastive_loss import ContrastiveLossLayer
from mochac.nets.layers.convolution import ConvolutionLayer
from mochac.nets.layers.cosine_loss import CosineLossLayer
from mochac.nets.layers.crop import CropLayer
from mochac.nets.layers.deconvolution import DeconvolutionLayer
from mochac.nets.layers.dropout import DropoutLayer
from mochac.nets.layers.einsum import EinsumLayer
from mochac.nets.layers.element_wise import ElementWiseFunctors, ElementWiseLayer
from mochac.nets.layers.embedding import EmbeddingLayer
from mochac.nets.layers.flatten import FlattenLayer
from mochac.nets.layers.focal_loss import FocalLossLayer
from mochac.nets.layers.function import FunctionLayer
from mochac.nets.layers.gaussian_kl_loss import GaussianKLLossLayer
from mochac.nets.layers.global_pooling import GlobalPoolingLayer
from mochac.nets.layers.group_norm import GroupNormLayer
from mochac.nets.layers.gru import GRULayer
from mochac.nets.layers.hdf5_data import HDF5DataLayer
from mochac.nets.layers.hdf5_output import HDF5OutputLayer
from mochac.nets.layers.hinge_loss import HingeLossLayer
from mochac.nets.layers.huber_loss import HuberLossLayer
from mochac.nets.layers.identity import IdentityLayer
from mochac.nets.layers.image_folder import ImageFolderLayer
from mochac.nets.layers.index2onehot import Index2OnehotLayer
from mochac.nets.layers.info_nce_loss import InfoNCELossLayer
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
from mochac.nets.layers.inner_product import InnerProductLayer
from mochac.nets.layers.input import InputLayer
from mochac.nets.layers.instance_norm import InstanceNormLayer
from mochac.nets.layers.l1_loss import L1LossLayer
from mochac.nets.layers.layer_norm import LayerNormLayer
from mochac.nets.layers.lmdb_data import LMDBDataLayer
from mochac.nets.layers.lrn import LRNLayer, LRNMode
from mochac.nets.layers.lstm import LSTMLayer
from mochac.nets.layers.mean_loss import MeanLossLayer
from mochac.nets.layers.memory_data import MemoryDataLayer
from mochac.nets.layers.memory_output import MemoryOutputLayer
from mochac.nets.layers.multi_head_attention import MultiHeadAttentionLayer
from mochac.nets.layers.multiclass_hinge_loss import MulticlassHingeLossLayer
from mochac.nets.layers.multinomial_logistic_loss import MultinomialLogisticLossLayer
from mochac.nets.layers.narrow import NarrowLayer
from mochac.nets.layers.neurons import Neurons
from mochac.nets.layers.pad import PadLayer
from mochac.nets.layers.parameter import ParameterLayer
from mochac.nets.layers.permute import PermuteLayer
from mochac.nets.layers.poisson_loss import PoissonLossLayer
from mochac.nets.layers.pooling import Pooling, PoolingLayer
from mochac.nets.layers.power import PowerLayer
from mochac.nets.layers.prelu import PReLULayer
from mochac.nets.layers.python_data import PythonDataLayer
from mochac.nets.layers.quantile_loss import QuantileLossLayer
from mochac.nets.layers.random_mask import RandomMaskLayer
from mochac.nets.layers.random_normal import RandomNormalLayer
from mochac.nets.layers.reduction import ReductionLayer
from mochac.nets.layers.regularizers import L1Regu, L2Regu, NoRegu
from mochac.nets.layers.reshape import ReshapeLayer
from mochac.nets.layers.rms_norm import RMSNormLayer
from mochac.nets.layers.rnn import RNNLayer
from mochac.nets.layers.rotary import Rotary
from mochac.nets.layers.scale import ScaleLayer
from mochac.nets.layers.slice import SliceLayer
from mochac.nets.layers.softlabel_softmax_loss import SoftlabelSoftmaxLossLayer
from mochac.nets.layers.softmax import SoftmaxLayer
from mochac.nets.layers.softmax_loss import SoftmaxLossLayer
from mochac.nets.layers.split import SplitLayer
from mochac.nets.layers.square_loss import SquareLossLayer
from mochac.nets.layers.stop_gradient import StopGradientLayer
from mochac.nets.layers.tied_inner_product import TiedInnerProductLayer
from mochac.nets.layers.tile import TileLayer
from mochac.nets.layers.transformers import DataTransformers
from mochac.nets.layers.triplet_loss import TripletLossLayer
from mochac.nets.layers.upsample import UpsampleLayer
from mochac.nets.layers.wasserstein_loss import WassersteinLossLayer
from mochac.nets.net import Net
from mochac.nets.solvers.adadelta import Adadelta
from mochac.nets.solvers.adagrad import Adagrad
from mochac.nets.solvers.adam import Adam
from mochac.nets.solvers.adamw import AdamW
from mochac.nets.solvers.nesterov import Nesterov
from mochac.nets.solvers.policies import LRPolicy, MomPolicy
from mochac.nets.solvers.radam import RAdam
from mochac.nets.solvers.rmsprop import RMSProp
from mochac.nets.solvers.sgd import SGD
from mochac.nets.solvers.solver import Solver
from mochac.runtime.data.params import Params
from mochac.tools.testing.gradients import check_gradients
from mochac.tools.testing.operations import check_op
from mochac.training.loop.coffee import Snapshot, TrainingSummary, ValidationPerformance
from mochac.training.loop.early_stopping import EarlyStopping
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.loop.parameter_average import ParameterAverage
from mochac.training.loop.parameter_norms import ParameterNorms
from mochac.training.loop.reset_states import ResetStates
from mochac.training.loop.tensor_board import TensorBoard
from mochac.training.many.train import train_many

__version__: str
__all__ = [
    "AccuracyLayer",
    "ActivationLayer",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
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
    "MemoryDataLayer",
    "MemoryOutputLayer",
    "MochacError",
    "Model",
    "MomPolicy",
    "MultiHeadAttentionLayer",
    "MulticlassHingeLossLayer",
    "MultinomialLogisticLossLayer",
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
