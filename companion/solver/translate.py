"""Translates functions of whole numbers from Python to LLVM code.

The core of the solver is ordinary typed Python that keeps to a small part of the language: functions
whose arguments are `int` or `Table`, local whole numbers, `if`, `while`, calls of each other. This
module reads their source and writes it as LLVM code, which `companion.solver.compiled` has made into
machine code. What is translated also runs as it stands, with the same results as long as no number
leaves 64 bits; the tests hold the two against each other. What is not known here is refused.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, MutableSequence, Sequence

from llvmlite import ir

__all__ = ["CompileError", "Table", "table_arguments", "trailing_zeros", "translated"]

Table = MutableSequence[int]
"""Whole numbers side by side: an `array` of type code `q`."""

_WORD = ir.IntType(64)
_BIT = ir.IntType(1)
_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
    ast.LShift: "shl",
    ast.RShift: "ashr",
}
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


class CompileError(TypeError):
    """A function that uses more of Python than is compiled here; the message names function and line."""


def trailing_zeros(bits: int) -> int:
    """Return the place of the lowest bit set; `bits` is not 0. Compiled to one instruction.

    >>> trailing_zeros(0b1000)
    3
    """
    return (bits & -bits).bit_length() - 1


def translated(entries: Sequence[Callable[..., int]]) -> str:
    """Return `entries` and all that they call as LLVM code; the entries can be called from outside.

    Raises:
        CompileError: One of them cannot be translated.
    """
    return str(_Unit(entries).module)


def table_arguments(function: Callable[..., int]) -> tuple[bool, ...]:
    """For each argument, whether it is a table."""
    return tuple(
        kind in ("Table", Table) for name, kind in function.__annotations__.items() if name != "return"
    )


class _Unit:
    """The LLVM module of some functions and all that they call."""

    def __init__(self, entries: Sequence[Callable[..., int]]) -> None:
        self.module = ir.Module("core")
        self._declared: dict[str, tuple[Callable[..., int], ir.Function]] = {}
        self._constants: dict[int, ir.GlobalVariable] = {}
        self._waiting: list[Callable[..., int]] = []
        for entry in entries:
            self.declared(entry).linkage = "external"
        while self._waiting:
            function = self._waiting.pop()
            _Body(self, function, self._declared[function.__name__][1]).write()

    def declared(self, function: Callable[..., int]) -> ir.Function:
        """Return the LLVM function of a Python function; its body is written later."""
        name = function.__name__
        if name not in self._declared:
            kinds = [_WORD.as_pointer() if table else _WORD for table in table_arguments(function)]
            made = ir.Function(self.module, ir.FunctionType(_WORD, kinds), name)
            made.linkage = "internal"
            made.attributes.add("nounwind")
            self._declared[name] = function, made
            self._waiting.append(function)
        known, made = self._declared[name]
        if known is not function:
            raise CompileError(f"two functions are called {name}")
        return made

    def constants(self, table: tuple[int, ...]) -> ir.GlobalVariable:
        """Return a module's tuple as constant data."""
        if id(table) not in self._constants:
            kind = ir.ArrayType(_WORD, len(table))
            made = ir.GlobalVariable(self.module, kind, f"table{len(self._constants)}")
            made.initializer = ir.Constant(kind, list(table))
            made.global_constant = True
            made.linkage = "internal"
            self._constants[id(table)] = made
        return self._constants[id(table)]


