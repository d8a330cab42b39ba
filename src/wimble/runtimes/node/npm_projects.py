"""npm projects: the folder in which a package is found."""

from __future__ import annotations

import os.path
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Final

from wimble.runtimes.node.package_manifests import MANIFEST, manifest_in, named_packages
from wimble.runtimes.node.test_runners import test_format
from wimble.runtimes.node.unwatched_drivers import unwatched_drivers
from wimble.runtimes.runtime import ProjectIdentity, Projects

DESCRIBING: Final = {
    "@nestjs/core": "@nestjs/swagger",
    "fastify": "@fastify/swagger",
    "hono": "@hono/zod-openapi or hono-openapi",
    "koa": "koa-joi-router-docs, or swagger-jsdoc with comments at the routes",
    "@hapi/hapi": "hapi-swagger",
    "restify": "swagger-jsdoc",
    "next": "next-swagger-doc",
    "express": "swagger-jsdoc with comments at the routes, or express-oas-generator without",
}
"""Web framework -> packages that make an OpenAPI document from the program. Frameworks that use another one of them
come first."""
USUAL_PROGRAMS: Final = ("server.js", "app.js", "index.js", "server.mjs", "src/server.js", "src/app.js", "src/index.js")
OTHER_PACKAGES: Final = {"libsql": ("@libsql/client",), "mongodb": ("mongoose",)}
"""Driver -> packages that contain it."""


def packages_folder(driver: str, sut_dir: str, sources: Collection[str]) -> str:
    """Returns the folder, relative to the SUT's, whose `node_modules` contains the driver for most of the source files.

    It differs from the SUT's folder if, for example, the API is in a folder below it (`node api/server.js`). Empty if
    the driver needs no package, or is found from the SUT's folder or from no folder.
    """
    names = (driver, *OTHER_PACKAGES.get(driver, ()))
    if driver.startswith("node:") or _holder(Path(sut_dir), names) is not None:
        return ""
    folders = Counter(Path(source).parent for source in sources)
    found: Counter[str] = Counter()
    for folder, count in folders.items():
        holder = _holder(folder, names)
        if holder is not None:
            found[os.path.relpath(holder, sut_dir)] += count
    return min(found, key=lambda folder: (-found[folder], folder), default="")


def _holder(folder: Path, names: Collection[str]) -> Path | None:
    """Returns the folder, or the nearest one above it, that contains one of the packages: the folder that Node uses."""
    for one in (folder, *folder.parents):
        if any((one / "node_modules" / name / MANIFEST).is_file() for name in names):
            return one
    return None


def describing_package(working_dir: Path) -> str:
    """Returns the package that makes an OpenAPI document for the web framework on which package.json depends."""
    named = named_packages(manifest_in(working_dir))
    return next((f"{own} (for {framework})" for framework, own in DESCRIBING.items() if framework in named), "")


def start_command(working_dir: Path) -> tuple[str, ...]:
    """Returns `npm start` if package.json has that script, else `node` with its main file or a file of a usual name."""
    package = manifest_in(working_dir)
    scripts, main = package.get("scripts"), package.get("main")
    if isinstance(scripts, dict) and isinstance(scripts.get("start"), str):
        return ("npm", "start")
    names = (*((main,) if isinstance(main, str) else ()), *USUAL_PROGRAMS)
    return next((("node", name) for name in names if (working_dir / name).is_file()), ())


def identity(working_dir: Path) -> ProjectIdentity:
    """Returns what package.json says."""
    package = manifest_in(working_dir)
    texts = {key: value for key in ("name", "version", "description") if isinstance(value := package.get(key), str)}
    return ProjectIdentity(**texts)


NPM_PROJECTS: Final = Projects(
    test_format=test_format,
    packages_folder=packages_folder,
    describing_package=describing_package,
    start_command=start_command,
    identity=identity,
    unwatched_drivers=unwatched_drivers,
    used_packages=lambda working_dir: named_packages(manifest_in(working_dir), ("dependencies",)),
)
