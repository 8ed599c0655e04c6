"""Converters of Caffe's layers."""
