"""Letters of many mail programs, from their bytes to the orders that a board reads in them.

Letters that are not yet read right stand in `corpus/open.txt`; a name that is there and need not
be fails too, so the list only shrinks.
"""

from collections import Counter

import pytest

from judge.mail import LetterKind
from tests.letters.score import (
    CORPUS,
    HALVES,
    Sample,
    letter_of,
    load_samples,
    position,
    score_body,
)

SAMPLES = [sample for half in HALVES for sample in load_samples(half)]


def _open() -> dict[str, str]:
    lines = (CORPUS / "open.txt").read_text(encoding="utf-8").splitlines()
    told = [line.partition(":") for line in lines if line.strip() and not line.startswith("#")]
    return {name.strip(): reason.strip() for name, _, reason in told}


OPEN = _open()


def _parameters() -> list[object]:
    return [
        pytest.param(
            sample,
            id=sample.name,
            marks=[pytest.mark.xfail(strict=True, reason=OPEN[sample.name])]
            if sample.name in OPEN
            else [],
        )
        for sample in SAMPLES
    ]


@pytest.mark.parametrize("sample", _parameters())
def test_what_the_writer_wrote_is_read_and_nothing_else(sample: Sample) -> None:
    letter = letter_of(sample)
    assert letter.disposition is LetterKind.ANSWER, letter.reason
    score = score_body(sample, letter.body)
    assert score.is_right, f"{score}\n{letter.body}"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_the_expected_orders_stand_in_the_letter_and_differ_from_the_quoted(sample: Sample) -> None:
    whole = " ".join(letter_of(sample).whole_body.split())
    for piece in (*sample.orders, *sample.commands):
        assert " ".join(piece.split()) in whole
    for piece in sample.gone:
        assert not any(piece in order for order in sample.orders)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_the_canonical_orders_can_be_given_where_the_letter_is_from(sample: Sample) -> None:
    reading = position(sample.phase).read(sample.seat, sample.canonical)
    assert tuple(one.line.text for one in reading.understood) == sample.canonical
    assert not reading.problems


def test_every_program_and_language_is_on_both_sides() -> None:
    known, held_out = (
        Counter((one.client, one.language) for one in load_samples(half)) for half in HALVES
    )
    assert known == held_out
    assert min(Counter(one.language for one in SAMPLES).values()) >= 14


def test_every_letter_file_has_its_expectation_and_open_names_are_letters() -> None:
    files = {path.stem for half in HALVES for path in (CORPUS / half).glob("*.eml")}
    assert files == {sample.name for sample in SAMPLES}
    assert set(OPEN) <= files
