"""Stage 4: what one line says: orders, texts that were meant as orders, and prose.

    line_reading.py    runs this stage (`read_line`): a line of plain notation ends here at once
    segments.py        where one order ends and the next begins
    roles.py           (for `Mao <- Bre`: who does what, wherever it stands)
    clauses.py         (for `Par, Gas and Mar hold`: lists, choices, supports said first)
    sentences.py       (for `Par, supported by Mar, takes Bur`: subject, verb, object)
    rereading.py       (for a line that left words over: by sentences, or by clauses)
    named_moves.py     (for `The attack on Bur is backed by Gas`: a move that is only named)
    doubts.py          (for `If Mun moves, ...`: an order that has to be asked about)
    open_orders.py     (for `Paris holds a place in my heart`: what may be no order)
    prose.py           (for `, thanks`: whether words that are no order were meant as one)

Knows the board's names and nothing of where units stand: the same line always reads the same.
"""
