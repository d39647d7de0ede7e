"""Settings of the whole site: every value comes from the environment, none is needed.

Without any, the site runs on SQLite for the phones of one local network. A value that cannot be
right stops the start instead of being guessed at.
"""

import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit
from zoneinfo import available_timezones

from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP

from trexscore.limits import MOST_TEXT

BASE_DIR = Path(__file__).resolve().parent.parent


def env_bool(name: str, default: bool) -> bool:
    """An environment value that must be one of 1, true, yes, on, 0, false, no, off."""
    text = os.environ.get(name, "").strip().lower()
    if text in ("1", "true", "yes", "on"):
        return True
    if text in ("0", "false", "no", "off"):
        return False
    if text:
        raise ImproperlyConfigured(f"{name} must be true or false, not {text!r}")
    return default


def env_int(name: str, default: int) -> int:
    """An environment value that must be a whole number, 0 or more."""
    text = os.environ.get(name, "").strip()
    if text and not (text.isascii() and text.isdigit()):
        raise ImproperlyConfigured(f"{name} must be a whole number, not {text!r}")
    return int(text or default)


def env_list(name: str) -> list[str]:
    """An environment value split at commas, blanks dropped."""
    return [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]


def made_data_dir() -> Path:
    """Where the database, uploads and the secret key live: outside the clone, for our eyes only."""
    named = os.environ.get("TREXSCORE_DATA")
    users = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    path = Path(named or Path(users) / "trexscore").expanduser().absolute()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"TREXSCORE_DATA: cannot make {path}: {error.strerror}"
        ) from None
    return path


def kept_secret(path: Path) -> str:
    """The secret in this file, made at the first start.

    Two processes may start at once: the file appears whole or not at all, and the first one wins.
    """
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    secret = path.read_text().strip()
    if len(secret) < 50:
        raise ImproperlyConfigured(f"{path} is not a secret key; move it away to get a new one")
    return secret


def time_zone(named: str, clock: Path = Path("/etc/localtime")) -> str:
    """The zone named, else the one this machine's clock is set to, else UTC."""
    if named and named not in available_timezones():
        raise ImproperlyConfigured(f"TREXSCORE_TIME_ZONE: there is no zone {named!r}")
    ours = clock.resolve().as_posix().partition("zoneinfo/")[2]
    return named or (ours if ours in available_timezones() else "UTC")


def database(url: str) -> dict[str, Any]:
    """Django's database settings from sqlite:///path or postgresql://user:password@host:port/name.

    Whatever stands behind the question mark goes to the database driver.
    """
    parts = urlsplit(url)
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    if parts.scheme == "sqlite" and parts.path.strip("/") and not parts.netloc:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": unquote(parts.path.removeprefix("/")),
            "CONN_MAX_AGE": None,
            "OPTIONS": {
                # A write waits for its turn at BEGIN instead of failing half-way.
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                # FULL: what was acknowledged survives the loss of power.
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
            },
        }
    if parts.scheme in ("postgres", "postgresql") and parts.path.strip("/"):
        started = [options.pop("options", ""), "-c synchronous_commit=on"]
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.removeprefix("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": unquote(parts.hostname or options.pop("host", "")),
            "PORT": parts.port or options.pop("port", ""),
            "CONN_MAX_AGE": 600,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": {**options, "options": " ".join(started).strip()},
        }
    raise ImproperlyConfigured(
        "DATABASE_URL must be sqlite:///path or postgresql://user:password@host:port/name"
    )


DATA_DIR = made_data_dir()

DEBUG = env_bool("TREXSCORE_DEBUG", False)
SECRET_KEY = os.environ.get("TREXSCORE_SECRET_KEY") or kept_secret(DATA_DIR / "secret-key")

