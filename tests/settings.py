"""The site's settings, with what tests need otherwise: nothing of the user's is read or written."""

import atexit
import os
import shutil
import tempfile

_data = tempfile.mkdtemp(prefix="trexscore-test-")
_made_by = os.getpid()


@atexit.register
def _forget_data() -> None:
    if os.getpid() == _made_by:
        shutil.rmtree(_data, ignore_errors=True)


for _name in [name for name in os.environ if name.startswith("TREXSCORE_")]:
    del os.environ[_name]
os.environ["TREXSCORE_DATA"] = _data
os.environ["TREXSCORE_TIME_ZONE"] = "UTC"
os.mkdir(f"{_data}/static")
# Playwright's own loop runs in the thread of the test, which makes Django think of async code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

from trexscore.settings import *  # noqa: E402, F403
from trexscore.settings import CACHES, DATABASES, STORAGES  # noqa: E402

# A file, so that two connections see one database as they do in the product.
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": f"{_data}/test.sqlite3"}
    # It is thrown away, so nothing waits for the disk.
    DATABASES["default"]["OPTIONS"]["init_command"] += "; PRAGMA synchronous=OFF"
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
CACHES["default"] = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Nothing works in the background: a test that wants work done does it itself.
TASKS = {"default": {"BACKEND": "django.tasks.backends.dummy.DummyBackend"}}
