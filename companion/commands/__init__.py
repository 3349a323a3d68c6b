"""The commands of `companion`, one a module.

Each has `NAME`, `HELP`, `configure(parser)` and `run(options) -> exit status`.

Each module loads what is heavy only when it runs, so that `--help` answers at once.
"""
