"""`wimble.toml`: what it says, and what is said about what is wrong in it."""

import pytest

from wimble.config.project_file import read_project_file
from wimble.errors import UsageError
from wimble.execute.http.authentication import Authenticator
from wimble.http.curl import curl_command
from wimble.http.http_messages import HttpRequest

ENVIRONMENT = {"KEY": "key-s3cret", "PW": "pass-s3cret"}


def read(tmp_path, text):
    (tmp_path / "wimble.toml").write_text(text)
    return read_project_file(None, tmp_path, ENVIRONMENT)


def sent(file, request=None):
    request = request or HttpRequest("GET", "/me?a=1", (("Cookie", "own=1"), ("Authorization", "guessed")), None, "u")
    return Authenticator(file.users, file.secrets).signed(request)


@pytest.mark.parametrize(
    ("kind", "target", "header"),
    [
        ('headers = { X-Who = "${KEY}" }', "/me?a=1", ("X-Who", "key-s3cret")),
        ('bearer = "${KEY}"', "/me?a=1", ("Authorization", "Bearer key-s3cret")),
        (
            'basic = { username = "ann", password = "${PW}" }',
            "/me?a=1",
            ("Authorization", "Basic YW5uOnBhc3MtczNjcmV0"),
        ),
        ('api_key = { name = "X-Key", value = "${KEY}" }', "/me?a=1", ("X-Key", "key-s3cret")),
        ('api_key = { in = "query", name = "k", value = "${KEY}" }', "/me?a=1&k=key-s3cret", None),
        ('api_key = { in = "cookie", name = "k", value = "${KEY}" }', "/me?a=1", ("Cookie", "own=1; k=key-s3cret")),
        ('cookies = { sid = "${KEY}" }', "/me?a=1", ("Cookie", "own=1; sid=key-s3cret")),
    ],
)
def test_each_kind_of_credentials_is_sent_and_no_recipe_or_command_holds_it(tmp_path, kind, target, header):
    file = read(tmp_path, f'[[auth]]\nname = "u"\n{kind}\n')
    request = sent(file)
    assert request.target == target
    assert header is None or header in request.headers
    names = [name for name, _ in request.headers]
    assert len(set(names)) == len(names)
    command = curl_command(HttpRequest("GET", "/me", (), None, "u"), "http://h", file.users)
    assert "${" in command
    assert "s3cret" not in repr(file.users) + repr(file.secrets) + command


@pytest.mark.parametrize(
    ("text", "slug", "where", "said"),
    [
        ("[run]\nsede = 3\n", "config-unknown-key", "wimble.toml:2", "run.sede"),
        ("[run]\nseed = 'x'\n", "config-bad-value", "wimble.toml:2", "a whole number is expected, found text"),
        ("[rum]\n", "config-unknown-key", "wimble.toml:1", "rum"),
        ("a = = 3\n", "config-not-toml", "wimble.toml", "line"),
        ('[[auth]]\nname = "u"\n', "config-missing-key", "wimble.toml:1", "has no credentials"),
        ('[[auth]]\nname = "u"\nbearer = "${NO}"\n', "auth-variable-missing", "wimble.toml:1", "NO is not set"),
        ('[[auth]]\nname = "u"\nbearer = 3\n', "config-bad-value", "wimble.toml:3", "text is expected"),
        (
            '[[auth]]\nname = "u"\nlogin = { path = "/l" }\n',
            "config-missing-key",
            "wimble.toml:3",
            "source of the token",
        ),
        (
            '[[auth]]\nname = "u"\nbearer = "e30.eyJleHAiOjF9.abc"\n',
            "auth-token-expired",
            "wimble.toml:1",
            "expired at",
        ),
        ('auth_file = "none.yaml"\n', "auth-file-unreadable", "none.yaml", "cannot be read"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path, text, slug, where, said):
    with pytest.raises(UsageError) as raised:
        read(tmp_path, text)
    assert raised.value.slug == slug
    assert raised.value.where.endswith(where)
    assert said in raised.value.what


def test_the_nearest_key_is_named(tmp_path):
    with pytest.raises(UsageError) as raised:
        read(tmp_path, '[[auth]]\nname = "u"\nbaerer = "x"\n')
    assert raised.value.hint == "Did you mean `bearer`?"


def test_secrets_are_found_in_every_form_and_when_cut_off(tmp_path):
    secrets = read(tmp_path, '[[auth]]\nname = "u"\nbearer = "${KEY}"\n').secrets
    secrets.hide('a"b&c d')
    secrets.hide("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4iLCJpZCI6MX0.c2lnbmF0dXJlc2lnbmF0dXJl")
    for text in (
        "key-s3cret",
        'a\\"b&c d',
        "a&quot;b&amp;c d",
        "a%22b%26c%20d",
        "a%22b%26c+d",
        "eyJzdWIiOiJhbm4iLC...",
    ):
        assert secrets.redact(f"<{text}>").startswith("<***"), text
    assert secrets.redact("nothing here, but eyJhbGciOiJIUzI1NiJ9") == "nothing here, but eyJhbGciOiJIUzI1NiJ9"


def test_what_only_the_user_knows_is_secret_in_the_body_of_a_login_whatever_its_field_is_called(tmp_path):
    text = """
[[auth]]
name = "u"
[auth.login]
path = "/login"
form = { u = "harmless-name", p = "s3cret-form", remember = "forever" }
headers = { Authorization = "Basic s3cret-head" }
token = "/t"
"""
    file = read(tmp_path, text)
    assert "s3cret" not in repr(file.users)
    assert (
        file.secrets.redact("s3cret-form s3cret-head forever harmless-name") == "*** s3cret-head forever harmless-name"
    )
    assert file.secrets.redact("Basic s3cret-head") == "***"


@pytest.mark.parametrize("body", ['{"user":"ann","password":"s3cret-raw"}', "user=ann&password=s3cret-raw"])
def test_values_within_a_raw_body_are_secrets_too(tmp_path, body):
    text = f'[[auth]]\nname = "u"\n[auth.login]\npath = "/login"\nbody = \'{body}\'\ntoken = "/t"\n'
    file = read(tmp_path, text)
    assert file.secrets.redact("ann has s3cret-raw") == "ann has ***"
    assert file.secrets.redact(body) == "***"
