"""The phone's server: Flask on cheroot; HTTP to commands and snapshots."""

from companion.server.app import create_app
from companion.server.serving import Serving, ServingError, serve

__all__ = ["Serving", "ServingError", "create_app", "serve"]
