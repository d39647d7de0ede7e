"""The HTTP API: JSON in, JSON out, the codes of the rules book and of the notation.

calls         what can be asked
bodies        what was sent, and refusals of the request itself
limits        how often an address may ask
document      the OpenAPI document, and the page that shows it
"""

from scoring.api.calls import api

__all__ = ["api"]
