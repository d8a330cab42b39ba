"""Credentials that the SUT gives to users of the search stay in answers, and out of all output."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from wimble.execute.http.authentication import Authenticator
from wimble.execute.http.token_signing import TokenSigner, signed_token
from wimble.execute.sut.black_box_sut import BlackBoxSut
from wimble.http.binding import http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.learnt_secrets import LearntSecrets
from wimble.model.hints import ComparisonHint, KeyHint, TokenKeyHint
from wimble.model.testcase import Call, TestCase
from wimble.own_keys import own_token
from wimble.runtimes.node.node_runtime import NODE
from wimble.settings import Settings
from wimble.types import OperationId, TargetId
from wimble.users import Secrets

JWT = signed_token({"sub": 1}, "HS256", b"s")
OPAQUE = "9f2c4b6d8e0a1c3e5f7a"
SESSION = "s%3AJ0kzRtYh2QwErTyUi.pLmNo3+bVc/Xz1As"


def answered(response, *, is_entrance=False, request=None):
    secrets = Secrets()
    request = request or HttpRequest("POST", "/login")
    answer = Authenticator((), secrets).take_in(request, "POST /login", response, is_entrance=is_entrance)
    assert answer == response
    return secrets


def json_answer(body, *headers, status=200):
    return HttpResponse(status, (("content-type", "application/json"), *headers), json.dumps(body).encode())


@pytest.mark.parametrize(
    ("response", "credential"),
    [
        (json_answer({"data": {"accessToken": OPAQUE}}), OPAQUE),
        (json_answer({"any": JWT}), JWT),
        (json_answer({"error": f"bad token {JWT}"}, status=401), JWT),
        (json_answer({}, ("set-cookie", f"connect.sid={SESSION}; Path=/; HttpOnly")), SESSION),
        (json_answer({}, ("x-auth-token", OPAQUE)), OPAQUE),
    ],
)
def test_what_an_answer_gives_is_in_no_output(response, credential):
    secrets = answered(response)
    for text in (credential, f"a={credential}", f'{{"a":"{credential[:-3]}"}}'):
        shown = secrets.redact(text)
        assert "***" in shown
        assert credential[-14:-3] not in shown
    assert credential.encode() not in secrets.redact_bytes(f"log: {credential}".encode())


def test_a_plain_token_is_hidden_if_a_login_gives_it():
    body = {"token": "session-of-bo", "id": "user-of-bo", "name": "Bo-and-others"}
    secrets = answered(json_answer(body), is_entrance=True)
    assert secrets.redact("session-of-bo for user-of-bo, Bo-and-others") == "*** for user-of-bo, Bo-and-others"
    assert answered(json_answer(body)).redact("session-of-bo") == "session-of-bo"


def test_names_words_and_what_the_client_has_sent_are_no_credentials():
    request = HttpRequest("POST", "/keys", (), b'{"token":"mAde4pByTheClient"}')
    secrets = answered(json_answer({"token": "mAde4pByTheClient", "key": "administrator"}), request=request)
    assert secrets.redact("mAde4pByTheClient administrator") == "mAde4pByTheClient administrator"


def kept_key(secret):
    secrets = Secrets()
    hint = TokenKeyHint(target=TargetId(1), call=0, key="0" * 16, algorithm="HS256", secret=secret)
    TokenSigner(secrets).kept(hint)
    return secrets


@pytest.mark.parametrize("secret", ["shhh", "secret", "password"])
def test_a_secret_that_is_a_word_is_hidden_where_it_is_a_value(secret):
    secrets = kept_key(secret)
    text = f'{{"{secret}": "the {secret}", "a": "{secret}", "b": "{{\\"c\\":\\"{secret}\\"}}"}}'
    shown = json.loads(secrets.redact(text))
    assert shown == {secret: f"the {secret}", "a": "***", "b": '{"c":"***"}'}
    assert secrets.redact(f"a={secret}&b=1") == "a=***&b=1"
    assert secrets.redact(f"const key = '{secret}';") == "const key = '***';"


def test_another_secret_is_hidden_everywhere():
    assert kept_key("correct horse").redact("my correct horse is") == "my *** is"


class _Login(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(204)
        self.send_header("Set-Cookie", f"sid={OPAQUE}; HttpOnly")
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.mark.parametrize("at_once", [None, 0])
def test_a_session_is_in_no_output_though_the_user_has_named_nobody(at_once):
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Login)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    secrets = Secrets()
    sut = BlackBoxSut(Settings(url=f"http://127.0.0.1:{server.server_port}", secrets=secrets), runtime=NODE)
    call = Call(http_operation(id=OperationId("GET /in"), method="GET", path="/in"), ())
    try:
        sut.evaluate(TestCase((call, call), at_once=at_once))
    finally:
        sut.stop()
        server.shutdown()
        server.server_close()
    assert secrets.redact(f"Cookie: sid={OPAQUE}") == "Cookie: sid=***"


def test_a_session_of_another_test_case_is_no_value_to_write_into_an_input():
    secrets = Secrets()
    auth = Authenticator((), secrets)
    login = HttpRequest("POST", "/login")
    other, own = OPAQUE[::-1], OPAQUE
    answers = [
        json_answer({}, ("set-cookie", f"{name}; Path=/")) for name in (f"sid={other}", f"sid={own}", "l=german")
    ]
    for answer in answers:
        auth.take_in(login, "POST /login", answer)
    keys = [KeyHint(target=TargetId(1), call=1, key="x", other=key) for key in (other, own, "german")]
    compared = [
        ComparisonHint(target=TargetId(1), call=1, operator="identical", left="x", right=right, wanted=True)
        for right in (other, own)
    ]
    seen = http_observation(0, login, answers[1])
    assert auth.signer.without_secrets([*keys, *compared], [seen]) == (keys[1], keys[2], compared[1])
    assert auth.signer.without_secrets([*keys, *compared]) == (keys[2],)


def test_tokens_that_are_signed_with_our_own_keys_open_nothing_and_stay():
    learnt, token = LearntSecrets(), own_token({"sub": "a"}, "RS256")
    learnt.add(token, is_credential=True)
    assert learnt.redact(f"id_token: '{token}'") == f"id_token: '{token}'"
