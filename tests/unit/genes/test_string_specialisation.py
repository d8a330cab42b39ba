"""Formats that programs ask for: Node's own parsers take what is drawn and refuse the near misses."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from wimble.genes import AnyGene, JsonTextGene, StringGene
from wimble.genes.string_specialisation import SPECIALISATIONS

AskNode = Callable[[str, Any], Any]
SEEDS = range(40)
PROTOCOL_NAMES = [
    "number",
    "integer",
    "float",
    "bigint",
    "boolean",
    "date",
    "json",
    "url",
    "base64",
    "hex",
    "uuid",
    "email",
    "ip",
    "ipv4",
    "ipv6",
    "hostname",
    "port",
    "alpha",
    "alphanumeric",
    "lowercase",
    "uppercase",
    "numeric",
    "slug",
    "jwt",
    "mongo-id",
    "semver",
    "iso-date",
    "iso-datetime",
    "credit-card",
    "mac",
    "locale",
    "currency",
    "country",
    "phone",
    "mime",
]
PARSERS = {
    "number": "text.trim() !== '' && !Number.isNaN(Number(text))",
    "integer": "text !== '' && Number.isInteger(Number(text))",
    "float": "text !== '' && Number.isFinite(Number(text))",
    "bigint": "(() => { try { return text !== '' && BigInt(text) !== null; } catch { return false; } })()",
    "date": "!Number.isNaN(Date.parse(text))",
    "iso-date": "!Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)",
    "iso-datetime": "!Number.isNaN(Date.parse(text))",
    "json": "(() => { try { JSON.parse(text); return true; } catch { return false; } })()",
    "url": "URL.canParse(text)",
    "ip": "require('node:net').isIP(text) > 0",
    "ipv4": "require('node:net').isIPv4(text)",
    "ipv6": "require('node:net').isIPv6(text)",
    "currency": "Intl.supportedValuesOf('currency').includes(text)",
    "locale": "(() => { try { return Intl.getCanonicalLocales(text).length === 1; } catch { return false; } })()",
    "country": "new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(text) !== undefined",
    "jwt": "text.split('.').length === 3 && !!JSON.parse(Buffer.from(text.split('.')[1], 'base64url')).sub",
    "base64": "Buffer.from(text, 'base64').toString('base64') === text",
}
NODE = """
return questions.map(([source, texts]) => texts.map((text) => new Function('require', 'text', `return ${source};`)(require, text)));
"""
# Node's parser takes more than the format allows (`Date.parse`), or the near miss is one of a stricter check.
LENIENT_MISSES = {"url", "country", "jwt", "base64", "date", "iso-datetime", "bigint", "float", "number", "integer"}


def test_each_name_of_the_protocol_is_known() -> None:
    assert sorted(SPECIALISATIONS) == sorted(PROTOCOL_NAMES)


@pytest.mark.parametrize("name", sorted(SPECIALISATIONS))
def test_draws_are_valid_and_misses_are_not(name: str) -> None:
    asked = SPECIALISATIONS[name]
    drawn = [asked.draw(Random(seed)) for seed in SEEDS]
    assert all(map(asked.is_valid, drawn)), drawn
    assert len(set(drawn)) > 1
    assert not any(asked.is_valid(asked.miss(Random(seed))) for seed in SEEDS)
    mutants = [asked.mutated(text, Random(7)) for text in drawn]
    assert all(map(asked.is_valid, mutants)), mutants


def test_node_parses_what_is_drawn_and_refuses_near_misses(ask_node: AskNode) -> None:
    names = sorted(PARSERS)
    drawn = [[SPECIALISATIONS[name].draw(Random(seed)) for seed in SEEDS] for name in names]
    for name, texts, verdicts in zip(
        names, drawn, ask_node(NODE, [[PARSERS[n], t] for n, t in zip(names, drawn, strict=True)]), strict=True
    ):
        assert all(verdicts), (name, [text for text, verdict in zip(texts, verdicts, strict=True) if not verdict])
    strict = [name for name in names if name not in LENIENT_MISSES]
    missed = [[SPECIALISATIONS[name].miss(Random(seed)) for seed in SEEDS] for name in strict]
    answers = ask_node(NODE, [[PARSERS[n], t] for n, t in zip(strict, missed, strict=True)])
    for name, texts, verdicts in zip(strict, missed, answers, strict=True):
        assert not any(verdicts), (name, [text for text, verdict in zip(texts, verdicts, strict=True) if verdict])


def test_a_string_that_took_on_a_format_mutates_within_it_and_keeps_its_own_text() -> None:
    rng = Random(2)
    gene = StringGene("qx3f1").specialised("uuid", rng)
    assert gene is not None and gene.own == "qx3f1"
    values = [gene.mutated(rng, 0.5) for _ in range(300)]
    shares_of = sum(SPECIALISATIONS["uuid"].is_valid(value.value) for value in values) / 300
    assert 0.8 < shares_of < 1.0
    assert any(value == StringGene("qx3f1") for value in values)
    assert SPECIALISATIONS["uuid"].is_valid(gene.sampled(rng).value)


def test_declared_constraints_are_kept_where_the_format_leaves_room() -> None:
    rng = Random(3)
    for _ in range(20):
        gene = StringGene("", pattern=r"^-?\d+$", max_length=6).specialised("number", rng)
        assert gene is not None and len(gene.value) <= 6 and gene.value.lstrip("-").isdigit()
    assert StringGene("a").specialised("nonsense", rng) is None


def test_a_json_text_is_searched_as_a_document() -> None:
    gene = JsonTextGene(AnyGene({"k1": "v"}), StringGene("qx3f1"))
    assert gene.phenotype() == '{"k1":"v"}'
    assert gene.with_child(0, AnyGene({"k1": 5})).phenotype() == '{"k1":5}'
    assert gene.with_value("[1]") == JsonTextGene(AnyGene([1]), StringGene("qx3f1"))
    assert gene.with_value("no document") == StringGene("no document")
    rng = Random(4)
    mutants = [gene.mutated(rng, 0.5) for _ in range(300)]
    assert StringGene("qx3f1") in mutants
    kept = [mutant for mutant in mutants if isinstance(mutant, JsonTextGene) and "k1" in str(mutant.document.value)]
    assert len(kept) > 60
