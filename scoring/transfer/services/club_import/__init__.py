"""Import of a club from the file that another installation exported.

The file is checked first, without a database: every value, every reference, every chain. Then all
of it is written in one transaction. Derived rows are rebuilt.

reading     the file, list by list and line by line
checking    whether all of it fits together
writing     the rows; accounts come without a way to sign in
work        these in order, as a background job
files       where an uploaded file is stored meanwhile
"""

from scoring.transfer.services.club_import.work import import_archive, import_club

__all__ = ["import_archive", "import_club"]
