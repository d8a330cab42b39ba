"""Makes path templates of requests: segments that come from an input or from another answer are replaced by `*`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from wimble.model.external import WILDCARD, host_and_port, segments_of, shown_origin
from wimble.model.operands import to_text
from wimble.model.setup_kinds.answer import BODY, Answer
from wimble.model.testcase import TestCase
from wimble.types import ABSENT, Json

MIN_PART: Final = 4
"""Shorter values occur in segments by chance; they count only as a whole segment."""
_MADE = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{16,}|\d{4,}|\d{4}-\d\d-\d\d.*",
    re.IGNORECASE,
)
"""A segment that is no name: a UUID, a long hexadecimal number, a number, a date."""
_MISSING: Final = frozenset({"undefined", "null", "NaN", "[object Object]"})
"""What JavaScript writes for a value that is not there: once the answer that it comes from has it, the segment is that
value, and what was learnt of the request still holds."""
_FILE = re.compile(r".+\.[A-Za-z]\w{0,5}")
"""A segment with the ending of a file: `de.csv`."""
_NAME = re.compile(r"\w")


def template_of(target: str, test_case: TestCase) -> str:
    """Returns the path template of a request of a test case. target: path and query, as sent."""
    values = frozenset(_values(test_case))
    return "".join(f"/{WILDCARD if _is_value(one, values) else one}" for one in segments_of(target))


def template_at_named_host(target: str, test_case: TestCase) -> str:
    """Returns the path template of a request whose address an input holds: what stands in that address is any value."""
    texts = [text for call in test_case.calls for gene in call.genes for text in _scalars(gene.phenotype())]
    addresses = [unquote(text) for text in texts if "//" in text]
    kept = segments_of(template_of(target, test_case))
    return "".join(
        f"/{WILDCARD if one and any(f'/{unquote(one)}' in text for text in addresses) else one}" for one in kept
    )


def is_named_by_input(origin: str, test_case: TestCase) -> bool:
    """Whether an input names the whole host: as it is, or as the host of an address."""
    host = host_and_port(origin)[0].lower()
    inputs = (text.lower() for call in test_case.calls for gene in call.genes for text in _scalars(gene.phenotype()))
    return any(text == host or ("//" in text and host in text) for text in inputs)


def service_of(origin: str, test_case: TestCase) -> str:
    """Returns the origin as people write it, with labels of the host that come from an input as `*`."""
    shown = shown_origin(origin)
    if is_named_by_input(origin, test_case):
        return f"{shown.partition('://')[0]}://{WILDCARD}"
    values = frozenset(text.lower() for text in _values(test_case) if len(text) >= MIN_PART)
    scheme, _, host = shown.partition("://")
    labels = host.split(".")
    # The last two labels name the owner of the service.
    kept = [WILDCARD if label in values else label for label in labels[:-2]]
    return f"{scheme}://{'.'.join([*kept, *labels[-2:]])}"


def _is_value(segment: str, values: frozenset[str]) -> bool:
    text = unquote(segment)
    if not text:
        return False
    # Signs alone are no name, but what is left of an input: a space for an empty one, `<` for `<?...`.
    is_whole = text in values or bool(_FILE.fullmatch(text) and text.rpartition(".")[0] in values)
    if is_whole or text in _MISSING or _MADE.fullmatch(text) or ("%" in segment and not _NAME.search(text)):
        return True
    return any(len(value) >= MIN_PART and value in text for value in values)


def _values(test_case: TestCase) -> Iterator[str]:
    """Yields the scalars of inputs and of answers, as texts."""
    for call in test_case.calls:
        for gene in call.genes:
            yield from _scalars(gene.phenotype())
    for _, answer in test_case.setup_of(Answer):
        yield from _scalars(answer.genes[BODY].phenotype())


def _scalars(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for member in value.values():
            yield from _scalars(member)
    elif isinstance(value, list):
        for item in value:
            yield from _scalars(item)
    elif value is not None and value is not ABSENT and not isinstance(value, bool):
        yield to_text(value)
