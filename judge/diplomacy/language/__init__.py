"""The order language: a letter's lines as orders, one stage after the other.

    stage                     what it makes of `Fleet Brest to mid atlantic, thanks`
    0 letter_lines.py         broken lines joined, headings over the lines below them
    1 normalize.py            one plain form: `fleet brest to mid atlantic, thanks`
    2 lexicon.py              the search for names and words of every language in it
      similar_names.py        (for `mid altantic`: names spelled or sounding like it)
    3 tokens.py               canonical words, names as places: `F #BRE - #MAO , ??`
    4 lines/                  the orders of the line, and prose: `F #BRE - #MAO` | `??`
    5 grammar.py              an order as written: `WrittenMove(F BRE, MAO)`
    6 order_context.py        an order on the board, if it is legal: `Move(F BRE, MAO)`
      board_reading.py        each text taken, or refused with what may have been meant
      talk.py                 (for `, thanks`: text that is no order, or may have been meant as one)
    7 proposals/              (for `my atlantic fleet sails`: orders to ask about)
    8 cross_checks.py         the orders of the letter beside one another: no warning
      blanket_orders.py       (for `The rest hold`: an order for each unit that has none)

`pipeline.py` runs the stages (`read_orders`). Two kinds of lines take a shorter way: one in
canonical notation goes from 0 to 6, one in plain notation (`F Bre - Mao`) from 3 to 5. The words of
every language are data in `grammar/<language>/`. Outside, `advance_orders.py` reads orders for
later phases by the same stages, and `notation.py` writes orders; `written_position.py` and
`written_edits.py` read where units stand, for WHAT IF and EDIT.
"""
