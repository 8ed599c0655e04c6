"""Other formats: nets and solvers from and to Caffe, ONNX and PyTorch, C libraries, predictions in integers."""
