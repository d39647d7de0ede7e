"""The password of an account: changed, or set where the account has none yet."""

from django.urls import reverse

CHANGE, SET = reverse("account_change_password"), reverse("account_set_password")
NEW = {"password1": "a long new password", "password2": "a long new password"}


def test_account_without_a_password_sets_its_first_one(cast, phone_of):
    cast.amal.set_unusable_password()
    cast.amal.save()
    phone = phone_of(cast.amal)
    page = phone.get(CHANGE, follow=True)
    assert page.redirect_chain == [(SET, 302)]
    assert page.text.count("<h1>Set a password</h1>") == 1
    assert 'name="oldpassword"' not in page.text
    refused = phone.post(SET, {**NEW, "password2": "another"})
    assert list(refused.context["form"].errors) == ["password2"]
    assert phone.post(SET, NEW, follow=True).status_code == 200
    cast.amal.refresh_from_db()
    assert cast.amal.check_password(NEW["password1"])
    assert phone.get("/accounts/password/change/").status_code == 200, "still signed in"


def test_account_with_a_password_changes_it_with_the_old_one(cast, phone_of):
    cast.amal.set_password("the old password")
    cast.amal.save()
    phone = phone_of(cast.amal)
    assert phone.get(SET)["Location"] == CHANGE
    assert 'name="oldpassword"' in phone.get(CHANGE).text
    assert phone.post(CHANGE, {"oldpassword": "the old password", **NEW}).status_code == 302
    cast.amal.refresh_from_db()
    assert cast.amal.check_password(NEW["password1"])
