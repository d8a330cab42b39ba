"""What is said of a command line that cannot be understood."""

import pytest

from wimble.cli.main import main


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["completion"], ["error: Missing argument '", "Run `wimble completion --help`"]),
        (["library"], ["error: Missing argument '", "Run `wimble library --help`"]),
        (["run", "--max-calls", "x"], ["error: --max-calls: ", "Run `wimble run --help`"]),
        (["run", "--max-time"], ["error: Option '--max-time' requires", "Run `wimble run --help`"]),
        (["no-such-command"], ["error: No such command 'no-such-command'", "Run `wimble --help`"]),
    ],
)
def test_a_wrong_command_line_is_told_in_words_with_where_to_look(capsys, arguments, said):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert all(text in told for text in said), told
