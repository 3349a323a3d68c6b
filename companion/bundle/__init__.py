"""An evening kept as one file, and played again from it: see docs/bundles.md."""
