"""What a picture shows, as values: whoever has them draws it, in this process or in another."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property, lru_cache
from hashlib import sha256

import msgspec

from judge.render.catalogue import catalogue
from judge.rulebook import Picture, SeatId, load_renderer

PICTURE_PIXELS = 900  # the width of a picture: legible on a screen, and on a phone when enlarged

_REPORTS = msgspec.json.Decoder(tuple[msgspec.Raw, ...])
_HISTORY = msgspec.json.Decoder(tuple[tuple[tuple[str, Mapping[SeatId, int]], ...], msgspec.Raw])


class Shows(StrEnum):
    """What a picture is made of: reports of phases that ran at once, a view, or the centers of
    years with a view."""

    PHASE = "phase"
    POSITION = "position"
    CENTERS = "centers"


class PictureRequest(msgspec.Struct, frozen=True, dict=True):
    """A picture to draw, in a language. `values` is JSON that the game understands."""

    game: str
    variant: str
    language: str
    shows: Shows
    values: bytes

    @cached_property
    def sha256(self) -> str:
        """What the picture is stored by, hexadecimal: the same request gives the same bytes."""
        return sha256(msgspec.json.encode(self)).hexdigest()


@lru_cache(maxsize=4)
def drawn(request: PictureRequest) -> Picture | None:
    """The picture itself; None for the centers of a game whose first year is not finished. The
    readers of a letter ask for the same one."""
    words = load_renderer(request.game).words(request.variant, catalogue(request.language))
    if request.shows is Shows.PHASE:
        return words.report_picture(_REPORTS.decode(request.values))
    if request.shows is Shows.POSITION:
        return words.position_picture(msgspec.Raw(request.values))
    return words.centers_picture(*_HISTORY.decode(request.values))


def png_of(request: PictureRequest) -> bytes:
    """The picture as a PNG file, as letters carry it."""
    picture = drawn(request)
    assert picture is not None, request  # whoever asks has seen that a year is finished
    return picture.to_png(PICTURE_PIXELS)
