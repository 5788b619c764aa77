"""The order language: a letter's lines as orders, one stage after the other.

    stage                     what it makes of `Fleet Brest to mid atlantic, thanks`
    0 letter_lines.py         broken lines joined, headings over the lines below them
    1 normalize.py            one plain form: `fleet brest to mid atlantic, thanks`
    2 lexicon.py              the search for names and words of every language in it
      similar_names.py        (for `mid altantic`: names spelled or sounding like it)
    3 tokens.py               canonical words, names as places: `F #BRE - #MAO , ??`
    4 line_reading.py         the orders of the line, and prose: `F #BRE - #MAO` | `??`
      segments.py             (where one order ends and the next begins)
      roles.py                (for `Mao <- Bre`: who does what, wherever it stands)
      clauses.py              (for `Par, Gas and Mar hold`: lists, choices, supports said first)
      sentences.py            (for `Par, supported by Mar, takes Bur`: subject, verb, object)
      doubts.py               (for `If Mun moves, ...`: an order that has to be asked about)
      ways.py                 (for `馬賽去西班牙，不走陸路`: an army that is sent by sea)
      open_orders.py          (for `Paris holds a place in my heart`: what may be no order)
      prose.py                (for `, thanks`: whether words that are no order were meant as one)
    5 grammar.py              an order as written: `WrittenMove(F BRE, MAO)`
    6 order_context.py        an order on the board, if it is legal: `Move(F BRE, MAO)`
    7 suggestions.py          (for `F Bre - Mos`: what is wrong, and what may have been meant)
      clause_meanings.py      (for `パリが突入、マルセイユが後詰`: what each clause may order)
      particles.py            (the same line: what its clauses propose together)
      likeliest.py            (for what is still open: the heaviest way to order its units)
      weighing.py             (the same: what each way weighs, by what was learned)
      options.py              (the same: what each unit may be ordered, and what speaks for it)
      weighed_line.py         (the same: what its words are, and how they stand to one another)
      nicknames.py            (for `my atlantic fleet`, `both armies`: places and groups of units)
      unlikely_orders.py      (for `Ship Yor to Bel with Nth`: what was read, but hardly meant)
      followers.py            (for `Mar: support`: what counts on the order beside it)
    8 cross_checks.py         the orders of the letter beside one another: no warning
      blanket_orders.py       (for `The rest hold`: an order for each unit that has none)

`pipeline.py` runs the stages (`read_orders`). Two kinds of lines take a shorter way: one in
canonical notation goes from 0 to 6, one in plain notation (`F Bre - Mao`) from 3 to 5. The words of
every language are data in `grammar/<language>/`. Outside, `advance_orders.py` reads orders for
later phases by the same stages, and `notation.py` writes orders; `written_position.py` and
`written_edits.py` read where units stand, for WHAT IF and EDIT.
"""
