"""Caffe's Datum, a sample in a database: numbers (channels, height, width), bytes or floats, and a label."""

from __future__ import annotations

import numpy as np

from mochac.base.files.caffe.schema import message_class


class BadDatum(ValueError):
    """It is no Datum, or its numbers do not fill its shape; the message says which."""


def read_datum(value: bytes) -> tuple[np.ndarray | bytes, int]:
    """The numbers, or the file of an encoded image, and the label of a serialized Datum.

    Raises:
        BadDatum: it is none. OptionError: the package protobuf is not installed.
    """
    from google.protobuf.message import DecodeError

    datum = message_class("Datum")()
    try:
        datum.ParseFromString(value)
    except DecodeError as error:
        raise BadDatum(f"it is not a Datum: {error}") from None
    if datum.encoded:
        return datum.data, datum.label
    shape = (datum.channels, datum.height, datum.width)
    numbers = np.frombuffer(datum.data, np.uint8) if datum.data else np.array(datum.float_data, np.float32)
    if min(shape) < 1 or numbers.size != shape[0] * shape[1] * shape[2]:
        raise BadDatum(f"{numbers.size} numbers for (channels, height, width) = {shape}")
    return numbers.reshape(shape), datum.label
