"""Strings made for a corpus of real-world expressions, judged by Node's own engine."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from wimble.solve.patterns.ecmascript import matches
from wimble.solve.patterns.regex import matching_string, near_miss

AskNode = Callable[[str, Any], Any]
LITERAL = re.compile(r"/(.*)/([a-z]*)")
N_STRINGS = 8

_CORPUS = Path(__file__).parents[2] / "data" / "regexes.txt"
CORPUS = [
    (found.group(1), found.group(2))
    for line in _CORPUS.read_text(encoding="utf-8").splitlines()
    if (found := LITERAL.fullmatch(line)) is not None
]
VERDICTS = """
return questions.map(([source, flags, texts]) => {
  let regex;
  try { regex = new RegExp(source, flags); } catch (error) { return String(error); }
  return texts.map((text) => { regex.lastIndex = 0; return regex.test(text); });
});
"""


def made(solve: Callable[[str, str, Random], str | None]) -> list[tuple[str, str, list[str]]]:
    out = []
    for source, flags in CORPUS:
        rng = Random(11)
        texts = [text for _ in range(N_STRINGS) if (text := solve(source, flags, rng)) is not None]
        out.append((source, flags, texts))
    return out


def test_the_corpus_is_large_and_without_repetitions() -> None:
    assert len(CORPUS) == len(set(CORPUS)) >= 200


def test_each_match_matches_and_there_is_one_for_each_expression(ask_node: AskNode) -> None:
    questions = made(matching_string)
    verdicts = ask_node(VERDICTS, questions)
    wrong = [
        (source, flags, texts, seen)
        for (source, flags, texts), seen in zip(questions, verdicts, strict=True)
        if not isinstance(seen, list) or not all(seen)
    ]
    assert not wrong, "\n".join(map(repr, wrong))
    assert all(texts for _, _, texts in questions)


def test_no_near_miss_matches_and_there_is_one_for_each_expression(ask_node: AskNode) -> None:
    questions = made(near_miss)
    verdicts = ask_node(VERDICTS, questions)
    wrong = [
        (source, flags, texts, seen)
        for (source, flags, texts), seen in zip(questions, verdicts, strict=True)
        if not isinstance(seen, list) or any(seen)
    ]
    assert not wrong, "\n".join(map(repr, wrong))
    assert all(texts for _, _, texts in questions)


def test_verdicts_on_arbitrary_strings_agree_with_node(ask_node: AskNode) -> None:
    """Matches of one expression are tried on others: what the translation says, Node says."""
    rng = Random(5)
    pool = [text for _, _, texts in made(matching_string) for text in texts[:2]]
    questions = [(source, flags, rng.sample(pool, 30)) for source, flags in CORPUS]
    wrong = []
    for (source, flags, texts), seen in zip(questions, ask_node(VERDICTS, questions), strict=True):
        wrong += [
            (source, flags, text, verdict)
            for text, verdict in zip(texts, seen, strict=True)
            if (own := matches(source, flags, text)) is not None and own is not verdict
        ]
    assert not wrong, "\n".join(map(repr, wrong))
