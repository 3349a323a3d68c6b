"""Data sets, training, evaluation and export of the models (torch; the train extra)."""
