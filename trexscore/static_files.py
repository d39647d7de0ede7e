"""Static files under names that change with their content."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Also renames the files that scripts import; a file that is not there ends `collectstatic`."""

    support_js_module_import_aggregation = True
