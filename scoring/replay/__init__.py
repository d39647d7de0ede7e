"""One deal, card by card. Ordinary Python over `scoring.rules`: no Django, clock, chance, files.

record                        the deal as written, not judged
notation notation_json        `.trex` text and JSON to records and back, every error with its place
"""
