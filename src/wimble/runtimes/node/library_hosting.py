"""Installs npm packages as SUTs, and prepares the process that hosts one.

A package is installed without its install scripts, once per version, into wimble's cache. The process may read all
files, but writes only to a scratch folder and starts no other process: Node's permission model sees to it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from wimble.errors import UsageError
from wimble.library.usual_texts import usual_texts
from wimble.runtimes.node.library_choice import chosen_library
from wimble.runtimes.node.library_installation import declares_types, engine_note, installed_package
from wimble.runtimes.node.library_shapes import OBSERVER, observed_shapes, read_declarations, shown_documentation
from wimble.runtimes.node.node_agent import agent_dir
from wimble.runtimes.node.package_manifests import is_dual, library_manifest, library_parts
from wimble.runtimes.runtime import Declarations, HostedLibrary, LibraryRequest

HOST_FILE: Final = ".wimble-host.cjs"
HEAP_LIMIT: Final = "--max-old-space-size=1024"
"""In MiB: a library that needs more for small arguments is ended, before it takes the machine's memory."""
HOST_TEMPLATE: Final = "library-main.cjs"
ANSWER_LIMIT_S: Final = 20.0
MIN_MAJOR_WITH_FINAL_PERMISSION: Final = (22, 13)
PACKAGE: Final = re.compile(
    r"^(?P<name>(?:@[a-z0-9~-][\w.~-]*/)?[A-Za-z0-9~_-][\w.~-]*)(?:@(?P<version>[\w.^~*+<>=|-]+))?"
    r"(?:/(?P<part>[A-Za-z0-9_][\w.-]*(?:/[A-Za-z0-9_][\w.-]*)*))?$"
)
"""`part`: what the package exports by a path of its own, such as `sync` in csv-parse/sync."""
MAX_NAMED_PARTS: Final = 4
BUILT_IN: Final = frozenset(
    (
        "assert", "buffer", "child_process", "cluster", "console", "crypto", "dgram", "dns", "events", "fs", "http",
        "http2", "https", "module", "net", "os", "path", "perf_hooks", "process", "querystring", "readline", "stream",
        "timers", "tls", "tty", "url", "util", "v8", "vm", "worker_threads", "zlib",
    )
)  # fmt: skip
"""Modules of Node, which are no packages."""


def host_library(request: LibraryRequest) -> HostedLibrary:
    """Returns the library, installed if it is a package. Raises: UsageError."""
    path, note = chosen_library(request.target)
    try:
        hosted = _of_package(request) if path is None else _of_folder(path, request)
    except UsageError as error:
        if note:
            error.add_detail(note)
        raise
    return msgspec.structs.replace(hosted, notes=(note, *hosted.notes)) if note else hosted


# ---- a folder -------------------------------------------------------------------------------------------------------


def _of_folder(path: Path, request: LibraryRequest) -> HostedLibrary:
    named = path.resolve()
    if not named.exists():
        raise UsageError(
            "library-not-found",
            f"{request.target} is neither a folder nor a file",
            hint="Name a package (minimist@1.2.8), the folder with a library's package.json, or a module (./src/a.js).",
        )
    folder = _project_of(named) if named.is_file() else named
    manifest = folder / "package.json"
    about = library_manifest(manifest)
    entry = named if named.is_file() else _entry_of(folder, about)
    if entry is None and _has_only_types(folder, about) and declares_types(folder, about):
        raise _only_types(str(about.get("name") or folder.name), manifest)
    if entry is None:
        raise UsageError(
            "library-without-entry",
            "the package names no file that exists as its main module",
            where=str(manifest if manifest.exists() else folder),
            details=tuple(f"{key}: {about[key]}" for key in ("main", "exports", "module") if key in about),
            hint="Build it first, or set `main` or `exports`.",
        )
    scratch = _scratch(request)
    host = _write_host(scratch)
    name = named.stem if named.is_file() else str(about.get("name") or folder.name)
    hosted = _hosted(
        request, name, about, root=folder, source=folder, host=host, module=str(entry), include=(str(folder),)
    )
    return msgspec.structs.replace(hosted, entry=entry, is_single=named.is_file())


