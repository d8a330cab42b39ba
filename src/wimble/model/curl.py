"""A request as a curl command that can be pasted into any POSIX shell. Exact for all bytes."""

from __future__ import annotations

import shlex

from wimble.model.http import HttpRequest


def curl_command(request: HttpRequest, base_url: str) -> str:
    """One command that sends `request` to the SUT at `base_url` (scheme, host, port) and prints the whole answer.

    A body that a command line cannot hold (NUL, bytes that are not UTF-8) comes through `printf`.
    """
    words = ["curl", "-sS", "-i"]
    if request.method == "HEAD":
        words.append("--head")  # -X HEAD would wait for a body
    elif request.method != ("GET" if request.body is None else "POST"):
        words += ["-X", request.method]
    url = base_url.rstrip("/") + request.target
    if any(char in request.target for char in "[]{}"):
        words.append("--globoff")
    if "/." in request.target:
        words.append("--path-as-is")
    words.append(url)
    for name, value in request.headers:
        # curl leaves out a header that is empty, unless its name ends with a semicolon.
        words += ["-H", f"{name}: {value}" if value.strip() else f"{name};"]
    if request.body is None:
        return shlex.join(words)
    if not any(name.lower() == "content-type" for name, _ in request.headers):
        words += ["-H", "Content-Type:"]  # curl would add one of its own
    text = _command_line_text(request.body)
    if text is not None:
        # --data-raw takes a leading @ for what it is.
        return shlex.join([*words, "--data-raw", text])
    printf = "".join(f"\\{byte:03o}" for byte in request.body)
    return f"printf '{printf}' | {shlex.join([*words, '--data-binary', '@-'])}"


def _command_line_text(body: bytes) -> str | None:
    """The body as text, where it can stand in a command line."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if all(char.isprintable() or char in "\n\t" for char in text) else None
