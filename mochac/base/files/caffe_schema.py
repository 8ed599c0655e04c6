"""Caffe's protobuf messages, built at run time from a table, for the binary and the text format.

The table has the fields that mochac can use. Other fields are ignored in binary files, and errors in text files.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from mochac.base.errors import OptionError

_TABLE = """
BlobShape dim:1:int64*
BlobProto num:1:int64=0 channels:2:int64=0 height:3:int64=0 width:4:int64=0 data:5:bytes* shape:7:BlobShape
    double_data:8:bytes*
FillerParameter type:1:string=constant value:2:float=0 min:3:float=0 max:4:float=1 mean:5:float=0 std:6:float=1
    sparse:7:int64=-1 variance_norm:8:FAN_IN|FAN_OUT|AVERAGE
NetState phase:1:TRAIN|TEST=TEST level:2:int64=0 stage:3:string*
NetStateRule phase:1:TRAIN|TEST min_level:2:int64 max_level:3:int64 stage:4:string* not_stage:5:string*
ParamSpec name:1:string share_mode:2:STRICT|PERMISSIVE lr_mult:3:float=1 decay_mult:4:float=1
TransformationParameter scale:1:float=1 mirror:2:bool=false crop_size:3:uint64=0 mean_file:4:string
    mean_value:5:float* force_color:6:bool=false force_gray:7:bool=false
LossParameter ignore_label:1:int64 normalize:2:bool normalization:3:FULL|VALID|BATCH_SIZE|NONE=VALID
AccuracyParameter top_k:1:uint64=1 axis:2:int64=1 ignore_label:3:int64
ArgMaxParameter out_max_val:1:bool=false top_k:2:uint64=1 axis:3:int64
BatchNormParameter use_global_stats:1:bool moving_average_fraction:2:float=0.999 eps:3:float=1e-5
BiasParameter axis:1:int64=1 num_axes:2:int64=1 filler:3:FillerParameter
ClipParameter min:1:float max:2:float
ConcatParameter concat_dim:1:uint64=1 axis:2:int64=1
ContrastiveLossParameter margin:1:float=1 legacy_version:2:bool=false
ConvolutionParameter num_output:1:uint64 bias_term:2:bool=true pad:3:uint64* kernel_size:4:uint64* group:5:uint64=1
    stride:6:uint64* weight_filler:7:FillerParameter bias_filler:8:FillerParameter pad_h:9:uint64=0 pad_w:10:uint64=0
    kernel_h:11:uint64 kernel_w:12:uint64 stride_h:13:uint64 stride_w:14:uint64 engine:15:DEFAULT|CAFFE|CUDNN
    axis:16:int64=1 force_nd_im2col:17:bool=false dilation:18:uint64*
CropParameter axis:1:int64=2 offset:2:uint64*
DataParameter source:1:string scale:2:float=1 mean_file:3:string batch_size:4:uint64 crop_size:5:uint64=0
    mirror:6:bool=false rand_skip:7:uint64=0 backend:8:LEVELDB|LMDB force_encoded_color:9:bool=false
    prefetch:10:uint64=4
Datum channels:1:int64=0 height:2:int64=0 width:3:int64=0 data:4:bytes label:5:int64=0 float_data:6:float*
    encoded:7:bool=false
DropoutParameter dropout_ratio:1:float=0.5 scale_train:2:bool=true
DummyDataParameter data_filler:1:FillerParameter* num:2:uint64* channels:3:uint64* height:4:uint64* width:5:uint64*
    shape:6:BlobShape*
EltwiseParameter operation:1:PROD|SUM|MAX=SUM coeff:2:float* stable_prod_grad:3:bool=true
ELUParameter alpha:1:float=1
EmbedParameter num_output:1:uint64 input_dim:2:uint64 bias_term:3:bool=true weight_filler:4:FillerParameter
    bias_filler:5:FillerParameter
ExpParameter base:1:float=-1 scale:2:float=1 shift:3:float=0
FlattenParameter axis:1:int64=1 end_axis:2:int64=-1
HDF5DataParameter source:1:string batch_size:2:uint64 shuffle:3:bool=false
HDF5OutputParameter file_name:1:string
HingeLossParameter norm:1:L1=1|L2=2
ImageDataParameter source:1:string scale:2:float=1 mean_file:3:string batch_size:4:uint64=1 crop_size:5:uint64=0
    mirror:6:bool=false rand_skip:7:uint64=0 shuffle:8:bool=false new_height:9:uint64=0 new_width:10:uint64=0
    is_color:11:bool=true root_folder:12:string
