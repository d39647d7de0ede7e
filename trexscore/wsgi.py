"""The site as a plain WSGI application: what trexscore.asgi runs."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trexscore.settings")
application = get_wsgi_application()
