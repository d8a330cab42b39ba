"""Evaluations made by hand."""

import json
from types import SimpleNamespace

import pytest

from wimble.http.binding import binding_of, http_operation
from wimble.http.declarations import ResponseSpec
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Crash, Evaluation
from wimble.model.observation import Cause
from wimble.model.testcase import Call, TestCase
from wimble.oracles import Judge


def operation(method="GET", path="/things", responses=None, inputs=()):
    """`responses`: {status: {media type: schema or None}}."""
    specs = tuple(
        ResponseSpec(status=status, content=tuple(content.items())) for status, content in (responses or {}).items()
    )
    return http_operation(id=f"{method} {path}", method=method, path=path, responses=specs, inputs=inputs)


def answer(status, body=b"", media_type="application/json", **headers):
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    named = [("content-type", media_type)] if media_type and body else []
    named += [(name.replace("_", "-"), value) for name, value in headers.items()]
    return HttpResponse(status, tuple(named), body)


def evaluation(*calls, crashes=()):
    """calls: (operation, response or failure[, cause[, request]])."""
    observations = []
    for index, (op, outcome, *more) in enumerate(calls):
        cause = more[0] if more else None
        request = more[1] if len(more) > 1 else HttpRequest(binding_of(op).method, binding_of(op).path)
        is_response = isinstance(outcome, HttpResponse)
        observations.append(
            http_observation(
                call_index=index,
                request=request,
                response=outcome if is_response else None,
                failure=None if is_response else outcome,
                cause=cause,
            )
        )
    return Evaluation(
        test_case=TestCase(tuple(Call(op, ()) for op, *_ in calls)),
        observations=tuple(observations),
        reached={},
        crashes=tuple(crashes),
    )


@pytest.fixture
def make():
    return SimpleNamespace(
        operation=operation, answer=answer, evaluation=evaluation, Cause=Cause, Crash=Crash, Request=HttpRequest
    )


@pytest.fixture
def judge():
    return Judge()
