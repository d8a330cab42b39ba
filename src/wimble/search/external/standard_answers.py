"""Answers in formats that are fixed for a request: GraphQL, OAuth 2.0, OpenID Connect discovery, key sets, XML of AWS;
or in the format that it asks for, by its headers or by the ending of its path.

Clients of these are libraries mostly, into which the agent does not look. So nothing would be known of what they read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Final
from urllib.parse import parse_qs

from wimble.genes import AnyGene
from wimble.genes.taint_markers import taint_marker
from wimble.model.external import GZIP, ExternalRequest, shown_origin
from wimble.model.setup_kinds.answer import Answer, answer_of_gene, new_answer
from wimble.model.setup_kinds.body_forms import BodyForm
from wimble.own_keys import OWN_KEYS, certificates, key_set
from wimble.search.access.own_tokens import issued_token
from wimble.search.external.queue_answers import queue_answers
from wimble.search.external.search_answers import search_answers
from wimble.search.external.table_answers import refused_by_table, table_answers
from wimble.types import Json

EXPIRES_S: Final = 3600
END_OF_STREAM: Final = "[DONE]"
"""The last event of many streams, which is no JSON."""
N_PARTS: Final = 3
"""Lines and events of a stream."""
_ASKED: Final[tuple[tuple[re.Pattern[str], BodyForm], ...]] = (
    (re.compile(r"ndjson|jsonl|json-seq|stream\+json"), "lines"),
    (re.compile(r"event-stream"), "events"),
    (re.compile(r"(?<!xhtml\+)xml$"), "xml"),
    (re.compile(r"csv$"), "csv"),
    (re.compile(r"tab-separated"), "tabs"),
    (re.compile(r"text/plain"), "text"),
)
"""Types in `Accept`; those of HTML are made of what the program looks for in it (answer_elements.py)."""
_ENDINGS: Final[dict[str, BodyForm]] = {
    "xml": "xml",
    "rss": "xml",
    "atom": "xml",
    "csv": "csv",
    "tsv": "tabs",
    "ndjson": "lines",
    "jsonl": "lines",
    "txt": "text",
}
_KEY_SET: Final = re.compile(r"/(?:[\w.-]*jwks?[\w.-]*|certs|keys|x509/[^/]+)$", re.IGNORECASE)
_DISCOVERY: Final = re.compile(r"/\.well-known/(?:openid-configuration|oauth-authorization-server)(?:$|/)")


def standard_answers(request: ExternalRequest, path: str, rng: Random) -> list[Answer]:
    """Returns the answers that standards give to a request with that path template; mostly none."""
    made = partial(new_answer, request.origin, request.method, path)
    return [
        *([_whole(request, path, key_set())] if _asks_for_keys(request) else []),
        *(made(status=status, body=body) for status, body in _answers(request, rng)),
        *(made(status=status, body=body, form="xml") for status, body in _xml_answers(request)),
        *(made(body=body, form="attributes") for body in table_answers(request, _sent(request))),
        *(made(body=body, headers={"x-elastic-product": "Elasticsearch"}) for body in search_answers(request)),
        *(made(body=body, form=form) for form, body in _in_asked_form(request, rng)),
        *(made(body=body, form=form, headers={"content-type": GZIP}) for form, body in _in_file(request, rng)),
    ]


def public_keys(request: ExternalRequest, path: str) -> list[Answer]:
    """Returns answers with our own public keys, as a key set and as certificates, to a request that may be for keys,
    whatever its path is called.
    """
    if request.method != "GET" or _DISCOVERY.search(request.path):
        return []
    return [_whole(request, path, key_set()), _whole(request, path, certificates())]


def _whole(request: ExternalRequest, path: str, body: Json) -> Answer:
    """Returns an answer whose body is one value: half a key is none."""
    return answer_of_gene(request.origin, request.method, path, status=200, gene=AnyGene(body))


def _in_asked_form(request: ExternalRequest, rng: Random) -> Iterator[tuple[BodyForm, Json]]:
    """Yields a body in the form that is asked for, if that is not JSON. Streams mostly have several parts."""
    if _sent(request).get("stream") is True:
        yield "events", [*({} for _ in range(N_PARTS)), END_OF_STREAM]
        return
    form = _asked_form(request)
    if form is None:
        return
    yield form, _body_in(form, rng)
    if form == "events":
        yield form, [{"event": taint_marker(rng), "data": {}} for _ in range(N_PARTS)]


def _in_file(request: ExternalRequest, rng: Random) -> Iterator[tuple[BodyForm, Json]]:
    """Yields what a compressed file may hold, if the path ends like that of one (`2026-01.csv.gz`)."""
    name, _, ending = request.path.rpartition("/")[2].rpartition(".")
    if ending.lower() not in ("gz", "gzip"):
        return
    inner = name.rpartition(".")[2].lower()
    forms: tuple[BodyForm, ...] = (_ENDINGS[inner],) if inner in _ENDINGS else ("json", "lines", "text")
    for form in forms:
        yield form, _body_in(form, rng)


def _body_in(form: BodyForm, rng: Random) -> Json:
    row: Json = {taint_marker(rng): taint_marker(rng) for _ in range(2)}
    bodies: dict[BodyForm, Json] = {
        "json": {},
        "xml": {"root": {}},
        "text": taint_marker(rng),
        "lines": [{} for _ in range(N_PARTS)],
        "events": [{} for _ in range(N_PARTS)],
    }
    return bodies.get(form, [row])


def _asked_form(request: ExternalRequest) -> BodyForm | None:
    accepted = request.header("accept")
    types = [one.partition(";")[0].strip().lower() for one in accepted.split(",")]
    if types[0].endswith(("/json", "+json")):
        return None
    asked = [form for one in types for pattern, form in _ASKED if pattern.search(one)]
    ending = request.path.rpartition("/")[2].rpartition(".")
    return next(iter(asked), _ENDINGS.get(ending[2].lower()) if ending[0] else None)


def _answers(request: ExternalRequest, rng: Random) -> Iterator[tuple[int, Json]]:
    if request.method == "GET":
        yield from _of_identity(request)
        return
    sent = _sent(request)
    yield from queue_answers(request, sent, rng)
    if refused := refused_by_table(request):
        yield 400, refused
    if isinstance(query := sent.get("query"), str):
        yield from _of_graphql(query, str(sent.get("operationName") or ""), rng)
    elif isinstance(sent.get("grant_type"), str):
        yield from _tokens(request, sent, rng)
        yield 400, {"error": "invalid_grant", "error_description": "error-description"}


def _xml_answers(request: ExternalRequest) -> Iterator[tuple[int, Json]]:
    """Those to clients of AWS, unless they send JSON: their services of REST (S3) and of queries answer in XML."""
    names = {name.lower() for name, _ in request.headers}
    if "amz-sdk-invocation-id" in names and "x-amz-target" not in names:
        yield 200, {"root": {}}
        yield 404, {"Error": {"Code": "error-code", "Message": "error-message"}}


def _of_graphql(query: str, operation: str, rng: Random) -> Iterator[tuple[int, Json]]:
    from wimble.spec.graphql.selected_fields import answer_shapes  # with it graphql-core, which few runs need

    shapes = answer_shapes(query, operation, partial(taint_marker, rng))
    for data in shapes:
        yield 200, {"data": data}
    if shapes:
        error: Json = {"message": "error-message", "extensions": {"code": "error-code"}}
        yield 200, {"data": None, "errors": [error]}


def _token(sent: dict[str, Json], rng: Random) -> dict[str, Json]:
    """RFC 6749, 5.1."""
    token: dict[str, Json] = {"access_token": taint_marker(rng), "token_type": "Bearer", "expires_in": EXPIRES_S}
    if sent["grant_type"] != "client_credentials":
        token["refresh_token"] = taint_marker(rng)
    return token | ({"scope": sent["scope"]} if "scope" in sent else {})


def _tokens(request: ExternalRequest, sent: dict[str, Json], rng: Random) -> Iterator[tuple[int, Json]]:
    """Yields what a server of OAuth 2.0 issues; for a user, with an ID token that our public keys show to be right."""
    token = _token(sent, rng)
    yield 200, token
    if sent["grant_type"] != "client_credentials" or "openid" in str(sent.get("scope", "")).split():
        audience = {"aud": sent["client_id"]} if "client_id" in sent else {}
        yield 200, token | {"id_token": issued_token(rng, iss=shown_origin(request.origin), **audience)}


def _of_identity(request: ExternalRequest) -> Iterator[tuple[int, Json]]:
    if _DISCOVERY.search(request.path):
        issuer = shown_origin(request.origin) + request.path.partition("/.well-known/")[0]
        yield (
            200,
            {
                "issuer": issuer,
                "authorization_endpoint": f"{issuer}/authorize",
                "token_endpoint": f"{issuer}/token",
                "userinfo_endpoint": f"{issuer}/userinfo",
                "jwks_uri": f"{issuer}/jwks",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": list(OWN_KEYS),
            },
        )
    elif _asks_for_keys(request):
        yield 200, {"keys": []}


def _asks_for_keys(request: ExternalRequest) -> bool:
    return request.method == "GET" and _KEY_SET.search(request.path) is not None


def _sent(request: ExternalRequest) -> dict[str, Json]:
    """Returns the members of the request's body: of an object in JSON, or of a form."""
    if request.body.lstrip().startswith("{"):
        try:
            sent = json.loads(request.body)
        except ValueError:
            return {}
        return sent if isinstance(sent, dict) else {}
    types = [value for name, value in request.headers if name.lower() == "content-type"]
    if not any(one.startswith("application/x-www-form-urlencoded") for one in types):
        return {}
    return {name: values[0] for name, values in parse_qs(request.body).items()}
