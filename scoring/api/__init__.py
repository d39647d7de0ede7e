"""The HTTP API, in JSON, with the codes of the rules and of the notation.

calls         scoring deals and replaying records
club_calls    standings, matches and deals of a club
callers       the API key behind a request
answers       ETags, query parameters, pages of lists
shapes        standings and matches as JSON
bodies        request bodies, errors of a request as a whole
limits        rate limits
schemas       bodies and answers as the document describes them
document      the OpenAPI document, and the page that shows it
"""

from scoring.api.calls import api
from scoring.api.club_calls import router

api.add_router("", router)

__all__ = ["api"]
