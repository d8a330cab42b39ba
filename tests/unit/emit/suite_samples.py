"""Suites built by hand, and the small server that they speak to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from wimble.genes.fixed import ConstantGene
from wimble.genes.reference import ReferenceGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import CallFailure, HttpRequest, HttpResponse
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause
from wimble.model.operation import Operation
from wimble.model.suite import BodyCheck, Suite, SutStart, TestKind, VerifiedCall, VerifiedTest
from wimble.model.testcase import Call, TestCase
from wimble.types import Json, OperationId

SERVER = r"""
const http = require('node:http');
const books = new Map();
const server = http.createServer((req, res) => {
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    const body = Buffer.concat(chunks);
    const send = (status, value, headers = {}) => {
      res.writeHead(status, { 'content-type': 'application/json', ...headers });
      res.end(JSON.stringify(value));
    };
    if (req.url === '/die') process.exit(3);
    if (req.url === '/hang') return;
    if (req.url === '/break') return req.socket.destroy();
    if (req.url === '/noise') return req.socket.end('this is not HTTP\r\n\r\n');
    if (req.url === '/block') { for (;;); }
    if (req.url.startsWith('/echo')) {
      return send(200, { method: req.method, url: req.url, body: body.toString('hex'), tag: req.headers['x-tag'] ?? null });
    }
    if (req.url === '/books' && req.method === 'POST') {
      let book;
      try { book = JSON.parse(body); } catch { return send(400, { error: 'not JSON' }); }
      if (book.title === null) return send(500, { error: 'Cannot read properties of null' });
      const id = books.size + 1;
      books.set(String(id), book);
      return send(201, { id, slug: 'b/' + id, title: book.title, tags: [] }, { location: '/books/' + id });
    }
    if (req.url === '/books') return send(200, [...books.values()]);
    const match = /^\/books\/(\d+)$/.exec(req.url);
    if (match && books.has(match[1])) return send(200, { id: Number(match[1]), ...books.get(match[1]) });
    if (req.url === '/tags') {
      const tags = [{ name: 'a', uses: 1, by: { id: 1 } }, { name: 'b', uses: 2, by: { id: 1 } }, [1], 'x', null, {}, true];
      return send(200, tags.sort(() => Math.random() - 0.5));
    }
    if (req.url === '/teapot') { res.writeHead(418, { 'content-type': 'text/plain' }); return res.end("I'm a \"teapot\"\u2028\n"); }
    send(404, { error: 'no such thing' });
  });
});
server.listen(Number(process.env.PORT ?? PORT_OF_TEST), '127.0.0.1', () => console.log('ready'));
"""


def operation(method: str, path: str, *inputs: HttpInput) -> Operation:
    return http_operation(id=OperationId(f"{method} {path}"), method=method, path=path, inputs=inputs)


def answer(status: int, value: Json, **headers: str) -> HttpResponse:
    pairs = (("content-type", "application/json"), *headers.items())
    return HttpResponse(status, pairs, json.dumps(value, separators=(",", ":")).encode())


def json_request(method: str, target: str, value: Json) -> HttpRequest:
    body = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
    return HttpRequest(method, target, (("Accept", "*/*"), ("Content-Type", "application/json")), body)


def whole(value: Json, pointer: tuple[str | int, ...] = ()) -> list[BodyCheck]:
    """The checks that verification makes of a body that never changes."""
    if isinstance(value, dict) and value:
        return [check for key, item in value.items() for check in whole(item, (*pointer, key))]
    if isinstance(value, list) and value:
        inner = [check for index, item in enumerate(value) for check in whole(item, (*pointer, index))]
        return [BodyCheck(pointer, "length", len(value)), *inner]
    return [BodyCheck(pointer, "equals", value)]


def one_call(
    name: str,
    request: HttpRequest,
    response: HttpResponse | None,
    *,
    kind: TestKind = "other",
    checks: tuple[BodyCheck, ...] | None = None,
    failure: CallFailure | None = None,
    findings: tuple[Finding, ...] = (),
    reason: str = "",
) -> VerifiedTest:
    if checks is None:
        checks = tuple(whole(response.json())) if response is not None else ()
    observation = http_observation(call_index=0, request=request, response=response, failure=failure)
    path = request.target.split("?")[0]
    return VerifiedTest(
        name=name,
        kind=kind,
        test_case=TestCase((Call(operation(request.method, path), ()),)),
        calls=(VerifiedCall(observation=observation, checks=checks),),
        findings=findings,
        reason=reason,
    )


def finding(oracle: str, title: str, *, status: int | None, project: Path, call_index: int = 0) -> Finding:
    return Finding(
        oracle=oracle,
        key=(oracle, "server.js", "19"),
        operation="POST /books",
        status=status,
        title=title,
        observed="status 500",
        expected="a status below 500: whatever the input, the server must not fail",
        cause=Cause(
            file=str(project / "server.js"),
            line=19,
            message="TypeError: Cannot read properties of null",
            stack="TypeError\n at x",
        ),
        call_index=call_index,
    )


def suite_of(
    tests: list[VerifiedTest],
    project: Path,
    port: int,
    *,
    is_port_fixed: bool = True,
    data_files: tuple[str, ...] = (),
    packages: tuple[str, ...] = ("superagent",),
) -> Suite:
    start = SutStart(
        command=("node", "server.js"),
        working_dir=str(project),
        base_url=f"http://127.0.0.1:{port}",
        is_port_fixed=is_port_fixed,
        data_files=data_files,
        port_variables={"PORT": str(port) if is_port_fixed else None},
    )
    return Suite(tests=tuple(tests), start=start, seed=42, title="Bookshop", packages=packages)


def sample_tests(project: Path) -> list[VerifiedTest]:
    """Faults, successes and others; each is true of SERVER."""
    return [
        one_call(
            "POST /books answers 500: Cannot read properties of null",
            json_request("POST", "/books", {"title": None}),
            answer(500, {"error": "Cannot read properties of null"}),
            kind="fault",
            findings=(
                finding(
                    "server-error",
                    "POST /books answers 500: TypeError: Cannot read properties of null",
                    status=500,
                    project=project,
                ),
            ),
        ),
        one_call(
            "GET /die ends the process",
            HttpRequest("GET", "/die", (("Accept", "*/*"),)),
            None,
            kind="fault",
            failure="connection-lost",
            findings=(finding("process-died", "GET /die ends the SUT with exit code 3", status=None, project=project),),
        ),
        one_call(
            "GET /block blocks the event loop", HttpRequest("GET", "/block"), None, kind="fault", failure="blocked"
        ),
        one_call("GET /hang is never answered", HttpRequest("GET", "/hang"), None, kind="fault", failure="timeout"),
        one_call(
            "GET /break closes the connection",
            HttpRequest("GET", "/break"),
            None,
            kind="fault",
            failure="connection-lost",
        ),
        one_call(
            "GET /noise answers no HTTP", HttpRequest("GET", "/noise"), None, kind="fault", failure="malformed-response"
        ),
        create_and_read(),
        one_call(
            "GET /books answers 200 with no books",
            HttpRequest("GET", "/books", (("Accept", "*/*"),)),
            answer(200, []),
            kind="success",
        ),
        one_call(
            "GET /teapot answers 418",
            HttpRequest("GET", "/teapot"),
            HttpResponse(418, (("content-type", "text/plain"),), 'I\'m a "teapot"\u2028\n'.encode()),
            checks=(BodyCheck((), "text", 'I\'m a "teapot"\u2028\n'),),
        ),
        in_any_order(
            "GET /tags answers 200", ({"name": "b", "by": {"id": 1}}, {"name": "a"}, [1], "x", None, {}, True)
        ),
        one_call(
            "POST /books without JSON answers 400",
            HttpRequest("POST", "/books", (("Content-Type", "application/json"),), b'{"title":1e400,'),
            answer(400, {"error": "not JSON"}),
        ),
    ]


def in_any_order(name: str, parts: Sequence[Json]) -> VerifiedTest:
    """What SERVER's list of seven tags holds."""
    checks = (BodyCheck((), "length", 7), *(BodyCheck((), "holds", part) for part in parts))
    return one_call(name, HttpRequest("GET", "/tags"), answer(200, []), checks=checks)


