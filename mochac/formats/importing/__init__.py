"""What importers of models share: NetBuilder, which collects layers, and the tensors and formulas of their graphs."""
