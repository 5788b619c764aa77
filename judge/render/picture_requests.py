"""What a picture shows, as values: whoever has them draws it, in this process or in another."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
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

    def draw(self) -> Picture:
        """The picture itself."""
        words = load_renderer(self.game).words(self.variant, catalogue(self.language))
        if self.shows is Shows.PHASE:
            return words.report_picture(_REPORTS.decode(self.values))
        if self.shows is Shows.POSITION:
            return words.position_picture(msgspec.Raw(self.values))
        picture = words.centers_picture(*_HISTORY.decode(self.values))
        assert picture is not None  # whoever asks has seen that a year is finished
        return picture


def png_of(request: PictureRequest) -> bytes:
    """The picture as a PNG file, as letters carry it."""
    return request.draw().to_png(PICTURE_PIXELS)
