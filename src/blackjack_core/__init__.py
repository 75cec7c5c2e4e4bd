"""The compiled engine: cards, shoe, hands, the round. Integers and bytes in, integers and bytes out.

Lives here: everything that happens to cards and chips. Not here: names, text, amounts' meaning, tables
of several players; those are in `blackjack`, which this package never imports.
"""
