"""Caffe's binary files: the schema of its messages, .caffemodel and .binaryproto as arrays and back."""
