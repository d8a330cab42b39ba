"""`wimble completion`: scripts for shells, and the answers to them."""

import os
import subprocess
import sys

import pytest

MAIN = "import sys; sys.argv[0] = 'wimble'; from wimble.cli.main import main; main()"


def wimble(*arguments, **variables):
    command = [sys.executable, "-c", MAIN, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, env={**os.environ, **variables})


@pytest.mark.parametrize(
    ("shell", "words"),
    [("bash", "complete -o nosort -F"), ("zsh", "#compdef wimble"), ("fish", "complete --no-files --command wimble")],
)
def test_a_script_for_each_shell(shell, words):
    done = wimble("completion", shell)
    assert (done.returncode, done.stderr) == (0, "")
    assert words in done.stdout
    assert "_WIMBLE_COMPLETE" in done.stdout


def test_the_script_gets_commands_and_options():
    asked = {"_WIMBLE_COMPLETE": "bash_complete", "COMP_CWORD": "1", "COMP_WORDS": "wimble ru"}
    assert wimble(**asked).stdout.split() == ["plain,run"]
    asked |= {"COMP_CWORD": "2", "COMP_WORDS": "wimble run --start"}
    assert wimble(**asked).stdout.split() == ["plain,--start-timeout"]


def test_another_shell_is_refused_with_those_that_there_are():
    done = wimble("completion", "tcsh")
    assert done.returncode == 2
    assert "'bash', 'zsh', 'fish'" in done.stderr
