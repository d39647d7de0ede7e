"""The site with a few pages more, for `bin/bench web`: what the same middlewares and the same
template cost without the work in between."""

import os

from trexscore.settings import *  # noqa: F403

assert os.environ["TREXSCORE_DATA"]  # nobody's own club is measured by mistake
ROOT_URLCONF = "tests.bench.site_urls"
