"""Everything of a club in one file, which another installation can take in.

club.json    every row that cannot be worked out again, one a line
heads.txt    the last seal of each match, as `verify_ledger --heads` reads them
csv, csv-with-bom, NAME.xlsx
             people, standings, matches, results and deals for a spreadsheet
photos       the pictures of paper sheets and of cards

work        the long work, from match to match, which can be broken off
parts       what is written meanwhile
document    club.json
tables      what a spreadsheet gets
files       where exports lie, and for how long
"""

from scoring.transfer.services.club_export.work import export_club

__all__ = ["export_club"]
