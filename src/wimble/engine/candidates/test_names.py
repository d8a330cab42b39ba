"""Names tests after what they do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wimble.library.function_binding import STEPS, FunctionBinding
from wimble.library.made_objects import MADE, METHOD, NEW, USED, VALUE, is_used
from wimble.model.evaluation import Finding
from wimble.model.observation import Observation
from wimble.model.operation import Input
from wimble.model.testcase import Call, TestCase
from wimble.types import ABSENT, Json

MAX_NAME_LENGTH = 160
"""Test runners print names on one line."""
MAX_MESSAGE_LENGTH = 90
MAX_VALUE_LENGTH = 24
LONGEST_WORD = 40
"""A longer word at the end of a name is cut; a shorter one is left out."""


def name_test(test_case: TestCase, observations: Sequence[Observation], findings: Sequence[Finding]) -> str:
    """Returns the name of a test.

    Example: `POST /orders answers 500: TypeError: Cannot read properties of undefined, after POST /customers`.
    """
    index = findings[0].call_index if findings else len(test_case.calls) - 1
    call = test_case.calls[index]
    ends = "ends the process" if any(finding.oracle == "process-died" for finding in findings) else ""
    exchange = observations[index].exchange
    name = f"{exchange.named(call.operation.id)} {ends or exchange.phrase()}"
    if findings:
        message = _message(findings[0], observations[index])
        kind, sign, rest = message.partition(": ")
        message = rest if sign and name.endswith(f" {kind}") else message  # "throws TypeError" says it already
        name += f": {_cut(_first_part(message), MAX_MESSAGE_LENGTH)}" if message else ""
    earlier = _distinct([*(c.operation.id for c in test_case.calls[:index]), *exchange.steps_before()])
    if earlier:
        name += ", after " + ", ".join(earlier[:3]) + (", ..." if len(earlier) > 3 else "")
    return _cut(name, MAX_NAME_LENGTH)


def _message(finding: Finding, observation: Observation) -> str:
    """Returns what went wrong.

    If the call has no answer, the outcome tells it, so only a thrown error's message is added.
    """
    if finding.cause.message:
        return finding.cause.message.splitlines()[0]
    if not observation.is_answered:
        return ""
    # A mistake of the program that explains it follows, and would leave no room for the rest of the name.
    return next(
        (
            finding.observed.partition(f"; {one.text}")[0]
            for one in finding.cause.mistakes
            if one.text in finding.observed
        ),
        finding.observed,
    )


def _first_part(message: str) -> str:
    """Returns what comes before the first semicolon of a message that is too long for a name."""
    return message if len(message) <= MAX_MESSAGE_LENGTH else message.partition("; ")[0]


def make_unique(names: Sequence[str], test_cases: Sequence[TestCase]) -> list[str]:
    """Distinguishes equal names by an input of the last call if that helps, else by a number."""
    out: list[str] = []
    seen: set[str] = set()
    for name, test_case in zip(names, test_cases, strict=True):
        candidate = name
        if names.count(name) > 1:
            inputs = describe_inputs(test_case.calls[-1])
            if inputs:
                candidate = _cut(f"{name} with {inputs}", MAX_NAME_LENGTH + 40)
        number, unique = 2, candidate
        while unique in seen:
            unique = f"{candidate} ({number})"
            number += 1
        seen.add(unique)
        out.append(unique)
    return out


def describe_inputs(call: Call) -> str:
    """Returns the first few inputs, such as `limit=5, X-Role=admin`; empty if there are none."""
    parts: list[str] = []
    for declared, gene in zip(call.operation.inputs, call.genes, strict=True):
        value = gene.phenotype()
        if value is ABSENT or declared.role == "credential" or _are_steps(call, declared):
            continue
        if declared.is_undeclared and isinstance(value, dict):
            parts += [f"{key}={_short(item)}" for key, item in list(value.items())[:3]]
        elif declared.role == "content":
            if declared.varying_member and isinstance(value, dict):
                value = value.get(declared.varying_member, {})
            if isinstance(value, dict):
                parts += [f"{key}={_short(item)}" for key, item in list(value.items())[:3]]
            else:
                parts.append(f"body {_short(value)}")
        else:
            parts.append(f"{declared.name}={_short(value)}")
    return ", ".join(parts[:3])


def _are_steps(call: Call, declared: Input) -> bool:
    """Whether an input holds the calls before, which the name tells anyway."""
    return declared.name == STEPS and isinstance(call.operation.binding, FunctionBinding)


def _short(value: Json) -> str:
    if is_used(value) and isinstance(value, dict):
        made, calls = value[USED]
        maker = made[MADE][0].removeprefix(NEW).removeprefix(VALUE).removeprefix(METHOD)
        return " after ".join(filter(None, (maker, ", ".join(_distinct(call[0] for call in calls)))))
    if isinstance(value, (dict, list)):
        return "{...}" if isinstance(value, dict) else f"[{len(value)}]"
    text = value if isinstance(value, str) else repr(value).lower() if isinstance(value, bool) else str(value)
    return _cut("".join(c if c.isprintable() else "?" for c in text), MAX_VALUE_LENGTH)


def _distinct(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))


def _cut(text: str, limit: int) -> str:
    """Shortens a text to at most `limit` characters. Only a long word is cut in two."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    kept = text[: limit - 3]
    if text[limit - 3] != " ":
        whole_words = kept.rpartition(" ")[0]
        kept = whole_words if len(whole_words) > len(kept) - LONGEST_WORD else kept
    return kept.rstrip(" ,;:") + "..."
