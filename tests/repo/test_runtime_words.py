"""What is Node's stays behind `wimble.runtimes`: no other module names its variables, files, operators or engine."""

import re

from source_files import named_sources, source_paths, text_of

WORDS = re.compile(
    r"NODE_OPTIONS|NODE_V8_COVERAGE|package\.json|node_modules|\btypeof\b|\bV8\b|\bat \(\?:async"
    r"|\bNode\b|_NODE\b|\bnpm\b|\.[cm]js\b"
)
HOME = "runtimes/node/"
EXCEPTIONS = {
    "agent/processes/launch.py": "an example of a command that does not show what it starts",
    "agent/protocol/told_by_agents.py": "tells the user which programs can be mocked, and which packages cannot",
    "cli/": "commands of Node's in examples of the help",
    "engine/boot/protobuf_files.py": "endings of source files that are generated from definitions",
    "engine/write/password_places.py": "endings of source files of several languages",
    "execute/causes/async_attribution.py": "names its counterpart in the agent",
    "library/argument_literals.py": "names its counterpart in the agent",
    "oracles/libraries/engine_messages.py": "messages of errors that JavaScript and Node raise, until another runtime has libraries",
    "emit/": "suites for Node's test runners, and the files beside any suite that start a SUT of Node again",
    "experiment/": "c8 measures SUTs of Node, and is installed with npm",
    "spec/loading/discovery.py": "folders of several languages in which no project keeps its own documents",
    "spec/loading/versions.py": "tells what a document is that is no API description",
    "state/working_files.py": "folders and files of several languages that are no data of a SUT",
}
"""Files or folders that may, and why."""


def test_only_the_room_of_node_speaks_of_node() -> None:
    found = []
    for name, path in named_sources():
        if name.startswith((HOME, *EXCEPTIONS)):
            continue
        for number, line in enumerate(text_of(path).splitlines(), start=1):
            if word := WORDS.search(line):
                found.append(f"{name}:{number}: {word[0]}")
    assert not found, "\n".join(found)


def test_each_exception_is_needed() -> None:
    for start in EXCEPTIONS:
        files = [path for name, path in named_sources() if name.startswith(start)]
        assert any(WORDS.search(text_of(path)) for path in files), start


def test_no_module_asks_which_runtime_it_has() -> None:
    asked = re.compile(
        r"(?:runtime|agent)(?:\.name)?\s*(?:==|!=)\s*[\"']|[\"']node[\"']\s*(?:==|!=)|==\s*NODE\b|is NODE\b"
    )
    found = [path for path in source_paths() if asked.search(text_of(path))]
    assert not found