def counted_creations() -> list[VerifiedTest]:
    """Ids tell which test ran on which start: two share one, two have one each; the same in another file."""
    tests = []
    for kind, path in (("success", "/books"), ("other", "/books")):
        for number, (book_id, shares_start) in enumerate([(1, True), (2, True), (1, False), (1, False)]):
            created = answer(201, {"id": book_id, "slug": f"b/{book_id}", "title": "Emma", "tags": []})
            test = one_call(f"creation {number} of {kind}", json_request("POST", path, {"title": "Emma"}), created)
            test.kind, test.shares_start = kind, shares_start
            tests.append(test)
    return tests


def create_and_read() -> VerifiedTest:
    """Creates a book and reads it by the id of the answer, in path, query and body."""
    created = answer(201, {"id": 1, "slug": "b/1", "title": "Emma", "tags": []}, location="/books/1")
    by_id = HttpInput(name="id", location="path", required=True, template=ReferenceGene(0, "/id", ConstantGene(7)))
    by_location = HttpInput(
        name="id", location="path", required=True, template=ReferenceGene(0, "header:location", ConstantGene("7"))
    )
    by_slug = HttpInput(name="slug", location="query", template=ReferenceGene(0, "/slug", ConstantGene("x")))
    create = operation("POST", "/books")
    calls = (
        Call(create, ()),
        Call(operation("GET", "/books/{id}", by_id), (by_id.template,)),
        Call(operation("GET", "/books/{id}", by_location), (by_location.template,)),
        Call(operation("GET", "/echo", by_slug), (by_slug.template,)),
    )
    read = answer(200, {"id": 1, "title": "Emma"})
    accept = (("Accept", "*/*"),)
    exchanges = (
        (json_request("POST", "/books", {"title": "Emma"}), created, whole(created.json())),
        (HttpRequest("GET", "/books/1", accept), read, whole(read.json())),
        (HttpRequest("GET", "/books/1", accept), read, [BodyCheck(("title",), "equals", "Emma")]),
        (
            HttpRequest("GET", "/echo?slug=b%2F1", accept),
            answer(200, {"method": "GET", "url": "/echo?slug=b%2F1", "body": "", "tag": None}),
            [BodyCheck(("url",), "equals", "/echo?slug=b%2F1")],
        ),
    )
    return VerifiedTest(
        name="POST /books then GET /books/{id} answers 200",
        kind="success",
        test_case=TestCase(calls),
        calls=tuple(
            VerifiedCall(
                observation=http_observation(call_index=index, request=request, response=response),
                checks=tuple(checks),
            )
            for index, (request, response, checks) in enumerate(exchanges)
        ),
        reason="GET /books/{id} answers 200",
    )


