"""The Schnapsen table companion: a camera reads the table, a phone shows the game."""

import os

__version__ = "0.1.0"

# ONNX Runtime tells its makers how it is used, from 1.32 on Linux, too, unless this is set before it is
# loaded (https://github.com/microsoft/onnxruntime/blob/main/docs/Privacy.md); what happens here stays here
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
