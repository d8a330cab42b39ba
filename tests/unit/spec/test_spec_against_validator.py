"""Sampled requests, held against the document by a validator that others wrote: openapi-core.

It reads the bytes that are sent (path, query, headers, cookies, body), so styles and media types are checked as well.
"""

import os
import warnings
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from documents import for_the_validator
from openapi_core import Config, OpenAPI
from openapi_core.datatypes import RequestParameters
from openapi_core.exceptions import OpenAPIError
from validator_limits import is_beyond
from werkzeug.datastructures import Headers, ImmutableMultiDict

from wimble.errors import SchemaError
from wimble.genes import probabilities
from wimble.http.binding import binding_of
from wimble.http.request_building import build_request
from wimble.model.testcase import Call
from wimble.spec.loading.document_text import load_file
from wimble.spec.openapi.openapi_operations import load_openapi

DOCUMENTS = Path(__file__).parents[2] / "data" / "openapi"
CHECKED = ["constraints-3.1.yaml", "styles-3.0.yaml", "polymorphism-3.0.yaml", "shop-3.0.yaml", "tasks-2.0.json"]
CORPUS = os.environ.get("WIMBLE_OPENAPI_CORPUS", "")
SAMPLES = 15
CORPUS_SAMPLES = 5


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
        self.path = unquote(parts.path) if "%C3" in parts.path else parts.path  # its templates are not encoded
        self.method = request.method.lower()
        self.content_type = headers.get("Content-Type", "")
        self.body = request.body


def problems(path, samples):
    """(operation, what) of sampled requests that the validator refuses, where the document is not at fault by our
    warnings."""
    raw = load_file(path)
    specification = load_openapi(raw, str(path))
    validators = {}
    rng = Random(1)
    for operation in specification.operations:
        template = template_of(raw, operation)
        base = binding_of(operation).path.removesuffix(template)
        if base not in validators:
            validators[base] = OpenAPI.from_dict(for_the_validator(raw, base), config=Config(spec_validator_cls=None))
        for _ in range(samples):
            genes = tuple(one.template.sampled(rng) for one in operation.inputs)
            request = build_request(Call(operation, genes))
            try:
                validators[base].validate_request(Sent(request))
            except OpenAPIError as error:
                if is_beyond(operation, genes, error) or is_warned_of(specification, template):
                    continue
                yield operation.id, f"{request.target} {request.body}: {error!r} {error.__cause__!r}"
                break


def template_of(raw, operation):
    """The path as the document has it, without servers and base paths."""
    candidates = [path for path in raw.get("paths", {}) if binding_of(operation).path.endswith(path)]
    return max(candidates, key=len, default=binding_of(operation).path)


def is_warned_of(specification, template):
    """Whether a warning names the path, or a component (which any path may use)."""
    place = template.replace("~", "~0").replace("/", "~1")
    return any(f"#/paths/{place}" in warning or "#/components/" in warning for warning in specification.warnings)


@pytest.fixture(autouse=True)
def valid_and_unquoted(monkeypatch):
    """No deliberate violations; and no examples, whose faults are the document's."""
    monkeypatch.setattr(probabilities, "VIOLATION_PROBABILITY", 0.0)
    monkeypatch.setattr(probabilities, "SEED_PROBABILITY", 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("name", CHECKED)
def test_sampled_requests_are_valid(name):
    assert list(problems(DOCUMENTS / name, SAMPLES)) == []


@pytest.mark.skipif(not CORPUS, reason="WIMBLE_OPENAPI_CORPUS is not set")
def test_sampled_requests_of_real_documents_are_valid():
    found, n_checked, unusable = [], 0, []
    for path in sorted(Path(CORPUS).rglob("*")):
        if path.suffix not in (".json", ".yaml", ".yml"):
            continue
        try:
            found += [(path.name, *problem) for problem in problems(path, CORPUS_SAMPLES)]
            n_checked += 1
        except SchemaError:
            continue  # test_spec_corpus.py asks why
        except Exception as error:  # the validator itself: references that lead nowhere, unknown dialects
            unusable.append(f"{path.name}: {type(error).__name__}")
    print(f"{n_checked} documents checked, {len(unusable)} unusable for the validator: {', '.join(unusable)}")
    assert found == []
    assert n_checked > 100
    assert len(unusable) < n_checked / 10
