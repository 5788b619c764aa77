"""Pictures: SVG in layers, and PNG files of them.

Only this module imports resvg and Pillow. The board, which is the same in every phase, is drawn
once; what changes is drawn over it.
"""

import io
import math
import re
from collections.abc import Iterator
from functools import lru_cache
from xml.etree.ElementTree import Element, fromstring, tostring

import msgspec
import resvg_py
from PIL import Image, ImageChops

from judge.data import shipped

FONT = "WenQuanYi Micro Hei, sans-serif"
COLORS = 96  # of a PNG: maps have few, and a third of the bytes is left
COMPRESSION = 7  # 9 takes eight times as long for a twentieth of the bytes
LAYERS_KEPT = 16  # 3 MB each
MASKS_KEPT, STAMPS_KEPT = 1024, 512  # some kilobytes each
STAMP_RADIUS = 24.0  # in units of the drawing, about the place to which a stamp is moved
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE]-?\d+)?")
# How many numbers a command of a path takes; the last two are where it ends.
STEPS = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7, "Z": 0}


class Picture(msgspec.Struct, frozen=True):
    """A drawing in layers, each over the ones before. Lengths are units of its coordinates.

    board, names: the same in many pictures.
    owners: paths; the colors that fill them are multiplied with the board.
    lines: has no texts.
    stamps: groups that are moved to their places by `translate(x y)`; many are alike.
    legend: below the others, from `board_height` on, which is 0 where nothing is below.
    """

    width: float
    height: float
    board: Element
    owners: Element | None = None
    lines: Element | None = None
    names: Element | None = None
    stamps: Element | None = None
    legend: Element | None = None
    board_height: float = 0.0

    def to_svg(self) -> bytes:
        """The whole picture as an SVG file."""
        layers = [self.board]
        if self.owners is not None:
            layers.append(Element("g", style="mix-blend-mode:multiply"))
            layers[-1].append(self.owners)
        over = (self.lines, self.names, self.stamps, self.legend)
        layers += [one for one in over if one is not None]
        return _svg(self.width, self.height, *layers)

    def to_png(self, width: int) -> bytes:
        """The picture as a PNG file, so many pixels wide."""
        image = Image.new("RGB", (width, math.ceil(self.height * width / self.width)), "#ffffff")
        _lay(image, _rasterize_layer(self._svg(self.board), width))
        scale = width / self.width
        # The colors of owners are multiplied with the board.
        if self.owners is not None and self.owners.find("defs") is not None:  # hatched
            tinted = _rasterize(self._svg(self.owners), width, "#ffffff").convert("RGB")
            box = (0, 0, *tinted.size)
            image.paste(ImageChops.multiply(image.crop(box), tinted), box)
        elif self.owners is not None:
            for path in self.owners:
                box, mask = _mask(path.get("d", ""), scale)
                below = image.crop(box)
                color = Image.new("RGB", below.size, path.get("fill", ""))
                image.paste(ImageChops.multiply(below, color), box, mask)
        if self.lines is not None:
            _lay(image, _rasterize(self._svg(self.lines), width, has_text=False))
        if self.names is not None:
            _lay(image, _rasterize_layer(self._svg(self.names), width))
        for group in self.stamps if self.stamps is not None else ():
            stamp = Element("g", {k: v for k, v in group.items() if k != "transform"})
            stamp.extend(group)
            drawn = _rasterize_stamp(tostring(stamp), scale)
            x, y = (round(float(one) * scale) for one in NUMBER.findall(group.get("transform", "")))
            image.paste(drawn, (x - drawn.width // 2, y - drawn.height // 2), drawn)
        if self.legend is not None:
            height = self.height - self.board_height
            svg = _svg(self.width, height, self.legend, top=self.board_height)
            image.paste(_rasterize(svg, width), (0, round(self.board_height * scale)))
        few = image.quantize(COLORS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        file = io.BytesIO()
        few.save(file, "PNG", compress_level=COMPRESSION)
        return file.getvalue()

    def _svg(self, layer: Element) -> bytes:
        return _svg(self.width, self.board_height or self.height, layer)


def _svg(width: float, height: float, *layers: Element, left: float = 0, top: float = 0) -> bytes:
    root = Element("svg", xmlns="http://www.w3.org/2000/svg")
    root.set("viewBox", f"{left:g} {top:g} {width:g} {height:g}")
    root.set("font-family", FONT)
    root.extend(layers)
    return bytes(tostring(root, encoding="utf-8"))


@lru_cache(maxsize=STAMPS_KEPT)
def _rasterize_stamp(group: bytes, scale: float) -> Image.Image:
    side = 2 * round(STAMP_RADIUS * scale)
    size = side / scale
    svg = _svg(size, size, fromstring(group), left=-size / 2, top=-size / 2)  # noqa: S314  # ours
    drawn = _rasterize(svg, side)
    drawn.load()
    return drawn


def _lay(image: Image.Image, over: Image.Image) -> None:
    image.paste(over, mask=over.getchannel("A"))


@lru_cache(maxsize=MASKS_KEPT)
def _mask(path: str, scale: float) -> tuple[tuple[int, int, int, int], Image.Image]:
    """Where a path lies, in pixels, and how much of each of them it covers."""
    xs, ys = zip(*path_points(path), strict=True)
    left, top = math.floor(min(xs) * scale), math.floor(min(ys) * scale)
    width, height = math.ceil(max(xs) * scale) - left, math.ceil(max(ys) * scale) - top
    shape = Element("path", d=path)
    svg = _svg(width / scale, height / scale, shape, left=left / scale, top=top / scale)
    mask = _rasterize(svg, width, has_text=False).getchannel("A")
    return (left, top, left + mask.width, top + mask.height), mask


def path_points(path: str) -> Iterator[tuple[float, float]]:
    """The points through which a path of SVG goes, in its order: the ends of its lines and arcs."""
    x = y = first_x = first_y = 0.0
    for command, written in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = [float(one) for one in NUMBER.findall(written)]
        step = STEPS[command.upper()]
        if not step:
            x, y = first_x, first_y
        for at in range(0, len(numbers) if step else 0, step or 1):
            ends = numbers[at : at + step][-2:]
            before = (x, y) if command.islower() else (0.0, 0.0)
            if command in "Hh":
                x = before[0] + ends[0]
            elif command in "Vv":
                y = before[1] + ends[0]
            else:
                x, y = before[0] + ends[0], before[1] + ends[1]
            if command in "Mm" and at == 0:
                first_x, first_y = x, y
            yield x, y


def _rasterize(
    svg: bytes, width: int, background: str | None = None, *, has_text: bool = True
) -> Image.Image:
    font = [str(shipped("config", "fonts", "names.ttf"))] if has_text else []
    data = resvg_py.svg_to_bytes(
        svg_string=svg.decode("utf-8"),
        width=width,
        background=background,
        skip_system_fonts=True,
        font_files=font,  # reading it takes a tenth of the time
    )
    return Image.open(io.BytesIO(bytes(data)))


_rasterize_layer = lru_cache(maxsize=LAYERS_KEPT)(_rasterize)
