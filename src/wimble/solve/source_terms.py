"""Conditions of a path in the notation of the program, for people."""

from __future__ import annotations

import json
from typing import Final

from wimble.solve.path_conditions import CHOICE, CONSTANT, Expression, Path

MAX_DEPTH: Final = 10
MAX_CHARS: Final = 240
_CUT: Final = "..."
_INFIX: Final = frozenset(
    ("+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>", "===", "<", "<=", "||", "&&")
)
_BIG_INFIX: Final = frozenset(("big+", "big-", "big*", "big/", "big%"))
_FUNCTIONS: Final = {
    "min": "Math.min", "max": "Math.max", "imul": "Math.imul", "floor": "Math.floor", "ceil": "Math.ceil",
    "round": "Math.round", "trunc": "Math.trunc", "abs": "Math.abs", "sign": "Math.sign", "isInteger":
    "Number.isInteger", "toNumber": "Number", "toBit": "Number", "toText": "String", "isNaN": "isNaN",
    "parseInt": "parseInt", "parseFloat": "parseFloat", "fromCharCode": "String.fromCharCode", "sqrt": "Math.sqrt",
    "toBig": "BigInt", "big": "BigInt", "encodeURIComponent": "encodeURIComponent", "encodeURI": "encodeURI",
    "decodeURIComponent": "decodeURIComponent", "decodeURI": "decodeURI", "fromBase64": "atob", "toBase64": "btoa",
}  # fmt: skip
_FORMS: Final = {
    "negate": "-{0}", "~": "~{0}", "concat": "({0} + {1})", "length": "{0}.length", "charAt": "{0}[{1}]",
    "part": "{0}.split({1})[{2}]", "parts": "{0}.split({1}).length", "toRadix": "{0}.toString({1})",
    "ite": "({0} ? {1} : {2})", "fromHex": "Buffer.from({0}, 'hex')", "toHex": "{0}.toString('hex')",
    "parameter": "new URLSearchParams({0}).get({1})",
}  # fmt: skip
_PATTERNS: Final = frozenset(("test", "search", "capture", "replaceMatches"))


def condition_text(path: Path, number: int) -> str:
    """Returns a condition over the inputs, cut off where it is long: `(query.a + query.b) === 7`.

    Of choices that do not fit, the values that were chosen are shown, if these say what the condition depends on.
    """
    text = _condition_text(path, number)
    if _CUT not in text:
        return text
    pinned = path.pinned()
    has_inputs = any(pinned.nodes[index].place for index in pinned.reachable([pinned.entries[number].node]))
    return _condition_text(pinned, number) if has_inputs else text


def _condition_text(path: Path, number: int) -> str:
    text = _text(path, path.entries[number].node, MAX_DEPTH)
    text = text[1:-1] if text.startswith("(") and text.endswith(")") and _is_one(text) else text
    return text if len(text) <= MAX_CHARS else text[: MAX_CHARS - len(_CUT)] + _CUT


def _is_one(text: str) -> bool:
    """Whether the first parenthesis is closed by the last one."""
    depth = 0
    for at, char in enumerate(text):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth == 0:
            return at == len(text) - 1
    return False


def _text(path: Path, index: int, depth: int) -> str:
    node = path.nodes[index]
    if node.op == CONSTANT:
        return json.dumps(node.value, ensure_ascii=False)
    if node.place:
        return ".".join(part for part in node.place.split("/") if part) or "input"
    if depth == 0:
        return _CUT
    args: list[str] = []
    for arg in node.args:  # a graph has exponentially many paths, so nothing is written that is cut off
        args.append(_text(path, arg, depth - 1) if sum(map(len, args)) <= MAX_CHARS else _CUT)
    if node.op == CHOICE and all(arg == _CUT for arg in args):
        return _CUT
    return _operation(path, node, args)


def _operation(path: Path, node: Expression, args: list[str]) -> str:
    if node.op == "!":
        is_equality = path.nodes[node.args[0]].op == "===" and args[0].count(" === ") == 1
        return args[0].replace(" === ", " !== ") if is_equality else f"!{args[0]}"
    if (node.op in _INFIX or node.op in _BIG_INFIX) and len(args) > 1:
        operator = f" {node.op.removeprefix('big')} "
        return f"({operator.join(args)})"
    if node.op == "distinct":
        return f"new Set([{', '.join(args)}]).size"
    if node.op in ("jsonMember", "urlPart"):
        return _member(node.op, args[0], str(path.nodes[node.args[1]].value))
    if node.op in _FUNCTIONS:
        return f"{_FUNCTIONS[node.op]}({', '.join(args)})"
    if node.op in _PATTERNS:
        source, flags = (path.nodes[arg].value for arg in node.args[1:3])
        return _matched(node.op, args[0], f"/{source}/{flags}", args[3:])
    if node.op in ("chosen", "isKey"):
        table = _table_text(str(path.nodes[node.args[1]].value))
        return f"{table}[{args[0]}]" if node.op == "chosen" else f"({args[0]} in {table})"
    if node.op == CHOICE and node.args[0] in node.args[1:]:
        is_and = node.args[0] == node.args[2]
        return f"({args[0]} && {args[1]})" if is_and else f"({args[0]} || {args[2]})"
    if node.op in _FORMS:
        return _FORMS[node.op].format(*args)
    return f"{args[0]}.{node.op}({', '.join(args[1:])})" if args else node.op


def _table_text(table: str) -> str:
    """Returns the beginning of a table as an object or list."""
    entries = json.loads(table)
    shown = [(json.dumps(key, ensure_ascii=False), json.dumps(value, ensure_ascii=False)) for key, value in entries[:3]]
    rest = [_CUT] if len(entries) > len(shown) else []
    if entries and isinstance(entries[0][0], str):
        return f"{{{', '.join([f'{key}: {value}' for key, value in shown] + rest)}}}"
    return f"[{', '.join([value for _, value in shown] + rest)}]"


def _member(op: str, text: str, name: str) -> str:
    """Returns a member of what a text was parsed to."""
    if op == "urlPart":
        return f"new URL({text}).{name}"
    return f"JSON.parse({text}){name.replace('/', '.').replace('~1', '/').replace('~0', '~')}"


def _matched(op: str, text: str, pattern: str, rest: list[str]) -> str:
    match op:
        case "test":
            return f"{pattern}.test({text})"
        case "capture":
            return f"{pattern}.exec({text})[{rest[0] if rest else 0}]"
        case "replaceMatches":
            return f"{text}.replace({pattern}, {', '.join(rest)})"
    return f"{text}.search({pattern})"
