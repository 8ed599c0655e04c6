"""The public names for type checkers; written by `make golden` from what mochac exports."""

from mochac import ir, passes, testing
from mochac import caffe as caffe
from mochac.compiler import compile as compile
from mochac import onnx as onnx
from mochac.clib.build import build
from mochac.compiler import dump, explain
from mochac.errors import (
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
from mochac.estimators.classifier import NetClassifier
from mochac.estimators.image_classifier import ImageClassifier
from mochac.estimators.model import Model
from mochac.estimators.regressor import NetRegressor
from mochac.frontend.net import Net
from mochac.layers.accuracy import AccuracyLayer
from mochac.layers.activation import ActivationLayer
from mochac.layers.argmax import ArgmaxLayer
from mochac.layers.async_hdf5_data import AsyncHDF5DataLayer
from mochac.layers.attention import AttentionLayer
from mochac.layers.augmentations import Augment
from mochac.layers.base import Layer
from mochac.layers.batch_norm import BatchNormLayer
from mochac.layers.bias import BiasLayer
from mochac.layers.binary_accuracy import BinaryAccuracyLayer
from mochac.layers.binary_cross_entropy_loss import BinaryCrossEntropyLossLayer
from mochac.layers.channel_pooling import ChannelPoolingLayer
from mochac.layers.concat import ConcatLayer
from mochac.layers.constant import ConstantLayer
from mochac.layers.constraints import L2Cons, NoCons
from mochac.layers.contrastive_loss import ContrastiveLossLayer
from mochac.layers.convolution import ConvolutionLayer
from mochac.layers.cosine_loss import CosineLossLayer
from mochac.layers.crop import CropLayer
from mochac.layers.deconvolution import DeconvolutionLayer
from mochac.layers.dropout import DropoutLayer
from mochac.layers.einsum import EinsumLayer
from mochac.layers.element_wise import ElementWiseFunctors, ElementWiseLayer
from mochac.layers.embedding import EmbeddingLayer
from mochac.layers.flatten import FlattenLayer
from mochac.layers.focal_loss import FocalLossLayer
from mochac.layers.function import FunctionLayer
from mochac.layers.gaussian_kl_loss import GaussianKLLossLayer
from mochac.layers.global_pooling import GlobalPoolingLayer
from mochac.layers.group_norm import GroupNormLayer
from mochac.layers.gru import GRULayer
from mochac.layers.hdf5_data import HDF5DataLayer
from mochac.layers.hdf5_output import HDF5OutputLayer
from mochac.layers.hinge_loss import HingeLossLayer
from mochac.layers.huber_loss import HuberLossLayer
from mochac.layers.identity import IdentityLayer
from mochac.layers.image_folder import ImageFolderLayer
from mochac.layers.index2onehot import Index2OnehotLayer
from mochac.layers.info_nce_loss import InfoNCELossLayer
from mochac.layers.initializers import (
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
from mochac.layers.inner_product import InnerProductLayer
from mochac.layers.input import InputLayer
from mochac.layers.instance_norm import InstanceNormLayer
from mochac.layers.l1_loss import L1LossLayer
from mochac.layers.layer_norm import LayerNormLayer
from mochac.layers.lmdb_data import LMDBDataLayer
from mochac.layers.lrn import LRNLayer, LRNMode
from mochac.layers.lstm import LSTMLayer
from mochac.layers.mean_loss import MeanLossLayer
from mochac.layers.memory_data import MemoryDataLayer
from mochac.layers.memory_output import MemoryOutputLayer
from mochac.layers.multi_head_attention import MultiHeadAttentionLayer
from mochac.layers.multiclass_hinge_loss import MulticlassHingeLossLayer
from mochac.layers.multinomial_logistic_loss import MultinomialLogisticLossLayer
from mochac.layers.narrow import NarrowLayer
from mochac.layers.neurons import Neurons
from mochac.layers.pad import PadLayer
from mochac.layers.parameter import ParameterLayer
from mochac.layers.permute import PermuteLayer
from mochac.layers.poisson_loss import PoissonLossLayer
from mochac.layers.pooling import Pooling, PoolingLayer
from mochac.layers.power import PowerLayer
from mochac.layers.prelu import PReLULayer
from mochac.layers.python_data import PythonDataLayer
from mochac.layers.quantile_loss import QuantileLossLayer
from mochac.layers.random_mask import RandomMaskLayer
from mochac.layers.random_normal import RandomNormalLayer
from mochac.layers.reduction import ReductionLayer
from mochac.layers.regularizers import L1Regu, L2Regu, NoRegu
from mochac.layers.reshape import ReshapeLayer
from mochac.layers.rms_norm import RMSNormLayer
from mochac.layers.rnn import RNNLayer
from mochac.layers.rotary import Rotary
from mochac.layers.scale import ScaleLayer
from mochac.layers.slice import SliceLayer
from mochac.layers.softlabel_softmax_loss import SoftlabelSoftmaxLossLayer
from mochac.layers.softmax import SoftmaxLayer
from mochac.layers.softmax_loss import SoftmaxLossLayer
from mochac.layers.split import SplitLayer
from mochac.layers.square_loss import SquareLossLayer
from mochac.layers.stop_gradient import StopGradientLayer
from mochac.layers.tied_inner_product import TiedInnerProductLayer
from mochac.layers.tile import TileLayer
from mochac.layers.transformers import DataTransformers
from mochac.layers.triplet_loss import TripletLossLayer
from mochac.layers.upsample import UpsampleLayer
from mochac.layers.wasserstein_loss import WassersteinLossLayer
from mochac.many.train import train_many
from mochac.program import Program
from mochac.pytorch.module import from_torch
from mochac.pytorch.solver import solver_from_torch
from mochac.runtime.data.params import Params
from mochac.runtime.training.coffee import Snapshot, TrainingSummary, ValidationPerformance
from mochac.runtime.training.early_stopping import EarlyStopping
from mochac.runtime.training.lounge import CoffeeLounge
from mochac.runtime.training.parameter_average import ParameterAverage
from mochac.runtime.training.parameter_norms import ParameterNorms
from mochac.runtime.training.reset_states import ResetStates
from mochac.runtime.training.tensor_board import TensorBoard
from mochac.solvers.adadelta import Adadelta
from mochac.solvers.adagrad import Adagrad
from mochac.solvers.adam import Adam
from mochac.solvers.adamw import AdamW
from mochac.solvers.nesterov import Nesterov
from mochac.solvers.policies import LRPolicy, MomPolicy
from mochac.solvers.radam import RAdam
from mochac.solvers.rmsprop import RMSProp
from mochac.solvers.sgd import SGD
from mochac.solvers.solver import Solver
from mochac.testing.gradients import check_gradients
from mochac.testing.operations import check_op

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
