"""Machine code for functions of whole numbers, made when they are first needed.

It takes well under a second and leaves no files behind. Which Python is understood:
`companion.solver.translate`. Why not a JIT from the shelf: docs/decisions/0008-solver.md.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable

from llvmlite import binding

from companion.solver.translate import table_arguments, translated

__all__ = ["Machine", "Native"]


class Machine:
    """Functions compiled together; they share what they call."""

    def __init__(self, *entries: Callable[..., int]) -> None:
        """Compile `entries` and all that they call.

        Raises:
            CompileError: One of them cannot be translated.
        """
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        target = binding.Target.from_default_triple().create_target_machine(
            cpu=binding.get_host_cpu_name(), features=_features(), opt=2
        )
        module = binding.parse_assembly(translated(entries))
        passes = binding.create_pass_builder(target, binding.create_pipeline_tuning_options(speed_level=2))
        passes.getModulePassManager().run(module, passes)
        self._engine = binding.create_mcjit_compiler(module, target)
        self._engine.finalize_object()

    def function(self, entry: Callable[..., int]) -> Native:
        """Return the compiled form of one of the entries; it takes `array`s for tables."""
        return Native(self._engine, entry)


def _features() -> str:
    """Return what this processor can do, as LLVM names it; nothing special where LLVM cannot tell."""
    try:
        return str(binding.get_host_cpu_features().flatten())
    except RuntimeError:
        return ""


class Native:
    """A compiled function; it keeps the machine code alive that it calls."""

    def __init__(self, engine: binding.ExecutionEngine, entry: Callable[..., int]) -> None:
        kinds = table_arguments(entry)
        made = ctypes.CFUNCTYPE(ctypes.c_int64, *(ctypes.c_void_p if t else ctypes.c_int64 for t in kinds))
        self._engine = engine
        self._code = made(engine.get_function_address(entry.__name__))

    def __call__(self, *values: int | array[int]) -> int:
        """Call it with whole numbers and, for tables, arrays of type code `q`."""
        return int(self._code(*(v if isinstance(v, int) else v.buffer_info()[0] for v in values)))
