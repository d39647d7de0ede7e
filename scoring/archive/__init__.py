"""Large archives of deals: a packed file of columns, and a pass that checks whole columns at once.

Needs NumPy, which `bin/setup --archive` installs; nothing else in the product imports this package
at start. Ordinary Python otherwise: no Django, clock or chance.

columns       many deals of one contract as arrays, and back to records
card_bytes    how a played card stands in a byte
packed_file   blocks of columns in a file, each with its checksum
trick_pass    the check of trick contracts: legality and tallies
row_pass      the same for Trex in suit rows
pile_pass     the same for Trex on a single pile
score_tables  scores of tallies, looked up in tables that `rules.points` fills
judging       which deals of a block are without fault; the explaining engine judges the others
summary       totals by code, club, player and contract
"""

MAGIC = b"\x93NUMPY"
"""The first bytes of a packed file, and of each array in it."""
