"""Authentication files of Web Fuzzing Commons, in the words of its schema's versions."""

import json

import pytest

from wimble.config.wfc import read_wfc_file
from wimble.errors import UsageError
from wimble.execute.http.authentication import login_request
from wimble.users import Secrets

ENDPOINT = """
  loginEndpointAuth:
    endpoint: /login
    verb: POST
    contentType: application/json
"""
USER = """
auth:
  - name: ann
    loginEndpointAuth:
      endpoint: null
      payloadUserPwd: { username: ann, password: "${PW}", usernameField: user, passwordField: pass }
"""


def read(tmp_path, text, name="auth.yaml"):
    (tmp_path / name).write_text(text)
    secrets = Secrets()
    return read_wfc_file(tmp_path / name, secrets, {"PW": "s3cret-word"}), secrets


def with_token(token):
    return f"authTemplate:{ENDPOINT}    token: {token}\n{USER}"


@pytest.mark.parametrize(
    ("token", "source", "headers", "query"),
    [
        (
            '{ extractFromField: /a/t, httpHeaderName: Authorization, headerPrefix: "JWT " }',
            ("/a/t", ""),
            (("Authorization", "JWT {token}"),),
            (),
        ),
        (
            '{ extractFromHeader: X-Auth-Token, httpHeaderName: X-Key, headerPrefix: "t=\'", headerPostfix: "\'" }',
            ("", "x-auth-token"),
            (("X-Key", "t='{token}'"),),
            (),
        ),
        (
            '{ extractFrom: body, extractSelector: /a/t, sendIn: header, sendName: X-Key, sendTemplate: "T {token}" }',
            ("/a/t", ""),
            (("X-Key", "T {token}"),),
            (),
        ),
        (
            "{ extractFrom: header, extractSelector: X-Auth-Token, sendIn: query, sendName: key }",
            ("", "x-auth-token"),
            (),
            (("key", "{token}"),),
        ),
    ],
)
def test_tokens_in_the_words_of_both_versions(tmp_path, token, source, headers, query):
    ((user,), secrets) = read(tmp_path, with_token(token))
    assert (user.login.token, user.login.token_header) == source
    assert (user.headers, user.query) == (headers, query)
    request = login_request(user.login, user.login.url, secrets)
    assert (request.method, request.target) == ("POST", "/login"), "a null in a user's entry leaves the template's"
    assert json.loads(request.body) == {"user": "ann", "pass": "s3cret-word"}


def test_fixed_headers_cookies_forms_and_other_servers(tmp_path):
    text = """
configs: { maxTime: 5m }
auth:
  - name: fixed
    fixedHeaders: [{ name: Authorization, value: static-token }]
  - name: form
    loginEndpointAuth:
      externalEndpointURL: https://id.example.org/login
      verb: POST
      contentType: application/x-www-form-urlencoded
      expectCookies: true
      payloadUserPwd: { username: a b, password: "${PW}", usernameField: u, passwordField: p }
"""
    ((fixed, form), secrets) = read(tmp_path, text)
    assert [name for name, _ in fixed.headers] == ["Authorization"]
    assert secrets.expand(fixed.headers[0][1]) == "static-token"
    assert (form.login.url, form.login.cookies) == ("https://id.example.org/login", True)
    assert login_request(form.login, "/login", secrets).body == b"u=a+b&p=s3cret-word"


def test_toml_is_read_too(tmp_path):
    text = """
[[auth]]
name = "ann"
[auth.loginEndpointAuth]
endpoint = "/login"
verb = "GET"
payloadRaw = "{}"
contentType = "application/json"
expectCookies = true
"""
    ((user,), secrets) = read(tmp_path, text, "auth.toml")
    request = login_request(user.login, "/login", secrets)
    assert (request.method, request.body) == ("GET", b"{}")


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("{ extractFromFild: /a }", "unknown key"),
        ("{ extractFrom: body, extractSelector: /a, sendIn: cookie, sendName: k }", "`header` or `query` is expected"),
        ('{ extractFromField: /a, sendTemplate: "Bearer {}" }', "{token} in it is expected"),
        ("{ httpHeaderName: X }", "`extractFromField` is missing"),
    ],
)
def test_what_is_wrong_is_told(tmp_path, token, said):
    with pytest.raises(UsageError) as raised:
        read(tmp_path, with_token(token))
    assert said in raised.value.what