class _Body(ast.NodeVisitor):
    """The body of one function; each kind of syntax has a method named after it."""

    def __init__(self, unit: _Unit, function: Callable[..., int], made: ir.Function) -> None:
        self._unit = unit
        self._function = function
        self._made = made
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        if not isinstance(tree, ast.FunctionDef):
            raise CompileError(f"{function.__name__} is no function")
        self._tree = tree
        self._entry = ir.IRBuilder(made.append_basic_block("entry"))
        self._build = ir.IRBuilder(made.append_basic_block("body"))
        self._places: dict[str, ir.Value] = {}
        self._tables: dict[str, ir.Value] = {}
        self._loops: list[tuple[ir.Block, ir.Block]] = []

    def write(self) -> None:
        """Write the whole function."""
        names = [each.arg for each in self._tree.args.args]
        for name, value, table in zip(names, self._made.args, table_arguments(self._function), strict=True):
            if table:
                self._tables[name] = value
            else:
                self._entry.store(value, self._place(name))
        self._block(self._tree.body)
        if not self._build.block.is_terminated:
            self._build.unreachable()
        self._entry.branch(self._made.blocks[1])

    def _fail(self, node: ast.AST, why: str) -> CompileError:
        code = self._function.__code__
        line = code.co_firstlineno + getattr(node, "lineno", 1) - 1
        return CompileError(f"{self._function.__name__} ({code.co_filename}:{line}): {why}")

    def _place(self, name: str) -> ir.Value:
        if name not in self._places:
            self._places[name] = self._entry.alloca(_WORD, name=name)
        return self._places[name]

    # Statements

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if self._build.block.is_terminated:
                return
            self.visit(statement)

    def generic_visit(self, node: ast.AST) -> ir.Value:
        """Refuse what has no method of its own."""
        raise self._fail(node, f"{type(node).__name__} is not compiled")

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self._value(node.value)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None:
            raise self._fail(node, "returns nothing")
        self._build.ret(self._value(node.value))

    def visit_Assign(self, node: ast.Assign) -> None:
        values = [node.value]
        targets: list[ast.expr] = list(node.targets)
        if len(targets) == 1 and isinstance(targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
            targets, values = targets[0].elts, node.value.elts
        if len(values) not in (1, len(targets)):
            raise self._fail(node, "the sides differ in length")
        found = [self._value(value) for value in values]
        for target, value in zip(targets, found * (len(targets) // len(found)), strict=True):
            self._store(target, value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        operator = _ARITHMETIC[type(node.op)]
        left = self._value(node.target)
        self._store(node.target, getattr(self._build, operator)(left, self._value(node.value)))

    def _store(self, target: ast.expr, value: ir.Value) -> None:
        if isinstance(target, ast.Subscript):
            self._build.store(value, self._element(target))
        elif isinstance(target, ast.Name):
            self._build.store(value, self._place(target.id))
        else:
            raise self._fail(target, "is no place for a number")

    def visit_If(self, node: ast.If) -> None:
        then, other = self._made.append_basic_block(), self._made.append_basic_block()
        self._build.cbranch(self._truth(node.test), then, other)
        after = self._made.append_basic_block()
        for block, body in ((then, node.body), (other, node.orelse)):
            self._build.position_at_end(block)
            self._block(body)
            if not self._build.block.is_terminated:
                self._build.branch(after)
        self._build.position_at_end(after)

    def visit_While(self, node: ast.While) -> None:
        if node.orelse:
            raise self._fail(node, "while with else is not compiled")
        test, body, after = (self._made.append_basic_block() for _ in range(3))
        self._build.branch(test)
        self._build.position_at_end(test)
        self._build.cbranch(self._truth(node.test), body, after)
        self._build.position_at_end(body)
        self._loops.append((test, after))
        self._block(node.body)
        self._loops.pop()
        if not self._build.block.is_terminated:
            self._build.branch(test)
        self._build.position_at_end(after)

    def visit_Break(self, node: ast.Break) -> None:
        self._build.branch(self._loops[-1][1])

    def visit_Continue(self, node: ast.Continue) -> None:
        self._build.branch(self._loops[-1][0])

    # Expressions

    def _value(self, node: ast.expr) -> ir.Value:
        """Return a number."""
        return self.visit(node)

    def _truth(self, node: ast.expr) -> ir.Value:
        """Return whether an expression is other than 0, as one bit."""
        if isinstance(node, ast.Compare):
            return self._compared(node)
        if isinstance(node, ast.BoolOp):
            return self._joined(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self._build.not_(self._truth(node.operand))
        return self._build.icmp_signed("!=", self._value(node), _WORD(0))

    def _compared(self, node: ast.Compare) -> ir.Value:
        if len(node.ops) != 1 or type(node.ops[0]) not in _COMPARISONS:
            raise self._fail(node, "is no plain comparison of two numbers")
        sign = _COMPARISONS[type(node.ops[0])]
        return self._build.icmp_signed(sign, self._value(node.left), self._value(node.comparators[0]))

    def _joined(self, node: ast.BoolOp) -> ir.Value:
        decided = _BIT(isinstance(node.op, ast.Or))
        end = self._made.append_basic_block()
        ways = []
        for operand in node.values[:-1]:
            found, onward = self._truth(operand), self._made.append_basic_block()
            ways.append(self._build.block)
            self._build.cbranch(found, *((end, onward) if decided.constant else (onward, end)))
            self._build.position_at_end(onward)
        last, last_block = self._truth(node.values[-1]), self._build.block
        self._build.branch(end)
        self._build.position_at_end(end)
        result = self._build.phi(_BIT)
        for way in ways:
            result.add_incoming(decided, way)
        result.add_incoming(last, last_block)
        return result

    def visit_Compare(self, node: ast.Compare) -> ir.Value:
        return self._build.zext(self._compared(node), _WORD)

    def visit_BoolOp(self, node: ast.BoolOp) -> ir.Value:
        if not all(_is_truth(value) for value in node.values):
            raise self._fail(node, "joins numbers that are not truths")
        return self._build.zext(self._joined(node), _WORD)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ir.Value:
        match node.op:
            case ast.Not():
                return self._build.zext(self._truth(node), _WORD)
            case ast.USub():
                return self._build.neg(self._value(node.operand))
            case ast.Invert():
                return self._build.not_(self._value(node.operand))
            case _:
                return self.generic_visit(node.op)

    def visit_BinOp(self, node: ast.BinOp) -> ir.Value:
        operator = _ARITHMETIC.get(type(node.op))
        if operator is None:
            raise self._fail(node, f"{type(node.op).__name__} is not compiled")
        return getattr(self._build, operator)(self._value(node.left), self._value(node.right))

    def visit_IfExp(self, node: ast.IfExp) -> ir.Value:
        blocks = self._made.append_basic_block(), self._made.append_basic_block()
        self._build.cbranch(self._truth(node.test), *blocks)
        end = self._made.append_basic_block()
        ways = []
        for block, value in zip(blocks, (node.body, node.orelse), strict=True):
            self._build.position_at_end(block)
            ways.append((self._value(value), self._build.block))
            self._build.branch(end)
        self._build.position_at_end(end)
        result = self._build.phi(_WORD)
        for way in ways:
            result.add_incoming(*way)
        return result

    def visit_Constant(self, node: ast.Constant) -> ir.Value:
        if not isinstance(node.value, int):
            raise self._fail(node, f"{node.value!r} is no whole number")
        return _WORD(int(node.value))

    def visit_Name(self, node: ast.Name) -> ir.Value:
        if node.id in self._places:
            return self._build.load(self._places[node.id])
        known = self._function.__globals__.get(node.id)
        if not isinstance(known, int):
            raise self._fail(node, f"{node.id} is no number known here")
        return _WORD(int(known))

    def visit_Subscript(self, node: ast.Subscript) -> ir.Value:
        return self._build.load(self._element(node))

    def _element(self, node: ast.Subscript) -> ir.Value:
        if not isinstance(node.value, ast.Name):
            raise self._fail(node, "is no element of a table")
        at = self._value(node.slice)
        if node.value.id in self._tables:
            return self._build.gep(self._tables[node.value.id], [at])
        known = self._function.__globals__.get(node.value.id)
        if not isinstance(known, tuple):
            raise self._fail(node, f"{node.value.id} is no table known here")
        return self._build.gep(self._unit.constants(known), [_WORD(0), at])

    def visit_Call(self, node: ast.Call) -> ir.Value:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise self._fail(node, "is no plain call")
        function = self._function.__globals__.get(node.func.id)
        if function is trailing_zeros:
            return self._build.cttz(self._value(node.args[0]), _BIT(1))
        if not inspect.isfunction(function):
            raise self._fail(node, f"{node.func.id} is no function known here")
        kinds = table_arguments(function)
        if len(kinds) != len(node.args):
            raise self._fail(node, f"{node.func.id} takes {len(kinds)} arguments")
        given = [
            self._table(each) if table else self._value(each)
            for each, table in zip(node.args, kinds, strict=True)
        ]
        return self._build.call(self._unit.declared(function), given)

    def _table(self, node: ast.expr) -> ir.Value:
        if not isinstance(node, ast.Name) or node.id not in self._tables:
            raise self._fail(node, "is no table")
        return self._tables[node.id]


def _is_truth(node: ast.expr) -> bool:
    if isinstance(node, ast.BoolOp):
        return all(_is_truth(value) for value in node.values)
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
