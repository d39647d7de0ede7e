import pytest
from django.apps import apps
from django.contrib import admin
from django.urls import reverse

from scoring.models import Deal, LedgerRow, Match, MatchEvent, User
from tests.factories import correct, diamonds, king, make_match, void

pytestmark = pytest.mark.django_db

MODELS = [model for model in admin.site._registry if model._meta.app_label == "scoring"]
LEDGER = [m for m in apps.get_models() if issubclass(m, LedgerRow | MatchEvent | Match)]


@pytest.fixture
def owner(client):
    user = User.objects.create(username="owner", is_superuser=True, is_staff=True)
    client.force_login(user)
    return client


def page(model, name, *args):
    return reverse(f"admin:scoring_{model._meta.model_name}_{name}", args=args)


def test_every_model_can_be_looked_up(owner):
    match = make_match(entries=[king(), diamonds()])
    correct(match, Deal.objects.get(deal_number=1), king(taken_by=3))
    void(match, Deal.objects.get(deal_number=2))
    for model in MODELS:
        assert owner.get(page(model, "changelist")).status_code == 200
        row = model._default_manager.first()
        if row:
            assert owner.get(page(model, "change", row.pk)).status_code == 200


# The log is not deleted, not even by its owner. C48
@pytest.mark.parametrize("model", LEDGER)
def test_ledger_has_no_form_and_no_delete_path(owner, model):
    make_match(entries=[king()])
    row = model._default_manager.first()
    assert owner.get(page(model, "add")).status_code == 403
    if row:
        assert owner.post(page(model, "change", row.pk), {"dealer": 3}).status_code == 403
        assert owner.post(page(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    marked = {"action": "delete_selected", "_selected_action": [row.pk] if row else []}
    assert owner.post(page(model, "changelist"), marked | {"post": "yes"}).status_code in (200, 302)
    assert not row or model._default_manager.filter(pk=row.pk).exists()
    assert MatchEvent.objects.count() == 2
