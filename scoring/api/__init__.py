"""The HTTP API: JSON in, JSON out, the codes of the rules book and of the notation.

calls         what can be asked of the rules
club_calls    what can be asked of a club
callers       who asks
answers       answers with a tag, lists in pages
shapes        standings and matches as JSON
bodies        what was sent, and refusals of the request itself
limits        how often an address may ask
schemas       bodies and answers as the document describes them
document      the OpenAPI document, and the page that shows it
"""

from scoring.api.calls import api
from scoring.api.club_calls import router

api.add_router("", router)

__all__ = ["api"]
