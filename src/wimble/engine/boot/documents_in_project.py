"""Finds API descriptions among the files of the SUT's project."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from wimble.engine.boot.read_document import Overlay, read_file, specification_of
from wimble.errors import SchemaError
from wimble.model.operation import Specification
from wimble.spec.loading.discovery import find_schema_files, looks_like_openapi
from wimble.spec.loading.document_text import load_text

MAX_FILES: Final = 30
"""Maximum number of files that are read: a folder of test data may hold thousands of documents."""


def documents_in_project(
    project_dir: Path, refused: list[str], overlays: tuple[Overlay, ...] = ()
) -> list[Specification]:
    """Returns the usable documents, likeliest first, without those that add no operation.

    Adds to `refused` why others are unusable.
    """
    found: list[Specification] = []
    known: set[str] = set()
    for file in find_schema_files(project_dir)[:MAX_FILES]:
        try:
            document = load_text(file.read_bytes(), str(file))
            if not looks_like_openapi(document):
                refused.append(f"{file}: not an OpenAPI document")
                continue
            specification = specification_of(document, str(file), read=read_file, overlays=overlays)
        except (SchemaError, OSError) as error:
            refused.append(f"{file}: {error}")
            continue
        ids = {operation.id for operation in specification.operations}
        if not ids <= known:
            known |= ids
            found.append(specification)
    return found
