"""Which names a box on a local network answers to."""

import ipaddress
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port

# Never delegated in the public DNS, or by custom the router's own.
LOCAL_SUFFIXES = (
    ".local",
    ".lan",
    ".home",
    ".internal",
    ".localdomain",
    ".home.arpa",
    ".fritz.box",
)


def is_local(host: str) -> bool:
    """Can this Host header (with or without a port) only mean a machine of the local network?

    An address cannot be rebound, and nobody outside owns a name without a dot or under one of
    LOCAL_SUFFIXES. So a foreign page that points its own name at this box (DNS rebinding) gets
    nothing, whatever the address or the name of the box is tonight.
    """
    domain, _ = split_domain_port(host)
    if not domain:
        return False
    try:
        ipaddress.ip_address(domain.strip("[]"))
    except ValueError:
        return "." not in domain or domain.endswith(LOCAL_SUFFIXES)
    return True


class LocalHostMiddleware:
    """Refuses names that could belong to somebody else; used while TREXSCORE_HOSTS names none."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if is_local(request.get_host()):
            return self.get_response(request)
        return HttpResponse(
            "This box answers to its address and to local names only.\n"
            "To let it answer to others, set TREXSCORE_HOSTS=name1,name2 and start it again.\n",
            status=400,
            content_type="text/plain; charset=utf-8",
        )
