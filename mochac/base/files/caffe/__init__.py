"""Caffe's binary files: the schema of its messages, reading and writing of .caffemodel and .binaryproto."""
