"""Writes `config/fonts/names.ttf`: the letters of names and legends, out of WenQuanYi Micro Hei.

    python config/boards/font.py wqy-microhei.ttc

The font file comes with Debian's package fonts-wqy-microhei (NOTICE.md says more); what is left out
is whatever no name of a shipped variant and no sentence of a shipped language needs. It needs
fonttools, which the judge itself does not.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection

ROOT = Path(__file__).parent.parent.parent


def main() -> None:
    texts = [*ROOT.glob("config/variants/*/names/*.toml"), *ROOT.glob("judge/locale/*/*/*.po")]
    letters = set(map(chr, range(0x20, 0x180)))
    for path in texts:
        letters |= set(path.read_text(encoding="utf-8"))
    font = TTCollection(sys.argv[1]).fonts[0]
    options = subset.Options(hinting=False, layout_features=[], name_IDs=[0, 1, 2, 3, 4, 5, 6, 13])
    cut = subset.Subsetter(options)
    cut.populate(text="".join(sorted(letters)))
    cut.subset(font)
    path = ROOT / "config" / "fonts" / "names.ttf"
    path.parent.mkdir(exist_ok=True)
    font.save(path, reorderTables=True)
    print(f"{len(letters)} letters, {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
