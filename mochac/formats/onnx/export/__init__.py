"""From a net to an ONNX model."""
