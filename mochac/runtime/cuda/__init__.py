"""See CONTRIBUTING.md, the tour of the house."""
