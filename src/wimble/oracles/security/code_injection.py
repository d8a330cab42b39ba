"""Finds inputs that the program runs as code (CWE-94): by `eval`, `new Function`, `vm`, or a template that is compiled.

The proof is a variable that is not declared: the evaluated code failed with `ReferenceError: jfsjn is not defined`,
and `jfsjn` is a name in a text that the call has sent. Not a finding: a name that stands in the program's own line, as
the program may have forgotten to declare it, and the same text may come from a dictionary of the program's constants.
"""

from __future__ import annotations

import linecache
import re
from typing import Final

from wimble.http.exchange import response_of
from wimble.model.evaluation import Finding
from wimble.oracles.messages.message_shapes import shortened
from wimble.oracles.oracle import CallView, Oracle, Verdict, cause_key, place_of
from wimble.oracles.security.sent_inputs import texts_of_inputs

NAME: Final = "code-injection"
MAX_VALUE: Final = 60
_UNDECLARED: Final = re.compile(r"ReferenceError: ([\w$]{4,}) is not defined")
_EVALUATED: Final = re.compile(r"\beval at |\bevalmachine\.|<anonymous>:\d")
"""Matches stacks with a frame of evaluated code."""


def judge_call(view: CallView) -> Verdict:
    cause = view.observation.cause
    undeclared = None if cause is None else _UNDECLARED.match(cause.message)
    response = response_of(view.observation)
    if cause is None or undeclared is None or response is None or not _EVALUATED.search(cause.stack):
        return []
    word = re.compile(rf"(?<![\w$]){re.escape(undeclared[1])}(?![\w$])")
    if word.search(linecache.getline(cause.file, cause.line)):
        return []
    sent = next(((name, text) for name, text in texts_of_inputs(view) if word.search(text)), None)
    if sent is None:
        return []
    told = f"{cause.message}{place_of(cause)}"
    name, text = sent[0].rpartition(" ")[2], sent[1]  # without the kind of credentials that carry the input
    operation = view.operation.id
    return [
        Finding(
            oracle=NAME,
            key=(NAME, *(cause_key(cause) or (operation,)), name),
            operation=operation,
            status=response.status,
            title=f"{operation} runs the input {name} as code",
            observed=f"the input {name} {shortened(repr(text), MAX_VALUE)} was evaluated: {told}",
            expected="inputs are values, and never code of the program",
            cause=cause,
            call_index=view.observation.call_index,
        )
    ]


ORACLE = Oracle(NAME, judge_call)
