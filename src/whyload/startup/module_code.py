"""The code of a module: read as it runs, and what of it happens again where another way leads to it.

Source: loader.md R4.15; CPython `Lib/importlib/_bootstrap.py` (what stays in sys.modules).
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable

from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.observe.events import ModuleStarted, Raised, Reraised
from whyload.startup.execution import run_block, run_module
from whyload.startup.frames import Frame
from whyload.startup.model import BoundReached, Thrown
from whyload.startup.modules import Module, State
from whyload.startup.pieces import UnparsedRest, statements
from whyload.startup.skeleton import is_no_python, parse
from whyload.startup.tree import AttemptNode, LoadNode, Node, surely_happened
from whyload.startup.values import Scope

if TYPE_CHECKING:
    from whyload.startup.reader import Reader
    from whyload.startup.skeleton import Bodies


def read_module(reader: Reader, module: Module) -> None:
    """Read the code of a module as it runs."""
    file = module.file
    text = reader.sources.text(file) if file is not None else None
    if text is None:
        reader.note(module.name, Message(en=f"its source is not known ({file})", zh=f"其源码未知（{file}）"))
        return
    module.bodies = {}
    body = _body(reader, text, module.bodies)
    if body is None and is_no_python(text, reader.version):
        reader.modules.pop(module.name, None)
        raise reader.throw("SyntaxError", f"invalid syntax ({file})")
    if body is None:
        reader.note(module.name, Message(en=f"its source does not parse ({file})", zh=f"其源码无法解析（{file}）"))
        return
    if reader.import_depth >= reader.limits.import_depth:
        reader.note(module.name, Message(en="stopped following imports at this depth", zh="导入层数过深，不再继续跟踪"))
        return
    start, main, line = len(reader.sink), reader.sink, reader.line
    reader.emit(ModuleStarted(module=module.name, file=file, place=reader.place()))
    module.text, module.state = text, State.RUNNING
    reader.import_depth += 1
    depth, reader.depth = reader.depth, 0
    spent = reader.work - reader.call_work
    guards = len(reader.guards)
    try:
        with reader.framed(Frame(Scope(module.names, module))):
            if reader.import_depth == 1 and main is reader.root:
                run_module(reader, body)
            else:
                run_block(reader, body)
        module.state = State.DONE
    except Thrown:
        module.state = State.FAILED
        reader.modules.pop(module.name, None)
        reader.failed[module.name] = module
        raise
    except RecursionError:
        reader.note(module.name, Message(en="its code is nested too deeply to be read", zh="其代码嵌套过深，无法读取"))
        module.state = State.OPAQUE
    except BoundReached:
        module.state = State.OPAQUE
        raise
    finally:
        reader.import_depth -= 1
        reader.depth, reader.line = depth, line
        reader.call_work = reader.work - spent
        del reader.guards[guards:]
        reader.sink = main
        keep_for_later(module, main[start:])


def _body(reader: Reader, text: str, bodies: Bodies) -> Iterable[ast.stmt] | None:
    """The statements of a module, those of the outermost one parsed as they are reached; None: it does not parse."""
    if reader.import_depth or reader.sink is not reader.root or reader.reads_whole:
        tree = parse(text, bodies)
        return tree.body if tree is not None else None
    found = statements(text, bodies)
    try:
        first = next(found, None)
    except UnparsedRest:
        return None
    return itertools.chain(() if first is None else (first,), found)


def _counts(node: Node) -> bool:
    """Is it worth playing again: a load, or an error on its way?"""
    if isinstance(node, AttemptNode):
        ends = (node.body, node.orelse, *(clause.handler for clause in node.clauses))
        return any(
            isinstance(item, LoadNode) or (isinstance(item, AttemptNode) and _counts(item))
            for end in ends
            for item in end
        )
    return isinstance(node, (LoadNode, Raised, Reraised))


def keep_for_later(module: Module, nodes: Iterable[Node]) -> None:
    """These are what reading the module made happen."""
    module.played = tuple(node for node in nodes if _counts(node))


def read_now(reader: Reader, module: Module) -> None:
    """Read a module that was passed by, because a value of it is asked for."""
    module.state = State.OPAQUE
    position = reader.store.position
    try:
        read_module(reader, module)
    except Thrown:
        reader.modules[module.name] = module
        module.state = State.OPAQUE
    reader.store.settle(position, module.names)


def play_again(reader: Reader, module: Module) -> None:
    """What the module made happen, where it is imported here and may not have been before: once more."""
    if module.state is State.RUNNING or not module.played or surely_happened(module.home, reader.sink):
        return
    module.home = reader.sink
    for node in module.played:
        reader.emit(node)
