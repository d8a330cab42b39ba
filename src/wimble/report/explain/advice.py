"""Advice on a target, in one or two sentences. The wording shows which advice is a guess."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from wimble.model.explain_data import ExplainData, ExplainedFile, Knowledge, TargetRow
from wimble.report.explain.blocks import Blocker, Blocks
from wimble.runtimes.source_notation import SourceNotation

_CONFIGURATION = re.compile(r"\b(config|conf|options|opts|settings|prefs|flags|feature)s?\b", re.IGNORECASE)
_IDENTITY = re.compile(
    r"\b(auth\w*|token|session|currentUser|user|role|permission|credential|password|cookie)s?\b", re.IGNORECASE
)
_ERROR = re.compile(r"\b(err|error|exception|reason)\b", re.IGNORECASE)
_TIME = re.compile(r"\bDate\b|\bnow\b|[tT]ime(out|r)?\b|[eE]xpire|[eE]lapsed|[iI]nterval")
_STATE = re.compile(r"\b(rows?|result|record|entity|found|count|db|database|repository|store|cache)s?\b", re.IGNORECASE)


def _origins(notation: SourceNotation) -> Sequence[tuple[re.Pattern[str], str]]:
    """Returns (pattern of the condition, the probable origin of its operands). The first match is used."""
    return (
        (
            notation.environment,
            "it comes from the environment or the command line: start the SUT with other settings",
        ),
        (
            notation.headers,
            "it looks like an input that no call has sent in this form: declare it in an API document, with examples",
        ),
        (_CONFIGURATION, "it looks like configuration: start the SUT with other settings"),
        (_IDENTITY, "it looks like the caller's identity or rights, which no call gave"),
        (
            notation.connections,
            "it is the state of the connection, which callers break off or servers answer twice",
        ),
        (_ERROR, "it looks like the error path of something that did not fail here"),
        (_TIME, "it looks like a matter of time, which the search does not turn forward"),
        (_STATE, "it looks like state of the SUT (a database, a cache) that no sequence of calls has brought about"),
    )


_NEGATED_NAME = re.compile(r"!\s*([A-Za-z_$][\w$]*)(?![\w$]|\s*[.\[(?=])")
UNCHANGED = " (the same)"
"""The end of an input's name whose value was not changed on the way."""
COLUMN = "column "
"""The beginning of the name of an input that is a column of an inserted row."""
FEW_EDITS = 20
"""Below this number of edits, a longer search may change the outcome. A search edits an input that reaches an outcome
some hundred times; if all those change nothing, more of them rarely do.
"""
NEVER_COMPLETES = "what it calls fails with an error, never answers, or ends the process."


class Situation(NamedTuple):
    """The facts about a target that advice depends on."""

    row: TargetRow
    path: str
    condition: str
    """The target's line, up to the code that the target guards."""
    blocker: Blocker | None
    before: Sequence[str]
    """The lines of the function, up to the target's line."""
    known: Knowledge | None
    file: ExplainedFile
    blocks: Blocks
    explain_data: ExplainData
    notation: SourceNotation


def advice_on(situation: Situation) -> str:
    """Returns the advice of the first case that applies, in one or two sentences."""
    return next(text(situation) for fits, text in _CASES if fits(situation))


def _on_covered(situation: Situation) -> str:
    if situation.row.test is None:
        return "Calls covered it during the search, but no generated test does: it needs state or chance."
    return "No action is needed."


def _on_loop(situation: Situation) -> str:
    empty = "always" if situation.row.outcome == "true" else "never"
    return (
        f"What it iterates over was {empty} empty: that depends on the state of the SUT or on the length of an input."
    )


def _on_status(situation: Situation) -> str:
    if situation.row.outcome == "success":
        return (
            "No call of this operation was answered 2xx: run the one above that came closest; it may need "
            "authentication, or data that nothing makes."
        )
    return "The operation never answered so."


def _on_boot(situation: Situation) -> str:
    if situation.row.boot_h >= 1.0:
        return "It happens only while the SUT starts; no call can reach it."
    return (
        "It is decided while the SUT starts: start it with other settings (environment, arguments, configuration) to "
        "go the other way."
    )


def _on_unreached(situation: Situation) -> str:
    kind, path, blocker = situation.row.kind, situation.path, situation.blocker
    if not situation.blocks.did_anything_run:
        return "The file was loaded, but none of its statements ran: nothing that calls or the start do leads into it."
    if kind == "catch" and (blocker is None or blocker.kind == "statement"):
        return (
            "Nothing in its `try` failed: something that it calls has to fail (a database, a file, a parser), or to "
            "be given what it refuses."
        )
    if blocker is None and kind == "function":
        return (
            "Nothing has called it: no operation leads there, or its callers did not run (a schedule, an event, a "
            "function that is blocked itself)."
        )
    if blocker is None:
        return "An earlier part of the same expression or statement never lets it run."
    if blocker.kind == "function":
        name = f"`{blocker.text}`" if blocker.text else "the function around it"
        return (
            f"Nothing calls {name} ({path}:{blocker.line}): no operation leads there, or its callers are blocked "
            "themselves."
        )
    if blocker.kind == "statement":
        return f"The statement on line {blocker.line} never completes: {NEVER_COMPLETES}"
    return f"First `{blocker.text}` on line {blocker.line} has to happen: wimble explain {path}:{blocker.line}"