NASTY_TEXTS = (
    "plain",
    "'single' \"double\" `back` ${x} \\ \\u0041 */ //",
    "line\nbreak\ttab\rreturn",
    "\u2028\u2029\u0085\u200b\ufeff",
    "emoji \U0001f600 and ünïcödé",
    "\x00\x01\x1f\x7f",
    "</script>{{ x }}{% y %}#{z}%s{0}",
)


def nasty_tests() -> list[VerifiedTest]:
    """What the echo service must receive byte for byte."""
    tests: list[VerifiedTest] = []
    bodies = [text.encode() for text in NASTY_TEXTS]
    bodies += [
        b"\xff\xfe\x00binary",
        b"",
        json.dumps({"a\u2028'\"`${": list(NASTY_TEXTS)}, ensure_ascii=False).encode(),
    ]
    bodies += [
        b'{"1":1.0,"0":12345678901234567890,"__proto__":{"x":-0.0},"a":"\\ud800"}',
        b'{"__proto__":{"x":1}}',
        b"[1e400,1E5]",
    ]
    tests += [
        _echo(f"echo body {number} as {media_type}", "POST", "/echo", body, (("Content-Type", media_type),))
        for number, body in enumerate(bodies)
        for media_type in ("application/json", "text/plain")
    ]
    targets = (
        "/echo/a/../b/./c",
        "/echo//x",
        "/echo/%2e%2e/x",
        "/echo?a='b'&c=[1]{2}|^",
        "/echo?",
        "/echo/%00%F0%9F%98%80",
    )
    tests += [_echo(f"echo target {target}", "GET", target, None, ()) for target in targets]
    tests.append(
        _echo(
            "echo header",
            "PUT",
            "/echo",
            None,
            (("X-Tag", "caf\xe9 'q' \"d\" \\ ${x}"),),
            tag="caf\xe9 'q' \"d\" \\ ${x}",
        )
    )
    tests.append(_echo("echo header twice", "GET", "/echo", None, (("X-Tag", "a"), ("X-Tag", "b")), tag="a, b"))
    tests += [
        _echo(f"name {text!r} \ud800", "DELETE", "/echo", b"x", (("Content-Type", "text/plain"),))
        for text in NASTY_TEXTS
    ]
    tests += [
        _echo(name, "GET", "/echo", None, ())
        for name in ("", "123", "!!!", "class", "a-b", "a b", "x'); process.exit(1); //")
    ]
    return tests


def _echo(
    name: str,
    method: str,
    target: str,
    body: bytes | None,
    headers: tuple[tuple[str, str], ...],
    *,
    tag: str | None = None,
) -> VerifiedTest:
    response = answer(200, {"method": method, "url": target, "body": (body or b"").hex(), "tag": tag})
    return one_call(name, HttpRequest(method, target, (("Accept", "*/*"), *headers), body), response, reason=name)
