"""A club that comes from another installation, out of the file that an export made.

Everything is looked at first, without a database: every value, every reference, every chain. Then
all of it is written in one transaction, or nothing. What is derived is worked out here.

reading     the file, list by list and line by line
checking    whether all of it fits together
writing     the rows as they are; accounts with which nobody can sign in
work        one after the other, as long work
files       where a file lies meanwhile
"""

from scoring.transfer.services.club_import.work import arrive, take_in

__all__ = ["arrive", "take_in"]
