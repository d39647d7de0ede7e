"""The code of a link reaches the server in a form only: nothing that the server says of what it was
asked can hold it."""

import re
import sys

import pytest

from tests.server.phones import Phone
from tests.server.processes import environment, prepare, serving, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def test_access_log_names_the_page_and_no_code(tmp_path, capfd):
    told = environment(tmp_path, GRANIAN_LOG_ACCESS_ENABLED="true")
    prepare(told)
    with serving(told) as server:
        holder, guest, said = Phone(server.port), Phone(server.port), []

        def log():
            said.append("".join(capfd.readouterr()))
            return "".join(said)

        phones = holder.open_match(0) + "phones/"
        asked = holder.ask(phones).form('value="table"') | {"action": "make"}
        assert holder.ask(phones, asked).status == 303
        code = re.search(r"/t/#(\w{5}-\w{5})", holder.ask(phones).text)[1]
        joined = guest.ask("/t/", guest.ask("/t/").form("code") | {"code": code})
        assert joined.location.endswith("/seat/")
        assert until(lambda: "POST /t/" in log())
    assert code not in log()