def _project_of(module: Path) -> Path:
    """Returns the nearest folder of a module that has a package.json; its own folder if there is none."""
    return next((folder for folder in module.parents if (folder / "package.json").exists()), module.parent)


def _entry_of(folder: Path, about: dict[str, Any]) -> Path | None:
    exported = about.get("exports")
    if isinstance(exported, dict) and "." in exported:
        exported = exported["."]
    named = [_condition(exported), about.get("main"), about.get("module"), "index.js", "index.mjs", "index.cjs"]
    for one in named:
        if not isinstance(one, str):
            continue
        path = (folder / one).resolve()
        for found in (path, path.with_name(path.name + ".js"), path / "index.js"):
            if found.is_file():
                return found
    return None


def _condition(exported: object) -> object:
    """Returns the file that `exports` gives a program of Node."""
    while isinstance(exported, dict):
        exported = next((exported[key] for key in ("require", "node", "import", "default") if key in exported), None)
    return exported


# ---- a package ------------------------------------------------------------------------------------------------------


def _of_package(request: LibraryRequest) -> HostedLibrary:
    wanted = PACKAGE.match(request.target)
    if wanted is None:
        raise UsageError(
            "library-not-found",
            f"{request.target!r} is neither a folder nor the name of a package",
            hint="Such as minimist, minimist@1.2.8, csv-parse/sync, @scope/name, or ./my-library",
        )
    name, version = wanted["name"], wanted["version"] or "latest"
    if name in BUILT_IN:
        raise UsageError(
            "library-is-built-in", f"{name} is a part of Node, not a package", hint="wimble tests packages and folders."
        )
    root = installed_package(name, version, request.cache_dir / "libraries")
    source = root / "node_modules" / name
    about = library_manifest(source / "package.json")
    if str(about.get("name", "")).startswith("@types/") or _has_only_types(source, about):
        raise _only_types(name, source)
    host = _write_host(root)
    part = wanted["part"]
    module = f"{name}/{part}" if part else name
    hosted = _hosted(request, module, about, root=root, source=source, host=host, module=module, include=(name,))
    unsupported = engine_note(root)
    notes = (*hosted.notes, *(() if part else _told_parts(library_parts(about, name))))
    if unsupported:
        notes = (unsupported, *notes)
    return msgspec.structs.replace(hosted, package=name, notes=notes, is_dual=is_dual(about, part or ""))


def _told_parts(parts: Sequence[str]) -> tuple[str, ...]:
    more = ", ..." if len(parts) > MAX_NAMED_PARTS else ""
    named = ", ".join(parts[:MAX_NAMED_PARTS])
    return (f"only the main module is called; others are tested by their names: {named}{more}",) if parts else ()


def _only_types(name: str, where: Path) -> UsageError:
    return UsageError(
        "library-exports-only-types",
        f"{name} declares types and has no code",
        where=str(where),
        hint="Name the package whose types these are.",
    )


def _has_only_types(source: Path, about: dict[str, Any]) -> bool:
    if any(key in about for key in ("bin", "exports")) or _entry_of(source, about) is not None:
        return False
    names = [path.name for path in source.rglob("*") if path.is_file() and "node_modules" not in path.parts[-3:]]
    return not any(
        name.endswith((".js", ".cjs", ".mjs", ".node", ".json")) and name != "package.json" for name in names
    )


# ---- its process ----------------------------------------------------------------------------------------------------


def _scratch(request: LibraryRequest) -> Path:
    scratch = (request.output_dir / "scratch").resolve()
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    return scratch


def _write_host(folder: Path) -> Path:
    _write_copy(HOST_TEMPLATE, folder / HOST_FILE)
    return (folder / HOST_FILE).resolve()


def _write_copy(name: str, copy: Path) -> None:
    """Copies a file of the agent to where the library is found from."""
    text = (agent_dir() / name).read_text(encoding="utf-8")
    if not copy.exists() or copy.read_text(encoding="utf-8") != text:
        copy.write_text(text, encoding="utf-8")