InnerProductParameter num_output:1:uint64 bias_term:2:bool=true weight_filler:3:FillerParameter
    bias_filler:4:FillerParameter axis:5:int64=1 transpose:6:bool=false
InputParameter shape:1:BlobShape*
RecurrentParameter num_output:1:uint64 weight_filler:2:FillerParameter bias_filler:3:FillerParameter
    debug_info:4:bool=false expose_hidden:5:bool=false
LRNParameter local_size:1:uint64=5 alpha:2:float=1 beta:3:float=0.75 norm_region:4:ACROSS_CHANNELS|WITHIN_CHANNEL
    k:5:float=1 engine:6:DEFAULT|CAFFE|CUDNN
LogParameter base:1:float=-1 scale:2:float=1 shift:3:float=0
MemoryDataParameter batch_size:1:uint64 channels:2:uint64 height:3:uint64 width:4:uint64
PermuteParameter order:1:uint64*
PoolingParameter pool:1:MAX|AVE|STOCHASTIC kernel_size:2:uint64* stride:3:uint64* pad:4:uint64* kernel_h:5:uint64
    kernel_w:6:uint64 stride_h:7:uint64 stride_w:8:uint64 pad_h:9:uint64=0 pad_w:10:uint64=0
    engine:11:DEFAULT|CAFFE|CUDNN global_pooling:12:bool=false round_mode:13:CEIL|FLOOR
PReLUParameter filler:1:FillerParameter channel_shared:2:bool=false
PowerParameter power:1:float=1 scale:2:float=1 shift:3:float=0
ReductionParameter operation:1:SUM=1|ASUM=2|SUMSQ=3|MEAN=4 axis:2:int64=0 coeff:3:float=1
ReLUParameter negative_slope:1:float=0 engine:2:DEFAULT|CAFFE|CUDNN
ReshapeParameter shape:1:BlobShape axis:2:int64=0 num_axes:3:int64=-1
ScaleParameter axis:1:int64=1 num_axes:2:int64=1 filler:3:FillerParameter bias_term:4:bool=false
    bias_filler:5:FillerParameter
SliceParameter slice_dim:1:uint64=1 slice_point:2:uint64* axis:3:int64=1
SigmoidParameter engine:1:DEFAULT|CAFFE|CUDNN
SoftmaxParameter engine:1:DEFAULT|CAFFE|CUDNN axis:2:int64=1
SwishParameter beta:1:float=1
TanHParameter engine:1:DEFAULT|CAFFE|CUDNN
ThresholdParameter threshold:1:float=0
TileParameter axis:1:int64=1 tiles:2:int64
WindowDataParameter source:1:string scale:2:float=1 mean_file:3:string batch_size:4:uint64 crop_size:5:uint64=0
    mirror:6:bool=false fg_threshold:7:float=0.5 bg_threshold:8:float=0.5 fg_fraction:9:float=0.25
    context_pad:10:uint64=0 crop_mode:11:string=warp cache_images:12:bool=false root_folder:13:string
LayerParameter name:1:string type:2:string bottom:3:string* top:4:string* loss_weight:5:float* param:6:ParamSpec*
    blobs:7:BlobProto* include:8:NetStateRule* exclude:9:NetStateRule* phase:10:TRAIN|TEST propagate_down:11:bool*
    transform_param:100:TransformationParameter loss_param:101:LossParameter accuracy_param:102:AccuracyParameter
    argmax_param:103:ArgMaxParameter concat_param:104:ConcatParameter convolution_param:106:ConvolutionParameter
    data_param:107:DataParameter dropout_param:108:DropoutParameter dummy_data_param:109:DummyDataParameter
    eltwise_param:110:EltwiseParameter hinge_loss_param:114:HingeLossParameter
    exp_param:111:ExpParameter hdf5_data_param:112:HDF5DataParameter hdf5_output_param:113:HDF5OutputParameter
    image_data_param:115:ImageDataParameter inner_product_param:117:InnerProductParameter lrn_param:118:LRNParameter
    memory_data_param:119:MemoryDataParameter pooling_param:121:PoolingParameter power_param:122:PowerParameter
    relu_param:123:ReLUParameter sigmoid_param:124:SigmoidParameter softmax_param:125:SoftmaxParameter
    tanh_param:127:TanHParameter reshape_param:133:ReshapeParameter flatten_param:135:FlattenParameter
    window_data_param:129:WindowDataParameter input_param:143:InputParameter elu_param:140:ELUParameter
    slice_param:126:SliceParameter reduction_param:136:ReductionParameter tile_param:138:TileParameter
    batch_norm_param:139:BatchNormParameter bias_param:141:BiasParameter scale_param:142:ScaleParameter
    permute_param:202:PermuteParameter prelu_param:131:PReLUParameter
    contrastive_loss_param:105:ContrastiveLossParameter embed_param:137:EmbedParameter
    recurrent_param:146:RecurrentParameter clip_param:148:ClipParameter crop_param:144:CropParameter
    log_param:134:LogParameter swish_param:147:SwishParameter threshold_param:128:ThresholdParameter
