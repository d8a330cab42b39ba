"""Credentials that the SUT gives to users of the search, and words that are secrets: removed from all output.

The search needs them in answers, since later calls refer to them; so they are removed when something is written.
"""

from __future__ import annotations

import re
from typing import Final

from wimble.own_keys import holds_own_token

REDACTED: Final = "***"
MAX_LEARNT: Final = 200_000
BEGINNING: Final = 12
"""Number of characters by which a random text is recognised, so that a shortened one is, too."""
SHORTEST: Final = 8
"""Minimum length of a token that is not random."""
_RUN: Final = re.compile(r"[A-Za-z0-9_+/-]{12,}")
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{8,}")
_JWT: Final = re.compile(r"eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{2,}\.([A-Za-z0-9_-]{12,})")
_SIGNED_COOKIE: Final = re.compile(r"\bs(?:%3A|:)[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9%+/=]+)?")
"""A session's id with its signature, as Express' packages write it into cookies."""
_PLAIN_WORD: Final = re.compile(r"[A-Za-z]*")


class LearntSecrets:
    """Tokens, cookies and the like, of which there is one per login: they are looked up and not searched for."""

    def __init__(self) -> None:
        self._beginnings: set[str] = set()
        self._whole: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._beginnings or self._whole)

    def add(self, value: str, *, is_credential: bool = False) -> None:
        """Hides the random parts of the value, and all of it if it surely is a credential.

        Of a JWT the signature is hidden: without it, header and claims open nothing, and many tokens have the same.
        """
        if len(self._beginnings) + len(self._whole) >= MAX_LEARNT or holds_own_token(value):
            return
        token = _JWT.search(value)
        found = _RUN.findall(value if token is None else token[1])
        runs = [run for run in found if token is not None or _is_random(run)]
        self._beginnings.update(run[:BEGINNING] for run in runs)
        if is_credential and not runs:
            self._whole.update(name for name in _NAME.findall(value) if not _PLAIN_WORD.fullmatch(name))

    def redact(self, text: str) -> str:
        """Returns the text without what was learnt, and without any signed JWT: the SUT may have computed others.

        Those that are signed with keys of our own stay: they open nothing, and answers of services have them in tests.
        """
        text = _SIGNED_COOKIE.sub(REDACTED, _JWT.sub(_unless_own, text))
        if self._whole:
            text = _NAME.sub(lambda match: REDACTED if match[0] in self._whole else match[0], text)
        return _RUN.sub(self._without, text) if self._beginnings else text

    def _without(self, match: re.Match[str]) -> str:
        run = match[0]
        for start in range(len(run) - BEGINNING + 1):
            if run[start : start + BEGINNING] in self._beginnings:
                return run[:start] + REDACTED
        return run


class Words:
    """Secrets such as `secret`, which occur in many texts: they are hidden where they are the whole of a value."""

    def __init__(self) -> None:
        self._words: dict[str, None] = {}
        self._pattern: re.Pattern[str] | None = None

    def __bool__(self) -> bool:
        return bool(self._words)

    def add(self, word: str) -> None:
        if word and word not in self._words:
            self._words[word] = None
            either = "|".join(re.escape(one) for one in sorted(self._words, key=lambda one: (-len(one), one)))
            quote = r"(?:\\*[\"'`]|&quot;|&#34;|&#39;)"
            self._pattern = re.compile(rf"(?<=[\"'`;=])(?:{either})(?!{quote}\s*:)(?={quote}|[&\s]|$)")

    def redact(self, text: str) -> str:
        return text if self._pattern is None else self._pattern.sub(REDACTED, text)


def is_word(secret: str) -> bool:
    """Whether a secret is so short or so usual a word that texts contain it by chance."""
    return len(secret) < SHORTEST or (len(secret) < 16 and secret.isalpha() and secret.islower())


def _is_random(run: str) -> bool:
    """Whether the text looks like a token, unlike names such as `created-by-user-1`."""
    n_digits = sum(letter.isdigit() for letter in run[:BEGINNING])
    mixed = any(letter.islower() for letter in run) and any(letter.isupper() for letter in run)
    has_letters = any(letter.isalpha() for letter in run)
    return has_letters and (n_digits >= 3 or (mixed and n_digits >= 1))


def _unless_own(token: re.Match[str]) -> str:
    return token[0] if holds_own_token(token[0]) else REDACTED