# HTTPS: a proxy with a certificate stands in front and says so in X-Forwarded-Proto. Without it
# the site is plain http on a local network, and a secure cookie would never come back.
HTTPS = env_bool("TREXSCORE_HTTPS", False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = env_int("TREXSCORE_HSTS_SECONDS", 0)
# Over plain http browsers ignore this header, and say so in their console on every page.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None
# How many proxies in front add to X-Forwarded-For: rate limits count the address before them.
ALLAUTH_TRUSTED_PROXY_COUNT = NINJA_NUM_PROXIES = env_int("TREXSCORE_PROXIES", 1 if HTTPS else 0)

# Named hosts are taken literally. With none named, trexscore.hosts lets through what only a local
# network can mean: addresses, names without a dot, and names under .local and its kin.
TREXSCORE_HOSTS = env_list("TREXSCORE_HOSTS")
ALLOWED_HOSTS = TREXSCORE_HOSTS or ["*"]

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "allauth",
    "allauth.account",
    "django_tasks_db",
    "scoring",
]

MIDDLEWARE = [
    "trexscore.unreadable.UnreadableMiddleware",
    *([] if TREXSCORE_HOSTS else ["trexscore.hosts.LocalHostMiddleware"]),
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    # Behind WhiteNoise, whose files lie here compressed.
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "trexscore.compressed.CompressMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "scoring.common.device.DeviceMiddleware",
    "scoring.access.http.club_clock",
    "scoring.access.http.acting_account",
    "trexscore.too_big.TooBigMiddleware",
]
# A form that lay open for too long comes back as it was typed.
CSRF_FAILURE_VIEW = "scoring.access.http.csrf_failure"
DATA_UPLOAD_MAX_MEMORY_SIZE = MOST_TEXT

ROOT_URLCONF = "trexscore.urls"
WSGI_APPLICATION = "trexscore.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "scoring.access.elevation.shown",
            ],
        },
    },
]

DATABASES = {
    "default": database(
        os.environ.get("DATABASE_URL") or f"sqlite:///{DATA_DIR / 'trexscore.sqlite3'}"
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Several workers must count the same failed sign-ins, so memory will not do; files need no set-up
# and are shared by everything on one machine.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": DATA_DIR / "cache",
        # Nobody throws out the counts of others by trying many names.
        "OPTIONS": {"MAX_ENTRIES": 3000},
    },
    # What everybody who watches a match sees alike. Apart, so that it throws out no count.
    "live": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": DATA_DIR / "live",
        "TIMEOUT": 10 * 60,
        "OPTIONS": {"MAX_ENTRIES": 1000},
    },
}

# Long work waits in the database for the worker that bin/serve starts: "manage.py work".
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}

# No nonce: pages and parts stay cacheable, scripts and styles are files of our own.
SECURE_CSP = {
    "default-src": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
    "object-src": [CSP.NONE],
}
X_FRAME_OPTIONS = "DENY"

SESSION_ENGINE = "trexscore.sessions"
# A phone stays signed in, and keeps its language, for a year.
SESSION_COOKIE_AGE = LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_SAMESITE = "Lax"

AUTH_USER_MODEL = "scoring.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = ACCOUNT_LOGOUT_REDIRECT_URL = "/"
# Accounts are made by one-time links of an owner, and nobody needs a mail address.
ACCOUNT_ADAPTER = "trexscore.accounts.ClosedAccountAdapter"
# Counted by the adapter instead: allauth's limits close a name to everyone and an address to a
# whole café, and sleep while they wait for each other.
ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": None}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_NOTIFICATIONS = False
ACCOUNT_PRESERVE_USERNAME_CASING = False
ACCOUNT_SESSION_REMEMBER = True

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ar", "العربية"), ("fr", "Français")]
LOCALE_PATHS = [BASE_DIR / "scoring" / "locale"]
FORMAT_MODULE_PATH = "trexscore.formats"
USE_I18N = True
USE_TZ = True
# A club has a zone of its own; this is the clock of matches without one.
TIME_ZONE = time_zone(os.environ.get("TREXSCORE_TIME_ZONE", ""))

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "trexscore.static_files.StaticFilesStorage"},
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
MEDIA_ROOT = DATA_DIR / "uploads"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    # Django alone would mail errors to nobody and print nothing.
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        # A line for each robot that asks for what is not there, or by a wrong name, would hide the
        # rest.
        "django.request": {"level": "ERROR"},
        "django.security.csrf": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}
