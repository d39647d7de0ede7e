"""Matches from files, in ordinary Python: no Django, no clock, no database.

faults                          what is wrong with a file, and where
limits                          how much of a file is read
sources                         which kind of file it is, and whether it can be read at all
values dates options_text       digits, seats, moments, options, as people type them
columns                         the columns of a table with one row a deal
csv_rows xlsx_rows xlsx_parts   such a table, row by row, once nothing in it can do harm
sheets                          rows to raw matches
json_matches                    JSON to raw matches
notes                           what is found to be wrong while a match is judged
judging playing comparing       a raw match to one under the rules: its frame, its deals, its points
reading                         a file of any kind to matches, one after the other
examples                        files to start from

Who the people are, and whether a match is there already, only the club knows: see
`transfer.queries.imports`.
"""
