"""Export of a club to one file, which another installation can import.

club.json    every row that cannot be derived, one a line
heads.txt    the last hash of each match, as `verify_ledger --heads` reads them
csv, csv-with-bom, NAME.xlsx
             people, standings, matches, results and deals for a spreadsheet
photos       the pictures of paper sheets and of cards

work        the background job, match by match; it can stop and resume
parts       the files written meanwhile
document    club.json
tables      the tables for spreadsheets
files       where exports are stored, and for how long
"""

from scoring.transfer.services.club_export.work import export_club

__all__ = ["export_club"]