def _on_close(situation: Situation) -> str:
    condition, known, explain_data = situation.condition, situation.known, situation.explain_data
    operands = known.best or known.latest if known is not None else ()
    if not operands:
        if not explain_data.has_hints:
            return "The strategy of this run does not look at operands: run with --strategy mio."
        return (
            "It was reached, but its operands have types that no input can have (objects, functions): "
            f"{_guess(situation)}."
        )
    inputs = [name for one in operands for name in (*one.left_inputs, *one.right_inputs)]
    # An operand from the environment may equal an input by chance, since constants of the program are tried as inputs.
    is_of_environment = situation.notation.environment.search(condition) is not None
    if inputs and not is_of_environment:
        return _on_reaching_input(inputs[0], known)
    solver = None if known is None else known.tried.solver
    if solver is not None and solver.condition:
        return (
            "Its operands are computed from inputs, as the condition above shows, and no values were found that lead "
            "to the other outcome."
        )
    if solver is not None and solver.answers and not is_of_environment:
        return (
            "No input reaches this comparison itself, but conditions before it depend on inputs: its operands may say "
            "which way the program took, as a counter or a state does, and no such way to the other outcome was found."
        )
    return f"No input reaches this comparison: {_guess(situation)}."


def _on_reaching_input(name: str, known: Knowledge | None) -> str:
    """name: the name of an input, and in parentheses how its value was changed."""
    edits = sum(count for _, count in known.tried.edits) + known.tried.other_edits if known is not None else 0
    shown = name.removesuffix(UNCHANGED)
    what = f"A value of an inserted row ({shown.removeprefix(COLUMN)})" if name.startswith(COLUMN) else f"`{shown}`"
    if edits < FEW_EDITS:
        tried = f"it was edited {edits} time{'s' * (edits != 1)} only" if edits else "it has not been edited yet"
        return f"{what} reaches it, but {tried}: a longer --max-time may help."
    return (
        f"{what} reaches it, but {edits} edits of it did not change the outcome: what is wanted may contradict a "
        "condition before it, be changed on the way, or not be allowed by the schema."
    )


def _on_operands(situation: Situation) -> str:
    name, is_missing = _negated_name(situation), situation.row.outcome == "true"
    first_line = situation.row.line - len(situation.before)
    reading = [first_line + at for at, text in enumerate(situation.before) if name and _reads_member(text, name)]
    if is_missing and reading:
        return f"A missing `{name}` fails before it is tested: line {reading[-1]} reads a member of it. Test it first."
    if name and not _has_other_branch(situation):
        return f"`{name}` was {'always' if is_missing else 'never'} there, or true: {_guess(situation)}."
    return "It follows from its operands: see the other branches of the line, and what they were compared with."


def _negated_name(situation: Situation) -> str:
    """Returns the name of which the target is the negation that came out true, or another one; empty if it is none."""
    found = _NEGATED_NAME.findall(situation.condition) if situation.row.detail in ("! true", "! false") else []
    return found[0] if len(found) == 1 else ""


def _reads_member(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w$.]){re.escape(name)}\.[\w$]", text) is not None


def _has_other_branch(situation: Situation) -> bool:
    own = situation.row
    rows = situation.file.targets
    return any(row.kind == "branch" and row.line == own.line and row.column != own.column for row in rows)


def _has_ended_here(situation: Situation) -> bool:
    return f"{situation.file.path}:{situation.row.line}" in situation.explain_data.ends


def _is_of_promise(situation: Situation) -> bool:
    return f"{situation.file.path}:{situation.row.line}" in situation.explain_data.promises


def _guess(situation: Situation) -> str:
    for pattern, sentence in _origins(situation.notation):
        match = pattern.search(situation.condition)
        if match is not None:
            return f"by `{match.group()}` in the line, {sentence}"
    return (
        "its operands come from the SUT's state, a constant, the environment, or an input that no call has sent in "
        "such a form"
    )


_CASES: tuple[tuple[Callable[[Situation], bool], Callable[[Situation], str]], ...] = (
    (lambda situation: situation.row.is_covered, _on_covered),
    (
        lambda situation: bool(situation.file.error),
        lambda situation: f"The file runs without probes ({situation.file.error}), so nothing is known of it.",
    ),
    (
        _has_ended_here,
        lambda _: (
            "A call has ended the process at this line, so most likely it has happened: what a process ran last "
            "is lost with it."
        ),
    ),
    (lambda situation: situation.row.kind == "status", _on_status),
    (
        lambda situation: situation.row.kind == "limit",
        lambda _: "All answers keep to the limit, as they should; the calls above came closest to breaking it.",
    ),
    (
        lambda situation: situation.row.kind == "part",
        lambda _: "It is declared, and no call has exercised it; the calls above came closest.",
    ),
    (lambda situation: bool(situation.row.boot_h and not situation.row.h), _on_boot),
    (
        lambda situation: situation.row.h > 0.0 and _is_of_promise(situation),
        lambda situation: (
            f"A promise stands at line {situation.row.line} where its value is meant, and it is always true and equal "
            "to nothing: `await` is missing."
        ),
    ),
    (lambda situation: situation.row.h == 0.0, _on_unreached),
    (
        lambda situation: situation.row.kind in ("statement", "ternary", "function"),
        lambda _: f"It is entered but never completes: {NEVER_COMPLETES}",
    ),
    (
        lambda situation: situation.row.operator in situation.notation.joining_operators,
        _on_operands,
    ),
    (
        lambda situation: situation.row.detail == "loop passed",
        lambda _: (
            "In each call, some element has led to a `return` or `throw` in the loop: each of them has to pass the "
            "conditions of these."
        ),
    ),
    (lambda situation: situation.row.kind == "loop", _on_loop),
    (lambda _: True, _on_close),
)
"""(whether a case applies, its advice), in the order in which the cases are tried."""
