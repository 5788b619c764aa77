"""Stage 7: what may have been meant, for text that was not read as an order or hardly meant so.

Nothing here is stored unasked: each module adds questions, with lines that a YES stores.

    suggestions.py        (for `F Bre - Mos`: what is wrong, and what may have been meant)
    ways.py               (for `馬賽去西班牙，不走陸路`: an army that is sent by sea)
    followers.py          (for `Mar: support`: what counts on the order beside it)
    particles.py          (for `パリが突入、マルセイユが後詰`: what its clauses propose together)
    clause_meanings.py    (the same line: what each clause may order)
    likeliest.py          (for what is still open: the heaviest way to order its units)
    weighing.py           (the same: what each way weighs, by what was learned)
    options.py            (the same: what each unit may be ordered, and what speaks for it)
    weighed_line.py       (the same: what its words are, and how they stand to one another)
    nicknames.py          (the same: `my atlantic fleet`, `both armies` as places and units)
    unlikely_orders.py    (for `Ship Yor to Bel with Nth`: what was read, but hardly meant)
"""
