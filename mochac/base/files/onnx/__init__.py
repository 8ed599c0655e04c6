"""ONNX files: reading and writing them."""
