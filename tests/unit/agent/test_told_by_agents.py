"""What agents tell by files: each program, Unix socket and native module that may connect, once."""

import pytest

from wimble.agent.protocol.told_by_agents import ToldByAgents, looks_up_names


@pytest.fixture
def told(tmp_path):
    (tmp_path / "folder").mkdir()
    return ToldByAgents(tmp_path / "folder")


def native(tmp_path, package, symbols):
    file = tmp_path / "node_modules" / package / "build" / "addon.node"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"\x7fELF" + b"\0".join([b"", *symbols, b""]))
    return file


def test_what_is_told_is_read_once_and_may_be_told_again(tmp_path, told):
    folder = tmp_path / "folder"
    (folder / "told-program-curl").touch()
    (folder / "told-unix-10-0").symlink_to("/run/docker.sock")
    (folder / "told-refused-10-0").symlink_to("db.example 5432")
    assert [(one.host, one.port, one.kind) for one in told.new()] == [
        ("curl", 0, "program"),
        ("db.example", 5432, "connection"),
        ("unix:/run/docker.sock", 0, "reached"),
    ]
    assert told.new() == []
    (folder / "told-unix-11-0").symlink_to("@abstract")
    assert [one.host for one in told.new()] == ["unix:@abstract"]


def test_announcements_of_connections_are_no_reports(tmp_path, told):
    (tmp_path / "folder" / "40123").write_text("api.example\n443\n1\n\n.\n")
    assert told.new() == []


def test_native_code_is_told_by_its_package_if_it_looks_up_names(tmp_path, told):
    folder = tmp_path / "folder"
    (folder / "told-native-1-0").symlink_to(native(tmp_path, "@acme/grpc", [b"malloc", b"getaddrinfo"]))
    (folder / "told-native-1-1").symlink_to(native(tmp_path, "bcrypt", [b"malloc", b"disconnect"]))
    (folder / "told-native-1-2").symlink_to(native(tmp_path, "curl", [b"libcurl-gnutls.so.4"]))
    (folder / "told-native-1-3").symlink_to(tmp_path / "gone.node")
    assert [(one.host, one.kind) for one in told.new()] == [("@acme/grpc", "native"), ("curl", "native")]


def test_a_longer_name_is_another_function(tmp_path):
    assert not looks_up_names(native(tmp_path, "a", [b"uv_getaddrinfo"]))
    assert looks_up_names(native(tmp_path, "b", [b"_getaddrinfo"]))
