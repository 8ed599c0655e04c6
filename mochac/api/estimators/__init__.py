"""Nets with scikit-learn's interface (NetClassifier, NetRegressor), Slugnet's Model, and ImageClassifier."""
