"""Each transformation that programs apply to inputs: the operand seen leads to an input that yields the operand wanted.

The transformations run in Node, so what is tested is JavaScript and not our idea of it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from random import Random
from typing import Any

import pytest

from wimble.feedback import apply_edit, edits_from_hints
from wimble.genes import AnyGene, ArrayGene, BooleanGene, Gene, IntegerGene, MapGene, NumberGene, StringGene
from wimble.genes.calendar_steps import OTHER_FORMS
from wimble.genes.taint_markers import taint_marker
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.hints import ComparisonHint
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.types import Json, OperationId, TargetId

AskNode = Callable[[str, Any], Any]
MAX_TRIED = 6
"""Edits among which one has to hit."""
N_SEEDS = 3


def word(rng: Random) -> str:
    return taint_marker(rng, rng.randint(5, 8))


def whole(rng: Random) -> int:
    return rng.randint(10_000, 2_000_000)


def decimal(rng: Random) -> float:
    return rng.randint(100_000, 9_000_000) / 1000


def day(rng: Random) -> str:
    return f"{rng.randint(1980, 2030)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"


def day_in_another_form(rng: Random) -> str:
    return f"{date.fromisoformat(day(rng)):{rng.choice(OTHER_FORMS)}}"


def moment(rng: Random) -> str:
    return f"{day(rng)}T{rng.randint(10, 23)}:{rng.randint(10, 59)}:{rng.randint(10, 59)}.000Z"


def dashed(rng: Random) -> str:
    return f"{word(rng)}-{word(rng)}-{word(rng)}"


def document(rng: Random) -> str:
    return f'{{"user":{{"name":"{word(rng)}","ids":[{whole(rng)},7]}}}}'


def coded(encode: Callable[[str], str]) -> Callable[[Random], str]:
    return lambda rng: encode(word(rng))


def base64_of(text: str) -> str:
    import base64

    return base64.b64encode(text.encode()).decode()


Draw = Callable[[Random], Json]

# name: (JavaScript on the inputs `a` and `b`, how to draw `a`, how to draw `b`)
CASES: dict[str, tuple[str, Draw, Draw | None]] = {
    "same": ("a", word, None),
    "trim": ("a.trim()", lambda rng: f"  {word(rng)} ", None),
    "trimStart": ("a.trimStart()", lambda rng: f"  {word(rng)} ", None),
    "trimEnd": ("a.trimEnd()", lambda rng: f"  {word(rng)} ", None),
    "toLowerCase": ("a.toLowerCase()", lambda rng: word(rng).upper(), None),
    "toUpperCase": ("a.trim().toUpperCase()", word, None),
    "capitalised": ("a[0].toUpperCase() + a.slice(1)", word, None),
    "parseInt": ("parseInt(a, 10)", lambda rng: str(whole(rng)), None),
    "parseInt with a unit": ("parseInt(a)", lambda rng: f"{rng.randint(10, 99)}px", None),
    "parseFloat with a unit": ("parseFloat(a)", lambda rng: f"{decimal(rng)} kg", None),
    "Number": ("Number(a)", lambda rng: str(decimal(rng)), None),
    "unary plus": ("+a", lambda rng: str(whole(rng)), None),
    "hexadecimal": ("parseInt(a, 16)", lambda rng: f"{rng.randint(10**6, 10**8):x}a", None),
    "0x": ("Number(a)", lambda rng: f"0x{whole(rng):x}", None),
    "toString(16)": ("a.toString(16)", whole, None),
    "toString(36)": ("a.toString(36)", whole, None),
    "String": ("String(a)", whole, None),
    "toFixed": ("a.toFixed(2)", decimal, None),
    "thousands": ("Number(a.replace(/,/g, ''))", lambda rng: f"{whole(rng):,}", None),
    "money": ("Number(a.replace(/[^0-9.]/g, ''))", lambda rng: f"${whole(rng):,}.50", None),
    "split first": ("a.split('-')[0]", dashed, None),
    "split second": ("a.split('-')[1]", dashed, None),
    "split last": ("a.split('-').pop()", dashed, None),
    "split domain": ("a.split('@')[1]", lambda rng: f"{word(rng)}@{word(rng)}", None),
    "slice": ("a.slice(2, 5)", lambda rng: taint_marker(rng, 9), None),
    "substring to the end": ("a.substring(3)", lambda rng: taint_marker(rng, 9), None),
    "slice from the end": ("a.slice(-4)", lambda rng: taint_marker(rng, 9), None),
    "charAt": ("a.charAt(2)", lambda rng: taint_marker(rng, 7), None),
    "at": ("a.at(-1)", lambda rng: taint_marker(rng, 7), None),
    "charCodeAt": ("a.charCodeAt(1)", lambda rng: taint_marker(rng, 6), None),
    "template": ("`user:${a}!`", word, None),
    "template of two": ("`${a}-${b}`", word, whole),
    "concatenation of two": ("'<' + a + '/' + b + '>'", word, word),
    "without dashes": ("a.replace(/-/g, '')", dashed, None),
    "without spaces": ("a.replaceAll(' ', '')", lambda rng: f"{word(rng)} {word(rng)} {word(rng)}", None),
    "digits only": ("a.replace(/\\D/g, '')", lambda rng: f"+{rng.randint(10, 99)} ({whole(rng)}) {whole(rng)}", None),
    "letters and digits only": ("a.replace(/[^a-z0-9]/gi, '')", lambda rng: f"{word(rng)}_{word(rng)}!", None),
    "spaces to underscores": ("a.replace(/ /g, '_')", lambda rng: f"{word(rng)} {word(rng)}", None),
    "single spaces": ("a.replace(/\\s+/g, ' ').trim()", lambda rng: f" {word(rng)}   {word(rng)}", None),
    "slug": ("a.toLowerCase().replace(/[^a-z0-9]+/g, '-')", lambda rng: f"{word(rng)}, {word(rng)}", None),
    "reversed": ("[...a].reverse().join('')", word, None),
    "padStart": ("String(a).padStart(12, '0')", whole, None),
    "padEnd": ("a.padEnd(12, '.')", word, None),
    "normalize NFC": ("a.normalize('NFC')", lambda rng: f"{word(rng)}e\u0301", None),
    "normalize NFKD": ("a.normalize('NFKD')", lambda rng: f"\ufb01{word(rng)}\u00e9", None),
    "without accents": (
        "a.normalize('NFD').replace(/[\\u0300-\\u036f]/g, '')", lambda rng: f"{word(rng)}\u00e9\u00fc", None
    ),
    "base64 decoded": ("Buffer.from(a, 'base64').toString()", coded(base64_of), None),
    "base64 decoded, though it is none": ("Buffer.from(a, 'base64').toString()", lambda rng: f"{word(rng)}:{word(rng)}", None),
    "day of a date in another form": ("new Date(a).getDate()", day_in_another_form, None),
    "weekday of a date in another form": ("new Date(a).getDay()", day_in_another_form, None),
    "base64 encoded": ("Buffer.from(a).toString('base64')", word, None),
    "base64url encoded": ("Buffer.from(a).toString('base64url')", word, None),
    "basic user": (
        "Buffer.from(a.slice(6), 'base64').toString().split(':')[0]",
        lambda rng: "Basic " + base64_of(f"{word(rng)}:{word(rng)}"),
        None,
    ),
    "hex decoded": ("Buffer.from(a, 'hex').toString()", coded(lambda text: text.encode().hex()), None),
    "hex encoded": ("Buffer.from(a).toString('hex')", word, None),
    "decodeURIComponent": ("decodeURIComponent(a)", lambda rng: f"{word(rng)}%20{word(rng)}", None),
    "decoded twice": ("decodeURIComponent(decodeURIComponent(a))", lambda rng: f"{word(rng)}%2520{word(rng)}", None),
    "encodeURIComponent": ("encodeURIComponent(a)", lambda rng: f"{word(rng)} {word(rng)}&", None),
    "encoded twice": ("encodeURIComponent(encodeURIComponent(a))", lambda rng: f"{word(rng)} {word(rng)}", None),
    "URLSearchParams": ("new URLSearchParams(a).get('q')", lambda rng: f"n=1&q={word(rng)}", None),
    "query of a URL": ("new URL(a).searchParams.get('q')", lambda rng: f"https://e.com/x?n=1&q={word(rng)}", None),
    "URL host": ("new URL(a).hostname", lambda rng: f"https://{word(rng)}.com/x", None),
    "URL path": ("new URL(a).pathname", lambda rng: f"https://e.com/{word(rng)}", None),
    "URL port": ("new URL(a).port", lambda rng: f"https://e.com:{rng.randint(2000, 9000)}/", None),
    "JSON.stringify": ("JSON.stringify(a)", word, None),
    "JSON leaf": ("JSON.parse(a).user.name", document, None),
    "JSON number": ("JSON.parse(a).user.ids[0]", document, None),
    "JSON leaf upper": ("JSON.parse(a).user.name.toUpperCase()", document, None),
    "Date": ("+new Date(a)", day, None),
    "Date seconds": ("Math.floor(Date.parse(a) / 1000)", moment, None),
    "Date year": ("new Date(a).getUTCFullYear()", moment, None),
    "Date month": ("new Date(a).getUTCMonth()", day, None),
    "Date day": ("new Date(a).getUTCDate()", day, None),
    "Date weekday": ("new Date(a).getUTCDay()", day, None),
    "Date hours": ("new Date(a).getUTCHours()", moment, None),
    "toISOString": ("new Date(a).toISOString()", day, None),
    "ISO day": ("new Date(a).toISOString().slice(0, 10)", moment, None),
    "timestamp": ("new Date(a).toISOString()", lambda rng: rng.randint(10**9, 2 * 10**9) * 1000, None),
    "timestamp in seconds": ("new Date(a * 1000).toISOString()", lambda rng: rng.randint(10**9, 2 * 10**9), None),
    "timestamp year": ("new Date(a).getUTCFullYear()", lambda rng: rng.randint(10**9, 2 * 10**9) * 1000, None),
    "days between": ("(new Date(b) - new Date(a)) / 86400000", day, day),
    "length": ("a.length", lambda rng: taint_marker(rng, rng.randint(5, 20)), None),
    "trimmed length": ("a.trim().length", lambda rng: f" {taint_marker(rng, rng.randint(5, 20))} ", None),
    "words": ("a.split(' ').length", lambda rng: " ".join(word(rng) for _ in range(rng.randint(2, 6))), None),
    "elements": ("a.length", lambda rng: [word(rng) for _ in range(rng.randint(2, 6))], None),
    "joined": ("a.join(',')", lambda rng: [word(rng) for _ in range(3)], None),
    "sum of elements": ("a.reduce((x, y) => x + y, 0)", lambda rng: [whole(rng) for _ in range(3)], None),
    "sum": ("a + b", whole, whole),
    "difference": ("a - b", whole, whole),
    "percent": ("a / 100", whole, None),
    "as percent": ("Math.round(a * 100)", lambda rng: rng.randint(1, 99) / 100 + 0.001, None),
    "times": ("a * 12", whole, None),
    "floor": ("Math.floor(a)", decimal, None),
    "round": ("Math.round(a)", decimal, None),
    "ceil": ("Math.ceil(a)", decimal, None),
    "trunc": ("a | 0", decimal, None),
    "two decimals": ("Math.round(a * 100) / 100", decimal, None),
    "remainder": ("a % 9973", whole, None),
    "boolean": ("a === 'true'", lambda rng: rng.choice(("true", "false")), None),
    "truth word": ("['1', 'yes', 'on'].includes(a)", lambda rng: rng.choice(("yes", "no")), None),
    "boolean input": ("String(a)", lambda rng: rng.random() < 0.5, None),
    "key": ("Object.keys(a)[0]", lambda rng: {word(rng): 1}, None),
    "nested key": ("Object.keys(a.inner)[0]", lambda rng: {"inner": {word(rng): True}}, None),
    "free leaf": ("a.list[1].name", lambda rng: {"list": [1, {"name": word(rng)}]}, None),
}  # fmt: skip

EVALUATE = """
const functions = new Map();
return questions.map(([source, a, b]) => {
  if (!functions.has(source)) functions.set(source, new Function('a', 'b', `return ${source};`));
  try { const value = functions.get(source)(a, b); return value === undefined ? null : value; } catch { return null; }
});
"""


def gene_of(value: Json) -> Gene:
    if isinstance(value, bool):
        return BooleanGene(value)
    if isinstance(value, int):
        return IntegerGene(value)
    if isinstance(value, float):
        return NumberGene(value)
    if isinstance(value, list):
        return ArrayGene(gene_of(value[0]), tuple(map(gene_of, value)))
    if isinstance(value, dict):
        flat = not isinstance(next(iter(value.values())), (dict, list))
        return MapGene(IntegerGene(), ((next(iter(value)), IntegerGene(1)),)) if flat else AnyGene(value)
    return StringGene(value)


def case_of(inputs: tuple[Json, Json]) -> TestCase:
    genes = [gene_of(value) for value in inputs if value is not None]
    declared = tuple(
        HttpInput(name=name, location="query", template=gene) for name, gene in zip("ab", genes, strict=False)
    )
    operation = http_operation(id=OperationId("GET /x"), method="GET", path="/x", inputs=declared)
    return TestCase((Call(operation, tuple(genes)),))


def tried(case: TestCase, seen: Json, wanted: Json) -> list[list[Json]]:
    """The inputs after each of the first edits."""
    hint = ComparisonHint(target=TargetId(1), call=0, operator="identical", left=seen, right=wanted, wanted=True)
    edits = edits_from_hints(case, [hint], Random(0), JAVASCRIPT)[:MAX_TRIED]
    return [[gene.phenotype() for gene in apply_edit(case, edit).calls[0].genes] for edit in edits]


@pytest.fixture(scope="module")
def misses(request: pytest.FixtureRequest) -> dict[str, list[Any]]:
    """For each case the pairs of inputs that none of the edits brought together; two calls of Node for all of them."""
    ask_node: AskNode = request.getfixturevalue("ask_node")
    drawn = []
    for name, (source, draw_a, draw_b) in CASES.items():
        for seed in range(N_SEEDS):
            rng = Random(f"{name} {seed}")
            pair = [(draw_a(rng), draw_b(rng) if draw_b else None) for _ in range(2)]
            drawn.append((name, source, pair[0], pair[1]))
    operands = ask_node(EVALUATE, [(source, *inputs) for _, source, *both in drawn for inputs in both])
    attempts: list[tuple[int, list[Any]]] = []
    wanted_of = []
    for index, (_, source, first, _) in enumerate(drawn):
        seen, wanted = operands[2 * index : 2 * index + 2]
        wanted_of.append((seen, wanted))
        if seen != wanted:
            edited = tried(case_of(first), seen, wanted)
            attempts += [(index, [source, *inputs, *[None] * (2 - len(inputs))]) for inputs in edited]
    answers = ask_node(EVALUATE, [question for _, question in attempts])
    hit = {index for (index, _), answer in zip(attempts, answers, strict=True) if answer == wanted_of[index][1]}
    out: dict[str, list[Any]] = {name: [] for name in CASES}
    for index, (name, _, first, _) in enumerate(drawn):
        seen, wanted = wanted_of[index]
        assert seen is not None and wanted is not None, f"{name}: no operand for {first}"
        if index not in hit and seen != wanted:
            out[name].append((first, seen, wanted, [q[1:] for i, q in attempts if i == index]))
    return out


@pytest.mark.parametrize("name", CASES)
def test_the_wanted_operand_is_written_back_through_the_inverse(name: str, misses: dict[str, list[Any]]) -> None:
    assert not misses[name], misses[name]
