"""Pictures: SVG in layers, and PNG files of them.

Only this module imports resvg and Pillow. The board, which is the same in every phase, is drawn
once; what changes is drawn over it.
"""

import io
from functools import lru_cache
from xml.etree.ElementTree import Element, tostring

import msgspec
import resvg_py
from PIL import Image, ImageChops

from judge.data import shipped

FONT = "WenQuanYi Micro Hei, sans-serif"
COLORS = 96  # of a PNG: maps have few, and a third of the bytes is left
COMPRESSION = 7  # 9 takes eight times as long for a twentieth of the bytes
BOARDS_KEPT, OWNERS_KEPT = 24, 8  # 3 MB each


class Picture(msgspec.Struct, frozen=True):
    """A drawing in up to three layers: `board`, the same in many pictures; `owners`, whose colors
    are multiplied with it; `top`. Width and height are units of its coordinates."""

    width: float
    height: float
    board: Element
    owners: Element | None = None
    top: Element | None = None

    def to_svg(self) -> bytes:
        """The whole picture as an SVG file."""
        layers = [self.board]
        if self.owners is not None:
            layers.append(Element("g", style="mix-blend-mode:multiply"))
            layers[-1].append(self.owners)
        if self.top is not None:
            layers.append(self.top)
        return _svg(self.width, self.height, *layers)

    def to_png(self, width: int) -> bytes:
        """The picture as a PNG file, so many pixels wide."""
        image = _board_image(_svg(self.width, self.height, self.board), width)
        if self.owners is not None:
            owners = _owners_image(_svg(self.width, self.height, self.owners), width)
            image = ImageChops.multiply(image, owners)
        if self.top is not None:
            top = _image(_svg(self.width, self.height, self.top), width)
            image = image.copy()  # that of the board is kept
            image.paste(top, mask=top.getchannel("A"))
        few = image.quantize(COLORS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        file = io.BytesIO()
        few.save(file, "PNG", compress_level=COMPRESSION)
        return file.getvalue()


def _svg(width: float, height: float, *layers: Element) -> bytes:
    root = Element("svg", xmlns="http://www.w3.org/2000/svg")
    root.set("viewBox", f"0 0 {width:g} {height:g}")
    root.set("font-family", FONT)
    root.extend(layers)
    return bytes(tostring(root, encoding="utf-8"))


@lru_cache(maxsize=BOARDS_KEPT)
def _board_image(svg: bytes, width: int) -> Image.Image:
    return _image(svg, width, "#ffffff").convert("RGB")


@lru_cache(maxsize=OWNERS_KEPT)
def _owners_image(svg: bytes, width: int) -> Image.Image:
    """The same in every language, and in all phases of a year."""
    return _image(svg, width, "#ffffff").convert("RGB")


def _image(svg: bytes, width: int, background: str | None = None) -> Image.Image:
    data = resvg_py.svg_to_bytes(
        svg_string=svg.decode("utf-8"),
        width=width,
        background=background,
        skip_system_fonts=True,
        font_files=[str(shipped("config", "fonts", "names.ttf"))],
    )
    return Image.open(io.BytesIO(bytes(data)))
