"""Sampled requests, held against the document by a validator that others wrote: openapi-core.

It reads the bytes that are sent (path, query, headers, cookies, body), so styles and media types are checked as well.
"""

import warnings
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, urlsplit

import pytest
from openapi_core import OpenAPI
from openapi_core.datatypes import RequestParameters
from openapi_core.exceptions import OpenAPIError
from werkzeug.datastructures import Headers, ImmutableMultiDict

from wimble.genes import shares
from wimble.model.request import build_request
from wimble.model.testcase import Call
from wimble.spec.loading import load_file
from wimble.spec.openapi import load_openapi

DOCUMENTS = Path(__file__).parents[2] / "data" / "openapi"
CHECKED = ["constraints-3.1.yaml", "styles-3.0.yaml", "polymorphism-3.0.yaml"]
SAMPLES = 15


class Sent:
    """A request in the form that openapi-core takes."""

    def __init__(self, request):
        parts = urlsplit(request.target)
        headers = dict(request.headers)
        cookies = dict(pair.split("=", 1) for pair in headers.get("Cookie", "").split("; ") if pair)
        self.parameters = RequestParameters(
            query=ImmutableMultiDict(
                [
                    (name, value)
                    for name, values in parse_qs(parts.query, keep_blank_values=True).items()
                    for value in values
                ]
            ),
            header=Headers(list(headers.items())),
            cookie=ImmutableMultiDict(cookies),
        )
        self.host_url = "http://localhost"
        self.path = parts.path
        self.method = request.method.lower()
        self.content_type = headers.get("Content-Type", "")
        self.body = request.body


def problems(path):
    """(operation, what) of sampled requests that the validator refuses."""
    raw = load_file(path)
    specification = load_openapi(raw, str(path))
    raw["servers"] = [{"url": "http://localhost"}]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        validator = OpenAPI.from_dict(raw)
        rng = Random(1)
        for operation in specification.operations:
            for _ in range(SAMPLES):
                genes = tuple(one.template.sampled(rng) for one in operation.inputs)
                request = build_request(Call(operation, genes))
                try:
                    validator.validate_request(Sent(request))
                except OpenAPIError as error:
                    yield operation.id, f"{request.target} {request.body}: {error!r} {error.__cause__!r}"
                    break


@pytest.mark.parametrize("name", CHECKED)
def test_sampled_requests_are_valid(name, monkeypatch):
    monkeypatch.setattr(shares, "ODD_SHARE", 0.0)
    assert list(problems(DOCUMENTS / name)) == []
