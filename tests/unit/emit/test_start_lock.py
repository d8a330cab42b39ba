"""Test processes of one suite start the SUT one after another, and leave no file behind."""

import tempfile
import threading

from wimble.emit.runtime.sut_process import StartLock


def test_the_next_one_waits_and_the_last_one_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    order = []
    first, second, third = (StartLock(tmp_path / "suite") for _ in range(3))
    first.take()

    def take(lock, name):
        lock.take()
        order.append(name)
        lock.release()

    threads = [threading.Thread(target=take, args=pair) for pair in ((second, "second"), (third, "third"))]
    for thread in threads:
        thread.start()
    order.append("first")
    first.release()
    for thread in threads:
        thread.join(10)
    assert order[0] == "first"
    assert sorted(order) == ["first", "second", "third"]
    assert list(tmp_path.iterdir()) == []