V1LayerParameter layer:1:V0LayerParameter bottom:2:string* top:3:string* name:4:string
    type:5:NONE=0|ABSVAL=35|ACCURACY=1|ARGMAX=30|BNLL=2|CONCAT=3|CONTRASTIVE_LOSS=37|CONVOLUTION=4|DATA=5|DECONVOLUTION=39|DROPOUT=6|DUMMY_DATA=32|EUCLIDEAN_LOSS=7|ELTWISE=25|EXP=38|FLATTEN=8|HDF5_DATA=9|HDF5_OUTPUT=10|HINGE_LOSS=28|IM2COL=11|IMAGE_DATA=12|INFOGAIN_LOSS=13|INNER_PRODUCT=14|LRN=15|MEMORY_DATA=29|MULTINOMIAL_LOGISTIC_LOSS=16|MVN=34|POOLING=17|POWER=26|RELU=18|SIGMOID=19|SIGMOID_CROSS_ENTROPY_LOSS=27|SILENCE=36|SOFTMAX=20|SOFTMAX_LOSS=21|SPLIT=22|SLICE=33|TANH=23|WINDOW_DATA=24|THRESHOLD=31
    blobs:6:BlobProto* blobs_lr:7:float* weight_decay:8:float* concat_param:9:ConcatParameter
    convolution_param:10:ConvolutionParameter data_param:11:DataParameter dropout_param:12:DropoutParameter
    hdf5_data_param:13:HDF5DataParameter hdf5_output_param:14:HDF5OutputParameter
    image_data_param:15:ImageDataParameter inner_product_param:17:InnerProductParameter lrn_param:18:LRNParameter
    pooling_param:19:PoolingParameter power_param:21:PowerParameter memory_data_param:22:MemoryDataParameter
    argmax_param:23:ArgMaxParameter eltwise_param:24:EltwiseParameter accuracy_param:27:AccuracyParameter
    slice_param:31:SliceParameter
    relu_param:30:ReLUParameter include:32:NetStateRule* exclude:33:NetStateRule* loss_weight:35:float*
    transform_param:36:TransformationParameter tanh_param:37:TanHParameter sigmoid_param:38:SigmoidParameter
    softmax_param:39:SoftmaxParameter exp_param:41:ExpParameter loss_param:42:LossParameter
    window_data_param:20:WindowDataParameter dummy_data_param:26:DummyDataParameter
    hinge_loss_param:29:HingeLossParameter contrastive_loss_param:40:ContrastiveLossParameter
    threshold_param:25:ThresholdParameter
    param:1001:string* blob_share_mode:1002:STRICT|PERMISSIVE*
V0LayerParameter name:1:string type:2:string num_output:3:uint64 biasterm:4:bool=true weight_filler:5:FillerParameter
    bias_filler:6:FillerParameter pad:7:uint64=0 kernelsize:8:uint64 group:9:uint64=1 stride:10:uint64=1
    pool:11:MAX|AVE|STOCHASTIC dropout_ratio:12:float=0.5 local_size:13:uint64=5 alpha:14:float=1 beta:15:float=0.75
    source:16:string scale:17:float=1 meanfile:18:string batchsize:19:uint64 cropsize:20:uint64=0 mirror:21:bool=false
    k:22:float=1 blobs:50:BlobProto* blobs_lr:51:float* weight_decay:52:float* rand_skip:53:uint64=0
    det_fg_threshold:54:float=0.5 det_bg_threshold:55:float=0.5 det_fg_fraction:56:float=0.25
    det_context_pad:58:uint64=0 det_crop_mode:59:string=warp
    new_num:60:int64=0 new_channels:61:int64=0 new_height:62:int64=0 new_width:63:int64=0
    shuffle_images:64:bool=false concat_dim:65:uint64=1 hdf5_output_param:1001:HDF5OutputParameter
NetParameter name:1:string layers:2:V1LayerParameter* input:3:string* input_dim:4:int64* force_backward:5:bool=false
    state:6:NetState debug_info:7:bool=false input_shape:8:BlobShape* layer:100:LayerParameter*
