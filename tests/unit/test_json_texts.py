"""Documents that texts hold, as they are or in base64."""

import pytest

from wimble.genes import AnyGene, JsonTextGene
from wimble.json_texts import coded_json, held_document


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ('{"a":1}', ({"a": 1}, "")),
        ("[1]", ([1], "")),
        ("eyJhIjoxfQ==", ({"a": 1}, "base64")),
        ("eyJhIjoxfQ", ({"a": 1}, "base64url")),
        ("WzFd", ([1], "base64")),
        ("eyJhIjoi8J-YgD8ifQ", ({"a": "😀?"}, "base64url")),
    ],
)
def test_documents_are_found_and_written_as_they_were(text, held):
    assert held_document(text)[:2] == held
    gene = JsonTextGene(AnyGene()).with_value(text)
    assert isinstance(gene, JsonTextGene)
    assert gene.phenotype() == text


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("v2.e30=", ({}, "base64", "v2.", "")),
        ("v2:eyJhIjoxfQ:7f", ({"a": 1}, "base64url", "v2:", ":7f")),
        ('data: {"a": 1}', ({"a": 1}, "", "data: ", "")),
    ],
)
def test_a_part_of_a_text_may_be_a_document(text, held):
    assert held_document(text) == held
    gene = JsonTextGene(AnyGene()).with_value(text)
    assert gene.phenotype() == text.replace(": 1}", ":1}")
    assert held_document(gene.holding(AnyGene({"b": [1]})).phenotype()).document == {"b": [1]}


@pytest.mark.parametrize("text", ["eyJhIjoxfQ.eyJhIjoxfQ.x", "keyed {1}", "a.b.ey", "x{}", "every.day", "e3.e3"])
def test_texts_with_several_documents_or_with_none_hold_none(text):
    assert held_document(text) is None


@pytest.mark.parametrize("text", ["", "1", "{", "eyJh", "Word", "every", "e\xe9", '"{}"', "null"])
def test_other_texts_hold_none(text):
    assert held_document(text) is None


def test_half_a_surrogate_pair_is_written_as_a_question_mark():
    assert coded_json("\ud83d", "base64") == "Pw=="
