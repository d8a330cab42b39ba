"""Credentials in the commands of reports: a person sees where they come from, or the shell signs them."""

import base64
import hmac
import json
import os
import shutil
import subprocess

import pytest

from wimble.genes.signed_token import mark_of
from wimble.http.curl_credentials import curl_commands, shown_request
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.suite import TokenKey

KEY = "0123456789abcdef"
CLAIMS = {"sub": 1, "role": "ad'min"}
TOKEN = "9f2c4b6d8e0a1c3e5f7a"


def commands_of(*exchanges, keys=None):
    observations = [http_observation(i, request, response) for i, (request, response) in enumerate(exchanges)]
    return curl_commands(observations, "http://h:1", (), (), keys or {})


def marked():
    return HttpRequest("GET", "/me", (("Authorization", f"Bearer {mark_of(KEY, CLAIMS)}"),))


def test_a_token_and_a_cookie_of_an_earlier_answer_are_variables():
    body = json.dumps({"data": {"token": TOKEN}}).encode()
    headers = (("content-type", "application/json"), ("set-cookie", "sid=abc123; Path=/"))
    login = HttpRequest("POST", "/login"), HttpResponse(200, headers, body)
    me = HttpRequest("GET", f"/me?t={TOKEN}", (("Authorization", f"Bearer {TOKEN}"), ("Cookie", "sid=abc123")))
    comments, commands = commands_of(login, (me, HttpResponse(200, (), b"")))
    assert comments == [
        "# TOKEN_1: /data/token in the answer to command 1",
        "# COOKIE_2: cookie sid in the answer to command 1",
    ]
    assert commands[1] == (
        """curl -sS -i 'http://h:1/me?t='"${TOKEN_1}" -H 'Authorization: Bearer '"${TOKEN_1}" """
        """-H 'Cookie: sid='"${COOKIE_2}\""""
    )


def test_claims_are_readable_in_reports():
    assert dict(shown_request(marked()).headers) == {
        "Authorization": 'Bearer JWT signed with {"sub": 1, "role": "ad\'min"}'
    }


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
@pytest.mark.parametrize("algorithm", ["HS256", "HS384", "HS512"])
@pytest.mark.parametrize("variable", ["NOTES_SECRET", ""])
def test_the_shell_signs_a_token_with_the_secret_in_the_variable(algorithm, variable):
    keys = {KEY: TokenKey(id=KEY, algorithm=algorithm, variable=variable)}
    (comment,), (command,) = commands_of((marked(), HttpResponse(200, (), b"")), keys=keys)
    name = variable or "TOKEN_SECRET"
    assert comment.startswith(f"# {name}: ")
    assert json.dumps(CLAIMS) in comment
    secret = 'it\'s "a" $ecret'
    words = command.replace("curl ", 'printf "%s\\n" ', 1)
    shell = subprocess.run(
        ["sh", "-c", words], env={"PATH": os.environ["PATH"], name: secret}, capture_output=True, text=True, check=True
    )
    signed, _, signature = shell.stdout.splitlines()[-1].removeprefix("Authorization: Bearer ").rpartition(".")
    digest = hmac.digest(secret.encode(), signed.encode(), f"sha{algorithm[2:]}")
    assert signature == base64.urlsafe_b64encode(digest).decode().rstrip("=")
    header, claims = (json.loads(base64.urlsafe_b64decode(part + "==")) for part in signed.split("."))
    assert (header, claims) == ({"alg": algorithm, "typ": "JWT"}, CLAIMS)