def _hosted(
    request: LibraryRequest,
    name: str,
    about: dict[str, Any],
    *,
    root: Path,
    source: Path,
    host: Path,
    module: str,
    include: tuple[str, ...],
) -> HostedLibrary:
    scratch = host.parent if host.parent.name == "scratch" else _scratch(request)
    code_cache = request.cache_dir / "library-code"
    code_cache.mkdir(parents=True, exist_ok=True)
    flags, notes = ((), ()) if request.may_write else _permission_flags((scratch, code_cache))
    homes = {variable: str(scratch) for variable in ("HOME", "TMPDIR", "TMP", "TEMP")}
    declared, note = read_declarations(root, name, module, request.cache_dir)
    observer = host.with_name(f".{OBSERVER}")
    _write_copy(OBSERVER, observer)
    documentation = msgspec.structs.replace(
        shown_documentation(source, str(about.get("name") or name)), usual=usual_texts(_words_about(name, about))
    )
    observing = [*request.prefix, "node", *flags, str(observer)]
    seen = observed_shapes(observing, scratch, (name, module), homes, documentation.calls)
    documentation = msgspec.structs.replace(documentation, calls=seen.calls)
    return HostedLibrary(
        name=name,
        version=str(about.get("version", "")),
        folder=scratch,
        root=root,
        source=source,
        command=("node", *flags, HEAP_LIMIT, str(host)),
        environment={
            "WIMBLE_LIBRARY": str(host),
            "WIMBLE_LIBRARY_NAME": name,
            "WIMBLE_LIBRARY_MODULE": module,
            "WIMBLE_CACHE": str(code_cache),
            **homes,
        },
        include=include,
        is_module=about.get("type") == "module",
        example=f"cd {root} && node -e 'require(\"{module}\")'",
        declared=_with_makers(declared, seen.makers, seen.abstract),
        observed=seen.shapes,
        results=seen.results,
        only_methods=seen.methods,
        changing=seen.changing,
        later=seen.later,
        documentation=documentation,
        notes=(*notes, *((note,) if note else ())),
    )


def _with_makers(declared: Declarations, seen: Mapping[str, Any], abstract: Iterable[str]) -> Declarations:
    """Returns the declarations with the functions that returned objects of a class, too: some declare an interface.

    abstract: constructors that no user can call, as they say.
    """
    makers = dict(declared.makers)
    for name, found in seen.items():
        functions = [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
        makers[name] = tuple(dict.fromkeys((*makers.get(name, ()), *functions)))
    return msgspec.structs.replace(
        declared, makers=makers, hidden=tuple(dict.fromkeys((*declared.hidden, *sorted(abstract))))
    )


def _words_about(name: str, about: dict[str, Any]) -> list[str]:
    """Returns texts that tell what a package is about."""
    keywords = about.get("keywords")
    told = [one for one in keywords if isinstance(one, str)] if isinstance(keywords, list) else []
    return [name, *(told or [str(about.get("description") or "")])]


def _permission_flags(writable: Sequence[Path]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns options of Node that limit where the process writes, and what cannot be limited."""
    try:
        answer = subprocess.run(
            ["node", "--version"], capture_output=True, text=True, timeout=ANSWER_LIMIT_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return (), ()
    found = re.match(r"v(\d+)\.(\d+)", answer.stdout)
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    if version < (20, 12):
        return (), ("this version of Node cannot keep a library from writing files: use Node 20.12 or newer",)
    is_final = version >= MIN_MAJOR_WITH_FINAL_PERMISSION and version[0] != 23
    option = "--permission" if is_final else "--experimental-permission"
    places = (f"--allow-fs-write={place.resolve()}/" for place in writable)
    quiet = ("--disable-warning=ExperimentalWarning", "--disable-warning=SecurityWarning")
    return (option, *quiet, "--allow-fs-read=*", "--allow-worker", "--allow-addons", *places), ()
