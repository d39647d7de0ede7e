"""How much the server takes."""

# So many bytes of text in the fields of a form: a whole file of matches may be pasted, and a little
# stands beside it.
MOST_TEXT = 7_000_000
