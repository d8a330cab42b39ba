"""Evaluations made by hand."""

import json
from types import SimpleNamespace

import pytest

from wimble.model.evaluation import Cause, Crash, Evaluation, Observation
from wimble.model.http import HttpRequest, HttpResponse
from wimble.model.operation import Operation, ResponseSpec
from wimble.model.testcase import Call, TestCase
from wimble.oracles import Judge


def operation(method="GET", path="/things", responses=None):
    """`responses`: {status: {media type: schema or None}}."""
    specs = tuple(
        ResponseSpec(status=status, content=tuple(content.items())) for status, content in (responses or {}).items()
    )
    return Operation(id=f"{method} {path}", method=method, path=path, responses=specs)


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
        request = more[1] if len(more) > 1 else HttpRequest(op.method, op.path)
        is_response = isinstance(outcome, HttpResponse)
        observations.append(
            Observation(
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