SolverParameter train_net:1:string test_net:2:string* test_iter:3:int64* test_interval:4:int64=0 base_lr:5:float
    display:6:int64=0 max_iter:7:int64 lr_policy:8:string gamma:9:float power:10:float momentum:11:float
    weight_decay:12:float stepsize:13:int64 snapshot:14:int64=0 snapshot_prefix:15:string
    snapshot_diff:16:bool=false solver_mode:17:CPU|GPU=GPU device_id:18:int64=0 test_compute_loss:19:bool=false
    random_seed:20:int64=-1 train_net_param:21:NetParameter test_net_param:22:NetParameter* debug_info:23:bool=false
    net:24:string net_param:25:NetParameter train_state:26:NetState test_state:27:NetState*
    snapshot_after_train:28:bool=true regularization_type:29:string=L2
    solver_type:30:SGD|NESTEROV|ADAGRAD|RMSPROP|ADADELTA|ADAM delta:31:float=1e-8 test_initialization:32:bool=true
    average_loss:33:int64=1 stepvalue:34:int64* clip_gradients:35:float=-1 iter_size:36:int64=1
    snapshot_format:37:HDF5|BINARYPROTO=BINARYPROTO rms_decay:38:float=0.99 momentum2:39:float=0.999
    type:40:string=SGD weights:42:string* layer_wise_reduce:43:bool=true
"""
"""A paragraph per message: its name, then `field:number:type`, with `*` if repeated and `=default`.

Types are protobuf's, messages, or the values A|B|C of an enum (numbered from 0 by default). An array of floats is
declared as bytes, which is the same in the file, and avoids converting millions of weights to Python numbers."""

PACKAGE = "caffe"


@cache
def message_class(name: str) -> Any:
    """The class of one of Caffe's messages.

    Raises:
        OptionError: the package protobuf is not installed.
    """
    from google.protobuf import message_factory

    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"{PACKAGE}.{name}"))


@cache
def _pool() -> Any:
    """A private descriptor pool, since pycaffe may have registered the same names in the default one."""
    from google.protobuf import descriptor_pb2, descriptor_pool

    file = descriptor_pb2.FileDescriptorProto(name="caffe-by-table.proto", package=PACKAGE, syntax="proto2")
    paragraphs = _paragraphs()
    for name, *fields in paragraphs:
        message = file.message_type.add(name=name)
        for spec in fields:
            _add_field(message, spec, {p[0] for p in paragraphs})
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return pool


def _paragraphs() -> list[list[str]]:
    paragraphs: list[list[str]] = []
    for line in _TABLE.splitlines():
        if line.startswith(" "):
            paragraphs[-1].extend(line.split())
        elif line:
            paragraphs.append([str(word) for word in line.split()])
    return paragraphs


def _add_field(message: Any, spec: str, messages: set[str]) -> None:
    name, number, rest = spec.split(":")
    repeated = rest.endswith("*")
    kind, default = _kind_and_default(rest.removesuffix("*"))
    field = message.field.add(name=name, number=int(number), label=3 if repeated else 1)
    if kind in messages:
        field.type, field.type_name = field.TYPE_MESSAGE, f".{PACKAGE}.{kind}"
    elif "|" in kind:
        field.type, field.type_name = field.TYPE_ENUM, f".{PACKAGE}.{message.name}.{_add_enum(message, name, kind)}"
    else:
        field.type = getattr(field, f"TYPE_{kind.upper()}")
    if repeated and kind.startswith("int"):
        field.options.packed = True
    if default:
        field.default_value = default


def _kind_and_default(text: str) -> tuple[str, str]:
    """ "float=1" -> ("float", "1"); the default of an enum is its last "=NAME"; numbers are kept.

    >>> _kind_and_default("PROD|SUM|MAX=SUM"), _kind_and_default("L1=1|L2=2"), _kind_and_default("bool")
    (('PROD|SUM|MAX', 'SUM'), ('L1=1|L2=2', ''), ('bool', ''))
    """
    kind, _, default = text.rpartition("=")
    if not kind or ("|" in kind and default.isdigit()):
        return text, ""
    return kind, default


def _add_enum(message: Any, field: str, values: str) -> str:
    enum = message.enum_type.add(name=field.title().replace("_", ""))
    for k, value in enumerate(values.split("|")):
        label, _, number = value.partition("=")
        enum.value.add(name=label, number=int(number) if number else k)
    return enum.name


def require_protobuf(what: str) -> None:
    """Check that the package protobuf is installed.

    Raises:
        OptionError: it is not installed.
    """
    try:
        import google.protobuf  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError:
        raise OptionError(
            f"{what} needs the package protobuf", hint="install it: pip install 'mochac[caffe]'"
        ) from None
