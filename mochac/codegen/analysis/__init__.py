"""What the rules of every backend know about a kernel: its plain form, its sum of products, its convolution."""
