"""Nothing here touches a database; see tests/conftest.py."""

import os

from hypothesis import settings

# A busy machine is no failure, and what a machine in CI finds can be found again.
settings.register_profile("rules", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("rules")
