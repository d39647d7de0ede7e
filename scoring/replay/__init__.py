"""One deal, card by card. Ordinary Python over `scoring.rules`: no Django, clock, chance, files.

Three entrances: `notation.read` (and `notation_json.read_json`) to records, `engine.replay` to what
the cards say, `report.to_json` to what is told about it,
`audit.audit` to what differs from an entry; `archive` joins them for many records.

record                        the deal as written, not judged
notation notation_json        `.trex` text and JSON to records and back, every error with its place
lines draft meaning           text: its lines, their records, what the words of one say
json_stream json_places       JSON: one value at a time, and where in it something stands
frame spelling                what both have in common: the frame of a deal, cards, seats, lists
table tricks layout fifty_one state of a deal while it is played, by contract
engine breaches outcome hands a record through its table: breaches, tally, scores, hands found out
quick                         the same without a report, several times as fast
result report                 what a replay says, and its JSON
bounds claims                 what a record that leaves something open still proves
open_tricks open_layings      the ways in which a deal may go on
viewing                       the table after any number of plays, for who wants to see it
audit words                   a replay held against an entry; both in English
archive                       many records of either notation; verdicts and their totals
"""
