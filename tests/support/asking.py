"""What a test wants to know of an answer."""

from scoring import urls

# A name that would run if it were not escaped (C121).
NASTY = "<img src=x onerror=alert(1)>"


def errors(response, form="form"):
    """The refusals of a form as codes by field; those of the whole form under "__all__"."""
    found = response.context[form].errors.get_json_data()
    return {field: [error["code"] for error in each] for field, each in found.items()}


def every_page():
    """Each URL pattern of the site's own pages."""
    for part in urls.urlpatterns:
        yield from getattr(part, "url_patterns", [part])
