"""A certificate for `localhost` that only its own key has signed."""

from __future__ import annotations

import subprocess
from pathlib import Path


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Writes a certificate and its key, valid for two days, and returns their paths."""
    certificate, key = folder / "cert.pem", folder / "key.pem"
    kind = (
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    )
    command = ("openssl", "req", "-x509", *kind, "-keyout", str(key), "-out", str(certificate))
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key
