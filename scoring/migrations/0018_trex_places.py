"""Places of Trex that nobody took count no more: in barbu the third and the fourth."""

from django.db import migrations


def forget_places(apps, schema_editor):
    """Of the usual values. Where a club plays barbu with others, its rows are left to
    `rebuild_results`, which `verify_ledger` then asks for."""
    matches = apps.get_model("scoring", "Match").objects.filter(system="barbu")
    other = {one.club_id for one in matches.iterator() if "values.trex" in one.options}
    for name in ("ContractResult", "ContractTotal"):
        rows = apps.get_model("scoring", name).objects.filter(system="barbu", contract="trex")
        rows.exclude(club__in=other - {None}).update(third=0, fourth=0)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0017_log")]

    operations = [migrations.RunPython(forget_places, migrations.RunPython.noop)]
