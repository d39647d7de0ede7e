"""One deal card by card, in ordinary Python: no Django, no clock, no chance, no files.

Start with `notation.trex_text.read` or `notation.json_records.read_json` for records,
`engine.replay` for what the cards say, `report.to_json` for its JSON, `audit.audit` for what
differs from an entry, `archive` for many records.

record breaches result          a deal as written; what the rules forbid; what a replay finds
notation                        `.trex` text and JSON to records and back; errors with their place
play                            the state of a deal while it is played, by contract
partial                         what a record that leaves something open still proves
engine report viewing           a record replayed; its JSON; the table after any number of plays
audit words                     a replay compared with an entry; both in English
archive                         many records of either notation: verdicts and their totals
"""
